"""``RetrievalPlan``: what to look for, how, and how much of it (contracts.md §5, seed 000)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AliasChoices, AwareDatetime, Field

from smartbrain.contracts.base import Contract
from smartbrain.model import FilledText, Text, Value

Mode = Literal["exact", "semantic", "hybrid", "relational", "associative"]
Purpose = Literal["qa", "continue_task", "debug", "summarize", "research", "other"]
SourceType = Literal["url", "file", "manual", "memory_snapshot", "other"]
Layer = Literal[
    "D0_DOC_CHUNKS",
    "D1_DOCUMENT_CATALOG",
    "D2_FACT_INDEX",
    "D3_ENTITY_CATALOG",
    "D4_WORKFLOW_INDEX",
    "D5_RELATION_GRAPH",
]
"""Pieces of text, one entry a document, single facts, named things, numbered steps, links between documents."""

Profile = Literal[
    "general_qa_grounded_summary",
    "file_lookup",
    "docs_summary_api_endpoint",
    "docs_summary_logic_flow",
    "docs_summary_domain_entity",
    "docs_summary_architecture",
    "docs_summary_generic",
]
"""The seven ways of asking documents (seed 002)."""


class TimeRange(Value):
    """``[from, to)``; an open end is None."""

    start: AwareDatetime | None = Field(default=None, alias="from")
    end: AwareDatetime | None = Field(default=None, alias="to")


class Filters(Value):
    """Hard predicates: what does not match is never returned. Empty lists mean no restriction.

    Paths are POSIX and relative to what was added to a library; they, patterns and ``metadata`` compare without case.
    A document fits ``path_prefixes`` if its path begins with one of them. ``exclude_like_patterns`` are SQL ``LIKE``
    patterns over the path. ``metadata`` holds what a document must say of itself (``{"domain": "billing"}``).
    """

    document_ids: tuple[Text, ...] = ()
    tag_ids: tuple[Text, ...] = ()
    topic_ids: tuple[Text, ...] = ()
    source_type: tuple[SourceType, ...] = ()
    source_uri_prefix: tuple[Text, ...] = ()
    language: tuple[Text, ...] = ()
    time_range: TimeRange | None = None
    path_prefixes: tuple[Text, ...] = ()
    exclude_path_prefixes: tuple[Text, ...] = ()
    exclude_like_patterns: tuple[Text, ...] = ()
    metadata: dict[Text, Text] = Field(default_factory=dict)


class Preferences(Value):
    """Soft wishes: a match ranks higher, a miss is not left out (seed 002).

    ``path_prefixes`` are better the earlier they stand. ``like_patterns`` are SQL ``LIKE`` patterns over path and
    title. ``target_doc_hints`` name documents by path, file name or title; an executor looks them up before it
    searches.
    """

    source_uri_prefix: tuple[Text, ...] = ()
    path_prefixes: tuple[Text, ...] = Field(
        default=(), validation_alias=AliasChoices("path_prefixes", "prefer_path_prefixes")
    )
    like_patterns: tuple[Text, ...] = Field(
        default=(), validation_alias=AliasChoices("like_patterns", "prefer_like_patterns")
    )
    target_doc_hints: tuple[Text, ...] = ()
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


class DocumentPlan(Value):
    """Where among documents to look: what the resolver decided (seed 002). ``limit`` counts pieces of evidence."""

    profile: Profile
    layers: tuple[Layer, ...] = Field(min_length=1)
    limit: int = Field(ge=1)
    global_filters: Filters = Filters()
    preferences: Preferences = Preferences()
    diversity: PlanDiversity = PlanDiversity()


class ResourceRetrieval(Value):
    """Whether documents are asked beside memory, why (not), and where; without ``documents`` by the plan as it is."""

    enabled: bool = False
    reason: Text = ""
    documents: DocumentPlan | None = None


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

    def for_documents(self) -> RetrievalPlan:
        """The plan that documents are asked by: its own, or what the resolver decided in place of memory's filters.

        Relations are between memories, so relational queries stay with memory; a source that the message names counts
        for both. Reranking is left to who asks: both sides are reranked together.
        """
        where = self.resource_retrieval.documents
        if where is None:
            return self
        named = self.preferences.source_uri_prefix
        queries = tuple(query for query in self.queries if query.mode != "relational") or self.queries
        return self.model_copy(
            update={
                "queries": queries,
                "profile": where.profile,
                "layers": where.layers,
                "limit": where.limit,
                "global_filters": where.global_filters,
                "preferences": where.preferences.model_copy(update={"source_uri_prefix": named}),
                "budget": self.budget.model_copy(update={"diversity": where.diversity}),
                "ranking": self.ranking.model_copy(update={"rerank": Rerank()}),
                "resource_retrieval": self.resource_retrieval.model_copy(update={"documents": None}),
            }
        )

    @property
    def filters(self) -> dict[str, Any]:
        """Hard filters and soft preferences as the one flat mapping of seed 002; what is empty is left out."""
        hard, soft = self.global_filters, self.preferences
        flat: dict[str, Any] = {
            "target_doc_hints": list(soft.target_doc_hints),
            **{f"metadata.{name}": value for name, value in hard.metadata.items()},
            "path_prefixes": list(hard.path_prefixes),
            "exclude_path_prefixes": list(hard.exclude_path_prefixes),
            "exclude_like_patterns": list(hard.exclude_like_patterns),
            "prefer_path_prefixes": list(soft.path_prefixes),
            "prefer_like_patterns": list(soft.like_patterns),
        }
        return {name: value for name, value in flat.items() if value}
