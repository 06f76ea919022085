"""Relational search: where the entities and refs that a question names were spoken of."""

from __future__ import annotations

from collections.abc import Sequence

from smartbrain.contracts.evidence import Evidence, Provenance, Signals
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import MemoryItem, Scope
from smartbrain.ports import Reader
from smartbrain.retrieval.evidence import event_evidence, item_evidence
from smartbrain.retrieval.exact import Found
from smartbrain.text.terms import query_terms


def search_related(
    reader: Reader,
    scopes: Sequence[Scope],
    plan: RetrievalPlan,
    index: int,
    entities: Sequence[MemoryItem],
    limit: int,
) -> Found:
    """The entities themselves, then the turns that name most of them, newest first among equals.

    The score is the share of the named entities that a turn speaks of, halved once per rank step of ten.
    """
    if not entities:
        return Found([], 0)
    query = plan.queries[index]
    provenance = Provenance(mode=query.mode, query_text=query.text, query_index=index)
    terms = query_terms(query.text)
    found: list[Evidence] = [
        item_evidence(
            item,
            Signals(relational_score=1.0, matched=(item.key,)),
            provenance,
            terms=terms,
            max_chars=plan.output.max_snippet_chars,
        )
        for item in entities
    ]
    keys = {item.key for item in entities}
    for scope in scopes:
        hits = reader.mentions([scope], keys, as_of=plan.as_of, limit=limit * 4)
        named: dict[int, set[str]] = {}
        for hit in hits:
            if hit.ord is not None:
                named.setdefault(hit.ord, set()).add(hit.key)
        docs = reader.event_docs(scope, named)
        order = sorted(docs.values(), key=lambda d: (-len(named[d.ord]), -d.occurred_at.timestamp()))
        for rank, doc in enumerate(order[:limit]):
            share = len(named[doc.ord]) / len(keys)
            found.append(
                event_evidence(
                    doc,
                    Signals(
                        relational_score=round(share * 0.5 ** (rank / 10), 6), matched=tuple(sorted(named[doc.ord]))
                    ),
                    provenance,
                    terms=terms,
                    max_chars=plan.output.max_snippet_chars,
                )
            )
    return Found(found[:limit], len(found))
