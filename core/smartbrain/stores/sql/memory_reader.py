"""Reading what was made of the turns: items, verdicts, mentions, summaries, and stored contexts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

from smartbrain.model import ItemStatus, MemoryItem, Scope, Summary, Verdict
from smartbrain.ports import ContextRecord, MentionHit
from smartbrain.stores.sql.connection import Row, chunks, marks
from smartbrain.stores.sql.past import PastReader
from smartbrain.stores.sql.scoped import Filter
from smartbrain.stores.sql.values import ITEM, SOURCE, item_from, micros, moment, source_from

_MENTIONS = (
    "SELECT m.occurred_us, m.mention_pk, m.key, m.surface, m.message_id, m.message_index, t.first_ord, t.turn_id,"
    " s.session_id, t.occurred_offset FROM mentions m"
    " JOIN turns t ON t.turn_pk = m.turn_pk AND t.scope_id = m.scope_id"
    " JOIN sessions s ON s.scope_id = t.scope_id AND s.session_pk = t.session_pk"
    " WHERE m.scope_id = ? AND m.key = ?"
)
_VERSIONS = (
    f"SELECT {', '.join(f'd.{column}' for column in ITEM.split(', '))} FROM (VALUES {{}}) AS slots CROSS JOIN items d"
    " WHERE d.scope_id = ? AND d.type = slots.column1 AND d.key = slots.column2 AND EXISTS (SELECT 1 FROM items o"
    " WHERE o.scope_id = d.scope_id AND o.type = d.type AND o.key = d.key AND o.item_pk <> d.item_pk)"
    " ORDER BY d.occurred_us, d.recorded_us, d.item_pk"
)


class MemoryReader(PastReader):
    """The part of ``Reader`` that answers from derived memory."""

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
        keys = None if key is None else {key} if isinstance(key, str) else set(key)
        chosen = _items_filter(type, keys, status, as_of)
        found = []
        for scope_id, scope in self._known(scopes):
            states = {} if as_of is None else self._states(scope_id, micros(as_of))
            most = -1 if limit is None else max(limit, 0) + len(states)
            rows = [row for row in self._item_rows(scope_id, ids, chosen, most) if row[0] not in states]
            if as_of is not None and states:
                stood = [state.row for state in states.values()]
                rows += [row for row in stood if _stood(row, ids, type, keys, status, micros(as_of))]
            found += [((row[6], row[8], row[0]), scope_id, scope, row) for row in rows]
        found.sort(key=lambda entry: entry[0])
        kept = found if limit is None else found[len(found) - min(max(limit, 0), len(found)) :]
        return self._with_sources([(scope_id, scope, row) for _, scope_id, scope, row in kept], as_of, shared=shared)

    def versions(
        self, scope: Scope, slots: Collection[tuple[str, str]], as_of: datetime | None = None
    ) -> list[MemoryItem]:
        if as_of is not None:  # what an item was then does not stand in the table of items alone
            kinds: dict[str, list[str]] = {}
            for kind, key in slots:
                kinds.setdefault(kind, []).append(key)
            return [
                item
                for kind, keys in kinds.items()
                for item in self.items([scope], type=kind, key=keys, as_of=as_of, status=None)
            ]
        rows = [
            (scope_id, known, row)
            for scope_id, known in self._known([scope])
            for part in chunks(dict.fromkeys(slots))
            for row in self._db.all(
                _VERSIONS.format(", ".join(["(?, ?)"] * len(part))),
                (*(name for slot in part for name in slot), scope_id),
            )
        ]
        return self._with_sources(rows, shared=True)

    def _item_rows(self, scope_id: int, ids: Collection[str] | None, chosen: Filter, most: int) -> list[Row]:
        """The newest ``most`` rows of one scope (-1: all), of each part of the ids."""
        parts: list[list[str] | None] = [None] if ids is None else list(chunks(dict.fromkeys(ids)))
        rows: list[Row] = []
        for part in parts:
            named = f" AND id IN ({marks(part)})" if part is not None else ""
            rows += self._db.all(
                f"SELECT {ITEM} FROM items WHERE scope_id = ?{named}{chosen.sql}"
                " ORDER BY occurred_us DESC, recorded_us DESC, item_pk DESC LIMIT ?",
                (scope_id, *(part or ()), *chosen.params, most),
            )
        return rows

    def _with_sources(
        self, rows: Sequence[tuple[int, Scope, Row]], as_of: datetime | None = None, *, shared: bool = False
    ) -> list[MemoryItem]:
        by_scope: dict[int, list[int]] = {}
        for scope_id, _, row in rows:
            by_scope.setdefault(scope_id, []).append(row[0])
        sources: dict[int, list[Row]] = {}
        for scope_id, item_pks in by_scope.items():
            for part in chunks(item_pks):
                for row in self._db.all(
                    f"SELECT {SOURCE} FROM item_sources WHERE scope_id = ? AND item_pk IN ({marks(part)})"
                    " ORDER BY source_pk",
                    (scope_id, *part),
                ):
                    sources.setdefault(row[0], []).append(row)
        then = None if as_of is None else micros(as_of)
        return [self._kept_item(row, scope, tuple(sources.get(row[0], ())), then, shared) for _, scope, row in rows]

    def _kept_item(
        self, row: Row, scope: Scope, sources: tuple[Row, ...], then: int | None, shared: bool
    ) -> MemoryItem:
        def make() -> MemoryItem:
            return item_from(row, scope, map(source_from, sources), then)

        if then is not None:  # each moment asked for would have items of its own
            return make()
        size = len(row[-1]) + sum(len(said[-1]) for said in sources)
        return self._item_cache.of((row, scope, sources), size, make, shared=shared)

    def item_docs(self, scope: Scope, ords: Collection[int], as_of: datetime | None = None) -> dict[int, MemoryItem]:
        rows = []
        for scope_id, known in self._known([scope]):
            states = {} if as_of is None else self._states(scope_id, micros(as_of))
            wanted = set(map(int, ords))
            rows += [(scope_id, known, state.row) for state in states.values() if state.row[1] in wanted]
            rows += [
                (scope_id, known, row)
                for part in chunks(sorted(wanted))
                for row in self._db.all(
                    f"SELECT {ITEM} FROM items WHERE scope_id = ? AND ord IN ({marks(part)})", (scope_id, *part)
                )
                if row[0] not in states
            ]
        return {
            row[1]: item for (_, _, row), item in zip(rows, self._with_sources(rows, as_of, shared=True), strict=True)
        }

    def item_ords(self, scope: Scope, ids: Collection[str]) -> dict[str, int]:
        return {
            item_id: ordinal
            for scope_id, _ in self._known([scope])
            for part in chunks(dict.fromkeys(ids))
            for item_id, ordinal in self._db.all(
                f"SELECT id, ord FROM items WHERE scope_id = ? AND id IN ({marks(part)})", (scope_id, *part)
            )
        }

    def verdicts(self, scopes: Sequence[Scope], item_id: str) -> list[Verdict]:
        return self._verdicts(scopes, "item_id = ?", item_id)

    def turn_verdicts(self, scopes: Sequence[Scope], session_id: str, turn_id: str) -> list[Verdict]:
        return self._verdicts(scopes, "session_id = ? AND turn_id = ?", session_id, turn_id)

    def _verdicts(self, scopes: Sequence[Scope], where: str, *wanted: str) -> list[Verdict]:
        found = [
            row
            for scope_id, _ in self._known(scopes)
            for row in self._db.all(
                f"SELECT recorded_us, verdict_pk, payload FROM verdicts WHERE scope_id = ? AND {where}",
                (scope_id, *wanted),
            )
        ]
        found.sort(key=lambda row: row[:2])
        return [Verdict.model_validate(json.loads(payload)) for _, _, payload in found]

    def mentions(
        self, scopes: Sequence[Scope], keys: Collection[str], *, as_of: datetime | None = None, limit: int = 200
    ) -> list[MentionHit]:
        chosen = Filter()
        chosen.current(as_of)
        found = [
            (row, scope)
            for scope_id, scope in self._known(scopes)
            for key in dict.fromkeys(keys)
            for row in self._db.all(
                f"{_MENTIONS}{chosen.sql} ORDER BY m.occurred_us DESC, m.mention_pk DESC LIMIT ?",
                (scope_id, key, *chosen.params, max(limit, 0)),
            )
        ]
        found.sort(key=lambda entry: entry[0][:2], reverse=True)
        return [_mention_hit(row, scope) for row, scope in found[: max(limit, 0)]]

    def mention_turns(
        self, scopes: Sequence[Scope], session_id: str, keys: Collection[str], last_turns: int
    ) -> dict[str, int]:
        counts: Counter[str] = Counter()
        wanted = list(dict.fromkeys(keys))
        for scope_id, turn_pks in self._newest_turns(scopes, session_id, last_turns).items():
            for turns in chunks(turn_pks):
                for part in chunks(wanted):
                    for key, count in self._db.all(
                        "SELECT key, count(DISTINCT turn_pk) FROM mentions WHERE scope_id = ?"
                        f" AND turn_pk IN ({marks(turns)}) AND key IN ({marks(part)}) GROUP BY key",
                        (scope_id, *turns, *part),
                    ):
                        counts[key] += count
        return {key: counts[key] for key in wanted}

    def _newest_turns(self, scopes: Sequence[Scope], session_id: str, last_turns: int) -> dict[int, list[int]]:
        """The newest turns of a session, by scope."""
        wanted = max(last_turns, 0)
        found = [
            (*row, scope_id)
            for scope_id, _ in self._known(scopes)
            for row in self._db.all(
                "SELECT occurred_us, seq, turn_pk FROM turns WHERE scope_id = ? AND session_pk = ?"
                " AND superseded_us IS NULL AND status <> 'open' ORDER BY occurred_us DESC, seq DESC LIMIT ?",
                (scope_id, self._session_pk(scope_id, session_id), wanted),
            )
        ]
        by_scope: dict[int, list[int]] = {}
        for _, _, turn_pk, scope_id in sorted(found, reverse=True)[:wanted]:
            by_scope.setdefault(scope_id, []).append(turn_pk)
        return by_scope

    def summary(self, scopes: Sequence[Scope], session_id: str, *, as_of: datetime | None = None) -> Summary | None:
        chosen = Filter()
        if as_of is not None:
            chosen.add("generated_us <= ?", micros(as_of))
        found = []
        for scope_id, scope in self._known(scopes):
            row = self._db.one(
                "SELECT generated_us, version, payload FROM summaries WHERE scope_id = ? AND session_id = ?"
                f"{chosen.sql} ORDER BY version DESC LIMIT 1",
                (scope_id, session_id, *chosen.params),
            )
            if row:
                found.append((row, scope))
        if not found:
            return None
        (_, _, payload), scope = max(found, key=lambda entry: entry[0][:2])
        return Summary.model_validate({**json.loads(payload), "scope": scope})

    def context(self, scopes: Sequence[Scope], context_id: str) -> ContextRecord | None:
        for scope_id, scope in self._known(scopes):
            row = self._db.one(
                "SELECT session_id, created_us, created_offset, payload FROM contexts"
                " WHERE scope_id = ? AND context_id = ?",
                (scope_id, context_id),
            )
            if row:
                parts = json.loads(row[3])
                created_at = moment(row[1], row[2])
                return ContextRecord(
                    context_id, row[0], scope, created_at, parts["request"], parts["plan"], parts["package"]
                )
        return None


def _items_filter(
    type: str | None, keys: Collection[str] | None, status: ItemStatus | None, as_of: datetime | None
) -> Filter:
    chosen = Filter()
    if type is not None:
        chosen.add("type = ?", type)
    if keys is not None and not keys:
        chosen.add("key IS NULL")  # of none; an empty list is no SQL everywhere
    elif keys is not None:
        chosen.add(f"key IN ({marks(sorted(keys))})", *sorted(keys))
    if as_of is not None:
        chosen.add("occurred_us <= ?", micros(as_of))
    if status is not None and as_of is None:
        chosen.add("status = ?", status)
    elif status == "active" and as_of is not None:
        chosen.add("(closed_from_us IS NULL OR closed_from_us > ?)", micros(as_of))
    elif status is not None and as_of is not None:
        chosen.add("status = ? AND closed_from_us <= ?", status, micros(as_of))
    return chosen


def _stood(
    row: Row,
    ids: Collection[str] | None,
    type: str | None,
    keys: Collection[str] | None,
    status: ItemStatus | None,
    then: int,
) -> bool:
    """Whether the state that an item had then is among those that are asked for."""
    named = (ids is None or row[2] in ids) and type in (None, row[3]) and (keys is None or row[4] in keys)
    if not named:
        return False
    held = "active" if row[10] is None or row[10] > then else row[5]
    return bool(row[6] <= then) and status in (None, held)


def _mention_hit(row: Row, scope: Scope) -> MentionHit:
    occurred_us, _, key, surface, message_id, index, first_ord, turn_id, session_id, offset = row
    return MentionHit(
        key=key,
        surface=surface,
        session_id=session_id,
        turn_id=turn_id,
        message_id=message_id,
        ord=None if index is None else first_ord + index,
        scope=scope,
        occurred_at=moment(occurred_us, offset),
    )
