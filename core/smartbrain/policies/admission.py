"""What of a resource client's answer is let in: confirmed in its scope, bounded in size, and never passing for memory.

The answer was written by others. Whatever it says of itself, it leaves here as evidence from a resource: its text is
data, it wears no memory's name, and one answer cannot fill the context or the log.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice

from smartbrain.contracts.evidence import Evidence, EvidencePack, EvidenceRef, Signals, SpanInfo
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.contracts.scopes import asks_for_scope
from smartbrain.model import Scope
from smartbrain.policies.shortening import cut_end, cut_snippet
from smartbrain.text.clean import dumps
from smartbrain.text.terms import query_terms

SCOPE_FIELD = "scope_filters"
"""What ``ignored_fields`` names when documents were left out because their scope was not confirmed."""

MOST_ID = 512
MOST_URI = 2048
MOST_TITLE = 300
MOST_NOTE = 300
MOST_NOTES = 20
MOST_RAW = 20_000
MOST_SIGNALS = 20


def admit(pack: EvidencePack, plan: RetrievalPlan, scopes: Sequence[Scope]) -> EvidencePack:
    """The pack with only what may be shown; what was left out is said in ``warnings`` and ``ignored_fields``.

    Doing it twice changes nothing. Raises ScopeError when there is no scope.
    """
    problem = _unconfirmed(pack, plan) if asks_for_scope(scopes) else ""
    kept: list[Evidence] = []
    said: list[str] = []
    if not problem:
        kept, said = _checked(pack.evidences, plan)
    elif pack.evidences:
        said = [f"{len(pack.evidences)} pieces of evidence from resources were dropped: {problem}"]
    unheard = [SCOPE_FIELD] if problem and pack.evidences else []
    ignored = _notes(dict.fromkeys([*unheard, *pack.explain.ignored_fields]))
    return pack.model_copy(
        update={
            "evidences": tuple(kept),
            "warnings": _notes(dict.fromkeys([*said, *pack.warnings])),
            "explain": pack.explain.model_copy(update={"ignored_fields": ignored}),
            "stats": pack.stats.model_copy(update={"returned": len(kept)}),
        }
    )


def _unconfirmed(pack: EvidencePack, plan: RetrievalPlan) -> str:
    """Why this answer is not known to be of the scopes that were asked; empty when it is."""
    if pack.scope_filter_applied is not True:
        return "the backend did not confirm the scope (scope_filter_applied: true)"
    if pack.plan_id not in {"", plan.plan_id}:  # a cache between here and there may mix up whose answer it is
        return f"it answers another plan ({pack.plan_id[:MOST_ID]!r}, not {plan.plan_id!r})"
    return ""


def _checked(evidences: Sequence[Evidence], plan: RetrievalPlan) -> tuple[list[Evidence], list[str]]:
    most = min(plan.budget.top_k, plan.limit or plan.budget.top_k)
    terms = query_terms(plan.queries[0].text)
    kept: dict[str, Evidence] = {}
    refused: list[str] = []
    for place, evidence in enumerate(evidences[: plan.budget.candidate_k]):
        wrong = _wrong(evidence)
        if wrong:
            refused.append(f"evidences[{place}] was dropped: {wrong}")
        elif evidence.id not in kept and len(kept) < most:
            # The same id again would count twice where ranks are added up.
            kept[evidence.id] = _harmless(evidence, plan, terms)
    more = len(refused) - 3
    return list(kept.values()), [*refused[:3], *([f"… and {more} more of them"] if more > 0 else [])]


def _wrong(evidence: Evidence) -> str:
    """Why a piece of evidence cannot be used at all."""
    if len(evidence.id) > MOST_ID:
        return f"its id has more than {MOST_ID} characters"
    if len(evidence.source_uri) > MOST_URI:
        return f"its source_uri has more than {MOST_URI} characters"
    if _claims_memory(evidence.source_uri):
        return f"its source_uri {evidence.source_uri[:60]!r} is that of a memory"
    if not evidence.snippet.strip():
        return "its snippet is empty"
    if not all(map(math.isfinite, _numbers(evidence.signals))):
        return "one of its scores is not a finite number"
    return ""


def _claims_memory(uri: str) -> bool:
    folded = "".join(uri.split()).casefold()
    return folded.startswith(("smartbrain://turn", "smartbrain://memory"))


def _numbers(signals: Signals) -> Iterable[float]:
    for value in signals.model_dump(exclude={"matched", "parts"}).values():
        if value is not None:
            yield value
    yield from signals.parts.values()


def _harmless(evidence: Evidence, plan: RetrievalPlan, terms: Sequence[str]) -> Evidence:
    """The evidence in the bounds, as a resource's: whatever kind, trust and way back it claimed for itself."""
    snippet, start, end = cut_snippet(evidence.snippet, plan.output.max_snippet_chars, terms)
    return evidence.model_copy(
        update={
            "kind": "other" if evidence.kind in {"memory_chunk", "memory_item"} else evidence.kind,
            "trust": "resource",
            "document_id": _short(evidence.document_id),
            "section_id": _short(evidence.section_id),
            "title": _title(evidence.title),
            "source_type": "other" if evidence.source_type == "memory_snapshot" else evidence.source_type,
            "snippet": snippet,
            "language": _short(evidence.language, 20),
            "signals": _few(evidence.signals),
            "provenance": evidence.provenance.model_copy(
                update={"query_text": evidence.provenance.query_text[:MOST_NOTE]}
            ),
            "ref": _own_ref(evidence.ref),
            "metadata": _cut_to(evidence.metadata, start, end, len(evidence.snippet)),
            "raw": evidence.raw if plan.output.include_raw and _small(evidence.raw) else None,
        }
    )


def _few(signals: Signals) -> Signals:
    """The signals with so much of their open lists as can be read."""
    return signals.model_copy(
        update={
            "matched": tuple(term[:60] for term in signals.matched[:MOST_SIGNALS]),
            "parts": {name[:60]: value for name, value in list(signals.parts.items())[:MOST_SIGNALS]},
        }
    )


def _own_ref(ref: EvidenceRef) -> EvidenceRef:
    """Without the ids of turns and memories: those are not a resource's to give."""
    return EvidenceRef(document_id=_short(ref.document_id), section_id=_short(ref.section_id), span=ref.span)


def _cut_to(info: SpanInfo, start: int, end: int, length: int) -> SpanInfo:
    """Where the snippet stands, now that only ``[start, end)`` of its ``length`` characters are shown."""
    update: dict[str, object] = {"section_title": info.section_title and _title(info.section_title)}
    if info.offset_start is not None and end - start < length:
        update |= {"offset_start": info.offset_start + start, "offset_end": info.offset_start + end}
    return info.model_copy(update=update)


def _title(text: str) -> str:
    return cut_end(text, MOST_TITLE - 1) if len(text) > MOST_TITLE else text


def _short(text: str | None, most: int = MOST_ID) -> str | None:
    return text if text is None or len(text) <= most else None


def _small(raw: object) -> bool:
    try:
        return len(dumps(raw)) <= MOST_RAW
    except (TypeError, ValueError, RecursionError):
        return False


def _notes(notes: Iterable[str]) -> tuple[str, ...]:
    return tuple(note[:MOST_NOTE] for note in islice(notes, MOST_NOTES))
