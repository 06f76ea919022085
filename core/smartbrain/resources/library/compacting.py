"""Making a library's index anew, without the places of what was taken out."""

from __future__ import annotations

import json
import secrets

from smartbrain.resources.library.drafts import BUILDER_ID, LAYERS, entry_terms
from smartbrain.resources.library.placing import Placing
from smartbrain.resources.library.shelf import Shelf
from smartbrain.stores.index import engine
from smartbrain.text.terms import ANALYZER_ID

_BATCH = 1024
_WORTH_IT = 4_000
CUT_BY = f"{ANALYZER_ID} {BUILDER_ID}"
"""Names the way words of entries are cut; an index that was cut otherwise is made anew."""

_ENTRIES = (
    "SELECT e.ord, e.document_pk, e.heading, e.text, e.language, d.modified_us FROM entries e JOIN documents d"
    " ON d.document_pk = e.document_pk AND d.scope_id = e.scope_id"
    " WHERE e.scope_id = ? AND e.layer = ? AND e.ord >= ? ORDER BY e.ord LIMIT ?"
)


class Compacting(Shelf):
    """The part of the writer that makes indexes anew."""

    def follow_cutting(self) -> None:
        """Makes every index anew if it was cut otherwise than words are cut now."""
        if self.cut_by() == CUT_BY:  # another process may have done it meanwhile
            return
        for (scope_id,) in self._db.all("SELECT scope_id FROM scopes"):
            self.compact(scope_id)
        self._db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('cut_by', ?)", (CUT_BY,))

    def compact_if_worth_it(self, scope_id: int) -> bool:
        """Makes the scope's index anew if more of its places are dead than alive; whether it did."""
        for layer in range(len(LAYERS)):
            dead = self._rows(scope_id, layer).head().n_docs - self.count(scope_id, layer)
            if dead > max(_WORTH_IT, self.count(scope_id, layer)):
                self.compact(scope_id)
                return True
        return False

    def compact(self, scope_id: int) -> None:
        """Cuts and indexes every entry of a scope anew, with ordinals that have no gaps."""
        self._db.run("UPDATE scopes SET generation = generation + 1, next_segment = 0 WHERE scope_id = ?", (scope_id,))
        for layer in range(len(LAYERS)):
            self._close_gaps(scope_id, layer)
            self._index_layer(scope_id, layer)

    def _close_gaps(self, scope_id: int, layer: int) -> None:
        next_ = 0
        for document_pk, first, count in sorted(self.places(scope_id, layer), key=lambda place: place[1]):
            if first != next_:
                self._move(scope_id, layer, document_pk, (first, count), next_)
            next_ += count
        # Negative on the way: no two rows may have one ordinal, not even for a moment.
        for table, space in (("entries", "layer"), ("vectors", "space")):
            self._db.run(
                f"UPDATE {table} SET ord = -1 - ord WHERE scope_id = ? AND {space} = ? AND ord < 0", (scope_id, layer)
            )
        self._db.run(
            "UPDATE vector_spaces SET epoch = ?, done_to = 0 WHERE scope_id = ? AND space = ?",
            (secrets.randbits(62) + 1, scope_id, layer),
        )

    def _move(self, scope_id: int, layer: int, document_pk: int, place: tuple[int, int], to: int) -> None:
        first, count = place
        for table, space in (("entries", "layer"), ("vectors", "space")):
            self._db.run(
                f"UPDATE {table} SET ord = -1 - (ord - ?) WHERE scope_id = ? AND {space} = ? AND ord >= ? AND ord < ?",
                (first - to, scope_id, layer, first, first + count),
            )
        self._db.run(
            "UPDATE places SET first_ord = ? WHERE scope_id = ? AND layer = ? AND document_pk = ?",
            (to, scope_id, layer, document_pk),
        )

    def _index_layer(self, scope_id: int, layer: int) -> None:
        rows = self._rows(scope_id, layer)
        rows.clear()
        placing = Placing(layer, 0, 0)
        of = None
        while batch := self._db.all(_ENTRIES, (scope_id, layer, placing.next, _BATCH)):
            for _, document_pk, heading, text, language, modified_us in batch:
                if of not in (None, document_pk):
                    placing.end_document()
                of = document_pk
                terms = entry_terms(tuple(json.loads(heading or "[]")), text)
                placing.add(len(text), terms, modified_us, language)
            engine.add(rows, placing.docs)
            placing.docs.clear()
        placing.end_document()
        if layer == 0:
            self._db.run("UPDATE scopes SET next_segment = ? WHERE scope_id = ?", (placing.segment, scope_id))
