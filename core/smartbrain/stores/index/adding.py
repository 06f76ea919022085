"""One posting block with more postings at its end, without decoding what it holds.

Where a posting stands in a block (``codec``) depends on the block's first ordinal and its own number alone, so that
later ones are put behind it: low bits behind low bits, high bits behind high bits. Only when the mean gap has changed
so much that the low bits get another width is the block laid out anew, which happens about once in as many postings
as it holds. What comes out is what ``codec.encode`` makes of all the postings.
"""

from __future__ import annotations

from collections.abc import Sequence

from smartbrain.errors import StoreError
from smartbrain.stores.index.codec import count_of

_VERSION = 0x80
_ALONE = bytes([_VERSION])
_ONE_BYTE = 0xFF + 2  # the highest count that is written with one byte
Posting = tuple[int, int]
"""An ordinal and how often the term stands there (1..65535)."""


def extended(base: int, blob: bytes, postings: Sequence[Posting]) -> bytes:
    """The block of ``blob`` (empty: none yet, and ``base`` is the first ordinal) with later postings behind its own.

    Ordinals ascend strictly. Raises StoreError for a blob that is no block of this format.
    """
    place, old, mode, many, counts, low, high = _opened(blob) if blob else (0, 0, 0, 0, b"", 0, 0)
    size = place + len(postings)
    highest = postings[-1][0] - base - (size - 1)
    width = max((highest // size).bit_length() - 1, 0)
    if width != old:
        low, high = _laid_out(place, old, low, high, width)
    mask = (1 << width) - 1
    for ordinal, count in postings:
        value = ordinal - base - place
        if place:  # the first one is the base, and not repeated
            low |= (value & mask) << (place - 1) * width
        high |= 1 << (value >> width) + place
        if count > 1:
            many |= 1 << place
            mode, counts = _counted(mode, counts, count)
        place += 1
    first = _VERSION | mode << 5 | width
    if size == 1 and first == _VERSION:
        return _ALONE
    return b"".join(
        (
            bytes((first, size)) if size < 0x80 else bytes((first, size & 0x7F | 0x80, size >> 7)),
            many.to_bytes(size + 7 >> 3, "little") if mode else b"",
            counts,
            low.to_bytes((size - 1) * width + 7 >> 3, "little"),
            high.to_bytes(size + (highest >> width) + 7 >> 3, "little"),
        )
    )


def _opened(blob: bytes) -> tuple[int, int, int, int, bytes, int, int]:
    """A block taken apart: its postings, the width of the low bits, the bytes of a count, which postings have one
    above one, these counts, and the low and the high bits; sets of bits are numbers."""
    size = count_of(blob)
    if len(blob) == 1:
        return 1, 0, 0, 0, b"", 0, 1
    first = blob[0]
    width, mode, at = first & 0x1F, first >> 5 & 3, 2 + (size >= 0x80)
    many, counts = 0, b""
    if mode:
        counts_at = at + (size + 7 >> 3)
        many = int.from_bytes(blob[at:counts_at], "little")
        at = counts_at + mode * many.bit_count()
        counts = blob[counts_at:at]
    end = at + ((size - 1) * width + 7 >> 3)
    high = int.from_bytes(blob[end:], "little")
    if mode == 3 or high.bit_count() != size or not high & 1:
        raise StoreError("a posting block of the lexical index is damaged")
    return size, width, mode, many, counts, int.from_bytes(blob[at:end], "little"), high


def _counted(mode: int, counts: bytes, count: int) -> tuple[int, bytes]:
    """With one more count above one, all of them with two bytes from the first on that needs them."""
    if count > _ONE_BYTE and mode < 2:
        mode, counts = 2, b"".join(bytes((one, 0)) for one in counts)
    mode = mode or 1
    return mode, counts + (count - 2).to_bytes(mode, "little")


def _laid_out(size: int, old: int, low: int, high: int, width: int) -> tuple[int, int]:
    """Low and high bits with another width."""
    had, mask = (1 << old) - 1, (1 << width) - 1
    bits, at = bin(high)[:1:-1], -1
    low <<= old  # the first one has none
    lows = highs = 0
    for place in range(size):
        at = bits.index("1", at + 1)
        value = at - place << old | low >> place * old & had
        if place:
            lows |= (value & mask) << (place - 1) * width
        highs |= 1 << (value >> width) + place
    return lows, highs
