"""A document as the library keeps it: its entries in every layer, cut into words, ready to be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from smartbrain.resources.layers import Layer
from smartbrain.resources.library.chunking import Chunk, chunks, placed
from smartbrain.resources.library.dangers import addresses_a_model
from smartbrain.resources.library.values import LABEL_INSTRUCTIONS, Parsed
from smartbrain.text.language import detect
from smartbrain.text.terms import term_counts

LAYERS: tuple[Layer, ...] = (
    "D0_DOC_CHUNKS",
    "D1_DOCUMENT_CATALOG",
    "D2_FACT_INDEX",
    "D3_ENTITY_CATALOG",
    "D4_WORKFLOW_INDEX",
    "D5_RELATION_GRAPH",
)
"""The layers; a layer's place here is the number of its space in the store."""

BUILDER_ID = "lib-1"
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
    return term_counts("\n".join((*heading, text)))


@dataclass(frozen=True, slots=True)
class Built:
    """A document with what is found of it."""

    parsed: Parsed
    title: str
    abstract: str
    language: str
    labels: tuple[str, ...]
    drafts: tuple[Draft, ...]


def build(parsed: Parsed, path: str) -> Built:
    """All entries of a document, from its structure alone: the same text gives the same entries."""
    from smartbrain.resources.library.catalog import abstract_of, catalog_entry, title_of

    blocks = placed(parsed.blocks)
    start = parsed.blocks[0].start if parsed.blocks else 0
    language = detect(parsed.text[start : start + _SAMPLE])
    title = title_of(parsed, path)
    abstract = abstract_of(parsed)
    suspicious = addresses_a_model(parsed.text)
    drafts = [
        _chunk_draft(parsed, number, chunk, language, suspicious=suspicious)
        for number, chunk in enumerate(chunks(parsed, blocks, language))
    ]
    drafts.append(catalog_entry(parsed, path, title, abstract, language))
    labels = (*parsed.labels, *((LABEL_INSTRUCTIONS,) if suspicious else ()))
    return Built(parsed, title, abstract, language, labels, tuple(drafts))


_SAMPLE = 4_000


def _chunk_draft(parsed: Parsed, number: int, chunk: Chunk, language: str, *, suspicious: bool) -> Draft:
    text = parsed.text[chunk.start : chunk.end]
    return Draft(
        layer=0,
        name=f"{chunk.section}:{number}",
        text=text,
        start=chunk.start,
        end=chunk.end,
        line=chunk.line,
        last_line=chunk.last_line,
        heading=chunk.heading,
        language=detect(text) or language,
        metadata={LABEL: LABEL_INSTRUCTIONS} if suspicious and addresses_a_model(text) else {},
    )


LABEL = "label"
"""The key of an entry's own label in its metadata."""
