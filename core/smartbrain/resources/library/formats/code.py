"""Source code and configuration: cut at what they define."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smartbrain.resources.library.lines import LONGEST
from smartbrain.resources.library.values import Block, Fact, Parsed

_DEFINITION = re.compile(
    r"(?:export\s+|default\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|final\s+|async\s+|pub(?:\(\w+\))?\s+)*"
    r"(?:class|def|function|func|fn|interface|struct|enum|trait|impl|type|module|namespace|object|record)\s+"
    r"([A-Za-z_][\w.]*(?:::[\w.]+)*)"
    r"|(?:CREATE|create)\s+(?:OR\s+REPLACE\s+|or\s+replace\s+)?(?:TABLE|VIEW|INDEX|FUNCTION|table|view|index|function)\s+"
    r"(?:IF\s+NOT\s+EXISTS\s+|if\s+not\s+exists\s+)?([\w.\"]+)"
)
_SECTION = re.compile(r"\[\[?([\w.\-\" ]{1,80})\]\]?\s*$")
_KEY = re.compile(r"([A-Za-z_][\w.-]{0,80})\s*:(?:\s|$)")
_PATH = re.compile(r" {2}['\"]?(/[^\s'\":]*)['\"]?:\s*$")
_METHOD = re.compile(r" {4}(get|post|put|patch|delete|head|options):\s*$")
_SUMMARY = re.compile(r" {6,8}(?:summary|description|operationId):\s*['\"]?([^'\"|>\n]{1,200})")
_NESTED = 8


def parse(text: str, path: str) -> Parsed:
    """The definitions of a source file, or the sections of a configuration."""
    ending = path.rpartition(".")[2].lower()
    settings = ending in {"yaml", "yml", "toml", "ini", "cfg", "conf", "properties", "env"}
    facts = tuple(_endpoints(text)) if ending in {"yaml", "yml"} and _is_openapi(text) else ()
    return Parsed(text, "code", list(_blocks(text, settings=settings)), facts=facts)


def _blocks(text: str, *, settings: bool) -> Iterator[Block]:
    start = place = 0
    first = number = 1
    level, title = 0, ""
    for line in text.split("\n"):
        found = _title(line, settings=settings)
        if found and text[start:place].strip():
            yield _block(text, start, place, first, level, title)
            start, first = place, number
        if found:
            level, title = found
        place += len(line) + 1
        number += 1
    if text[start:].strip():
        yield _block(text, start, len(text), first, level, title)


def _block(text: str, start: int, end: int, line: int, level: int, title: str) -> Block:
    while text[start].isspace():
        line += text[start] == "\n"
        start += 1
    while text[end - 1].isspace():
        end -= 1
    return Block("code", start, end, line, line + text.count("\n", start, end), level, title)


def _title(line: str, *, settings: bool) -> tuple[int, str] | None:
    """How deep a line begins something with a name, and the name."""
    if len(line) > LONGEST or not line or line.isspace():
        return None
    bare = line.lstrip()
    indent = len(line.expandtabs(4)) - len(bare)
    if settings:
        found = None if indent else _SECTION.match(bare) or _KEY.match(bare)
        return (1, found[1]) if found else None
    if indent > _NESTED or not (found := _DEFINITION.match(bare)):
        return None
    return 1 + (indent > 0), (found[1] or found[2]).strip('"')


def _is_openapi(text: str) -> bool:
    return re.search(r"^(?:openapi|swagger):", text[:5_000], re.MULTILINE) is not None


def _endpoints(text: str) -> Iterator[Fact]:
    """The endpoints of an OpenAPI description as it is nearly always written: indented by two."""
    path, place, number = "", 0, 1
    open_: Fact | None = None
    for line in text.split("\n"):
        if found := _PATH.match(line[:LONGEST]):
            path = found[1]
        elif path and (found := _METHOD.match(line[:LONGEST])):
            if open_:
                yield open_
            open_ = Fact(f"{found[1].upper()} {path}", place, place + len(line), number)
        elif open_ and (found := _SUMMARY.match(line[:LONGEST])):
            yield Fact(f"{open_.text}: {found[1].strip()}", open_.start, open_.end, open_.line)
            open_ = None
        place += len(line) + 1
        number += 1
    if open_:
        yield open_
