"""``EvidencePack``: what any retriever returns (contracts.md §6)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AwareDatetime, Field, StrictBool, model_validator

from smartbrain.contracts.base import Contract
from smartbrain.contracts.plan import Mode, RetrievalPlan, SourceType
from smartbrain.model import FilledText, Text, Trust, Value


class Signals(Value):
    """The parts a result's rank was made of. Ranks count from 1; ``parts`` holds the ranking's own terms by name."""

    vector_score: float | None = None
    vector_rank: int | None = None
    fts_score: float | None = None
    fts_rank: int | None = None
    rrf_score: float | None = None
    rerank_score: float | None = None
    tag_score: float | None = None
    topic_score: float | None = None
    recency_score: float | None = None
    relational_score: float | None = None
    score: float | None = None
    matched: tuple[Text, ...] = ()
    parts: dict[str, float] = Field(default_factory=dict)

    def any_score(self) -> float | None:
        """The first score that is set, the fused ones first."""
        for value in (
            self.rerank_score,
            self.score,
            self.rrf_score,
            self.fts_score,
            self.vector_score,
            self.relational_score,
        ):
            if value is not None:
                return value
        return None


class Provenance(Value):
    """Which query of the plan found it, in which mode, and when."""

    mode: Mode
    query_text: Text = ""
    query_index: int = 0
    retrieved_at: AwareDatetime | None = None


class SpanInfo(Value):
    """Where the snippet stands in its document."""

    chunk_index: int | None = None
    offset_start: int | None = None
    offset_end: int | None = None
    page: int | None = None
    section_title: Text | None = None


class EvidenceRef(Value):
    """The way back to what the evidence rests on.

    ``mentioned_in``: for a document, the turns that pointed at it (``smartbrain://turn/…``), newest first.
    """

    document_id: Text | None = None
    section_id: Text | None = None
    session_id: Text | None = None
    turn_id: Text | None = None
    message_id: Text | None = None
    memory_item_id: Text | None = None
    span: tuple[int, int] | None = None
    mentioned_in: tuple[Text, ...] = ()


class Evidence(Value):
    """One thing found. ``id`` is stable over calls; ``source_uri`` always leads back to what it rests on."""

    id: FilledText
    kind: Literal["resource_section", "resource_doc", "memory_chunk", "memory_item", "other"] = "other"
    document_id: Text | None = None
    section_id: Text | None = None
    title: Text = ""
    source_uri: FilledText
    source_type: SourceType = "other"
    snippet: Text
    snippet_policy: Literal["l2", "l1", "l0", "auto"] = "auto"
    language: Text | None = None
    trust: Trust = "resource"
    occurred_at: AwareDatetime | None = None
    stale: bool = False
    signals: Signals = Signals()
    provenance: Provenance
    ref: EvidenceRef = EvidenceRef()
    metadata: SpanInfo = SpanInfo()
    raw: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _is_scored(self) -> Evidence:
        if self.signals.any_score() is None:
            raise ValueError("needs one of the scores in signals")
        return self


class ModeStats(Value):
    candidates: int = 0
    returned: int = 0


class PackStats(Value):
    """How many were looked at and returned, and how long it took in milliseconds."""

    candidates: int = 0
    returned: int = 0
    took_ms: float = 0.0
    by_mode: dict[Mode, ModeStats] = Field(default_factory=dict)


class PackExplain(Value):
    """What was done to get here: fusion, reranking, filters, diversity, and what of the plan was not obeyed."""

    fusion: dict[str, Any] = Field(default_factory=dict)
    rerank: dict[str, Any] = Field(default_factory=dict)
    filters_applied: dict[str, Any] = Field(default_factory=dict)
    diversity: dict[str, Any] = Field(default_factory=dict)
    ignored_fields: tuple[Text, ...] = ()


class Dropped(Value):
    """Something that was found and left out, and why."""

    id: Text
    reason: Literal["budget", "diversity", "duplicate", "ratio", "filter", "below_threshold", "expired"]
    detail: Text = ""


class EvidencePack(Contract):
    """The ranked answer of a retriever, best first.

    ``support`` (0..1) says how much of what a full answer would score the best evidence reaches by its own words: low
    for what was never said, so that a caller can abstain. None where nothing was searched by words.
    ``scope_filter_applied``: the retriever's word that nothing of another scope is in here. Only a plain true counts.
    """

    plan: RetrievalPlan | None = None
    plan_id: Text = ""
    request_id: Text = ""
    generated_at: AwareDatetime | None = None
    evidences: tuple[Evidence, ...] = ()
    support: float | None = Field(default=None, ge=0.0, le=1.0)
    scope_filter_applied: StrictBool | None = None
    stats: PackStats = PackStats()
    explain: PackExplain = PackExplain()
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[Text, ...] = ()
