"""What every path of the runtime shares: the store, the policies, the plugged-in models, the clock."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from smartbrain.config import BrainConfig
from smartbrain.contracts.scopes import ScopeContextLike, resolve_access
from smartbrain.errors import InputError, ScopeError
from smartbrain.memory_types import MemoryType
from smartbrain.model import Access, IdFactory, Scope
from smartbrain.observability import Tracker
from smartbrain.ports import Clock, ContextRecord, Extractor, Reader, Storage, Summarizer, TokenCounter
from smartbrain.runtime.documents import DocumentPlanner
from smartbrain.runtime.living import living
from smartbrain.runtime.reranking import RerankPath
from smartbrain.runtime.resources import ResourcePath
from smartbrain.runtime.vectors import VectorPath


class SystemClock:
    """The real clock, behind the port: now, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class WaitingContext(NamedTuple):
    """One of them. ``erasures``: how often the store had forgotten anything when its context was read."""

    erasures: int
    domain: str
    record: ContextRecord


class PackedContext(ContextRecord):
    """A composed context as the text that is kept of it; its parts are read from that when somebody asks for them."""

    __slots__ = ("_text",)
    _text: str

    def __init__(self, context_id: str, session_id: str, scope: Scope, created_at: datetime, text: str) -> None:
        """``text``: the JSON object that ``packed`` gives."""
        own = {"context_id": context_id, "session_id": session_id, "scope": scope, "created_at": created_at}
        for name, value in {**own, "_text": text}.items():
            object.__setattr__(self, name, value)

    @property
    def packed(self) -> str:
        return self._text

    @property
    def request(self) -> Mapping[str, Any]:
        return dict(json.loads(self._text)["request"])

    @property
    def plan(self) -> Mapping[str, Any]:
        return dict(json.loads(self._text)["plan"])

    @property
    def package(self) -> Mapping[str, Any] | None:
        shown: Mapping[str, Any] | None = json.loads(self._text)["package"]
        return shown


class WaitingContexts:
    """Composed contexts on their way into the store: they ride along with the next commit of their
    domain, so that reading waits for no write of its own. Without commits, every ``LIMIT`` contexts make one write for
    each domain."""

    LIMIT = 32

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: dict[str, WaitingContext] = {}

    def add(self, context_id: str, record: WaitingContext) -> bool:
        """Keeps a context; returns whether so many wait now that they should be written."""
        with self._lock:
            self._records[context_id] = record
            return len(self._records) >= self.LIMIT

    def get(self, context_id: str) -> ContextRecord | None:
        with self._lock:
            waiting = self._records.get(context_id)
        return waiting.record if waiting is not None else None

    def peek(self, domains: Collection[str] | None = None) -> dict[str, WaitingContext]:
        """What is waiting, of some domains or of all, oldest first; it stays until ``done``."""
        with self._lock:
            records = dict(self._records)
        return {name: one for name, one in records.items() if domains is None or one.domain in domains}

    def done(self, context_ids: Iterable[str]) -> None:
        with self._lock:
            for context_id in context_ids:
                self._records.pop(context_id, None)


@dataclass(frozen=True)
class Workshop:
    """The parts one brain is made of. Shared by all threads; everything in it is safe to share."""

    storage: Storage
    config: BrainConfig
    types: Mapping[str, MemoryType]
    clock: Clock
    new_id: IdFactory
    counter: TokenCounter
    tracker: Tracker
    vectors: VectorPath
    reranking: RerankPath
    resources: ResourcePath
    documents: DocumentPlanner
    rules: Sequence[Extractor] = ()
    extractor: Extractor | None = None
    summarizer: Summarizer | None = None
    waiting: WaitingContexts = field(default_factory=WaitingContexts)

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """A snapshot of the store in which what is past its time is expired."""
        with self.storage.read() as reader:
            yield self.living(reader)

    def living(self, reader: Reader) -> Reader:
        """A reader, or a writer, in which what is past its time is expired."""
        return living(reader, self.config.policies.retention.ttl, self.clock.now())


def access_of(
    session_id: str | None,
    domain_id: str | None,
    scope_context: ScopeContextLike | None,
    user_id: str | None,
) -> Access:
    """The scopes of a call that may do without a session. Raises ScopeError when nothing names a scope."""
    if session_id is None:
        if domain_id is None and user_id is None:
            raise ScopeError("name whose memory is meant: give user_id, domain_id (with scope_context) or session_id")
        return resolve_access("-", domain_id=domain_id, scope_context=scope_context, user_id=user_id)
    return resolve_access(session_id, domain_id=domain_id, scope_context=scope_context, user_id=user_id)


def writable(access: Access) -> Access:
    """The same access. Raises ScopeError when it may write nowhere."""
    if not access.write:
        raise ScopeError("this call may write to no scope; name some under write in scope_context")
    return access


def aware(moment: datetime | str | None, name: str) -> datetime | None:
    """A moment the caller gave, as an aware datetime. Raises InputError for one without an offset."""
    if moment is None:
        return None
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError as error:
            raise InputError(f"{name} must be an ISO-8601 date and time, got {moment!r}") from error
    if not isinstance(moment, datetime):
        raise InputError(f"{name} must be a datetime or an ISO-8601 string, not {type(moment).__name__}")
    if moment.tzinfo is None:
        raise InputError(f"{name} must carry a UTC offset (got {moment.isoformat()}); add tzinfo or an offset")
    return moment


def filled(value: str, name: str) -> str:
    """A non-empty string the caller gave. Raises InputError."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{name} must be a non-empty string, got {value!r}")
    return value


def plain(value: Mapping[str, object] | None) -> dict[str, object]:
    """A copy of an optional mapping."""
    return dict(value or {})
