"""The rows of a library inside one transaction: documents, their entries and where these stand in the index."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence

from smartbrain.errors import InputError, StoreError
from smartbrain.model import Scope
from smartbrain.ports import LexicalView, VectorModel, VectorView
from smartbrain.resources.layers import Entry
from smartbrain.resources.library.drafts import LAYERS
from smartbrain.resources.library.records import ENTRY, FROM, INFO, Known, Profile, entry_of, info_of
from smartbrain.stores.index import engine
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.sql.connection import chunks, marks
from smartbrain.stores.sql.rows import SpaceRows
from smartbrain.stores.sql.scoped import checked
from smartbrain.stores.sql.vector_rows import VectorHead, VectorRows
from smartbrain.stores.sqlite.connection import Connection
from smartbrain.stores.vectors import VectorCache

_MANY = 500
"""From so many documents on, all places of a layer are read at once."""


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

    def cut_by(self) -> str:
        """Which way of cutting words the index is of; empty for a new library."""
        row = self._db.one("SELECT value FROM meta WHERE name = 'cut_by'")
        return str(row[0]) if row else ""

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
                f"SELECT {ENTRY} {FROM} WHERE e.scope_id = ? AND e.layer = ? AND e.ord IN ({marks(some)})",
                (scope_id, layer, *some),
            )
            found |= {row[0]: entry_of(row) for row in rows}
        return found

    def entries_of(self, scope_id: int, layer: int, document_pk: int, most: int) -> list[Entry]:
        """The entries of one document in their order."""
        place = self._place(scope_id, layer, document_pk)
        if place is None:
            return []
        rows = self._db.all(
            f"SELECT {ENTRY} {FROM} WHERE e.scope_id = ? AND e.layer = ? AND e.ord >= ? AND e.ord < ?"
            " ORDER BY e.ord LIMIT ?",
            (scope_id, layer, place[0], place[0] + place[1], most),
        )
        return [entry_of(row) for row in rows]

    def places(self, scope_id: int, layer: int) -> list[tuple[int, int, int]]:
        """(document_pk, first ordinal, count) of every document of a layer."""
        rows = self._db.all(
            "SELECT document_pk, first_ord, count FROM places WHERE scope_id = ? AND layer = ?", (scope_id, layer)
        )
        return [(int(pk), int(first), int(count)) for pk, first, count in rows]

    def places_of(self, scope_id: int, layer: int, documents: Collection[int]) -> list[tuple[int, int]]:
        """(first ordinal, count) of these documents in a layer, in no order."""
        if len(documents) > _MANY:
            return [(first, count) for key, first, count in self.places(scope_id, layer) if key in documents]
        found: list[tuple[int, int]] = []
        for some in chunks(documents):
            found += self._db.all(
                "SELECT first_ord, count FROM places WHERE scope_id = ? AND layer = ?"
                f" AND document_pk IN ({marks(some)})",
                (scope_id, layer, *some),
            )
        return found

    def profiles(self, scope_id: int, document_ids: Collection[str] = ()) -> list[Profile]:
        """Every document of a scope, by path; or those of these ids, in no order."""
        if not document_ids:
            rows = self._db.all(
                f"SELECT document_pk, {INFO} FROM documents WHERE scope_id = ? ORDER BY folded, path", (scope_id,)
            )
            return [Profile(int(row[0]), info_of(row[1:])) for row in rows]
        found: list[Profile] = []
        for some in chunks(document_ids):
            rows = self._db.all(
                f"SELECT document_pk, {INFO} FROM documents WHERE scope_id = ? AND document_id IN ({marks(some)})",
                (scope_id, *some),
            )
            found += [Profile(int(row[0]), info_of(row[1:])) for row in rows]
        return found

    def holding(self, scope_id: int, parts: Sequence[str]) -> list[int]:
        """The keys of the documents whose folded path holds a part: by part, then by path, each once."""
        # Answered from the index on folded paths: no document is read.
        statement = "SELECT document_pk FROM documents WHERE scope_id = ? AND instr(folded, ?) > 0 ORDER BY folded"
        hits = [int(row[0]) for part in parts for row in self._db.all(statement, (scope_id, part))]
        return list(dict.fromkeys(hits))

    def at(self, scope_id: int, folded: str) -> list[Profile]:
        """The documents at a path, letter case ignored."""
        rows = self._db.all(
            f"SELECT document_pk, {INFO} FROM documents WHERE scope_id = ? AND folded = ? ORDER BY path",
            (scope_id, folded),
        )
        return [Profile(int(row[0]), info_of(row[1:])) for row in rows]

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


def one_layer(layer: str) -> int:
    """The number of a layer. Raises InputError for one that is none."""
    if layer not in LAYERS:
        raise InputError(f"no layer {layer!r}; the layers are {', '.join(LAYERS)}")
    return LAYERS.index(layer)
