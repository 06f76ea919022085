"""Many numbers, and where each of some others stands among them: found by counting bits instead of by search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST: Final = 1 << 24
"""All numbers are smaller."""


class Ranked:
    """Ascending numbers as one bit for each that there could be, with how many stand before every eight of them.

    A search in a third of a million numbers touches memory a dozen times for each that is asked; this touches it once
    for those that are none, which are most, and twice for the others (Jacobson 1989, "Space-efficient static trees and
    graphs").
    """

    def __init__(self, numbers: NDArray[np.int32]) -> None:
        import numpy as np

        held = np.zeros(MOST, dtype=np.uint8)
        held[numbers] = 1
        self._bits = np.packbits(held, bitorder="little")
        counts = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.int32)
        self._before = np.cumsum(counts[self._bits], dtype=np.int32) - counts[self._bits]
        # How many bits below the k-th are set in a byte b, at 8 b + k.
        lower = np.arange(256)[:, None] & ((1 << np.arange(8)) - 1)
        self._lower = counts[lower].ravel().astype(np.int32)
        self._size = len(numbers)

    def __len__(self) -> int:
        return self._size

    def places(self, asked: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Where those of ``asked`` stand that are among the numbers, in order, and which of ``asked`` these are."""
        import numpy as np

        bytes_, bits = asked >> 3, asked & 7
        found = self._bits.take(bytes_)
        known = (found >> bits.astype(np.uint8) & 1).astype(np.bool_)
        at = bytes_[known]
        inside = (found[known].astype(np.int32) << 3) + bits[known]
        return (self._before.take(at) + self._lower.take(inside)).astype(np.int64), known
