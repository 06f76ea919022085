"""What a store's namespaces, filters and queries mean, apart from where the items are kept."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from langgraph.store.base import InvalidNamespaceError
from langgraph.store.base.embed import get_text_at_path, tokenize_path

from smartbrain.config import LexicalPolicy
from smartbrain.errors import InputError

Terms = Mapping[str, int]


def check_put_namespace(namespace: Sequence[str]) -> None:
    """LangGraph's rules for a namespace that is written to. Raises InvalidNamespaceError."""
    if not namespace:
        raise InvalidNamespaceError("Namespace cannot be empty.")
    check_read_namespace(namespace)
    if namespace[0] == "langgraph":
        raise InvalidNamespaceError(f'Root label for namespace cannot be "langgraph". Got: {namespace}')


def check_read_namespace(namespace: Sequence[str]) -> None:
    """LangGraph's rules for each label, also where operations come past ``put`` and ``get``."""
    for label in namespace:
        if not isinstance(label, str):
            raise InvalidNamespaceError(f"Namespace labels must be strings, got {label!r} in {namespace}")
        if not label or "." in label or "\x00" in label:
            raise InvalidNamespaceError(
                f"Namespace labels cannot be empty nor hold a period or NUL, got {label!r} in {namespace}"
            )


def matches(value: Any, wanted: Any) -> bool:
    """Whether a value fits a filter: equal, part by part for mappings, or by ``$eq $ne $gt $gte $lt $lte``.

    What cannot be compared does not fit. Raises InputError for an unknown operator.
    """
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compared(value, name, other) for name, other in wanted.items())
        return isinstance(value, Mapping) and all(matches(value.get(name), part) for name, part in wanted.items())
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(matches(own, part) for own, part in zip(value, wanted, strict=True))
        )
    return bool(value == wanted)


_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": lambda own, other: own > other,
    "$gte": lambda own, other: own >= other,
    "$lt": lambda own, other: own < other,
    "$lte": lambda own, other: own <= other,
}


def _compared(value: Any, operator: str, other: Any) -> bool:
    if operator == "$eq":
        return bool(value == other)
    if operator == "$ne":
        return bool(value != other)
    order = _ORDERS.get(operator)
    if order is None:
        raise InputError(f"Unsupported operator: {operator}")
    both_text = isinstance(value, str) and isinstance(other, str)
    both_numbers = all(isinstance(side, (int, float)) for side in (value, other))
    return bool(order(value, other)) if both_text or both_numbers else False


def indexed_terms(value: Mapping[str, Any], index: Literal[False] | list[str] | None) -> dict[str, int] | None:
    """The terms a value is found by: of all its texts, of the fields named, or None for an item left out."""
    from smartbrain.text.terms import term_counts

    if index is False:
        return None
    if index is None:
        texts = list(_texts(value))
    else:
        texts = [text for path in index for text in get_text_at_path(value, tokenize_path(path))]
    return dict(term_counts("\n".join(texts)))


def _texts(value: Any) -> Sequence[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in _texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [] if value is None else [str(value)]


def ranked(query: str, documents: Sequence[Terms | None]) -> list[tuple[int, float | None]]:
    """Every document's place with its score, best first; equal ones in the order given, those without terms last.

    BM25 (Robertson & Zaragoza 2009) as a share of what a document could reach that holds every term of the query
    without end: 0..1.
    """
    from smartbrain.text.terms import query_terms

    policy = LexicalPolicy()
    indexed = [document for document in documents if document is not None]
    frequency = Counter(term for document in indexed for term in document)
    mean = sum(sum(document.values()) for document in indexed) / len(indexed) if indexed else 0.0
    asked = dict.fromkeys(query_terms(query))
    weights = {t: math.log(1 + (len(indexed) - frequency[t] + 0.5) / (frequency[t] + 0.5)) for t in asked}
    most = sum(weights.values())

    def score(document: Terms) -> float:
        if not most or not mean:
            return 0.0
        long = policy.k1 * (1 - policy.b + policy.b * sum(document.values()) / mean)
        got = sum(weight * document[t] / (document[t] + long) for t, weight in weights.items() if t in document)
        return got / most

    scores = [(place, None if document is None else score(document)) for place, document in enumerate(documents)]
    return sorted(scores, key=lambda pair: -1.0 if pair[1] is None else pair[1], reverse=True)
