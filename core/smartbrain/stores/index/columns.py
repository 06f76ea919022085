"""What ranking knows of every document, as bytes: blocks of COLUMN_BLOCK documents, byte planes under zlib.

A block is a header (format, number of documents, which of the 17 byte planes are not all zero, smallest segment,
smallest day) and the other planes one after the other, deflated. Segment and day are stored less the smallest of
the block, ``prev`` as the distance back to it (0: none), so that most planes vanish.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smartbrain.errors import StoreError
from smartbrain.ports import DocColumns

COLUMN_BLOCK = 1024
ROW = np.dtype(
    [
        ("length", "<u2"),
        ("chars", "<u2"),
        ("prev", "<i4"),
        ("segment", "<u4"),
        ("day", "<u2"),
        ("speaker", "<u2"),
        ("flags", "u1"),
    ]
)
FIELDS = ROW.names or ()
Rows = NDArray[np.void]
_HEADER = struct.Struct("<BHIIH")
_VERSION = 1
_PLANES = ROW.itemsize


def encode_block(base: int, rows: Rows) -> bytes:
    """The blob of the documents ``base, base + 1, ...``; ``rows`` holds 1..COLUMN_BLOCK entries of ROW."""
    packed = rows.copy()
    segment, day = int(rows["segment"].min()), int(rows["day"].min())
    ordinals = np.arange(base, base + len(rows), dtype=np.int64)
    packed["segment"] -= np.uint32(segment)
    packed["day"] -= np.uint16(day)
    packed["prev"] = np.where(rows["prev"] < 0, 0, ordinals - rows["prev"])
    planes = packed.view(np.uint8).reshape(len(rows), _PLANES).T
    used = np.flatnonzero(planes.any(axis=1))
    mask = sum(1 << plane for plane in used.tolist())
    return _HEADER.pack(_VERSION, len(rows), mask, segment, day) + zlib.compress(planes[used].tobytes(), 6)


def decode_blocks(blocks: Iterable[tuple[int, bytes]], begin: int, end: int) -> Rows:
    """The rows of the documents ``begin..end - 1``, which the blocks must cover without a gap from ``begin``."""
    planes = np.zeros((_PLANES, end - begin), dtype=np.uint8)
    segments = np.zeros(end - begin, dtype=np.uint32)
    days = np.zeros(end - begin, dtype=np.uint16)
    at = 0
    for base, blob in blocks:
        count, used, data, segment, day = _open_block(base, blob)
        if base != begin + at or at + count > end - begin:
            raise StoreError(f"the lexical index has a misplaced column block at document {base}")
        for plane, values in zip(used, data, strict=True):
            planes[plane, at : at + count] = values
        segments[at : at + count] = segment
        days[at : at + count] = day
        at += count
    if at != end - begin:
        raise StoreError(f"the lexical index lacks the columns of the documents from {begin + at}")
    rows = np.ascontiguousarray(planes.T).view(ROW)[:, 0]
    rows["segment"] += segments
    rows["day"] += days
    ordinals = np.arange(begin, end, dtype=np.int64)
    rows["prev"] = np.where(rows["prev"] == 0, -1, ordinals - rows["prev"])
    return rows


def _open_block(base: int, blob: bytes) -> tuple[int, list[int], NDArray[np.uint8], int, int]:
    try:
        version, count, mask, segment, day = _HEADER.unpack_from(blob)
        if version != _VERSION:
            raise StoreError(f"a column block of the lexical index has the unknown format {version}")
        used = [plane for plane in range(_PLANES) if mask >> plane & 1]
        data = np.frombuffer(zlib.decompress(blob[_HEADER.size :]), np.uint8).reshape(len(used), count)
    except (struct.error, zlib.error, ValueError) as error:
        raise StoreError(f"the column block of the lexical index at document {base} is damaged") from error
    return count, used, data, segment, day


class ColumnBuffer:
    """The columns of a space with room at the end, into which the tail is written; not thread-safe by itself.

    Views that were handed out end before the rows written later, so they never change.
    """

    def __init__(self, flushed: int, room: int) -> None:
        self.flushed = flushed
        self._room = room
        self._arrays: tuple[NDArray[Any], ...] = tuple(np.empty(flushed + room, dtype=ROW[name]) for name in FIELDS)
        self._tail: list[bytes] = []
        self._view: DocColumns | None = None

    @property
    def nbytes(self) -> int:
        """Bytes held by the arrays."""
        return sum(array.nbytes for array in self._arrays)

    def fill(self, at: int, rows: Rows) -> None:
        """Write flushed rows from ordinal ``at`` on; only before the buffer is shared."""
        for name, array in zip(FIELDS, self._arrays, strict=True):
            array[at : at + len(rows)] = rows[name]

    def grown(self, flushed: int, room: int) -> ColumnBuffer:
        """A new buffer for ``flushed`` documents that begins with the flushed rows of this one."""
        other = ColumnBuffer(flushed, room)
        for mine, theirs in zip(self._arrays, other._arrays, strict=True):
            theirs[: self.flushed] = mine[: self.flushed]
        return other

    def with_tail(self, headers: list[bytes]) -> DocColumns | None:
        """Flushed rows and these tail rows (ROW bytes each); None if other tail rows or too few places are there."""
        known = min(len(headers), len(self._tail))
        if len(headers) > self._room or headers[:known] != self._tail[:known]:
            return None
        count = self.flushed + len(headers)
        new = headers[known:]
        if new:
            self.fill(self.flushed + known, np.frombuffer(b"".join(new), ROW))
            self._tail += new
        if self._view is None or len(self._view.length) != count:
            self._view = DocColumns(*(_read_only(array[:count]) for array in self._arrays))
        return self._view


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array
