"""Many numbers, and where each of some others stands among them: found by counting bits instead of by search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST: Final = 1 << 24
"""All numbers are smaller."""


_BLOCK: Final = 64


class Ranked:
    """Ascending numbers as one bit for each that there could be, with how many stand before every 64 of them.

    A search in a third of a million numbers touches memory a dozen times for each that is asked; this touches it once
    for those that are none, which are most, and three times more for the others (Jacobson 1989, "Space-efficient
    static trees and graphs").
    """

    def __init__(self, numbers: NDArray[np.int32]) -> None:
        import numpy as np

        held = np.zeros(MOST, dtype=np.bool_)
        held[numbers] = True
        self._bits = np.packbits(held, bitorder="little")
        blocks = held.reshape(-1, _BLOCK).sum(axis=1, dtype=np.int32)
        self._before = np.cumsum(blocks, dtype=np.int32) - blocks
        ones = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)
        of_bytes = ones[self._bits].reshape(-1, _BLOCK // 8)
        self._in_block = (np.cumsum(of_bytes, axis=1, dtype=np.uint8) - of_bytes).ravel()
        # How many bits below the k-th are set in a byte b, at 8 b + k.
        self._in_byte = ones[np.arange(256)[:, None] & ((1 << np.arange(8)) - 1)].ravel()
        self._size = len(numbers)

    def __len__(self) -> int:
        return self._size

    def places(self, asked: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Where those of ``asked`` stand that are among the numbers, in order, and which of ``asked`` these are."""
        import numpy as np

        found = self._bits.take(asked >> 3).astype(np.int64)
        known = (found >> (asked & 7) & 1).astype(np.bool_)
        held = asked[known]
        inside = self._in_byte.take((found[known] << 3) + (held & 7))
        return self._before.take(held >> 6).astype(np.int64) + self._in_block.take(held >> 3) + inside, known
