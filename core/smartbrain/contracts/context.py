"""``ContextPackage``: what ``compose_context`` returns (contracts.md §7)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AwareDatetime, Field

from smartbrain.contracts.base import Contract
from smartbrain.contracts.evidence import Dropped, EvidenceRef, Provenance, Signals
from smartbrain.contracts.plan import Mode, Purpose
from smartbrain.model import FilledText, Message, Role, Text, Trust, Value

SlotName = Literal["system_blocks", "developer_blocks", "working_summary", "recent_turns", "evidence", "user_message"]
SLOTS: tuple[SlotName, ...] = (
    "system_blocks",
    "developer_blocks",
    "working_summary",
    "recent_turns",
    "evidence",
    "user_message",
)


class BlockSource(Value):
    """Which turn and memory item a block was made of."""

    turn_id: Text | None = None
    memory_item_id: Text | None = None


class SystemBlock(Value):
    """A stable piece of memory for the front of the prompt. ``text`` is plain; rendering fences it."""

    type: Literal["core_profile", "preferences", "goals", "policies", "other"]
    text: FilledText
    trust: Trust = "user"
    updated_at: AwareDatetime | None = None
    source: BlockSource = BlockSource()


class DeveloperBlock(Value):
    """A rule of the application itself, given by the caller; it is trusted."""

    type: Literal["tooling_rules", "format_rules", "safety_rules", "other"] = "other"
    text: FilledText


class RecentMessage(Value):
    """One message of the recent window, verbatim, with the turn it belongs to."""

    turn_id: Text
    occurred_at: AwareDatetime | None = None
    message: Message

    @property
    def role(self) -> Role:
        return self.message.role

    @property
    def content(self) -> str | list[dict[str, Any]] | None:
        return self.message.content


class ContextEvidence(Value):
    """One piece of evidence as it is shown. ``score`` is comparable within one package, 0..1."""

    id: FilledText
    source: Literal["memory", "resource"]
    source_uri: FilledText
    title: Text = ""
    snippet: Text
    mode: Mode
    score: float
    trust: Trust = "resource"
    occurred_at: AwareDatetime | None = None
    stale: bool = False
    signals: Signals = Signals()
    provenance: Provenance
    ref: EvidenceRef = EvidenceRef()


class TokenBudget(Value):
    """``used_estimate`` <= ``limit`` holds, counted by ``counter`` on what is rendered; ``by_slot`` adds up to it."""

    limit: int = Field(ge=1)
    used_estimate: int = Field(ge=0)
    by_slot: dict[str, int] = Field(default_factory=dict)
    counter: Text = ""


class Truncation(Value):
    snippets_max_chars: int
    recent_turns_max: int


class Constraints(Value):
    """The limits that were kept."""

    token_budget: TokenBudget
    diversity: dict[str, int] = Field(default_factory=dict)
    truncation: Truncation


class Trace(Value):
    """Three ids through every stage."""

    request_id: Text
    plan_id: Text
    context_id: Text


class PlannerNote(Value):
    """What was looked for. ``documents``: why documents were asked and by which profile; empty if they were not."""

    purpose: Purpose
    reason: Text = ""
    queries: tuple[Text, ...] = ()
    documents: Text = ""


class Selected(Value):
    """Why one piece of evidence is in: its score and the terms, entities or rules that brought it."""

    id: Text
    score: float
    source: Literal["memory", "resource"]
    mode: Mode
    reason: Text


class ContextDebug(Value):
    """How the package came about."""

    trace: Trace
    planner: PlannerNote | None = None
    why_selected: tuple[Selected, ...] = ()
    ignored: tuple[Text, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[Text, ...] = ()
    support: float | None = None


class UserMessage(Value):
    """The message to be answered. None and block contents are allowed."""

    role: Literal["user"] = "user"
    content: Text | list[dict[str, Any]] | None = None


class ContextPackage(Contract):
    """The smallest sufficient context, slot by slot, never over its token limit."""

    context_id: Text
    session_id: Text
    created_at: AwareDatetime
    as_of: AwareDatetime | None = None
    system_blocks: tuple[SystemBlock, ...] = ()
    developer_blocks: tuple[DeveloperBlock, ...] = ()
    working_summary: Text | None = None
    recent_turns: tuple[RecentMessage, ...] = ()
    evidence: tuple[ContextEvidence, ...] = ()
    user_message: UserMessage
    constraints: Constraints
    debug: ContextDebug

    def to_messages(self, placement: Literal["system", "user"] = "system") -> list[dict[str, Any]]:
        """Neutral ``{"role", "content", …}`` messages: pinned memory, recent turns, what was found, the question.

        ``placement="user"`` puts summary and evidence in front of the user message's words instead of into a system
        message of their own. The token budget is counted on the default placement.
        """
        from smartbrain.contracts.rendering import package_messages

        return package_messages(self, placement)

    def to_prompt_variables(self, messages: bool = False) -> dict[str, str | list[dict[str, Any]]]:
        """The six slots by name, for a prompt template; with ``messages`` the recent turns are a message list."""
        from smartbrain.contracts.rendering import prompt_variables

        return prompt_variables(self, messages)

    def to_text(self) -> str:
        """Everything as one text, for a completion model or a log."""
        from smartbrain.contracts.rendering import package_text

        return package_text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the slots, their tokens, why each piece is in and what was left out."""
        from smartbrain.contracts.html import package_html

        return package_html(self)
