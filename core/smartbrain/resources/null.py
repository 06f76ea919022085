"""No documents beside memory: the default."""

from __future__ import annotations

from collections.abc import Sequence

from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import Ref, Scope


class NullClient:
    """Answers every plan with nothing and takes no refs."""

    def retrieve(self, plan: RetrievalPlan, *, scopes: Sequence[Scope], timeout: float) -> EvidencePack:  # noqa: ARG002
        return EvidencePack(plan_id=plan.plan_id, request_id=plan.request_id)

    def offer(self, refs: Sequence[Ref], *, scope: Scope) -> None:
        """Nothing to do."""
