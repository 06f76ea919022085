"""What is derived from forgotten turns: sources, items, verdicts, summaries and stored contexts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from smartbrain.model import MemoryItem, Scope, Source
from smartbrain.ports import Doomed, Forgotten
from smartbrain.stores.index import engine
from smartbrain.stores.indexing import item_terms
from smartbrain.stores.sql.connection import Row, chunks, marks
from smartbrain.stores.sql.memory_writer import MemoryWriter
from smartbrain.stores.sql.rows import SqlRows
from smartbrain.stores.sql.values import ITEM, micros, pack_json, seen_by

_NEVER = 1 << 62


@dataclass
class Gone:
    """What one call took out so far."""

    counts: Counter[str]
    turns: dict[tuple[str, str], None] = field(default_factory=dict)
    messages: set[tuple[str, str, str]] = field(default_factory=set)
    sessions: set[tuple[int, str]] = field(default_factory=set)
    first_seq: dict[tuple[int, str], int] = field(default_factory=dict)
    since: int = _NEVER
    items: dict[str, MemoryItem] = field(default_factory=dict)
    changed: dict[str, MemoryItem] = field(default_factory=dict)
    related: dict[tuple[str, str], None] = field(default_factory=dict)
    summaries: dict[tuple[Scope, str], None] = field(default_factory=dict)

    def count(self, table: str, rows: int) -> None:
        """So many more rows of a table went."""
        self.counts[table] += rows

    def turn(self, scope_id: int, session_id: str, turn_id: str, seq: int, recorded: int) -> None:
        """A turn went."""
        self.turns[session_id, turn_id] = None
        self._from(scope_id, session_id, seq, recorded)

    def message(self, scope_id: int, session_id: str, turn_id: str, message_id: str, seq: int, recorded: int) -> None:
        """A message of a turn that stays went."""
        self.messages.add((session_id, turn_id, message_id))
        self._from(scope_id, session_id, seq, recorded)

    def _from(self, scope_id: int, session_id: str, seq: int, recorded: int) -> None:
        place = (scope_id, session_id)
        self.sessions.add(place)
        self.first_seq[place] = min(seq, self.first_seq.get(place, seq))
        self.since = min(self.since, recorded)

    def rests_on(self, session_id: str, turn_id: str, message_id: str | None) -> bool:
        """Whether something that was said there was said in what went."""
        return (session_id, turn_id) in self.turns or (session_id, turn_id, message_id) in self.messages

    def told(self) -> Forgotten:
        """All of it as a value."""
        return Forgotten(
            counts=dict(self.counts),
            turns=tuple(self.turns),
            items=tuple(self.items.values()),
            changed=tuple(item for item in self.changed.values() if item.id not in self.items),
            related=tuple(turn for turn in self.related if turn not in self.turns),
            summaries=tuple(self.summaries),
        )


class ForgottenMemory(MemoryWriter):
    """The part of forgetting that is about memory."""

    def _delete(self, table: str, scope_id: int, column: str, values: Iterable[Any]) -> int:
        return sum(
            self._db.run(
                f"DELETE FROM {table} WHERE scope_id = ? AND {column} IN ({marks(part)})", (scope_id, *part)
            ).rowcount
            for part in chunks(values)
        )

    def _forget_memory(self, known: Collection[tuple[int, Scope]], doomed: Doomed, gone: Gone) -> None:
        for scope_id, _ in known:
            self._forget_verdicts(scope_id, known, gone)
        for scope_id, scope in known:
            self._forget_sources(scope_id, scope, doomed, gone)
        ids = {*gone.items, *gone.changed}
        for scope_id, _ in known:
            self._relate(scope_id, ids, gone)
        for scope_id, scope in known:
            self._forget_summaries(scope_id, scope, doomed, ids, gone)

    def _forget_verdicts(self, scope_id: int, known: Collection[tuple[int, Scope]], gone: Gone) -> None:
        named: set[str] = set()
        for pk, item_id, session_id, turn_id, payload in self._verdicts_of(scope_id, gone):
            if gone.rests_on(session_id, turn_id, json.loads(payload).get("message_id")):
                gone.count("verdicts", self._delete("verdicts", scope_id, "verdict_pk", [pk]))
                named |= {item_id} if item_id else set()
        for item in self.items([each for _, each in known], ids=named, status=None):
            gone.changed[item.id] = item

    def _verdicts_of(self, scope_id: int, gone: Gone) -> list[Row]:
        turns = {turn for _, turn in gone.turns} | {turn for _, turn, _ in gone.messages}
        return [
            row
            for part in chunks(turns)
            for row in self._db.all(
                "SELECT verdict_pk, item_id, session_id, turn_id, payload FROM verdicts WHERE scope_id = ?"
                f" AND turn_id IN ({marks(part)})",
                (scope_id, *part),
            )
        ]

    def _forget_sources(self, scope_id: int, scope: Scope, doomed: Doomed, gone: Gone) -> None:
        turns = {turn for _, turn in gone.turns} | {turn for _, turn, _ in gone.messages}
        touched: set[int] = set()
        for part in chunks(turns):
            for pk, item_pk, session_id, turn_id, message_id in self._db.all(
                "SELECT source_pk, item_pk, session_id, turn_id, message_id FROM item_sources WHERE scope_id = ?"
                f" AND turn_id IN ({marks(part)})",
                (scope_id, *part),
            ):
                if gone.rests_on(session_id, turn_id, message_id):
                    gone.count("item_sources", self._delete("item_sources", scope_id, "source_pk", [pk]))
                    touched.add(item_pk)
        for item in self._chosen_items(scope_id, scope, doomed, touched):
            named = doomed.everything or item[1].id in doomed.items
            self._forget_item(scope_id, *item, gone) if named or not item[1].sources else self._move(
                scope_id, item[0], item[1], gone
            )

    def _chosen_items(
        self, scope_id: int, scope: Scope, doomed: Doomed, touched: Collection[int]
    ) -> list[tuple[Row, MemoryItem]]:
        """The items that are named, or lost a source, with the sources they have left."""
        find = f"SELECT {ITEM} FROM items WHERE scope_id = ?"
        if doomed.everything:
            rows = self._db.all(find, (scope_id,))
        else:
            rows = [
                row
                for column, values in (("id", doomed.items), ("item_pk", touched))
                for part in chunks(values)
                for row in self._db.all(f"{find} AND {column} IN ({marks(part)})", (scope_id, *part))
            ]
        rows = sorted({row[0]: row for row in rows}.values(), key=lambda row: row[0])
        items = self._with_sources([(scope_id, scope, row) for row in rows])
        return list(zip(rows, items, strict=True))

    def _forget_item(self, scope_id: int, row: Row, item: MemoryItem, gone: Gone) -> None:
        self._forget_states(scope_id, row, gone)
        engine.remove(SqlRows(self._db, scope_id, "memory"), {row[1]: list(item_terms(item))}, blank=True)
        self._forget_vectors(scope_id, "memory", [row[1]])
        gone.count("item_sources", self._delete("item_sources", scope_id, "item_pk", [row[0]]))
        gone.count("items", self._delete("items", scope_id, "item_pk", [row[0]]))
        gone.items[item.id] = item

    def _forget_states(self, scope_id: int, row: Row, gone: Gone) -> None:
        """How an item stood before may tell what went."""
        states = self._db.all("SELECT ord FROM item_states WHERE scope_id = ? AND item_pk = ?", (scope_id, row[0]))
        blank: dict[int, list[str]] = {ord_: [] for (ord_,) in states if ord_ != row[1]}
        engine.remove(SqlRows(self._db, scope_id, "memory"), blank, blank=True)
        gone.count("item_states", self._delete("item_states", scope_id, "item_pk", [row[0]]))

    def _move(self, scope_id: int, row: Row, item: MemoryItem, gone: Gone) -> None:
        """The item rests on the sources it has left."""
        self._forget_states(scope_id, row, gone)
        first = item.sources[0]
        moved = item.model_copy(
            update={
                "source_session_id": first.session_id,
                "source_turn_id": first.turn_id,
                "source_message_id": first.message_id,
                "source_span": first.span,
                **seen_by(item.sources),
            }
        )
        moved = moved if _origin(item) == _origin(moved) else moved.model_copy(update=_times(first, item))
        self._update_item(scope_id, row[0], moved)
        gone.changed[item.id] = moved

    def _relate(self, scope_id: int, ids: Collection[str], gone: Gone) -> None:
        """Who else decided about these items; what was decided about items that are no more goes."""
        for part in chunks(ids):
            for pk, item_id, session_id, turn_id in self._db.all(
                f"SELECT verdict_pk, item_id, session_id, turn_id FROM verdicts WHERE scope_id = ?"
                f" AND item_id IN ({marks(part)}) ORDER BY verdict_pk",
                (scope_id, *part),
            ):
                gone.related[session_id, turn_id] = None
                if item_id in gone.items:
                    gone.count("verdicts", self._delete("verdicts", scope_id, "verdict_pk", [pk]))
        self._forget_operations(scope_id, gone)

    def _forget_operations(self, scope_id: int, gone: Gone) -> None:
        """What an undo did to items that are no more; it stays for the others it did something to."""
        for part in chunks({turn for _, turn in gone.related}):
            for pk, payload in self._db.all(
                f"SELECT turn_pk, payload FROM turns WHERE scope_id = ? AND turn_id IN ({marks(part)})",
                (scope_id, *part),
            ):
                told = json.loads(payload)
                meta = told.get("meta") or {}
                left = [op for op in meta.get("operations", ()) if op["item_id"] not in gone.items]
                if "undoes" in meta and left and len(left) < len(meta["operations"]):
                    told["meta"] = {**meta, "operations": left}
                    self._db.run(
                        "UPDATE turns SET payload = ? WHERE scope_id = ? AND turn_pk = ?",
                        (pack_json(told), scope_id, pk),
                    )

    def _forget_summaries(self, scope_id: int, scope: Scope, doomed: Doomed, ids: set[str], gone: Gone) -> None:
        """Those that rest on what went, and the later ones of their session, which rest on them."""
        first: dict[str, int] = {}
        for session_id, version, generated, payload in self._db.all(
            "SELECT session_id, version, generated_us, payload FROM summaries WHERE scope_id = ? ORDER BY version",
            (scope_id,),
        ):
            told = json.loads(payload)
            seq = gone.first_seq.get((scope_id, session_id), _NEVER)
            late = (scope_id, session_id) in gone.first_seq and generated >= gone.since
            whole = doomed.everything or session_id in doomed.sessions
            if whole or late or told["turn_to"] >= seq or ids & set(told.get("item_ids", ())):
                first.setdefault(session_id, version)
        for session_id, version in first.items():
            dropped = self._db.run(
                "DELETE FROM summaries WHERE scope_id = ? AND session_id = ? AND version >= ?",
                (scope_id, session_id, version),
            ).rowcount
            gone.count("summaries", dropped)
            gone.summaries[scope, session_id] = None

    def _forget_contexts(self, known: Collection[tuple[int, Scope]], doomed: Doomed, gone: Gone) -> None:
        """Contexts of any scope of the domain that read these scopes, and may show what went."""
        here = {scope_id for scope_id, _ in known}
        scopes = {tuple(scope) for _, scope in known}
        sessions = {name for _, name in gone.sessions} | doomed.sessions
        for domain in {scope.domain for _, scope in known}:
            # Beyond the scope, as a context stands in the scope that its call would have written to.
            for pk, scope_id, session_id, created, payload in self._db.all(
                "SELECT context_pk, scope_id, session_id, created_us, payload FROM contexts WHERE domain = ?", (domain,)
            ):
                read = {tuple(scope) for scope in json.loads(payload)["request"].get("read", ())}
                if (scope_id in here or read & scopes) and (
                    doomed.everything or session_id in sessions or created >= gone.since
                ):
                    dropped = self._db.run("DELETE FROM contexts WHERE domain = ? AND context_pk = ?", (domain, pk))
                    gone.count("contexts", dropped.rowcount)


def _origin(item: MemoryItem) -> tuple[str, str, str | None]:
    return item.source_session_id, item.source_turn_id, item.source_message_id


def _times(first: Source, item: MemoryItem) -> dict[str, Any]:
    """An item was said when its first source says so; it cannot have ended before."""
    at = first.occurred_at
    ended = item.valid_to if item.valid_to is None or micros(item.valid_to) >= micros(at) else at
    return {"occurred_at": at, "valid_from": at, "valid_to": ended}
