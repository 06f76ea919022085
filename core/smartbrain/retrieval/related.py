"""A second round: what the best turns speak of leads to further turns about the same things.

Who asks which exercises John has done says neither "yoga" nor "kickboxing"; the first turns found do, and so lead to
those that only say the one or the other. It is pseudo-relevance feedback (Rocchio 1971; Lavrenko & Croft, SIGIR 2001)
made careful: few words, rare ones, with a small share of the question's weight. What was tried:
docs/benchmarks.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from smartbrain.config import LexicalPolicy
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import Scope
from smartbrain.ports import EventDoc, LexicalView, Reader
from smartbrain.retrieval.evidence import best_span
from smartbrain.retrieval.lexical import FIRST, Lead, Led, Ranked
from smartbrain.retrieval.scoring import inverse_frequencies
from smartbrain.retrieval.signals import visible
from smartbrain.text.asking import asks_for_several
from smartbrain.text.terms import query_terms

_WINDOW = 400
_LOOKED_UP = 16
_TAKEN = 5
_SMALL = 100.0
_WEAK = 0.15
"""Support below which the first turns are no guide: they hold too little of what is asked."""
_LEAST, _MOST = 0.05, 0.6


def leading(
    reader: Reader, scope: Scope, terms: Sequence[str], plan: RetrievalPlan, index: int, policy: LexicalPolicy
) -> Lead | None:
    """How the turns of a scope lead on from query ``index`` of the plan; None where the policy has it off."""
    part = policy.related_several if asks_for_several(plan.queries[index].text) else policy.related
    if not part or not terms:
        return None

    def lead(first: Ranked, asked: Mapping[str, float]) -> Led | None:
        if first.support < _WEAK:
            return None
        # What may not be seen must not lead anywhere, either; the days of the columns alone let some of it through.
        docs = reader.event_docs(scope, first.ords)
        best = [
            (docs[ord_], score)
            for ord_, score in zip(first.ords, first.scores, strict=True)
            if ord_ in docs and visible(docs[ord_].occurred_at, plan)
        ]
        shares = further_words(best[:FIRST], terms, reader.speakers(scope, plan.as_of).values())
        if not shares:
            return None
        view = reader.lexical(scope, "events", list(shares), plan.as_of)
        related = related_words(view, shares, asked, part)
        return Led(related, {term: view.postings[term] for term in related}) if related else None

    return lead


def further_words(
    best: Sequence[tuple[EventDoc, float]], asked: Collection[str], speakers: Iterable[str]
) -> dict[str, float]:
    """The words that the best turns share, or that the very best one holds, with their shares; at most 16.

    ``best`` are turns and their scores, best first. A turn counts for each of its words by its score over the best one;
    a word needs 1. Names of speakers and single characters are left out, long texts are read where the asked words
    stand. Of too many, the longer words stay: they tend to be rarer, and what is not looked up costs nothing.
    """
    if not best or best[0][1] <= 0:
        return {}
    known = {*asked, *(term for name in speakers for term in _terms_of(name))}
    shares: dict[str, float] = {}
    for doc, score in best:
        span = best_span(doc.message.text, tuple(asked), _WINDOW)
        for term in query_terms(doc.message.text[span.start : span.end]):
            if len(term) > 1 and term not in known:
                shares[term] = shares.get(term, 0.0) + max(0.0, score / best[0][1])
    shared = [term for term, share in shares.items() if share >= 1.0 - 1e-9]
    shared.sort(key=lambda term: (-shares[term] * (_length(term) + 2), term))
    return {term: shares[term] for term in shared[:_LOOKED_UP]}


def related_words(
    view: LexicalView, shares: Mapping[str, float], asked: Mapping[str, float], part: float
) -> dict[str, float]:
    """The five words that say the most, and what each counts.

    ``asked`` are the question's words with what they count; together the new ones count ``part`` of that, each between
    0.05 and 0.6 of its inverse frequency. A word said in one document only leads nowhere. In a small space most
    of the five best turns do not answer, so the part is reduced to n / (n + 100) of itself.
    """
    part *= view.n_docs / (view.n_docs + _SMALL)
    rarity = inverse_frequencies(view, list(shares))
    said_again = [term for term in shares if len(view.postings[term].ords) > 1]
    taken = sorted(said_again, key=lambda term: (-shares[term] * rarity[term], term))[:_TAKEN]
    total = sum(rarity[term] for term in taken)
    if not total:
        return {}
    each = min(_MOST, max(_LEAST, part * sum(asked.values()) / total))
    return {term: each * rarity[term] for term in taken}


@lru_cache(maxsize=4096)
def _terms_of(name: str) -> tuple[str, ...]:
    return tuple(query_terms(name))


def _length(term: str) -> int:
    return len(term) * (1 if term.isascii() else 2)
