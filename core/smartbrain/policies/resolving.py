"""From what a message asks of documents to the one plan that says where to look (seed 002). No model, no guess.

docs/retrieval-plans.md has the rules as tables, and where they differ from the seed on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from posixpath import basename

from smartbrain.contracts.plan import (
    DocumentPlan,
    Filters,
    Layer,
    PlanBudget,
    PlanDiversity,
    Preferences,
    Profile,
    Query,
    ResourceRetrieval,
    RetrievalPlan,
)
from smartbrain.contracts.route import FIND_FILES, GENERAL_QA, Anchors, RouteResult
from smartbrain.policies._signals import KINDS, Signal, anchor_signals

_PROFILES: dict[Profile, tuple[tuple[Layer, ...], int]] = {
    "general_qa_grounded_summary": (("D1_DOCUMENT_CATALOG", "D0_DOC_CHUNKS"), 8),
    "file_lookup": (("D1_DOCUMENT_CATALOG", "D3_ENTITY_CATALOG"), 12),
    "docs_summary_api_endpoint": (("D1_DOCUMENT_CATALOG", "D2_FACT_INDEX", "D0_DOC_CHUNKS"), 8),
    "docs_summary_logic_flow": (("D4_WORKFLOW_INDEX", "D1_DOCUMENT_CATALOG", "D0_DOC_CHUNKS"), 8),
    "docs_summary_domain_entity": (("D3_ENTITY_CATALOG", "D1_DOCUMENT_CATALOG", "D0_DOC_CHUNKS"), 8),
    "docs_summary_architecture": (("D1_DOCUMENT_CATALOG", "D5_RELATION_GRAPH", "D0_DOC_CHUNKS"), 8),
    "docs_summary_generic": (("D1_DOCUMENT_CATALOG", "D0_DOC_CHUNKS"), 8),
}
"""Layers and limit of each profile."""

_OF_SIGNAL: dict[Signal, Profile] = {
    "API_ENDPOINT": "docs_summary_api_endpoint",
    "ARCHITECTURE": "docs_summary_architecture",
    "LOGIC_FLOW": "docs_summary_logic_flow",
    "DOMAIN_ENTITY": "docs_summary_domain_entity",
}


@dataclass(frozen=True, slots=True)
class DocsLayout:
    """Where a library keeps which kind of document: folders below its ``roots``, each ending in ``/``.

    A root of "" is the whole library: then a preference is given, but no path is a condition.
    """

    roots: tuple[str, ...] = ("docs/",)
    api: str = "api/"
    architecture: str = "architecture/"
    logic: str = "logic/"
    domains: str = "domains/"

    def paths(self, *folders: str) -> tuple[str, ...]:
        """The folders below each root, in order and each once."""
        return _distinct(root + folder for folder in folders for root in self.roots)

    def condition(self, *folders: str) -> tuple[str, ...]:
        """The same as a condition: none where the whole library is among them."""
        paths = self.paths(*folders)
        return () if "" in paths else paths

    def preference(self, *folders: str) -> tuple[str, ...]:
        """The same as a preference."""
        return tuple(path for path in self.paths(*folders) if path)


class RetrievalPolicyResolver:
    """Makes a plan of a route. Stateless and deterministic: every route has exactly one plan, and it is valid."""

    def __init__(self, layout: DocsLayout | None = None) -> None:
        self._layout = layout or DocsLayout()

    def resolve(self, route: RouteResult) -> RetrievalPlan:
        """The plan of a route by itself: profile, layers, limit and filters, with the route's query."""
        where = self.documents(route)
        text = route.query.strip() or " ".join(_said(route.anchors)).strip() or "…"
        plan = RetrievalPlan(
            queries=(Query(text=text),),
            budget=PlanBudget(top_k=max(PlanBudget().top_k, where.limit)),
            resource_retrieval=ResourceRetrieval(enabled=True, reason=f"profile {where.profile}", documents=where),
        )
        return plan.for_documents()

    def documents(self, route: RouteResult) -> DocumentPlan:
        """The same decision as a part of a plan that also asks memory."""
        if route.intent == GENERAL_QA:
            return _plan("general_qa_grounded_summary", Filters(), self._general(route.anchors))
        signals = anchor_signals(route)
        if route.subintent == FIND_FILES:
            filters, preferences = self._find_files(route.anchors, signals)
            return _plan("file_lookup", filters, preferences)
        filters, preferences = self._summary(route.anchors, signals)
        return _plan(_summary_profile(signals), filters, preferences)

    def _general(self, anchors: Anchors) -> Preferences:
        return Preferences(
            path_prefixes=self._layout.preference(self._layout.architecture, ""),
            like_patterns=("%readme.md%", "%overview%"),
            target_doc_hints=_hints(anchors),
        )

    def _summary(self, anchors: Anchors, signals: frozenset[Signal]) -> tuple[Filters, Preferences]:
        layout = self._layout
        api = layout.condition(layout.api, "") if "API_ENDPOINT" in signals else ()
        return (
            Filters(path_prefixes=api, metadata=_metadata(anchors)),
            Preferences(
                path_prefixes=layout.preference(*self._summary_folders(signals)),
                like_patterns=_like(_said(anchors)),
                target_doc_hints=_hints(anchors),
            ),
        )

    def _summary_folders(self, signals: frozenset[Signal]) -> list[str]:
        layout = self._layout
        folders: dict[Signal, tuple[str, ...]] = {
            "API_ENDPOINT": (layout.api, ""),
            "ARCHITECTURE": (layout.architecture, ""),
            "LOGIC_FLOW": (layout.logic, layout.architecture, ""),
            "DOMAIN_ENTITY": (layout.domains, "", layout.api),
        }
        return [folder for kind in KINDS if kind in signals for folder in folders[kind]] or [""]

    def _find_files(self, anchors: Anchors, signals: frozenset[Signal]) -> tuple[Filters, Preferences]:
        layout = self._layout
        folders = {
            "API_ENDPOINT": layout.api,
            "ARCHITECTURE": layout.architecture,
            "LOGIC_FLOW": layout.logic,
            "DOMAIN_ENTITY": layout.domains,
        }
        said = _folders(anchors.target_doc_hints) or _folders(n for n in anchors.file_names if self._in_roots(n))
        wanted = [part for kind in KINDS if kind in signals for part in (folders[kind], "")] or [""]
        condition = said or layout.condition(*wanted)
        preferred = [*(said or layout.preference(*wanted))]
        if anchors.process_domain or anchors.process_subdomain:
            preferred += layout.preference(layout.domains, layout.logic)
        hinted = [basename(_path(hint)) for hint in anchors.target_doc_hints]
        return (
            Filters(path_prefixes=condition, metadata=_metadata(anchors)),
            Preferences(
                path_prefixes=_distinct(preferred),
                like_patterns=_like(hinted or _said(anchors)),
                target_doc_hints=_hints(anchors),
            ),
        )

    def _in_roots(self, name: str) -> bool:
        return _path(name).lower().startswith(tuple(root.lower() for root in self._layout.roots))


def _plan(profile: Profile, filters: Filters, preferences: Preferences) -> DocumentPlan:
    layers, limit = _PROFILES[profile]
    # Who looks for files wants each of them once.
    diversity = PlanDiversity(by_document=1) if profile == "file_lookup" else PlanDiversity()
    return DocumentPlan(
        profile=profile,
        layers=layers,
        limit=limit,
        global_filters=filters,
        preferences=preferences,
        diversity=diversity,
    )


def _summary_profile(signals: frozenset[Signal]) -> Profile:
    """The profile of exactly one signal; of none or of several that contradict each other the generic one."""
    meaningful = signals - {"FIND_FILES"}
    return _OF_SIGNAL[next(iter(meaningful))] if len(meaningful) == 1 else "docs_summary_generic"


def _metadata(anchors: Anchors) -> dict[str, str]:
    said = {"domain": anchors.process_domain, "subdomain": anchors.process_subdomain}
    return {name: value.strip() for name, value in said.items() if value and value.strip()}


def _hints(anchors: Anchors) -> tuple[str, ...]:
    return _distinct(hint for hint in anchors.target_doc_hints if hint.strip())


def _said(anchors: Anchors) -> list[str]:
    """The terms of all anchors, each kind in the seed's order."""
    return [
        *(basename(_path(hint)) for hint in anchors.target_doc_hints),
        *anchors.endpoint_paths,
        *anchors.file_names,
        *anchors.entity_names,
        *anchors.matched_aliases,
        *filter(None, (anchors.process_domain, anchors.process_subdomain)),
    ]


def _like(terms: Iterable[str]) -> tuple[str, ...]:
    """Terms as ``LIKE`` patterns. A ``%`` of their own would match anything, so it is taken out."""
    bare = (term.lower().replace("%", "").strip() for term in terms)
    return _distinct(f"%{term}%" for term in bare if term)


def _path(name: str) -> str:
    """A path as libraries spell it: POSIX, without ``./`` or ``/`` in front."""
    path = name.strip().replace("\\", "/").lstrip("/")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def _folders(names: Iterable[str]) -> tuple[str, ...]:
    """The folders of those paths that have one and do not climb out of the library."""
    paths = [_path(name) for name in names]
    return _distinct(path[: path.rindex("/") + 1] for path in paths if "/" in path and ".." not in path.split("/"))


def _distinct(values: Iterable[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
