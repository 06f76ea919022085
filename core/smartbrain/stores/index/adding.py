"""One posting block with more postings at its end, without decoding what it holds.

Where a posting stands in a block (``codec``) depends on the block's first ordinal and its own number alone, so that
later ones are put behind it: low bits behind low bits, high bits behind high bits. Only when the mean gap has changed
so much that the low bits get another width is the block laid out anew, which happens about once in as many postings
as it holds. What comes out is what ``codec.encode`` makes of all the postings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smartbrain.errors import StoreError
from smartbrain.stores.index.codec import count_of

_VERSION = 0x80
_ALONE = bytes([_VERSION])
_ONE_BYTE = 0xFF + 2  # the highest count that is written with one byte
Posting = tuple[int, int]
"""An ordinal and how often the term stands there (1..65535)."""


@dataclass(slots=True)
class _Block:
    """A block taken apart; bit sets as numbers, ``counts`` are those above one."""

    size: int
    width: int
    many: int
    counts: list[int]
    low: int
    high: int


def extended(base: int, blob: bytes, postings: Sequence[Posting]) -> bytes:
    """The block of ``blob`` (empty: none yet, and ``base`` is the first ordinal) with later postings behind its own.

    Ordinals ascend strictly. Raises StoreError for a blob that is no block of this format.
    """
    block = _opened(blob) if blob else _Block(0, 0, 0, [], 0, 0)
    size = block.size + len(postings)
    highest = postings[-1][0] - base - (size - 1)
    width = max((highest // size).bit_length() - 1, 0)
    if width != block.width:
        _lay_out(block, width)
    low, high, place, mask = block.low, block.high, block.size, (1 << width) - 1
    for ordinal, count in postings:
        value = ordinal - base - place
        if place:  # the first one is the base, and not repeated
            low |= (value & mask) << (place - 1) * width
        high |= 1 << (value >> width) + place
        if count > 1:
            block.many |= 1 << place
            block.counts.append(count)
        place += 1
    return _closed(_Block(size, width, block.many, block.counts, low, high), highest)


def _opened(blob: bytes) -> _Block:
    size = count_of(blob)
    first = blob[0]
    if len(blob) == 1:
        return _Block(1, 0, 0, [], 0, 1)
    width, mode, at = first & 0x1F, first >> 5 & 3, 2 + (size >= 0x80)
    many, counts = 0, []
    if mode:
        values_at = at + (size + 7 >> 3)
        many = int.from_bytes(blob[at:values_at], "little")
        at = values_at + mode * many.bit_count()
        if mode == 3 or at > len(blob):
            raise StoreError("a posting block of the lexical index is damaged")
        values = blob[values_at:at]
        counts = [int.from_bytes(values[n : n + mode], "little") + 2 for n in range(0, len(values), mode)]
    end = at + ((size - 1) * width + 7 >> 3)
    high = int.from_bytes(blob[end:], "little")
    if high.bit_count() != size or not high & 1:
        raise StoreError("a posting block of the lexical index is damaged")
    return _Block(size, width, many, counts, int.from_bytes(blob[at:end], "little"), high)


def _lay_out(block: _Block, width: int) -> None:
    """Gives the low bits another width."""
    low = high = 0
    mask = (1 << width) - 1
    for place, value in enumerate(_values(block)):
        if place:
            low |= (value & mask) << (place - 1) * width
        high |= 1 << (value >> width) + place
    block.width, block.low, block.high = width, low, high


def _values(block: _Block) -> Iterator[int]:
    width, low, mask = block.width, block.low << block.width, (1 << block.width) - 1
    bits = bin(block.high)[:1:-1]
    at = -1
    for place in range(block.size):
        at = bits.index("1", at + 1)
        yield at - place << width | low >> place * width & mask


def _closed(block: _Block, highest: int) -> bytes:
    size, width = block.size, block.width
    mode = 0 if not block.counts else 1 if max(block.counts) <= _ONE_BYTE else 2
    first = _VERSION | mode << 5 | width
    if size == 1 and first == _VERSION:
        return _ALONE
    head = bytes((first, size)) if size < 0x80 else bytes((first, size & 0x7F | 0x80, size >> 7))
    if mode:
        counts = b"".join((count - 2).to_bytes(mode, "little") for count in block.counts)
        head += block.many.to_bytes(size + 7 >> 3, "little") + counts
    low = block.low.to_bytes((size - 1) * width + 7 >> 3, "little")
    return head + low + block.high.to_bytes(size + (highest >> width) + 7 >> 3, "little")
