"""A document as the library keeps it: its entries in every layer, cut into words, ready to be written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from smartbrain.resources.layers import Layer
from smartbrain.text.terms import term_counts, terms

LAYERS: tuple[Layer, ...] = (
    "D0_DOC_CHUNKS",
    "D1_DOCUMENT_CATALOG",
    "D2_FACT_INDEX",
    "D3_ENTITY_CATALOG",
    "D4_WORKFLOW_INDEX",
    "D5_RELATION_GRAPH",
)
"""The layers; a layer's place here is the number of its space in the store."""

BUILDER_ID = "lib-2"
"""Names this way of making entries of a document; documents made in another way are read anew."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry on its way in: see ``layers.Entry``. ``name`` is its id without that of its document."""

    layer: int
    name: str
    text: str
    start: int
    end: int
    line: int
    last_line: int
    heading: tuple[str, ...] = ()
    language: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)

    def terms(self) -> Mapping[str, int]:
        """The words it is found by."""
        return entry_terms(self.heading, self.text)


def entry_terms(heading: tuple[str, ...], text: str) -> Mapping[str, int]:
    """The words an entry is found by: its own and those of the headings above it."""
    # A plain dict of numbers, unlike a Counter, is nothing that garbage collection walks through.
    return dict(Counter([*_heading_terms(heading), *terms(text)])) if heading else term_counts(text)


@lru_cache(maxsize=1024)
def _heading_terms(heading: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(terms("\n".join(heading)))


LABEL = "label"
"""The key of an entry's own label in its metadata."""

PAGE = "page"
"""The key of the page an entry begins on."""
