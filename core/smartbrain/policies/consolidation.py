"""The rolling summary and the stable core blocks, made from a template: no model is needed (contracts.md §4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from smartbrain.config import ConsolidationPolicy, RetentionPolicy
from smartbrain.contracts.context import BlockSource, SystemBlock
from smartbrain.model import Changes, MemoryItem, Message, Ref, Summary, Turn
from smartbrain.policies.conflict import newest_versions
from smartbrain.policies.wording import headline
from smartbrain.ports import Said
from smartbrain.text.sameness import normal_text
from smartbrain.text.terms import terms

LINE_LIMIT = 160
TOPIC_LIMIT = 100
_TOPIC_TERMS = 3
_OPENING_CHARS = 2000
SECTION_LIMIT = 12
_REMEMBERED, _REMEMBERED_CHARS = 256, 2_000  # messages whose topic and question are, and their most characters
_OVER = frozenset(
    {"done", "achieved", "completed", "dropped", "abandoned", "cancelled", "完成", "已完成", "放弃", "取消"}
)
_TASK_ORDER = {"blocked": 0, "doing": 1, "todo": 2, "done": 3}
_BLOCKED = ("受阻：", "Blocked: ")
_QUESTION = re.compile(r"[?？]\s*[\"'”’)）]*\s*$|[吗呢]\s*[。.!！~～]*\s*$", re.MULTILINE)
_SENTENCE = re.compile(r"[^。！？!?\n]*?(?:[。！？!?]|[.](?=\s)|\n|$)")


class Counter(Protocol):
    """Counts tokens."""

    def count(self, text: str) -> int: ...


class SummaryDraft(NamedTuple):
    """A summary's text and the ids of the items and turns it rests on. An empty text: there was nothing to say."""

    text: str
    item_ids: tuple[str, ...]
    turn_ids: tuple[str, ...]


class _Line(NamedTuple):
    section: str
    text: str
    item_id: str = ""


_HEADINGS = {
    "goals": ("目标", "Goals"),
    "decisions": ("决策", "Decisions"),
    "tasks": ("任务", "Tasks"),
    "references": ("关键资料", "Key References"),
    "questions": ("未决问题", "Open Questions"),
    "topics": ("近期话题", "Recent topics"),
}
# What goes in first when there is not room for all: one line of each in this order, then the next of each.
_PRIORITY = ("tasks", "decisions", "goals", "questions", "topics", "references")


def should_summarize(
    *,
    turns_since: int,
    tokens_since: int,
    token_limit: int,
    changes: Changes,
    turn: Turn,
    retention: RetentionPolicy,
    consolidation: ConsolidationPolicy,
) -> str:
    """The trigger that asks for a new summary, or "" when none does.

    ``turns_since`` and ``tokens_since`` count what was said since the last summary, ``token_limit`` is the budget of
    a whole context. Triggers: "turn_count", "token_pressure", and the stage events "task_done", "decision_made",
    "tool_result". A turn that was aborted triggers none.
    """
    if turn.status == "aborted":
        return ""
    if turns_since >= retention.summarize_after_turns:
        return "turn_count"
    if tokens_since > consolidation.token_pressure * token_limit:
        return "token_pressure"
    return _stage(changes) if consolidation.stage_events else ""


def _stage(changes: Changes) -> str:
    for item in changes.inserts:
        if item.status != "active":
            continue
        if item.type == "tasks" and item.value.get("status") == "done":
            return "task_done"
        if item.type == "decisions":
            return "decision_made"
        if item.type == "events" and item.trust == "tool":
            return "tool_result"
    return ""


def build_summary(
    items: Iterable[MemoryItem],
    turns: Sequence[Turn | Said],
    refs: Sequence[Ref],
    *,
    language: str,
    max_tokens: int,
    counter: Counter,
    previous: Summary | None = None,
) -> SummaryDraft:
    """The rolling summary: goals, decisions, tasks, references and open questions, with their content.

    Counts at most ``max_tokens`` with ``counter``. ``items`` are those in force, ``turns`` the range oldest first,
    ``refs`` newest first; ``previous`` is the summary before it, whose topics and open questions are carried on. What
    is newest and still open goes in first. Tool output and preferences stay out. With no goal, decision or task it
    says what the user spoke about.
    """
    zh = language.lower().startswith("zh")
    current = newest_versions(items)
    earlier = previous.text if previous is not None else ""
    sections = {
        "goals": _lines("goals", _goals(current), language),
        "decisions": _lines("decisions", _newest_first(current, "decisions"), language),
        "tasks": _lines("tasks", _tasks(current), language),
        "references": _references(refs, zh),
        "questions": [*_questions(turns, earlier), *_blocked(current, zh)],
    }
    if not (sections["goals"] or sections["decisions"] or sections["tasks"]):
        sections["topics"] = _topics(turns, earlier)
    kept = _fit(sections, max_tokens, counter, zh)
    if not kept:
        return SummaryDraft("", (), ())
    item_ids = tuple(dict.fromkeys(line.item_id for line in kept if line.item_id))
    return SummaryDraft(_render(kept, zh), item_ids, tuple(turn.turn_id for turn in turns))


def anticipate(turn: Turn, counter: Counter, previous: Summary | None = None) -> None:
    """Reads a turn as the next summary will, and has its lines counted.

    Both are remembered for a while, so that the commit which makes the summary is not much dearer than the others. The
    summary is the same without it. ``previous`` is the summary in force; while it has something to tell, no topic is
    looked for.
    """
    lines = _questions([turn], "")
    if previous is None or any(heading in previous.text for heading in _HEADINGS["topics"]):
        lines += _topics([turn], "")
    for line in lines:
        counter.count(_shown(line))


def _fit(sections: dict[str, list[_Line]], max_tokens: int, counter: Counter, zh: bool) -> list[_Line]:
    """As many lines as fit, one of each section in turn; a line too long leaves room for shorter ones.

    What is returned fits as it will be rendered.
    """
    queues = [sections[name][:SECTION_LIMIT] for name in _PRIORITY if sections.get(name)]
    rounds = [queue[depth] for depth in range(SECTION_LIMIT) for queue in queues if depth < len(queue)]
    kept: list[_Line] = []
    begun: set[str] = set()
    used = 0
    for line in rounds:
        # Counted line by line and not as a whole each time; the sum is checked once, below.
        cost = counter.count(_shown(line)) + (0 if line.section in begun else counter.count(_heading(line, zh)))
        if used + cost <= max_tokens:
            kept.append(line)
            begun.add(line.section)
            used += cost
    while kept and counter.count(_render(kept, zh)) > max_tokens:
        kept.pop()
    return kept


def _shown(line: _Line) -> str:
    return f"- {line.text}\n"


def _heading(line: _Line, zh: bool) -> str:
    zh_heading, en_heading = _HEADINGS[line.section]
    return f"{zh_heading}：\n" if zh else f"{en_heading}:\n"


def _render(lines: Sequence[_Line], zh: bool) -> str:
    blocks = []
    for section, (zh_heading, en_heading) in _HEADINGS.items():
        own = [f"- {line.text}" for line in lines if line.section == section]
        if own:
            blocks.append("\n".join([f"{zh_heading}：" if zh else f"{en_heading}:", *own]))
    return "\n".join(blocks)


def _lines(section: str, items: Sequence[MemoryItem], language: str) -> list[_Line]:
    shown = items[:SECTION_LIMIT]
    return [_Line(section, clip(headline(item.type, item.value, language)), item.id) for item in shown]


def _newest_first(items: Iterable[MemoryItem], type_name: str) -> list[MemoryItem]:
    own = [item for item in items if item.type == type_name]
    return sorted(own, key=lambda item: (item.valid_from, item.recorded_at), reverse=True)


def _goals(items: Sequence[MemoryItem]) -> list[MemoryItem]:
    return sorted(_newest_first(items, "goals"), key=_is_over)


def _tasks(items: Sequence[MemoryItem]) -> list[MemoryItem]:
    return sorted(_newest_first(items, "tasks"), key=lambda item: _TASK_ORDER.get(str(item.value.get("status")), 2))


def _is_over(item: MemoryItem) -> bool:
    return str(item.value.get("status", "")).casefold() in _OVER


def _blocked(items: Sequence[MemoryItem], zh: bool) -> list[_Line]:
    return [
        _Line("questions", clip(_blocker(item, zh)), item.id)
        for item in _newest_first(items, "tasks")
        if item.value.get("status") == "blocked"
    ]


def _blocker(item: MemoryItem, zh: bool) -> str:
    title = item.value.get("title") or item.value.get("task_id") or ""
    notes = item.value.get("notes") or ""
    return f"{_BLOCKED[0 if zh else 1]}{title}{f' — {notes}' if notes else ''}"


def _references(refs: Sequence[Ref], zh: bool) -> list[_Line]:
    unique = {ref.uri: ref for ref in reversed(refs)}
    return [_Line("references", clip(_reference(ref, zh))) for ref in reversed(unique.values())]


def _reference(ref: Ref, zh: bool) -> str:
    said = f"{'：' if zh else ': '}{ref.summary}" if ref.summary else ""
    return f"{ref.title} — {ref.uri}{said}" if ref.title else f"{ref.uri}{said}"


def _questions(turns: Sequence[Turn | Said], earlier: str) -> list[_Line]:
    """The user's questions that got no answer in their own turn, newest first, then those open before."""
    asked: dict[str, str] = {}
    answered: set[str] = set()
    for turn in reversed(turns):
        replied = False
        for message in reversed(turn.messages):
            replied = replied or _is_answer(message)
            known, question = _asked(message.text) if message.role == "user" else ("", "")
            if question and replied:
                answered.add(known)
            elif question:
                asked.setdefault(known, question)
    for question in _section(earlier, "questions"):
        # Blocked tasks come from the items, and only while they are blocked.
        if normal_text(question) not in answered and not question.startswith(_BLOCKED):
            asked.setdefault(normal_text(question), question)
    return [_Line("questions", question) for question in asked.values()]


def _is_answer(message: Message) -> bool:
    return message.role == "assistant" and bool(message.text.strip())


def _asked(text: str) -> tuple[str, str]:
    """The question of a user's message as comparisons see it, and as it is shown; empty where nothing is asked."""
    return _remembered_question(text) if len(text) <= _REMEMBERED_CHARS else _known(_question(text))


@lru_cache(maxsize=_REMEMBERED)
def _remembered_question(text: str) -> tuple[str, str]:
    return _known(_question(text))


def _known(said: str, limit: int = LINE_LIMIT) -> tuple[str, str]:
    line = clip(said, limit)
    return normal_text(line), line


def _question(text: str) -> str:
    """The last sentence of a text that asks something."""
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()]
    return next((sentence for sentence in reversed(sentences) if _QUESTION.search(sentence)), "")


def _topics(turns: Sequence[Turn | Said], earlier: str) -> list[_Line]:
    """What the user spoke about in each turn, newest first, then the topics before; small talk is no topic."""
    said: dict[str, str] = {}
    for turn in reversed(turns):
        if len(said) == SECTION_LIMIT:  # the rest would not be shown, and telling what is a topic takes time
            break
        openings = (_opening(m.name or "", m.text[:_OPENING_CHARS]) for m in turn.messages if m.role == "user")
        known, opening = next((found for found in openings if found[1]), ("", ""))
        if opening:
            said.setdefault(known, opening)
    for topic in _section(earlier, "topics"):
        if len(said) == SECTION_LIMIT:
            break
        said.setdefault(normal_text(topic), topic)
    return [_Line("topics", topic) for topic in said.values()]


@lru_cache(maxsize=_REMEMBERED)
def _opening(name: str, text: str) -> tuple[str, str]:
    """The first sentence that says something, with the speaker's name where there is one: as comparisons see it, and
    as it is shown."""
    found = (" ".join(sentence.split()) for sentence in _SENTENCE.findall(text))
    sentence = next((s for s in found if len(set(terms(s))) >= _TOPIC_TERMS), "")
    return _known(f"{name}: {sentence}" if sentence and name else sentence, TOPIC_LIMIT)


def _section(summary: str, wanted: str) -> list[str]:
    """The lines of one section of an earlier summary; none when it was not made from this template."""
    headings = {f"{zh}：": name for name, (zh, _) in _HEADINGS.items()}
    headings |= {f"{en}:": name for name, (_, en) in _HEADINGS.items()}
    found = []
    current = ""
    for line in summary.splitlines():
        if line in headings:
            current = headings[line]
        elif current == wanted and line.startswith("- "):
            found.append(line[2:])
    return found


def first_sentence(text: str) -> str:
    """The first sentence that has words in it, on one line."""
    found = (" ".join(sentence.split()) for sentence in _SENTENCE.findall(text))
    return next((sentence for sentence in found if any(ch.isalnum() for ch in sentence)), "")


def clip(text: str, limit: int = LINE_LIMIT) -> str:
    """One line of at most ``limit`` characters; a cut is shown by an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _always(_: MemoryItem) -> bool:
    return True


BlockType = Literal["core_profile", "preferences", "goals", "policies"]
_BLOCKS: tuple[tuple[str, BlockType, Callable[[MemoryItem], bool]], ...] = (
    ("profile", "core_profile", _always),
    ("preferences", "preferences", _always),
    ("goals", "goals", lambda item: not _is_over(item)),
    ("patterns", "policies", _always),
)


def core_memory_blocks(
    items: Iterable[MemoryItem], *, language: str, max_tokens: int, counter: Counter
) -> list[SystemBlock]:
    """Profile, preferences, goals and rules that are in force, one block each, at most ``max_tokens`` together.

    Only the user's own words get here. When there is not room for all, profile goes before preferences, goals and
    rules, and within each the highest priority, then the newest. The order is by type and key, so that the text is
    the same byte for byte until an item changes.
    """
    current = newest_versions(items)
    kept: list[tuple[int, MemoryItem, BlockType]] = []
    used = 0
    for place, (type_name, block_type, wanted) in enumerate(_BLOCKS):
        own = [item for item in current if item.type == type_name and item.trust == "user" and wanted(item)]
        for item in sorted(own, key=_importance, reverse=True):
            # One more for the line break between two blocks.
            cost = counter.count(headline(item.type, item.value, language)) + 1
            if used + cost <= max_tokens:
                used += cost
                kept.append((place, item, block_type))
    kept.sort(key=lambda entry: (entry[0], entry[1].key, str(entry[1].scope)))
    return [_block(item, block_type, language) for _, item, block_type in kept]


def _importance(item: MemoryItem) -> tuple[int, float, str]:
    priority = item.value.get("priority")
    return (priority if isinstance(priority, int) else 0, item.valid_from.timestamp(), item.key)


def _block(item: MemoryItem, block_type: BlockType, language: str) -> SystemBlock:
    return SystemBlock(
        type=block_type,
        text=headline(item.type, item.value, language),
        trust=item.trust,
        updated_at=item.valid_from,
        source=BlockSource(turn_id=item.source_turn_id, memory_item_id=item.id),
    )
