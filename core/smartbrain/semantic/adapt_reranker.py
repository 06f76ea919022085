"""Any reranker as the port's: by what it can do, without importing the framework it comes from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

from smartbrain.errors import InputError
from smartbrain.ports import Reranker
from smartbrain.semantic.adapt import model_name

_PLACE = "smartbrain_place"


class AdaptedReranker:
    """A reranker made of one function from a query and texts to scores."""

    def __init__(self, model: str, score: Callable[[str, list[str]], Sequence[float]]) -> None:
        self._model = model
        self._score = score

    @property
    def model(self) -> str:
        return self._model

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return self._score(query, list(texts))


def as_reranker(source: Any, *, model: str | None = None) -> Reranker:
    """Any of these as a ``Reranker``; one that is one already comes back as it is.

    An object with ``rerank(query, texts)`` or a function of that form, both giving one score a text; a cross-encoder
    with ``predict(pairs)``; a LangChain document compressor (``compress_documents``); a LlamaIndex node postprocessor
    (``postprocess_nodes``). What the last two leave out ranks behind what they keep.
    Raises InputError for anything else.
    """
    if _does(source, "rerank") and model is None and isinstance(getattr(source, "model", None), str):
        return cast("Reranker", source)
    name = model or model_name(source)
    if _does(source, "compress_documents"):
        return AdaptedReranker(name, lambda query, texts: _compressed(source, query, texts))
    if _does(source, "postprocess_nodes"):
        return AdaptedReranker(name, lambda query, texts: _postprocessed(source, query, texts))
    if _does(source, "rerank"):
        return AdaptedReranker(name, source.rerank)
    if _does(source, "predict"):
        return AdaptedReranker(name, lambda query, texts: list(source.predict([(query, text) for text in texts])))
    if callable(source):
        return AdaptedReranker(name, source)
    raise InputError(
        f"{type(source).__name__} is no reranker: it needs rerank, predict, compress_documents or postprocess_nodes,"
        " or to be a function from a query and texts to scores"
    )


def _compressed(source: Any, query: str, texts: Sequence[str]) -> list[float]:
    """Scores by LangChain's ``compress_documents``: its ``relevance_score``, or else the order it gives."""
    make = _class("langchain_core.documents", "Document") or SimpleNamespace
    documents = [make(page_content=text, metadata={_PLACE: place}) for place, text in enumerate(texts)]
    kept = source.compress_documents(documents, query)
    return _scores(
        [(document.metadata[_PLACE], document.metadata.get("relevance_score")) for document in kept], len(texts)
    )


def _postprocessed(source: Any, query: str, texts: Sequence[str]) -> list[float]:
    """Scores by LlamaIndex's ``postprocess_nodes``: those of the nodes it gives back."""
    text_node = _class("llama_index.core.schema", "TextNode") or _Node
    with_score = _class("llama_index.core.schema", "NodeWithScore") or _NodeWithScore
    hidden = [_PLACE]  # else the place would be read with the text
    nodes = [
        with_score(node=text_node(text=text, metadata={_PLACE: place}, excluded_embed_metadata_keys=hidden), score=0.0)
        for place, text in enumerate(texts)
    ]
    kept = source.postprocess_nodes(nodes, query_str=query)
    return _scores([(node.node.metadata[_PLACE], node.score) for node in kept], len(texts))


def _scores(kept: Sequence[tuple[int, Any]], count: int) -> list[float]:
    """Scores by place; without scores the order counts, and what was left out is behind everything."""
    if any(score is None for _, score in kept):
        kept = [(place, float(len(kept) - rank)) for rank, (place, _) in enumerate(kept)]
    lowest = min((float(score) for _, score in kept), default=0.0)
    scores = [lowest - 1.0] * count
    for place, score in kept:
        scores[place] = float(score)
    return scores


def _class(module: str, name: str) -> Any:
    """A class of the framework that the plugged-in object comes from, which is loaded then; else None."""
    return getattr(sys.modules.get(module), name, None)


class _Node(SimpleNamespace):
    """As much of a LlamaIndex text node as rerankers look at."""

    def get_content(self, metadata_mode: object = None) -> str:  # noqa: ARG002 - prescribed
        return str(self.text)


class _NodeWithScore(SimpleNamespace):
    def get_content(self, metadata_mode: object = None) -> str:
        return str(self.node.get_content(metadata_mode))


def _does(source: Any, method: str) -> bool:
    return callable(getattr(source, method, None))
