"""The evidence slot: pieces made ready to show, the ones that must be in, and why each is in."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from smartbrain.contracts.context import ContextEvidence, Selected
from smartbrain.contracts.evidence import Evidence
from smartbrain.contracts.rendering import evidence_entry
from smartbrain.policies.diversity import is_memory
from smartbrain.policies.metering import Meter
from smartbrain.policies.shortening import cut_end, cut_snippet, longest

LEAST_CHARS = 40
"""A snippet shorter than this says too little to be worth its name and source."""

TITLE_CHARS = 200
"""A longer title is cut: it names the evidence, it is not the evidence."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of evidence as it would be shown, its tokens, its place in the ranking, and what part it plays."""

    rank: int
    evidence: Evidence
    shown: ContextEvidence
    cost: int
    part: str = ""


@dataclass(slots=True)
class Shelf:
    """The ranked evidence, made ready one by one when it is asked for."""

    ranked: Sequence[Evidence]
    max_chars: int
    terms: Collection[str]
    meter: Meter
    _pieces: dict[int, Piece] = field(default_factory=dict)
    _words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._words = [_folded(term.strip()) for term in self.terms if term.strip()]

    def covers(self, rank: int) -> bool:
        """Whether this evidence speaks of one of the question's main terms; true of all when there are none."""
        if not self._words:
            return True
        evidence = self.ranked[rank]
        text = _folded(f"{evidence.title}\n{evidence.snippet}")
        return any(_stands_in(word, text) for word in self._words)

    def piece(self, rank: int) -> Piece:
        """The evidence with its snippet cut to ``max_snippet_chars``."""
        if rank not in self._pieces:
            self._pieces[rank] = self._cut(rank, self.max_chars)
        return self._pieces[rank]

    def squeezed(self, rank: int, room: int) -> Piece | None:
        """The evidence in at most ``room`` tokens, with a shorter snippet if need be; None if too little would stay."""
        whole = self.piece(rank)
        if whole.cost <= room:
            return whole
        keep = longest(len(whole.shown.snippet), lambda chars: self._cut(rank, max(1, chars)).cost <= room)
        return self._cut(rank, keep) if keep >= LEAST_CHARS else None

    def _cut(self, rank: int, chars: int) -> Piece:
        evidence = self.ranked[rank]
        wanted = (*(term.removeprefix("+") for term in evidence.signals.matched), *self.terms)
        snippet, start, end = cut_snippet(evidence.snippet, min(chars, self.max_chars), wanted)
        shown = _shown(evidence, snippet, start, end)
        # Two digits, whatever its number will be: the budget must not depend on the order of filling.
        return Piece(rank, evidence, shown, self.meter.memory(evidence_entry(99, shown)))


def score_of(evidence: Evidence) -> float:
    """The fused score, 0..1; a score of another kind is clamped into that range."""
    signals = evidence.signals
    value = signals.score if signals.score is not None else signals.any_score()
    return min(1.0, max(0.0, value)) if value is not None and math.isfinite(value) else 0.0


def selected(piece: Piece) -> Selected:
    """Why a piece is in, in words and numbers that all come from its signals."""
    evidence, shown = piece.evidence, piece.shown
    how = _how(evidence)
    parts = sorted(evidence.signals.parts.items(), key=lambda part: -abs(part[1]))[:4]
    numbers = ", ".join(f"{name} {value:.2f}" for name, value in parts)
    reason = f"{piece.part}: " if piece.part else ""
    reason += f"{how} ({shown.mode}, score {shown.score:.2f}, place {piece.rank + 1}{'; ' if numbers else ''}{numbers})"
    return Selected(id=shown.id, score=shown.score, source=shown.source, mode=shown.mode, reason=reason)


def _how(evidence: Evidence) -> str:
    """What brought a piece of evidence: words, meaning, or where it stands."""
    signals = evidence.signals
    asked = [term for term in signals.matched if ":" not in term and not term.startswith("+")]
    matched = [term for term in asked if len(term) > 1] or asked
    if matched:
        return "matches " + ", ".join(f'"{term}"' for term in matched)
    if signals.relational_score is not None:
        return f"speaks of {', '.join(signals.matched)}"
    if signals.vector_score:
        return "close in meaning"
    if signals.parts.get("related", 0.0) > 0:
        led = ", ".join(f'"{term[1:]}"' for term in signals.matched if term.startswith("+"))
        return f"speaks of {led}, as the best matches do"
    for part, words in _PLACES.items():
        if signals.parts.get(part, 0.0) > 0:
            return words
    return "ranked"


_PLACES = {
    "neighbours": "stands beside a turn that matches",
    "date": "said at the time that is asked for",
    "session": "in the stretch of conversation that matches",
}


def _shown(evidence: Evidence, snippet: str, start: int, end: int) -> ContextEvidence:
    ref = evidence.ref
    if ref.document_id is None and evidence.document_id is not None:
        ref = ref.model_copy(update={"document_id": evidence.document_id, "section_id": evidence.section_id})
    if ref.span and end - start < len(evidence.snippet) == ref.span[1] - ref.span[0]:
        ref = ref.model_copy(update={"span": (ref.span[0] + start, ref.span[0] + end)})
    return ContextEvidence(
        id=evidence.id,
        source="memory" if is_memory(evidence) else "resource",
        source_uri=evidence.source_uri,
        title=cut_end(evidence.title, TITLE_CHARS),
        snippet=snippet,
        mode=evidence.provenance.mode,
        score=score_of(evidence),
        trust=evidence.trust,
        occurred_at=evidence.occurred_at,
        stale=evidence.stale,
        signals=evidence.signals,
        provenance=evidence.provenance,
        ref=ref,
    )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _stands_in(word: str, text: str) -> bool:
    """Whether the text holds the word, not inside a longer one of ASCII letters: ``ai`` is not in ``said``, but 部署 is
    in 部署到. Each question has other words: a pattern of them would be made for one look."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_of_one_word(text[max(0, at - 1) : at], word[:1]) or _of_one_word(word[-1:], text[end : end + 1])):
            return True
        at = text.find(word, at + 1)
    return False


def _of_one_word(before: str, after: str) -> bool:
    return before.isascii() and before.isalnum() and after.isascii() and after.isalnum()
