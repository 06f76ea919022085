"""PDF by pypdf: the text of its pages, in order."""

from __future__ import annotations

import io
import logging
import warnings
from typing import Any

from smartbrain.errors import InputError, MissingExtraError
from smartbrain.resources.library.decoding import clean
from smartbrain.resources.library.structure import scan
from smartbrain.resources.library.values import LABEL_CUT, Limits, Parsed

_MOST_CONTENT = 8 << 20
"""A page whose instructions are longer (bytes) is a drawing or an attack, and is passed over."""


def parse(data: bytes, limits: Limits) -> Parsed:
    """The document. Raises MissingExtraError without pypdf, InputError for one that is encrypted, damaged or holds no
    text (scanned pages)."""
    try:
        import pypdf
    except ImportError as error:
        raise MissingExtraError("reading PDF", "library") from error
    logging.getLogger("pypdf").addFilter(_silent)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _parsed(pypdf.PdfReader(io.BytesIO(data), strict=False), limits)
    except InputError:
        raise
    except Exception as error:  # the parser is another's, and the file may be anything
        raise InputError(f"the PDF cannot be read: {type(error).__name__}: {str(error)[:200]}") from error
    finally:
        logging.getLogger("pypdf").removeFilter(_silent)


def _silent(_: logging.LogRecord) -> bool:
    return False  # what is wrong with a file is said in its refusal


def _parsed(reader: Any, limits: Limits) -> Parsed:
    if reader.is_encrypted and not reader.decrypt(""):
        raise InputError("the PDF is encrypted")
    pages: list[str] = []
    size, cut = 0, False
    for number, page in enumerate(reader.pages):
        if number >= limits.pages or size > limits.document_chars:
            cut = True
            break
        content = page.get_contents()
        if content is not None and len(content.get_data()) > _MOST_CONTENT:
            cut = True
            pages.append("")
            continue
        pages.append(clean(page.extract_text() or "").strip())
        size += len(pages[-1]) + 2
    text, starts = _joined(pages)
    if len(text) > limits.document_chars:
        text, cut = text[: limits.document_chars], True
    if not text.strip():
        raise InputError("the PDF holds no text (scanned pages?)")
    title = str((reader.metadata or {}).get("/Title") or "").strip()
    return Parsed(text, "pdf", scan(text, style="plain"), title[:200], {}, (LABEL_CUT,) if cut else (), pages=starts)


def _joined(pages: list[str]) -> tuple[str, tuple[int, ...]]:
    starts, place = [], 0
    for page in pages:
        starts.append(place)
        place += len(page) + 2
    return "\n\n".join(pages), tuple(starts)
