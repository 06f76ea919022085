"""The layers of a library and what an index over them answers (contracts.md §12, seed 002).

A plan is executed over this port alone, so that the executor knows no storage and the library knows no plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from smartbrain.contracts.plan import Filters, Layer, Mode
from smartbrain.model import Scope

__all__ = ["Entry", "Layer", "LayeredIndex", "Scored"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One findable thing of one layer, and where in its document it stands.

    ``id`` is stable while the document's text is: ``document:section:chunk`` for chunks. ``path`` is POSIX and relative
    to what was added ("docs/api/orders.md"). ``heading`` is the path of headings above it. ``start`` and ``end`` are
    offsets in characters of the document's text, ``line`` and ``last_line`` count from 1. ``metadata`` holds front
    matter such as ``domain`` and ``subdomain``, as strings. ``uri`` leads back to the document, ``abstract`` is a
    sentence or two of it; ``labels`` say what to know before trusting it ("instructions": it addresses a model).
    ``page`` counts from 1 where a document has pages.
    """

    id: str
    layer: Layer
    document_id: str
    path: str
    title: str
    text: str
    heading: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    line: int = 1
    last_line: int = 1
    language: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    uri: str = ""
    abstract: str = ""
    labels: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """An entry that a search found. ``score`` > 0, comparable within one answer; ``signals`` say how it came about."""

    entry: Entry
    score: float
    matched: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)


class LayeredIndex(Protocol):
    """Entries by words, by path and by part of a path. Every call is limited to ``scopes``, which may not be empty."""

    def search(
        self, text: str, *, scopes: Sequence[Scope], layers: Sequence[Layer], filters: Filters, mode: Mode, limit: int
    ) -> list[Scored]:
        """The best entries of these layers, best first. Raises InputError if there is no scope."""
        ...

    def at(
        self, paths: Sequence[str], *, scopes: Sequence[Scope], layers: Sequence[Layer], filters: Filters
    ) -> list[Entry]:
        """The entries of the documents at exactly these paths (case ignored), in the order of the paths."""
        ...

    def containing(
        self,
        fragments: Sequence[str],
        *,
        scopes: Sequence[Scope],
        layers: Sequence[Layer],
        filters: Filters,
        limit: int,
    ) -> list[Entry]:
        """The entries of documents whose path contains one of the fragments (case ignored)."""
        ...
