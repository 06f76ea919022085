"""The rows of a library inside one transaction: documents, their entries and where these stand in the index."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from smartbrain.errors import InputError, StoreError
from smartbrain.model import Scope
from smartbrain.ports import LANGUAGES, IndexedDoc, LexicalView, VectorModel, VectorView
from smartbrain.resources.layers import Entry
from smartbrain.resources.library.building import Built
from smartbrain.resources.library.drafts import LABEL, LAYERS, PAGE, Draft, entry_terms
from smartbrain.resources.library.values import DocumentInfo
from smartbrain.stores.index import engine
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.indexing import SEGMENT_CHARS
from smartbrain.stores.sql.connection import chunks, marks
from smartbrain.stores.sql.rows import SpaceRows
from smartbrain.stores.sql.scoped import checked
from smartbrain.stores.sql.values import moment
from smartbrain.stores.sql.vector_rows import VectorHead, VectorRows
from smartbrain.stores.sqlite.connection import Connection
from smartbrain.stores.vectors import VectorCache

_INFO = "document_id, path, title, uri, format, language, chars, modified_us, added_us, abstract, metadata, labels"
_ENTRY = (
    "e.ord, e.name, e.layer, d.document_id, d.path, d.title, e.text, e.heading, e.start, e.end, e.line, e.last_line,"
    " e.language, d.metadata, e.metadata, d.uri, d.abstract, d.labels"
)
_FROM = "FROM entries e JOIN documents d ON d.document_pk = e.document_pk AND d.scope_id = e.scope_id"
_PUT_DOCUMENT = (
    "INSERT INTO documents (scope_id, document_id, path, folded, root, uri, title, abstract, format, language, digest,"
    " modified_us, added_us, chars, metadata, labels, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_PUT_ENTRY = (
    "INSERT INTO entries (scope_id, layer, ord, document_pk, name, heading, start, end, line, last_line, language,"
    " metadata, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_LAST_DAY = 0xFFFF
_DAY_US = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Incoming:
    """A document on its way in; ``terms`` are those of ``built.drafts``, one by one, and so are ``vectors`` if there
    is a ``model`` that made some."""

    document_id: str
    path: str
    root: str
    uri: str
    digest: str
    modified_us: int
    added_us: int
    built: Built
    terms: Sequence[Mapping[str, int]]
    model: VectorModel | None = None
    vectors: Sequence[bytes] = ()


class Known(NamedTuple):
    """What is known of a document that is there."""

    path: str
    root: str
    uri: str
    digest: str


class Profile(NamedTuple):
    """What filters ask of a document."""

    document_pk: int
    info: DocumentInfo


class Shelf:
    """One snapshot of a library. Every call names the scope it sees."""

    def __init__(self, connection: Connection, cache: ColumnCache, vectors: VectorCache) -> None:
        self._db = connection
        self._cache = cache
        self._vectors = vectors

    def scope_id(self, scope: Scope) -> int | None:
        """The number of a scope; None while it holds nothing."""
        row = self._db.one("SELECT scope_id FROM scopes WHERE domain = ? AND type = ? AND id = ?", checked(scope))
        return None if row is None else int(row[0])

    def generation(self, scope_id: int) -> int:
        """Grows with every write to the scope."""
        row = self._db.one("SELECT generation FROM scopes WHERE scope_id = ?", (scope_id,))
        return int(row[0]) if row else 0

    def lexical(self, scope_id: int, layer: int, terms: Sequence[str]) -> LexicalView:
        """One layer as the lexical ranking sees it."""
        return engine.lookup(self._rows(scope_id, layer), terms, self._cache)

    def vectors(self, scope_id: int, layer: int, model: VectorModel) -> VectorView:
        """The vectors of one layer by exactly this model."""
        return self._vector_rows(scope_id, layer).view(model)

    def without_vectors(self, scope_id: int, layer: int, model: VectorModel, limit: int) -> list[tuple[int, str, str]]:
        """(ordinal, language, text) of the first ``limit`` entries that have no vectors by this model."""
        head = self._vector_rows(scope_id, layer).head(model) or VectorHead(0)
        rows = self._db.all(
            "SELECT ord, language, text FROM entries e WHERE scope_id = ? AND layer = ? AND ord >= ? AND NOT EXISTS"
            " (SELECT 1 FROM vectors v WHERE v.scope_id = e.scope_id AND v.space = e.layer AND v.number = ?"
            " AND v.ord = e.ord) ORDER BY ord LIMIT ?",
            (scope_id, layer, head.done_to, head.number, limit),
        )
        return [(int(ord_), str(language), str(text)) for ord_, language, text in rows]

    def entries(self, scope_id: int, layer: int, ords: Collection[int]) -> dict[int, Entry]:
        """The entries behind ordinals."""
        found: dict[int, Entry] = {}
        for some in chunks(ords):
            rows = self._db.all(
                f"SELECT {_ENTRY} {_FROM} WHERE e.scope_id = ? AND e.layer = ? AND e.ord IN ({marks(some)})",
                (scope_id, layer, *some),
            )
            found |= {row[0]: _entry(row) for row in rows}
        return found

    def entries_of(self, scope_id: int, layer: int, document_pk: int, most: int) -> list[Entry]:
        """The entries of one document in their order."""
        place = self._place(scope_id, layer, document_pk)
        if place is None:
            return []
        rows = self._db.all(
            f"SELECT {_ENTRY} {_FROM} WHERE e.scope_id = ? AND e.layer = ? AND e.ord >= ? AND e.ord < ?"
            " ORDER BY e.ord LIMIT ?",
            (scope_id, layer, place[0], place[0] + place[1], most),
        )
        return [_entry(row) for row in rows]

    def places(self, scope_id: int, layer: int) -> list[tuple[int, int, int]]:
        """(document_pk, first ordinal, count) of every document of a layer."""
        rows = self._db.all(
            "SELECT document_pk, first_ord, count FROM places WHERE scope_id = ? AND layer = ?", (scope_id, layer)
        )
        return [(int(pk), int(first), int(count)) for pk, first, count in rows]

    def profiles(self, scope_id: int) -> list[Profile]:
        """Every document of a scope, by path."""
        rows = self._db.all(
            f"SELECT document_pk, {_INFO} FROM documents WHERE scope_id = ? ORDER BY folded, path", (scope_id,)
        )
        return [Profile(int(row[0]), _info(row[1:])) for row in rows]

    def at(self, scope_id: int, folded: str) -> list[Profile]:
        """The documents at a path, letter case ignored."""
        rows = self._db.all(
            f"SELECT document_pk, {_INFO} FROM documents WHERE scope_id = ? AND folded = ? ORDER BY path",
            (scope_id, folded),
        )
        return [Profile(int(row[0]), _info(row[1:])) for row in rows]

    def known(self, scope_id: int, path: str) -> Known | None:
        """What is known of the document at exactly this path."""
        row = self._db.one(
            "SELECT path, root, uri, digest FROM documents WHERE scope_id = ? AND path = ?", (scope_id, path)
        )
        return Known(*row) if row else None

    def by_uri(self, scope_id: int, uris: Sequence[str]) -> dict[str, str]:
        """The ids of the documents at these URIs."""
        found: dict[str, str] = {}
        for some in chunks(uris):
            rows = self._db.all(
                f"SELECT uri, document_id FROM documents WHERE scope_id = ? AND uri IN ({marks(some)})",
                (scope_id, *some),
            )
            found |= {str(uri): str(id_) for uri, id_ in rows}
        return found

    def every(self, scope_id: int) -> dict[str, Known]:
        """What is known of every document, by path."""
        rows = self._db.all("SELECT path, root, uri, digest FROM documents WHERE scope_id = ?", (scope_id,))
        return {row[0]: Known(*row) for row in rows}

    def count(self, scope_id: int, layer: int) -> int:
        """How many entries a layer has."""
        row = self._db.one("SELECT sum(count) FROM places WHERE scope_id = ? AND layer = ?", (scope_id, layer))
        return int(row[0]) if row and row[0] else 0

    def text(self, scope_id: int, path: str) -> str | None:
        """A document's whole text."""
        row = self._db.one("SELECT body FROM documents WHERE scope_id = ? AND path = ?", (scope_id, path))
        if row is None:
            return None
        try:
            return zlib.decompress(row[0]).decode()
        except (zlib.error, UnicodeDecodeError) as error:
            raise StoreError(f"the text of {path} is damaged in the library") from error

    def _rows(self, scope_id: int, layer: int) -> SpaceRows:
        return SpaceRows(self._db, scope_id, layer)

    def _vector_rows(self, scope_id: int, layer: int) -> VectorRows:
        return VectorRows(self._db, self._vectors, scope_id, layer)

    def _place(self, scope_id: int, layer: int, document_pk: int) -> tuple[int, int] | None:
        row = self._db.one(
            "SELECT first_ord, count FROM places WHERE scope_id = ? AND layer = ? AND document_pk = ?",
            (scope_id, layer, document_pk),
        )
        return None if row is None else (int(row[0]), int(row[1]))


class ShelfWriter(Shelf):
    """The write transaction of a library."""

    def put(self, scope: Scope, documents: Sequence[Incoming]) -> None:
        """Writes documents, in place of those at the same paths, and indexes them."""
        scope_id = self._made_scope(scope)
        self.take_out(scope_id, [document.path for document in documents])
        keys = [self._put_document(scope_id, document) for document in documents]
        for layer in range(len(LAYERS)):
            self._put_layer(scope_id, layer, list(zip(keys, documents, strict=True)))

    def take_out(self, scope_id: int, paths: Iterable[str]) -> list[str]:
        """Takes documents out with all that was made of them; the paths of those that were there."""
        gone = []
        ords: list[dict[int, Collection[str]]] = [{} for _ in LAYERS]
        for path in paths:
            row = self._db.one("SELECT document_pk FROM documents WHERE scope_id = ? AND path = ?", (scope_id, path))
            if row is None:
                continue
            gone.append(path)
            for layer, found in enumerate(ords):
                found.update(self._drop_entries(scope_id, layer, int(row[0])))
            self._db.run("DELETE FROM documents WHERE scope_id = ? AND document_pk = ?", (scope_id, row[0]))
        for layer, found in enumerate(ords):
            if found:
                engine.remove(self._rows(scope_id, layer), found, blank=True)
                self._vector_rows(scope_id, layer).forget(list(found))
        if gone:
            self._grow(scope_id)
        return gone

    def put_vectors(
        self, scope_id: int, layer: int, model: VectorModel, docs: Sequence[tuple[int, str, bytes]], first: int
    ) -> None:
        """Keeps vectors: (ordinal, language, block) of entries that are there, ascending. From ``first`` to the last of
        them no entry is left without."""
        rows = self._vector_rows(scope_id, layer)
        head = rows.add(rows.head(model) or rows.new_head(), docs)
        if docs and head.done_to >= first:
            head = head._replace(done_to=max(head.done_to, docs[-1][0] + 1))
        rows.put_head(model, head)

    def _drop_entries(self, scope_id: int, layer: int, document_pk: int) -> dict[int, Collection[str]]:
        place = self._place(scope_id, layer, document_pk)
        if place is None:
            return {}
        key = (scope_id, layer, place[0], place[0] + place[1])
        where = "scope_id = ? AND layer = ? AND ord >= ? AND ord < ?"
        rows = self._db.all(f"SELECT ord, heading, text FROM entries WHERE {where}", key)
        self._db.run(f"DELETE FROM entries WHERE {where}", key)
        self._db.run(
            "DELETE FROM places WHERE scope_id = ? AND layer = ? AND document_pk = ?", (scope_id, layer, document_pk)
        )
        return {row[0]: list(entry_terms(tuple(json.loads(row[1] or "[]")), row[2])) for row in rows}

    def _made_scope(self, scope: Scope) -> int:
        scope_id = self.scope_id(scope)
        if scope_id is None:
            made = self._db.run("INSERT INTO scopes (domain, type, id) VALUES (?, ?, ?)", checked(scope))
            scope_id = int(made.lastrowid or 0)
        self._grow(scope_id)
        return scope_id

    def _grow(self, scope_id: int) -> None:
        self._db.run("UPDATE scopes SET generation = generation + 1 WHERE scope_id = ?", (scope_id,))

    def _put_document(self, scope_id: int, document: Incoming) -> int:
        built = document.built
        row = (
            scope_id,
            document.document_id,
            document.path,
            document.path.casefold(),
            document.root,
            document.uri,
            built.title,
            built.abstract,
            built.parsed.format,
            built.language,
            document.digest,
            document.modified_us,
            document.added_us,
            len(built.parsed.text),
            _json(dict(built.parsed.metadata)),
            _json(list(built.labels)),
            zlib.compress(built.parsed.text.encode(), 1),
        )
        return int(self._db.run(_PUT_DOCUMENT, row).lastrowid or 0)

    def _put_layer(self, scope_id: int, layer: int, documents: Sequence[tuple[int, Incoming]]) -> None:
        rows = self._rows(scope_id, layer)
        first = rows.head().n_docs
        placing = _Placing(first, self._next_segment(scope_id) if layer == 0 else first)
        entries = []
        places = []
        vectors: dict[VectorModel, list[tuple[int, str, bytes]]] = {}
        for key, document in documents:
            begin = placing.next
            blocks = document.vectors or [b""] * len(document.terms)
            for draft, terms, block in zip(document.built.drafts, document.terms, blocks, strict=True):
                if draft.layer == layer:
                    language = draft.language or document.built.language
                    entries.append(_entry_row(scope_id, placing.next, key, draft, language))
                    if document.model is not None:
                        vectors.setdefault(document.model, []).append((placing.next, language, block))
                    placing.add(draft, terms, document.modified_us, language)
            placing.end_document()
            if placing.next > begin:
                places.append((scope_id, layer, key, begin, placing.next - begin))
        engine.add(rows, placing.docs)
        self._db.many(_PUT_ENTRY, entries)
        self._db.many(
            "INSERT INTO places (scope_id, layer, document_pk, first_ord, count) VALUES (?, ?, ?, ?, ?)", places
        )
        for model, made in vectors.items():
            self.put_vectors(scope_id, layer, model, made, first)
        if layer == 0:
            self._db.run("UPDATE scopes SET next_segment = ? WHERE scope_id = ?", (placing.segment, scope_id))

    def _next_segment(self, scope_id: int) -> int:
        row = self._db.one("SELECT next_segment FROM scopes WHERE scope_id = ?", (scope_id,))
        return int(row[0]) if row else 0


class _Placing:
    """Gives entries their ordinals, neighbours and stretches: a stretch is at most 4,000 characters of one document."""

    def __init__(self, first: int, segment: int) -> None:
        self.docs: list[IndexedDoc] = []
        self.next = first
        self.segment = segment
        self._prev = -1
        self._chars = 0

    def add(self, draft: Draft, terms: Mapping[str, int], modified_us: int, language: str) -> None:
        """The next entry of a document."""
        chars = len(draft.text)
        alone = draft.layer != 0
        if self._prev >= 0 and (alone or self._chars + chars > SEGMENT_CHARS):
            self.segment, self._chars = self.segment + 1, 0
        self._chars += chars
        self.docs.append(
            IndexedDoc(
                terms=terms,
                length=sum(terms.values()),
                chars=chars,
                prev=-1 if alone else self._prev,
                segment=self.segment,
                day=min(max(modified_us // _DAY_US, 0), _LAST_DAY),
                speaker=language_place(language),
                flags=0,
            )
        )
        self._prev = self.next
        self.next += 1

    def end_document(self) -> None:
        """What comes next belongs to another document."""
        if self._prev >= 0:
            self.segment += 1
        self._prev, self._chars = -1, 0


def language_place(language: str) -> int:
    """The language of an entry as the column that holds a speaker in conversations."""
    return LANGUAGES.index(language) if language in LANGUAGES else LANGUAGES.index("other")


def _entry_row(scope_id: int, ord_: int, document_pk: int, draft: Draft, language: str) -> tuple[object, ...]:
    return (
        scope_id,
        draft.layer,
        ord_,
        document_pk,
        draft.name,
        _heading_json(draft.heading) if draft.heading else "",
        draft.start,
        draft.end,
        draft.line,
        draft.last_line,
        language,
        _json(dict(draft.metadata)) if draft.metadata else "",
        draft.text,
    )


def _entry(row: Sequence[object]) -> Entry:
    (_, name, layer, document_id, path, title, text, heading, start, end, line, last_line, language, of_document) = row[
        :14
    ]
    own, uri, abstract, labels = row[14:18]
    metadata = json.loads(str(own)) if own else {}
    label, page = metadata.pop(LABEL, None), metadata.pop(PAGE, None)
    # What a document is labelled with for one of its pieces says nothing of the others.
    whole = [one for one in json.loads(str(labels)) if one in _OF_THE_WHOLE]
    return Entry(
        id=f"{document_id}:{name}",
        layer=LAYERS[int(str(layer))],
        document_id=str(document_id),
        path=str(path),
        title=str(title),
        text=str(text),
        heading=tuple(json.loads(str(heading))) if heading else (),
        start=int(str(start)),
        end=int(str(end)),
        line=int(str(line)),
        last_line=int(str(last_line)),
        language=str(language),
        metadata={**json.loads(str(of_document)), **metadata},
        uri=str(uri),
        abstract=str(abstract),
        labels=(*whole, *((label,) if label else ())),
        page=int(page) if page else None,
    )


_OF_THE_WHOLE = frozenset(("encoding", "cut"))


def _info(row: Sequence[object]) -> DocumentInfo:
    *texts, chars, modified_us, added_us, abstract, metadata, labels = row
    document_id, path, title, uri, format_, language = map(str, texts)
    return DocumentInfo(
        document_id=document_id,
        path=path,
        title=title,
        uri=uri,
        format=format_,
        language=language,
        chars=int(str(chars)),
        modified_at=moment(int(str(modified_us)), 0),
        added_at=moment(int(str(added_us)), 0),
        abstract=str(abstract),
        metadata=json.loads(str(metadata)),
        labels=tuple(json.loads(str(labels))),
    )


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_heading_json = lru_cache(maxsize=1024)(_json)


def one_layer(layer: str) -> int:
    """The number of a layer. Raises InputError for one that is none."""
    if layer not in LAYERS:
        raise InputError(f"no layer {layer!r}; the layers are {', '.join(LAYERS)}")
    return LAYERS.index(layer)
