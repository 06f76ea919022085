"""Filling the slots by priority from one set of ingredients, with as much room as the budget gives."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from smartbrain.config import CompositionPolicy
from smartbrain.contracts.context import DeveloperBlock, SystemBlock
from smartbrain.contracts.evidence import Dropped, Evidence
from smartbrain.contracts.rendering import summary_lines, system_lines
from smartbrain.policies.evidence_slot import LEAST_CHARS, Piece, Shelf, score_of
from smartbrain.policies.metering import Meter
from smartbrain.policies.recent_slot import RecentTurns, Window
from smartbrain.policies.shortening import Content, cut_end, cut_lines, fit_content, longest
from smartbrain.text.pleasantries import only_acknowledges

if TYPE_CHECKING:
    from smartbrain.policies.composition import Ingredients

MISFITS = 4
"""After so many pieces in a row that did not fit, the rest of the tail is not tried: trying costs counting."""
LEAST_ROOM = 16
"""Tokens below which no further piece of evidence is tried: its name, source and score alone take more."""


@dataclass(slots=True)
class Draft:
    """The slots while they are filled."""

    user: Content = None
    developer: list[DeveloperBlock] = field(default_factory=list)
    system: list[SystemBlock] = field(default_factory=list)
    summary: str | None = None
    summary_cost: int = 0
    window: Window = field(default_factory=Window)
    pieces: list[Piece] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class Filler:
    """Fills drafts of different size from the same ingredients; what was counted once is not counted again."""

    def __init__(self, given: Ingredients, policy: CompositionPolicy, meter: Meter) -> None:
        self.given, self.policy, self.meter = given, policy, meter
        self.recent = RecentTurns(given.turns, policy.recent_turns_max, meter)
        self.heading = meter.memory("Evidence:")
        self.shelf = Shelf(given.evidence, policy.max_snippet_chars, given.main_terms, meter)

    def fill(self, room: int) -> Draft:
        """A draft whose pieces count at most ``room`` tokens."""
        draft = Draft()
        room -= self.meter.primer
        room -= self._user(draft, room)
        room -= self._developer(draft, room)
        room -= self._system(draft, room)
        ranks = self._ranks(draft)
        self._top(draft, ranks, set(), room)
        self._summary(draft, room)
        self._recent(draft, ranks, room)
        self._tail(draft, ranks, room)
        draft.pieces.sort(key=lambda piece: piece.rank)
        return draft

    def _user(self, draft: Draft, room: int) -> int:
        draft.user, note = fit_content(
            self.given.user_message.content, lambda content: self.meter.user(content) <= room
        )
        if note:
            draft.warnings.append(note)
        return self.meter.user(draft.user)

    def _developer(self, draft: Draft, room: int) -> int:
        spent = 0
        for place, block in enumerate(self.given.developer_blocks):
            cost = self.meter.line(block.text) + (0 if draft.developer else self.meter.envelope)
            if spent + cost <= room:
                draft.developer.append(block)
                spent += cost
            else:
                name = f"developer_blocks[{place}]"
                draft.dropped.append(Dropped(id=name, reason="budget", detail=block.type))
                draft.warnings.append(f"{name} ({block.type}) did not fit into the token limit and was left out")
        return spent

    def _system(self, draft: Draft, room: int) -> int:
        room = min(room, self.policy.system_blocks_max_tokens)
        spent = self.meter.fence + self.meter.envelope
        for place, block in enumerate(self.given.system_blocks):
            name = block.source.memory_item_id or f"system_blocks[{place}]"
            shown = self._fitting_block(block, room - spent)
            if shown is None:
                draft.dropped.append(Dropped(id=name, reason="budget", detail="system block"))
                continue
            if shown is not block:
                draft.warnings.append(f"the system block {name} was shortened to fit")
            draft.system.append(shown)
            spent += self.meter.memory(system_lines([shown]))
        return spent if draft.system else 0

    def _fitting_block(self, block: SystemBlock, room: int) -> SystemBlock | None:
        def cut(chars: int) -> SystemBlock:
            return block.model_copy(update={"text": cut_end(block.text, chars)})

        def fits(shown: SystemBlock) -> bool:
            return self.meter.memory(system_lines([shown])) <= room

        if fits(block):
            return block
        keep = longest(len(block.text), lambda chars: fits(cut(chars))) if room > LEAST_ROOM else 0
        return cut(keep) if keep >= LEAST_CHARS else None

    def _ranks(self, draft: Draft) -> list[int]:
        """The places of the evidence that may be shown at all, best first."""
        pinned = {block.source.memory_item_id for block in draft.system} - {None}
        asking = {one.ref.turn_id for one in self.given.evidence if one.snippet.rstrip().endswith(("?", "？"))} - {None}
        seen: set[str] = set()
        ranks: list[int] = []
        for rank, evidence in enumerate(self.given.evidence):
            score = score_of(evidence)
            if score < self.policy.min_score:
                detail = f"score {score:.2f} is below {self.policy.min_score:.2f}"
                draft.dropped.append(Dropped(id=evidence.id, reason="below_threshold", detail=detail))
            elif evidence.id in seen:
                draft.dropped.append(Dropped(id=evidence.id, reason="duplicate", detail="found twice"))
            elif _says_nothing(evidence) and evidence.ref.turn_id not in asking:
                detail = "only acknowledges, greets or thanks"
                draft.dropped.append(Dropped(id=evidence.id, reason="below_threshold", detail=detail))
            elif evidence.ref.memory_item_id in pinned:
                draft.dropped.append(Dropped(id=evidence.id, reason="duplicate", detail="stands in the system blocks"))
            else:
                ranks.append(rank)
            seen.add(evidence.id)
        return ranks

    def _top(self, draft: Draft, ranks: list[int], gone: Collection[int], room: int) -> None:
        """The best evidence, and one that covers the question's main terms; ``gone`` stands in the window already."""
        taken = {piece.rank for piece in draft.pieces}
        free = [rank for rank in ranks if rank not in gone and rank not in taken]
        if free and not taken:
            self._take(draft, free.pop(0), "best", room)
        if not any(self.shelf.covers(rank) for rank in (*(piece.rank for piece in draft.pieces), *gone)):
            covering = next((rank for rank in free if self.shelf.covers(rank)), None)
            if covering is not None:
                self._take(draft, covering, "covers what was asked about", room)

    def _take(self, draft: Draft, rank: int, part: str, room: int) -> None:
        left = room - self._volatile(draft, one_more=True)
        if len(draft.pieces) < self.policy.evidence_max_items and left >= LEAST_ROOM:
            piece = self.shelf.squeezed(rank, left)
            if piece is not None:
                draft.pieces.append(replace(piece, part=part))

    def _summary(self, draft: Draft, room: int) -> None:
        text = (self.given.summary or "").strip()
        if not text:
            return
        room = min(room - self._volatile(draft, one_more=True), self.policy.summary_max_tokens)

        def cost(chars: int) -> int:
            return self.meter.memory(summary_lines(cut_lines(text, chars)))

        keep = len(text) if cost(len(text)) <= room else longest(len(text), lambda chars: cost(chars) <= room)
        if keep < min(len(text), LEAST_CHARS):
            draft.dropped.append(Dropped(id="working_summary", reason="budget"))
            return
        if keep < len(text):
            draft.warnings.append("the working summary was shortened to fit")
        draft.summary, draft.summary_cost = cut_lines(text, keep), cost(keep)

    def _recent(self, draft: Draft, ranks: list[int], room: int) -> None:
        """The newest turns in the room that is left.

        Evidence that then stands in them twice makes room for the next best and for older turns. What has been shown
        stays shown, because neither may take more than was freed; so nothing is lost from both.
        """
        gone: set[int] = set()
        while True:
            draft.window = self.recent.window(room - self._volatile(draft))
            twice = {piece.rank for piece in draft.pieces if self._stands_in(draft.window, piece.evidence)}
            if not twice:
                return
            draft.pieces = [piece for piece in draft.pieces if piece.rank not in twice]
            gone |= {rank for rank in ranks if self._stands_in(draft.window, self.given.evidence[rank])}
            self._top(draft, ranks, gone, room - draft.window.cost)

    def _tail(self, draft: Draft, ranks: list[int], room: int) -> None:
        taken = {piece.rank for piece in draft.pieces}
        misfits = 0
        for rank in ranks:
            if rank in taken:
                continue
            evidence = self.given.evidence[rank]
            left = room - draft.window.cost - self._volatile(draft, one_more=True)
            if self._stands_in(draft.window, evidence):
                draft.dropped.append(Dropped(id=evidence.id, reason="duplicate", detail="stands in the recent turns"))
            elif len(draft.pieces) >= self.policy.evidence_max_items:
                detail = f"more than {self.policy.evidence_max_items} pieces of evidence"
                draft.dropped.append(Dropped(id=evidence.id, reason="budget", detail=detail))
            elif misfits >= MISFITS or left < LEAST_ROOM or self.shelf.piece(rank).cost > left:
                misfits += 1
                detail = "no room left within the token limit"
                draft.dropped.append(Dropped(id=evidence.id, reason="budget", detail=detail))
            else:
                misfits = 0
                draft.pieces.append(self.shelf.piece(rank))

    def _volatile(self, draft: Draft, one_more: bool = False) -> int:
        """Tokens of summary and evidence with what holds them; with ``one_more``, as if there were another piece."""
        if not (draft.pieces or draft.summary or one_more):
            return 0
        heading = self.heading if draft.pieces or one_more else 0
        pieces = sum(piece.cost for piece in draft.pieces)
        return self.meter.envelope + self.meter.fence + draft.summary_cost + heading + pieces

    def _stands_in(self, window: Window, evidence: Evidence) -> bool:
        return evidence.ref.session_id in {None, self.given.session_id} and window.holds(evidence.ref)


def _says_nothing(evidence: Evidence) -> bool:
    """Whether a turn found for where it stands says nothing by itself; beside a question that was found it answers."""
    return evidence.ref.memory_item_id is None and only_acknowledges(evidence.snippet)
