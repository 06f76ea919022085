"""Named things: endpoints, files, identifiers, terms in bold, definitions in code; each once a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from smartbrain.resources.library.chunking import Placed
from smartbrain.resources.library.drafts import Draft
from smartbrain.resources.library.facts import ENDPOINT
from smartbrain.resources.library.inline import plain
from smartbrain.resources.library.lines import Line
from smartbrain.resources.library.values import Parsed
from smartbrain.text.spans import clip

_CODE = re.compile(r"`([^`\n]{2,80})`")
_BOLD = re.compile(r"\*\*([^*\n]{2,60}?)[:：]?\*\*|__([^_\n]{2,60}?)[:：]?__")
_FILE = re.compile(r"^[\w./\\-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,5}$")
_IDENTIFIER = re.compile(r"^[A-Za-z_$][\w$.:\-/]*(?:\(\))?$")
_COMMAND = re.compile(r"^[a-z][\w.-]*(?: \S+){1,6}$")
_DEFINED = re.compile(
    r"^(?:class|def|async def|function|func|fn|interface|type|struct|enum|trait|module)\s+([A-Za-z_]\w*)"
)
_SAID_KEYS = ("entity", "entities", "component", "aliases", "alias", "name", "别名", "实体")
_MOST_SHOWN = 120


@dataclass(slots=True)
class _Thing:
    name: str
    kind: str
    line: Line
    heading: tuple[str, ...]
    said: str
    times: int = 1
    metadata: dict[str, str] = field(default_factory=dict)


def entities(parsed: Parsed, blocks: Sequence[Placed], title: str, abstract: str, most: int) -> Iterator[Draft]:
    """The things a document names, those it names most often if there are more than ``most``, in the order they stand
    in. What stands in its front matter and its own title comes first."""
    things: dict[str, _Thing] = {}
    start = parsed.blocks[0] if parsed.blocks else None
    where = Line("", start.start if start else 0, start.line if start else 1)
    for name, kind in _said(parsed.metadata, title):
        things.setdefault(name.casefold(), _Thing(name, kind, where, (), abstract, times=1 << 20))
    for fact in parsed.facts:
        for found in ENDPOINT.finditer(fact.text):
            line = Line(parsed.text[fact.start : fact.end], fact.start, fact.line)
            thing = _Thing(f"{found[1]} {found[2].rstrip('.:')}", "endpoint", line, (), clip(fact.text, _MOST_SHOWN))
            things.setdefault(thing.name.casefold(), thing)
    for item in blocks:
        for thing in _of_block(item):
            known = things.setdefault(thing.name.casefold(), thing)
            if known is not thing:
                known.times += 1
    kept = sorted(things.values(), key=lambda thing: -thing.times)[:most]
    kept.sort(key=lambda thing: (thing.line.start, thing.line.number, -thing.times))
    for number, thing in enumerate(kept):
        yield Draft(
            layer=3,
            name=f"d3:{number}",
            text=f"{thing.name} ({thing.kind}){f': {thing.said}' if thing.said else ''}",
            start=thing.line.start,
            end=thing.line.end,
            line=thing.line.number,
            last_line=thing.line.number,
            heading=thing.heading,
            metadata={"entity": thing.name, "kind": thing.kind},
        )


def _said(metadata: Mapping[str, str], title: str) -> Iterator[tuple[str, str]]:
    for key in _SAID_KEYS:
        for name in re.split(r"[,，;；、]", metadata.get(key, "")):
            if name.strip():
                yield name.strip()[:80], "alias" if "alias" in key or key == "别名" else "entity"
    yield title, "document"


def _of_block(item: Placed) -> Iterator[_Thing]:
    block = item.block
    if block.kind == "code":
        yield from _defined(item)
        return
    for line in item.lines:
        said = ""
        for name, kind in _named(line.text, bold=block.kind != "heading"):
            said = said or clip(plain(line.text.strip().lstrip("#-*+ ")), _MOST_SHOWN)
            yield _Thing(name, kind, line, item.heading, said)


def _named(line: str, *, bold: bool) -> Iterator[tuple[str, str]]:
    if "/" in line:
        for found in ENDPOINT.finditer(line):
            yield f"{found[1]} {found[2].rstrip('.')}", "endpoint"
    if "`" in line:
        for found in _CODE.finditer(line):
            name = found[1].strip()
            if _FILE.match(name) and not name.endswith("()"):
                yield name, "file"
            elif _IDENTIFIER.match(name):
                yield name, "identifier"
            elif _COMMAND.match(name):
                yield name, "command"
    if bold and ("**" in line or "__" in line):
        for found in _BOLD.finditer(line):
            name = plain(found[1] or found[2])
            if name and not name.endswith((".", "。", "!", "！")):
                yield name, "term"


def _defined(item: Placed) -> Iterator[_Thing]:
    """Definitions at the beginning of a line of code, and the endpoints in it."""
    for line in item.lines:
        found = _DEFINED.match(line.text.strip())
        if found:
            yield _Thing(found[1], "definition", line, item.heading, clip(line.text.strip(), _MOST_SHOWN))
        for name, kind in _named(line.text.replace("`", "'"), bold=False):
            yield _Thing(name, kind, line, item.heading, clip(line.text.strip(), _MOST_SHOWN))
