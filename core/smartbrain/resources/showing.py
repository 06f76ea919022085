"""What of the entries found is shown, and how: from ranked entries to evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from smartbrain.contracts.evidence import Dropped, Evidence, EvidenceRef, Provenance, Signals, SpanInfo
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.resources.layers import Entry, Scored
from smartbrain.resources.snippets import level_of, snippet, stands_for_document
from smartbrain.text.terms import asked_terms


@dataclass(frozen=True, slots=True)
class Found:
    """An entry with the query that found it and what the index said."""

    entry: Entry
    query: int
    hit: Scored | None


def document_uri(entry: Entry) -> str:
    """Leads back to the lines of an entry, wherever its library keeps the file."""
    lines = f"L{entry.line}" if entry.last_line <= entry.line else f"L{entry.line}-L{entry.last_line}"
    return f"smartbrain://document/{quote(entry.path)}#{lines}"


def spread(
    ranked: Sequence[Evidence], plan: RetrievalPlan, found: Mapping[str, Found]
) -> tuple[list[Evidence], list[Dropped]]:
    """At most so many of one document, and of the text of one section, in rank order; nothing that a passage of the
    same document above it says already, whole, and its abstract once."""
    diversity = plan.budget.diversity
    most = min(diversity.by_document, diversity.by_source)  # a source is a document here
    documents: Counter[str] = Counter()
    sections: Counter[tuple[str, tuple[str, ...]]] = Counter()
    passages: dict[str, list[Entry]] = {}
    abstracts: dict[str, Entry] = {}
    kept: list[Evidence] = []
    dropped: list[Dropped] = []
    for evidence in ranked:
        entry = found[evidence.id].entry
        section = (entry.document_id, entry.heading)
        # Facts, names, steps and links of one section are different things; only its text repeats itself.
        text = entry.layer == "D0_DOC_CHUNKS"
        crowded = text and sections[section] >= diversity.by_section
        above = next((one for one in passages.get(entry.document_id, ()) if _says(one, entry)), None)
        by_abstract = stands_for_document(entry, level_of(entry, plan.output))
        if by_abstract:
            above = above or abstracts.get(entry.document_id)
        if above is not None:
            dropped.append(Dropped(id=evidence.id, reason="duplicate", detail=f"{above.id} says it whole"))
        elif documents[entry.document_id] >= most:
            detail = f"more than {most} of document {entry.path}"
            dropped.append(Dropped(id=evidence.id, reason="diversity", detail=detail))
        elif crowded:
            detail = f"more than {diversity.by_section} of one section of {entry.path}"
            dropped.append(Dropped(id=evidence.id, reason="diversity", detail=detail))
        else:
            documents[entry.document_id] += 1
            sections[section] += text
            if by_abstract:
                abstracts[entry.document_id] = entry
            if (
                text
                and plan.output.snippet_policy in {"auto", "l2"}
                and len(entry.text) <= plan.output.max_snippet_chars
            ):
                passages.setdefault(entry.document_id, []).append(entry)
            kept.append(evidence)
    return kept, dropped


def _says(passage: Entry, entry: Entry) -> bool:
    """Whether a passage holds another entry of its document: by place, or by the abstract of the whole."""
    if entry.layer == "D1_DOCUMENT_CATALOG":
        abstract = " ".join(entry.abstract.rstrip("….").split())
        return bool(abstract) and abstract in " ".join(passage.text.split())
    return entry.layer != "D0_DOC_CHUNKS" and passage.start <= entry.start < entry.end <= passage.end


def signals_of(hit: Scored, rank: int) -> Signals:
    """What the index said of an entry; its rank counts from 1."""
    return Signals(fts_score=hit.score, fts_rank=rank, matched=hit.matched, parts=dict(hit.signals))


def bare(plan: RetrievalPlan, found: Found, signals: Signals) -> Evidence:
    """An entry as fusion needs it: its snippet is cut only if it is shown."""
    entry, query = found.entry, plan.queries[found.query]
    return Evidence(
        id=entry.id,
        kind="resource_doc" if entry.layer == "D1_DOCUMENT_CATALOG" else "resource_section",
        source_uri=f"{entry.path}#{entry.id}",
        snippet=entry.id,
        signals=signals,
        provenance=Provenance(
            mode=query.mode, query_text=query.text, query_index=found.query, retrieved_at=plan.planned_at
        ),
    )


def shown(
    plan: RetrievalPlan, found: Found, evidence: Evidence, top: float, uri_of: Callable[[Entry], str]
) -> Evidence:
    """The evidence in full: where it stands, what of it is shown, its score as a share of the best."""
    entry, output = found.entry, plan.output
    cut = snippet(entry, output, asked_terms(plan.queries[found.query].text))
    score = round((evidence.signals.score or 0.0) / top, 6) if top > 0 else 0.0
    verbatim = entry.end - entry.start == len(entry.text)
    start, end = (entry.start + cut.start, entry.start + cut.end) if verbatim and cut.end else (entry.start, entry.end)
    section = " › ".join(entry.heading)
    uri = uri_of(entry)
    return evidence.model_copy(
        update={
            "document_id": entry.document_id,
            "section_id": section or None,
            "title": entry.title or entry.path,
            "source_uri": uri,
            "source_type": "url" if uri.startswith(("http://", "https://")) else "file",
            "snippet": cut.text,
            "snippet_policy": cut.level,
            "language": entry.language or None,
            "signals": evidence.signals.model_copy(update={"score": score})
            if output.include_signals
            else Signals(score=score),
            "provenance": evidence.provenance
            if output.include_provenance
            else Provenance(mode=evidence.provenance.mode),
            "ref": EvidenceRef(document_id=entry.document_id, section_id=section or None, span=(start, end)),
            "metadata": SpanInfo(
                offset_start=start,
                offset_end=end,
                page=entry.page,
                section_title=entry.heading[-1] if entry.heading else None,
            ),
            "raw": _raw(entry) if output.include_raw else None,
        }
    )


def _raw(entry: Entry) -> dict[str, object]:
    return {
        "layer": entry.layer,
        "path": entry.path,
        "line": entry.line,
        "last_line": entry.last_line,
        "metadata": dict(entry.metadata),
    }
