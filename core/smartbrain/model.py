"""The values SmartBrain works with. Frozen; change one with ``model_copy(update=…)``."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, core_schema

from smartbrain.text.clean import dumps

IdFactory = Callable[[], str]
ItemStatus = Literal["active", "superseded", "retracted", "expired"]
ConflictRule = Literal["overwrite", "versioned", "merge"]
Trust = Literal["user", "assistant", "tool", "resource", "system"]
TurnStatus = Literal["open", "committed", "aborted", "pending"]
Action = Literal[
    "written", "skipped", "superseded", "retracted", "merged", "replayed", "masked", "restored", "unseen", "expired"
]
Role = Literal["system", "developer", "user", "assistant", "tool", "function"]
ToolStatus = Literal["ok", "error", "pending", "cancelled"]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be text, not {type(value).__name__}")
    return value


def _filled(value: object) -> str:
    if not _text(value).strip():
        raise ValueError("must not be empty")
    return _text(value)


class _Checked:
    """Text that a function of ours checks. Written as it is: what ``PlainValidator`` writes with goes through a
    function of Python's for each field, which was most of what it took to write a context."""

    def __init__(self, check: Callable[[object], str]) -> None:
        self._check = check

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self._check)


Text = Annotated[str, _Checked(_text), WithJsonSchema({"type": "string"})]
"""Any text, NUL and lone surrogates included (pydantic's own ``str`` refuses the latter)."""

FilledText = Annotated[str, _Checked(_filled), WithJsonSchema({"type": "string", "minLength": 1})]
"""Text that holds more than white space."""


class Value(BaseModel):
    """Base of all values: frozen, unknown fields dropped on reading, none written."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        serialize_by_alias=True,
        defer_build=True,
        ser_json_inf_nan="constants",
    )

    def to_json(self) -> str:
        """Compact JSON that reads back equal, also where text holds lone surrogates."""
        with suppress(ValueError, RecursionError):  # what only ``dumps`` can carry, and what nothing can
            return self.model_dump_json()
        return dumps(self.model_dump(mode="json"))


class Scope(NamedTuple):
    """Where something belongs: a tenant (``domain``), a kind, an id. Compared whole and case-exact."""

    domain: str
    type: str
    id: str

    def __str__(self) -> str:
        return f"{self.domain}/{self.type}:{self.id}"


class Access(NamedTuple):
    """What one call may see and where it may write. ``write`` is a subset of ``read``."""

    read: tuple[Scope, ...]
    write: tuple[Scope, ...]
    default_write: Scope

    @property
    def domain(self) -> str:
        return self.default_write.domain


class ToolCall(Value):
    """One call of a tool and, once it is known, its result. ``args`` and ``result`` are JSON values."""

    id: Text
    name: Text
    args: Any = Field(default_factory=dict)
    result: Any = None
    status: ToolStatus = "ok"
    started_at: AwareDatetime | None = None
    ended_at: AwareDatetime | None = None


class Message(Value):
    """One message as it was said. ``content`` is None, text, or a list of blocks (mappings with a ``type``).

    ``blocks`` holds what the text alone cannot say when ``content`` is text (thinking, citations, media).
    ``meta`` is the caller's own and comes back verbatim.
    """

    id: Text = ""
    role: Role
    content: Text | list[dict[str, Any]] | None = None
    name: Text | None = None
    created_at: AwareDatetime | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: Text | None = None
    blocks: tuple[dict[str, Any], ...] = ()
    meta: dict[str, Any] = Field(default_factory=dict)

    @property
    def text(self) -> str:
        """The words a reader would see: text content, or the text blocks and media captions of a list."""
        return message_text(self.content) or message_text(list(self.blocks))


class Ref(Value):
    """A file, a URL or an artifact that a turn pointed at."""

    type: Literal["file", "url", "artifact"]
    uri: Text
    title: Text | None = None
    summary: Text | None = None
    meta: dict[str, Any] = Field(default_factory=dict)


class RefOutcome(Value):
    """What became of a ref of a committed turn. ``uri`` is as the turn wrote it.

    ``taken``: the resource client has it now, ``known``: it had it before, both perhaps with its ``document_id``.
    ``offered``: the client was told and said nothing. ``withheld``: policy kept it back. ``failed``: the client did not
    answer, or refused it.
    """

    uri: Text
    outcome: Literal["taken", "known", "offered", "withheld", "failed"]
    document_id: Text | None = None
    reason: Text = ""


class Turn(Value):
    """One turn: what the user said and all that came of it, kept whole and for ever.

    ``seq`` counts the turns of a session from 1 in the order they were opened. ``revision`` counts from 1;
    a turn committed again with other content becomes the next revision and the older one keeps
    ``superseded_at``. ``occurred_at`` is when it was said, ``recorded_at`` when the store learnt of it.
    ``structured`` holds the structured entries and operations that came with it, so that memory can be rebuilt.
    ``undone_at``: since when what this revision did to memory is taken back; what was said stays.
    """

    session_id: str
    turn_id: str
    scope: Scope
    seq: int = Field(ge=1)
    revision: int = Field(default=1, ge=1)
    status: TurnStatus = "committed"
    messages: tuple[Message, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    refs: tuple[Ref, ...] = ()
    occurred_at: AwareDatetime
    recorded_at: AwareDatetime
    superseded_at: AwareDatetime | None = None
    undone_at: AwareDatetime | None = None
    content_hash: str = ""
    structured: dict[str, Any] = Field(default_factory=dict)
    meta: dict[str, Any] = Field(default_factory=dict)


class Source(Value):
    """Where a memory item was said: a turn, a message, and the character span ``[start, end)`` in its text.

    ``undone_at``: since when it does not count any more, because what its turn did to memory was undone.
    """

    turn_id: str
    session_id: str
    message_id: str | None = None
    span: tuple[int, int] | None = None
    quote: str | None = None
    trust: Trust = "user"
    occurred_at: AwareDatetime
    undone_at: AwareDatetime | None = None


class MemoryItem(Value):
    """One typed thing worth keeping. The item is the truth; its text, terms and vector can be rebuilt.

    ``text`` begins with ``[type:key]``, then prose in the user's own language. ``confidence`` is 0..1.
    ``valid_from``/``valid_to`` bound when it was current: ``valid_to`` is set when it is superseded or
    retracted. ``expired`` is never stored: an item is shown so when it is past its time (``retention.ttl``).
    ``seen`` counts how often it was said, ``sources`` where (the first is where it came from); a source
    that was undone no longer counts.
    """

    id: str
    type: str
    key: str
    value: dict[str, Any]
    text: str
    confidence: float = Field(ge=0.0, le=1.0)
    status: ItemStatus = "active"
    scope: Scope
    language: str = ""
    trust: Trust = "user"
    rule: str = ""
    source_turn_id: str
    source_session_id: str
    source_message_id: str | None = None
    source_span: tuple[int, int] | None = None
    evidence_refs: tuple[str, ...] = ()
    occurred_at: AwareDatetime
    recorded_at: AwareDatetime
    valid_from: AwareDatetime
    valid_to: AwareDatetime | None = None
    closed_at: AwareDatetime | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    reason: str | None = None
    seen: int = Field(default=1, ge=1)
    last_seen_at: AwareDatetime
    sources: tuple[Source, ...] = ()

    @property
    def counting(self) -> tuple[Source, ...]:
        """Where it was said, without what was undone since."""
        return tuple(source for source in self.sources if source.undone_at is None)

    def status_at(self, as_of: datetime | None) -> ItemStatus | None:
        """The status at a moment, None if it had not been said yet; without a moment the status now."""
        if as_of is None:
            return self.status
        if self.valid_from > as_of:
            return None
        return "active" if self.valid_to is None or self.valid_to > as_of else self.status


class Candidate(Value):
    """Something that might be kept: what an extractor proposes and retention decides on.

    ``confirmed`` means that the user said it plainly or ticked it. ``explicit`` that it came as a structured
    entry. ``hints`` are signals for the gate: ``remember``, ``pointed_at``, ``structural``, ``supposition``.
    ``because`` says on what it rests where the name of its rule does not.
    """

    type: str
    key: str
    value: dict[str, Any]
    confidence: float = Field(ge=0.0, le=1.0)
    rule: str
    trust: Trust = "user"
    explicit: bool = False
    confirmed: bool = False
    hints: tuple[str, ...] = ()
    because: str = ""
    language: str = ""
    message_id: str | None = None
    span: tuple[int, int] | None = None
    quote: str | None = None
    evidence_refs: tuple[str, ...] = ()
    scope: Scope
    occurred_at: AwareDatetime


class Retraction(Value):
    """The user takes something back: every active version of ``type`` + ``key`` is to be retracted."""

    type: str
    key: str
    reason: str | None = None
    scope: Scope
    message_id: str | None = None
    span: tuple[int, int] | None = None
    rule: str = "structured"


class Verdict(Value):
    """What became of one candidate and why. ``item_id`` is the item written, met or changed.

    ``rule`` decided; ``found_by`` is the rule, the model or the entry that proposed it, "" where ``rule`` is that, too.
    """

    subject: str
    action: Action
    rule: str
    reason: str
    type: str
    key: str
    confidence: float = Field(ge=0.0, le=1.0)
    trust: Trust = "user"
    message_id: str | None = None
    span: tuple[int, int] | None = None
    quote: str | None = None
    item_id: str | None = None
    found_by: str = ""


class ConflictNote(Value):
    """Two values met under one key: which, in what field, and how it was settled."""

    type: str
    key: str
    old_id: str
    new_id: str
    fields: tuple[str, ...]
    resolution: Literal["superseded", "versioned", "merged", "retracted"]
    rule: str


class ItemClosure(Value):
    """An item leaves the current view: superseded or retracted, when, why and by what."""

    item_id: str
    status: Literal["superseded", "retracted"]
    valid_to: AwareDatetime
    reason: str
    superseded_by: str | None = None


class ItemSighting(Value):
    """An item was said again: one more source; for entities the merged value and text."""

    item_id: str
    source: Source
    confidence: float = Field(ge=0.0, le=1.0)
    value: dict[str, Any] | None = None
    text: str | None = None


class ItemAmendment(Value):
    """What an undo does to an item, from the moment ``at``: how it stood before is kept for those who ask as of then.

    ``reopen``: it is in force again. ``without``: what that turn (session_id, turn_id) said of it no longer counts.
    ``value`` and ``text`` are what it says now, None for what it said before.
    """

    item_id: str
    at: AwareDatetime
    reason: str
    reopen: bool = False
    without: tuple[str, str] | None = None
    value: dict[str, Any] | None = None
    text: str | None = None


class Changes(Value):
    """What a commit does to memory: pure data, applied by a store in one transaction."""

    inserts: tuple[MemoryItem, ...] = ()
    closures: tuple[ItemClosure, ...] = ()
    sightings: tuple[ItemSighting, ...] = ()
    amendments: tuple[ItemAmendment, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    conflicts: tuple[ConflictNote, ...] = ()


class Mention(Value):
    """An entity was named in a message: ``key`` is the entity's key, ``surface`` the words as they stand."""

    key: str
    surface: str
    message_id: str | None = None


class Summary(Value):
    """A rolling summary of one session in one scope, with what it rests on."""

    session_id: str
    scope: Scope
    version: int = Field(ge=1)
    text: str
    turn_from: int
    turn_to: int
    generated_at: AwareDatetime
    trigger: str
    item_ids: tuple[str, ...] = ()
    turn_ids: tuple[str, ...] = ()


class TypeRule(NamedTuple):
    """How one memory type behaves: its key's prefix, its conflict rule, the fields whose change is a conflict."""

    name: str
    prefix: str
    conflict: ConflictRule
    key_fields: tuple[str, ...]
    conflict_fields: tuple[str, ...]


TYPE_RULES: Mapping[str, TypeRule] = {
    rule.name: rule
    for rule in (
        TypeRule("profile", "profile", "versioned", ("subject",), ("facts",)),
        TypeRule("preferences", "pref", "overwrite", ("scope", "name"), ("value", "polarity")),
        TypeRule("goals", "goal", "overwrite", ("project", "name"), ("description", "status")),
        TypeRule("tasks", "task", "overwrite", ("project", "task_id"), ("title", "status", "due")),
        TypeRule("decisions", "decision", "versioned", ("project", "topic"), ("decision",)),
        TypeRule("entities", "entity", "merge", ("kind", "canonical"), ("aliases", "attrs")),
        TypeRule("events", "event", "versioned", ("scope", "date", "title"), ("title", "impact")),
        TypeRule("cases", "case", "versioned", ("domain", "id"), ("solution", "outcome")),
        TypeRule("patterns", "pattern", "versioned", ("domain", "name"), ("rule",)),
    )
}
"""The nine types of contracts.md §1, by name."""


def message_text(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    """The readable words of a message's content: text as it is, text blocks and media captions joined by newlines."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = [block_text(block) for block in content]
    return "\n".join(part for part in parts if part)


def block_text(block: Mapping[str, Any]) -> str:
    """The words of one block; thinking is left out because it is not said to anybody."""
    kind = block.get("type") or block.get("block_type") or "text"
    if kind in {"thinking", "reasoning", "redacted_thinking"}:
        return ""
    for field in ("text", "caption", "alt", "title"):
        value = block.get(field)
        if isinstance(value, str) and value:
            return value
    return ""


def media_kinds(message: Message) -> tuple[str, ...]:
    """The kinds of media a message carries (``image``, ``audio`` …), in order, with repeats."""
    blocks: Sequence[Mapping[str, Any]] = message.content if isinstance(message.content, list) else message.blocks
    if not blocks:
        return ()
    kinds = (str(block.get("type") or block.get("block_type") or "text") for block in blocks)
    return tuple(kind.removesuffix("_url") for kind in kinds if kind not in _WORDY)


_WORDY = frozenset(
    {"text", "thinking", "reasoning", "redacted_thinking", "tool_use", "tool_call", "tool_result", "citation"}
)


def content_hash(
    messages: Sequence[Message],
    tool_calls: Sequence[ToolCall],
    refs: Sequence[Ref],
    structured: Mapping[str, Any],
) -> str:
    """A digest of what a turn brought; times, ids of messages and the caller's meta do not count."""
    said = {
        "structured": structured,
        "messages": [
            m.model_dump(mode="json", exclude={"id": True, "created_at": True, "meta": True}) for m in messages
        ],
        "tool_calls": [c.model_dump(mode="json", exclude={"started_at", "ended_at"}) for c in tool_calls],
        "refs": [r.model_dump(mode="json") for r in refs],
    }
    packed = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(packed.encode("utf-8", "surrogatepass")).hexdigest()


def slug(text: str, limit: int = 48) -> str:
    """A readable, stable part of a key: folded, words joined by ``_``, letters of every script kept."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(ch if ch.isalnum() else " " for ch in folded)
    joined = "_".join(kept.split())
    if len(joined) <= limit:
        return joined or "_"
    tail = hashlib.sha256(joined.encode()).hexdigest()[:6]
    return f"{joined[: limit - 7].rstrip('_')}_{tail}"


def utc(moment: datetime) -> datetime:
    """The same moment in UTC, for comparing and storing."""
    from datetime import UTC

    return moment.astimezone(UTC)
