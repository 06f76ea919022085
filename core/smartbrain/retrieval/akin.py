"""The associative mode: words akin to those that were asked lead on, "film" where "movie" was asked, or 电影.

They take part as the words do that the best turns lead to: they count less than what was asked, and ``matched`` shows
each with the word it stands for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from smartbrain.model import Scope
from smartbrain.ports import Reader, Sense
from smartbrain.retrieval.across import Bridge, bridges_of, told
from smartbrain.retrieval.lexical import Lead, Led, Ranked
from smartbrain.retrieval.scoring import inverse_frequencies

_NOTHING_AT = 0.4
"""The nearness at which an akin word would count nothing."""


@dataclass(frozen=True, slots=True)
class Akin:
    """Words near to those of a question, nearest first, and what one counts that means the very same, 0..1."""

    senses: Sequence[Sense] = ()
    weight: float = 0.0

    def bridges(self, asked: Collection[str]) -> dict[str, Bridge]:
        """By term of the index, the nearest word that leads to it; what was asked for itself is not among them."""
        found = bridges_of(tuple(self.senses), _NOTHING_AT)
        return {bridge.term: bridge for bridge in reversed(found) if bridge.term not in asked and len(bridge.term) > 1}


def leading_to_akin(
    lead: Lead | None, reader: Reader, scope: Scope, akin: Akin, terms: Sequence[str], as_of: datetime | None
) -> Lead | None:
    """The lead with the akin words beside its own: each counts weight x (nearness - 0.4) / 0.6 x its rarity."""
    bridges = akin.bridges(terms)
    if not bridges or not akin.weight:
        return lead

    def both(first: Ranked, asked: Mapping[str, float]) -> Led | None:
        led = None if lead is None else lead(first, asked)
        view = reader.lexical(scope, "events", list(bridges), as_of)
        rarity = inverse_frequencies(view, [term for term in bridges if len(view.postings[term].ords)])
        share = {t: akin.weight * (bridges[t].sense.nearness - _NOTHING_AT) / (1.0 - _NOTHING_AT) for t in rarity}
        near = Led({t: share[t] * rarity[t] for t in rarity}, {t: view.postings[t] for t in rarity})
        if led is None:
            return near if near.weights else None
        return Led({**near.weights, **led.weights}, {**near.postings, **led.postings})

    return both


def explained(ranked: Ranked, akin: Akin, terms: Sequence[str]) -> Ranked:
    """The ranking with "movie ~ film .89" in the place of "+film"."""
    shown = {f"+{term}": told(bridge.sense) for term, bridge in akin.bridges(terms).items()}
    return replace(ranked, matched=[tuple(shown.get(word, word) for word in words) for words in ranked.matched])
