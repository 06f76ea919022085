"""Memory items in words: the searchable text of an item, and its one-line headline.

Template words are Chinese or English; what the user said stands as it was said and is never translated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from smartbrain.model import slug
from smartbrain.policies.fact_words import FACT_WORDS, RELATION_WORDS, SLOT_WORDS, TOPIC_WORDS
from smartbrain.text.clean import dumps
from smartbrain.text.sameness import same

_ZH = {
    "writing": "写作",
    "coding": "编码",
    "tools": "工具",
    "ui": "界面",
    "other": "其他",
    "todo": "待办",
    "doing": "进行中",
    "done": "已完成",
    "blocked": "受阻",
    "active": "进行中",
    "person": "人物",
    "org": "组织",
    "repo": "仓库",
    "file": "文件",
    "url": "链接",
    "topic": "主题",
    "user": "用户",
    "true": "是",
    "false": "否",
    "priority": "优先级",
    "status": "状态",
    "due": "截止",
    "notes": "备注",
    "rationale": "理由",
    "made_at": "时间",
    "aliases": "别名",
    "impact": "影响",
    "solution": "解决办法",
    "outcome": "结果",
    "artifacts": "产物",
    "since": "自",
    "ended": "已不再",
}
_EN = {"true": "yes", "false": "no", "made_at": "made", "aliases": "also known as", "ended": "no longer"}


class _Words(NamedTuple):
    """The template words and marks of one language."""

    zh: bool

    def word(self, name: str) -> str:
        return (_ZH if self.zh else _EN).get(name, name)

    def choose(self, zh: str, en: str) -> str:
        return zh if self.zh else en

    @property
    def colon(self) -> str:
        return self.choose("：", ": ")

    def bracket(self, text: str) -> str:
        return self.choose(f"（{text}）", f" ({text})") if text else ""

    def said(self, value: Any) -> str:
        """A value in words: text verbatim, lists joined, mappings as ``name: value``."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return self.word(str(value).lower())
        if isinstance(value, str):
            return value
        if isinstance(value, (list, tuple)):
            return self.choose("、", ", ").join(self.said(inner) for inner in value)
        if isinstance(value, Mapping):
            return self.choose("；", "; ").join(
                f"{name}{self.colon}{self.said(inner)}" for name, inner in value.items()
            )
        return dumps(value)

    def line(self, name: str, value: Any) -> str:
        """``name: value`` with the field's name in words, empty when there is no value."""
        said = self.said(value)
        return f"{self.word(name)}{self.colon}{said}" if said.strip() else ""


Value = Mapping[str, Any]
Lines = list[str]
_UNNAMED: Mapping[str, str] = {}


def render_item(type: str, key: str, value: Mapping[str, Any], language: str) -> str:
    """The searchable text of an item: ``[type:key]``, then readable lines in the user's own language.

    ``language`` is a tag such as ``zh-CN`` or ``en``; left empty, the value's own script decides. Deterministic.
    """
    lines = _BODIES.get(type, _custom)(value, _words(language, value))
    return "\n".join([f"[{type}:{key}]", *(line for line in lines if line.strip())])


def headline(type: str, value: Mapping[str, Any], language: str) -> str:
    """The item on one line without its key, for summaries and system blocks."""
    words = _words(language, value)
    lines = _HEADLINES.get(type, _custom_headline)(value, words)
    return " ".join(" ".join(lines).split())


def _words(language: str, value: Mapping[str, Any]) -> _Words:
    tag = language.lower()
    return _Words(tag.startswith("zh") if tag else _has_han(dumps(dict(value))))


def _has_han(text: str) -> bool:
    return any("\u3400" <= ch <= "\u9fff" for ch in text)


def _text(value: Value, field: str) -> str:
    found = value.get(field)
    return found if isinstance(found, str) else ""


def _place(value: Value, *fields: str, about: str = "", named: Mapping[str, str] = _UNNAMED) -> str:
    """Where an item belongs, as ``project/topic``, without names that say nothing new.

    ``named`` gives closed names in the reader's words; other names stand as they are.
    """
    parts = [_text(value, field) for field in fields]
    return "/".join(named.get(part, part) for part in parts if part and part != "default" and not _repeats(part, about))


def _closed(names: Mapping[str, str], words: _Words) -> Mapping[str, str]:
    """How closed names read: in Chinese as listed, in English with spaces (``date format``)."""
    return names if words.zh else {name: name.replace("_", " ") for name in names}


def _repeats(name: str, words: str) -> bool:
    # A name that was made from the item's own words (a slug of them) would only say them twice.
    return bool(words) and (same(name, words) or ("_" in name and slug(name) in slug(words)))


def _profile(value: Value, words: _Words) -> Lines:
    subject = _subject(value, words)
    facts = [_fact(fact, words) for fact in value.get("facts", ())]
    return [words.choose(f"关于{subject}：", f"About {subject}:"), *facts]


def _fact(fact: Value, words: _Words) -> str:
    if "v" in fact and fact["v"] is None:
        # A closed fact: that it is over is worth knowing, an empty line is not.
        was = words.said(fact.get("was"))
        gap = "" if words.zh and _has_han(was) else " "
        return f"{_fact_name(fact, words)}{words.colon}{words.word('ended')}{gap + was if was else ''}"
    since = fact.get("since")
    tail = words.bracket(f"{words.word('since')} {since}") if since else ""
    return f"{_fact_name(fact, words)}{words.colon}{words.said(fact.get('v'))}{tail}"


def _fact_name(fact: Value, words: _Words) -> str:
    name = str(fact.get("k", ""))
    return FACT_WORDS.get(name, name) if words.zh else name.replace("_", " ")


def _subject(value: Value, words: _Words) -> str:
    """Who a profile is about: the user, somebody of theirs ("user's mother", 用户的母亲), or a name."""
    subject = _text(value, "subject") or "user"
    relation = max((name for name in RELATION_WORDS if subject.endswith(f"_{name}")), key=len, default="")
    whose = subject[: -len(relation) - 1]
    if not relation or not whose:
        return words.word(subject) if subject == "user" else _named(subject)
    if words.zh:
        return f"{words.word(whose)}的{RELATION_WORDS[relation]}"
    return f"{whose if whose == 'user' else _named(whose)}'s {relation.replace('_', ' ')}"


def _named(subject: str) -> str:
    """A name out of a key: ``kenji_morita`` is Kenji Morita."""
    return " ".join(word[:1].upper() + word[1:] for word in subject.split("_"))


def _profile_headline(value: Value, words: _Words) -> Lines:
    subject = _subject(value, words)
    facts = words.choose("；", "; ").join(_fact(fact, words) for fact in value.get("facts", ()))
    return [f"{subject if words.zh else subject[:1].upper() + subject[1:]}{words.colon}{facts}"]


def _preference(value: Value, words: _Words) -> Lines:
    said = words.said(value.get("value"))
    scope = _text(value, "scope") or "other"
    name = _place(value, "name", about=said, named=_closed(SLOT_WORDS, words))
    place = "/".join(part for part in (words.word(scope) if scope != "other" else "", name) if part)
    refused = value.get("polarity") == "dislike"
    if words.zh:
        return [f"用户{'不喜欢' if refused else '偏好'}{' ' + place if place else ''}：{said}"]
    return [f"{'Dislikes' if refused else 'Prefers'}{words.bracket(place)}: {said}"]


def _preference_body(value: Value, words: _Words) -> Lines:
    return [*_preference(value, words), words.line("priority", value.get("priority"))]


def _goal(value: Value, words: _Words) -> Lines:
    about = _text(value, "description")
    status = _text(value, "status")
    tail = words.bracket(words.word(status)) if status and status != "active" else ""
    place = words.bracket(_place(value, "project", "name", about=about))
    return [f"{words.choose('目标', 'Goal')}{place}{words.colon}{about}{tail}"]


def _goal_headline(value: Value, words: _Words) -> Lines:
    status = _text(value, "status")
    return [_text(value, "description") + (words.bracket(words.word(status)) if status not in ("", "active") else "")]


def _task(value: Value, words: _Words) -> Lines:
    title = _text(value, "title") or _text(value, "task_id")
    place = words.bracket(_place(value, "project", about=title))
    fields = [words.line(name, _task_field(value, name, words)) for name in ("status", "due", "notes")]
    return [f"{words.choose('任务', 'Task')}{place}{words.colon}{title}", *fields]


def _task_field(value: Value, name: str, words: _Words) -> Any:
    return words.word(_text(value, name)) if name == "status" else value.get(name)


def _task_headline(value: Value, words: _Words) -> Lines:
    title = _text(value, "title") or _text(value, "task_id")
    due = _text(value, "due")
    tail = words.bracket(f"{words.word('due')} {due}") if due else ""
    return [f"[{words.word(_text(value, 'status') or 'todo')}] {title}{tail}"]


def _decision(value: Value, words: _Words) -> Lines:
    about = _text(value, "decision")
    place = words.bracket(_decided_on(value, words))
    return [
        f"{words.choose('决定', 'Decision')}{place}{words.colon}{about}",
        words.line("rationale", value.get("rationale")),
        words.line("made_at", value.get("made_at")),
    ]


def _decided_on(value: Value, words: _Words) -> str:
    about = _text(value, "decision")
    topic = _place(value, "topic", about=about, named=_closed(TOPIC_WORDS, words))
    return "/".join(part for part in (_place(value, "project", about=about), topic) if part)


def _decision_headline(value: Value, words: _Words) -> Lines:
    rationale = _text(value, "rationale")
    reason = words.bracket(words.line("rationale", rationale)) if rationale else ""
    place = _decided_on(value, words)
    return [f"{place + words.colon if place else ''}{_text(value, 'decision')}{reason}"]


def _entity(value: Value, words: _Words) -> Lines:
    kind = _text(value, "kind")
    canonical = _text(value, "canonical")
    name = _text(value, "name") or canonical
    attrs = [words.line(str(field), inner) for field, inner in (value.get("attrs") or {}).items()]
    return [
        f"{name}{words.bracket(words.word(kind)) if kind and kind != 'other' else ''}",
        canonical if not same(canonical, name) else "",
        words.line("aliases", value.get("aliases") or None),
        *attrs,
    ]


def _entity_headline(value: Value, words: _Words) -> Lines:
    first, *rest = [line for line in _entity(value, words) if line] or [""]
    return [f"{first}{words.choose('：', ': ') + words.choose('；', '; ').join(rest) if rest else ''}"]


def _event(value: Value, words: _Words) -> Lines:
    return [f"{_text(value, 'date')} {_text(value, 'title')}".strip(), words.line("impact", value.get("impact"))]


def _event_headline(value: Value, words: _Words) -> Lines:
    return [_event(value, words)[0] + words.bracket(_text(value, "impact"))]


def _case(value: Value, words: _Words) -> Lines:
    place = words.bracket(_place(value, "domain"))
    fields = [words.line(name, value.get(name) or None) for name in ("solution", "outcome", "artifacts")]
    return [f"{words.choose('案例', 'Case')}{place}{words.colon}{_text(value, 'problem')}", *fields]


def _case_headline(value: Value, _: _Words) -> Lines:
    solution = _text(value, "solution")
    return [f"{_text(value, 'problem')}{' → ' + solution if solution else ''}"]


def _pattern(value: Value, words: _Words) -> Lines:
    rule = _text(value, "rule")
    place = words.bracket(_place(value, "domain", "name", about=rule))
    return [f"{words.choose('规律', 'Rule')}{place}{words.colon}{rule}"]


def _custom(value: Value, words: _Words) -> Lines:
    return [words.line(str(field), inner) for field, inner in value.items()]


def _custom_headline(value: Value, words: _Words) -> Lines:
    return [words.choose("；", "; ").join(line for line in _custom(value, words) if line)]


_BODIES: Mapping[str, Callable[[Value, _Words], Lines]] = {
    "profile": _profile,
    "preferences": _preference_body,
    "goals": _goal,
    "tasks": _task,
    "decisions": _decision,
    "entities": _entity,
    "events": _event,
    "cases": _case,
    "patterns": _pattern,
}
_HEADLINES: Mapping[str, Callable[[Value, _Words], Lines]] = {
    "profile": _profile_headline,
    "preferences": _preference,
    "goals": _goal_headline,
    "tasks": _task_headline,
    "decisions": _decision_headline,
    "entities": _entity_headline,
    "events": _event_headline,
    "cases": _case_headline,
    "patterns": _pattern,
}
