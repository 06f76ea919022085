"""Writing a library: documents put on the shelf, and taken off it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from smartbrain.model import Scope
from smartbrain.ports import VectorModel
from smartbrain.resources.library.building import Built
from smartbrain.resources.library.compacting import Compacting
from smartbrain.resources.library.drafts import LAYERS, entry_terms
from smartbrain.resources.library.placing import Placing
from smartbrain.resources.library.records import entry_row, to_json
from smartbrain.stores.index import engine
from smartbrain.stores.sql.scoped import checked

_PUT_DOCUMENT = (
    "INSERT INTO documents (scope_id, document_id, path, folded, root, uri, title, abstract, format, language, digest,"
    " modified_us, added_us, chars, metadata, labels, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_PUT_ENTRY = (
    "INSERT INTO entries (scope_id, layer, ord, document_pk, name, heading, start, end, line, last_line, language,"
    " metadata, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


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


class ShelfWriter(Compacting):
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
        head = rows.add(rows.head(model) or rows.new_head(), docs, [ord_ for ord_, _, _ in docs])
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
            to_json(dict(built.parsed.metadata)),
            to_json(list(built.labels)),
            zlib.compress(built.parsed.text.encode(), 1),
        )
        return int(self._db.run(_PUT_DOCUMENT, row).lastrowid or 0)

    def _put_layer(self, scope_id: int, layer: int, documents: Sequence[tuple[int, Incoming]]) -> None:
        rows = self._rows(scope_id, layer)
        first = rows.head().n_docs
        placing = Placing(layer, first, self._next_segment(scope_id) if layer == 0 else first)
        entries = []
        places = []
        vectors: dict[VectorModel, list[tuple[int, str, bytes]]] = {}
        for key, document in documents:
            begin = placing.next
            blocks = document.vectors or [b""] * len(document.terms)
            for draft, terms, block in zip(document.built.drafts, document.terms, blocks, strict=True):
                if draft.layer == layer:
                    language = draft.language or document.built.language
                    entries.append(entry_row(scope_id, placing.next, key, draft, language))
                    if document.model is not None:
                        vectors.setdefault(document.model, []).append((placing.next, language, block))
                    placing.add(len(draft.text), terms, document.modified_us, language)
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
