"""What the write path, deletion and diagnostics answer."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AwareDatetime, Field

from smartbrain.contracts.base import Contract
from smartbrain.model import ConflictNote, MemoryItem, Ref, RefOutcome, Text, Value, Verdict


class MemoryWritten(Value):
    """The items this commit wrote, and the values that met under one key."""

    count: int = 0
    items: tuple[MemoryItem, ...] = ()
    conflicts: tuple[ConflictNote, ...] = ()


class SummaryNote(Value):
    """Whether the summary was made anew, and why."""

    triggered: bool = False
    trigger_reason: Text = ""
    version: int | None = None
    turn_range: tuple[int, int] | None = None
    text: Text | None = None
    warning: Text | None = None


class CommitExplain(Value):
    """Every verdict as data; of the turn's refs, what became of them where documents are plugged in."""

    retention: tuple[Verdict, ...] = ()
    conflicts: tuple[ConflictNote, ...] = ()
    summary: SummaryNote = SummaryNote()
    refs: tuple[RefOutcome, ...] = ()


class CommitResult(Contract):
    """What ``commit_turn`` did. ``status``: a new turn, the same again (nothing changed), or a new revision.

    ``pending`` says that a plugged-in model has not seen the turn yet; ``catch_up()`` finishes it.
    """

    ok: bool = True
    commit_id: Text
    session_id: Text
    turn_id: Text
    revision: int = 1
    status: Literal["committed", "replayed", "revised"]
    pending: bool = False
    memory_written: MemoryWritten = MemoryWritten()
    summary: SummaryNote = SummaryNote()
    explain: CommitExplain = CommitExplain()
    ignored_fields: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()
    recorded_at: AwareDatetime


class RefInfo(Value):
    """A ref, the turn it came with, and its document if the resource client holds one."""

    ref: Ref
    session_id: Text
    turn_id: Text
    occurred_at: AwareDatetime
    document_id: Text | None = None


class ForgetReceipt(Contract):
    """What was deleted, by table; ``dry_run`` means that nothing was.

    ``counts`` holds every table, those that lost no row with 0. ``kept`` are the ids of memory items that had to do
    with what was forgotten and stay, and why. ``expired`` says of each item and turn that was pruned, by id, which time
    it was past. ``warnings`` say what could not be done at once.
    """

    dry_run: bool = False
    counts: dict[str, int] = Field(default_factory=dict)
    item_ids: tuple[Text, ...] = ()
    turn_ids: tuple[Text, ...] = ()
    kept: dict[str, Text] = Field(default_factory=dict)
    expired: dict[str, Text] = Field(default_factory=dict)
    warnings: tuple[Text, ...] = ()


class ForgetCheck(Contract):
    """Whether a text is gone, and if not, in how many rows of which table (or which cache) it still stands.

    True in a boolean context when it is gone.
    """

    forgotten: bool
    found: dict[str, int] = Field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.forgotten


class Explanation(Contract):
    """Why a memory item is there: the item, the words it rests on, the verdicts on it, what came before and after."""

    item: MemoryItem
    quotes: tuple[Text, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    supersedes: tuple[MemoryItem, ...] = ()
    superseded_by: MemoryItem | None = None


class ContextDiff(Contract):
    """What differs between two packages, slot by slot, and which settings made the difference."""

    before_id: Text
    after_id: Text
    same: bool
    config: dict[str, tuple[Any, Any]] = Field(default_factory=dict)
    plan: dict[str, tuple[Any, Any]] = Field(default_factory=dict)
    slots: dict[str, dict[str, Any]] = Field(default_factory=dict)
