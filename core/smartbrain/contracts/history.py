"""How memory changed between two moments, and what an undo did."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AwareDatetime, Field

from smartbrain.contracts.base import Contract
from smartbrain.model import MemoryItem, Scope, Text, Value, Verdict

ChangeKind = Literal["gained", "lost", "changed", "said_again"]


class MemoryChange(Value):
    """What became of one key of one scope between two moments.

    ``before`` and ``after`` are the items that counted then (None: none did). ``fields`` are those of the value that
    differ, old and new, None where there is none. ``reason`` says in one line why; ``verdicts`` are the decisions
    behind it.
    """

    kind: ChangeKind
    type: Text
    key: Text
    scope: Scope
    before: MemoryItem | None = None
    after: MemoryItem | None = None
    fields: dict[str, tuple[Any, Any]] = Field(default_factory=dict)
    reason: Text = ""
    verdicts: tuple[Verdict, ...] = ()


class MemoryChanges(Contract):
    """What memory gained, lost and changed after ``since`` up to ``until``, by scope, type and key."""

    since: AwareDatetime
    until: AwareDatetime
    scopes: tuple[Scope, ...] = ()
    changes: tuple[MemoryChange, ...] = ()

    def of(self, kind: ChangeKind) -> tuple[MemoryChange, ...]:
        """The changes of one kind."""
        return tuple(change for change in self.changes if change.kind == kind)


class UndoResult(Contract):
    """What undoing a turn's commit did to memory; the turn itself stays as it was said, marked with ``undone_at``.

    ``undone_by`` is the turn that stands in the log for the undo. ``retracted`` are items taken back, ``restored``
    those in force again, ``written`` new versions without what the turn brought, ``unseen`` items that stay because
    others said them, too. ``left`` says of each other item why it was left alone; ``verdicts`` are all decisions.
    """

    session_id: Text
    turn_id: Text
    undone_at: AwareDatetime
    undone_by: Text
    retracted: tuple[MemoryItem, ...] = ()
    restored: tuple[MemoryItem, ...] = ()
    written: tuple[MemoryItem, ...] = ()
    unseen: tuple[MemoryItem, ...] = ()
    left: dict[str, Text] = Field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = ()
