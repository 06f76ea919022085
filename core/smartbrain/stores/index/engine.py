"""The lexical index of a space: append documents, look terms up, take documents out.

A commit appends to the *tail*, a small row per document, packed from time to time. When the tail is long enough, it
moves, a part of its terms every so many documents: the postings go to the end of the term's last block, at last the
columns into their blocks (``moving``). What ``lookup`` gives depends only on the documents and removals, never on when
and how far the tail was moved.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from smartbrain.errors import NotFoundError, StoreError
from smartbrain.ports import DocColumns, IndexedDoc, LexicalView, Postings
from smartbrain.stores.index import codec
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.index.columns import COLUMN_BLOCK, ColumnBuffer, decode_blocks
from smartbrain.stores.index.fingerprint import tail_mark
from smartbrain.stores.index.moving import advance, flush
from smartbrain.stores.index.removing import take_out
from smartbrain.stores.index.rows import IndexHead, IndexLimits, IndexRows
from smartbrain.stores.index.tail import CAP, PACK, Tail, encode_doc, packed_rows

_LIMITS = IndexLimits()
_NOTHING = Postings(np.zeros(0, np.uint32), np.zeros(0, np.uint16))


def add(rows: IndexRows, docs: Sequence[IndexedDoc], limits: IndexLimits = _LIMITS) -> list[int]:
    """Append documents and return their ordinals, which continue ``rows.head().n_docs``.

    As many documents at once as the tail is to hold go into the blocks themselves, and the tail with them. Lengths,
    characters and counts above 65,535 are capped.
    Raises InputError, before anything is written, for a document that is malformed.
    """
    if not docs:
        return []
    head = rows.head()
    ordinals = list(range(head.n_docs, head.n_docs + len(docs)))
    length = sum(min(doc.length, CAP) for doc in docs)
    head = replace(head, n_docs=head.n_docs + len(docs), total_length=head.total_length + length)
    if len(docs) >= limits.tail_max:
        head = flush(rows, head, docs, limits)
    else:
        fresh = list(zip(ordinals, map(encode_doc, ordinals, docs), strict=True))
        _append_tail(rows, head, fresh)
        head = replace(head, mark=tail_mark(head.mark, [blob for _, blob in fresh]))
        head = advance(rows, head, len(docs), limits)
    rows.put_head(head)
    return ordinals


def _append_tail(rows: IndexRows, head: IndexHead, fresh: list[tuple[int, bytes]]) -> None:
    before = fresh[0][0] - head.settled
    if (head.n_docs - head.settled) // PACK > before // PACK:
        loose = [row for row in rows.tail(head.settled + before // PACK * PACK) if row[0] >= head.settled]
        rows.clear_tail(loose[0][0] if loose else head.n_docs, head.n_docs)
        fresh = packed_rows([*loose, *fresh])
    rows.add_tail(fresh)


@dataclass(frozen=True, slots=True)
class OpenSpace:
    """What every look into a space needs, whichever terms it asks for; good as long as the space does not change."""

    head: IndexHead
    tail: Tail
    columns: DocColumns


def open_space(rows: IndexRows, cache: ColumnCache | None = None) -> OpenSpace:
    """The space as it is now. Raises StoreError when rows are missing or damaged."""
    head = rows.head()
    tail = _tail(rows, head, cache)
    return OpenSpace(head, tail, _columns(rows, head, tail, cache))


def lookup(
    rows: IndexRows, terms: Collection[str], cache: ColumnCache | None = None, space: OpenSpace | None = None
) -> LexicalView:
    """The space as ranking sees it; each asked term has its postings, empty if it does not occur.

    ``n_docs`` counts all ordinals, deleted documents included; treat the arrays as read-only. ``space``: what was
    opened before in the same snapshot. Raises StoreError when rows are missing or damaged.
    """
    opened = space or open_space(rows, cache)
    head, tail = opened.head, opened.tail
    asked = list(dict.fromkeys(terms))
    old = _flushed_postings(rows, head, asked, cache)
    new = tail.find({term: head.blocks_of(term)[1] for term in asked})
    postings = {term: _joined(old.get(term), new.get(term)) for term in asked}
    return LexicalView(head.n_docs, head.total_length, postings, opened.columns)


def remove(rows: IndexRows, docs: Mapping[int, Collection[str]], *, blank: bool = False) -> None:
    """Take documents out: ordinal -> its terms. Their postings are gone, their length is 0, FLAG_DELETED is set.

    ``blank`` takes out what the columns say of them, too: size, day, speaker and kind.

    Terms that a document does not have are passed over, and so is what was removed before.
    Raises NotFoundError, before anything is written, for an ordinal that was never given out.
    """
    head = rows.head()
    unknown = [ordinal for ordinal in docs if not 0 <= ordinal < head.n_docs]
    if unknown:
        raise NotFoundError(f"the lexical index holds no document {unknown[0]}")
    rows.put_head(take_out(rows, head, docs, _LIMITS, blank=blank))


def _tail(rows: IndexRows, head: IndexHead, cache: ColumnCache | None) -> Tail:
    """The tail as it is stored; only what was added is read when the rest is kept."""
    if cache is None:
        return Tail(rows.tail(), head.n_flushed, head.n_docs)
    mark, kept = cache.tail(rows.space) or (0, Tail((), head.n_flushed, head.n_flushed))
    if (mark, kept.first, kept.end) == (head.mark, head.n_flushed, head.n_docs):
        return kept
    tail = None
    if kept.first == head.n_flushed and kept.end < head.n_docs:
        more = Tail(rows.tail(kept.end), kept.end, head.n_docs)
        if tail_mark(mark, more.blobs) == head.mark:
            tail = kept.with_more(more)
    tail = tail or Tail(rows.tail(), head.n_flushed, head.n_docs)
    cache.put_tail(rows.space, head.mark, tail)
    return tail


def _flushed_postings(
    rows: IndexRows, head: IndexHead, terms: Sequence[str], cache: ColumnCache | None
) -> dict[str, Postings]:
    if not head.settled:
        return {}
    if cache is None:
        return _read_postings(rows, head, terms)
    kept = {term: cache.postings(rows.space, head.blocks_of(term)[0], term) for term in terms}
    missing = [term for term, postings in kept.items() if postings is None]
    read = _read_postings(rows, head, missing) if missing else {}
    for term in missing:
        cache.put_postings(rows.space, head.blocks_of(term)[0], term, read.get(term, _NOTHING))
    return read | {term: postings for term, postings in kept.items() if postings is not None}


def _read_postings(rows: IndexRows, head: IndexHead, terms: Sequence[str]) -> dict[str, Postings]:
    owners: list[str] = []
    blocks: list[tuple[int, bytes]] = []
    for term, base, blob in rows.postings(terms):
        owners.append(term)
        blocks.append((base, blob))
    runs = codec.decode(blocks)
    found = {}
    begin = 0
    for end in range(1, len(owners) + 1):
        if end == len(owners) or owners[end] != owners[begin]:
            part = slice(int(runs.starts[begin]), int(runs.starts[end]))
            found[owners[begin]] = _checked(runs.ords[part], runs.tfs[part], head.blocks_of(owners[begin])[1])
            begin = end
    return found


def _checked(ords: NDArray[np.uint32], tfs: NDArray[np.uint16], end: int) -> Postings:
    if ords[-1] >= end or not np.all(ords[1:] > ords[:-1]):
        raise StoreError("the postings of the lexical index are out of order")
    postings = Postings(ords.copy(), tfs.copy())  # a slice would keep the postings of all asked terms alive
    postings.ords.flags.writeable = False
    postings.tfs.flags.writeable = False
    return postings


def _joined(old: Postings | None, new: Postings | None) -> Postings:
    if old is None or new is None or not len(old.ords):
        return new or old or _NOTHING
    return Postings(np.concatenate((old.ords, new.ords)), np.concatenate((old.tfs, new.tfs)))


def _columns(rows: IndexRows, head: IndexHead, tail: Tail, cache: ColumnCache | None) -> DocColumns:
    if cache is None:
        buffer = ColumnBuffer(head.n_flushed, len(tail.headers))
        buffer.fill(0, decode_blocks(rows.columns(), 0, head.n_flushed))
        return _whole(buffer.with_tail(tail.headers))
    with cache.lock:
        kept = cache.columns(rows.space)
        view = kept[1].with_tail(tail.headers) if kept and kept[0] == head.generation else None
    if view is not None:
        return view
    room = max(_LIMITS.tail_max, 2 * len(tail.headers))
    buffer = _read_columns(rows, head, kept, room)
    view = _whole(buffer.with_tail(tail.headers))
    cache.put_columns(rows.space, head.generation, buffer)
    return view


def _read_columns(rows: IndexRows, head: IndexHead, kept: tuple[int, ColumnBuffer] | None, room: int) -> ColumnBuffer:
    """Columns of all flushed documents; only what was appended is read when the rest is kept."""
    if kept and kept[0] in (head.generation, head.parent) and kept[1].flushed <= head.n_flushed:
        buffer = kept[1].grown(head.n_flushed, room)
        begin = kept[1].flushed // COLUMN_BLOCK * COLUMN_BLOCK
    else:
        buffer, begin = ColumnBuffer(head.n_flushed, room), 0
    if begin < head.n_flushed:
        buffer.fill(begin, decode_blocks(rows.columns(begin), begin, head.n_flushed))
    return buffer


def _whole(view: DocColumns | None) -> DocColumns:
    if view is None:
        raise StoreError("the columns of the lexical index have no room for the tail")
    return view
