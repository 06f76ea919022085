"""Memory items that were read before, kept as values: making one from its row costs more than reading the row."""

from __future__ import annotations

import marshal
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from smartbrain.model import MemoryItem


class ItemCache:
    """The least recently used items, bounded by bytes; safe for threads.

    An item is kept under all that it was made from, so it is never an old one. max_bytes: about what is kept.
    """

    def __init__(self, max_bytes: int) -> None:
        self._lock = threading.Lock()
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, tuple[int, MemoryItem, bytes]] = OrderedDict()

    @property
    def nbytes(self) -> int:
        """About the bytes held now."""
        return self._bytes

    def of(self, made_from: Hashable, size: int, make: Callable[[], MemoryItem], *, shared: bool = False) -> MemoryItem:
        """The item that is made from something; ``size``: characters of what it is made from.

        Whoever gets one gets a value of his own: what he does to it changes no other. With ``shared`` it is the kept
        one, and must not be changed.
        """
        with self._lock:
            entry = self._kept.get(made_from)
            if entry is not None:
                self._kept.move_to_end(made_from)
        if entry is None:
            item = make()
            entry = (_FIELDS + _CHARACTER * size, item, marshal.dumps(item.value))
            self._put(made_from, entry)
        if shared:
            return entry[1]
        # A copy part by part takes several times as long as reading it.
        return entry[1].model_copy(update={"value": marshal.loads(entry[2])})  # noqa: S302 - dumped above

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def _put(self, made_from: Hashable, entry: tuple[int, MemoryItem, bytes]) -> None:
        with self._lock:
            old = self._kept.pop(made_from, None)
            self._kept[made_from] = entry
            self._bytes += entry[0] - (old[0] if old else 0)
            while self._bytes > self._max_bytes:
                _, (size, _, _) = self._kept.popitem(last=False)
                self._bytes -= size


_FIELDS = 5_000
"""Bytes of an item and its sources beside their texts, as measured."""
_CHARACTER = 4
