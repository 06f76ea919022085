"""Making the vectors of what was committed: in the commit for a cheap embedder, else in the background.

Lexical search never waits for any of it. What is still to be made is a visible backlog.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from smartbrain.config import SemanticPolicy
from smartbrain.errors import ClosedError, PluginError
from smartbrain.model import Scope, Turn
from smartbrain.observability import Tracker
from smartbrain.ports import DocVectors, Reader, Sense, SpaceKind, Storage, VectorModel, Writer
from smartbrain.retrieval.centring import Asked
from smartbrain.runtime.embedding import Embedding, event_text, item_text

_KINDS: tuple[SpaceKind, ...] = ("events", "memory")
#: More than so many documents without vectors are not a commit's own: the background makes them.
_IN_COMMIT = 4096
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_CLOSE_SECONDS = 5.0


class VectorPath:
    """The vectors of one brain. Without an embedder every call does nothing."""

    def __init__(self, storage: Storage, embedding: Embedding | None, policy: SemanticPolicy, tracker: Tracker) -> None:
        self._storage = storage
        self._embedding = embedding
        self._policy = policy
        self._tracker = tracker
        self._making = threading.Lock()
        self._left: set[Scope] = set()
        self._refused: set[tuple[Scope, SpaceKind, int]] = set()
        self._worker = _Worker(self._work)

    # -- asking --------------------------------------------------------------------------------------------------

    def ask(self, texts: Iterable[str]) -> tuple[dict[str, Asked], tuple[str, ...]]:
        """Questions as vectors, and warnings where that failed or nothing is plugged in."""
        wanted = list(texts)
        if self._embedding is None or not wanted:
            return {}, ()
        return self._embedding.questions(wanted)

    def akin(self, text: str, least: float) -> list[Sense]:
        """Words near to those of a text, at least ``least``, nearest first; none without the static embedder."""
        return [] if self._embedding is None else self._embedding.akin(text, least)

    @property
    def plugged_in(self) -> bool:
        """Whether there is an embedder."""
        return self._embedding is not None

    # -- making --------------------------------------------------------------------------------------------------

    def within(self, writer: Writer, scopes: Collection[Scope], last: Turn | None = None) -> None:
        """Makes the vectors of what the open transaction wrote, where the policy says so; a failure leaves them to
        the background. ``last``: the turn whose messages were written after all others; they are not read again."""
        if self._embedding is None or self._policy.embed_in != "commit":
            return
        if self._embedding.outage.resting:  # a commit must not wait for what is down
            self._left.update(scopes)
            return
        for scope in scopes:
            for kind in _KINDS:
                try:
                    space = self._embedding.space()
                    ords = writer.without_vectors(scope, kind, space, _IN_COMMIT + 1)
                    if len(ords) > _IN_COMMIT:
                        self._left.add(scope)
                        continue
                    texts = _said(last, scope, ords) if kind == "events" else {}
                    texts = _texts(writer, scope, kind, ords[: len(ords) - len(texts)]) | texts
                    docs = self._embedding.documents(texts)
                except PluginError:
                    self._tracker.count("embedder_failures")
                    self._left.update(scopes)
                    return
                if docs:
                    self._tracker.count("vectors_made", writer.put_vectors(scope, kind, space, docs))

    def committed(self, scopes: Iterable[Scope]) -> None:
        """Lets the background see to what a transaction wrote; to what it could not do itself, if it was to."""
        wanted = set(scopes)
        if self._policy.embed_in == "commit":
            wanted &= self._left
            self._left -= wanted
        if wanted:
            self.wake(wanted)

    def wake(self, scopes: Collection[Scope] | None = None) -> None:
        """Lets the background look at these scopes, or at all; it stays asleep where nothing is plugged in."""
        if self._embedding is not None:
            self._worker.wake(scopes)

    def catch_up(self, limit: int | None = None) -> int:
        """Makes missing vectors now; returns of how many documents. Ends early, and counts, when the embedder fails.

        Once nothing is missing, the vectors of other models go.
        """
        embedding = self._embedding
        if embedding is None:
            return 0
        done = 0
        try:
            for scope in self._storage.scopes():
                done += self._fill(embedding, scope, None if limit is None else limit - done, lambda: False)
                if limit is not None and done >= limit:
                    return done
            space = embedding.space()
        except PluginError:
            self._tracker.count("embedder_failures")
            return done
        if not self.backlog():
            for scope in self._storage.scopes():
                with self._storage.write() as writer:
                    writer.drop_vectors(scope, keep=space)
        return done

    def backlog(self) -> int | None:
        """How many documents wait for their vectors; None without an embedder.

        One that is down and has not yet told its dimension is known by its name.
        """
        if self._embedding is None:
            return None
        scopes = self._storage.scopes()
        with self._storage.read() as reader:
            space = self._embedding.known_space or self._named(reader, scopes, self._embedding.name)
            return reader.vector_backlog(scopes, space)

    def _named(self, reader: Reader, scopes: Collection[Scope], name: str) -> VectorModel:
        """The space an embedder of this name had; one without vectors where it had none."""
        return next((model for model in reader.vector_models(list(scopes)) if model.name == name), VectorModel(name, 0))

    def report(self) -> dict[str, Any] | None:
        """The embedder, its dimension and the backlog, and whose vectors the store keeps, for ``diagnostics``."""
        if self._embedding is None:
            return None
        space = self._embedding.known_space
        try:
            backlog, kept = self.backlog(), self._kept()
        except ClosedError:
            backlog, kept = None, []
        return {
            "model": self._embedding.name,
            "dimension": space.dimension if space else None,
            "embed_in": self._policy.embed_in,
            "backlog": backlog,
            "refused": len(self._refused),
            "kept": kept,
        }

    def _kept(self) -> list[dict[str, Any]]:
        scopes = self._storage.scopes()
        with self._storage.read() as reader:
            found = reader.vector_models(scopes)
        return [{"model": m.name, "dimension": m.dimension, "documents": count} for m, count in found.items()]

    def close(self) -> None:
        """Stops the background after the batch in hand; what is missing is made when the store is opened again."""
        self._worker.close()

    def _work(self, scope: Scope | None, stopped: Callable[[], bool]) -> None:
        """The background's task: one scope, or all of them."""
        if self._embedding is None:
            return
        try:
            for one in self._storage.scopes() if scope is None else [scope]:
                self._fill(self._embedding, one, None, stopped)
        except ClosedError:
            return
        except PluginError:
            self._tracker.count("embedder_failures")
            raise
        except Exception:
            self._tracker.count("vector_failures")
            raise

    def _fill(self, embedding: Embedding, scope: Scope, limit: int | None, stopped: Callable[[], bool]) -> int:
        done = 0
        for kind in _KINDS:
            while not stopped() and (limit is None or done < limit):
                with self._making:
                    made = self._batch(embedding, scope, kind, self._room(limit, done))
                if made is None:
                    break
                done += made
        return done

    def _room(self, limit: int | None, done: int) -> int:
        return self._policy.batch if limit is None else min(self._policy.batch, limit - done)

    def _batch(self, embedding: Embedding, scope: Scope, kind: SpaceKind, room: int) -> int | None:
        """Makes the vectors of some documents: no transaction is open meanwhile. None when none is left."""
        space = embedding.space()
        refused = {ord_ for where, what, ord_ in self._refused if (where, what) == (scope, kind)}
        with self._storage.read() as reader:
            ords = reader.without_vectors(scope, kind, space, room + len(refused))
            texts = _texts(reader, scope, kind, [ord_ for ord_ in ords if ord_ not in refused][:room])
        if not texts:
            return None
        docs = self._documents(embedding, scope, kind, texts)
        with self._storage.write() as writer:
            # A turn may have been revised meanwhile, or memory made anew under the same ordinals.
            now = _texts(writer, scope, kind, list(texts))
            made = writer.put_vectors(scope, kind, space, [doc for doc in docs if now.get(doc.ord) == texts[doc.ord]])
        self._tracker.count("vectors_made", made)
        return made

    def _documents(
        self, embedding: Embedding, scope: Scope, kind: SpaceKind, texts: dict[int, str]
    ) -> list[DocVectors]:
        """The vectors of a batch; if it fails, one by one, so that a text the embedder cannot take holds up no other.

        What was refused is passed over until the brain is opened again. Raises PluginError if nothing could be made.
        """
        try:
            return embedding.documents(texts)
        except PluginError:
            made: list[DocVectors] = []
            failed: list[int] = []
            for ord_, text in texts.items():
                try:
                    made += embedding.documents({ord_: text})
                except PluginError:
                    failed.append(ord_)
                    if not made and len(failed) > _OUTAGE:
                        break
            if not made:
                raise
            self._refused |= {(scope, kind, ord_) for ord_ in failed}
            self._tracker.count("embedder_refusals", len(failed))
            return made


#: So many failures in a row and no success: the embedder is down, it is not the texts.
_OUTAGE = 2


def _texts(reader: Reader, scope: Scope, kind: SpaceKind, ords: Collection[int]) -> dict[int, str]:
    """The texts of documents, as they are embedded."""
    if kind == "events":
        return {ord_: event_text(doc.message) for ord_, doc in sorted(reader.event_docs(scope, ords).items())}
    return {ord_: item_text(item) for ord_, item in sorted(reader.item_docs(scope, ords).items())}


def _said(turn: Turn | None, scope: Scope, ords: Sequence[int]) -> dict[int, str]:
    """The texts of the turn's messages, if it was written to this scope: they stand under the last of the ordinals."""
    if turn is None or turn.scope != scope or not turn.messages:
        return {}
    return dict(zip(ords[-len(turn.messages) :], map(event_text, turn.messages), strict=True))


class _Worker:
    """One daemon thread that lives while there is something to do."""

    def __init__(self, task: Callable[[Scope | None, Callable[[], bool]], None]) -> None:
        self._task = task
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._waiting: dict[Scope | None, None] = {}
        self._thread: threading.Thread | None = None

    def wake(self, scopes: Collection[Scope] | None) -> None:
        """Adds scopes to what is to be done (None: all), and starts the thread if there is none."""
        with self._lock:
            self._waiting.update(dict.fromkeys([None] if scopes is None else scopes))
            if self._waiting and not self._stop.is_set() and not (self._thread and self._thread.is_alive()):
                self._thread = threading.Thread(target=self._run, name="smartbrain-vectors", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Ends the thread, waiting for what it has in hand; one that hangs is left behind."""
        self._stop.set()
        with self._lock:
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_CLOSE_SECONDS)

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            with self._lock:
                if not self._waiting or self._stop.is_set():
                    self._thread = None
                    return
                scope = next(iter(self._waiting))
                del self._waiting[scope]
            try:
                self._task(scope, self._stop.is_set)
                pause = _FIRST_PAUSE
            except Exception:  # noqa: BLE001 - counted by the task; the next try comes after a pause
                with self._lock:
                    self._waiting[scope] = None
                self._stop.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
