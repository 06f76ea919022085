"""From what a source found to what is shown of it: a list best first, whose evidence is only made when it is wanted.

Turns and items are listed apart and then put in one order, so much of either list is never shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

from smartbrain.contracts.evidence import Evidence, Provenance, Signals
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import MemoryItem
from smartbrain.ports import EventDoc
from smartbrain.retrieval.evidence import event_evidence, event_id, item_evidence
from smartbrain.text.terms import query_terms

Doc = TypeVar("Doc", EventDoc, MemoryItem)

STALE = 0.3
"""What is left of the score of a version that a newer one has overtaken."""


class Said(NamedTuple):
    """A message by where it stands."""

    session_id: str
    turn_id: str
    message_id: str | None


class Hit(NamedTuple, Generic[Doc]):
    """A document that a source found, and why."""

    score: float
    doc: Doc
    parts: dict[str, float]
    matched: tuple[str, ...]
    cosine: float | None = None
    stale: bool = False

    @property
    def words(self) -> float:
        """The score without what meaning gave to it."""
        part = self.parts.get
        given = part("meaning", 0.0) + part("stretch", 0.0) + part("across", 0.0)
        return self.score - given * (STALE if self.stale else 1.0)


@dataclass(frozen=True, slots=True)
class Listed:
    """A hit in the list of its source. ``said``: the message it is, None for an item; ``score`` as it is shown;
    ``raised`` to the score of another's place, for being newer."""

    id: str
    said: Said | None
    score: float
    build: Callable[[], Evidence]
    stale: bool
    raised: float | None = None

    def moved_up(self, score: float) -> Listed:
        """The same in the place of one with this score."""
        return replace(self, raised=score)

    def outdated(self) -> Listed:
        """The same, marked as said anew since."""
        return replace(self, stale=True)

    def evidence(self) -> Evidence:
        """What is shown of it."""
        found = self.build()
        changed: dict[str, object] = {"stale": True} if self.stale else {}
        if self.raised is not None:
            changed["signals"] = _raised(found.signals, self.raised - self.score, self.raised)
        return found.model_copy(update=changed) if changed else found


def listed(hits: list[Hit[Doc]], plan: RetrievalPlan, index: int, limit: int) -> list[Listed]:
    """The best ``limit`` hits of query ``index`` of the plan, best first."""
    query = plan.queries[index]
    # All asked terms, not those of one hit: the same set for every snippet is compiled once.
    terms = query_terms(query.text)
    provenance = Provenance(mode=query.mode, query_text=query.text, query_index=index)
    most = plan.output.max_snippet_chars
    hits.sort(key=lambda hit: -hit.score)
    best = hits[:limit]
    signals = _signals_of(best, semantic=query.mode == "semantic")

    def one(place: int, hit: Hit[Doc]) -> Listed:
        def build() -> Evidence:
            if isinstance(hit.doc, EventDoc):
                return event_evidence(hit.doc, signals(place), provenance, terms=terms, max_chars=most)
            return item_evidence(hit.doc, signals(place), provenance, terms=terms, max_chars=most)

        return Listed(_id(hit.doc), _said(hit.doc), round(hit.score, 6), build, hit.stale)

    return [one(place, hit) for place, hit in enumerate(best)]


def _id(doc: EventDoc | MemoryItem) -> str:
    return event_id(doc) if isinstance(doc, EventDoc) else doc.id


def _said(doc: EventDoc | MemoryItem) -> Said | None:
    return Said(doc.session_id, doc.turn_id, doc.message.id or None) if isinstance(doc, EventDoc) else None


def _raised(signals: Signals, by: float, score: float) -> Signals:
    """The signals with the score of the place that is given, and the part of it that is due to being newer."""
    field = "score" if signals.score is not None else "fts_score"
    return signals.model_copy(update={field: score, "parts": {**signals.parts, "newer": round(by, 4)}})


def _signals_of(hits: Sequence[Hit[Doc]], *, semantic: bool) -> Callable[[int], Signals]:
    """What each hit's place was made of; where meaning took part, the sum beside its two sides and their ranks."""
    if all(hit.cosine is None for hit in hits):

        def by_words_alone(place: int) -> Signals:
            hit = hits[place]
            return Signals(fts_score=round(hit.score, 6), fts_rank=place + 1, matched=hit.matched, parts=hit.parts)

        return by_words_alone
    by_words = _ranks([hit.words for hit in hits])
    by_meaning = _ranks([-1.0 if hit.cosine is None else hit.cosine for hit in hits])

    def by_both(place: int) -> Signals:
        hit = hits[place]
        return Signals(
            score=round(hit.score, 6),
            fts_score=None if semantic else round(hit.words, 6),
            fts_rank=None if semantic else by_words[place],
            vector_score=None if hit.cosine is None else round(hit.cosine, 6),
            vector_rank=None if hit.cosine is None else by_meaning[place],
            matched=hit.matched,
            parts=hit.parts,
        )

    return by_both


def _ranks(scores: Sequence[float]) -> list[int]:
    """The rank of each score from 1, the highest first."""
    ranks = [0] * len(scores)
    for rank, place in enumerate(sorted(range(len(scores)), key=lambda n: -scores[n]), start=1):
        ranks[place] = rank
    return ranks
