"""Looking for a text in every row of some scopes, so that it can be proved to be forgotten."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from smartbrain.model import Scope
from smartbrain.stores.index.engine import lookup
from smartbrain.stores.sql.rows import SPACES, SqlRows
from smartbrain.stores.sql.scoped import Scoped
from smartbrain.text.clean import searchable

_TEXTS = {
    "turns": "turn_id, payload",
    "messages": "payload",
    "speakers": "name",
    "open_turns": "session_id, turn_id",
    "staged": "key, payload",
    "sessions": "session_id",
    "items": "id, key, payload",
    "item_sources": "session_id, turn_id, message_id, payload",
    "item_states": "payload",
    "verdicts": "session_id, turn_id, payload",
    "mentions": "key, surface",
    "summaries": "session_id, payload",
    "contexts": "session_id, payload",
}


class Tracing(Scoped):
    """The part of ``Reader`` that looks everywhere."""

    def traces(self, scopes: Sequence[Scope], text: str) -> dict[str, int]:
        """See ``Reader.traces``."""
        known = self._known(scopes)
        wanted = searchable(text)
        found: Counter[str] = Counter()
        for scope_id, _ in known:
            for table, columns in _TEXTS.items():
                rows = self._db.all(f"SELECT {columns} FROM {table} WHERE scope_id = ?", (scope_id,))
                found[table] += sum(
                    any(wanted in searchable(part) for value in row for part in _parts(value)) for row in rows
                )
            found["index"] += self._in_index(scope_id, text)
        found["contexts"] += self._in_other_contexts(known, wanted)
        return {table: count for table, count in found.items() if count}

    def _in_index(self, scope_id: int, text: str) -> int:
        from smartbrain.text.terms import term_counts

        terms = list(term_counts(text))
        if len(terms) != 1:
            return 0
        views = (lookup(SqlRows(self._db, scope_id, kind), terms) for kind in SPACES)
        return sum(len(view.postings[terms[0]].ords) for view in views)

    def _in_other_contexts(self, known: Sequence[tuple[int, Scope]], wanted: str) -> int:
        """Contexts of the domain's other scopes that were composed from these."""
        here, scopes = {scope_id for scope_id, _ in known}, {tuple(scope) for _, scope in known}
        count = 0
        for domain in {scope.domain for _, scope in known}:
            for scope_id, payload in self._db.all("SELECT scope_id, payload FROM contexts WHERE domain = ?", (domain,)):
                if scope_id not in here and _holds(payload, wanted):
                    read = {tuple(scope) for scope in json.loads(payload)["request"].get("read", ())}
                    count += bool(read & scopes)
        return count


def _holds(value: Any, wanted: str) -> bool:
    return any(wanted in searchable(part) for part in _parts(value))


def _parts(value: Any) -> Iterator[str]:
    """The texts in a column: of JSON every key and every text, else itself."""
    if not isinstance(value, str):
        return
    if not value.startswith(("{", "[")):
        yield value
        return
    try:
        yield from _leaves(json.loads(value))
    except ValueError:
        yield value


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None:
        yield str(value)
