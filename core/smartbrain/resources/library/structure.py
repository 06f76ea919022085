"""The blocks of a text that is written as Markdown, or plainly: headings, paragraphs, lists, tables, code.

One pass over the lines, no recursion, nothing read twice: a text of any shape costs time in proportion to its length.
It reads what CommonMark says of headings, fences and lists at the left margin; inline markup is left as it is, so that
offsets point into the text as it was written.
"""

from __future__ import annotations

import re
from typing import Literal

from smartbrain.resources.library.values import Block

Style = Literal["markdown", "plain"]

LONG_LINE = 2_000
"""A longer line (characters) is text, whatever it begins with."""

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BULLET = re.compile(r" {0,3}[-*+•][ \t]+\S")
STEP = re.compile(
    r" {0,3}(?:\d{1,3}[.)][ \t]+|\d{1,3}[、．]|[(（]\d{1,3}[)）]|[Ss]tep[ \t]+\d{1,3}\b[.:)]?"
    r"|第[一二三四五六七八九十\d]{1,3}步[:：、,，]?|步骤[ \t]*[一二三四五六七八九十\d]{1,3}[:：、.]?)[ \t]*(?=\S)"
)
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_DELIMITER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CHAPTER = re.compile(
    r"[ \t]*(?:第[一二三四五六七八九十百千\d]{1,6}[章节篇部回][ \t:：]?.{0,60}"
    r"|(?:Chapter|CHAPTER|Part|PART)[ \t]+[\dIVXLC]{1,6}\b.{0,80})$"
)
_INDENTED = re.compile(r"(?: {2,}|\t)\S")


def scan(text: str, start: int = 0, line: int = 1, style: Style = "markdown") -> list[Block]:
    """The blocks of ``text[start:]`` in order; ``line`` is the number of the line that begins at ``start``."""
    return _Scanner(text, start, line, style).blocks()


class _Scanner:
    def __init__(self, text: str, start: int, line: int, style: Style) -> None:
        self._lines = text[start:].split("\n")
        self._starts = [start]
        for content in self._lines:
            start += len(content) + 1
            self._starts.append(start)
        self._first = line
        self._markdown = style == "markdown"

    def blocks(self) -> list[Block]:
        found: list[Block] = []
        at = 0
        while at < len(self._lines):
            line = self._lines[at]
            if not line or line.isspace() or (self._markdown and _RULE.match(line)):
                at += 1
                continue
            block, at = self._block(line, at)
            found.append(block)
        return found

    def _block(self, line: str, at: int) -> tuple[Block, int]:
        if (heading := self._heading(line, at)) is not None:
            return heading
        if self._markdown and (fence := _FENCE.match(line)):
            return self._fenced(at, fence[1])
        if self._is_table(at):
            return self._run("table", at, self._end_of_table(at))
        if len(line) <= LONG_LINE and STEP.match(line):
            return self._run("steps", at, self._end_of_list(at))
        if len(line) <= LONG_LINE and _BULLET.match(line):
            return self._run("bullets", at, self._end_of_list(at))
        return self._run("text", at, self._end_of_paragraph(at))

    def _heading(self, line: str, at: int) -> tuple[Block, int] | None:
        if len(line) > LONG_LINE:
            return None
        if not self._markdown:
            return self._make("heading", at, at + 1, 1, line.strip()) if _CHAPTER.match(line) else None
        if atx := _ATX.match(line):
            title = line[atx.end() :].strip()
            closed = title.rstrip("#")
            if closed != title and (not closed or closed[-1] in " \t"):
                title = closed.rstrip()
            return self._make("heading", at, at + 1, len(atx[1]), title)
        below = self._lines[at + 1] if at + 1 < len(self._lines) else ""
        if below and _UNDERLINE.match(below) and not self._begins_other(line, at):
            return self._make("heading", at, at + 2, 1 if "=" in below else 2, line.strip())
        return None

    def _fenced(self, at: int, fence: str) -> tuple[Block, int]:
        end = at + 1
        while end < len(self._lines):
            closing = _FENCE.match(self._lines[end])
            end += 1
            if closing and closing[1].startswith(fence) and not self._lines[end - 1][closing.end() :].strip():
                break
        return self._run("code", at, end)

    def _is_table(self, at: int) -> bool:
        if "|" not in self._lines[at] or at + 1 >= len(self._lines):
            return False
        below = self._lines[at + 1]
        return (
            "-" in below
            and len(below) <= LONG_LINE
            and _DELIMITER.match(below) is not None
            and ("|" in below or self._lines[at].count("|") == 1)
        )

    def _end_of_table(self, at: int) -> int:
        end = at + 2
        while end < len(self._lines) and "|" in self._lines[end] and self._lines[end].strip():
            end += 1
        return end

    def _end_of_list(self, at: int) -> int:
        """Behind the last line of the list: items of either kind, what is indented, lines that go on, single blanks."""
        end = at + 1
        while end < len(self._lines):
            line = self._lines[end]
            if not line.strip():
                after = self._lines[end + 1] if end + 1 < len(self._lines) else ""
                if not (_INDENTED.match(after) or self._same_list(self._lines[at], after)):
                    break
            elif not _INDENTED.match(line) and self._ends_list(line):
                break
            end += 1
        return end

    def _ends_list(self, line: str) -> bool:
        return bool(_ATX.match(line) or _FENCE.match(line)) if self._markdown else _CHAPTER.match(line) is not None

    @staticmethod
    def _same_list(first: str, line: str) -> bool:
        pattern = STEP if STEP.match(first) else _BULLET
        return len(line) <= LONG_LINE and pattern.match(line) is not None

    def _end_of_paragraph(self, at: int) -> int:
        end = at + 1
        while end < len(self._lines) and self._lines[end].strip():
            if self._begins_other(self._lines[end], end):
                break
            end += 1
        return end

    def _begins_other(self, line: str, at: int) -> bool:
        if len(line) > LONG_LINE:
            return False
        if self._markdown:
            return bool(
                _ATX.match(line) or _FENCE.match(line) or _BULLET.match(line) or STEP.match(line) or self._is_table(at)
            )
        return bool(_CHAPTER.match(line) or _BULLET.match(line) or STEP.match(line))

    def _run(self, kind: Literal["text", "code", "table", "steps", "bullets"], at: int, end: int) -> tuple[Block, int]:
        return self._make(kind, at, end)

    def _make(
        self,
        kind: Literal["heading", "text", "code", "table", "steps", "bullets"],
        at: int,
        end: int,
        level: int = 0,
        title: str = "",
    ) -> tuple[Block, int]:
        last = end - 1
        while last > at and not self._lines[last].strip():
            last -= 1
        stop = self._starts[last] + len(self._lines[last])
        return Block(kind, self._starts[at], stop, self._first + at, self._first + last, level, title), end
