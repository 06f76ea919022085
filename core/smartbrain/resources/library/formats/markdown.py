"""Markdown with its front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from smartbrain.resources.library.structure import scan
from smartbrain.resources.library.values import Fact, Parsed

_FRONT = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_MOST_FRONT = 20_000
_MOST_KEYS = 64
_MOST_VALUE = 500
# An alias of YAML lets a few lines stand for gigabytes; front matter has no use for it.
_ALIAS = re.compile(r"(?:^|[\s\[{,:-])[*&][A-Za-z0-9_]", re.MULTILINE)
TITLE_KEYS = ("title", "name", "标题")


def parse(text: str) -> Parsed:
    """The blocks of the body; the front matter as metadata and facts."""
    front = _FRONT.match(text[: _MOST_FRONT + 8]) if text.startswith("---") else None
    said = _mapping(front[1] or "") if front else None
    if front is None or said is None:
        return Parsed(text, "markdown", scan(text))
    metadata = flattened(said)
    start = front.end()
    blocks = scan(text, start, 1 + text.count("\n", 0, start))
    title = next((metadata[key] for key in TITLE_KEYS if metadata.get(key)), "")
    return Parsed(text, "markdown", blocks, title, metadata, facts=_facts(front[1] or "", metadata, front.start(1)))


def flattened(said: Mapping[Any, Any]) -> dict[str, str]:
    """Scalars as strings, lists of scalars joined by ", ", a mapping inside a mapping by dotted keys; the rest is left
    out. At most 64 keys of at most 500 characters."""
    found: dict[str, str] = {}
    for key, value in said.items():
        inner = {f"{key}.{k}": v for k, v in value.items()} if isinstance(value, Mapping) else {str(key): value}
        for name, one in inner.items():
            shown = _shown(one)
            if shown and len(found) < _MOST_KEYS:
                found[name[:80].lower()] = shown[:_MOST_VALUE]
    return found


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float, date)):
        return str(value).strip()
    if isinstance(value, list):
        return ", ".join(part for part in map(_shown, value) if part)
    return ""


def _mapping(front: str) -> Mapping[Any, Any] | None:
    """The front matter as a mapping; None where it is none, and stands in the text as anything else."""
    import yaml

    if _ALIAS.search(front):
        return None
    try:
        # As strings: a version 1.10 is no number, and a day is what its author wrote.
        said = yaml.load(front, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 - makes strings only
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return said if isinstance(said, Mapping) else None


def _facts(front: str, metadata: Mapping[str, str], start: int) -> tuple[Fact, ...]:
    """A fact for each key that stands on a line of its own."""
    facts = []
    place = start
    for number, line in enumerate(front.splitlines(keepends=True), 2):
        key = line.partition(":")[0].strip().lower()
        if key in metadata and not line[0].isspace():
            facts.append(Fact(f"{key}: {metadata[key]}", place, place + len(line.rstrip()), number))
        place += len(line)
    return tuple(facts)
