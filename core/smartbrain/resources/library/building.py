"""All entries of a document, from its structure alone: the same text gives the same entries."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from smartbrain.resources.library.catalog import abstract_of, catalog_entry, title_of
from smartbrain.resources.library.chunking import Chunk, chunks, placed
from smartbrain.resources.library.dangers import addresses_a_model
from smartbrain.resources.library.drafts import LABEL, PAGE, Draft
from smartbrain.resources.library.entities import entities
from smartbrain.resources.library.facts import facts
from smartbrain.resources.library.relations import relations
from smartbrain.resources.library.values import LABEL_INSTRUCTIONS, Limits, Parsed
from smartbrain.resources.library.workflows import workflows
from smartbrain.text.language import detect

_SAMPLE = 800


@dataclass(frozen=True, slots=True)
class Built:
    """A document with what is found of it."""

    parsed: Parsed
    title: str
    abstract: str
    language: str
    labels: tuple[str, ...]
    drafts: tuple[Draft, ...]


def build(parsed: Parsed, path: str, limits: Limits) -> Built:
    """The entries of a document in every layer; ``path`` is its path in the library.

    An entry without a language is in that of its document.
    """
    blocks = placed(parsed.text, parsed.blocks)
    start = parsed.blocks[0].start if parsed.blocks else 0
    language = detect(parsed.text[start : start + _SAMPLE])
    title, abstract = title_of(parsed, path), abstract_of(parsed)
    suspicious = addresses_a_model(parsed.text)
    cut = [_chunk(parsed, number, chunk, language) for number, chunk in enumerate(chunks(parsed, blocks, language))]
    layers: tuple[Iterator[Draft], ...] = (
        facts(parsed, blocks),
        entities(parsed, blocks, title, abstract, limits.entries),
        workflows(parsed, blocks),
        relations(parsed, blocks, path, title),
    )
    drafts = [*cut, catalog_entry(parsed, path, title, abstract, language)]
    for layer in layers:
        drafts += islice(layer, limits.entries)
    if parsed.pages:
        drafts = [_paged(draft, parsed.pages) for draft in drafts]
    if suspicious:
        drafts = [_labelled(draft) for draft in drafts]
    labels = (*parsed.labels, *((LABEL_INSTRUCTIONS,) if suspicious else ()))
    return Built(parsed, title, abstract, language, labels, tuple(drafts))


def _chunk(parsed: Parsed, number: int, chunk: Chunk, language: str) -> Draft:
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
        language=_language(text, language),
    )


def _language(text: str, around: str) -> str:
    """The language of a chunk: that of its document, unless it holds letters of its own."""
    return around if around == "en" and text.isascii() else detect(text[:_GLANCE]) or around


_GLANCE = 240


def _paged(draft: Draft, pages: Sequence[int]) -> Draft:
    return replace(draft, metadata={**draft.metadata, PAGE: str(bisect_right(pages, draft.start))})


def _labelled(draft: Draft) -> Draft:
    """The entry with a label if it is this one that addresses a model."""
    if not addresses_a_model(draft.text):
        return draft
    return replace(draft, metadata={**draft.metadata, LABEL: LABEL_INSTRUCTIONS})
