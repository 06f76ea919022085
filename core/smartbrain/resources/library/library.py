"""``Library``: documents in one file, found as memory is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from smartbrain.config import SemanticPolicy, StorePolicy
from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.plan import Filters, Mode, RetrievalPlan
from smartbrain.contracts.scopes import asks_for_scope
from smartbrain.errors import NotFoundError
from smartbrain.model import Ref, RefOutcome, Scope
from smartbrain.ports import KnownNames
from smartbrain.resources.executing import execute
from smartbrain.resources.layers import Entry, Layer, Scored
from smartbrain.resources.library.adding import Adding, Making, Progress, digest_of, place_of
from smartbrain.resources.library.compacting import CUT_BY
from smartbrain.resources.library.decoding import clean
from smartbrain.resources.library.embedding import Embedding
from smartbrain.resources.library.offers import held_by, take
from smartbrain.resources.library.reading import format_of, parse_text
from smartbrain.resources.library.records import Known
from smartbrain.resources.library.searching import Searching, Snapshot
from smartbrain.resources.library.selecting import OBEYED, TEXT_URI, uri_of
from smartbrain.resources.library.shelf import Shelf
from smartbrain.resources.library.stacking import ShelfWriter
from smartbrain.resources.library.values import AddReport, DocumentInfo, Format, Limits
from smartbrain.resources.library.walking import checked_path
from smartbrain.resources.naming import names_in
from smartbrain.semantic import as_embedder
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.sql.steps import steps_of
from smartbrain.stores.sql.values import micros
from smartbrain.stores.sqlite.connection import WRITER_CACHE, connect
from smartbrain.stores.sqlite.migrate import LIBRARY_ID, migrate
from smartbrain.stores.sqlite.opening import open_file
from smartbrain.stores.sqlite.pool import FilePool, MemoryPool, Pool
from smartbrain.stores.vectors import VectorCache

LOCAL = Scope("local", "global", "default")
"""Whose documents are those of a library that was opened without a scope."""

_CACHE_BYTES = 64 << 20
_VECTOR_BYTES = 256 << 20


class Library:
    """Documents from folders, in a file of its own, with an index in six layers (``layers.LayeredIndex``).

    Every document belongs to a scope: that of the call, else the one the library was opened with. A library serves many
    threads and several processes at once; what is written is on disk, in transactions of whole documents.
    """

    def __init__(
        self,
        pool: Pool,
        embedding: Embedding | None,
        *,
        scope: Scope = LOCAL,
        shared: bool = False,
        limits: Limits | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        """See ``open``."""
        self._pool = pool
        self._scope = scope
        self._shared = shared
        self._limits = limits or Limits()
        self._now = now or (lambda: datetime.now(UTC))
        self._cache = ColumnCache(_CACHE_BYTES)
        self._vectors = VectorCache(_VECTOR_BYTES)
        self._embedding = embedding
        self._searching = Searching(embedding)
        try:
            self._follow_cutting()
        except BaseException:
            self.close()
            raise

    def _follow_cutting(self) -> None:
        """Indexes everything anew if words are cut otherwise than when it was indexed; in one transaction."""
        with self._reading() as shelf:
            if shelf.cut_by() == CUT_BY:
                return
        with self._writing() as writer:
            writer.follow_cutting()

    @classmethod
    def open(
        cls,
        path: str | Path = ":memory:",
        *,
        embedder: Any = None,
        semantic: SemanticPolicy | None = None,
        words_only: bool = False,
        scope: Scope = LOCAL,
        shared: bool = False,
        limits: Limits | None = None,
        store: StorePolicy | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> Library:
        """The library in a file, which is made if it is not there; in memory without a path.

        Entries are found by words and by meaning: by the bundled static embedder, or by ``embedder`` (anything that
        ``smartbrain.semantic.as_embedder`` takes), weighted as ``semantic`` says; with ``words_only`` by words alone.
        ``scope`` is whose documents are meant where a call names none; ``shared`` says that every user of a brain may
        read those. Raises StoreOpenError for a file that holds
        something else (memory, for instance: it has a file of its own), StoreVersionError and StoreBusyError.
        """
        policy = store or StorePolicy()
        embedding = None if words_only else Embedding(embedder and as_embedder(embedder), semantic)
        steps = steps_of("smartbrain.resources.library")
        if str(path) == ":memory:":
            connection = connect(":memory:", policy, WRITER_CACHE)
            migrate(connection, policy, steps, LIBRARY_ID)
            return cls(MemoryPool(connection, policy), embedding, scope=scope, shared=shared, limits=limits, now=now)
        where = Path(path).absolute()
        pool = FilePool(where, policy, open_file(where, policy, steps, LIBRARY_ID))
        return cls(pool, embedding, scope=scope, shared=shared, limits=limits, now=now)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; calling it twice is fine."""
        self._pool.close()
        self._cache.clear()
        self._vectors.clear()

    def add(
        self,
        source: str | Path,
        *,
        under: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, str] | None = None,
        gitignore: bool = True,
        progress: Progress | None = None,
    ) -> AddReport:
        """Takes in a file, or all documents of a folder: what is new or changed is read, what is gone is removed.

        A document's path begins with ``under``; without it, with the folder as it was named ("docs" gives
        "docs/api.md"), of an absolute path or one with ".." with the folder's own name, and with nothing for ".".
        ``metadata`` is added to what the documents say of themselves. With ``gitignore``, what the ``.gitignore`` files
        of a folder and of its repository leave out is left out here, too. What cannot be taken is in the report with
        its reason, and the rest is taken. Raises InputError when there is nothing at ``source``.
        """
        place, making = place_of(Path(source), under, gitignore=gitignore), self._making(scope, metadata)
        return Adding(place, making, self._reading, self._writing).run(progress)

    def add_text(
        self,
        text: str,
        path: str,
        *,
        scope: Scope | None = None,
        metadata: Mapping[str, str] | None = None,
        format: Format | None = None,
        uri: str | None = None,
    ) -> AddReport:
        """Takes in a text under a path of the caller's choice ("notes/plan.md"), in place of what was there.

        It is read as its ending says, or as ``format``. ``uri`` leads back to where it is from. Raises InputError for
        an empty text or a path that is none, and MissingExtraError for HTML without the extra ``library``.
        """
        path = checked_path(path)
        making = self._making(scope, metadata)
        digest = digest_of(text.encode("utf-8", "surrogatepass"), making.metadata)
        known = Known(path, "", uri or TEXT_URI + quote(path), digest)
        parsed = parse_text(clean(text), (), path, format or format_of(path), self._limits)
        document = making.document(parsed, known, making.added_us)
        with self._writing() as shelf:
            scope_id = shelf.scope_id(making.scope)
            before = None if scope_id is None else shelf.known(scope_id, path)
            if before is not None and before.digest == known.digest:
                return AddReport(unchanged=(path,))
            shelf.put(making.scope, [document])
        labelled = (path,) if document.built.labels else ()
        return AddReport(updated=(path,), labelled=labelled) if before else AddReport(added=(path,), labelled=labelled)

    def remove(self, path: str, *, scope: Scope | None = None) -> tuple[str, ...]:
        """Takes out the document at a path, or all under a folder; the paths of what is gone.

        Raises NotFoundError when there is none.
        """
        wanted = path.strip("/")
        with self._writing() as shelf:
            scope_id = shelf.scope_id(scope or self._scope)
            paths = [] if scope_id is None else [one.info.path for one in shelf.profiles(scope_id)]
            gone = [one for one in paths if one == wanted or one.startswith(f"{wanted}/")]
            if scope_id is None or not gone:
                raise NotFoundError(f"the library holds no document at {path!r}")
            return tuple(shelf.take_out(scope_id, gone))

    def documents(self, *, scope: Scope | None = None) -> list[DocumentInfo]:
        """What the library holds of a scope, by path."""
        with self._reading() as shelf:
            scope_id = shelf.scope_id(scope or self._scope)
            return [] if scope_id is None else [profile.info for profile in shelf.profiles(scope_id)]

    def text(self, path: str, *, scope: Scope | None = None) -> str:
        """A document's text, which the offsets of its entries point into.

        Raises NotFoundError when there is no document at this path.
        """
        with self._reading() as shelf:
            scope_id = shelf.scope_id(scope or self._scope)
            text = None if scope_id is None else shelf.text(scope_id, path)
        if text is None:
            raise NotFoundError(f"the library holds no document at {path!r}")
        return text

    # --- LayeredIndex and ResourceClient -----------------------------------------------------------------------------

    def search(
        self,
        text: str,
        *,
        scopes: Sequence[Scope],
        layers: Sequence[Layer] = ("D0_DOC_CHUNKS",),
        filters: Filters | None = None,
        mode: Mode = "hybrid",
        limit: int = 10,
    ) -> list[Scored]:
        """See ``LayeredIndex.search``. In the mode ``exact`` an entry holds every word that is asked for."""
        with self.snapshot() as index:
            return index.search(
                text, scopes=scopes, layers=layers, filters=filters or Filters(), mode=mode, limit=limit
            )

    def at(
        self,
        paths: Sequence[str],
        *,
        scopes: Sequence[Scope],
        layers: Sequence[Layer] = ("D0_DOC_CHUNKS",),
        filters: Filters | None = None,
    ) -> list[Entry]:
        """See ``LayeredIndex.at``."""
        with self.snapshot() as index:
            return index.at(paths, scopes=scopes, layers=layers, filters=filters or Filters())

    def containing(
        self,
        fragments: Sequence[str],
        *,
        scopes: Sequence[Scope],
        layers: Sequence[Layer] = ("D1_DOCUMENT_CATALOG",),
        filters: Filters | None = None,
        limit: int = 20,
    ) -> list[Entry]:
        """See ``LayeredIndex.containing``."""
        with self.snapshot() as index:
            return index.containing(fragments, scopes=scopes, layers=layers, filters=filters or Filters(), limit=limit)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """The library as it is now, for several questions: what is written meanwhile is not seen."""
        with self._reading() as shelf:
            yield Snapshot(shelf, self._searching)

    def retrieve(self, plan: RetrievalPlan, *, scopes: Sequence[Scope], timeout: float) -> EvidencePack:  # noqa: ARG002
        """The evidence of a plan from one snapshot, as ``ports.ResourceClient`` describes it.

        A session that stands alone, without a user or a domain, is answered from what its turns brought and from the
        scope the library was opened with; everybody else from their own scopes, and from that one too if the library is
        ``shared``. Nothing is waited for,
        so ``timeout`` means nothing here. Raises ScopeError without a scope.
        """
        with self.snapshot() as index:
            pack = execute(plan.for_documents(), index, scopes=self._readable(scopes), uri_of=uri_of, obeyed=OBEYED)
            said = tuple(dict.fromkeys(index.warnings))
        return pack.model_copy(update={"warnings": (*pack.warnings, *said)}) if said else pack

    def names(self, text: str, *, scopes: Sequence[Scope]) -> KnownNames:
        """What of its documents a text may speak of, as ``ports.KnowsNames`` says; scopes as in ``retrieve``."""
        with self.snapshot() as index:
            return names_in(text, index, scopes=self._readable(scopes))

    def offer(self, refs: Sequence[Ref], *, scope: Scope) -> list[RefOutcome]:
        """Takes in files, and texts that a fetcher brought, under ``refs/``, for this scope (``offers.take``)."""
        return take(self, refs, scope)

    def holds(self, uris: Sequence[str], *, scopes: Sequence[Scope]) -> dict[str, str]:
        """The document id of each of these URIs that ``retrieve`` may show to these scopes."""
        with self._reading() as shelf:
            return held_by(shelf, uris, self._readable(scopes))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _readable(self, scopes: Sequence[Scope]) -> tuple[Scope, ...]:
        """The scopes of a call, and the library's own if that is shared or nobody's scope is asked for."""
        own = (self._scope,) if self._shared or not asks_for_scope(scopes) else ()
        return tuple(dict.fromkeys((*scopes, *own)))

    def _making(self, scope: Scope | None, metadata: Mapping[str, str] | None) -> Making:
        added_us = micros(self._now())
        return Making(scope or self._scope, self._limits, dict(metadata or {}), added_us, self._embedding)

    @contextmanager
    def _reading(self) -> Iterator[Shelf]:
        with self._pool.reading() as connection:
            yield Shelf(connection, self._cache, self._vectors)

    @contextmanager
    def _writing(self) -> Iterator[ShelfWriter]:
        with self._pool.writing() as connection:
            yield ShelfWriter(connection, self._cache, self._vectors)
