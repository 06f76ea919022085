"""``RetrievalPlan``: what to look for, how, and how much of it (contracts.md §5, seed 000)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AwareDatetime, Field

from smartbrain.contracts.base import Contract
from smartbrain.model import FilledText, Text, Value

Mode = Literal["exact", "semantic", "hybrid", "relational", "associative"]
Purpose = Literal["qa", "continue_task", "debug", "summarize", "research", "other"]
SourceType = Literal["url", "file", "manual", "memory_snapshot", "other"]


class TimeRange(Value):
    """``[from, to)``; an open end is None."""

    start: AwareDatetime | None = Field(default=None, alias="from")
    end: AwareDatetime | None = Field(default=None, alias="to")


class Filters(Value):
    """Hard predicates: what does not match is never returned. Empty lists mean no restriction."""

    document_ids: tuple[Text, ...] = ()
    tag_ids: tuple[Text, ...] = ()
    topic_ids: tuple[Text, ...] = ()
    source_type: tuple[SourceType, ...] = ()
    source_uri_prefix: tuple[Text, ...] = ()
    language: tuple[Text, ...] = ()
    time_range: TimeRange | None = None


class Preferences(Value):
    """Soft wishes: a match ranks higher, a miss is not left out (seed 002)."""

    source_uri_prefix: tuple[Text, ...] = ()
    like_patterns: tuple[Text, ...] = ()
    time_range: TimeRange | None = None
    language: tuple[Text, ...] = ()


class Query(Value):
    """One thing to look for. ``weight`` is relative, > 0; expansions weigh 0.5 to 0.8."""

    text: FilledText
    mode: Mode = "hybrid"
    weight: float = Field(default=1.0, gt=0.0)
    filters: Filters | None = None
    hints: dict[str, Any] = Field(default_factory=dict)


class PlanDiversity(Value):
    """At most so many results of one document, source or section."""

    by_document: int = Field(default=3, ge=1)
    by_source: int = Field(default=10, ge=1)
    by_section: int = Field(default=1, ge=1)


class PlanBudget(Value):
    """How much to fetch: ``candidate_k`` into fusion, ``top_k`` out of it, a cap per mode."""

    top_k: int = Field(default=30, ge=1)
    candidate_k: int = Field(default=200, ge=1)
    per_mode_k: dict[Mode, int] = Field(
        default={"exact": 10, "semantic": 10, "hybrid": 30, "relational": 10, "associative": 10}
    )
    diversity: PlanDiversity = PlanDiversity()


class Fusion(Value):
    """How result lists become one. ``rrf``: sum of weight / (rrf_k + rank) (Cormack et al., SIGIR 2009)."""

    method: Literal["rrf", "weighted_sum", "none"] = "rrf"
    rrf_k: int = Field(default=60, ge=1)
    weights: dict[Mode, float] = Field(default_factory=dict)


class Rerank(Value):
    """Whether a reranker sees the first ``top_n`` fused candidates."""

    enabled: bool = False
    model: Text | None = None
    top_n: int = Field(default=50, ge=1)


class Ranking(Value):
    """Fusion, reranking and what decides between equals."""

    fusion: Fusion = Fusion()
    rerank: Rerank = Rerank()
    tie_breaker: Literal["recency", "source_priority", "none"] = "recency"
    source_priority: dict[SourceType, float] = Field(default_factory=dict)


class Output(Value):
    """What a result carries."""

    include_snippets: bool = True
    snippet_policy: Literal["l2", "l1", "l0", "auto"] = "auto"
    include_signals: bool = True
    include_provenance: bool = True
    include_raw: bool = False
    max_snippet_chars: int = Field(default=800, ge=1)


class ResourceRetrieval(Value):
    """Whether documents are asked beside memory, and why (not)."""

    enabled: bool = False
    reason: Text = ""


class PlanDebug(Value):
    """Who asked, and the planner's notes."""

    trace: bool = True
    notes: Text = ""
    caller: dict[str, Any] = Field(default_factory=dict)


class RetrievalPlan(Contract):
    """One retrieval, ready to be run, stored and run again.

    ``as_of`` hides what was not known then; ``planned_at`` is the moment it was asked, which recency is reckoned from.
    """

    plan_id: Text = ""
    request_id: Text = ""
    purpose: Purpose = "qa"
    queries: tuple[Query, ...] = Field(min_length=1)
    global_filters: Filters = Filters()
    preferences: Preferences = Preferences()
    budget: PlanBudget = PlanBudget()
    ranking: Ranking = Ranking()
    output: Output = Output()
    resource_retrieval: ResourceRetrieval = ResourceRetrieval()
    as_of: AwareDatetime | None = None
    planned_at: AwareDatetime | None = None
    layers: tuple[Text, ...] = ()
    profile: Text | None = None
    limit: int | None = Field(default=None, ge=1)
    debug: PlanDebug = PlanDebug()
