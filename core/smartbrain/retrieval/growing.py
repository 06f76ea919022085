"""Values that follow from an array which only grows: made once, and only added to where it grew."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

Value = TypeVar("Value")


class Growing(Generic[Value]):
    """Values by the array that what they follow from is a view of: a store hands out views of one buffer, which it
    replaces when anything but its end changes. At most ``kept`` are held, and none longer than its array; of the last
    shorter views, which are the space as it was, a few more. Safe for threads.
    """

    def __init__(self, kept: int) -> None:
        self._most = kept
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, tuple[weakref.ref[NDArray[Any]], int, Value]] = OrderedDict()
        self._earlier: OrderedDict[tuple[int, int], tuple[weakref.ref[NDArray[Any]], Value]] = OrderedDict()

    def of(self, array: NDArray[Any], grow: Callable[[Value | None], Value]) -> Value:
        """The value for a view of a buffer. ``grow`` makes it from the value of a shorter view, or from nothing."""
        base, size = array.base, len(array)
        if not isinstance(base, np.ndarray):
            return grow(None)
        with self._lock:
            entry = self._kept.get(id(base))
        known: Value | None = None
        if entry is not None and entry[0]() is base:
            if entry[1] == size:
                return entry[2]
            if entry[1] > size:  # somebody reads it as it was
                return self._as_it_was(base, size, grow)
            known = entry[2]
        value = grow(known)
        with self._lock:
            entry = self._kept.get(id(base))
            if entry is None or entry[0]() is not base or entry[1] < size:
                self._kept[id(base)] = (weakref.ref(base), size, value)
                self._kept.move_to_end(id(base))
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return value

    def _as_it_was(self, base: NDArray[Any], size: int, grow: Callable[[Value | None], Value]) -> Value:
        key = (id(base), size)
        with self._lock:
            entry = self._earlier.get(key)
            if entry is not None and entry[0]() is base:
                self._earlier.move_to_end(key)
                return entry[1]
        value = grow(None)
        with self._lock:
            self._earlier[key] = (weakref.ref(base), value)
            while len(self._earlier) > _EARLIER:
                self._earlier.popitem(last=False)
        return value


_EARLIER = 4


class Tape:
    """An array that grows at its end, with room behind it; what was handed out stays as it is. Safe for threads.

    At a million rows copying them for each commit took longer than all else that a question cost.
    """

    __slots__ = ("_roll", "array")

    def __init__(self, roll: _Roll, array: NDArray[Any]) -> None:
        self._roll = roll
        self.array = array

    @classmethod
    def empty(cls, dtype: DTypeLike, *shape: int) -> Tape:
        """A tape of rows of some shape."""
        nothing = np.empty((0, *shape), dtype=dtype)
        return cls(_Roll(nothing), nothing)

    def longer(self, more: NDArray[Any]) -> Tape:
        """This tape with more rows behind it."""
        begin, end = len(self.array), len(self.array) + len(more)
        roll = self._roll
        with roll.lock:
            if roll.used != begin or end > len(roll.rows):  # somebody else's rows follow, or there is no room
                roll = _Roll(np.empty((end + end // 8 + _ROOM, *self.array.shape[1:]), dtype=self.array.dtype))
                roll.rows[:begin] = self.array
            roll.rows[begin:end] = more
            roll.used = end
        return Tape(roll, roll.rows[:end])


class _Roll:
    """The rows that tapes are the beginnings of; the first ``used`` belong to somebody."""

    __slots__ = ("lock", "rows", "used")

    def __init__(self, rows: NDArray[Any]) -> None:
        self.lock = threading.Lock()
        self.rows = rows
        self.used = 0


_ROOM = 1024
