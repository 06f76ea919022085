"""A document in pieces that are small enough to be shown, each under its headings.

A piece never crosses a heading (but headings with nothing under them go with what follows), and never ends inside a
line unless the line itself is too long. ``text[start:end]`` is the piece: nothing is rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smartbrain.resources.library.lines import Line, lines_of
from smartbrain.resources.library.values import Block, Parsed
from smartbrain.text.spans import sentences

CHUNK_CHARS = 1_000
CHUNK_CHARS_EAST = 600
"""Chinese, Japanese and Korean say more in a character."""

_EAST = frozenset(("zh", "ja", "ko"))
_MOST_HEADING = 200


@dataclass(frozen=True, slots=True)
class Chunk:
    """``text[start:end]`` under ``heading``; ``section`` counts the headings before it."""

    start: int
    end: int
    line: int
    last_line: int
    heading: tuple[str, ...]
    section: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A block with its lines, the headings above it (its own, if it is one) and how many headings came before."""

    block: Block
    lines: tuple[Line, ...]
    heading: tuple[str, ...]
    section: int


def placed(text: str, blocks: Sequence[Block]) -> list[Placed]:
    """The blocks of a text with their lines and headings."""
    path: list[tuple[int, str]] = []
    titles: tuple[str, ...] = ()
    section = 0
    found = []
    for block in blocks:
        if block.level:
            while path and path[-1][0] >= block.level:
                path.pop()
            path.append((block.level, block.title[:_MOST_HEADING]))
            titles = tuple(title for _, title in path if title)
            section += 1
        found.append(Placed(block, tuple(lines_of(text, block)), titles, section))
    return found


def chunks(parsed: Parsed, blocks: Sequence[Placed], language: str) -> list[Chunk]:
    """The pieces of a document in order; together they hold all that is not white space."""
    most = CHUNK_CHARS_EAST if language in _EAST else CHUNK_CHARS
    found: list[Chunk] = []
    waiting: list[Placed] = []
    for item in blocks:
        full = waiting and item.block.end - waiting[0].block.start > most
        new_section = item.block.level and waiting and waiting[-1].block.kind != "heading"
        if full or new_section:
            found += _cut(parsed.text, waiting, most)
            waiting = []
        waiting.append(item)
    if waiting:
        found += _cut(parsed.text, waiting, most)
    return found


def _cut(text: str, items: Sequence[Placed], most: int) -> Iterator[Chunk]:
    first, last = items[0].block, items[-1]
    line = first.line
    start = first.start
    for begin, end in _pieces(text, first.start, last.block.end, most):
        line += text.count("\n", start, begin)
        start = begin
        yield Chunk(begin, end, line, line + text.count("\n", begin, end), last.heading, last.section)


def _pieces(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """``text[start:end]`` in pieces of at most ``most`` characters, at line ends where possible."""
    while end - start > most:
        cut = text.rfind("\n", start + most // 3, start + most)
        if cut < 0:
            cut = _seam(text, start, start + most)
        stop = cut
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        if stop > start:
            yield start, stop
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _seam(text: str, start: int, end: int) -> int:
    """The end of the last sentence, else of the last word, in the second half of a long line; else its end."""
    half = start + (end - start) // 2
    ends = [start + span.end for span in sentences(text[start:end])][:-1]
    if ends and ends[-1] > half:
        return ends[-1]
    blank = text.rfind(" ", half, end)
    return blank if blank > 0 else end
