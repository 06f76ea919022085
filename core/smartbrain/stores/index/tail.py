"""Documents that were committed but not flushed yet: a small blob each. What was read of them is kept and added to.

Layout: ``01`` | one ROW of columns | terms. Terms are UTF-8 between bytes 0xFF, which UTF-8 never holds; a count
above one follows its term after a byte 0xFE, in decimal: ``FF t e a FF c u p FE 3 FF``.

Every PACK documents are packed into one row, as a space of a few hundred documents may stay in its tail for good:
``02`` | deflated (number of documents, length of each blob, the blobs one after the other).
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from smartbrain.errors import InputError, StoreError
from smartbrain.ports import FLAG_DELETED, IndexedDoc, Postings
from smartbrain.stores.index.columns import ROW

_ROW = struct.Struct("<HHiIHHB")  # the fields of ROW
_VERSION = b"\x01"
_BODY = 1 + ROW.itemsize
_SEPARATOR = b"\xff"
_COUNT = b"\xfe"
CAP = 0xFFFF
"""The most that a length or a count is kept as."""
_PACKED = b"\x02"
PACK = 32
_NEWER = 1_024  # words beside the others, so that few are copied when a document comes
Places = tuple[int, ...]
"""Where a term stands: an ordinal and a count in turn."""


def encode_row(ordinal: int, doc: IndexedDoc) -> bytes:
    """The ROW of a document. Raises InputError for a value that cannot be, but for a term that no UTF-8 can hold."""
    if not -1 <= doc.prev < ordinal:
        raise InputError(f"document {ordinal} cannot follow document {doc.prev}")
    if doc.terms and ("" in doc.terms or min(doc.terms.values()) < 1):
        raise InputError(f"document {ordinal} has an empty term or a count below one")
    length, chars = min(doc.length, CAP), min(doc.chars, CAP)
    try:
        return _ROW.pack(length, chars, doc.prev, doc.segment, doc.day, doc.speaker, doc.flags)
    except struct.error as error:
        raise InputError(f"document {ordinal} does not fit the lexical index: {error}") from error


def encode_doc(ordinal: int, doc: IndexedDoc) -> bytes:
    """The tail blob of a document. Raises InputError for a value that cannot be."""
    row = encode_row(ordinal, doc)
    try:
        body = _SEPARATOR.join([_item(term, count) for term, count in doc.terms.items()])
    except UnicodeEncodeError as error:
        raise InputError(f"document {ordinal} does not fit the lexical index: {error}") from error
    return _VERSION + row + (_SEPARATOR + body + _SEPARATOR if body else b"")


def _item(term: str, count: int) -> bytes:
    return term.encode() if count == 1 else term.encode() + _COUNT + str(min(count, CAP)).encode()


def delete(rows: NDArray[np.void], *, blank: bool) -> None:
    """Flags documents as deleted and takes their length away; ``blank``: all that says what they were like."""
    rows["length"] = 0
    if blank:
        for name in ("chars", "day", "speaker", "flags"):
            rows[name] = 0
    rows["flags"] |= FLAG_DELETED


def deleted(blob: bytes, *, blank: bool = False) -> bytes:
    """The same document without its terms and its length, flagged as deleted; see ``delete``."""
    row = np.frombuffer(blob, ROW, 1, 1).copy()
    delete(row, blank=blank)
    return _VERSION + row.tobytes()


def tail_rows(first: int, blobs: Sequence[bytes]) -> list[tuple[int, bytes]]:
    """The rows (ordinal, blob) of consecutive documents from ``first`` on: as many as make packs in one row, the
    others in one each."""
    packed = len(blobs) // PACK * PACK
    begin = [(first, _pack(blobs[:packed]))] if packed else []
    return [*begin, *enumerate(blobs[packed:], first + packed)]


def packed_rows(rows: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """The same documents in fewer rows."""
    blobs = [blob for row in rows for _, blob in _unpack(*row)]
    return tail_rows(rows[0][0], blobs)


def _pack(blobs: Sequence[bytes]) -> bytes:
    sizes = np.array([len(blobs), *map(len, blobs)], dtype="<u4")
    return _PACKED + zlib.compress(sizes.tobytes() + b"".join(blobs), 3)


def _unpack(ordinal: int, blob: bytes) -> list[tuple[int, bytes]]:
    if blob[:1] != _PACKED:
        return [(ordinal, blob)]
    try:
        data = zlib.decompress(blob[1:])
        count = int.from_bytes(data[:4], "little")
        sizes = np.frombuffer(data, "<u4", count, 4).tolist()
    except (zlib.error, ValueError) as error:
        raise StoreError("a packed row in the tail of the lexical index is damaged") from error
    ends = list(accumulate(sizes, initial=4 + 4 * count))
    return [(ordinal + at, data[ends[at] : ends[at + 1]]) for at in range(count)]


class Tail:
    """The tail of a space, opened for reading; one that was handed on is not changed.

    ``rows`` are as they are stored; what they hold before ``first`` is left out. Raises StoreError unless they hold
    the documents ``first..last - 1``.
    """

    def __init__(self, rows: Sequence[tuple[int, bytes]], first: int, last: int) -> None:
        single = [(at, doc) for ordinal, blob in rows for at, doc in _unpack(ordinal, blob) if at >= first]
        if [ordinal for ordinal, _ in single] != list(range(first, last)):
            raise StoreError("the tail of the lexical index does not fit its head")
        if any(blob[:1] != _VERSION or len(blob) < _BODY for _, blob in single):
            raise StoreError("a tail row of the lexical index has an unknown format")
        self.first = first
        self.blobs = [blob for _, blob in single]
        self.headers = [blob[1:_BODY] for blob in self.blobs]
        self._words: tuple[Mapping[bytes, Places], Mapping[bytes, Places]] | None = None

    @property
    def end(self) -> int:
        """The ordinal behind the last document."""
        return self.first + len(self.blobs)

    @property
    def nbytes(self) -> int:
        """About the bytes held, once its words were looked for."""
        return _BYTES_HELD * sum(map(len, self.blobs))

    def with_more(self, more: Tail) -> Tail:
        """With the documents of a tail that begins at this one's end; of this one's nothing is read again."""
        whole = copy(self)
        whole.blobs, whole.headers = self.blobs + more.blobs, self.headers + more.headers
        if self._words is not None:
            older, newer = self._words
            newer = _with_words(newer, more)
            whole._words = (_together(older, newer), {}) if len(newer) > _NEWER else (older, newer)
        return whole

    def find(self, terms: Mapping[str, int]) -> dict[str, Postings]:
        """The postings of those terms that occur, each from an ordinal of its own on."""
        if self._words is None:
            self._words = (_with_words({}, self), {})
        older, newer = self._words
        found = {}
        for term, begin in terms.items():
            key = term.encode()
            said = older.get(key, ()) + newer.get(key, ())
            if said and said[0] < begin:
                said = said[2 * bisect_left(said[0::2], begin) :]
            if said:
                found[term] = Postings(np.array(said[0::2], np.uint32), np.array(said[1::2], np.uint16))
        return found

    def items(self) -> Iterable[list[tuple[bytes, int]]]:
        """The terms of each document in UTF-8 with their counts."""
        for blob in self.blobs:
            parts = blob[_BODY + 1 : -1].split(_SEPARATOR) if len(blob) > _BODY else []
            if _COUNT in blob:
                split = (part.partition(_COUNT) for part in parts)
                yield [(term, int(count or b"1")) for term, _, count in split]
            else:
                yield [(part, 1) for part in parts]


def _with_words(known: Mapping[bytes, Places], tail: Tail) -> dict[bytes, Places]:
    """Where each term stands: what is known, and what a tail that follows adds."""
    words = dict(known)
    fresh: dict[bytes, list[int]] = {}
    for ordinal, items in enumerate(tail.items(), tail.first):
        for term, count in items:
            fresh.setdefault(term, []).extend((ordinal, count))
    for term, said in fresh.items():
        words[term] = words.get(term, ()) + tuple(said)
    return words


def _together(older: Mapping[bytes, Places], newer: Mapping[bytes, Places]) -> dict[bytes, Places]:
    return {**older, **{term: older.get(term, ()) + said for term, said in newer.items()}}


_BYTES_HELD = 10  # for each byte of the documents: measured, in talk of many words
