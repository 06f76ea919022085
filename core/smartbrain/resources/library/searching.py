"""Entries by words and by path: the answers of ``LayeredIndex`` from one snapshot of a library."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import LexicalPolicy
from smartbrain.contracts.plan import Filters, Mode
from smartbrain.errors import InputError, PluginError, ScopeError
from smartbrain.model import Scope
from smartbrain.ports import LexicalView
from smartbrain.resources.layers import Entry, Layer, Scored
from smartbrain.resources.library.embedding import Embedding
from smartbrain.resources.library.records import Profile, language_place
from smartbrain.resources.library.selecting import admits
from smartbrain.resources.library.shelf import Shelf, one_layer
from smartbrain.retrieval.across import across, bridges_of
from smartbrain.retrieval.centring import Asked as Question
from smartbrain.retrieval.lexical import QuerySignals, Ranked, may_be_seen, rank_events, rank_items, rank_meaning
from smartbrain.retrieval.semantic import Meaning, meaning_of, with_across
from smartbrain.text.terms import asked_terms, query_terms

DOCUMENTS = LexicalPolicy(
    b=0.6,
    after_question=0.2,
    after_statement=0.2,
    neighbour=0.2,
    second_neighbour=0.05,
    alone=0.2,
    lone=0.2,
    long_turn=2_000.0,
    segment_weight=0.37,
    brief_penalty=0.0,
    speaker_weight=0.0,
    date_weight=0.0,
    question_penalty=0.0,
    assistant_penalty=0.0,
    recency_weight=0.0,
)
"""How chunks of documents are ranked: as turns are, but that nobody speaks, nothing is asked, and age says nothing.

A chunk's neighbours and the stretch of its document around it count as a turn's do, with less weight: prose goes on
where a conversation answers.
"""

_KEPT = 16
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Asked:
    """What every call names: whose documents, which layers, and what must hold of them."""

    scopes: tuple[Scope, ...]
    layers: tuple[int, ...]
    filters: Filters


def asked(scopes: Sequence[Scope], layers: Sequence[Layer], filters: Filters) -> Asked:
    """The call, checked. Raises ScopeError without a scope, InputError without a layer or for an unknown one."""
    if not scopes:
        raise ScopeError("a search needs the scopes it may see; none was given")
    if not layers:
        raise InputError("a search needs the layers to look in; none was given")
    return Asked(tuple(dict.fromkeys(scopes)), tuple(dict.fromkeys(map(one_layer, layers))), filters)


class Searching:
    """The searches of one library; what filters chose is kept between calls, as long as nothing is written."""

    def __init__(self, embedding: Embedding | None, policy: LexicalPolicy = DOCUMENTS) -> None:
        """Without ``embedding``, by words alone."""
        self._embedding = embedding
        self._policy = policy
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, str], tuple[int, frozenset[int]]] = OrderedDict()

    def search(self, shelf: Shelf, text: str, call: Asked, mode: Mode, limit: int, warnings: list[str]) -> list[Scored]:
        """See ``LayeredIndex.search``; ``warnings`` are told when an embedder fails, and words alone are searched."""
        if limit < 1:
            raise InputError(f"limit must be at least 1, got {limit}")
        terms = asked_terms(text) or query_terms(text)
        question = None if mode == "exact" else self._question(text, warnings)
        found: list[Scored] = []
        for scope in call.scopes:
            scope_id = shelf.scope_id(scope)
            if scope_id is None:
                continue
            for layer in call.layers:
                view = shelf.lexical(scope_id, layer, terms)
                only = self._mask(shelf, scope_id, layer, call.filters, view)
                if mode == "exact":
                    only = _holding_all(view, terms, only)
                signals = QuerySignals(only=only)
                meaning = _meaning(shelf, scope_id, layer, view, signals, question)
                ranked = self._ranked(view, terms, signals, layer, mode, limit, meaning)
                found += self._scored(shelf, scope_id, layer, ranked)
        return sorted(found, key=lambda one: (-one.score, one.entry.id))[:limit]

    def _question(self, text: str, warnings: list[str]) -> Question | None:
        if self._embedding is None or not text.strip():
            return None
        try:
            return self._embedding.question(text)
        except PluginError as error:
            warnings.append(f"{error}; documents were searched by words")
            return None

    def _ranked(
        self,
        view: LexicalView,
        terms: Sequence[str],
        signals: QuerySignals,
        layer: int,
        mode: Mode,
        limit: int,
        meaning: Meaning | None,
    ) -> Ranked:
        if mode == "semantic" and meaning is not None:
            return rank_meaning(view, signals, limit, meaning)
        if layer == 0:
            return rank_events(view, terms, signals, self._policy, limit, meaning)
        return rank_items(view, terms, signals, self._policy, limit, meaning)

    def _scored(self, shelf: Shelf, scope_id: int, layer: int, ranked: Ranked) -> list[Scored]:
        entries = shelf.entries(scope_id, layer, ranked.ords)
        rows = zip(ranked.ords, ranked.scores, ranked.parts, ranked.matched, strict=True)
        return [
            Scored(entries[ord_], score, matched, parts)
            for ord_, score, parts, matched in rows
            if score > 0 and ord_ in entries
        ]

    def at(self, shelf: Shelf, paths: Sequence[str], call: Asked) -> list[Entry]:
        """See ``LayeredIndex.at``."""
        found: list[Entry] = []
        for path in dict.fromkeys(path.casefold() for path in paths):
            for scope in call.scopes:
                scope_id = shelf.scope_id(scope)
                if scope_id is not None:
                    found += self._entries(shelf, scope_id, shelf.at(scope_id, path), call, _ALL)
        return found

    def containing(self, shelf: Shelf, fragments: Sequence[str], call: Asked, limit: int) -> list[Entry]:
        """See ``LayeredIndex.containing``; documents in the order of the fragments, then by path."""
        wanted = [fragment.casefold() for fragment in dict.fromkeys(fragments) if fragment.strip()]
        found: list[Entry] = []
        for scope in call.scopes:
            scope_id = shelf.scope_id(scope)
            if scope_id is None:
                continue
            found += self._entries(shelf, scope_id, shelf.holding(scope_id, wanted), call, limit)
        return found[:limit]

    def _entries(
        self, shelf: Shelf, scope_id: int, profiles: Sequence[Profile] | Sequence[int], call: Asked, limit: int
    ) -> list[Entry]:
        chosen = self._chosen(shelf, scope_id, call.filters)
        found: list[Entry] = []
        for one in profiles:
            key = one if isinstance(one, int) else one.document_pk
            if chosen is not None and key not in chosen:
                continue
            if len(found) >= limit:
                break
            for layer in call.layers:
                found += shelf.entries_of(scope_id, layer, key, max(0, limit - len(found)))
        spoken = call.filters.language
        return [entry for entry in found if not spoken or entry.language in spoken]

    def _mask(self, shelf: Shelf, scope_id: int, layer: int, filters: Filters, view: LexicalView) -> Mask | None:
        """Which ordinals the filters leave; None when they leave all."""
        chosen = self._chosen(shelf, scope_id, filters)
        mask: Mask | None = None
        if chosen is not None:
            mask = np.zeros(view.n_docs, dtype=np.bool_)
            for first, count in shelf.places_of(scope_id, layer, chosen):
                mask[first : first + count] = True
        if filters.language:
            spoken = np.isin(view.columns.speaker, [language_place(language) for language in filters.language])
            mask = spoken if mask is None else mask & spoken
        return mask

    def _chosen(self, shelf: Shelf, scope_id: int, filters: Filters) -> frozenset[int] | None:
        """The documents that filters leave; None when they ask nothing of documents."""
        asks = filters.model_copy(update={"language": ()})
        if asks == _NO_FILTERS:
            return None
        key = (scope_id, asks.model_dump_json())
        generation = shelf.generation(scope_id)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept[0] == generation:
            return kept[1]
        profiles = shelf.profiles(scope_id, asks.document_ids)
        chosen = frozenset(one.document_pk for one in profiles if admits(asks, one.info))
        with self._lock:
            self._kept[key] = (generation, chosen)
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return chosen


def _meaning(
    shelf: Shelf, scope_id: int, layer: int, view: LexicalView, signals: QuerySignals, asked: Question | None
) -> Meaning | None:
    """How near the entries of a layer are to the question, as for turns (chunks) and for memory items (the rest)."""
    if asked is None or view.n_docs == 0:
        return None
    policy = asked.policy
    allowed = may_be_seen(view.columns, signals)
    texts = int(np.count_nonzero(allowed & (view.columns.chars > 0)))
    weight = policy.weight_events if layer == 0 else policy.weight_items
    meaning = meaning_of(shelf.vectors(scope_id, layer, asked.model), asked, allowed, texts, weight)
    if meaning is None or not (asked.senses and policy.weight_across and meaning.crosses):
        return meaning
    bridges = bridges_of(asked.senses, policy.nearness_across)
    other_words = shelf.lexical(scope_id, layer, [bridge.term for bridge in bridges])
    return with_across(meaning, across(other_words, bridges, meaning.foreign, policy))


class Snapshot:
    """A ``LayeredIndex`` over one moment of a library, of use as long as its block."""

    def __init__(self, shelf: Shelf, searching: Searching) -> None:
        self._shelf = shelf
        self._searching = searching
        self.warnings: list[str] = []

    def search(
        self, text: str, *, scopes: Sequence[Scope], layers: Sequence[Layer], filters: Filters, mode: Mode, limit: int
    ) -> list[Scored]:
        """See ``LayeredIndex.search``."""
        return self._searching.search(self._shelf, text, asked(scopes, layers, filters), mode, limit, self.warnings)

    def at(
        self, paths: Sequence[str], *, scopes: Sequence[Scope], layers: Sequence[Layer], filters: Filters
    ) -> list[Entry]:
        """See ``LayeredIndex.at``."""
        return self._searching.at(self._shelf, paths, asked(scopes, layers, filters))

    def containing(
        self,
        fragments: Sequence[str],
        *,
        scopes: Sequence[Scope],
        layers: Sequence[Layer],
        filters: Filters,
        limit: int,
    ) -> list[Entry]:
        """See ``LayeredIndex.containing``."""
        return self._searching.containing(self._shelf, fragments, asked(scopes, layers, filters), limit)

    def count(self, scope: Scope, layer: Layer) -> int:
        """How many entries a layer has."""
        scope_id = self._shelf.scope_id(scope)
        return 0 if scope_id is None else self._shelf.count(scope_id, one_layer(layer))


_NO_FILTERS = Filters()
_ALL = 1 << 30


def _holding_all(view: LexicalView, terms: Sequence[str], only: Mask | None) -> Mask:
    """The entries that hold every asked word."""
    counts = np.zeros(view.n_docs, dtype=np.int32)
    for term in terms:
        counts[view.postings[term].ords] += 1
    holding = counts == len(terms) if terms else np.zeros(view.n_docs, dtype=np.bool_)
    return holding if only is None else holding & only
