"""Any embedder as the port's: by what it can do, without importing the framework it comes from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from smartbrain.errors import InputError
from smartbrain.ports import Embedder

Vectors = Sequence[Sequence[float]]


class AdaptedEmbedder:
    """An embedder made of two functions.

    Its ``dimension`` is that of the first vector it made; asked before, it embeds one word to find out.
    ``prior`` maps a language to the mean of the model's unit vectors over texts of it (``retrieval.semantic``).
    """

    def __init__(
        self,
        model: str,
        documents: Callable[[list[str]], Vectors],
        query: Callable[[str], Sequence[float]],
        prior: Mapping[str, Sequence[float]] | None = None,
        version: str | None = None,
    ) -> None:
        self._model = model
        self.version = version
        self._documents = documents
        self._query = query
        self._dimension = 0
        self._lock = threading.Lock()
        self.prior = dict(prior or {})

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimension(self) -> int:
        if not self._dimension:
            with self._lock:
                if not self._dimension:
                    self._dimension = len(self._documents(["dimension"])[0])
        return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._documents(list(texts))

    def embed_query(self, text: str) -> Sequence[float]:
        return self._query(text)


def as_embedder(
    source: Any,
    *,
    model: str | None = None,
    version: str | None = None,
    prior: Mapping[str, Sequence[float]] | None = None,
) -> Embedder:
    """Any of these as an ``Embedder``; one that is one already comes back as it is.

    A LangChain ``Embeddings`` (``embed_documents``, ``embed_query``), a LlamaIndex ``BaseEmbedding``
    (``get_text_embedding_batch``, ``get_query_embedding``), or a function from a list of texts to their vectors.
    ``model`` names the vector space; vectors are kept under it, so it must change when the vectors do. Default: the
    class and the model it names; a lambda has neither and must be given one. ``version`` tells apart two models of one
    name, as a service that changes its model behind it.
    Raises InputError for anything else, and where no name can be found.
    """
    if isinstance(source, AdaptedEmbedder) or (
        model is None and version is None and prior is None and _is_embedder(source)
    ):
        return cast("Embedder", source)
    if _has(source, "embed_documents", "embed_query"):
        return AdaptedEmbedder(model or model_name(source), source.embed_documents, source.embed_query, prior, version)
    if _has(source, "get_text_embedding_batch", "get_query_embedding"):
        return AdaptedEmbedder(
            model or model_name(source), source.get_text_embedding_batch, source.get_query_embedding, prior, version
        )
    if callable(source):
        return AdaptedEmbedder(model or model_name(source), source, lambda text: source([text])[0], prior, version)
    raise InputError(
        f"{type(source).__name__} is no embedder: it needs embed_documents and embed_query,"
        " get_text_embedding_batch and get_query_embedding, or to be a function from texts to vectors"
    )


def model_name(source: Any) -> str:
    """What a model is called: its class and the name it gives, or the place of a function.

    Raises InputError for a lambda or a partial function: two of them could not be told apart.
    """
    if not isinstance(source, type) and hasattr(source, "__qualname__"):
        if "<lambda>" in source.__qualname__:
            raise InputError("a lambda has no name to keep its vectors under; give one: as_embedder(f, model='…')")
        return f"{source.__module__}.{source.__qualname__}"
    kind = type(source)
    if kind.__module__ == "functools":
        raise InputError(
            "a partial function has no name to keep its vectors under; give one: as_embedder(f, model='…')"
        )
    for field in ("model_name", "model", "model_id", "deployment"):
        value = getattr(source, field, None)
        if isinstance(value, str) and value:
            return f"{kind.__name__}:{value}"
    return f"{kind.__module__}.{kind.__qualname__}"


def _is_embedder(source: Any) -> bool:
    # Looked up on the class first: asking an object for its dimension may make it embed something.
    named = isinstance(getattr(source, "model", None), str)
    return named and _has(source, "embed_documents", "embed_query") and _knows(source, "dimension")


def _knows(source: Any, name: str) -> bool:
    return hasattr(type(source), name) or name in getattr(source, "__dict__", {})


def _has(source: Any, *methods: str) -> bool:
    return all(callable(getattr(source, method, None)) for method in methods)
