"""The plan's hard filters, checked on each result where it can be told, and handed on where a field is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from smartbrain.contracts.evidence import Evidence
from smartbrain.contracts.plan import Filters, TimeRange
from smartbrain.resources.filtering import like
from smartbrain.resources.found import Found
from smartbrain.resources.scoping import matches

Result = tuple[Found, Evidence]
"""A result as it came and as evidence."""

_MAPPABLE = ("document_ids", "tag_ids", "topic_ids", "language")


class Filtering:
    """Applies filters to results. ``fields`` names the metadata field of each filter that has one.

    Without a field, documents, kind and place of source, and language are judged by what the evidence says of itself.
    Time is judged if any result has a date, paths if any has a relative path, ``metadata`` always; the one that does
    not say it does not pass. What cannot be judged is reported, and filters nothing: tags and topics without a field.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = {name: field for name, field in fields.items() if name in _MAPPABLE}

    def native(self, filters: Filters) -> dict[str, Any]:
        """The filters that a field is known for, by that field, for the retriever itself."""
        return {field: list(getattr(filters, name)) for name, field in self._fields.items() if getattr(filters, name)}

    def apply(self, results: Sequence[Result], filters: Filters) -> tuple[list[Result], list[str]]:
        """What matches every filter, and the names of those filters that could not be judged."""
        kept, unheard = list(results), []
        for name in type(filters).model_fields:
            wanted = getattr(filters, name)
            if not wanted:
                continue
            judge = self._judge(name, wanted, results)
            if judge is None:
                unheard.append(name)
            else:
                kept = [result for result in kept if judge(result)]
        return kept, unheard

    def _judge(self, name: str, wanted: Any, results: Sequence[Result]) -> Callable[[Result], bool] | None:
        if name in self._fields:
            asked = {self._fields[name]: list(wanted)}
            return lambda result: matches(result[0].metadata, asked)
        if name == "time_range":
            return (lambda result: _within(result[1], wanted)) if any(e.occurred_at for _, e in results) else None
        if name in _ON_PATHS:
            fits = _ON_PATHS[name]
            if not any(_path(result) for result in results):
                return None
            return lambda result: bool(_path(result)) and fits(_path(result), wanted)
        test = _ON_EVIDENCE.get(name)
        return None if test is None else lambda result: test(result, wanted)


def _says(result: Result, wanted: Mapping[str, str]) -> bool:
    own = {str(name).lower(): value for name, value in result[0].metadata.items()}
    return all(value.strip().lower() in _words(own.get(name.lower())) for name, value in wanted.items())


def _words(value: object) -> list[str]:
    values = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    return [str(one).strip().lower() for one in values if one is not None]


def _path(result: Result) -> str:
    """The relative path of a result in lower case; empty when its source is something else."""
    uri = result[1].source_uri
    return "" if ":" in uri or uri.startswith("/") else uri.lower()


def _begins(path: str, prefixes: Sequence[str]) -> bool:
    return path.startswith(tuple(prefix.lower() for prefix in prefixes))


_ON_PATHS: Mapping[str, Callable[[str, Sequence[str]], bool]] = {
    "path_prefixes": _begins,
    "exclude_path_prefixes": lambda path, prefixes: not _begins(path, prefixes),
    "exclude_like_patterns": lambda path, patterns: not any(like(pattern, path) for pattern in patterns),
}

_ON_EVIDENCE: Mapping[str, Callable[[Result, Any], bool]] = {
    "document_ids": lambda result, ids: bool({result[1].document_id, result[1].id, result[1].source_uri} & set(ids)),
    "source_uri_prefix": lambda result, prefixes: result[1].source_uri.startswith(tuple(prefixes)),
    "source_type": lambda result, kinds: result[1].source_type in kinds,
    "language": lambda result, languages: result[1].language in languages,
    "metadata": _says,
}


def _within(evidence: Evidence, span: TimeRange) -> bool:
    at = evidence.occurred_at
    if at is None:
        return False
    return (span.start is None or at >= span.start) and (span.end is None or at < span.end)
