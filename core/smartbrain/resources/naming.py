"""What a library calls the things that a message may speak of: for the router, before a plan is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from smartbrain.contracts.plan import Filters, Layer
from smartbrain.model import Scope
from smartbrain.ports import KnownNames
from smartbrain.resources.layers import Entry, LayeredIndex

_MOST = 30
_THINGS = frozenset(("entity", "definition"))


def names_in(text: str, index: LayeredIndex, *, scopes: Sequence[Scope]) -> KnownNames:
    """The documents and things whose names share words with a text, at most 30 of each, and the domains of those
    documents. Which of them the text really names, the router says."""
    documents = _best(text, index, scopes, "D1_DOCUMENT_CATALOG")
    things = [e for e in _best(text, index, scopes, "D3_ENTITY_CATALOG") if e.metadata.get("kind") in _THINGS]
    return KnownNames(
        entities={entry.metadata["entity"]: () for entry in things if entry.metadata.get("entity")},
        documents={entry.path: (entry.title,) for entry in documents},
        domains=_said(documents, "domain"),
        subdomains=_said(documents, "subdomain"),
    )


def _best(text: str, index: LayeredIndex, scopes: Sequence[Scope], layer: Layer) -> list[Entry]:
    hits = index.search(text, scopes=scopes, layers=(layer,), filters=Filters(), mode="hybrid", limit=_MOST)
    return [hit.entry for hit in hits]


def _said(entries: Iterable[Entry], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.metadata[name] for entry in entries if entry.metadata.get(name)))
