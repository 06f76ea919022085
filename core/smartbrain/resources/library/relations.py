"""Relations: the links of a document to others, and what its front matter says it depends on."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from smartbrain.resources.library.chunking import Placed
from smartbrain.resources.library.drafts import Draft
from smartbrain.resources.library.inline import plain
from smartbrain.resources.library.lines import Line
from smartbrain.resources.library.values import Parsed
from smartbrain.text.spans import clip

_INLINE = re.compile(r"(?<!!)\[([^\]\n]{1,300})\]\(<?([^)\s>]{1,500})>?(?:[ \t]+[\"'(][^\n]{0,200}?[\"')])?\)")
_WIKI = re.compile(r"\[\[([^\]\n|#]{1,200})(?:#[^\]\n|]{0,200})?(?:\|([^\]\n]{1,200}))?\]\]")
_DEFINITION = re.compile(r" {0,3}\[([^\]\n]{1,200})\]:[ \t]+<?(\S{1,500}?)>?(?:[ \t]|$)")
_BARE = re.compile(r"(?<![\(\[<\"'\w])https?://[^\s<>\"'`，。；）\]]{3,500}")
_SAID = {
    "related": "related to",
    "related_docs": "related to",
    "see_also": "see also",
    "depends_on": "depends on",
    "requires": "requires",
    "part_of": "part of",
    "parent": "part of",
    "supersedes": "supersedes",
    "replaces": "supersedes",
    "calls": "calls",
    "used_by": "used by",
    "依赖": "依赖",
    "相关": "相关",
}
_MOST_SHOWN = 300


class _Link(NamedTuple):
    words: str
    target: str
    line: Line
    heading: tuple[str, ...]
    relation: str


def relations(parsed: Parsed, blocks: Sequence[Placed], path: str, title: str) -> Iterator[Draft]:
    """The relations of a document, each target once for each name it is called by; anchors within it are none."""
    seen: set[tuple[str, str]] = set()
    for link in _links(parsed, blocks):
        target = resolved(link.target, path)
        if not target or target == path or (link.words.casefold(), target) in seen:
            continue
        seen.add((link.words.casefold(), target))
        sentence = clip(plain(link.line.text.strip().lstrip("#-*+ ")), _MOST_SHOWN)
        said = f"{title} ({path}) {link.relation} {link.words} ({target})"
        yield Draft(
            layer=5,
            name=f"d5:{len(seen) - 1}",
            text=f"{said}: {sentence}" if sentence else said,
            start=link.line.start,
            end=link.line.end,
            line=link.line.number,
            last_line=link.line.number,
            heading=link.heading,
            metadata={"from": path, "to": target, "relation": link.relation},
        )


def resolved(target: str, path: str) -> str:
    """Where a link leads: an address as it is, a path as the library has it; empty for an anchor, for an address of
    another kind and for what leads out of the library."""
    if re.match(r"https?://", target, re.IGNORECASE):
        return target
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", target):
        return ""
    bare = unquote(re.split("[#?]", target, maxsplit=1)[0]).replace("\\", "/")
    if not bare:
        return ""
    base = "" if bare.startswith("/") else posixpath.dirname(path)
    found = posixpath.normpath(posixpath.join(base, bare.lstrip("/")))
    return "" if found.startswith("..") or found == "." else found


def _links(parsed: Parsed, blocks: Sequence[Placed]) -> Iterator[_Link]:
    for key, relation in _SAID.items():
        for target in re.split(r"[,，;；]", parsed.metadata.get(key, "")):
            words = target.strip().strip("[]")
            if words:
                yield _Link(words, words, Line("", 0, 1), (), relation)
    for item in blocks:
        if item.block.kind == "code":
            continue
        for line in item.lines:
            if "[" in line.text or "://" in line.text:
                yield from _in_line(line, item.heading)


def _in_line(line: Line, heading: tuple[str, ...]) -> Iterator[_Link]:
    for found in _INLINE.finditer(line.text):
        yield _Link(plain(found[1]), found[2], line, heading, "links to")
    for found in _WIKI.finditer(line.text):
        target = found[1].strip()
        name = target if "." in posixpath.basename(target) else f"{target}.md"
        yield _Link((found[2] or target).strip(), name, line, heading, "links to")
    if defined := _DEFINITION.match(line.text):
        yield _Link(defined[1], defined[2], line, heading, "links to")
    elif "://" in line.text:
        for found in _BARE.finditer(line.text):
            address = found[0].rstrip(".,;:!?)")
            yield _Link(address, address, line, heading, "links to")
