"""Composing: the slots filled by priority, never over the token limit (contracts.md §7). Pure.

The user message and the application's own rules come first of all. Then, in this order: system blocks, the best
evidence and one piece that covers what the question is about, the summary, the newest turns, the rest of the evidence.
Pieces are counted one by one while the slots are filled. The package is then rendered and counted whole; should the
whole be more than its pieces, it is filled again with less room.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from smartbrain.config import CompositionPolicy
from smartbrain.contracts.context import (
    Constraints,
    ContextDebug,
    ContextPackage,
    DeveloperBlock,
    PlannerNote,
    SystemBlock,
    TokenBudget,
    Trace,
    Truncation,
    UserMessage,
)
from smartbrain.contracts.evidence import Dropped, Evidence
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import Turn
from smartbrain.policies.evidence_slot import selected
from smartbrain.policies.filling import Draft, Filler
from smartbrain.policies.metering import Meter
from smartbrain.ports import TokenCounter


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What a context is made of.

    ``turns`` are the newest turns or more, oldest first. ``evidence`` is fused, best first, its score (0..1) in
    ``signals.score``. ``main_terms`` are the surface forms of what the question is about. ``dropped``, ``warnings``
    and ``ignored`` come from the stages before and are passed on.
    """

    session_id: str
    context_id: str
    request_id: str
    created_at: datetime
    as_of: datetime | None
    plan: RetrievalPlan
    system_blocks: Sequence[SystemBlock]
    developer_blocks: Sequence[DeveloperBlock]
    summary: str | None
    turns: Sequence[Turn]
    evidence: Sequence[Evidence]
    user_message: UserMessage
    main_terms: Collection[str] = ()
    dropped: Sequence[Dropped] = ()
    warnings: Sequence[str] = ()
    ignored: Sequence[str] = ()
    support: float | None = None


def compose(
    ingredients: Ingredients,
    policy: CompositionPolicy,
    counter: TokenCounter,
    *,
    token_limit: int,
    trace: bool = True,
) -> ContextPackage:
    """The package for these ingredients: ``used_estimate`` <= ``token_limit``, counted on ``to_messages()``.

    ``token_limit`` below 1 counts as 1. Without ``trace`` the debug part holds only ids, warnings and ignored fields.
    Never raises for anything that was said; a limit too small for the user message costs the message its middle.
    """
    limit = room = max(1, token_limit)
    filler = Filler(ingredients, policy, Meter(counter))
    while True:
        package = _package(filler.fill(room), ingredients, policy, trace)
        by_slot = filler.meter.package(package)
        over = sum(by_slot.values()) - limit
        if over <= 0 or room <= 0:
            budget = TokenBudget(
                limit=limit, used_estimate=sum(by_slot.values()), by_slot=by_slot, counter=counter.name
            )
            constraints = package.constraints.model_copy(update={"token_budget": budget})
            return package.model_copy(update={"constraints": constraints})
        # Less room by what was too much and a little more, so that this ends after a few rounds.
        room = min(room - over, room * 7 // 8)


def _note(plan: RetrievalPlan) -> PlannerNote:
    asked, where = plan.resource_retrieval, plan.resource_retrieval.documents
    return PlannerNote(
        purpose=plan.purpose,
        reason=plan.debug.notes,
        queries=tuple(query.text for query in plan.queries),
        documents=f"{asked.reason} ({where.profile})" if asked.enabled and where else "",
    )


def _package(draft: Draft, given: Ingredients, policy: CompositionPolicy, trace: bool) -> ContextPackage:
    """The draft as a package whose tokens are not counted yet."""
    ids = Trace(request_id=given.request_id, plan_id=given.plan.plan_id, context_id=given.context_id)
    debug = ContextDebug(
        trace=ids,
        ignored=tuple(given.ignored),
        warnings=(*given.warnings, *draft.warnings),
        support=given.support,
    )
    if trace:
        told = {
            "planner": _note(given.plan),
            "why_selected": tuple(selected(piece) for piece in draft.pieces),
            "dropped": (*given.dropped, *draft.dropped, *draft.window.dropped),
        }
        debug = debug.model_copy(update=told)
    diversity = {"by_document": policy.diversity.by_document, "by_source": policy.diversity.by_source_uri}
    return ContextPackage(
        context_id=given.context_id,
        session_id=given.session_id,
        created_at=given.created_at,
        as_of=given.as_of,
        system_blocks=tuple(draft.system),
        developer_blocks=tuple(draft.developer),
        working_summary=draft.summary,
        recent_turns=draft.window.messages,
        evidence=tuple(piece.shown for piece in draft.pieces),
        user_message=UserMessage(content=draft.user),
        constraints=Constraints(
            token_budget=TokenBudget(limit=1, used_estimate=0),
            diversity=diversity,
            truncation=Truncation(
                snippets_max_chars=policy.max_snippet_chars, recent_turns_max=policy.recent_turns_max
            ),
        ),
        debug=debug,
    )
