"""A package made to fit what a chat really shows: without turns that left its window, with older ones that stayed.

The core shows the newest turns of a session and looks for no evidence in them. Where a chat was reset or went back,
some of them are not shown: their words must be found like any others, and their places go to the turns that are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from smartbrain import ContextPackage, Message, SmartBrain, Turn
from smartbrain.contracts.context import ContextEvidence
from smartbrain.policies.evidence_slot import Shelf, score_of
from smartbrain.policies.metering import Meter
from smartbrain.policies.recent_slot import RecentTurns
from smartbrain.text.terms import keywords
from smartbrain.text.tokens import HeuristicTokenCounter
from smartbrain.tool_texts import Owner
from smartbrain_li._window import Window, newest_shown


def shown_package(
    brain: SmartBrain, owner: Owner, package: ContextPackage, window: Window, current: str | None
) -> ContextPackage:
    """The package for a session whose window does not show everything; ``current`` is the turn being answered."""
    most = brain.config.policies.composition.recent_turns_max
    turns = [turn for turn in newest_shown(brain, owner, window, most + 1) if turn.turn_id != current][-most:]
    shown = {turn.turn_id for turn in turns}
    hidden = {entry.turn_id for entry in package.recent_turns} - shown
    return _refilled(brain, owner, package, turns, hidden) if hidden else package


def without_recent(brain: SmartBrain, owner: Owner, package: ContextPackage) -> ContextPackage:
    """The package for a caller who shows recent messages itself: what recent turns say becomes evidence."""
    return _refilled(brain, owner, package, (), {entry.turn_id for entry in package.recent_turns})


def _refilled(
    brain: SmartBrain, owner: Owner, package: ContextPackage, turns: Sequence[Turn], hidden: Collection[str]
) -> ContextPackage:
    policy = brain.config.policies.composition
    meter = Meter(HeuristicTokenCounter(policy.token_profile))
    budget = package.constraints.token_budget
    room = budget.limit - budget.used_estimate + budget.by_slot.get("recent_turns", 0)
    added, cost = _evidence_in(brain, owner, package, hidden, meter, room)
    window = RecentTurns(turns, policy.recent_turns_max, meter).window(room - cost)
    kept = [entry for entry in package.evidence if not window.holds(entry.ref)]
    made = package.model_copy(update={"recent_turns": window.messages, "evidence": (*kept, *added)})
    by_slot = {str(name): tokens for name, tokens in meter.package(made).items()}
    spent = budget.model_copy(update={"by_slot": by_slot, "used_estimate": sum(by_slot.values())})
    return made.model_copy(update={"constraints": made.constraints.model_copy(update={"token_budget": spent})})


def _evidence_in(
    brain: SmartBrain, owner: Owner, package: ContextPackage, turn_ids: Collection[str], meter: Meter, room: int
) -> tuple[list[ContextEvidence], int]:
    """The best evidence in these turns for the package's question, in at most ``room`` tokens, and what it takes."""
    policy = brain.config.policies.composition
    query = Message(role="user", content=package.user_message.content).text
    places = policy.evidence_max_items - len(package.evidence)
    if not turn_ids or not query.strip() or places <= 0:
        return [], 0
    pack = brain.search(owner.session_id, query, k=2 * policy.evidence_max_items, **owner.scopes())
    known = {entry.id for entry in package.evidence}
    found = [e for e in pack.evidences if e.ref.turn_id in turn_ids and e.id not in known]
    ranked = [e for e in found if not e.ref.memory_item_id and score_of(e) >= policy.min_score]
    shelf = Shelf(ranked, policy.max_snippet_chars, keywords(query, limit=4), meter)
    spent = 0 if package.evidence else meter.envelope + meter.fence + meter.line("Evidence:")
    added: list[ContextEvidence] = []
    for rank in range(min(places, len(ranked))):
        piece = shelf.squeezed(rank, room - spent)
        if piece is None:
            break
        added.append(piece.shown)
        spent += piece.cost
    return added, spent if added else 0
