"""The memory types: what a value holds, how its key is made, and how a new value builds on the one before.

The nine types of contracts.md §1 are here; a user adds their own with ``MemoryType`` and ``memory_types``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from pydantic import BaseModel, Field

from smartbrain.errors import ConfigError, ContractError
from smartbrain.model import TYPE_RULES, ConflictRule, Text, Value, slug
from smartbrain.text.folding import fold
from smartbrain.text.sameness import distinct, plain, same

KeyFunction = Callable[[Mapping[str, Any]], str]
BuildFunction = Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]]


def as_given(_older: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The new value stands alone."""
    return dict(given)


def over_older(older: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What is not given stays as it was."""
    return {**older, **given}


@dataclass(frozen=True, slots=True)
class MemoryType:
    """How one memory type behaves.

    ``name`` is what items carry as their type, ``prefix`` what their keys start with (no colon in either).
    ``value_model`` says which fields a value has. ``conflict`` is what happens when a key meets another value, that
    is, when one of ``conflict_fields`` differs (none named: any field). ``key`` makes the key of a value.
    ``key_fields`` are filled from the parts of a given key. ``build`` makes the full value out of the current one
    and the fields that were given.
    """

    name: str
    prefix: str
    value_model: type[BaseModel]
    conflict: ConflictRule
    conflict_fields: tuple[str, ...]
    key: KeyFunction
    key_fields: tuple[str, ...] = ()
    build: BuildFunction = as_given


class Keyed(NamedTuple):
    """A key and the value completed with what the key says."""

    key: str
    value: dict[str, Any]


class ProfileValue(Value):
    subject: Text = "user"
    facts: tuple[dict[str, Any], ...] = ()


class PreferenceValue(Value):
    scope: Text = "other"
    name: Text = ""
    value: Any
    priority: int | None = None
    confirmed: bool = False
    polarity: Literal["like", "dislike"] = "like"


class GoalValue(Value):
    project: Text = "default"
    name: Text = ""
    description: Text
    status: Text = "active"


class TaskValue(Value):
    project: Text = "default"
    task_id: Text = ""
    title: Text = ""
    status: Text = "todo"
    due: Text | None = None
    notes: Text | None = None


class DecisionValue(Value):
    project: Text = "default"
    topic: Text = ""
    decision: Text
    rationale: Text | None = None
    made_at: Text | None = None


class EntityValue(Value):
    """``history`` holds attribute values that were replaced: ``{k, v}``, oldest first, at most ``HISTORY_LIMIT``."""

    kind: Text = "other"
    canonical: Text = ""
    name: Text
    aliases: tuple[Text, ...] = ()
    attrs: dict[str, Any] = Field(default_factory=dict)
    history: tuple[dict[str, Any], ...] = ()


class EventValue(Value):
    scope: Text = "default"
    date: Text
    title: Text
    impact: Text | None = None


class CaseValue(Value):
    domain: Text = "default"
    id: Text = ""
    problem: Text
    solution: Text = ""
    outcome: Text = ""
    artifacts: tuple[Text, ...] = ()


class PatternValue(Value):
    domain: Text = "default"
    name: Text = ""
    rule: Text
    confidence: float | None = None


HISTORY_LIMIT = 20
SEVERAL_FACTS: Final = frozenset(
    [
        "allergy",
        "child",
        "siblings",
        "pet",
        "health",
        "medication",
        "diet",
        "languages",
        "hobby",
        "vehicle",
        "likes",
        "dislikes",
        "note",
    ]
)
"""The ``k`` of facts that may hold several values at once; see docs/memory-keys.md §2."""


def build_task(older: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A status flow: only what is given changes, and a task that is new is to be done."""
    return {"status": "todo", **older, **given}


def build_profile(older: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The newest fact for each ``k``, of ``SEVERAL_FACTS`` every value; facts keep the place of their first saying.

    A fact without a value ends what is held under its ``k``; of several values ``was`` says which (``_ends``).
    """
    facts: list[dict[str, Any]] = [dict(fact) for fact in older.get("facts", ())]
    for fact in given.get("facts", ()):
        name = slug(str(fact["k"]))
        held = [at for at, known in enumerate(facts) if slug(str(known["k"])) == name]
        if name in SEVERAL_FACTS:
            facts = _one_of_several(facts, held, dict(fact))
        elif not held:
            facts.append(dict(fact))
        else:
            facts[held[-1]] = _renewed(facts[held[-1]], fact)
    return {**older, **given, "facts": facts}


def _renewed(known: dict[str, Any], fact: Mapping[str, Any]) -> dict[str, Any]:
    if not same(known.get("v"), fact.get("v")):
        return dict(fact)
    return {**known, "since": fact["since"]} if "since" in fact and "since" not in known else known


def _one_of_several(facts: list[dict[str, Any]], held: Sequence[int], fact: dict[str, Any]) -> list[dict[str, Any]]:
    said = fact.get("v")
    if said is not None:
        known = next((at for at in held if same(facts[at].get("v"), said)), None)
        if known is not None:
            return [_renewed(each, fact) if at == known else each for at, each in enumerate(facts)]
        # What had ended and is so again is no longer ended.
        again = [at for at in held if facts[at].get("v") is None and facts[at].get("was") in (None, said)]
        return [*(each for at, each in enumerate(facts) if at not in again), fact]
    ended = _ends(facts, held, fact)
    if not held:
        return [*facts, fact]
    return [{**fact, "was": each["v"]} if at in ended else each for at, each in enumerate(facts)]


def _ends(facts: Sequence[Mapping[str, Any]], held: Sequence[int], fact: Mapping[str, Any]) -> list[int]:
    """Which of several values a fact without a value ends.

    Without ``was`` all of them; else those that its words name, or the only one there is. Words that name none of
    several end none: to lose a true fact is worse than to keep a stale one.
    """
    running = [at for at in held if facts[at].get("v") is not None]
    if "was" not in fact:
        return running
    was = fold(plain(fact["was"]))
    named = [at for at in running if fold(plain(facts[at]["v"])) in was or was in fold(plain(facts[at]["v"]))]
    return named or (running if len(running) == 1 else [])


def build_entity(older: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Names add up, attributes are replaced one by one, and what was replaced stays in ``history``."""
    if not older:
        return dict(given)
    names = distinct([*older.get("aliases", ()), given.get("name", ""), *given.get("aliases", ())])
    taken = {fold(str(older.get(field, ""))) for field in ("name", "canonical")}
    attrs = dict(older.get("attrs") or {})
    history = list(older.get("history", ()))
    for name, value in (given.get("attrs") or {}).items():
        if name in attrs and not same(attrs[name], value):
            history.append({"k": name, "v": attrs[name]})
        if name not in attrs or not same(attrs[name], value):
            attrs[name] = value
    built = {**given, **older, "aliases": [name for name in names if fold(name) not in taken], "attrs": attrs}
    return {**built, "history": history[-HISTORY_LIMIT:]} if history else built


def key_from(prefix: str, fields: Sequence[str]) -> KeyFunction:
    """A key function: the prefix and the named fields' slugs, joined by colons."""
    return lambda value: ":".join([prefix, *(slug(plain(value.get(field) or "")) for field in fields)])


_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _event_key(value: Mapping[str, Any]) -> str:
    day = str(value.get("date") or "undated")
    iso = _ISO_DAY.match(day)
    scope, title = slug(str(value.get("scope") or "default")), slug(str(value["title"]))
    return f"event:{scope}:{iso[0] if iso else slug(day)}:{title}"


_DECIDED = re.compile(
    r"^(?:(?:我们|咱们|团队|大家|我)?(?:已经|最终|最后|一致|还是)?(?:决定|确定|敲定|商定|说好)了?[，,：:\s]*(?:就|要)?"
    r"|(?:(?:we|i|the team)(?:'ve| have|'ll| will)?\s+)?(?:finally\s+)?(?:decided|agreed)\s+(?:to\s+|on\s+|that\s+)?"
    r"(?:(?:we|i)(?:'ll| will| should)?\s+)?)",
    re.IGNORECASE,
)
_TOPICS = (
    re.compile(r"^(?:采用|使用|改用|选用|选择|用).{1,40}?(?:作为|做为|来做|做)(?P<topic>[^，。；,;\s]{2,16})"),
    re.compile(
        r"^(?!以后|今后|之后|目前|现在|暂时|接下来)(?P<topic>[^，。；：,;:]{2,12}?)(?<![不别没])\s*(?:统一|改|就|先|都)?(?:采用|使用|选用|选定|选择|用|定为|定在|改成|改为)(?!户)"
    ),
    re.compile(
        r"^(?:we\s+|i\s+)?(?:will\s+|'ll\s+)?(?:use|using|choose|pick|adopt|go(?:ing)? with|switch to|move to)\b"
        r".{1,60}?\s(?:for|as)\s+(?:the\s+|our\s+|an?\s+)?(?P<topic>\w[\w /-]{1,40}?)"
        r"(?=[.,;!]|$|\s(?:because|since|instead|rather|so|and|but|from)\b)",
        re.IGNORECASE,
    ),
)


def decision_topic(decision: str) -> str:
    """What a decision is about, so that its opposite meets it under one key; a slug of it all when that is not plain.

    >>> decision_topic("We decided to use PostgreSQL for the event store.")
    'event store'
    >>> decision_topic("数据库改用 PostgreSQL")
    '数据库'
    """
    text = _DECIDED.sub("", decision.strip()[:200], count=1)
    for pattern in _TOPICS:
        found = pattern.search(text)
        if found:
            return found["topic"].strip()
    return slug(text or decision)


# The field that names an entry, and the field whose words do when it was left out.
_NAMED_BY = {
    "preferences": ("name", "value"),
    "goals": ("name", "description"),
    "tasks": ("task_id", "title"),
    "cases": ("id", "problem"),
    "patterns": ("name", "rule"),
}


def _named(kind: MemoryType, value: Mapping[str, Any]) -> dict[str, Any]:
    named = dict(value)
    if kind.name in _NAMED_BY:
        field, words = _NAMED_BY[kind.name]
        named[field] = named.get(field) or slug(plain(named.get(words) or ""))
    elif kind.name == "entities":
        named["canonical"] = named.get("canonical") or named["name"]
    elif kind.name == "decisions":
        named["topic"] = named.get("topic") or decision_topic(named["decision"])
    for field in kind.key_fields:
        named[field] = named.get(field) or _default(kind, field)
    return named


def _default(kind: MemoryType, field: str) -> Any:
    known = kind.value_model.model_fields.get(field)
    return None if known is None or known.is_required() else known.default


_MODELS: dict[str, type[BaseModel]] = {
    "profile": ProfileValue,
    "preferences": PreferenceValue,
    "goals": GoalValue,
    "tasks": TaskValue,
    "decisions": DecisionValue,
    "entities": EntityValue,
    "events": EventValue,
    "cases": CaseValue,
    "patterns": PatternValue,
}
_BUILDS = {"tasks": build_task, "profile": build_profile, "entities": build_entity}

BUILTIN_TYPES: Mapping[str, MemoryType] = {
    rule.name: MemoryType(
        rule.name,
        rule.prefix,
        _MODELS[rule.name],
        rule.conflict,
        rule.conflict_fields,
        _event_key if rule.name == "events" else key_from(rule.prefix, rule.key_fields),
        rule.key_fields,
        _BUILDS.get(rule.name, as_given),
    )
    for rule in TYPE_RULES.values()
}
"""The nine types of contracts.md §1, by name."""


def memory_types(custom: Sequence[MemoryType] = ()) -> Mapping[str, MemoryType]:
    """The built-in types and the user's own, by name.

    Raises ConfigError when a name or prefix is empty, holds a colon or white space, or is taken.
    """
    types = dict(BUILTIN_TYPES)
    for added in custom:
        for what, text in (("name", added.name), ("prefix", added.prefix)):
            if not text or ":" in text or any(ch.isspace() for ch in text):
                raise ConfigError(f"memory type {added.name!r}: its {what} must be one word without a colon")
        if added.name in types or any(added.prefix == known.prefix for known in types.values()):
            raise ConfigError(f"memory type {added.name!r}: the name or the prefix {added.prefix!r} is taken")
        types[added.name] = added
    return types


def check_key(kind: MemoryType, key: str, entry: str = "") -> None:
    """Raises ContractError, naming ``entry`` and the field "key", unless the key is one of this type."""
    named, colon, rest = key.partition(":")
    if named != kind.prefix or not colon or not rest.strip():
        problem = f'must be "{kind.prefix}:" and a name for {kind.name}, got {key!r}'
    elif not key.isprintable():
        problem = f"must be one line of printable text, got {key!r}"
    else:
        return
    raise ContractError(f"{entry}.key: {problem}" if entry else f"key: {problem}", entry=entry, field="key")


def keyed(kind: MemoryType, value: Mapping[str, Any], key: str | None = None, entry: str = "") -> Keyed:
    """The key of a value, and the value with the fields that make its key filled in.

    A given ``key`` is kept as it is and fills the fields that were left at their default; without one it is made
    from the value. Raises ContractError, naming ``entry`` and the field "key", for a key of another type.
    """
    if key is None:
        full = _named(kind, value)
        key = kind.key(full)
        check_key(kind, key, entry)
        return Keyed(key, full)
    check_key(kind, key, entry)
    full = dict(value)
    if kind.key_fields:
        parts = key[len(kind.prefix) + 1 :].split(":", len(kind.key_fields) - 1)
        for field, part in zip(kind.key_fields[-len(parts) :], parts, strict=True):
            if full.get(field) in (None, "", _default(kind, field)):
                full[field] = part
    return Keyed(key, _named(kind, full))
