"""From what a store holds to ``Evidence``: ids, titles, snippets and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import quote

from smartbrain.contracts.evidence import Evidence, EvidenceRef, Provenance, Signals, SpanInfo
from smartbrain.model import MemoryItem, Message, Trust, media_kinds
from smartbrain.ports import EventDoc
from smartbrain.text.language import detect
from smartbrain.text.spans import Span, window


def turn_uri(session_id: str, turn_id: str) -> str:
    """Leads back to a turn; both parts are percent-encoded because they are the caller's own strings."""
    return f"smartbrain://turn/{quote(session_id, safe='')}/{quote(turn_id, safe='')}"


def memory_uri(item_id: str) -> str:
    """Leads back to a memory item."""
    return f"smartbrain://memory/{quote(item_id, safe='')}"


def trust_of(message: Message) -> Trust:
    """Whose word a message is."""
    if message.role in {"tool", "function"}:
        return "tool"
    if message.role in {"system", "developer"}:
        return "system"
    return "assistant" if message.role == "assistant" else "user"


def best_span(text: str, terms: Sequence[str], max_chars: int) -> Span:
    """The stretch of a text where the asked words stand thickest; of a very long text one part is looked at."""
    if len(text) <= _LONG:
        return window(text, terms, max_chars)
    folded = text.lower()
    places = [place for term in terms if (place := folded.find(term)) >= 0]
    start = max(0, min(places, default=0) - _LONG // 4)
    part = window(text[start : start + _LONG], terms, max_chars)
    return Span(start + part.start, start + part.end)


_LONG = 20_000
_GLANCE = 40


def event_id(doc: EventDoc) -> str:
    """The id of a message as evidence."""
    return f"event:{doc.session_id}/{doc.turn_id}/{doc.index}"


def event_evidence(
    doc: EventDoc, signals: Signals, provenance: Provenance, *, terms: Sequence[str], max_chars: int
) -> Evidence:
    """One message as evidence; a long one is shown where the asked words stand thickest."""
    text = doc.message.text
    span = best_span(text, terms, max_chars)
    media = media_kinds(doc.message)
    note = f"[{len(media)} {'/'.join(dict.fromkeys(media))}] " if media else ""
    uri = turn_uri(doc.session_id, doc.turn_id)
    who = doc.message.name or doc.message.role
    return Evidence(
        id=event_id(doc),
        kind="memory_chunk",
        document_id=uri,
        title=f"{who}, {_moment(doc.occurred_at)}",
        source_uri=uri,
        source_type="memory_snapshot",
        snippet=note + text[span.start : span.end],
        language=detect(text[:_GLANCE]) or None,
        trust=trust_of(doc.message),
        occurred_at=doc.occurred_at,
        signals=signals,
        provenance=provenance,
        ref=EvidenceRef(
            session_id=doc.session_id,
            turn_id=doc.turn_id,
            message_id=doc.message.id or None,
            span=(span.start, span.end),
        ),
        metadata=SpanInfo(offset_start=span.start, offset_end=span.end),
    )


def item_evidence(
    item: MemoryItem, signals: Signals, provenance: Provenance, *, terms: Sequence[str], max_chars: int
) -> Evidence:
    """One memory item as evidence: its prose without the key line, which stands in the title."""
    head, _, prose = item.text.partition("\n")
    text = prose or head
    span = best_span(text, terms, max_chars)
    return Evidence(
        id=item.id,
        kind="memory_item",
        document_id=memory_uri(item.id),
        title=f"{item.key}, {_moment(item.occurred_at)}",
        source_uri=memory_uri(item.id),
        source_type="memory_snapshot",
        snippet=text[span.start : span.end],
        language=detect(text[:_GLANCE]) or None,
        trust=item.trust,
        occurred_at=item.occurred_at,
        signals=signals,
        provenance=provenance,
        ref=EvidenceRef(
            session_id=item.source_session_id,
            turn_id=item.source_turn_id,
            message_id=item.source_message_id,
            memory_item_id=item.id,
            span=item.source_span,
        ),
        metadata=SpanInfo(offset_start=span.start, offset_end=span.end),
    )


def _moment(at: datetime) -> str:
    return at.isoformat(" ")[: 10 if (at.hour, at.minute) == (0, 0) else 16]
