"""The plan's hard filters, checked on each result where it can be told, and handed on where a field is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from smartbrain.contracts.evidence import Evidence
from smartbrain.contracts.plan import Filters, TimeRange
from smartbrain.resources.found import Found
from smartbrain.resources.scoping import matches

_LISTS = ("document_ids", "tag_ids", "topic_ids", "source_type", "source_uri_prefix", "language")
_MAPPABLE = ("document_ids", "tag_ids", "topic_ids", "language")
Result = tuple[Found, Evidence]
"""A result as it came and as evidence."""


class Filtering:
    """Applies filters to results. ``fields`` names the metadata field of each filter that has one.

    Without a field, documents, kind and place of source, language and time are judged by what the evidence says of
    itself; tags and topics cannot be, and are reported as ignored.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = {name: field for name, field in fields.items() if name in _MAPPABLE}

    def native(self, filters: Filters) -> dict[str, Any]:
        """The filters that a field is known for, by that field, for the retriever itself."""
        return {field: list(getattr(filters, name)) for name, field in self._fields.items() if getattr(filters, name)}

    def checks(self, filters: Filters) -> bool:
        """Whether results may be left out by these filters."""
        return filters.time_range is not None or any(getattr(filters, name) for name in _LISTS)

    def apply(self, results: Sequence[Result], filters: Filters) -> tuple[list[Result], list[str]]:
        """What matches every filter, and the names of those filters that could not be judged."""
        kept, unheard = list(results), []
        for name in _LISTS:
            wanted = getattr(filters, name)
            if not wanted:
                continue
            if name in self._fields:
                asked = {self._fields[name]: list(wanted)}
                kept = [(found, e) for found, e in kept if matches(found.metadata, asked)]
            elif name in {"tag_ids", "topic_ids"}:
                unheard.append(name)
            else:
                kept = [(found, e) for found, e in kept if _meets(name, e, wanted)]
        if filters.time_range is not None:
            if any(e.occurred_at for _, e in results):
                kept = [(found, e) for found, e in kept if _within(e, filters.time_range)]
            else:
                unheard.append("time_range")
        return kept, unheard


def _meets(name: str, evidence: Evidence, wanted: Sequence[str]) -> bool:
    if name == "document_ids":
        return bool({evidence.document_id, evidence.id, evidence.source_uri} & set(wanted))
    if name == "source_uri_prefix":
        return evidence.source_uri.startswith(tuple(wanted))
    value: str | None = getattr(evidence, name)
    return value in wanted


def _within(evidence: Evidence, span: TimeRange) -> bool:
    at = evidence.occurred_at
    if at is None:
        return False
    return (span.start is None or at >= span.start) and (span.end is None or at < span.end)
