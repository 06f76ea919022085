"""How a tail that is long enough gets into the blocks: a part of its terms at a time.

Moved at once it took a commit 50 to 200 ms; with every document a few terms, it made each commit dearer by a tenth. So
the postings are written down in the order of the terms, in a few *pieces*, and every ``IndexLimits.step`` documents one
of them moves: the postings of its terms go to the end of those terms' last blocks. Until the last piece has gone,
``IndexHead.blocks_of`` says of each term whether its blocks hold the moving documents or the tail does. Their columns
follow with the last piece.

A piece is ``term FE place,place*count,... FF term FE ...``: a place counts from the first moving document, a count
above one follows it, both in decimal. UTF-8 holds neither byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from smartbrain.errors import InputError, StoreError
from smartbrain.ports import IndexedDoc
from smartbrain.stores.index.adding import Posting, extended
from smartbrain.stores.index.codec import count_of
from smartbrain.stores.index.columns import COLUMN_BLOCK, ROW, Rows, decode_blocks, encode_block
from smartbrain.stores.index.fingerprint import fingerprint
from smartbrain.stores.index.rows import IndexHead, IndexLimits, IndexRows
from smartbrain.stores.index.tail import CAP, Tail, encode_row

_AT_ONCE = 512  # terms whose last blocks are in memory together
_SEPARATOR = b"\xff"
_PLACES = b"\xfe"


def advance(rows: IndexRows, head: IndexHead, docs: int, limits: IndexLimits) -> IndexHead:
    """What is due when so many documents, which are in the tail by now, have come; the head that follows, which is
    still to be put."""
    due = head.n_docs // limits.step - (head.n_docs - docs) // limits.step
    if not due:
        return head
    if head.moving <= head.n_flushed:
        return _begin(rows, head, limits) if head.n_docs - head.n_flushed >= limits.tail_max else head
    if head.n_docs - head.moving >= limits.tail_max:
        return finish(rows, head, limits)
    pieces = rows.pieces(due + 1)
    if len(pieces) <= due:
        return finish(rows, head, limits)
    head = _move(rows, head, _parts(pieces[:due]), limits)
    rows.drop_pieces(pieces[due - 1][0])
    return head


def finish(rows: IndexRows, head: IndexHead, limits: IndexLimits) -> IndexHead:
    """Moves what is still to move; the head that follows. Nothing if nothing moves."""
    if head.moving <= head.n_flushed:
        return head
    while pieces := rows.pieces(_AT_ONCE):
        head = _move(rows, head, _parts(pieces), limits)
        rows.drop_pieces(pieces[-1][0])
    tail = [row for row in rows.tail() if row[0] < head.moving]
    headers = Tail(tail, head.n_flushed, head.moving).headers
    head = _arrived(rows, head, b"".join(headers))
    rows.clear_tail(0, head.n_flushed)
    return head


def flush(rows: IndexRows, head: IndexHead, fresh: Sequence[IndexedDoc], limits: IndexLimits) -> IndexHead:
    """Moves the whole tail, and behind it the new documents that ``head`` counts already, into blocks at once; the
    head that follows.

    Raises InputError, before anything is written, for a document that is malformed.
    """
    first = head.n_docs - len(fresh)
    headers = [encode_row(ordinal, doc) for ordinal, doc in enumerate(fresh, first)]
    said = [_encoded(doc) for doc in fresh]
    head = finish(rows, head, limits)
    tail = Tail(rows.tail(), head.n_flushed, first)
    terms = _by_term(chain(tail.items(), said))
    columns = b"".join([*tail.headers, *headers])
    head = _announced(head, columns, terms)
    for begin in range(0, len(terms), _AT_ONCE):
        head = _move(rows, head, terms[begin : begin + _AT_ONCE], limits)
    head = _arrived(rows, head, columns)
    rows.clear_tail(0, head.n_flushed)
    return head


def _encoded(doc: IndexedDoc) -> list[tuple[bytes, int]]:
    try:
        return [(term.encode(), min(count, CAP)) for term, count in doc.terms.items()]
    except UnicodeEncodeError as error:
        raise InputError(f"a term does not fit the lexical index: {error}") from error


def _begin(rows: IndexRows, head: IndexHead, limits: IndexLimits) -> IndexHead:
    tail = Tail(rows.tail(), head.n_flushed, head.n_docs)
    terms = _by_term(tail.items())
    pieces = max(limits.tail_max // limits.step, 1)
    size = max(-(-len(terms) // pieces), 1)
    parts = range(0, len(terms), size)
    rows.put_pieces([(piece, _SEPARATOR.join(terms[at : at + size])) for piece, at in enumerate(parts)])
    return _announced(head, b"".join(tail.headers), terms)


def _announced(head: IndexHead, columns: bytes, terms: Iterable[bytes]) -> IndexHead:
    """With all documents on their way, and the generation there will be when these terms of theirs have arrived."""
    coming = fingerprint(head.generation, [b"move", columns, *terms])
    return replace(head, moving=head.n_docs, moved="", coming=coming)


def _arrived(rows: IndexRows, head: IndexHead, columns: bytes) -> IndexHead:
    _append_columns(rows, head.n_flushed, np.frombuffer(columns, ROW))
    return replace(
        head, n_flushed=head.moving, generation=head.coming, parent=head.generation, moving=0, moved="", coming=0
    )


def _by_term(documents: Iterable[Iterable[tuple[bytes, int]]]) -> list[bytes]:
    """What a piece says of each term, the terms in order. Text and not values: thousands of small objects that live
    for a while would call up the collector of garbage."""
    found: dict[bytes, bytes] = {}
    for place, terms in enumerate(documents):
        alone = b"%d" % place
        for term, count in terms:
            here = alone if count == 1 else b"%d*%d" % (place, count)
            found[term] = found[term] + b"," + here if term in found else term + _PLACES + here
    return sorted(found.values(), key=_name)


def _name(part: bytes) -> bytes:
    return part[: part.index(_PLACES)]


def _postings(part: bytes, first: int) -> tuple[str, list[Posting]]:
    term, _, places = part.partition(_PLACES)
    try:
        if places.isdigit():  # most words stand in one document
            return term.decode(), [(first + int(places), 1)]
        split = (place.partition(b"*") for place in places.split(b","))
        return term.decode(), [(first + int(place), int(count or b"1")) for place, _, count in split]
    except ValueError as error:
        raise StoreError("what the lexical index has to move is damaged") from error


def _move(rows: IndexRows, head: IndexHead, parts: Iterable[bytes], limits: IndexLimits) -> IndexHead:
    """Puts postings behind those of the terms' last blocks."""
    terms = [_postings(part, head.n_flushed) for part in parts]
    last = rows.last_postings([term for term, _ in terms])
    rows.put_postings([row for term, more in terms for row in _blocks(term, last.get(term), more, limits)])
    return replace(head, moved=terms[-1][0])


def _parts(pieces: Iterable[tuple[int, bytes]]) -> list[bytes]:
    return [part for _, blob in pieces for part in blob.split(_SEPARATOR)]


def _blocks(
    term: str, last: tuple[int, bytes] | None, postings: list[Posting], limits: IndexLimits
) -> list[tuple[str, int, bytes]]:
    """The rows that change: the last block up to its full length, and those behind it."""
    most, begin, rows = limits.block_postings, 0, []
    if last is not None and (room := most - count_of(last[1])) > 0:
        begin = room
        rows.append((term, last[0], extended(*last, postings[:room])))
    for at in range(begin, len(postings), most):
        part = postings[at : at + most]
        rows.append((term, part[0][0], extended(part[0][0], b"", part)))
    return rows


def _append_columns(rows: IndexRows, flushed: int, fresh: Rows) -> None:
    base = flushed // COLUMN_BLOCK * COLUMN_BLOCK
    if base < flushed:
        fresh = np.concatenate((decode_blocks(rows.columns(base), base, flushed), fresh))
    parts = range(0, len(fresh), COLUMN_BLOCK)
    rows.put_columns([(base + at, encode_block(base + at, fresh[at : at + COLUMN_BLOCK])) for at in parts])
