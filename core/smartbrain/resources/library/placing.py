"""Where entries stand in the index of their layer."""

from __future__ import annotations

from collections.abc import Mapping

from smartbrain.ports import IndexedDoc
from smartbrain.resources.library.records import language_place
from smartbrain.stores.indexing import LAST_DAY, SEGMENT_CHARS

_DAY_US = 86_400_000_000


class Placing:
    """Gives entries their ordinals, neighbours and stretches: a stretch is at most 4,000 characters of one document."""

    def __init__(self, layer: int, first: int, segment: int) -> None:
        self._alone = layer != 0
        self.docs: list[IndexedDoc] = []
        self.next = first
        self.segment = segment
        self._prev = -1
        self._chars = 0

    def add(self, chars: int, terms: Mapping[str, int], modified_us: int, language: str) -> None:
        """The next entry of a document."""
        if self._prev >= 0 and (self._alone or self._chars + chars > SEGMENT_CHARS):
            self.segment, self._chars = self.segment + 1, 0
        self._chars += chars
        self.docs.append(
            IndexedDoc(
                terms=terms,
                length=sum(terms.values()),
                chars=chars,
                prev=-1 if self._alone else self._prev,
                segment=self.segment,
                day=min(max(modified_us // _DAY_US, 0), LAST_DAY),
                speaker=language_place(language),
                flags=0,
            )
        )
        self._prev = self.next
        self.next += 1

    def end_document(self) -> None:
        """What comes next belongs to another document."""
        if self._prev >= 0:
            self.segment += 1
        self._prev, self._chars = -1, 0
