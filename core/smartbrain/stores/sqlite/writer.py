"""The write transaction of a SQLite store, as ``smartbrain.ports.Writer`` describes it."""

from __future__ import annotations

from smartbrain.model import Scope
from smartbrain.stores.sqlite.forgetting import Forgetting
from smartbrain.stores.sqlite.reader import SqliteReader
from smartbrain.stores.sqlite.reindexing import Reindexing
from smartbrain.stores.sqlite.rows import SqliteRows


class SqliteWriter(Reindexing, Forgetting, SqliteReader):
    """Each of its methods happens as a whole or not at all, and so does the transaction."""

    def clear_derived(self, scope: Scope) -> None:
        with self._step():
            scope_id = self._made_scope(scope)
            for table in ("item_sources", "items", "verdicts", "mentions", "summaries"):
                self._db.run(f"DELETE FROM {table} WHERE scope_id = ?", (scope_id,))
            SqliteRows(self._db, scope_id, "memory").clear()
            self._clear_all_vectors(scope_id, "memory")
