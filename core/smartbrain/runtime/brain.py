"""``SmartBrain``: the object users hold. It resolves scopes and hands each call to its path."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any, Self

from smartbrain.config import BrainConfig
from smartbrain.contracts.context import ContextPackage
from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.history import MemoryChanges, UndoResult
from smartbrain.contracts.plan import Mode, RetrievalPlan
from smartbrain.contracts.results import CommitResult, ContextDiff, Explanation, ForgetCheck, ForgetReceipt, RefInfo
from smartbrain.contracts.scopes import ScopeContextLike
from smartbrain.contracts.transfers import BackupReport, ChatImportReport, ExportReport, ImportReport
from smartbrain.contracts.turn_events import TurnEvents
from smartbrain.errors import ClosedError, InputError
from smartbrain.extraction import as_extractor, as_summarizer
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.memory_types import BUILTIN_TYPES, MemoryType, memory_types
from smartbrain.model import Access, IdFactory, ItemStatus, MemoryItem, Message, ToolCall, Turn
from smartbrain.observability import Tracker
from smartbrain.policies.conflict import newest_versions
from smartbrain.policies.expiry import check_rules
from smartbrain.ports import (
    Clock,
    Extractor,
    OpenTurn,
    Router,
    SessionInfo,
    Storage,
    TokenCounter,
)
from smartbrain.resources import as_resources
from smartbrain.runtime import warming
from smartbrain.runtime.chat_import import ChatImport
from smartbrain.runtime.context import SystemClock, Workshop, access_of, aware, writable
from smartbrain.runtime.documents import DocumentPlanner
from smartbrain.runtime.embedding import Embedding
from smartbrain.runtime.forgetting import ForgetPath, Wish
from smartbrain.runtime.history import HistoryPath
from smartbrain.runtime.insight import Insight, Replay
from smartbrain.runtime.offering import Fetcher
from smartbrain.runtime.reading import ReadPath, UserMessageLike
from smartbrain.runtime.recall import recall, refs_of
from smartbrain.runtime.reranking import RerankPath
from smartbrain.runtime.resources import ResourcePath
from smartbrain.runtime.staging import StagePath
from smartbrain.runtime.transfer import Progress, TransferPath
from smartbrain.runtime.vectors import VectorPath
from smartbrain.runtime.writing import Incoming, WritePath
from smartbrain.semantic import as_embedder, as_reranker, static
from smartbrain.stores import open_storage
from smartbrain.text.tokens import HeuristicTokenCounter

TurnEventsLike = TurnEvents | Mapping[str, Any] | str
MessageLike = Message | Mapping[str, Any]


class SmartBrain:
    """The memory of an agent: commit turns, compose contexts, ask what is remembered and why.

    One object serves many threads, sessions and tenants at once. A context manager; ``close`` is idempotent.

    Scopes: every call that reads or writes takes ``session_id`` and, where memory spans sessions, ``user_id`` (or
    ``domain_id`` with ``scope_context``). With a session alone, memory stays in that session.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        config: BrainConfig | str | Path | Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        new_id: IdFactory | None = None,
        token_counter: TokenCounter | None = None,
        extractor: Any = None,
        summarizer: Any = None,
        resources: Any = None,
        router: Router | None = None,
        fetcher: Fetcher | None = None,
        embedder: Any = None,
        reranker: Any = None,
        types: Iterable[MemoryType] = (),
        rules: Sequence[Extractor] | None = None,
    ) -> None:
        """A brain over any store. ``open`` is the convenient way; this one takes the store as an object.

        ``rules`` see every turn within the commit (default: what was said plainly, zh and en; ``()`` for none);
        ``extractor`` and ``summarizer`` run after it: a port of one's own, or any chat model (``as_extractor``,
        ``as_summarizer``). ``embedder`` is an ``Embedder``, a LangChain ``Embeddings``, a
        LlamaIndex ``BaseEmbedding`` or a function from texts to vectors (``smartbrain.semantic.as_embedder``);
        ``reranker`` what ``as_reranker`` takes. ``resources`` are documents beside memory: a client of
        ``smartbrain.resources``, or any retriever (``as_resources``); ``router`` says what a message asks of them
        (default: rules); ``fetcher`` brings what stands at the URLs that turns point at, for a client that keeps
        documents. Raises InputError for what cannot be used.
        """
        settings = config if isinstance(config, BrainConfig) else BrainConfig.load(config)
        kinds = memory_types(tuple(types))
        check_rules(settings.policies.retention.ttl, kinds)
        tracker = Tracker(settings.policies.observability.max_logs)
        retrieval = settings.policies.retrieval
        bundled = static() if retrieval.static.enabled else None
        meaning = retrieval.static if embedder is None else retrieval.semantic
        chosen = bundled if embedder is None else as_embedder(embedder)
        embedding = None if chosen is None else Embedding(chosen, meaning, tracker, bundled)
        self._shop = Workshop(
            storage=storage,
            config=settings,
            types=kinds,
            clock=clock or SystemClock(),
            new_id=new_id or _uuid,
            counter=token_counter or HeuristicTokenCounter(settings.policies.composition.token_profile),
            tracker=tracker,
            vectors=VectorPath(storage, embedding, meaning, tracker),
            reranking=RerankPath(None if reranker is None else as_reranker(reranker), tracker),
            rules=_rules(settings) if rules is None else tuple(rules),
            extractor=None if extractor is None else as_extractor(extractor),
            summarizer=None if summarizer is None else as_summarizer(summarizer),
            resources=ResourcePath(
                None if resources is None else as_resources(resources), tracker, settings.policies.resources, fetcher
            ),
            documents=DocumentPlanner(router, tracker),
        )
        self._writing = WritePath(self._shop)
        self._reading = ReadPath(self._shop, self._writing)
        self._staging = StagePath(self._shop, self._writing)
        self._insight = Insight(self._shop, self._writing, self._reading)
        self._history = HistoryPath(self._shop, self._writing)
        self._forgetting = ForgetPath(self._shop, self._writing, self._reading)
        self._transfer = TransferPath(self._shop)
        self._chats = ChatImport(self._writing)
        self._closed = False
        self._warming, self._warm = threading.Lock(), False
        # What an earlier process left undone, or did with another embedder.
        self._shop.vectors.wake()

    @classmethod
    def open(
        cls,
        target: str | Path | Storage = ":memory:",
        *,
        config: BrainConfig | str | Path | Mapping[str, Any] | None = None,
        **plugins: Any,
    ) -> Self:
        """Opens a store and a brain over it.

        ``target`` is a path, ``":memory:"``, ``"sqlite:///path"`` or ``"postgresql://…"``. ``config`` is a
        ``BrainConfig``, a mapping or the path of a ``brain.yml``. ``plugins`` are those of the constructor.
        Raises StoreOpenError, StoreVersionError, ConfigError.
        """
        settings = config if isinstance(config, BrainConfig) else BrainConfig.load(config)
        storage = open_storage(target, settings.store) if isinstance(target, (str, Path)) else target
        try:
            return cls(storage, config=settings, **plugins)
        except BaseException:
            if storage is not target:
                storage.close()
            raise

    @property
    def config(self) -> BrainConfig:
        """The configuration in force."""
        return self._shop.config

    def warm_up(self) -> float:
        """Makes now what is otherwise made when it is first needed; returns the seconds it took.

        That is the patterns of both languages, the classifier, the segmenter and the tables of words and tokens, three
        to four seconds in all, of which the first call would pay much and rare ones hours later the rest. For
        services, before the first request, or in a thread of your own meanwhile: calls need not wait for it, and
        give the same with and without it. Neither the store nor a plugged-in model, embedder or client is asked
        anything, only your ``token_counter``. Once done, it returns at once; a second caller waits for the first.
        """
        self._check_open()
        began = perf_counter()
        with self._warming:
            if not self._warm:
                self._make_ready()
                self._warm = True
        return perf_counter() - began

    def _make_ready(self) -> None:
        shop = self._shop
        rules = [rule for rule in shop.rules if isinstance(rule, RulesExtractor)]
        warming.make_shared()
        for rule in rules:
            warming.make_rules(rule)
        # What is left is found by use: late imports, the tables of words and tokens, compiled schemas.
        types = [kind for name, kind in shop.types.items() if name not in BUILTIN_TYPES]
        with SmartBrain.open(config=shop.config, token_counter=shop.counter, rules=rules, types=types) as practice:
            for text in warming.PRACTICE:
                practice.commit_turn("practice", messages=[{"role": "user", "content": text}])
                practice.compose_context("practice", text)
                practice.search("practice", text)

    def close(self) -> None:
        """Writes what waits and closes the store; calling it again does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            self._shop.vectors.close()
            self._writing.flush_contexts()
        finally:
            self._shop.storage.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'closed' if self._closed else 'open'}>"

    # -- writing -------------------------------------------------------------------------------------------------

    def commit_turn(
        self,
        session_id: str,
        turn_events: TurnEventsLike | None = None,
        *,
        messages: Sequence[MessageLike] | None = None,
        turn_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        occurred_at: datetime | str | None = None,
    ) -> CommitResult:
        """Records a turn and keeps what is worth keeping; durable when it returns.

        ``messages`` is shorthand for ``turn_events={"messages": messages}``. ``turn_id`` makes the call idempotent:
        the same content again is a no-op, other content a revision. ``occurred_at`` is when it was said (with an
        offset); default the first message's ``created_at``, else now. Raises ContractError, ScopeError, StoreError;
        nothing is written then.
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        events = _events(turn_events, messages)
        incoming = self._writing.incoming(session_id, events, access=access, turn_id=turn_id, occurred_at=occurred_at)
        return self._writing.commit(incoming)

    def commit_turns(
        self,
        turns: Iterable[Mapping[str, Any]],
        *,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        on_progress: Callable[[CommitResult], None] | None = None,
    ) -> list[CommitResult]:
        """Many turns at once, for long histories; each a mapping with the arguments of ``commit_turn``.

        Everything is validated before anything is written. Turns are written in order, some hundreds a transaction.
        """
        self._check_open()
        batch = [self._batch_entry(n, turn, domain_id, scope_context, user_id) for n, turn in enumerate(turns)]
        report = None if on_progress is None else (lambda _, result: on_progress(result))
        return self._writing.commit_many(batch, report)

    def _batch_entry(
        self,
        place: int,
        turn: Mapping[str, Any],
        domain_id: str | None,
        scope_context: ScopeContextLike | None,
        user_id: str | None,
    ) -> Incoming:
        known = {
            "session_id",
            "turn_events",
            "messages",
            "turn_id",
            "occurred_at",
            "domain_id",
            "scope_context",
            "user_id",
        }
        unknown = sorted(set(turn) - known)
        if unknown or "session_id" not in turn:
            what = f"unknown field {unknown[0]!r}" if unknown else "session_id is missing"
            raise InputError(f"turns[{place}]: {what}")
        try:
            access = access_of(
                turn["session_id"],
                turn.get("domain_id", domain_id),
                turn.get("scope_context", scope_context),
                turn.get("user_id", user_id),
            )
            return self._writing.incoming(
                turn["session_id"],
                _events(turn.get("turn_events"), turn.get("messages")),
                access=access,
                turn_id=turn.get("turn_id"),
                occurred_at=turn.get("occurred_at"),
            )
        except InputError as error:
            error.args = (f"turns[{place}]: {error}",)
            raise

    def open_turn(
        self,
        session_id: str,
        *,
        turn_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        occurred_at: datetime | str | None = None,
        sweep: bool = True,
    ) -> OpenTurn:
        """Opens a turn whose parts will be staged. Older open turns of the session are swept first.

        Opening an open turn again finds it. Raises ConflictError when it was committed before.
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        return self._staging.open(
            session_id, access=access, turn_id=turn_id, occurred_at=aware(occurred_at, "occurred_at"), sweep=sweep
        )

    def stage(
        self,
        session_id: str,
        turn_id: str,
        *,
        messages: Sequence[MessageLike] = (),
        tool_calls: Sequence[ToolCall | Mapping[str, Any]] = (),
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> int:
        """Keeps parts of an open turn, durably; returns how many were new.

        Idempotent by message id, tool result's ``tool_call_id`` and tool call id; staging a known one again
        replaces it in place. Raises NotFoundError when the turn is not open.
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        return self._staging.stage(session_id, turn_id, access=access, messages=messages, tool_calls=tool_calls)

    def sweep(
        self,
        session_id: str | None = None,
        *,
        older_than: timedelta = timedelta(0),
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> list[CommitResult]:
        """Closes open turns that were abandoned: what was staged is kept, the turn is marked ``aborted``."""
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        return self._staging.sweep(session_id, access=access, older_than=older_than)

    def catch_up(self, *, limit: int | None = None) -> int:
        """Does what waits, of all tenants: turns the plugged-in extractor has not seen, texts without vectors.

        Returns how many turns and texts it finished, at most ``limit``. Failures are counted and wait for the next
        call. Once every text has its vectors, those that another embedder made are dropped.
        """
        self._check_open()
        done = self._staging.catch_up(limit)
        return done + self._shop.vectors.catch_up(None if limit is None else limit - done)

    def rebuild(
        self,
        session_id: str | None = None,
        *,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> int:
        """Makes the memory of the call's scopes anew from their turns; returns how many turns were read.

        One transaction a scope: a crash leaves the old memory or the new, never a mixture.
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        return self._staging.rebuild(access)

    # -- reading -------------------------------------------------------------------------------------------------

    def compose_context(
        self,
        session_id: str,
        user_message: UserMessageLike,
        *,
        agent_state: Mapping[str, Any] | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        token_limit: int | None = None,
        as_of: datetime | str | None = None,
        turn_id: str | None = None,
    ) -> ContextPackage:
        """The smallest sufficient context for one user message, never over ``token_limit`` tokens.

        ``user_message`` is text, a list of blocks, a ``{"content": …}`` mapping or None. ``agent_state`` may hold
        ``developer_blocks`` (the application's own rules). ``as_of`` composes what would have been known then.
        ``turn_id`` names the turn being answered: asked again within it, the same package comes from the cache, and
        the turn itself is left out of the recent turns.
        """
        self._check_open()
        request = self._reading.request(
            session_id,
            user_message,
            access=access_of(session_id, domain_id, scope_context, user_id),
            agent_state=agent_state,
            token_limit=token_limit,
            as_of=as_of,
            turn_id=turn_id,
        )
        return self._reading.compose(request)

    def search(
        self,
        session_id: str | None,
        query: str,
        *,
        mode: Mode | None = None,
        k: int = 10,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        as_of: datetime | str | None = None,
        plan: RetrievalPlan | Mapping[str, Any] | None = None,
    ) -> EvidencePack:
        """The ``k`` best pieces of evidence for a query, from turns and memory items, without composing.

        Without a ``mode`` the query is planned as ``compose_context`` would plan it, expansions included; a ``mode``
        asks for that one alone. A ``plan`` is run literally instead of one made from ``query`` and ``mode``.
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise InputError(f"k must be a positive whole number, got {k!r}")
        given = None if plan is None else RetrievalPlan.read(plan)[0]
        return self._reading.search(access, given, query=query, mode=mode, k=k, as_of=aware(as_of, "as_of"))

    def refs(
        self,
        session_id: str | None = None,
        *,
        limit: int = 50,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        as_of: datetime | str | None = None,
    ) -> list[RefInfo]:
        """The files, URLs and artifacts that turns pointed at, newest first, at most ``limit``.

        Without ``session_id`` those of all sessions of the scopes. Of each that the resource client holds now, the id
        of its document, if the client can tell.
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        return refs_of(self._shop, access, session_id=session_id, limit=limit, as_of=aware(as_of, "as_of"))

    def recall_history(
        self,
        session_id: str | None,
        query: str | None = None,
        *,
        turn_ids: Collection[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        around: int = 1,
        limit: int = 10,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        as_of: datetime | str | None = None,
    ) -> list[Turn]:
        """Past turns, verbatim and in time order: those a query finds (with ``around`` neighbours), or those named.

        ``limit`` bounds the turns found before neighbours are added.
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        return recall(
            self._shop,
            self._reading,
            access,
            session_id=session_id,
            query=query,
            turn_ids=turn_ids,
            since=aware(since, "since"),
            until=aware(until, "until"),
            around=around,
            limit=limit,
            as_of=aware(as_of, "as_of"),
        )

    def sessions(
        self,
        session_id: str | None = None,
        *,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> list[SessionInfo]:
        """The sessions in the call's scopes, oldest first."""
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        with self._shop.storage.read() as reader:
            return reader.sessions(access.read)

    # -- looking into memory -------------------------------------------------------------------------------------

    def memories(
        self,
        session_id: str | None = None,
        *,
        type: str | None = None,
        key: str | None = None,
        status: ItemStatus | None = "active",
        as_of: datetime | str | None = None,
        limit: int | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> list[MemoryItem]:
        """Memory items, oldest first. ``"active"`` is the current view: one item a key, the newest version.

        ``status=None`` gives every version, superseded and retracted ones too; ``"expired"`` those that are past their
        time (``policies.retention.ttl``), which are not in the current view.
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        with self._shop.read() as reader:
            found = reader.items(
                access.read, type=type, key=key, status=status, as_of=aware(as_of, "as_of"), limit=limit
            )
        return newest_versions(found) if status == "active" else found

    def history(
        self,
        type: str,
        key: str,
        *,
        session_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> list[MemoryItem]:
        """Every version ever held under a key, oldest first."""
        return self.memories(
            session_id,
            type=type,
            key=key,
            status=None,
            domain_id=domain_id,
            scope_context=scope_context,
            user_id=user_id,
        )

    def why(
        self,
        memory_id: str,
        *,
        session_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> Explanation:
        """Why an item is there: its sources in the user's own words, the verdicts, what it replaced.

        Raises NotFoundError when the scopes of the call do not hold it.
        """
        self._check_open()
        return self._insight.why(memory_id, access_of(session_id, domain_id, scope_context, user_id))

    def changes(
        self,
        since: datetime | str,
        until: datetime | str | None = None,
        *,
        type: str | None = None,
        session_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> MemoryChanges:
        """What memory gained, lost and changed between two moments (``until``: now), key by key, and why.

        The views are those of ``memories(as_of=…)``: a moment is when something was said. Raises InputError when
        ``until`` is before ``since``. (``diff`` compares two composed contexts.)
        """
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        first = aware(since, "since")
        if first is None:
            raise InputError("since must say from when on, got None")
        return self._history.changes(access, first, aware(until, "until"), type)

    def undo(
        self,
        session_id: str,
        turn_id: str,
        *,
        reason: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> UndoResult:
        """Takes back what the commit of a turn did to memory, as a change of its own that stands in the log.

        Items it added are retracted, those it replaced or took back are in force again, and what it only said again
        counts once less. The turn stays as it was said, marked ``undone_at``. What later turns changed is left
        alone, each item with its reason in ``left``. Of a revised turn it is the newest revision that is undone.

        Raises NotFoundError for a turn these scopes do not have, ConflictError when it was undone before, InputError
        for the turn of an undo.
        """
        self._check_open()
        access = writable(access_of(session_id, domain_id, scope_context, user_id))
        return self._history.undo(access, session_id, turn_id, reason)

    def edit(
        self,
        memory_id: str,
        value: Mapping[str, Any],
        *,
        reason: str = "edited",
        session_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> MemoryItem:
        """A new version of one item with fields of its value changed; the old version stays in history."""
        self._check_open()
        access = access_of(session_id, domain_id, scope_context, user_id)
        return self._insight.edit(memory_id, value, reason, access)

    def retract(
        self,
        memory_id: str,
        reason: str,
        *,
        session_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> MemoryItem:
        """Takes one item back; it stays in history with the reason."""
        self._check_open()
        return self._insight.retract(memory_id, reason, access_of(session_id, domain_id, scope_context, user_id))

    # -- forgetting ----------------------------------------------------------------------------------------------

    def forget(
        self,
        *,
        session_id: str | None = None,
        user_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        item_id: str | None = None,
        message_id: str | None = None,
        turn_id: str | None = None,
        query: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> ForgetReceipt:
        """Deletes for good, in the scopes this call may write, with all that rests on it; says how much of what.

        Say one thing: ``everything`` of the scopes; a ``session_id`` alone; a ``turn_id``; a ``message_id`` (its turn
        stays, unless it was the last one); an ``item_id``, with the versions it replaced and every turn that said
        any of them; or a ``query``: what of the ten best things ``search`` finds shares a word with it, with their
        turns (**look at a** ``dry_run`` **first**). ``session_id`` beside a turn, a message or a query narrows it.

        Gone are turns in all revisions, messages, tool payloads, staged records, index entries, vectors, items whose
        every source is gone, verdicts, mentions, names, summaries and stored contexts, cached packages and logs. An
        item that was said elsewhere, too, stays, made anew from there. What others said of it later, in turns of
        their own, stays: ask ``verify_forgotten``. All of it happens in one transaction or nothing does; ``dry_run``
        counts and deletes nothing. After it the store's file is written anew without the bytes, which takes the
        longer the more it holds; ``warnings`` says so if a reader prevents that for now.

        Forgetting again is no error and counts 0. Raises ScopeError without a scope, InputError unless exactly one
        thing is said, StoreError.
        """
        self._check_open()
        access = writable(access_of(session_id, domain_id, scope_context, user_id))
        own = session_id is not None and user_id is None and domain_id is None
        wish = Wish(session_id, turn_id, message_id, item_id, query, everything, own)
        return self._forgetting.forget(access, wish, dry_run=dry_run)

    def prune(
        self,
        *,
        session_id: str | None = None,
        user_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        dry_run: bool = False,
    ) -> ForgetReceipt:
        """Deletes for good, in the scopes this call may write, what is past its time by ``policies.retention.ttl``.

        Memory items go with their history and the edits by hand, whatever their status; the turns that said them stay.
        Turns go only where a rule names them (``type: turns``), and with them what rests on them alone, as with
        ``forget``. ``dry_run`` counts and deletes nothing; ``expired`` says of each id why. Until it is called,
        what is past its time is only not offered any more, and shown as ``expired``.
        """
        self._check_open()
        access = writable(access_of(session_id, domain_id, scope_context, user_id))
        return self._forgetting.prune(access, dry_run=dry_run)

    def verify_forgotten(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
    ) -> ForgetCheck:
        """Looks for a text in every row these scopes have, older revisions, contexts, caches and logs included.

        Truthy when it stands nowhere; else ``found`` says where. Letter case and compatibility forms do not count. It
        reads everything the scopes hold, so it is no call for every turn.
        """
        self._check_open()
        return self._forgetting.verify(access_of(session_id, domain_id, scope_context, user_id), text)

    # -- moving --------------------------------------------------------------------------------------------------

    def export(
        self,
        path: str | Path,
        *,
        everything: bool = False,
        session_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        overwrite: bool = False,
        on_progress: Progress | None = None,
    ) -> ExportReport:
        """Writes what the call's scopes hold, or ``everything``, to one new file, as it is at one moment.

        In it are turns in all revisions with their times, numbers and status, open turns with what was staged, memory
        items in all versions with their sources, verdicts, mentions and summaries. Left out is what is made anew
        (search index, vectors) and stored contexts, which may show what other scopes hold. Equal stores give equal
        files but for the first line. ``on_progress`` is told turns done, and of how many.

        Raises ScopeError without a scope, InputError for a path that is taken (unless ``overwrite``) or cannot be
        written, ConflictError if something is forgotten meanwhile. No file is left then.
        """
        self._check_open()
        scopes = self._meant(everything, session_id, domain_id, scope_context, user_id)
        return self._transfer.export(
            Path(path), None if scopes is None else scopes.read, overwrite=overwrite, on_progress=on_progress
        )

    def import_(
        self,
        path: str | Path,
        *,
        everything: bool = False,
        session_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        on_progress: Progress | None = None,
    ) -> ImportReport:
        """Takes in an export: all of it, or what it has of the scopes that this call may write; the rest is left out.

        The whole file is checked before anything is written. Records keep their times, numbers and ids; what is here
        already is passed over, so an import that broke off is simply begun again, and a second one adds nothing.
        Search index and vectors are made anew. ``on_progress`` is told bytes read, and of how many; each is read twice.

        Raises ScopeError without a scope, InputError for a file that is damaged, truncated, of a newer version or no
        export, ConflictError where a record is here with another content.
        """
        self._check_open()
        scopes = self._meant(everything, session_id, domain_id, scope_context, user_id)
        if scopes is None:
            return self._transfer.import_(Path(path), lambda _: True, on_progress)
        mine = frozenset(writable(scopes).write)
        return self._transfer.import_(Path(path), mine.__contains__, on_progress)

    def import_chats(
        self,
        path: str | Path,
        *,
        format: str | None = None,
        owner: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
        on_progress: Progress | None = None,
    ) -> ChatImportReport:
        """Commits chats that other programs exported, as turns of the user (or domain) that is named.

        ``format`` is ``chatgpt``, ``claude``, ``openai`` (messages with roles, as JSON or JSON lines), ``langchain``,
        ``llamaindex`` or ``mem0``; without it the file's content tells. A zip archive with a ``conversations.json`` is
        read, too. Each chat is a session ``format:id``, each question with its answer a turn at its own time, tool
        calls with their results. Ids are stable: importing again adds nothing, and a longer file adds what is new.
        ``owner`` says whose chats are meant in a file of several people's. ``on_progress`` is told turns done, and of
        how many.

        The whole file is read and checked before anything is written. Raises ScopeError without a user or domain,
        InputError for what cannot be read, or is of several people; what a format's parser does not know is counted in
        ``skipped``.
        """
        self._check_open()
        access = writable(access_of(None, domain_id, scope_context, user_id))
        return self._chats.run(Path(path), access, format=format, owner=owner, on_progress=on_progress)

    def backup(self, path: str | Path, *, overwrite: bool = False, on_progress: Progress | None = None) -> BackupReport:
        """Copies the whole store to one new file, as it is at one moment, while others go on writing.

        Of the embedded store it is a store that can be opened; of a PostgreSQL store an export of everything. Nothing
        that was forgotten is in it. Raises InputError for a path that is taken (unless ``overwrite``) or cannot be
        written, ConflictError if something is forgotten meanwhile, StoreError. No file is left then.
        """
        self._check_open()
        return self._transfer.backup(Path(path), overwrite=overwrite, on_progress=on_progress)

    def _meant(
        self,
        everything: bool,
        session_id: str | None,
        domain_id: str | None,
        scope_context: ScopeContextLike | None,
        user_id: str | None,
    ) -> Access | None:
        """The scopes that are named; None for everything. Raises ScopeError for neither, InputError for both."""
        named = any(name is not None for name in (session_id, domain_id, scope_context, user_id))
        if everything and named:
            raise InputError("everything=True means all scopes; name none beside it")
        if session_id is not None and (user_id is not None or domain_id is not None):
            raise InputError("files are of scopes, not of sessions; leave session_id out beside user_id or domain_id")
        return None if everything else access_of(session_id, domain_id, scope_context, user_id)

    # -- looking into the runtime --------------------------------------------------------------------------------

    def diagnostics(self) -> dict[str, Any]:
        """Bounded compose and commit logs, metrics, and under ``semantic`` the embedder with its backlog of texts.

        Nothing of it leaves the process.
        """
        return {**self._shop.tracker.report(), "semantic": self._shop.vectors.report()}

    def replay(
        self,
        context_id: str,
        *,
        config: BrainConfig | str | Path | Mapping[str, Any] | None = None,
        session_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        user_id: str | None = None,
    ) -> Replay:
        """Composes a stored context again from its stored plan; under another ``config``, planned anew.

        The answer holds both packages and what differs. Raises NotFoundError for an id the scopes do not hold.
        """
        self._check_open()
        settings = None if config is None else config if isinstance(config, BrainConfig) else BrainConfig.load(config)
        return self._insight.replay(context_id, settings, access_of(session_id, domain_id, scope_context, user_id))

    def diff(self, before: ContextPackage, after: ContextPackage) -> ContextDiff:
        """What differs between two packages, slot by slot."""
        return self._insight.diff(before, after)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this SmartBrain was closed; open it again")


def _events(turn_events: TurnEventsLike | None, messages: Sequence[MessageLike] | None) -> TurnEventsLike:
    if messages is None:
        return turn_events if turn_events is not None else {}
    if turn_events is not None:
        raise InputError("give turn_events or messages, not both")
    return {"messages": list(messages)}


def _rules(settings: BrainConfig) -> tuple[Extractor, ...]:
    return (RulesExtractor(classifier=settings.policies.retention.classifier),)


def _uuid() -> str:
    return uuid.uuid4().hex
