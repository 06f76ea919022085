"""What is asked of the embedder: vectors of documents and of questions, checked before anything rests on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import SemanticPolicy
from smartbrain.errors import PluginError
from smartbrain.model import MemoryItem, Message
from smartbrain.observability import Tracker
from smartbrain.ports import DocVectors, Embedder, Sense, VectorModel
from smartbrain.retrieval.centring import Asked, unit
from smartbrain.runtime.deadline import Deadline, LateError
from smartbrain.runtime.outage import Outage
from smartbrain.semantic.static import StaticEmbedder
from smartbrain.semantic.windows import windows
from smartbrain.stores.indexing import message_words
from smartbrain.text.asking import tells
from smartbrain.text.language import detect


class Embedding:
    """One embedder, with the policy's windows, batches and deadline. Safe for threads if the embedder is."""

    def __init__(
        self, embedder: Embedder, policy: SemanticPolicy, tracker: Tracker, words: StaticEmbedder | None = None
    ) -> None:
        """``words``: who knows what a question's words are in the other language."""
        self._embedder = embedder
        self._words = words
        self._policy = policy
        self._tracker = tracker
        self._deadline = Deadline("smartbrain-question")
        self._space: VectorModel | None = None
        self.outage = Outage()

    @property
    def name(self) -> str:
        """The embedder's model, with its version where it tells one apart: ``model@version``."""
        version = getattr(self._embedder, "version", None)
        return f"{self._embedder.model}@{version}" if isinstance(version, (str, int)) else self._embedder.model

    @property
    def known_space(self) -> VectorModel | None:
        """The space of its vectors, if they were needed before; looking asks the embedder nothing."""
        return self._space

    def space(self) -> VectorModel:
        """The space of its vectors. Raises PluginError when the embedder cannot say."""
        if self._space is None:
            try:
                self._space = VectorModel(self.name, int(self._embedder.dimension))
            except Exception as error:
                raise self._failed(error) from error
        return self._space

    def documents(self, texts: Mapping[int, str]) -> list[DocVectors]:
        """The vectors of texts by ordinal. Raises PluginError when the embedder fails or gives what is no vector."""
        policy = self._policy
        cut = {
            ord_: windows(_clean(text), policy.window_chars, policy.window_overlap, policy.max_windows)
            for ord_, text in texts.items()
        }
        every = [window for parts in cut.values() for window in parts]
        vectors = np.zeros((len(every), self.space().dimension), dtype=np.float32)
        for start in range(0, len(every), policy.batch):
            batch = every[start : start + policy.batch]
            vectors[start : start + len(batch)] = self._embedded(batch)
        found, at = [], 0
        for ord_, parts in cut.items():
            found.append(DocVectors(ord_, detect(texts[ord_]), vectors[at : at + len(parts)]))
            at += len(parts)
        return found

    def akin(self, text: str, least: float) -> list[Sense]:
        """Words near to those of a text, at least ``least``, nearest first; none where nobody knows any."""
        return [] if self._words is None else self._words.akin(_clean(text), least)

    def questions(self, texts: Iterable[str]) -> tuple[dict[str, Asked], tuple[str, ...]]:
        """The questions as vectors, each once. A failing or late embedder costs a warning and is counted."""
        found: dict[str, Asked] = {}
        for text in dict.fromkeys(texts):
            if self.outage.resting:
                self._tracker.count("embedder_rests")
                return found, (f"{self.outage.resting}; searched by words",)
            try:
                asked = self._question(text)
                self.outage.answered()
                if asked is not None:
                    found[text] = asked
            except LateError:
                self._tracker.count("embedder_timeouts")
                why = f"the embedder {self.name} did not answer within {self._policy.query_timeout_ms / 1000:g} s"
                self.outage.failed(why)
                return found, (f"{why}; searched by words",)
            except PluginError as error:
                self._tracker.count("embedder_failures")
                return found, (f"{error}; searched by words",)
        return found, ()

    def _question(self, text: str) -> Asked | None:
        """None for a question of whose words the bundled table knows none."""

        def ask() -> NDArray[np.float32]:
            space = self.space()
            vectors = [self._embedder.embed_query(_clean(text))]
            if getattr(self._embedder, "asymmetric", False) and tells(text):
                # What also tells is as much a text as a question, and texts are told apart as texts.
                vectors += self._embedder.embed_documents([_clean(text)])
            checked = self._checked(vectors, len(vectors), space.dimension)
            return checked[0] if len(checked) == 1 else unit(checked[0]) + unit(checked[1])

        try:
            # Where vectors are made in the commit, a question costs as little: no thread is worth it.
            cheap = self._policy.embed_in == "commit"
            vector = ask() if cheap else self._deadline.call(ask, self._policy.query_timeout_ms / 1000)
        except (LateError, PluginError):
            raise
        except Exception as error:
            raise self._failed(error) from error
        if not vector.any():
            if self._embedder is self._words:
                return None
            raise PluginError(f"the embedder {self.name} gave a vector of length 0")
        senses = () if self._words is None else tuple(self._words.senses(_clean(text)))
        return Asked(self.space(), vector, detect(text), self._policy, self._prior, senses)

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            vectors = self._embedder.embed_documents(texts)
        except Exception as error:
            raise self._failed(error) from error
        checked = self._checked(vectors, len(texts), self.space().dimension)
        self.outage.answered()
        return checked

    def _checked(self, vectors: Sequence[Sequence[float]], count: int, dimension: int) -> NDArray[np.float32]:
        try:
            checked = np.asarray(vectors, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise self._failed(error) from error
        if checked.shape != (count, dimension) or not np.isfinite(checked).all():
            raise PluginError(
                f"the embedder {self.name} gave no {count} vectors of {dimension} finite numbers, but {checked.shape}"
            )
        return checked

    @cached_property
    def _prior(self) -> Mapping[str, NDArray[np.float32]]:
        given = getattr(self._embedder, "prior", None) or {}
        dimension = self.space().dimension
        means = {language: np.asarray(mean, dtype=np.float32) for language, mean in given.items()}
        if any(mean.shape != (dimension,) for mean in means.values()):
            raise PluginError(f"the prior of the embedder {self.name} does not have its {dimension} dimensions")
        return means

    def _failed(self, error: Exception) -> PluginError:
        why = f"the embedder {self.name} failed: {type(error).__name__}: {error}"
        self.outage.failed(why)
        return PluginError(why)


def event_text(message: Message) -> str:
    """What a message's vector is made of: who said it, and its text itself (or the names of the files it carries).

    Without the speaker, a question about Ann finds what others said *to* Ann (docs/evaluation.md).
    """
    words = message_words(message)
    return f"{message.name}: {words}" if message.name and words else words


def item_text(item: MemoryItem) -> str:
    """What an item's vector is made of: its prose, without the key that stands in the first line."""
    head, _, prose = item.text.partition("\n")
    return prose or head


def _clean(text: str) -> str:
    """Without what many models cannot take: half surrogate pairs, and NUL, at which some stop reading."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
