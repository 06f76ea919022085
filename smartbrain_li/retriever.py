"""``SmartBrainRetriever``: remembered evidence as LlamaIndex nodes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from smartbrain import SmartBrain
from smartbrain.aio import AsyncSmartBrain
from smartbrain.contracts.evidence import Evidence
from smartbrain.contracts.plan import Mode
from smartbrain.errors import InputError, ScopeError
from smartbrain.policies.evidence_slot import score_of
from smartbrain.tool_texts import Owner
from smartbrain_li import _registry

_FOR_MODELS = ("source_uri", "said_by", "occurred_at", "stale")


class SmartBrainRetriever(BaseRetriever):
    """Finds past turns and memory items for a query; for a ``RetrieverQueryEngine`` or on its own.

    The node's text is the snippet, its score the fused one (0..1). Metadata says where it came from: ``source_uri``,
    ``memory_item_id``, ``turn_id``, ``session_id``, ``mode``, ``said_by``, ``occurred_at``, ``stale``. A model is shown
    who said it, when and where it stands; an embedder the text alone.
    """

    def __init__(
        self,
        brain: SmartBrain | AsyncSmartBrain | None = None,
        *,
        path: str | Path | None = None,
        session_id: str | None = None,
        user_id: str | None = None,
        domain_id: str | None = None,
        scope_context: Any = None,
        k: int = 10,
        mode: Mode | None = None,
        **kwargs: Any,
    ) -> None:
        """Over a ``brain`` or the store at ``path``; whose memory, ``session_id`` or ``user_id`` (or scopes) say.

        ``k`` is how many nodes at most; ``mode`` asks for one kind of search alone. The rest goes to LlamaIndex. Raises
        ScopeError when nothing says whose memory is meant.
        """
        super().__init__(**kwargs)
        if brain is None and path is None:
            raise InputError("a SmartBrainRetriever needs a brain or the path of a store")
        if session_id is None and user_id is None and domain_id is None:
            raise ScopeError("name whose memory is meant: give session_id, user_id or domain_id (with scope_context)")
        name = _registry.attach(brain) if brain is not None else _registry.open_path(str(path))
        self._brain = _registry.find_brain(name, None if path is None else str(path))
        self._session_id = session_id
        self._scopes = Owner(session_id or "-", user_id, domain_id, scope_context).scopes()
        self._k = k
        self._mode = mode

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        query = query_bundle.query_str
        if not query.strip():
            return []
        pack = self._brain.search(self._session_id, query, k=self._k, mode=self._mode, **self._scopes)
        return [_node(evidence) for evidence in pack.evidences]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(evidence: Evidence) -> NodeWithScore:
    ref = evidence.ref
    given = {
        "source_uri": evidence.source_uri,
        "said_by": evidence.trust,
        "occurred_at": evidence.occurred_at.isoformat() if evidence.occurred_at else None,
        "stale": evidence.stale or None,
        "title": evidence.title or None,
        "kind": evidence.kind,
        "mode": evidence.provenance.mode,
        "memory_item_id": ref.memory_item_id,
        "session_id": ref.session_id,
        "turn_id": ref.turn_id,
        "message_id": ref.message_id,
    }
    metadata = {name: value for name, value in given.items() if value is not None}
    node = TextNode(
        id_=evidence.id,
        text=evidence.snippet,
        metadata=metadata,
        excluded_llm_metadata_keys=[name for name in metadata if name not in _FOR_MODELS],
        excluded_embed_metadata_keys=list(metadata),
    )
    return NodeWithScore(node=node, score=score_of(evidence))
