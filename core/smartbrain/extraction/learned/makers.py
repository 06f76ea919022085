"""From a class and the words of its value to a hit: whose it is, its key, its value, its day."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Any, Final, Literal

from smartbrain.extraction import _en_decisions, _en_topics, _zh_decisions, hits
from smartbrain.extraction._en_slots import slot_exactly, slot_in
from smartbrain.extraction._zh_text import trimmed
from smartbrain.extraction.hits import Hit, Sentence, due_day, event_day
from smartbrain.extraction.keys import part
from smartbrain.extraction.learned.pieces import Piece
from smartbrain.extraction.learned.sanity import plausible
from smartbrain.extraction.lexicon import FACTS
from smartbrain.extraction.things import thing_of
from smartbrain.text.timehints import Prefer

RULE: Final = "learned"
SCOPES: Final[Mapping[str, str]] = {"w": "writing", "c": "coding", "t": "tools", "u": "ui", "o": "other"}
_STATUS: Final[Mapping[str, str]] = {
    "task": "todo",
    "doing": "doing",
    "done": "done",
    "blocked": "blocked",
    "cancel": "todo",
}
_OF_FAMILY: Final = frozenset(
    ("e.death", "e.birth", "e.wedding", "e.accident", "e.visit", "e.surgery", "e.engagement", "e.graduation", "e.party")
)
"""Events of a relative that are a turn of the user's life too."""


@dataclass(frozen=True, slots=True)
class Told:
    """A clause that tells something: its class, whether against, the user's words of the value, and of whom it is."""

    sentence: Sentence
    piece: Piece
    label: str
    against: bool
    value: str
    subject: str
    before: str
    confidence: float

    @property
    def said(self) -> str:
        return self.sentence.text[self.piece.start : self.piece.end]

    @property
    def chinese(self) -> bool:
        return re.search("[\u3400-\u9fff]", self.piece.text) is not None


def type_of(label: str) -> str:
    """The memory type of a class."""
    head = label.partition(".")[0]
    if head in SCOPES and "." in label:
        return "preferences"
    named = {"like": "preferences", "dislike": "preferences", "goal": "goals", "drop": "goals", "dec": "decisions"}
    if head in named:
        return named[head]
    if head in _STATUS:
        return "tasks"
    return "events" if head == "e" else "profile"


def label_of(hit: Hit) -> str:
    """The class that a rule's hit is of."""
    value = hit.value
    if hit.type == "preferences":
        scope, name = str(value.get("scope", "")), str(value.get("name", ""))
        slot = next((f"{short}.{name}" for short, whole in SCOPES.items() if whole == scope), "")
        return slot if scope != "other" or name in ("seat", "contact", "meeting_time") else str(value.get("polarity"))
    if hit.type == "profile":
        fact: Mapping[str, Any] = next(iter(value.get("facts", ())), {})
        k = {"likes": "like", "dislikes": "dislike"}.get(str(fact.get("k")), str(fact.get("k")))
        return k if fact.get("v") is not None else f"x.{k}"
    if hit.type == "tasks":
        return (
            "cancel"
            if hit.retract
            else next((one for one, status in _STATUS.items() if status == value.get("status")), "task")
        )
    if hit.type == "goals":
        return "drop" if hit.retract else "goal"
    if hit.type == "events":
        what = hit.key.split(":")[-1]
        return f"e.{next((kind for kind in _kinds() if what == kind or what.startswith(kind + '_')), what)}"
    return {"decisions": "dec"}.get(hit.type, hit.type)


@cache
def _kinds() -> tuple[str, ...]:
    from smartbrain.extraction.lexicon import EVENT_KINDS

    return tuple(sorted(EVENT_KINDS, key=len, reverse=True))


def made(told: Told) -> Hit | None:
    """The hit of what a clause tells; None when its words name nothing that can be kept."""
    ended = told.label.startswith("x.")  # closes by its k: "I'm off them"
    names = not _only_marker().fullmatch(told.value)
    if not ended and not (names and plausible(told.label, told.value, told.sentence.message.text)):
        return None
    hit = _MAKERS[type_of(told.label)](told)
    if hit is None:
        return None
    return replace(hit, language="zh" if told.chinese else "en")


def _common(told: Told) -> dict[str, Any]:
    return {"rule": f"{RULE}.{told.label}", "span": (told.piece.start, told.piece.end), "confidence": told.confidence}


def _preference(told: Told) -> Hit | None:
    polarity: Literal["like", "dislike"] = "dislike" if told.against and not _before_other(told) else "like"
    if told.label in ("like", "dislike"):
        thing = _short_is().sub("", _eaten().sub("", told.value) or told.value)
        if told.subject != "user":
            k = "likes" if told.label == "like" else "dislikes"
            return hits.fact(**_common(told), k=k, v=thing, subject=told.subject)
        name = part(thing)
        if not name:
            return None
        taste: Literal["like", "dislike"] = "like" if told.label == "like" else "dislike"
        return hits.preference(**_common(told), scope="other", name=name, value=thing, polarity=taste)
    if told.subject != "user":
        return None
    head, _, name = told.label.partition(".")
    if told.value.casefold().endswith(" off"):  # "semicolons off"
        told, polarity = replace(told, value=told.value[: -len(" off")]), "dislike"
    scope, name, value = _as_the_words_say(told, SCOPES[head], name)
    return hits.preference(**_common(told), scope=scope, name=name, value=value, polarity=polarity)


def _before_other(told: Told) -> bool:
    """Whether a value is chosen before another: "tabs not spaces"."""
    lead, found, rest = told.said.partition(told.value)
    chosen = _than_other().search(told.value) or _than_other().match(rest)
    return bool(found and chosen and not _refusal().search(lead))


@cache
def _than_other() -> re.Pattern[str]:
    return re.compile(r",? (?:and )?(?:not|over|instead of|rather than|never) \w", re.IGNORECASE)


def _as_the_words_say(told: Told, scope: str, name: str) -> tuple[str, str, str]:
    """Scope, name and value of a slot: what the words name by themselves goes before what the classifier read.

    "AWS" is a cloud, whatever the clause looked like; of "aisle seat please if you look at flights" the seat is chosen.
    """
    if told.chinese:
        return scope, name, told.value
    named = slot_exactly(told.value)
    if named and named.scope in _BY_NAME and scope in _BY_NAME:
        return named.scope, named.name, told.value[named.start : named.end]
    inside = slot_in(told.value)
    if inside and inside.scope == scope == "coding":
        return inside.scope, inside.name, told.value[inside.start : inside.end]
    if inside is None and scope in ("ui", "other", "writing"):
        around = slot_in(told.said, answers=scope == "writing")
        if around and (around.scope, around.name) == (scope, name):
            return scope, name, told.said[around.start : around.end]
    return scope, name, told.value


_BY_NAME: Final = ("tools", "coding")


def _fact(told: Told) -> Hit | None:
    ended = told.label.startswith("x.")
    k = told.label.removeprefix("x.")
    if k not in FACTS:
        return None
    if ended:
        return hits.fact(**_common(told), k=k, v=None, was=told.said, subject=told.subject)
    value = told.value if told.chinese else _article().sub("", told.value)
    if k == "role" and _somebody().search(told.said[: max(told.said.find(told.value), 0)]):
        return None
    if k == "diet":
        value = _with_negation(told, value)
    if k == "health" and _organ().fullmatch(value):
        value = clean(told.said[max(told.said.find(told.value), 0) :])
        if _organ().fullmatch(value):
            return None  # that one has a heart says nothing
    return hits.fact(**_common(told), k=k, v=value, subject=told.subject) if value else None


@cache
def _organ() -> re.Pattern[str]:
    return re.compile(
        r"(?:左|右|双|雙)?(?:心脏|心臟|[肝肾胃肺脾胆腰背腿脚脑眼耳牙]|膝盖|膝蓋|眼睛|耳朵|牙齿|颈椎|腰椎|骨头|手腕|脚踝|肩膀|血管|皮肤)"
        r"|(?:(?:left|right|both|bad) )?(?:hearts?|lungs?|livers?|kidneys?|stomach|knees?|hips?|backs?|eyes?|ears?|"
        r"legs?|feet|"
        r"foot|shoulders?|ankles?|wrists?|teeth|tooth|skin|spine)",
        re.IGNORECASE,
    )


def _with_negation(told: Told, value: str) -> str:
    """ "no pork" and 不吃猪肉 as they were said: the food alone would read as its opposite."""
    at = told.said.find(value)
    lead = _refusal().search(told.said[: max(at, 0)])
    return told.said[lead.start() : at] + value if lead else value


def _task(told: Told) -> Hit | None:
    thing = thing_of(_short_is().sub("", told.value))
    if not thing or told.subject != "user" or (told.label == "task" and not _mine().search(told.sentence.text)):
        return None
    due = due_day(told.said, told.sentence.said_at) or due_day(told.sentence.text, told.sentence.said_at)
    status, gone = _STATUS[told.label], told.label == "cancel"
    due = due if status == "todo" and not gone else None
    return hits.task(**_common(told), thing=thing, title=told.value, status=status, due=due, retract=gone)


def _goal(told: Told) -> Hit | None:
    aim = part(_striving().sub("", told.value))
    if told.label == "drop" and told.chinese:
        aim = aim.removeprefix("不")  # 不考了 gives up 考, as 考研我放弃了 gives up 考研
    if not aim or (told.chinese and len(aim) == 1) or told.subject != "user":
        return None
    status = "done" if _reached().search(told.sentence.text) else "active"
    return hits.goal(**_common(told), aim=aim, description=told.value, status=status, retract=told.label == "drop")


def _decision(told: Told) -> Hit | None:
    if told.subject != "user":
        return None
    folded = told.piece.text
    if told.chinese and clean(told.said) == told.value and not _settled().search(told.sentence.text):
        return None  # a name alone, and nothing around it that chooses
    if told.chinese:
        topic = _zh_decisions.topic_of(folded, told.value, told.before)
    else:
        topic = _en_topics.topic_in(told.value, told.said)
    if not topic:
        return None
    said = told.value if told.chinese else _en_decisions.refused(told.said.partition(told.value)[0]) + told.value
    return hits.decision(**_common(told), topic=topic, said=said, made_at=told.sentence.said_at)


def _event(told: Told) -> Hit | None:
    if told.subject != "user" and told.label not in _OF_FAMILY:
        return None
    kind = told.label.removeprefix("e.")
    day = _day(told.said, told)
    if day == "undated":
        day = _day(told.sentence.text, told)
    if day == "undated" and kind == "appointment" and _is_there().match(told.said):
        return None
    if day == "undated" and not told.chinese and _this_very_day().search(told.said):
        day = told.sentence.said_at.date().isoformat()
    return hits.event(**_common(told), kind=kind, day=day, title=told.said)


@cache
def _is_there() -> re.Pattern[str]:
    """ "I'm at the dentist, talk later": over when it is read again."""
    return re.compile(
        r"\W*(?:(?:sorry|hi|hey|ok|so|still|just),? )*(?:(?:i'm|i am|im|we're|we are) )?"
        r"(?:(?:still|just|now|currently|sitting|waiting|stuck) )*(?:at|in) "
        r"(?:the|my) (?!\w+ (?:on|tomorrow|next)\b)\w",
        re.IGNORECASE,
    )


def _day(words: str, told: Told) -> str:
    """The day that words name: by the tense of the clause, or else the nearer one."""
    if _ahead().search(told.said):
        return event_day(words, told.sentence.said_at, prefer="future")
    if _behind().search(told.said):
        return event_day(words, told.sentence.said_at, prefer="past")
    directions: tuple[Prefer, ...] = ("past", "future")
    days = [event_day(words, told.sentence.said_at, prefer=prefer) for prefer in directions]
    if any(len(day) < 10 for day in days):
        return days[0]
    said = told.sentence.said_at.date()
    return min(days, key=lambda day: abs((date.fromisoformat(day) - said).days))


_MAKERS: Final[Mapping[str, Callable[[Told], Hit | None]]] = {
    "preferences": _preference,
    "profile": _fact,
    "tasks": _task,
    "goals": _goal,
    "decisions": _decision,
    "events": _event,
}


def clean(words: str) -> str:
    """Words without quotes, punctuation and particles around them."""
    return trimmed(words.strip(" \t.,;:!?、，。；：！？\"'“”()（）*_")).strip(" \t.,;:!?、，。；：！？")


@cache
def _settled() -> re.Pattern[str]:
    return re.compile(
        "[定選选换換改挑签簽订訂买買]|就|最[后後终終]|终于|終於|[决決]|拍板|商[量议議]|合计|合計|[说說谈談讲講][好妥拢攏]|投票|[结結]果|依我|[听聽]我|不"
    )


@cache
def _mine() -> re.Pattern[str]:
    """What makes a thing to be done the user's: an order alone is one to the assistant."""
    return re.compile(
        r"\b(?:i|i'm|i've|i'll|me|my|we|we've|our|us|remind(?:er)?|to[- ]?dos?|list|due|forget|note to self|has to|"
        r"have to|needs?|mental note|memo|still|things (?:for|to)|jobs for|errands|shopping|to buy|left to|owe)\b"
        r"|[我俺咱]|提醒|待办|记得|别忘|截止|得|要|必须|之前|前要?交|叫一声|喊|清单|任务",
        re.IGNORECASE,
    )


@cache
def _short_is() -> re.Pattern[str]:
    """ "The timesheet's (in)", "the cards are written": the verb of it, cut short or not."""
    return re.compile(r"['’]s$|\s+(?:is|are|was|were|has been|have been)\b.*$")


@cache
def _striving() -> re.Pattern[str]:
    return re.compile(
        r"^(?:be )?(?:going after|going for|aiming for|working (?:on|towards?)|trying to) ", re.IGNORECASE
    )


@cache
def _reached() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:goal|target|aim|resolution)(?:'s| is| has been)? (?:now |finally )?(?:reached|met|achieved|done|hit|"
        r"in the bag|ticked off|behind me)\b|\b(?:i|we) (?:did it|made it|hit my (?:goal|target)|"
        r"reached my (?:goal|target))\b",
        re.IGNORECASE,
    )


@cache
def _only_marker() -> re.Pattern[str]:
    return re.compile(
        r"(?:请|記得|记得|别忘了?|别让我忘了?|提醒|叫|喊|我|一下|一声|到时候|我们|它|这个|那个|这|那|自己|一件事|事)+"
        r"|(?:remind me|don't forget|it|them|this|that|one|something|everything|things?|stuff|me|us|so|now)",
        re.IGNORECASE,
    )


@cache
def _somebody() -> re.Pattern[str]:
    """ "I see the doctor": a trade with "the" that is not said to be one's own."""
    return re.compile(r"(?<!'m )(?<!am )(?<!is )(?<!'s )(?<!as )(?<!was )\bthe $|\bfor (?:an? )?$", re.IGNORECASE)


@cache
def _article() -> re.Pattern[str]:
    return re.compile(r"^(?:an?|the|my|our)\s+", re.IGNORECASE)


@cache
def _eaten() -> re.Pattern[str]:
    return re.compile(r"^(?:吃|喝|看|听|玩|食|(?:eat|drink|watch|listen|read|us|play)ing (?:to )?)(?=.)", re.IGNORECASE)


@cache
def _refusal() -> re.Pattern[str]:
    return re.compile(
        r"(?:不能?再?|从不|戒|忌|别|没法)(?:吃|喝|碰|沾|食)?了?$|\b(?:no|never|not|don't|doesn't|can't|won't|avoid|off|quit|"
        r"gave up|stopped)\b[\w' ]{0,20}$",
        re.IGNORECASE,
    )


@cache
def _this_very_day() -> re.Pattern[str]:
    """ "had the baby at 4am", "the freezer died overnight"."""
    return re.compile(
        r"\b(?:overnight|at \d{1,2}(?:[:.]\d\d)? ?[ap]m|at (?:noon|midnight|dawn)|an hour ago)\b", re.IGNORECASE
    )


@cache
def _ahead() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:will|going to|is|are|'s|'re|'m|next|coming|starts?|have to|need to)\b|下|要|将|准备|打算|明|后天|得",
        re.I,
    )


@cache
def _behind() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:was|were|got|had|lost|won|broke|fell|sold|bought|last|ago|[a-z]+ed)\b|[了过]|上周|上个|昨|前天|去年",
        re.I,
    )
