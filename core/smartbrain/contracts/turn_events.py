"""``TurnEvents``: what ``commit_turn`` is given (contracts.md §2)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AliasChoices, Field, model_validator

from smartbrain.contracts.base import Contract
from smartbrain.contracts.scopes import ScopeRef
from smartbrain.model import FilledText, Message, Ref, Text, ToolCall, Value

TaskStatus = Literal["todo", "doing", "done", "blocked"]


class Entry(Value):
    """What every structured entry may carry.

    ``key`` is the memory key; left out, it is made from the fields named in contracts.md §1. ``scope_ref``
    names another scope of the call's ``write`` list. ``confidence`` is 0..1; ``message_id`` says which message
    it was said in.
    """

    key: Text | None = None
    scope_ref: ScopeRef | None = None
    confidence: float | None = Field(default=None, ge=0.0, le=1.0)
    message_id: Text | None = None
    evidence_refs: tuple[Text, ...] = ()


class DecisionEntry(Entry):
    """A choice that was made."""

    decision: FilledText
    project: Text = "default"
    topic: Text | None = None
    rationale: Text | None = None
    made_at: Text | None = None


class TaskEntry(Entry):
    """Something to do, and how far it is. Only what is given changes: a status alone keeps the title."""

    project: Text = "default"
    task_id: Text | None = None
    title: Text | None = None
    status: TaskStatus | None = None
    due: Text | None = None
    notes: Text | None = None

    @model_validator(mode="after")
    def _has_an_identity(self) -> TaskEntry:
        if self.key is None and self.task_id is None and self.title is None:
            raise ValueError("a task needs a key, a task_id or a title")
        return self


class GoalEntry(Entry):
    """Something the user wants to reach over a longer time."""

    description: FilledText = Field(validation_alias=AliasChoices("description", "goal"))
    project: Text = "default"
    name: Text | None = None
    status: Text = "active"


class PreferenceEntry(Entry):
    """How the user wants things done; kept only when ``confirmed``.

    ``polarity`` says whether ``value`` is wanted or refused; left out, it is wanted.
    """

    value: Any
    polarity: Literal["like", "dislike"] | None = None
    scope: Literal["writing", "coding", "tools", "ui", "other"] = "other"
    name: Text | None = None
    priority: int | None = None
    confirmed: bool = False


class EntityEntry(Entry):
    """Somebody or something with a name. ``remember`` opens the entity gate at once."""

    name: FilledText
    kind: Text = "other"
    canonical: Text | None = None
    aliases: tuple[Text, ...] = ()
    attrs: dict[str, Any] = Field(default_factory=dict)
    remember: bool = False


class EventEntry(Entry):
    """Something that happened and matters later: milestone, failure, release, meeting, trip."""

    title: FilledText
    scope: Text = "default"
    date: Text | None = None
    impact: Text | None = None


class Fact(Value):
    """One fact about a subject: ``k`` names it (``employer``), ``v`` is its value, ``since`` an ISO date."""

    k: FilledText
    v: Any
    since: Text | None = None


class ProfileEntry(Entry):
    """Facts about the user or another named subject."""

    subject: Text = "user"
    facts: tuple[Fact, ...] = Field(min_length=1)


class CaseEntry(Entry):
    """A problem that was solved, and how."""

    domain: Text = "default"
    id: Text | None = None
    problem: FilledText
    solution: Text = ""
    outcome: Text = ""
    artifacts: tuple[Text, ...] = ()


class PatternEntry(Entry):
    """A rule that holds again and again."""

    domain: Text = "default"
    name: Text | None = None
    rule: FilledText


class RetractionEntry(Value):
    """Takes back every active version of ``type`` + ``key``."""

    type: Text
    key: Text
    reason: Text | None = None
    scope_ref: ScopeRef | None = None
    message_id: Text | None = None


class TurnEvents(Contract):
    """Everything one turn brings: what was said and done, and what the caller already knows is worth keeping.

    ``custom`` holds entries of memory types the user registered, by type name; each entry must hold what that
    type's value model asks for.
    """

    messages: tuple[Message, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    refs: tuple[Ref, ...] = ()
    decisions: tuple[DecisionEntry, ...] = ()
    tasks: tuple[TaskEntry, ...] = ()
    goals: tuple[GoalEntry, ...] = ()
    preferences: tuple[PreferenceEntry, ...] = ()
    entities: tuple[EntityEntry, ...] = ()
    events: tuple[EventEntry, ...] = ()
    profile: tuple[ProfileEntry, ...] = ()
    cases: tuple[CaseEntry, ...] = ()
    patterns: tuple[PatternEntry, ...] = ()
    retractions: tuple[RetractionEntry, ...] = ()
    custom: dict[str, tuple[dict[str, Any], ...]] = Field(default_factory=dict)
    meta: dict[str, Any] = Field(default_factory=dict)
