"""From a file's bytes to its structure: which format it is, and who reads it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from smartbrain.errors import InputError
from smartbrain.resources.library.decoding import decode
from smartbrain.resources.library.formats import code, html, json_text, markdown, notebook, pdf, plain
from smartbrain.resources.library.values import LABEL_CUT, Format, Limits, Parsed

_ENDINGS: Final[Mapping[Format, str]] = {
    "markdown": ".md .markdown .mdown .mkd .mdx .rmd .qmd",
    "text": ".txt .text .rst .adoc .asciidoc .org .tex .log .csv .tsv .jsonl .ndjson",
    "html": ".html .htm .xhtml",
    "json": ".json .geojson",
    "notebook": ".ipynb",
    "pdf": ".pdf",
    "code": ".py .pyi .js .mjs .cjs .jsx .ts .tsx .java .kt .kts .scala .go .rs .rb .php .c .h .cc .cpp .hpp .cs .swift"
    " .m .sh .bash .zsh .ps1 .sql .r .jl .lua .pl .ex .exs .erl .hs .clj .dart .vue .svelte .css .scss .proto .graphql"
    " .tf .yaml .yml .toml .ini .cfg .conf .properties .xml",
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
    """The structure of a file. Raises InputError with the reason when it cannot be read, MissingExtraError."""
    format_ = format_of(path)
    if format_ == "pdf":
        return pdf.parse(data, limits)
    text, labels = decode(data)
    return parse_text(text, labels, path, format_, limits)


def parse_text(text: str, labels: tuple[str, ...], path: str, format_: Format, limits: Limits) -> Parsed:
    """The structure of a text; one that is too long is cut. Raises as ``read``."""
    if len(text) > limits.document_chars and format_ not in {"html", "json", "notebook"}:
        text, labels = text[: limits.document_chars], (*labels, LABEL_CUT)
    if not text.strip():
        raise InputError("it is empty")
    parsed = _parsed(text, path, format_, limits)
    if len(parsed.text) > limits.document_chars:
        raise InputError(f"its text has {len(parsed.text):,} characters, more than {limits.document_chars:,}")
    return replace(parsed, labels=(*labels, *parsed.labels))


def _parsed(text: str, path: str, format_: Format, limits: Limits) -> Parsed:
    match format_:
        case "markdown":
            return markdown.parse(text)
        case "html":
            return html.parse(text, limits)
        case "json":
            return json_text.parse(text, limits)
        case "notebook":
            return notebook.parse(text)
        case "code":
            return code.parse(text, path)
        case "pdf":
            raise InputError("a PDF is read from its bytes, not from a text")
        case _:
            return plain.parse(text)
