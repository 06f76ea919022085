"""Search over all turns and all memory items in scope: by words, by meaning, or by both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from smartbrain.config import LexicalPolicy
from smartbrain.contracts.evidence import Evidence
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import MemoryItem, Scope
from smartbrain.ports import EventDoc, LexicalView, Reader, SpaceKind
from smartbrain.retrieval.across import across, bridges_of
from smartbrain.retrieval.akin import Akin, explained, leading_to_akin
from smartbrain.retrieval.centring import Asked
from smartbrain.retrieval.lexical import (
    QuerySignals,
    Ranked,
    may_be_seen,
    rank_events,
    rank_items,
    rank_meaning,
)
from smartbrain.retrieval.listing import STALE, Doc, Hit, Listed, Said, listed
from smartbrain.retrieval.related import leading
from smartbrain.retrieval.semantic import Meaning, meaning_of, share_of_meaning, with_across
from smartbrain.retrieval.signals import signals_of, today_of, visible
from smartbrain.text.terms import asked_terms, query_terms


@dataclass(frozen=True, slots=True)
class Found:
    """What one query brought from one source: evidence best first, how many documents were looked at, and how well the
    best one supports an answer (0..1)."""

    evidences: list[Evidence]
    considered: int
    support: float = 0.0


@dataclass(frozen=True, slots=True)
class _Side:
    """The same of turns or of items, as a list."""

    listed: list[Listed]
    considered: int
    support: float
    overtaken: Mapping[Said, str] = field(default_factory=dict)
    """Messages that said what has since been said anew, and the item that holds the newest statement."""


_NO_WORDS = Akin()


def _turns(
    reader: Reader,
    scopes: Sequence[Scope],
    plan: RetrievalPlan,
    index: int,
    policy: LexicalPolicy,
    limit: int,
    asked: Asked | None,
    akin: Akin,
) -> _Side:
    """The conversation turns that answer query ``index`` of the plan; with ``asked``, by its vector too.

    In the mode ``semantic`` by the vector alone. Words ``akin`` to those asked lead on.
    """
    query = plan.queries[index]
    # "What did we talk about on 3 May?" holds no word to look for, but a day; without a day any word will do.
    terms = asked_terms(query.text) or ([] if plan.preferences.time_range else query_terms(query.text))
    hits: list[Hit[EventDoc]] = []
    considered, support = 0, 0.0
    for scope in scopes:
        view = reader.lexical(scope, "events", terms, plan.as_of)
        signals = signals_of(reader, scope, query, plan, view.columns)
        meaning = _meaning(reader, scope, "events", view, signals, asked, terms, plan.as_of)
        if query.mode == "semantic" and meaning is not None:
            ranked = rank_meaning(view, signals, limit, meaning)
        else:
            lead = leading(reader, scope, terms, plan, index, policy)
            lead = leading_to_akin(lead, reader, scope, akin, terms, plan.as_of)
            ranked = explained(rank_events(view, terms, signals, policy, limit, meaning, lead), akin, terms)
        considered += ranked.considered
        support = max(support, ranked.support)
        docs = reader.event_docs(scope, ranked.ords)
        hits += [hit for hit in _hits(ranked, docs, meaning) if visible(hit.doc.occurred_at, plan)]
    undone = {(hit.doc.session_id, hit.doc.turn_id) for hit in hits if _undone(hit.doc, plan)}
    best = listed(hits, plan, index, limit)
    return _Side([one.outdated() if one.said and one.said[:2] in undone else one for one in best], considered, support)


def _undone(doc: EventDoc, plan: RetrievalPlan) -> bool:
    """Whether what the turn said was taken back by then."""
    return doc.undone_at is not None and (plan.as_of is None or doc.undone_at <= plan.as_of)


def _items(
    reader: Reader,
    scopes: Sequence[Scope],
    plan: RetrievalPlan,
    index: int,
    policy: LexicalPolicy,
    limit: int,
    asked: Asked | None,
) -> _Side:
    """The memory items, current at the plan's moment, that answer query ``index``; ``asked`` as for events."""
    terms = query_terms(plan.queries[index].text)
    hits: list[Hit[MemoryItem]] = []
    overtaken: dict[Said, str] = {}
    considered, support = 0, 0.0
    for scope in scopes:
        view = reader.lexical(scope, "memory", terms, plan.as_of)
        # Items that are no longer current stay indexed for as_of; looking at more makes up for those left out.
        meaning = _meaning(reader, scope, "memory", view, QuerySignals(), asked, terms, plan.as_of)
        if plan.queries[index].mode == "semantic" and meaning is not None:
            ranked = rank_meaning(view, QuerySignals(), limit * 3, meaning)
        else:
            ranked = rank_items(view, terms, QuerySignals(today=today_of(plan)), policy, limit * 3, meaning)
        considered += ranked.considered
        support = max(support, ranked.support)
        current = [
            hit
            for hit in _hits(ranked, reader.item_docs(scope, ranked.ords, plan.as_of), meaning)
            if hit.doc.status_at(plan.as_of) == "active" and visible(hit.doc.occurred_at, plan)
        ]
        hits += _newest_first(reader, scope, current[: limit * 2], plan, overtaken)
    return _Side(listed(hits, plan, index, limit), considered, support, overtaken)


def search_memory(
    reader: Reader,
    scopes: Sequence[Scope],
    plan: RetrievalPlan,
    index: int,
    policy: LexicalPolicy,
    limit: int,
    asked: Asked | None = None,
    akin: Akin = _NO_WORDS,
) -> Found:
    """Turns and items in one list, by score: both are shares of what a full answer would score, so they compare.

    Two lists fused by rank would give the weakest item the place of the best turn.
    """
    events = _turns(reader, scopes, plan, index, policy, limit, asked, akin)
    items = _items(reader, scopes, plan, index, policy, limit, asked)
    together = [(one.score * policy.item_weight, one) for one in items.listed]
    together += [(one.score, one) for one in events.listed]
    together.sort(key=lambda pair: -pair[0])
    together = _stale_behind(together, items.overtaken)
    return Found(
        [one.evidence() for _, one in together[:limit]],
        events.considered + items.considered,
        max(events.support, items.support),
    )


def _stale_behind(ranked: Sequence[tuple[float, Listed]], overtaken: Mapping[Said, str]) -> list[tuple[float, Listed]]:
    """A turn that said what has since been said anew is marked, and the newest statement is put right above it.

    The turn keeps its place among the others: it may say more than the one thing that changed.
    """
    by_id = {one.id: one for _, one in ranked}
    placed: dict[str, tuple[float, Listed]] = {}
    for score, one in ranked:
        if one.id in placed:
            continue
        newest = overtaken.get(one.said) if one.said is not None else None
        if newest is not None and newest in by_id and newest not in placed:
            placed[newest] = (score, by_id[newest].moved_up(score))
        placed[one.id] = (score, one if newest is None else one.outdated())
    return list(placed.values())


def _meaning(
    reader: Reader,
    scope: Scope,
    kind: SpaceKind,
    view: LexicalView,
    signals: QuerySignals,
    asked: Asked | None,
    terms: Sequence[str],
    as_of: datetime | None,
) -> Meaning | None:
    if asked is None:
        return None
    weight = asked.policy.weight_events if kind == "events" else asked.policy.weight_items
    if not weight:
        return None
    allowed = may_be_seen(view.columns, signals)
    texts = int(np.count_nonzero(allowed & (view.columns.chars > 0)))
    weight *= share_of_meaning(terms, asked.policy.long_question)
    meaning = meaning_of(reader.vectors(scope, kind, asked.model, as_of), asked, allowed, texts, weight)
    if meaning is None or not (asked.senses and asked.policy.weight_across and meaning.crosses):
        return meaning
    bridges = bridges_of(asked.senses, asked.policy.nearness_across)
    other_words = reader.lexical(scope, kind, [bridge.term for bridge in bridges], as_of)
    return with_across(meaning, across(other_words, bridges, meaning.foreign, asked.policy))


def _newest_first(
    reader: Reader,
    scope: Scope,
    hits: Sequence[Hit[MemoryItem]],
    plan: RetrievalPlan,
    overtaken: dict[Said, str],
) -> list[Hit[MemoryItem]]:
    """Versions that a newer one of the same key has overtaken are marked stale and rank well behind.

    The question was about that key, so the newest version takes their place if it has none of its own above.
    ``overtaken`` is told in which messages the older ones were said.
    """
    of_key: dict[_Slot, list[Hit[MemoryItem]]] = {}
    for hit in hits:
        of_key.setdefault((hit.doc.type, hit.doc.key), []).append(hit)
    said = _versions(reader, scope, of_key, plan.as_of)
    kept: list[Hit[MemoryItem]] = []
    for slot, group in of_key.items():
        versions = said[slot]
        newest = next((item for item in reversed(versions) if item.status_at(plan.as_of) == "active"), None)
        if newest is None or len(versions) == 1:
            kept += group
            continue
        overtaken |= dict.fromkeys(_overtaken(versions, newest), newest.id)
        best = max(group, key=lambda hit: hit.score)
        kept.append(best if best.doc.id == newest.id else Hit(best.score, newest, {"newer": best.score}, ()))
        kept += [hit._replace(score=hit.score * STALE, stale=True) for hit in group if hit.doc.id != newest.id]
    return kept


_Slot = tuple[str, str]


def _versions(
    reader: Reader, scope: Scope, slots: Iterable[_Slot], as_of: datetime | None
) -> Mapping[_Slot, Sequence[MemoryItem]]:
    """All that was kept under each type and key of which there is more than one, oldest first."""
    versions: dict[_Slot, list[MemoryItem]] = {slot: [] for slot in slots}
    for item in reader.versions(scope, list(versions), as_of):
        versions[item.type, item.key].append(item)
    return versions


def _overtaken(versions: Sequence[MemoryItem], newest: MemoryItem) -> Iterator[Said]:
    """The messages that said what no longer stands. A version of a profile holds all that was known by then: its own
    message said only what it added."""
    stands = _claims(newest)
    known: Sequence[object] = ()
    for version in versions:
        claims = _claims(version)
        if version.sources and any(claim not in stands for claim in claims if claim not in known):
            said = version.sources[0]
            yield Said(said.session_id, said.turn_id, said.message_id)
        known = claims


def _claims(item: MemoryItem) -> list[object]:
    """What an item says, piece by piece; a fact that ended claims nothing."""
    if item.type != "profile":
        return [item.value]
    return [(fact.get("k"), fact["v"]) for fact in item.value.get("facts", ()) if fact.get("v") is not None]


def _hits(ranked: Ranked, docs: Mapping[int, Doc], meaning: Meaning | None) -> list[Hit[Doc]]:
    matched = ranked.matched
    if meaning is not None and meaning.across is not None:
        crossed = meaning.across.crossed(ranked.ords)
        matched = [words + others for words, others in zip(matched, crossed, strict=True)]
    ords = np.array(ranked.ords, dtype=np.int64)
    near = [math.nan] * len(ords) if meaning is None else meaning.cosines(ords).tolist()
    return [
        Hit(
            ranked.scores[place],
            docs[ord_],
            ranked.parts[place],
            matched[place],
            None if math.isnan(near[place]) else near[place],
        )
        for place, ord_ in enumerate(ranked.ords)
        if ord_ in docs
    ]
