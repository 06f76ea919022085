"""Jupyter notebooks as Markdown: cells of text as they are, cells of code and what they printed between fences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from smartbrain.errors import InputError
from smartbrain.resources.library.decoding import clean
from smartbrain.resources.library.formats import markdown
from smartbrain.resources.library.formats.json_text import loaded
from smartbrain.resources.library.values import Parsed

_MOST_OUTPUT = 2_000


def parse(text: str) -> Parsed:
    """The notebook. Raises InputError where it is none, or holds no text."""
    said = loaded(text)
    cells = said.get("cells") if isinstance(said, dict) else None
    if not isinstance(cells, list):
        raise InputError("it is no notebook: it has no cells")
    shown = clean("\n\n".join(part for cell in cells for part in _cell(cell) if part.strip()))
    if not shown.strip():
        raise InputError("the notebook holds no text")
    return replace(markdown.parse(shown), format="notebook")


def _cell(cell: Any) -> Iterator[str]:
    if not isinstance(cell, dict):
        return
    source = _joined(cell.get("source"))
    if cell.get("cell_type") != "code":
        yield source
        return
    if source.strip():
        yield _fenced(source)
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        if isinstance(output, dict):
            data = output.get("data")
            printed = _joined(output.get("text") or (data.get("text/plain") if isinstance(data, dict) else ""))
            if printed.strip():
                yield _fenced(printed[:_MOST_OUTPUT])


def _joined(lines: Any) -> str:
    if isinstance(lines, list):
        return "".join(line for line in lines if isinstance(line, str))
    return lines if isinstance(lines, str) else ""


def _fenced(code: str) -> str:
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}\n{code.rstrip()}\n{fence}"
