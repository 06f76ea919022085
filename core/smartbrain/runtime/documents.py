"""Where among documents a message is to be answered: the runtime's bridge between plan, router and resolver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from smartbrain.config import RetrievalPolicy
from smartbrain.contracts.plan import ResourceRetrieval, RetrievalPlan
from smartbrain.model import Ref
from smartbrain.observability import Tracker
from smartbrain.policies.planning import PlanningInput
from smartbrain.policies.resolving import DocsLayout, RetrievalPolicyResolver
from smartbrain.policies.routing import RulesRouter
from smartbrain.ports import KnownNames, Router


class DocumentPlanner:
    """Adds to a plan that asks documents where among them to look. One object serves all threads."""

    def __init__(self, router: Router | None, tracker: Tracker) -> None:
        self._router = router or RulesRouter()
        self._tracker = tracker

    def placed(
        self,
        plan: RetrievalPlan,
        given: PlanningInput,
        policy: RetrievalPolicy,
        names: Callable[[str], KnownNames],
    ) -> RetrievalPlan:
        """The plan with ``resource_retrieval.documents``; as it is where no documents are asked.

        ``names`` says what the documents call the things that a text may speak of. A router that fails costs the
        placing, never the turn.
        """
        asked = plan.resource_retrieval
        if not given.resources_available or not asked.enabled:
            return plan
        try:
            route = self._router.route(given.text, _known(given, names(given.text)))
            where = RetrievalPolicyResolver(DocsLayout(roots=policy.documents.roots)).documents(route)
        except Exception as error:  # noqa: BLE001 - a router may raise anything
            self._tracker.count("router_failures")
            reason = f"{asked.reason}; the router failed: {type(error).__name__}: {error}"[:500]
            return plan.model_copy(update={"resource_retrieval": asked.model_copy(update={"reason": reason})})
        placed = ResourceRetrieval(enabled=True, reason=asked.reason, documents=where)
        return plan.model_copy(update={"resource_retrieval": placed})


def _known(given: PlanningInput, theirs: KnownNames) -> KnownNames:
    """The entities that the message names, the files that the conversation pointed at, and what documents know."""
    mine = {name: tuple(others) for name, others in (given.aliases or {}).items()}
    return replace(
        theirs,
        entities={**theirs.entities, **mine},
        documents={**theirs.documents, **_files(given.recent_refs)},
    )


def _files(refs: Sequence[Ref]) -> dict[str, tuple[str, ...]]:
    return {_path(ref.uri): (ref.title,) if ref.title else () for ref in refs if ref.type == "file" and _path(ref.uri)}


def _path(uri: str) -> str:
    """The path of a file's address; the last two parts of one that begins at the root, which no library knows."""
    path = uri.removeprefix("file://").replace("\\", "/")
    rooted = path.startswith("/") or path[1:2] == ":"
    return "/".join(path.strip("/").split("/")[-2:]) if rooted else path
