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
_NONE = np.iinfo(np.int32).max
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
        return cls(0, none, np.zeros(0, dtype=np.bool_), np.zeros(0), none, none, none, none)

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
        first_in, last_in = _wider(self.first_in, more, _NONE), _wider(self.last_in, more, -1)
        more = max(0, int(day.max(initial=0)) + 1 - len(self.first_on))
        first_on, last_on = _wider(self.first_on, more, _NONE), _wider(self.last_on, more, -1)
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
        wanted = np.array(
            [day for day in days if 0 <= day < len(self.last_on) and self.last_on[day] >= 0], dtype=np.int64
        )
        if not len(wanted):
            return np.zeros(0, dtype=np.int64)
        first, last = int(self.first_on[wanted].min()), int(self.last_on[wanted].max())
        return first + np.flatnonzero(np.isin(columns.day[first : last + 1], wanted))


def _wider(ords: NDArray[np.int32], more: int, value: int) -> NDArray[np.int32]:
    return np.concatenate((ords, np.full(more, value, dtype=np.int32)))


_shapes: Growing[Shape] = Growing(_KEPT)


def shape_of(columns: DocColumns) -> Shape:
    """The shape of a space: kept from the question before where nothing changed, and only added to where it grew."""
    return _shapes.of(columns.prev, lambda known: (known or Shape.empty()).grown(columns))
