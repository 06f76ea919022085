"""A space as it was at a past moment: without what came since, and with what has been taken out since.

Ranking counts over the documents of a space, so it must not count what was said later; else a question that is asked
as of a moment would be answered otherwise than it was then.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from smartbrain.ports import FLAG_DELETED, LANGUAGES, DocColumns, IndexedDoc, LexicalView, Postings, VectorView
from smartbrain.stores.index.tail import CAP


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """What one space held at a moment.

    ``there`` says of each ordinal given out by then whether its document was to be found; ``restored`` are the words
    of those that have been taken out of the index since.
    """

    columns: DocColumns
    total_length: int
    there: NDArray[np.bool_]
    restored: Mapping[int, Mapping[str, int]]

    def lexical(self, view: LexicalView) -> LexicalView:
        """The postings of a view of the same snapshot, as they were."""
        postings = {term: self._postings(term, found) for term, found in view.postings.items()}
        return LexicalView(len(self.there), self.total_length, postings, self.columns)

    def _postings(self, term: str, found: Postings) -> Postings:
        kept = found.ords < len(self.there)
        kept[kept] = self.there[found.ords[kept]]
        ords, tfs = found.ords[kept], found.tfs[kept]
        back = sorted(ord_ for ord_, terms in self.restored.items() if term in terms)
        if not back:
            return Postings(ords, tfs)
        counts = [min(self.restored[ord_][term], CAP) for ord_ in back]
        ords = np.concatenate((ords, np.array(back, dtype=np.uint32)))
        tfs = np.concatenate((tfs, np.array(counts, dtype=np.uint16)))
        order = np.argsort(ords, kind="stable")
        return Postings(ords[order], tfs[order])

    def vectors(self, view: VectorView) -> VectorView:
        """The vectors of what was there; the same object for the same moment, where the others only came behind it.

        Those of what has been taken out since are gone: words alone find it.
        """
        kept = view.ords < len(self.there)
        kept[kept] = self.there[view.ords[kept]]
        count = int(np.count_nonzero(kept))
        if count == len(kept):
            return view
        if count and kept[:count].all():
            return _beginning(view, count)
        ords, languages, vectors = view.ords[kept], view.languages[kept], view.vectors[kept]
        sums = np.zeros_like(view.sums)
        for place in range(len(LANGUAGES)):
            sums[place] = vectors[languages == place].sum(axis=0, dtype=np.float64)
        return VectorView(ords, languages, vectors, sums, np.bincount(languages, minlength=len(LANGUAGES)))


def _beginning(view: VectorView, count: int) -> VectorView:
    """The first vectors of a view, without copying them; of each view that of the last moment is kept."""
    with _LOCK:
        kept = _BEGINNINGS.get(view)
    if kept is None or len(kept.ords) != count:
        languages, vectors = view.languages[:count], view.vectors[:count]
        counts = np.bincount(languages, minlength=len(LANGUAGES))
        sums = np.zeros_like(view.sums)
        for place in np.flatnonzero(counts):
            sums[place] = vectors.sum(axis=0, where=(languages == place)[:, None], dtype=np.float64)
        kept = VectorView(view.ords[:count], languages, vectors, sums, counts)
        with _LOCK:
            _BEGINNINGS[view] = kept
    return kept


_LOCK = threading.Lock()
_BEGINNINGS: WeakKeyDictionary[VectorView, VectorView] = WeakKeyDictionary()


def past_of(columns: DocColumns, hidden: Collection[int], restored: Mapping[int, IndexedDoc]) -> Past:
    """The space as it was before the documents ``hidden`` came, and while ``restored`` were still in it."""
    unseen = np.zeros(len(columns.flags), dtype=np.bool_)
    unseen[list(hidden)] = True
    known = np.flatnonzero(~unseen)
    size = int(known[-1]) + 1 if len(known) else 0
    # A copy of its own: what is kept by array (``retrieval.shape``) must not take it for the space of today.
    made = DocColumns(**{field.name: getattr(columns, field.name)[:size].copy()[:] for field in fields(columns)})
    unseen = unseen[:size]
    for name in ("length", "chars", "day", "speaker"):
        getattr(made, name)[unseen] = 0
    made.flags[unseen] = FLAG_DELETED
    for ord_, doc in restored.items():
        made.length[ord_], made.chars[ord_] = min(doc.length, CAP), min(doc.chars, CAP)
        made.day[ord_], made.flags[ord_] = doc.day, doc.flags
    there = (made.flags & FLAG_DELETED) == 0
    for field in fields(made):
        getattr(made, field.name).flags.writeable = False
    total = int(made.length.sum(dtype=np.int64))
    return Past(made, total, there, {ord_: doc.terms for ord_, doc in restored.items()})
