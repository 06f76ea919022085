"""The lines of a block, with where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smartbrain.resources.library.values import Block

LONGEST = 1_000
"""A longer line (characters) is prose or data, and no fact or step is looked for in it."""


class Line(NamedTuple):
    """``text`` is the line without its line end; it begins at ``start`` and is the ``number``-th of its document."""

    text: str
    start: int
    number: int

    @property
    def end(self) -> int:
        """Where it ends, its line end not counted."""
        return self.start + len(self.text)


def lines_of(text: str, block: Block) -> Iterator[Line]:
    """The lines of a block that are not empty and not too long."""
    start = block.start
    for number, line in enumerate(text[block.start : block.end].split("\n"), block.line):
        if line.strip() and len(line) <= LONGEST:
            yield Line(line, start, number)
        start += len(line) + 1
