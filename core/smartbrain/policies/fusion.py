"""Many ranked lists become one. Each list is one query in one mode over one source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smartbrain.contracts.evidence import Dropped, Evidence
from smartbrain.contracts.plan import Fusion, Mode, Ranking


@dataclass(frozen=True, slots=True)
class RankedList:
    """One retriever's answer to one query, best first. ``weight`` is the query's weight."""

    source: str
    mode: Mode
    query_index: int
    weight: float
    evidences: tuple[Evidence, ...]


def fuse(lists: Sequence[RankedList], ranking: Ranking) -> tuple[list[Evidence], list[Dropped]]:
    """All evidence once, best first, ``signals.score`` in 0..1 and comparable within the result."""
    method = ranking.fusion.method
    if method == "rrf":
        scores, best = _rrf(lists, ranking.fusion)
    elif method == "weighted_sum":
        scores, best = _weighted_sum(lists, ranking.fusion)
    else:
        scores, best = _none(lists)
    first: dict[str, Evidence] = {}
    for ranked in lists:
        for evidence in ranked.evidences:
            first[evidence.id] = _merged(first[evidence.id], evidence) if evidence.id in first else evidence
    out = [_scored(first[id_], score, best, rrf=method == "rrf") for id_, score in scores.items()]
    out.sort(key=lambda e: (-(e.signals.score or 0.0), *_tie(e, ranking), e.id))
    return _without_repeats(out)


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


def _merged(kept: Evidence, other: Evidence) -> Evidence:
    """One piece of evidence found twice keeps its first provenance and the union of what matched."""
    matched = tuple(dict.fromkeys((*kept.signals.matched, *other.signals.matched)))
    fresh = {
        name: value
        for name, value in other.signals
        if value not in (None, (), {}) and getattr(kept.signals, name) in (None, (), {})
    }
    signals = kept.signals.model_copy(
        update={**fresh, "matched": matched, "parts": {**other.signals.parts, **kept.signals.parts}}
    )
    return kept.model_copy(update={"signals": signals})


def _scored(evidence: Evidence, score: float, best: float, *, rrf: bool) -> Evidence:
    share = min(1.0, score / best) if best > 0 else 0.0
    update: dict[str, float] = {"score": round(share, 6)}
    if rrf:
        update["rrf_score"] = score
    return evidence.model_copy(update={"signals": evidence.signals.model_copy(update=update)})


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
