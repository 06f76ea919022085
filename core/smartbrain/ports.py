"""What the runtime asks of the outside: storage, models, clocks. Protocols and the values they exchange."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.contracts.route import RouteResult
from smartbrain.model import (
    Candidate,
    Changes,
    ItemStatus,
    MemoryItem,
    Mention,
    Message,
    Ref,
    RefOutcome,
    Retraction,
    Scope,
    Summary,
    Turn,
    TurnStatus,
    Verdict,
)
from smartbrain.records import Name, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term occurs in one space.

    ``ords`` are ascending document ordinals (uint32), ``tfs`` the term's count in each (uint16, capped at 65535).
    """

    ords: NDArray[np.uint32]
    tfs: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class DocColumns:
    """What ranking must know of every document of a space, one array entry per ordinal.

    length: terms in the document (uint16, capped). chars: characters of its text (uint16, capped).
    prev: ordinal of the document before it in its session, -1 for none (int32).
    segment: running number of the stretch of its session it belongs to, <= 4,000 characters each (uint32).
    day: days since 1970-01-01 of the moment it was said, 0 unknown (uint16). speaker: code of who said it (uint16).
    flags: bit set, see ``FLAG_*`` (uint8). A deleted document keeps its ordinal with FLAG_DELETED set.
    """

    length: NDArray[np.uint16]
    chars: NDArray[np.uint16]
    prev: NDArray[np.int32]
    segment: NDArray[np.uint32]
    day: NDArray[np.uint16]
    speaker: NDArray[np.uint16]
    flags: NDArray[np.uint8]


FLAG_QUESTION = 1
FLAG_ASSISTANT = 2
FLAG_TOOL = 4
FLAG_HAN = 8
FLAG_DELETED = 128


@dataclass(frozen=True, slots=True)
class LexicalView:
    """One space as the lexical ranking sees it: how many documents, how long, and the asked terms' postings."""

    n_docs: int
    total_length: int
    postings: Mapping[str, Postings]
    columns: DocColumns


@dataclass(frozen=True, slots=True)
class IndexedDoc:
    """One document on its way into the index of a space; see ``DocColumns`` for the fields."""

    terms: Mapping[str, int]
    length: int
    chars: int
    prev: int
    segment: int
    day: int
    speaker: int
    flags: int


SpaceKind = Literal["events", "memory"]

LANGUAGES = ("", "en", "zh", "ja", "ko", "other")
"""The languages of ``smartbrain.text.language``; a vector's language is its place here. "" is none or unknown."""


@dataclass(frozen=True, slots=True)
class VectorModel:
    """The space that vectors lie in: vectors of two models, versions or dimensions cannot be compared."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class DocVectors:
    """The vectors of one document on their way in: one row a window of its text, of any length but 0.

    A document without text has no rows; it counts as done all the same.
    """

    ord: int
    language: str
    windows: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class VectorView:
    """All vectors of one space by one model; the same object as long as nothing changed.

    One row a window, those of a document together: ``ords`` its ordinal (uint32), ``languages`` its place in
    ``LANGUAGES`` (uint8), ``vectors`` of length 1 (float32, kept as float16). ``sums`` and ``counts`` are the sum and
    the number of the vectors of each language. Treat the arrays as read-only.
    """

    ords: NDArray[np.uint32]
    languages: NDArray[np.uint8]
    vectors: NDArray[np.float32]
    sums: NDArray[np.float64]
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Said:
    """The messages of a turn in its newest revision."""

    turn_id: str
    seq: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class EventDoc:
    """One message as search finds it: where it stands and who said it."""

    ord: int
    scope: Scope
    session_id: str
    turn_id: str
    turn_seq: int
    index: int
    message: Message
    occurred_at: datetime
    recorded_at: datetime
    superseded_at: datetime | None
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MentionHit:
    """A message in which an entity was named."""

    key: str
    surface: str
    session_id: str
    turn_id: str
    message_id: str | None
    ord: int | None
    scope: Scope
    occurred_at: datetime


@dataclass(frozen=True, slots=True)
class RefHit:
    """A ref and the turn it came with."""

    ref: Ref
    session_id: str
    turn_id: str
    scope: Scope
    occurred_at: datetime


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One session of a scope: how many turns it has and when they were said."""

    session_id: str
    scope: Scope
    turns: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Staged:
    """One record of an open turn: ``key`` makes staging idempotent, ``payload`` is a message, a tool call or a ref."""

    key: str
    kind: Literal["message", "tool_call", "ref", "events"]
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn that was opened and not yet committed."""

    session_id: str
    turn_id: str
    scope: Scope
    opened_at: datetime
    occurred_at: datetime
    staged: tuple[Staged, ...]


@dataclass(frozen=True, slots=True)
class CommitRecord:
    """What one commit did to memory, kept so that ``why`` can answer later."""

    commit_id: str
    session_id: str
    turn_id: str
    scope: Scope
    recorded_at: datetime
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class ContextRecord:
    """A composed context as it is kept for replay: the request, the plan and the package, as JSON values."""

    context_id: str
    session_id: str
    scope: Scope
    created_at: datetime
    request: Mapping[str, Any]
    plan: Mapping[str, Any]
    package: Mapping[str, Any] | None

    @property
    def packed(self) -> str | None:
        """Request, plan and package as one JSON object under these names, where that was made already."""
        return None


@dataclass(frozen=True, slots=True)
class Doomed:
    """What is to be forgotten of some scopes: everything, whole sessions, turns, messages, items; by their ids.

    Turns are (session_id, turn_id), messages (session_id, turn_id, message_id). ``since``: stored contexts that were
    composed from then on go, too, as they do when a turn goes.
    """

    everything: bool = False
    sessions: frozenset[str] = frozenset()
    turns: frozenset[tuple[str, str]] = frozenset()
    messages: frozenset[tuple[str, str, str]] = frozenset()
    items: frozenset[str] = frozenset()
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What ``Writer.forget`` took out, and what is to be made anew because it rested on it.

    ``counts`` has every table, also those that lost nothing. ``items`` are as they were before. ``changed`` stay: they
    lost a source, or what a forgotten turn decided about them. ``related`` are the turns (session_id, turn_id) that
    stay and have a verdict on one of ``items`` or ``changed``.
    """

    counts: Mapping[str, int]
    turns: tuple[tuple[str, str], ...] = ()
    items: tuple[MemoryItem, ...] = ()
    changed: tuple[MemoryItem, ...] = ()
    related: tuple[tuple[str, str], ...] = ()
    summaries: tuple[tuple[Scope, str], ...] = ()


class Reader(Protocol):
    """One consistent snapshot of a store. Every call names the scopes it may see; an empty list sees nothing.

    ``as_of`` hides what had not been said by then (``occurred_at`` > ``as_of``) and shows what was current then.
    """

    def turn(self, scopes: Sequence[Scope], session_id: str, turn_id: str, revision: int | None = None) -> Turn | None:
        """One turn; without ``revision`` the newest one."""
        ...

    def turns(
        self,
        scopes: Sequence[Scope],
        *,
        session_id: str | None = None,
        turn_ids: Collection[str] | None = None,
        seqs: tuple[int, int] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        last: int | None = None,
        statuses: Collection[TurnStatus] = ("committed", "pending", "aborted"),
    ) -> list[Turn]:
        """Turns in their newest revision, oldest first by (occurred_at, seq).

        ``seqs`` is an inclusive range of sequence numbers; ``since`` inclusive, ``until`` exclusive; ``last`` keeps
        the newest n.
        """
        ...

    def turn_count(self, scopes: Sequence[Scope], session_id: str | None = None) -> int:
        """How many committed, pending or aborted turns there are."""
        ...

    def said_since(self, scopes: Sequence[Scope], session_id: str, seq: int) -> tuple[int, int]:
        """How many turns a session has from ``seq`` on, and an upper bound on the characters said in them."""
        ...

    def said(self, scopes: Sequence[Scope], session_id: str, seqs: tuple[int, int]) -> list[Said]:
        """What was said in a session's turns of an inclusive range of sequence numbers: ``turns``, without what only
        whole turns tell."""
        ...

    def sessions(self, scopes: Sequence[Scope]) -> list[SessionInfo]:
        """The sessions with a turn in these scopes, oldest first."""
        ...

    def open_turns(self, scopes: Sequence[Scope], session_id: str | None = None) -> list[OpenTurn]:
        """Turns that were opened and not committed, oldest first, with what was staged, in order."""
        ...

    def items(
        self,
        scopes: Sequence[Scope],
        *,
        ids: Collection[str] | None = None,
        type: str | None = None,
        key: str | Collection[str] | None = None,
        status: ItemStatus | None = "active",
        as_of: datetime | None = None,
        limit: int | None = None,
        shared: bool = False,
    ) -> list[MemoryItem]:
        """Memory items, oldest first by (occurred_at, recorded_at, insertion); of one key, or of up to a few hundred.

        ``status=None`` gives all; ``limit`` keeps the newest. With ``as_of`` status is judged as it was then and the
        returned item shows it. ``shared``: others may hold the same values, so they must be treated as read-only.
        """
        ...

    def verdicts(self, scopes: Sequence[Scope], item_id: str) -> list[Verdict]:
        """Every verdict that names this item, oldest first."""
        ...

    def turn_verdicts(self, scopes: Sequence[Scope], session_id: str, turn_id: str) -> list[Verdict]:
        """Every verdict on what was said in a turn, in all its revisions, in the order they were given."""
        ...

    def mentions(
        self, scopes: Sequence[Scope], keys: Collection[str], *, as_of: datetime | None = None, limit: int = 200
    ) -> list[MentionHit]:
        """Where these entities were named, newest first."""
        ...

    def mention_turns(
        self, scopes: Sequence[Scope], session_id: str, keys: Collection[str], last_turns: int
    ) -> dict[str, int]:
        """In how many of the session's newest ``last_turns`` turns each entity was named."""
        ...

    def refs(
        self,
        scopes: Sequence[Scope],
        *,
        session_id: str | None = None,
        last_turns: int | None = None,
        as_of: datetime | None = None,
        limit: int = 200,
    ) -> list[RefHit]:
        """Refs, newest first."""
        ...

    def summary(self, scopes: Sequence[Scope], session_id: str, *, as_of: datetime | None = None) -> Summary | None:
        """The newest summary of a session."""
        ...

    def lexical(
        self, scope: Scope, kind: SpaceKind, terms: Sequence[str], as_of: datetime | None = None
    ) -> LexicalView:
        """The postings of ``terms`` and the columns of one space; empty arrays for a space that does not exist.

        ``as_of``: the space as it was, without what was said later and with what has been replaced since.
        """
        ...

    def vectors(self, scope: Scope, kind: SpaceKind, model: VectorModel, as_of: datetime | None = None) -> VectorView:
        """The vectors of a space by exactly this model; empty arrays when there are none.

        ``as_of``: without those of what was said later. What has been replaced since has no vectors any more.
        """
        ...

    def without_vectors(self, scope: Scope, kind: SpaceKind, model: VectorModel, limit: int) -> list[int]:
        """The first ``limit`` ordinals, ascending, of current documents that have no vectors by this model."""
        ...

    def vector_backlog(self, scopes: Sequence[Scope], model: VectorModel) -> int:
        """How many current documents, of both kinds, have no vectors by this model."""
        ...

    def vector_models(self, scopes: Sequence[Scope]) -> dict[VectorModel, int]:
        """The models that made vectors which are kept, by name and dimension, and of how many documents."""
        ...

    def event_docs(self, scope: Scope, ords: Collection[int]) -> dict[int, EventDoc]:
        """The messages behind ordinals of the events space."""
        ...

    def event_ords(self, scope: Scope, turn_ids: Collection[tuple[str, str]]) -> dict[tuple[str, str], list[int]]:
        """The ordinals of the messages of turns, given as (session_id, turn_id)."""
        ...

    def item_docs(self, scope: Scope, ords: Collection[int], as_of: datetime | None = None) -> dict[int, MemoryItem]:
        """The memory items behind ordinals of the memory space (as it was then), whatever their status. Others may hold
        the same values: treat them as read-only."""
        ...

    def versions(
        self, scope: Scope, slots: Collection[tuple[str, str]], as_of: datetime | None = None
    ) -> list[MemoryItem]:
        """All items of those types and keys that have more than one item, whatever their status, oldest first as in
        ``items``; with ``as_of`` those of one item may be among them. Treat them as read-only."""
        ...

    def item_ords(self, scope: Scope, ids: Collection[str]) -> dict[str, int]:
        """The ordinals of memory items in the memory space."""
        ...

    def speakers(self, scope: Scope, as_of: datetime | None = None) -> Mapping[int, str]:
        """The speaker names behind ``DocColumns.speaker``, as they were written."""
        ...

    def context(self, scopes: Sequence[Scope], context_id: str) -> ContextRecord | None:
        """A stored context."""
        ...

    def generation(self, scopes: Sequence[Scope]) -> int:
        """A number that grows with every committed write to any of these scopes; caches are keyed by it."""
        ...

    def records(self, scopes: Sequence[Scope] | None) -> Iterator[Record]:
        """Everything these scopes hold that cannot be derived, scope by scope in their order; with None of all scopes.

        Within a scope turns come first, all revisions, as they were recorded; then items, summaries, open turns. Stored
        contexts are left out: they may show what other scopes hold. Some hundred records are in memory at once. Read it
        within the block that gave the reader. Raises StoreError where this reader may not see all scopes.
        """
        ...

    def stored(self, scope: Scope, name: Name) -> Record | None:
        """The record of this name, as ``records`` gives it."""
        ...

    def traces(self, scopes: Sequence[Scope], text: str) -> dict[str, int]:
        """In how many rows of each table a text stands, of all that these scopes hold, older revisions, staged
        records and contexts composed from these scopes included; tables without it are left out.

        Letter case and compatibility forms (NFKC) are ignored. A text of one search term is looked up in the
        search index, too (under ``"index"``).
        """
        ...


class Writer(Reader, Protocol):
    """A write transaction: all of it happens or nothing; it rolls back on any exception."""

    def open_turn(
        self, scope: Scope, session_id: str, turn_id: str, *, occurred_at: datetime, opened_at: datetime
    ) -> OpenTurn:
        """Opens a turn, or finds it open. Raises ConflictError when it was committed before."""
        ...

    def stage(self, scope: Scope, session_id: str, turn_id: str, records: Sequence[Staged]) -> int:
        """Adds records to an open turn, a known key replacing its record in place; returns how many were new.

        Raises NotFoundError when the turn is not open.
        """
        ...

    def close_open_turn(self, scope: Scope, session_id: str, turn_id: str) -> None:
        """Forgets the staging area of a turn, which is committed (or aborted) in the same transaction."""
        ...

    def next_seq(self, scope: Scope, session_id: str) -> int:
        """The sequence number a new turn of this session gets: one more than the highest, over all scopes of the
        domain."""
        ...

    def append_turn(self, turn: Turn) -> None:
        """Writes a turn (a new revision marks the one before it as superseded at ``turn.recorded_at``) and indexes
        its messages' words. Raises ConflictError when that revision exists."""
        ...

    def set_turn_status(self, scope: Scope, session_id: str, turn_id: str, status: TurnStatus) -> None: ...

    def mark_undone(self, scope: Scope, session_id: str, turn_id: str, at: datetime | None) -> None:
        """Notes on a turn's newest revision since when what it did to memory is taken back; None: it is not.

        Raises NotFoundError for a turn that is not stored.
        """
        ...

    def apply(self, changes: Changes, commit: CommitRecord) -> None:
        """Applies what retention decided, links and index included, and keeps the verdicts.

        An item is closed once; one that was superseded may be superseded at an earlier moment, by what was said late.
        """
        ...

    def add_mentions(self, turn: Turn, mentions: Sequence[Mention]) -> None:
        """Records which entities a turn named; the same mention twice is one."""
        ...

    def put_summary(self, summary: Summary) -> None:
        """Adds the next version. Raises ConflictError when that version exists."""
        ...

    def put_context(self, record: ContextRecord, keep: int) -> None:
        """Keeps a context for replay, and only the newest ``keep`` of its domain."""
        ...

    def put_vectors(self, scope: Scope, kind: SpaceKind, model: VectorModel, docs: Sequence[DocVectors]) -> int:
        """Keeps vectors, in place of those the documents had by this model; returns of how many documents.

        A document that is not there, or was superseded, is passed over. The vectors of a document go when it is
        superseded, when its text changes and when its scope is cleared. Raises InputError for another dimension.
        """
        ...

    def drop_vectors(self, scope: Scope, *, keep: VectorModel) -> int:
        """Drops the vectors of every other model; returns how many models were dropped."""
        ...

    def clear_derived(self, scope: Scope) -> None:
        """Drops the items, verdicts, mentions and summaries of a scope, so that they can be made anew from its
        turns."""
        ...

    def erasures(self) -> int:
        """``Storage.erasures`` within this transaction."""
        ...

    def forget(self, scopes: Sequence[Scope], doomed: Doomed) -> Forgotten:
        """Takes out what is doomed in these scopes, for good, and every row that was made of it.

        Of a turn: all revisions, messages, tool payloads, refs, staged records, index entries, vectors, mentions,
        verdicts and speakers' names that nobody else has. Of the session: summaries from that turn on. Of all who
        read these scopes: contexts of that session, or composed since the turn was recorded. An item goes when its
        last source goes, or by its id; another one keeps its other sources, the first of them its origin. A turn that
        loses its last message goes. Ordinals are not given out again, and sessions and scopes that are empty go.

        What is not there is passed over. Nothing of another scope is touched, but for contexts that read these.
        """
        ...

    def restore(self, record: Record) -> bool:
        """Writes a record as it was in the store it comes from, times, numbers and status included, and indexes its
        words; False if it is here already, with the same content.

        Raises ConflictError where this store holds another content under its name.
        """
        ...

    def reindex(self, scope: Scope) -> int:
        """Cuts and indexes every message and item of a scope anew; returns how many documents."""
        ...


class Storage(Protocol):
    """A place for events, memory and search. One object serves many threads."""

    def read(self) -> AbstractContextManager[Reader]:
        """A consistent snapshot. Raises ClosedError after ``close``."""
        ...

    def write(self) -> AbstractContextManager[Writer]:
        """A write transaction. Raises ClosedError, StoreBusyError, StoreError."""
        ...

    def scopes(self, domain: str | None = None) -> list[Scope]:
        """The scopes that hold anything; for administration, not for answering a user."""
        ...

    def erasures(self) -> int:
        """How often anything was forgotten, by any process. What was read before must not be kept or served after."""
        ...

    def scrub(self) -> str:
        """Makes what was forgotten unreadable where the store keeps its bytes; empty, or why that is not done yet.

        Call it after the transaction that forgot. What is not done is done when the store is opened again.
        """
        ...

    def backup(self, path: Path, on_progress: Callable[[int, int], None]) -> bool:
        """Copies the whole store, as it is at one moment, to the empty file at ``path``, which opens as a store then;
        others may write meanwhile. False, and nothing is done, for a store that has no file of its own.

        ``on_progress`` is told how much is done, and of how much. Raises StoreError.
        """
        ...

    def close(self) -> None:
        """Closes every connection; calling it twice is fine."""
        ...


class TokenCounter(Protocol):
    """Counts the tokens of a text as a model would. ``name`` is shown in the package's budget."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


class Clock(Protocol):
    """Tells the time, timezone-aware."""

    def now(self) -> datetime: ...


class Sense(NamedTuple):
    """A word of a question, a word of the other language that means about the same, and their cosine, 0..1."""

    word: str
    other: str
    nearness: float


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of one space. ``model`` names that space, with its version or beside a ``version`` of
    its own (text or a number): vectors are kept under both, and never compared across either. One that treats
    questions and texts differently may say so (``asymmetric = True``): a message that both tells and asks is then
    embedded as either, and the two vectors are added."""

    @property
    def model(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...

    def embed_query(self, text: str) -> Sequence[float]: ...


class Reranker(Protocol):
    """Scores how well each text answers the query; higher is better, any range."""

    @property
    def model(self) -> str: ...

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]: ...


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor proposes for one turn. ``skipped`` are sentences that looked like candidates and why not."""

    candidates: tuple[Candidate, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    mentions: tuple[Mention, ...] = ()
    refs: tuple[Ref, ...] = ()
    skipped: tuple[Verdict, ...] = ()


class Extractor(Protocol):
    """Proposes candidates from a turn's messages. It may be slow (a model): no transaction is open while it runs."""

    @property
    def name(self) -> str: ...

    def extract(self, turn: Turn, known: Sequence[MemoryItem]) -> Extraction: ...


class Summarizer(Protocol):
    """Writes the rolling summary; gets the previous one, the turns since, the current items and a size in tokens.

    Raises to say that it could not: nothing changes then. An empty answer counts as a failure.
    """

    @property
    def name(self) -> str: ...

    def summarize(
        self, previous: str | None, turns: Sequence[Turn], items: Sequence[MemoryItem], max_tokens: int
    ) -> str: ...


class ResourceClient(Protocol):
    """The documents beside memory. ``timeout`` is in seconds; a late answer is not waited for."""

    def retrieve(self, plan: RetrievalPlan, *, scopes: Sequence[Scope], timeout: float) -> EvidencePack: ...

    def offer(self, refs: Sequence[Ref], *, scope: Scope) -> Sequence[RefOutcome] | None:
        """Is told of the refs of a committed turn that policy lets pass, best effort.

        A file's URI is absolute and under an allowed root. ``meta["turn"]`` is the URI of the turn; ``meta["text"]`` is
        what stands at a URL, where a fetcher brought it: a client does not fetch of its own accord. It may say what
        became of each, by the URI it was offered.
        """
        ...


@runtime_checkable
class RefHolder(Protocol):
    """A resource client that can tell which files and URLs it holds."""

    def holds(self, uris: Sequence[str], *, scopes: Sequence[Scope]) -> Mapping[str, str]:
        """The document id of each of these URIs that it holds for these scopes, by URI."""
        ...


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What a router may look for in a message beside its own rules.

    ``entities``: known things with their other names. ``documents``: paths with the titles of what stands there.
    ``domains`` and ``subdomains``: those that the documents say of themselves; None where that is not known.
    """

    entities: Mapping[str, Sequence[str]] = field(default_factory=dict)
    documents: Mapping[str, Sequence[str]] = field(default_factory=dict)
    domains: Collection[str] | None = None
    subdomains: Collection[str] | None = None


@runtime_checkable
class KnowsNames(Protocol):
    """A resource client that can say what its documents call the things a text may speak of, within milliseconds."""

    def names(self, text: str, *, scopes: Sequence[Scope]) -> KnownNames: ...


class Router(Protocol):
    """Says what a message asks of documents. Called within ``compose_context``: it should take milliseconds."""

    def route(self, text: str, known: KnownNames | None = None) -> RouteResult: ...
