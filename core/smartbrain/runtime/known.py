"""What the session's turn before wrote, for rules that look back ("scratch that"); looked up only when one asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from smartbrain.model import ItemStatus, MemoryItem, Scope
from smartbrain.ports import Reader

_NEWEST = 200


class WrittenBefore(Sequence[MemoryItem]):
    """The items, read from the store on the first look: most turns never look back, and reading them would cost every
    commit a query."""

    def __init__(self, load: Callable[[], Sequence[MemoryItem]]) -> None:
        self._load = load
        self._items: Sequence[MemoryItem] | None = None

    @property
    def _all(self) -> Sequence[MemoryItem]:
        if self._items is None:
            self._items = self._load()
        return self._items

    @overload
    def __getitem__(self, index: int) -> MemoryItem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[MemoryItem]: ...
    def __getitem__(self, index: int | slice) -> MemoryItem | Sequence[MemoryItem]:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)


def written_before(
    reader: Reader, scope: Scope, session_id: str, turn_id: str, *, status: ItemStatus | None = "active"
) -> list[MemoryItem]:
    """The items of one scope that came from the session's turn just before this one, which may be a new one."""
    here = reader.turn([scope], session_id, turn_id)
    if here is None:
        before = reader.turns([scope], session_id=session_id, last=1)
    else:
        before = reader.turns([scope], session_id=session_id, seqs=(here.seq - 1, here.seq - 1))
    if not before:
        return []
    turn = before[-1]
    return [
        item
        for item in reader.items([scope], status=status, limit=_NEWEST)
        if (item.source_session_id, item.source_turn_id) == (session_id, turn.turn_id)
    ]
