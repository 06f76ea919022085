"""From a file's bytes to its structure: which format it is, and who reads it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from smartbrain.errors import InputError
from smartbrain.resources.library.decoding import decode
from smartbrain.resources.library.formats import markdown, plain
from smartbrain.resources.library.values import LABEL_CUT, Format, Limits, Parsed

_ENDINGS: Final[Mapping[Format, str]] = {
    "markdown": ".md .markdown .mdown .mkd .mdx .rmd .qmd",
    "text": ".txt .text .rst .adoc .asciidoc .org .tex .log .csv .tsv",
}
FORMATS: Final[Mapping[str, Format]] = {
    ending: format_ for format_, endings in _ENDINGS.items() for ending in endings.split()
}
"""The format of a file by the ending of its name; a file of another ending is a text, if it is one."""

ENDINGS: Final = frozenset(FORMATS)


def format_of(path: str) -> Format:
    """The format of a file by its name."""
    return FORMATS.get(os.path.splitext(path)[1].lower(), "text")


def read(data: bytes, path: str, limits: Limits) -> Parsed:
    """The structure of a file. Raises InputError with the reason when it cannot be read."""
    return parse_text(*decode(data), format_of(path), limits)


def parse_text(text: str, labels: tuple[str, ...], format_: Format, limits: Limits) -> Parsed:
    """The structure of a text; a text that is too long is cut."""
    if len(text) > limits.document_chars:
        text, labels = text[: limits.document_chars], (*labels, LABEL_CUT)
    if not text.strip():
        raise InputError("it is empty")
    parsed = markdown.parse(text) if format_ == "markdown" else plain.parse(text)
    return replace(parsed, labels=labels)
