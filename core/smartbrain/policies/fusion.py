"""Many ranked lists become one. Each list is one query in one mode over one source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smartbrain.contracts.evidence import Dropped, Evidence
from smartbrain.contracts.plan import Fusion, Mode, Ranking
from smartbrain.text.terms import asked_terms, term_counts

DOCUMENTS = "resources"
"""The source of lists that did not come from memory."""

_HAIR = 1e-6
"""Decides between equal places and nothing else."""


@dataclass(frozen=True, slots=True)
class RankedList:
    """One retriever's answer to one query, best first. ``weight`` is the query's weight."""

    source: str
    mode: Mode
    query_index: int
    weight: float
    evidences: tuple[Evidence, ...]


def fuse(lists: Sequence[RankedList], ranking: Ranking) -> tuple[list[Evidence], list[Dropped]]:
    """All evidence once, best first, ``signals.score`` in 0..1 and comparable within the result.

    Fused by rank, the score shown is the share of the best possible rank sum times how near the evidence came to the
    best of its list: the tenth of ten weak ones must not look as strong as the second of two good ones. It never rises
    from one place to the next, for the order is that of the fusion.
    """
    method = ranking.fusion.method
    if method == "rrf":
        scores, best = _rrf(lists, ranking.fusion)
    elif method == "weighted_sum":
        scores, best = _weighted_sum(lists, ranking.fusion)
    else:
        scores, best = _none(lists)
    found: dict[str, list[Evidence]] = {}
    for ranked in lists:
        for evidence in ranked.evidences:
            found.setdefault(evidence.id, []).append(evidence)
    order = sorted(scores, key=lambda id_: (-round(scores[id_], 12), *_tie(found[id_][0], ranking), id_))
    kept, dropped = _without_repeats([found[id_][0] for id_ in order])
    near = _nearness(lists) if method == "rrf" else {}
    shown = 1.0
    out: list[Evidence] = []
    for evidence in kept:
        share = min(1.0, scores[evidence.id] / best) if best > 0 else 0.0
        shown = min(shown, share * near.get(evidence.id, 1.0))
        out.append(_scored(found[evidence.id], shown, scores[evidence.id] if near else None))
    return out, dropped


def fuse_sources(lists: Sequence[RankedList], ranking: Ranking, query: str) -> tuple[list[Evidence], list[Dropped]]:
    """Memory and documents in one order, each counting once, however many lists it brought.

    Each side is fused by itself, then the two by their places. Which of two equal places goes first, the question
    decides: the side whose best three hold more of its words. Without that, a stray memory would stand above the
    document that answers, for only memories have a date, and the number of queries memory was asked by would count.
    """
    documents = [ranked for ranked in lists if ranked.source == DOCUMENTS]
    memory = [ranked for ranked in lists if ranked.source != DOCUMENTS]
    if not any(ranked.evidences for ranked in documents) or not any(ranked.evidences for ranked in memory):
        return fuse(lists, ranking)
    mine, dropped = fuse(memory, ranking)
    theirs, dropped_too = fuse(documents, ranking)
    asked = frozenset(asked_terms(query))
    lead = _held(theirs, asked) > _held(mine, asked)
    sides = [_side("memory", memory, mine, lead=not lead), _side(DOCUMENTS, documents, theirs, lead=lead)]
    even = ranking.model_copy(update={"fusion": ranking.fusion.model_copy(update={"weights": {}})})
    ranked, dropped_last = fuse(sorted(sides, key=lambda side: -side.weight), even)
    return ranked, [*dropped, *dropped_too, *dropped_last]


def _side(source: str, lists: Sequence[RankedList], ranked: Sequence[Evidence], *, lead: bool) -> RankedList:
    return RankedList(source, lists[0].mode, 0, 1.0 + (_HAIR if lead else 0.0), tuple(ranked))


def _held(ranked: Sequence[Evidence], asked: frozenset[str]) -> float:
    """The share of the asked words that the best of the first three holds."""
    if not asked:
        return 0.0
    return max(len(asked & term_counts(f"{e.title}\n{e.snippet}").keys()) / len(asked) for e in ranked[:3])


def _nearness(lists: Sequence[RankedList]) -> dict[str, float]:
    """For each piece of evidence its score over the best of its list, 0..1; of several lists the largest."""
    near: dict[str, float] = {}
    for ranked in lists:
        values = [evidence.signals.any_score() or 0.0 for evidence in ranked.evidences]
        top = max(values, default=0.0)
        for evidence, value in zip(ranked.evidences, values, strict=True):
            share = max(0.0, value / top) if top > 0 else 0.0
            near[evidence.id] = max(near.get(evidence.id, 0.0), share)
    return near


def _weight(ranked: RankedList, fusion: Fusion) -> float:
    return ranked.weight * fusion.weights.get(ranked.mode, 1.0)


def _rrf(lists: Sequence[RankedList], fusion: Fusion) -> tuple[dict[str, float], float]:
    """Reciprocal rank fusion (Cormack, Clarke & Büttcher, SIGIR 2009): sum of weight / (k + rank)."""
    scores: dict[str, float] = {}
    best = 0.0
    for ranked in lists:
        if ranked.evidences:
            best += _weight(ranked, fusion) / (fusion.rrf_k + 1)
        for rank, evidence in enumerate(ranked.evidences, start=1):
            scores[evidence.id] = scores.get(evidence.id, 0.0) + _weight(ranked, fusion) / (fusion.rrf_k + rank)
    return scores, best


def _weighted_sum(lists: Sequence[RankedList], fusion: Fusion) -> tuple[dict[str, float], float]:
    """Sum of weight x score / the list's best score (CombSUM, Fox & Shaw 1994)."""
    scores: dict[str, float] = {}
    best = 0.0
    for ranked in lists:
        values = [evidence.signals.any_score() or 0.0 for evidence in ranked.evidences]
        top = max(values, default=0.0)
        if top <= 0.0:
            continue
        best += _weight(ranked, fusion)
        for evidence, value in zip(ranked.evidences, values, strict=True):
            scores[evidence.id] = scores.get(evidence.id, 0.0) + _weight(ranked, fusion) * max(0.0, value) / top
    return scores, best


def _none(lists: Sequence[RankedList]) -> tuple[dict[str, float], float]:
    """The lists one after the other, as they come."""
    order: dict[str, float] = {}
    for ranked in lists:
        for evidence in ranked.evidences:
            order.setdefault(evidence.id, 0.0)
    total = len(order)
    return {id_: float(total - place) for place, id_ in enumerate(order)}, float(total or 1)


def _scored(found: Sequence[Evidence], shown: float, rrf_score: float | None) -> Evidence:
    """One piece of evidence with its fused score; found several times, it keeps its first provenance and gains
    what else matched."""
    first, *others = found
    update: dict[str, object] = {"score": round(shown, 6)}
    if rrf_score is not None:
        update["rrf_score"] = rrf_score
    if others:
        update["matched"] = tuple(dict.fromkeys(m for e in found for m in e.signals.matched))
        update["parts"] = {name: value for e in reversed(found) for name, value in e.signals.parts.items()}
        for name in ("fts_score", "fts_rank", "vector_score", "vector_rank", "relational_score"):
            values = [getattr(e.signals, name) for e in found if getattr(e.signals, name) is not None]
            if values:
                update[name] = values[0]
    return first.model_copy(update={"signals": first.signals.model_copy(update=update)})


def _tie(evidence: Evidence, ranking: Ranking) -> tuple[float, ...]:
    if ranking.tie_breaker == "recency":
        return (-evidence.occurred_at.timestamp() if evidence.occurred_at else float("inf"),)
    if ranking.tie_breaker == "source_priority":
        return (-ranking.source_priority.get(evidence.source_type, 0.0),)
    return ()


def _without_repeats(ranked: Sequence[Evidence]) -> tuple[list[Evidence], list[Dropped]]:
    """The same words from the same turn or document count once, the better-placed one stays."""
    seen: dict[tuple[str, str], str] = {}
    kept: list[Evidence] = []
    dropped: list[Dropped] = []
    for evidence in ranked:
        words = (evidence.source_uri, " ".join(evidence.snippet.split()).casefold())
        if words in seen:
            dropped.append(Dropped(id=evidence.id, reason="duplicate", detail=f"same words as {seen[words]}"))
        else:
            seen[words] = evidence.id
            kept.append(evidence)
    return kept, dropped
