"""``SmartBrainRetriever``: what is remembered, as LangChain documents."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever, LangSmithRetrieverParams
from langchain_core.runnables import RunnableConfig, ensure_config
from pydantic import Field

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.contracts.evidence import Evidence
from smartbrain.contracts.plan import Mode
from smartbrain.tool_texts import Owner
from smartbrain_lc._guard import quietly
from smartbrain_lc._identity import Identity
from smartbrain_lc._injection import is_echo


class SmartBrainRetriever(BaseRetriever):
    """Finds turns and memory items: ``SmartBrainRetriever(brain=brain, user_id="ada").invoke("where do I live?")``.

    Whose memory is searched: ``session_id`` (a value or a function of the config), else ``session_id`` or
    ``thread_id`` of the call's ``configurable``; with ``user_id``, all sessions of that user. ``k`` documents at most,
    best first; ``invoke(query, k=…)`` for one call. ``mode`` asks for one way of searching instead of a planned one.
    """

    brain: SmartBrain | AsyncSmartBrain = Field(exclude=True, repr=False)
    session_id: Any = None
    user_id: Any = None
    domain_id: Any = None
    scope_context: Any = None
    k: int = Field(default=5, ge=1)
    mode: Mode | None = None
    as_of: datetime | None = None

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """It holds an open store, which no serialised form can carry."""
        return False

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The documents for a query. Raises ScopeError when the call names no session."""
        return super().invoke(input, config, **{"owner": self._owner(config), **kwargs})

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The documents for a query. Raises ScopeError when the call names no session."""
        return await super().ainvoke(input, config, **{"owner": self._owner(config), **kwargs})

    def _owner(self, config: RunnableConfig | None) -> Owner:
        identity = Identity(self.session_id, self.user_id, self.domain_id, self.scope_context)
        return identity.of_config(ensure_config(config))

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        owner: Owner | None = None,
    ) -> list[Document]:
        return self._found(query, k or self.k, owner or self._owner(None))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        owner: Owner | None = None,
    ) -> list[Document]:
        return await asyncio.to_thread(self._found, query, k or self.k, owner or self._owner(None))

    def _found(self, query: str, k: int, owner: Owner) -> list[Document]:
        brain = self.brain.sync if isinstance(self.brain, AsyncSmartBrain) else self.brain
        # Echoes are left out, so more is asked for than is wanted.
        pack = quietly(
            lambda: brain.search(owner.session_id, query, k=k * 2, mode=self.mode, as_of=self.as_of, **owner.scopes())
        )
        found = [evidence for evidence in pack.evidences if not is_echo(evidence.snippet)]
        return [_document(evidence) for evidence in found[:k]]

    def _get_ls_params(self, **kwargs: Any) -> LangSmithRetrieverParams:
        return LangSmithRetrieverParams(ls_retriever_name="smartbrain", ls_vector_store_provider="smartbrain")


def _document(evidence: Evidence) -> Document:
    """A piece of evidence with its score (comparable within one answer), and the way back to what it rests on."""
    ref = {name: value for name, value in evidence.ref.model_dump(mode="json").items() if value is not None}
    metadata = {
        "source": evidence.source_uri,
        "score": evidence.signals.any_score(),
        "kind": evidence.kind,
        "title": evidence.title,
        "trust": evidence.trust,
        "stale": evidence.stale,
        "occurred_at": evidence.occurred_at.isoformat() if evidence.occurred_at else None,
        "mode": evidence.provenance.mode,
        "query": evidence.provenance.query_text,
        **ref,
    }
    return Document(page_content=evidence.snippet, id=evidence.id, metadata=metadata)
