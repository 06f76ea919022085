"""What a retriever of any make gives, as ``Evidence``: text, id, source, place and score, by what it carries."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from itertools import pairwise
from numbers import Real
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import Any

from smartbrain.contracts.evidence import Evidence, Provenance, Signals, SpanInfo
from smartbrain.contracts.plan import SourceType
from smartbrain.policies.shortening import cut_snippet
from smartbrain.text.language import detect
from smartbrain.text.terms import query_terms

MOST_TEXT = 200_000
"""Of a longer text only the beginning is looked at."""

_SOURCES = ("source_uri", "source", "url", "uri", "link", "file_path", "path", "file_name", "filename")
_TITLES = ("title", "section_title", "heading", "header", "name", "file_name", "filename")
_TEXTS = ("text", "content", "page_content", "snippet", "body")
_IDS = ("id", "id_", "node_id", "chunk_id")
_DOCUMENTS = ("document_id", "doc_id", "ref_doc_id")
_DATES = ("occurred_at", "date", "created_at", "published_at", "last_modified_date", "creation_date")
_SCORES = ("score", "relevance_score", "similarity", "_score")
_GLANCE = 200


@dataclass(frozen=True, slots=True)
class Found:
    """One result as it came. ``score`` is the retriever's own number, of any range; None when it gave none."""

    text: str
    id: str = ""
    score: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    document_id: str | None = None
    start: int | None = None


def as_found(raw: Any) -> Found | None:
    """A result of a known shape, None for one without text.

    Known are: text; a LangChain ``Document``; a LlamaIndex node, bare or with a score; a mapping with its text under
    ``text``, ``content``, ``page_content`` or ``snippet``; and each of them in a pair with a score.
    Raises TypeError for anything else.
    """
    if isinstance(raw, tuple) and len(raw) == 2 and isinstance(raw[1], Real):
        inner = as_found(raw[0])
        return inner and Found(inner.text, inner.id, _number(raw[1]), inner.metadata, inner.document_id, inner.start)
    if isinstance(raw, str):
        return Found(raw[:MOST_TEXT]) if raw.strip() else None
    if isinstance(raw, Mapping):
        return _of_mapping(raw)
    if isinstance(getattr(raw, "page_content", None), str):
        return _of_document(raw)
    node = getattr(raw, "node", raw)
    if callable(getattr(node, "get_content", None)):
        return _of_node(node, _number(getattr(raw, "score", None)))
    raise TypeError(
        f"a result is a {type(raw).__name__}; it must be text, a mapping with text, a LangChain Document"
        " or a LlamaIndex node, or a pair of one of them with a score"
    )


def _of_document(raw: Any) -> Found | None:
    metadata = _metadata(raw)
    start = metadata.get("start_index")
    return _filled(
        Found(
            raw.page_content[:MOST_TEXT],
            _word(getattr(raw, "id", None)),  # an id in the metadata may be that of the whole document
            _score(metadata),
            metadata,
            _first(metadata, _DOCUMENTS) or None,
            start if isinstance(start, int) else None,
        )
    )


def _of_node(node: Any, score: float | None) -> Found | None:
    metadata = _metadata(node)
    start = getattr(node, "start_char_idx", None)
    return _filled(
        Found(
            str(node.get_content())[:MOST_TEXT],
            _word(getattr(node, "node_id", None)),
            score,
            metadata,
            _word(getattr(node, "ref_doc_id", None)) or None,
            start if isinstance(start, int) else None,
        )
    )


def _of_mapping(raw: Mapping[str, Any]) -> Found | None:
    text = next((raw[name] for name in _TEXTS if isinstance(raw.get(name), str)), "")
    inner = raw.get("metadata")
    metadata = {**{k: v for k, v in raw.items() if k not in {*_TEXTS, "metadata"}}}
    metadata |= inner if isinstance(inner, Mapping) else {}
    return _filled(
        Found(text[:MOST_TEXT], _first(raw, _IDS), _score(raw), metadata, _first(metadata, _DOCUMENTS) or None)
    )


def _filled(found: Found) -> Found | None:
    return found if found.text.strip() else None


def _metadata(raw: Any) -> Mapping[str, Any]:
    metadata = getattr(raw, "metadata", None)
    return metadata if isinstance(metadata, Mapping) else {}


def _score(values: Mapping[str, Any]) -> float | None:
    return next((number for name in _SCORES if (number := _number(values.get(name))) is not None), None)


def _number(value: object) -> float | None:
    """A finite number, also one of numpy's."""
    if isinstance(value, (bool, str)) or value is None:
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _word(value: object) -> str:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip() else ""


def _first(values: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((word for name in names if (word := _word(values.get(name)))), "")


def relevances(founds: Sequence[Found]) -> list[float]:
    """What each result is worth, > 0, not rising from one to the next, for they come best first.

    Scores that fall are similarities and stay as they are; scores that rise are distances d and count 1 / (1 + d);
    without scores, or with a mixture, the place counts: 10 / (9 + place).
    """
    scores = [found.score for found in founds]
    known = [score for score in scores if score is not None]
    if len(known) == len(scores):
        falls = all(a >= b for a, b in pairwise(known))
        if falls and known[-1:] > [0.0]:
            return known
        rises = all(a <= b for a, b in pairwise(known))
        if rises and known[:1] >= [0.0]:
            return [1.0 / (1.0 + distance) for distance in known]
    return [10.0 / (9 + place) for place in range(1, len(founds) + 1)]


def source_of(found: Found, kind: str) -> tuple[str, SourceType]:
    """The way back to a result: a URL, ``file://``, a path as it is, or its id under the retriever's name."""
    given = _first(found.metadata, _SOURCES)
    if "://" in given:
        scheme = given.partition("://")[0].casefold()
        return given, "file" if scheme == "file" else "url" if scheme in {"http", "https"} else "other"
    if given:
        path = _absolute(given)
        return (path.as_uri() if path else given), "file"
    return f"resource://{kind}/{found.document_id or found.id or _digest(found.text)}", "other"


def _absolute(text: str) -> PurePath | None:
    path: PurePath
    for path in (PurePosixPath(text), PureWindowsPath(text)):
        if path.is_absolute():
            return path
    return None


def said_at(found: Found) -> datetime | None:
    """When the document says that it was written; a bare date or a time without an offset counts as UTC."""
    for name in _DATES:
        value = found.metadata.get(name)
        if isinstance(value, str):
            try:
                value = datetime.fromisoformat(value.strip())
            except ValueError:
                continue
        if isinstance(value, date) and not isinstance(value, datetime):
            value = datetime.combine(value, time())
        if isinstance(value, datetime):
            return value if value.tzinfo else value.replace(tzinfo=UTC)
    return None


def as_evidence(
    found: Found, relevance: float, rank: int, *, kind: str, provenance: Provenance, max_chars: int
) -> Evidence:
    """One result as evidence. Its id is the retriever's own, or a digest of source and text: stable either way."""
    source, source_type = source_of(found, kind)
    snippet, start, end = cut_snippet(found.text, max_chars, query_terms(provenance.query_text))
    places = {} if found.start is None else {"offset_start": found.start + start, "offset_end": found.start + end}
    page = found.metadata.get("page", found.metadata.get("page_number"))
    return Evidence(
        id=found.id or "resource:" + _digest(f"{source}\n{found.text}"),
        kind="resource_section",
        document_id=found.document_id or source,
        title=_first(found.metadata, _TITLES),
        source_uri=source,
        source_type=source_type,
        snippet=snippet,
        language=_first(found.metadata, ("language", "lang")) or detect(found.text[:_GLANCE]) or None,
        trust="resource",
        occurred_at=said_at(found),
        signals=Signals(vector_score=found.score, vector_rank=rank, score=relevance),
        provenance=provenance,
        metadata=SpanInfo(page=page if isinstance(page, int) else None, **places),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
