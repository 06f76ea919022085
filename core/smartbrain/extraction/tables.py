"""Patterns side by side, as the facts of a language have them: of many only those are tried that a text may match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from smartbrain.extraction.literals import Sifter, Source, places


class Table:
    """What each of some patterns tells, in order, behind the sieve of their language."""

    def __init__(self, sifter: Sifter, rows: Sequence[tuple[str, str]], flags: int = re.IGNORECASE) -> None:
        """``rows``: what is told, by which pattern. To be made when a module is imported, as all that is sifted."""
        self._sifter = sifter
        self._rows = _Compiled(rows, flags)
        self._first = sifter.enter([partial(Source, pattern, flags) for _, pattern in rows])
        self._every = (1 << len(rows)) - 1

    def within(self, text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
        """The rows whose patterns may match somewhere in a text, in order."""
        for at in places(self._sifter.mask(text) >> self._first & self._every):
            yield self._rows[at]

    def make(self) -> None:
        """Compiles every row's pattern now."""
        for at in places(self._every):
            self._rows[at]


class _Compiled(dict[int, tuple[str, re.Pattern[str]]]):
    """The rows with their patterns compiled, each when it is first tried."""

    def __init__(self, rows: Sequence[tuple[str, str]], flags: int) -> None:
        self._rows, self._flags = rows, flags

    def __missing__(self, at: int) -> tuple[str, re.Pattern[str]]:
        told, pattern = self._rows[at]
        row = self[at] = told, re.compile(pattern, self._flags)
        return row
