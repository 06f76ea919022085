"""Single facts: rows of tables, named values, endpoints; each findable by itself with the line it stands on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from smartbrain.resources.library.chunking import Placed
from smartbrain.resources.library.drafts import Draft
from smartbrain.resources.library.inline import plain
from smartbrain.resources.library.lines import Line
from smartbrain.resources.library.values import Parsed

ENDPOINT = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]+`?(/[^\s`'\"<>|,;)\]，。；）]{0,200})")
_ITEM = re.compile(r"[ \t]*(?:[-*+•][ \t]+|\d{1,3}[.)、][ \t]*)")
_NAMED = re.compile(
    r"(?:\*\*(?P<bold>[^*\n]{1,80}?)[:：]?\*\*|`(?P<code>[^`\n]{1,120})`|(?P<word>[^\s:：`*|][^:：\n`*|]{0,58}?))"
    r"[ \t]*(?:[:：](?!//)|[—–](?=\s)|-(?=\s))[ \t]*(?P<value>\S.*)$"
)
_SENTENCE = re.compile(r"[.!?。！？]\s")
_CELL = re.compile(r"(?<!\\)\|")


def facts(parsed: Parsed, blocks: Sequence[Placed]) -> Iterator[Draft]:
    """The facts of a document in the order they stand in: first what its format says by itself (front matter, JSON)."""
    number = 0
    for fact in parsed.facts:
        yield _draft(number, fact.text, Line(fact.text, fact.start, fact.line), fact.end, (), "said")
        number += 1
    for item in blocks:
        for line, text, kind in _of_block(item):
            yield _draft(number, text, line, line.end, item.heading, kind)
            number += 1


def _draft(number: int, text: str, line: Line, end: int, heading: tuple[str, ...], kind: str) -> Draft:
    return Draft(
        layer=2,
        name=f"d2:{number}",
        text=text,
        start=line.start,
        end=end,
        line=line.number,
        last_line=line.number,
        heading=heading,
        metadata={"fact": kind},
    )


def _of_block(item: Placed) -> Iterator[tuple[Line, str, str]]:
    block = item.block
    if block.kind == "table":
        yield from _rows(item.lines)
    elif block.kind in {"bullets", "steps", "text", "heading"}:
        for line in item.lines:
            found = _stated(line.text, of_list=block.kind == "bullets")
            if found:
                yield line, *found
    elif block.kind == "code":
        for line in item.lines:
            endpoint = ENDPOINT.search(line.text)
            if endpoint:
                yield line, line.text.strip(), "endpoint"


def _stated(line: str, *, of_list: bool) -> tuple[str, str] | None:
    """What a line states, and as what: an endpoint, or a value under a name."""
    bare = line.strip().lstrip("#").strip()
    if "/" in line and ENDPOINT.search(line):
        return plain(_ITEM.sub("", bare, count=1)), "endpoint"
    item = _ITEM.match(line)
    named = _NAMED.match(line[item.end() :] if item else bare)
    if named is None:
        return None
    marked = named["bold"] or named["code"]
    # Without a mark, only an item of a list or a short line is a named value: prose has colons and dashes, too.
    if not marked and (not (of_list or item) or _SENTENCE.search(named["word"])):
        return None
    name = plain(marked or named["word"])
    value = plain(named["value"])
    return (f"{name}: {value}", "value") if name and value else None


def _rows(lines: Sequence[Line]) -> Iterator[tuple[Line, str, str]]:
    """Each row of a table under the names of its columns."""
    names = _cells(lines[0].text) if lines else []
    for line in lines[2:]:
        cells = [
            f"{name}: {cell}" if name else cell
            for name, cell in zip([*names, *[""] * len(line.text)], _cells(line.text), strict=False)
            if cell
        ]
        if cells:
            yield line, "; ".join(cells), "row"


def _cells(line: str) -> list[str]:
    return [plain(cell.replace("\\|", "|")) for cell in _CELL.split(line.strip().strip("|"))]
