"""The hard filters of a plan, applied to a document."""

from __future__ import annotations

from smartbrain.contracts.plan import Filters
from smartbrain.resources import filtering
from smartbrain.resources.layers import Entry
from smartbrain.resources.library.values import DocumentInfo

TEXT_URI = "smartbrain://document/"
"""How the address of a text begins that was handed over and stands in no file."""

OBEYED = filtering.OBEYED | {"tag_ids", "source_type", "source_uri_prefix", "time_range"}
"""The filters a library applies: all but ``topic_ids``, of which documents say nothing."""


def uri_of(entry: Entry) -> str:
    """Leads back to the lines of an entry in its file."""
    lines = f"L{entry.line}" if entry.last_line <= entry.line else f"L{entry.line}-L{entry.last_line}"
    return f"{entry.uri}#{lines}"


def admits(filters: Filters, document: DocumentInfo) -> bool:
    """Whether a document passes every filter that it can answer (all but ``topic_ids``); the language is an entry's."""
    as_entry = Entry(
        id=document.document_id,
        layer="D1_DOCUMENT_CATALOG",
        document_id=document.document_id,
        path=document.path,
        title=document.title,
        text="",
        metadata=document.metadata,
    )
    if not filtering.admits(filters.model_copy(update={"language": ()}), as_entry):
        return False
    if filters.tag_ids and not _tags(document) & {tag.casefold() for tag in filters.tag_ids}:
        return False
    if filters.source_type and _source_type(document) not in filters.source_type:
        return False
    if filters.source_uri_prefix:
        prefixes = tuple(filters.source_uri_prefix)
        folded = tuple(prefix.casefold() for prefix in prefixes)
        if not (document.uri.startswith(prefixes) or document.path.casefold().startswith(folded)):
            return False
    return _in_time(filters, document)


def _tags(document: DocumentInfo) -> set[str]:
    said = ", ".join(document.metadata.get(key, "") for key in ("tags", "keywords", "标签"))
    return {tag.strip().casefold() for tag in said.replace("，", ",").split(",") if tag.strip()}


def _source_type(document: DocumentInfo) -> str:
    scheme = document.uri.partition(":")[0].lower()
    return "url" if scheme in {"http", "https"} else "file" if scheme == "file" else "manual"


def _in_time(filters: Filters, document: DocumentInfo) -> bool:
    """By when the file was changed last."""
    asked = filters.time_range
    if asked is None:
        return True
    if asked.start is not None and document.modified_at < asked.start:
        return False
    return asked.end is None or document.modified_at < asked.end
