"""Values that follow from an array which only grows: made once, and only added to where it grew."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value")


class Growing(Generic[Value]):
    """Values by the array that what they follow from is a view of: a store hands out views of one buffer, which it
    replaces when anything but its end changes. At most ``kept`` are held, and none longer than its array; safe for
    threads.
    """

    def __init__(self, kept: int) -> None:
        self._most = kept
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, tuple[weakref.ref[NDArray[Any]], int, Value]] = OrderedDict()

    def of(self, array: NDArray[Any], grow: Callable[[Value | None], Value]) -> Value:
        """The value for a view of a buffer. ``grow`` makes it from the value of a shorter view, or from nothing."""
        base, size = array.base, len(array)
        if not isinstance(base, np.ndarray):
            return grow(None)
        with self._lock:
            entry = self._kept.get(id(base))
        known: Value | None = None
        if entry is not None and entry[0]() is base and entry[1] <= size:  # longer: somebody reads it as it was
            if entry[1] == size:
                return entry[2]
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
