"""Rows of a library as values, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from smartbrain.ports import LANGUAGES
from smartbrain.resources.layers import Entry
from smartbrain.resources.library.drafts import LABEL, LAYERS, PAGE, Draft
from smartbrain.resources.library.values import DocumentInfo
from smartbrain.stores.sql.values import moment

INFO = "document_id, path, title, uri, format, language, chars, modified_us, added_us, abstract, metadata, labels"
ENTRY = (
    "e.ord, e.name, e.layer, d.document_id, d.path, d.title, e.text, e.heading, e.start, e.end, e.line, e.last_line,"
    " e.language, d.metadata, e.metadata, d.uri, d.abstract, d.labels"
)
FROM = "FROM entries e JOIN documents d ON d.document_pk = e.document_pk AND d.scope_id = e.scope_id"


class Known(NamedTuple):
    """What is known of a document that is there."""

    path: str
    root: str
    uri: str
    digest: str


class Profile(NamedTuple):
    """What filters ask of a document."""

    document_pk: int
    info: DocumentInfo


def language_place(language: str) -> int:
    """The language of an entry as the column that holds a speaker in conversations."""
    return LANGUAGES.index(language) if language in LANGUAGES else LANGUAGES.index("other")


def entry_row(scope_id: int, ord_: int, document_pk: int, draft: Draft, language: str) -> tuple[object, ...]:
    return (
        scope_id,
        draft.layer,
        ord_,
        document_pk,
        draft.name,
        _heading_json(draft.heading) if draft.heading else "",
        draft.start,
        draft.end,
        draft.line,
        draft.last_line,
        language,
        _metadata_json(draft.metadata) if draft.metadata else "",
        draft.text,
    )


def entry_of(row: Sequence[object]) -> Entry:
    (_, name, layer, document_id, path, title, text, heading, start, end, line, last_line, language, of_document) = row[
        :14
    ]
    own, uri, abstract, labels = row[14:18]
    metadata = json.loads(str(own)) if own else {}
    label, page = metadata.pop(LABEL, None), metadata.pop(PAGE, None)
    # What a document is labelled with for one of its pieces says nothing of the others.
    whole = [one for one in json.loads(str(labels)) if one in _OF_THE_WHOLE]
    return Entry(
        id=f"{document_id}:{name}",
        layer=LAYERS[int(str(layer))],
        document_id=str(document_id),
        path=str(path),
        title=str(title),
        text=str(text),
        heading=tuple(json.loads(str(heading))) if heading else (),
        start=int(str(start)),
        end=int(str(end)),
        line=int(str(line)),
        last_line=int(str(last_line)),
        language=str(language),
        metadata={**json.loads(str(of_document)), **metadata},
        uri=str(uri),
        abstract=str(abstract),
        labels=(*whole, *((label,) if label else ())),
        page=int(page) if page else None,
    )


_OF_THE_WHOLE = frozenset(("encoding", "cut"))


def info_of(row: Sequence[object]) -> DocumentInfo:
    *texts, chars, modified_us, added_us, abstract, metadata, labels = row
    document_id, path, title, uri, format_, language = map(str, texts)
    return DocumentInfo(
        document_id=document_id,
        path=path,
        title=title,
        uri=uri,
        format=format_,
        language=language,
        chars=int(str(chars)),
        modified_at=moment(int(str(modified_us)), 0),
        added_at=moment(int(str(added_us)), 0),
        abstract=str(abstract),
        metadata=json.loads(str(metadata)),
        labels=tuple(json.loads(str(labels))),
    )


to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_heading_json = lru_cache(maxsize=1024)(to_json)


def _metadata_json(metadata: Mapping[str, str]) -> str:
    # As ``to_json``, which sets up an encoder for whatever is no text.
    return f"{{{','.join([f'{to_json(key)}:{to_json(value)}' for key, value in metadata.items()])}}}"
