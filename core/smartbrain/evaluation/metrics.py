"""What is measured, one question at a time: pure functions over ranked names and gold names.

``ranked`` is best first and without repeats; ``gold`` is not empty unless said otherwise. All values are 0..1.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence


def recall_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """The share of the gold among the first ``k``."""
    wanted = set(gold)
    return len(wanted.intersection(ranked[:k])) / len(wanted)


def hit_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 when any of the gold is among the first ``k``, else 0."""
    return float(not set(gold).isdisjoint(ranked[:k]))


def all_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 when all of the gold is among the first ``k``, else 0."""
    return float(set(gold) <= set(ranked[:k]))


def ndcg_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain with binary gains (Järvelin & Kekäläinen, TOIS 2002).

    DCG@k is the sum of 1 / log2(1 + rank) over the ranks (from 1) of the gold among the first ``k``; it is divided by
    the DCG@k of a list that begins with all the gold.
    """
    wanted = set(gold)
    gains = (1 / math.log2(1 + rank) for rank, name in enumerate(ranked[:k], start=1) if name in wanted)
    return sum(gains) / sum(1 / math.log2(1 + rank) for rank in range(1, min(k, len(wanted)) + 1))


def recall_within(pieces: Iterable[tuple[str, int]], gold: Collection[str], tokens: int) -> float:
    """The share of the gold inside the first ``tokens`` tokens of evidence.

    ``pieces`` are names and token counts, best first. A piece that ends beyond the limit is outside, and so is all
    that follows it: a reader of the first tokens sees no more.
    """
    wanted = set(gold)
    inside: set[str] = set()
    used = 0
    for name, size in pieces:
        used += size
        if used > tokens:
            break
        inside.add(name)
    return len(wanted & inside) / len(wanted)


def share_of(words: Collection[str], text: Collection[str]) -> float:
    """The share of the distinct ``words`` (at least one) that are among the words of a text."""
    wanted = set(words)
    return len(wanted.intersection(text)) / len(wanted)


def best_rank(ranked: Sequence[str], name: str) -> int | None:
    """The rank of a name, from 1; None when it is not in the list."""
    return ranked.index(name) + 1 if name in ranked else None


def auc(positive: Collection[float], negative: Collection[float]) -> float | None:
    """The chance that a random positive value is above a random negative one, an equal one counting half.

    That is the area under the ROC curve (Mann & Whitney 1947). None when either side is empty.
    """
    if not positive or not negative:
        return None
    ordered = sorted(negative)
    wins = sum((bisect_left(ordered, v) + bisect_right(ordered, v)) / 2 for v in positive)
    return wins / (len(positive) * len(negative))


def percentile(values: Collection[float], share: float) -> float | None:
    """The smallest value that at least ``share`` (0..1) of all values do not exceed (nearest rank); None of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def means(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over the rows that have it."""
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return {name: math.fsum(values) / len(values) for name, values in columns.items()}
