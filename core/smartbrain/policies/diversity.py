"""No single document, source or side fills the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from smartbrain.config import DiversityPolicy
from smartbrain.contracts.evidence import Dropped, Evidence


def diversify(
    ranked: Sequence[Evidence], *, by_document: int, by_source_uri: int
) -> tuple[list[Evidence], list[Dropped]]:
    """At most so many of one document and of one *full* source URI, in rank order.

    A memory item's own URI is its source, so memories never share one.
    """
    documents: Counter[str] = Counter()
    uris: Counter[str] = Counter()
    kept: list[Evidence] = []
    dropped: list[Dropped] = []
    for evidence in ranked:
        document = evidence.document_id or evidence.source_uri
        if documents[document] >= by_document:
            dropped.append(_drop(evidence, f"more than {by_document} of document {document}"))
        elif uris[evidence.source_uri] >= by_source_uri:
            dropped.append(_drop(evidence, f"more than {by_source_uri} of source {evidence.source_uri}"))
        else:
            documents[document] += 1
            uris[evidence.source_uri] += 1
            kept.append(evidence)
    return kept, dropped


def balance(
    ranked: Sequence[Evidence], *, policy: DiversityPolicy, places: int
) -> tuple[list[Evidence], list[Dropped]]:
    """``places`` pieces of evidence shared between memory and resources by ``memory_resource_ratio``.

    Each side is filled best first; places that one side cannot use are handed to the other. Order by score stays.
    """
    memory = [e for e in ranked if is_memory(e)]
    resource = [e for e in ranked if not is_memory(e)]
    for_memory = min(len(memory), round(places * policy.memory_share) if resource else places)
    for_resource = min(len(resource), places - for_memory)
    for_memory = min(len(memory), places - for_resource)
    chosen = {e.id for e in (*memory[:for_memory], *resource[:for_resource])}
    kept = [e for e in ranked if e.id in chosen]
    dropped = [
        Dropped(id=e.id, reason="ratio", detail=f"beyond the {policy.memory_resource_ratio} share of {places} places")
        for e in ranked
        if e.id not in chosen
    ]
    return kept, dropped


def is_memory(evidence: Evidence) -> bool:
    """Whether evidence comes from what was said, not from documents."""
    return evidence.kind in {"memory_chunk", "memory_item"}


def _drop(evidence: Evidence, detail: str) -> Dropped:
    return Dropped(id=evidence.id, reason="diversity", detail=detail)
