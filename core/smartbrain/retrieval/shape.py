"""What a ranking needs of a space besides its words, and what only changes when documents come: made once and kept.

All of it follows from the columns. At a million documents making it anew for every question took half of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smartbrain.ports import FLAG_QUESTION, DocColumns
from smartbrain.retrieval.growing import Growing

_KEPT = 64
_DAYS = 1 << 16
_QUESTION_CHARS = 300


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The neighbours, stretches and days of the first ``size`` documents; nothing here is ever changed.

    ``after``: the ordinal of the turn after each in its session, -1 for none (the one before is ``DocColumns.prev``).
    ``answers``: whether the one before asks, in at most 300 characters.
    ``lengths``: terms by stretch. ``first_in``/``last_in``: the first and last ordinal of each stretch,
    ``first_on``/``last_on`` of each day (the last is -1 where there is none).
    """

    size: int
    after: NDArray[np.int32]
    answers: NDArray[np.bool_]
    lengths: NDArray[np.float64]
    first_in: NDArray[np.int32]
    last_in: NDArray[np.int32]
    first_on: NDArray[np.int32]
    last_on: NDArray[np.int32]

    @classmethod
    def empty(cls) -> Shape:
        """The shape of no documents."""
        none = np.zeros(0, dtype=np.int32)
        first, last = np.full(_DAYS, np.iinfo(np.int32).max, dtype=np.int32), np.full(_DAYS, -1, dtype=np.int32)
        return cls(0, none, np.zeros(0, dtype=np.bool_), np.zeros(0), none, none, first, last)

    def grown(self, columns: DocColumns) -> Shape:
        """The shape with the documents that came since; the older ones are as they were."""
        start, size = self.size, len(columns.prev)
        ords = np.arange(start, size, dtype=np.int32)
        prev, segment, day = columns.prev[start:], columns.segment[start:], columns.day[start:]
        after = np.concatenate((self.after, np.full(size - start, -1, dtype=np.int32)))
        follows = prev >= 0
        after[prev[follows]] = ords[follows]
        asks = ((columns.flags.take(prev) & FLAG_QUESTION) > 0) & (columns.chars.take(prev) <= _QUESTION_CHARS)
        answers = np.concatenate((self.answers, follows & asks))
        stretches = max(len(self.lengths), int(segment.max(initial=0)) + 1)
        more = stretches - len(self.lengths)
        lengths = np.concatenate((self.lengths, np.zeros(more)))
        lengths += np.bincount(segment, weights=columns.length[start:], minlength=stretches)
        first_in = np.concatenate((self.first_in, np.full(more, np.iinfo(np.int32).max, dtype=np.int32)))
        last_in = np.concatenate((self.last_in, np.full(more, -1, dtype=np.int32)))
        first_on, last_on = self.first_on.copy(), self.last_on.copy()
        np.minimum.at(first_in, segment, ords)
        np.maximum.at(last_in, segment, ords)
        np.minimum.at(first_on, day, ords)
        np.maximum.at(last_on, day, ords)
        return Shape(size, after, answers, lengths, first_in, last_in, first_on, last_on)

    def of_stretches(self, columns: DocColumns, stretches: NDArray[np.int64]) -> NDArray[np.int64]:
        """The documents of some stretches."""
        found = [
            int(self.first_in[n]) + np.flatnonzero(columns.segment[self.first_in[n] : self.last_in[n] + 1] == n)
            for n in stretches
            if self.last_in[n] >= 0
        ]
        return np.concatenate(found).astype(np.int64) if found else np.zeros(0, dtype=np.int64)

    def on_days(self, columns: DocColumns, days: Sequence[int]) -> NDArray[np.int64]:
        """The documents of some days."""
        wanted = np.array([day for day in days if 0 <= day < _DAYS and self.last_on[day] >= 0], dtype=np.int64)
        if not len(wanted):
            return np.zeros(0, dtype=np.int64)
        first, last = int(self.first_on[wanted].min()), int(self.last_on[wanted].max())
        return first + np.flatnonzero(np.isin(columns.day[first : last + 1], wanted))


_shapes: Growing[Shape] = Growing(_KEPT)


def shape_of(columns: DocColumns) -> Shape:
    """The shape of a space: kept from the question before where nothing changed, and only added to where it grew."""
    return _shapes.of(columns.prev, lambda known: (known or Shape.empty()).grown(columns))
