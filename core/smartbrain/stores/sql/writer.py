"""The write transaction of a store, as ``smartbrain.ports.Writer`` describes it."""

from __future__ import annotations

from smartbrain.model import Scope
from smartbrain.stores.sql.forgetting import Forgetting
from smartbrain.stores.sql.reader import SqlReader
from smartbrain.stores.sql.reindexing import Reindexing
from smartbrain.stores.sql.restoring import Restoring
from smartbrain.stores.sql.rows import SqlRows


class SqlWriter(Reindexing, Forgetting, Restoring, SqlReader):
    """Each of its methods happens as a whole or not at all, and so does the transaction."""

    def clear_derived(self, scope: Scope) -> None:
        with self._step():
            scope_id = self._made_scope(scope)
            for table in ("item_sources", "item_states", "items", "verdicts", "mentions", "summaries"):
                self._db.run(f"DELETE FROM {table} WHERE scope_id = ?", (scope_id,))
            SqlRows(self._db, scope_id, "memory").clear()
            self._clear_all_vectors(scope_id, "memory")
