"""What a library asks of its embedder: a vector for each entry, and one for a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import SemanticPolicy, StaticPolicy
from smartbrain.errors import PluginError
from smartbrain.ports import DocVectors, Embedder, VectorModel
from smartbrain.retrieval.centring import Asked
from smartbrain.semantic import StaticEmbedder, static
from smartbrain.semantic.windows import windows
from smartbrain.stores.vectors import encode
from smartbrain.text.language import detect

WINDOW_CHARS = 2_400
"""A chunk is one window (a Chinese character counts double): it was cut to be about one thing."""

_BATCH = 256


class Embedding:
    """An embedder over entries; safe for threads if the embedder is. Without one, the bundled static one."""

    def __init__(self, embedder: Embedder | None = None, policy: SemanticPolicy | None = None) -> None:
        default = StaticPolicy if embedder is None else SemanticPolicy
        self.policy = policy or default(window_chars=WINDOW_CHARS)
        self._embedder: Embedder = embedder or static()
        self._words: StaticEmbedder = static()

    @cached_property
    def model(self) -> VectorModel:
        """The space of its vectors. Raises PluginError when the embedder cannot say."""
        try:
            return VectorModel(self._embedder.model, int(self._embedder.dimension))
        except Exception as error:
            raise self._failed(error) from error

    def blocks(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of texts as a store keeps them, empty for one without a known word. Raises PluginError."""
        policy = self.policy
        cut = [windows(text, policy.window_chars, policy.window_overlap, policy.max_windows) for text in texts]
        every = [window for parts in cut for window in parts]
        vectors = np.zeros((len(every), self.model.dimension), dtype=np.float32)
        for start in range(0, len(every), _BATCH):
            batch = every[start : start + _BATCH]
            vectors[start : start + len(batch)] = self._embedded(batch)
        found, at = [], 0
        for parts in cut:
            found.append(encode(DocVectors(0, "", vectors[at : at + len(parts)]), self.model))
            at += len(parts)
        return found

    def question(self, text: str) -> Asked | None:
        """A question as a vector; None where the bundled table knows none of its words. Raises PluginError."""
        try:
            given = self._embedder.embed_query(text)
        except Exception as error:
            raise self._failed(error) from error
        vector = self._checked([given], 1).reshape(-1)
        if not vector.any():
            return None
        return Asked(self.model, vector, detect(text), self.policy, self._prior, tuple(self._words.senses(text)))

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            vectors = self._embedder.embed_documents(texts)
        except Exception as error:
            raise self._failed(error) from error
        return self._checked(vectors, len(texts))

    def _checked(self, vectors: Sequence[Sequence[float]], count: int) -> NDArray[np.float32]:
        try:
            checked = np.asarray(vectors, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise self._failed(error) from error
        if checked.shape != (count, self.model.dimension) or not np.isfinite(checked).all():
            raise PluginError(
                f"the embedder {self.model.name} gave no {count} vectors of {self.model.dimension} finite numbers,"
                f" but {checked.shape}"
            )
        return checked

    @cached_property
    def _prior(self) -> Mapping[str, NDArray[np.float32]]:
        given = getattr(self._embedder, "prior", None) or {}
        return {language: np.asarray(mean, dtype=np.float32) for language, mean in given.items()}

    def _failed(self, error: Exception) -> PluginError:
        return PluginError(f"the library's embedder failed: {type(error).__name__}: {error}")
