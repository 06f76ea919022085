"""Posting blocks as bytes: Elias-Fano ordinals and sparse term counts, many blocks coded in one numpy pass.

One block holds n ascending ordinals o_0 < o_1 < ... of a term; o_0 is the ``base`` in its row's key and not
repeated. With v_i = o_i - o_0 - i and l = floor(log2(v_last / n)) (0 at least), the block stores the l low bits
of each v_i (i >= 1) side by side and, as a bit set, the positions (v_i >> l) + i: about log2(mean gap) + 2 bits
a posting whatever the gaps look like (P. Elias 1974; S. Vigna, "Quasi-succinct indices", 2013).

Layout: ``1mmlllll`` | n as 1-2 byte varint | [count bitmap | counts - 2] | low bits | high bits to the end.
The first bit is the version of the format; mm says how the counts above one are written (0: there are none,
1: a byte each, 2: two bytes each). A single posting with count one is the first byte alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smartbrain.errors import StoreError

_VERSION = 0x80
_ALONE = bytes([_VERSION])
_GUARD = bytes(8)  # so that a word may be read at any byte of the low bits, and one value before them
MAX_BLOCK = 0x3FFF

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Runs:
    """Postings of several blocks one after the other; block k is ``[starts[k]:starts[k + 1]]``."""

    ords: NDArray[np.uint32]
    tfs: NDArray[np.uint16]
    starts: Ints


def count_of(blob: bytes) -> int:
    """Number of postings in a block, from its first bytes. Raises StoreError for a foreign blob."""
    if not blob or not blob[0] & _VERSION:
        raise StoreError("a posting block of the lexical index has an unknown format")
    if len(blob) == 1:
        return 1
    size = blob[1] if blob[1] < 0x80 else blob[1] & 0x7F | blob[2] << 7 if len(blob) > 2 else 0
    if not size:
        raise StoreError("a posting block of the lexical index is damaged")
    return size


def encode(runs: Runs) -> list[bytes]:
    """One blob per run; no run is empty or longer than MAX_BLOCK, ordinals ascend strictly, counts are >= 1."""
    starts = runs.starts
    n = np.diff(starts)
    if not len(n):
        return []
    at = np.arange(len(runs.ords), dtype=np.int64) - np.repeat(starts[:-1], n)
    ords = runs.ords.astype(np.int64)
    values = ords - np.repeat(ords[starts[:-1]], n) - at
    width = _low_widths(values[starts[1:] - 1] // n)
    widths = np.repeat(width, n)
    low, low_ends = _pack_low(values & ((1 << widths) - 1), at, n, width)
    high_bytes = (n + (values[starts[1:] - 1] >> width) + 7) >> 3
    high, high_ends = _pack_bits((values >> widths) + at, n, high_bytes)
    modes, counts = _encode_counts(runs, at, n)
    blobs = []
    low_at = high_at = 0
    rows = zip(n.tolist(), (_VERSION | modes << 5 | width).tolist(), low_ends, high_ends, counts, strict=True)
    for size, first, low_end, high_end, count in rows:
        if size == 1 and first == _VERSION:
            blobs.append(_ALONE)
        else:
            head = bytes((first, size)) if size < 0x80 else bytes((first, size & 0x7F | 0x80, size >> 7))
            blobs.append(head + count + low[low_at:low_end] + high[high_at:high_end])
        low_at, high_at = low_end, high_end
    return blobs


def _low_widths(quotients: Ints) -> Ints:
    exponents: Ints = np.frexp(quotients.astype(np.float64))[1].astype(np.int64)
    return np.maximum(exponents - 1, 0)


def _pack_low(values: Ints, at: Ints, n: Ints, width: Ints) -> tuple[bytes, list[int]]:
    """The low bits of all values but the first of each run (it is 0), each run on whole bytes."""
    ends = np.cumsum(((n - 1) * width + 7) >> 3)
    size = int(ends[-1])
    if not size:
        return b"", ends.tolist()
    begins = np.concatenate(([0], ends[:-1]))
    widths = np.repeat(width, n)
    bits = np.repeat(begins * 8, n) + np.maximum(at - 1, 0) * widths
    # Values ascend in their place, so those that begin in one word of 64 bits stand together.
    word = bits >> 6
    offset = bits & 63
    first = np.flatnonzero(np.diff(word, prepend=-1))
    packed = np.zeros((size >> 3) + 2, dtype="<u8")
    packed[word[first]] = np.bitwise_or.reduceat(values.view(np.uint64) << offset.view(np.uint64), first)
    over = np.flatnonzero(offset + widths > 64)  # at most the last of a word reaches into the next
    packed[word[over] + 1] |= (values[over] >> (64 - offset[over])).view(np.uint64)
    return packed.tobytes()[:size], ends.tolist()


def _pack_bits(positions: Ints, n: Ints, sizes: Ints) -> tuple[bytes, list[int]]:
    ends = np.cumsum(sizes)
    bits = np.zeros(int(ends[-1]) * 8, dtype=np.uint8)
    bits[positions + np.repeat((ends - sizes) * 8, n)] = 1
    return np.packbits(bits, bitorder="little").tobytes(), ends.tolist()


def _encode_counts(runs: Runs, at: Ints, n: Ints) -> tuple[Ints, list[bytes]]:
    highest = np.maximum.reduceat(runs.tfs, runs.starts[:-1])
    modes = (highest > 1).astype(np.int64) + (highest > 0xFF + 2)
    many = np.flatnonzero(runs.tfs > 1)
    sizes = np.diff(np.searchsorted(many, runs.starts))
    bits, bit_ends = _pack_bits(at[many], sizes, (n + 7) >> 3)
    ends = np.cumsum(sizes)
    above = runs.tfs[many] - 2
    coded = (b"", above.astype("u1").tobytes(), above.astype("<u2").tobytes())
    parts = [b""] * len(modes)
    for run in np.flatnonzero(modes).tolist():
        mode, end = int(modes[run]), int(ends[run])
        first_bit = bit_ends[run] - (int(n[run]) + 7 >> 3)
        parts[run] = bits[first_bit : bit_ends[run]] + coded[mode][mode * (end - int(sizes[run])) : mode * end]
    return modes, parts


def decode(blocks: Sequence[tuple[int, bytes]]) -> Runs:
    """The postings of (base, blob) blocks. Raises StoreError for a blob that is no block of this format."""
    if not blocks:
        empty = np.zeros(0, dtype=np.uint32)
        return Runs(empty, empty.astype(np.uint16), np.zeros(1, dtype=np.int64))
    sizes, widths, lows, highs = [], [], [_GUARD], []
    counts = _Counts([], [], [], []), _Counts([], [], [], [])
    for run, (_, blob) in enumerate(blocks):
        size = count_of(blob)
        first = blob[0]
        at = 1 + (len(blob) > 1) + (size >= 0x80)
        if first & 0x60:
            at = counts[first >> 6 & 1].take(run, blob, at, size)
        end = at + (((size - 1) * (first & 0x1F) + 7) >> 3)
        sizes.append(size)
        widths.append(first & 0x1F)
        lows.append(blob[at:end])
        highs.append(blob[end:] if len(blob) > 1 else b"\x01")
    starts = np.concatenate(([0], np.cumsum(sizes)))
    ords = _ordinals(np.array([base for base, _ in blocks]), starts, np.array(widths), (lows, highs))
    tfs = np.ones(len(ords), dtype=np.uint16)
    counts[0].put(tfs, starts, "u1")
    counts[1].put(tfs, starts, "<u2")
    return Runs(ords, tfs, starts)


@dataclass(frozen=True, slots=True)
class _Counts:
    """The counts above one of all blocks that write them with the same number of bytes."""

    runs: list[int]
    sizes: list[int]
    bitmaps: list[bytes]
    values: list[bytes]

    def take(self, run: int, blob: bytes, at: int, size: int) -> int:
        """Cut the counts out of ``blob``, which begin at ``at``; where they end."""
        mode = blob[0] >> 5 & 3
        values_at = at + ((size + 7) >> 3)
        size = int.from_bytes(blob[at:values_at], "little").bit_count()
        end = values_at + mode * size
        if mode == 3 or end > len(blob):
            raise StoreError("a posting block of the lexical index is damaged")
        self.runs.append(run)
        self.sizes.append(size)
        self.bitmaps.append(blob[at:values_at])
        self.values.append(blob[values_at:end])
        return end

    def put(self, tfs: NDArray[np.uint16], starts: Ints, kind: str) -> None:
        """Write them to their places in ``tfs``."""
        if not self.runs:
            return
        bits = np.cumsum([0] + [len(bitmap) * 8 for bitmap in self.bitmaps])[:-1]
        many = np.unpackbits(np.frombuffer(b"".join(self.bitmaps), np.uint8), bitorder="little")
        places = np.flatnonzero(many.view(np.bool_)) + np.repeat(starts[self.runs] - bits, self.sizes)
        if np.any(places >= np.repeat(starts[1:][self.runs], self.sizes)):
            raise StoreError("a posting block of the lexical index is damaged")
        tfs[places] = np.frombuffer(b"".join(self.values), kind).astype(np.uint16) + 2


def _ordinals(bases: Ints, starts: Ints, width: Ints, parts: tuple[list[bytes], list[bytes]]) -> NDArray[np.uint32]:
    lows, highs = parts
    n = np.diff(starts)
    firsts = starts[:-1]
    low_bits = np.cumsum([len(part) for part in lows])[:-1] * 8
    high_bits = np.cumsum([0] + [len(part) for part in highs])[:-1] * 8
    ones = np.unpackbits(np.frombuffer(b"".join(highs), np.uint8), bitorder="little")
    position = np.flatnonzero(ones.view(np.bool_))
    if len(position) != starts[-1] or not np.array_equal(position[firsts], high_bits):
        raise StoreError("a posting block of the lexical index is damaged")
    small: Any = np.int32 if len(position) < 1 << 25 else np.int64  # half the memory traffic, no overflow
    index = np.arange(len(position), dtype=small)
    widths = np.repeat(width.astype(small), n)
    low_at = index * widths
    low_at += np.repeat((low_bits - (firsts + 1) * width).astype(small), n)
    low = _read_low(b"".join(lows), low_at, np.repeat((1 << width) - 1, n))
    ords = position.astype(small)
    ords -= index
    ords -= np.repeat((high_bits - firsts).astype(small), n)
    ords <<= widths
    ords |= low
    ords += index
    ords += np.repeat((bases - firsts).astype(small), n)
    ords[firsts] = bases
    return ords.view(np.uint32) if small is np.int32 else ords.astype(np.uint32)


def _read_low(data: bytes, bits: NDArray[Any], masks: Ints) -> NDArray[Any]:
    """The masked bits at each bit position: one word per value, read at any byte, shifted and masked."""
    widest = int(masks.max()).bit_length()
    kind = "<i4" if widest <= 24 and bits.dtype.itemsize == 4 else "<i8"
    words = np.ndarray(len(data) + 1, dtype=kind, buffer=data + _GUARD, strides=(1,)).copy()
    picked = words.take(bits >> 3)
    bits &= 7
    picked >>= bits
    picked &= masks.astype(kind)
    return picked.astype(bits.dtype, copy=False)
