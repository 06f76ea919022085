"""Search over all turns and all memory items in scope: by words, by meaning, or by both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from smartbrain.config import LexicalPolicy
from smartbrain.contracts.evidence import Evidence, Provenance, Signals
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import MemoryItem, Scope
from smartbrain.ports import EventDoc, LexicalView, Reader, SpaceKind
from smartbrain.retrieval.across import across, bridges_of
from smartbrain.retrieval.akin import Akin, explained, leading_to_akin
from smartbrain.retrieval.centring import Asked
from smartbrain.retrieval.evidence import event_evidence, item_evidence
from smartbrain.retrieval.lexical import (
    QuerySignals,
    Ranked,
    may_be_seen,
    rank_events,
    rank_items,
    rank_meaning,
)
from smartbrain.retrieval.related import leading
from smartbrain.retrieval.semantic import Meaning, meaning_of, share_of_meaning, with_across
from smartbrain.retrieval.signals import signals_of, today_of, visible
from smartbrain.text.terms import asked_terms, query_terms


class _Said(NamedTuple):
    """A message by where it stands."""

    session_id: str
    turn_id: str
    message_id: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """What one query brought from one source: evidence best first, how many documents were looked at, and how well the
    best one supports an answer (0..1)."""

    evidences: list[Evidence]
    considered: int
    support: float = 0.0
    overtaken: Mapping[_Said, str] = field(default_factory=dict)
    """Messages that said what has since been said anew, and the item that holds the newest statement."""


_NO_WORDS = Akin()

Doc = TypeVar("Doc", EventDoc, MemoryItem)


def search_events(
    reader: Reader,
    scopes: Sequence[Scope],
    plan: RetrievalPlan,
    index: int,
    policy: LexicalPolicy,
    limit: int,
    asked: Asked | None = None,
    akin: Akin = _NO_WORDS,
) -> Found:
    """The conversation turns that answer query ``index`` of the plan; with ``asked``, by its vector too.

    In the mode ``semantic`` by the vector alone. Words ``akin`` to those asked lead on.
    """
    query = plan.queries[index]
    # "What did we talk about on 3 May?" holds no word to look for, but a day; without a day any word will do.
    terms = asked_terms(query.text) or ([] if plan.preferences.time_range else query_terms(query.text))
    hits: list[_Hit[EventDoc]] = []
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
    best = _best(hits, plan, index, limit, event_evidence)
    marked = [e.model_copy(update={"stale": True}) if (e.ref.session_id, e.ref.turn_id) in undone else e for e in best]
    return Found(marked, considered, support)


def _undone(doc: EventDoc, plan: RetrievalPlan) -> bool:
    """Whether what the turn said was taken back by then."""
    return doc.undone_at is not None and (plan.as_of is None or doc.undone_at <= plan.as_of)


def search_items(
    reader: Reader,
    scopes: Sequence[Scope],
    plan: RetrievalPlan,
    index: int,
    policy: LexicalPolicy,
    limit: int,
    asked: Asked | None = None,
) -> Found:
    """The memory items, current at the plan's moment, that answer query ``index``; ``asked`` as for events."""
    terms = query_terms(plan.queries[index].text)
    hits: list[_Hit[MemoryItem]] = []
    overtaken: dict[_Said, str] = {}
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
    return Found(_best(hits, plan, index, limit, item_evidence), considered, support, overtaken)


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
    events = search_events(reader, scopes, plan, index, policy, limit, asked, akin)
    items = search_items(reader, scopes, plan, index, policy, limit, asked)
    together = [(_score(e) * policy.item_weight, e) for e in items.evidences] + [
        (_score(e), e) for e in events.evidences
    ]
    together.sort(key=lambda pair: -pair[0])
    together = _stale_behind(together, items.overtaken)
    return Found(
        [evidence for _, evidence in together[:limit]],
        events.considered + items.considered,
        max(events.support, items.support),
    )


def _stale_behind(
    ranked: Sequence[tuple[float, Evidence]], overtaken: Mapping[_Said, str]
) -> list[tuple[float, Evidence]]:
    """A turn that said what has since been said anew is marked, and the newest statement is put right above it.

    The turn keeps its place among the others: it may say more than the one thing that changed.
    """
    by_id = {evidence.id: evidence for _, evidence in ranked}
    placed: dict[str, tuple[float, Evidence]] = {}
    for score, evidence in ranked:
        if evidence.id in placed:
            continue
        newest = overtaken.get(_said(evidence)) if evidence.kind == "memory_chunk" else None
        if newest is not None and newest in by_id and newest not in placed:
            placed[newest] = (score, _raised(by_id[newest], score))
        placed[evidence.id] = (score, evidence if newest is None else evidence.model_copy(update={"stale": True}))
    return list(placed.values())


def _said(evidence: Evidence) -> _Said:
    ref = evidence.ref
    return _Said(ref.session_id or "", ref.turn_id or "", ref.message_id) if ref else _Said("", "", None)


def _raised(evidence: Evidence, score: float) -> Evidence:
    """The evidence with the score of the place it is given, and the part of it that is due to being newer."""
    signals = evidence.signals
    parts = {**signals.parts, "newer": round(score - _score(evidence), 4)}
    field_ = "score" if signals.score is not None else "fts_score"
    return evidence.model_copy(update={"signals": signals.model_copy(update={field_: score, "parts": parts})})


def _score(evidence: Evidence) -> float:
    signals = evidence.signals
    return signals.score if signals.score is not None else signals.fts_score or 0.0


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
    hits: Sequence[_Hit[MemoryItem]],
    plan: RetrievalPlan,
    overtaken: dict[_Said, str],
) -> list[_Hit[MemoryItem]]:
    """Versions that a newer one of the same key has overtaken are marked stale and rank well behind.

    The question was about that key, so the newest version takes their place if it has none of its own above.
    ``overtaken`` is told in which messages the older ones were said.
    """
    of_key: dict[_Slot, list[_Hit[MemoryItem]]] = {}
    for hit in hits:
        of_key.setdefault((hit.doc.type, hit.doc.key), []).append(hit)
    said = _versions(reader, scope, of_key, plan.as_of)
    kept: list[_Hit[MemoryItem]] = []
    for slot, group in of_key.items():
        versions = said[slot]
        newest = next((item for item in reversed(versions) if item.status_at(plan.as_of) == "active"), None)
        if newest is None or len(versions) == 1:
            kept += group
            continue
        overtaken |= dict.fromkeys(_overtaken(versions, newest), newest.id)
        best = max(group, key=lambda hit: hit.score)
        kept.append(best if best.doc.id == newest.id else _Hit(best.score, newest, {"newer": best.score}, ()))
        kept += [hit._replace(score=hit.score * _STALE, stale=True) for hit in group if hit.doc.id != newest.id]
    return kept


_Slot = tuple[str, str]


def _versions(
    reader: Reader, scope: Scope, slots: Iterable[_Slot], as_of: datetime | None
) -> Mapping[_Slot, Sequence[MemoryItem]]:
    """All that was kept under each type and key, oldest first; one read a type."""
    keys: dict[str, list[str]] = {}
    for kind, key in slots:
        keys.setdefault(kind, []).append(key)
    versions: dict[_Slot, list[MemoryItem]] = {(kind, key): [] for kind, named in keys.items() for key in named}
    for kind, named in keys.items():
        for item in reader.items([scope], type=kind, key=named, as_of=as_of, status=None):
            versions[kind, item.key].append(item)
    return versions


def _overtaken(versions: Sequence[MemoryItem], newest: MemoryItem) -> Iterator[_Said]:
    """The messages that said what no longer stands. A version of a profile holds all that was known by then: its own
    message said only what it added."""
    stands = _claims(newest)
    known: Sequence[object] = ()
    for version in versions:
        claims = _claims(version)
        if version.sources and any(claim not in stands for claim in claims if claim not in known):
            said = version.sources[0]
            yield _Said(said.session_id, said.turn_id, said.message_id)
        known = claims


def _claims(item: MemoryItem) -> list[object]:
    """What an item says, piece by piece; a fact that ended claims nothing."""
    if item.type != "profile":
        return [item.value]
    return [(fact.get("k"), fact["v"]) for fact in item.value.get("facts", ()) if fact.get("v") is not None]


_STALE = 0.3


class _Hit(NamedTuple, Generic[Doc]):
    score: float
    doc: Doc
    parts: dict[str, float]
    matched: tuple[str, ...]
    cosine: float | None = None
    stale: bool = False

    @property
    def words(self) -> float:
        """The score without what meaning gave to it."""
        given = self.parts.get("meaning", 0.0) + self.parts.get("across", 0.0)
        return self.score - given * (_STALE if self.stale else 1.0)


def _hits(ranked: Ranked, docs: Mapping[int, Doc], meaning: Meaning | None) -> list[_Hit[Doc]]:
    matched = ranked.matched
    if meaning is not None and meaning.across is not None:
        crossed = meaning.across.crossed(ranked.ords)
        matched = [words + others for words, others in zip(matched, crossed, strict=True)]
    near = np.full(len(ranked.ords), np.nan) if meaning is None else meaning.cosines(np.array(ranked.ords, np.int64))
    return [
        _Hit(
            ranked.scores[place],
            docs[ord_],
            ranked.parts[place],
            matched[place],
            None if np.isnan(near[place]) else float(near[place]),
        )
        for place, ord_ in enumerate(ranked.ords)
        if ord_ in docs
    ]


def _best(
    hits: list[_Hit[Doc]], plan: RetrievalPlan, index: int, limit: int, build: Callable[..., Evidence]
) -> list[Evidence]:
    query = plan.queries[index]
    # All asked terms, not those of one hit: the same set for every snippet is compiled once.
    terms = query_terms(query.text)
    provenance = Provenance(mode=query.mode, query_text=query.text, query_index=index)
    hits.sort(key=lambda hit: -hit.score)
    found = []
    for hit, signals in zip(hits, _signals_of(hits[:limit], semantic=query.mode == "semantic"), strict=False):
        evidence = build(hit.doc, signals, provenance, terms=terms, max_chars=plan.output.max_snippet_chars)
        found.append(evidence.model_copy(update={"stale": True}) if hit.stale else evidence)
    return found


def _signals_of(hits: Sequence[_Hit[Doc]], *, semantic: bool) -> list[Signals]:
    """What each hit's place was made of; where meaning took part, the sum beside its two sides and their ranks."""
    if all(hit.cosine is None for hit in hits):
        return [
            Signals(fts_score=round(hit.score, 6), fts_rank=rank, matched=hit.matched, parts=hit.parts)
            for rank, hit in enumerate(hits, start=1)
        ]
    by_words = _ranks([hit.words for hit in hits])
    by_meaning = _ranks([-1.0 if hit.cosine is None else hit.cosine for hit in hits])
    return [
        Signals(
            score=round(hit.score, 6),
            fts_score=None if semantic else round(hit.words, 6),
            fts_rank=None if semantic else by_words[place],
            vector_score=None if hit.cosine is None else round(hit.cosine, 6),
            vector_rank=None if hit.cosine is None else by_meaning[place],
            matched=hit.matched,
            parts=hit.parts,
        )
        for place, hit in enumerate(hits)
    ]


def _ranks(scores: Sequence[float]) -> list[int]:
    """The rank of each score from 1, the highest first."""
    ranks = [0] * len(scores)
    for rank, place in enumerate(sorted(range(len(scores)), key=lambda n: -scores[n]), start=1):
        ranks[place] = rank
    return ranks
