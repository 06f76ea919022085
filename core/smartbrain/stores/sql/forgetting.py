"""Taking out what is to be forgotten, with every row that was made of it; ``forgotten_memory`` sees to what is derived.

A mark in ``meta`` stays until the store has been scrubbed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from smartbrain.model import Scope, content_hash
from smartbrain.ports import Doomed, Forgotten
from smartbrain.stores.index import engine
from smartbrain.stores.indexing import message_terms
from smartbrain.stores.sql.connection import Row
from smartbrain.stores.sql.events_writer import EventsWriter
from smartbrain.stores.sql.forgotten_memory import ForgottenMemory, Gone
from smartbrain.stores.sql.rows import SqlRows
from smartbrain.stores.sql.values import TURN, message_from, micros, turn_from, turn_payload

TABLES = (
    "turns",
    "messages",
    "open_turns",
    "staged",
    "speakers",
    "sessions",
    "mentions",
    "items",
    "item_sources",
    "item_states",
    "verdicts",
    "summaries",
    "contexts",
    "vectors",
)
"""What a receipt counts; the index has no rows of its own for a document."""

ERASURES = "erasures"
SCRUB_DUE = "scrub_due"
_TURNS = (
    f"SELECT {TURN}, t.session_pk FROM turns t JOIN sessions s ON s.scope_id = t.scope_id"
    " AND s.session_pk = t.session_pk WHERE t.scope_id = ?"
)
_COUNT_UP = (
    "INSERT INTO meta (name, value) VALUES (?, '1') ON CONFLICT (name) DO UPDATE"
    " SET value = CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT)"
)


class _Turn(NamedTuple):
    """One revision on its way out."""

    pk: int
    session: str
    id: str
    seq: int
    recorded: int
    messages: Mapping[int, str]
    current: bool


class Forgetting(EventsWriter, ForgottenMemory):
    """The part of ``Writer`` that forgets."""

    def erasures(self) -> int:
        row = self._db.one("SELECT value FROM meta WHERE name = ?", (ERASURES,))
        return int(row[0]) if row else 0

    def forget(self, scopes: Sequence[Scope], doomed: Doomed) -> Forgotten:
        """See ``Writer.forget``."""
        with self._step():
            self._db.overwrite_deleted()
            known = self._known(scopes)
            counts = Counter(dict.fromkeys(TABLES, 0))
            vectors = self._count_vectors(known)
            gone = Gone(counts) if doomed.since is None else Gone(counts, since=micros(doomed.since))
            for scope_id, _ in known:
                doomed = self._with_last_messages(scope_id, doomed)
            for scope_id, scope in known:
                self._forget_events(scope_id, scope, doomed, gone)
            self._forget_memory(known, doomed, gone)
            self._forget_contexts(known, doomed, gone)
            for scope_id, scope in known:
                self._tidy(scope_id, scope, gone)
            counts["vectors"] = vectors - self._count_vectors(known)
            if any(counts.values()):
                self._forgot(known)
            return gone.told()

    def _forgot(self, known: Iterable[tuple[int, Scope]]) -> None:
        for scope_id, scope in known:
            if self._db.one("SELECT 1 FROM scopes WHERE scope_id = ?", (scope_id,)):
                self._made_scope(scope)
        self._db.run(_COUNT_UP, (ERASURES,))
        self._db.run(_COUNT_UP, (SCRUB_DUE,))

    def _count_vectors(self, known: Iterable[tuple[int, Scope]]) -> int:
        counted = (
            self._db.one("SELECT count(*) FROM vectors WHERE scope_id = ?", (scope_id,)) for scope_id, _ in known
        )
        return sum(row[0] for row in counted if row)

    # -- what was said -------------------------------------------------------------------------------------------

    def _with_last_messages(self, scope_id: int, doomed: Doomed) -> Doomed:
        """A turn whose every message is doomed is doomed itself."""
        turns: dict[tuple[str, str], set[str]] = {}
        for session_id, turn_id, message_id in doomed.messages:
            turns.setdefault((session_id, turn_id), set()).add(message_id)
        emptied = set()
        for (session_id, turn_id), ids in turns.items():
            revisions = self._doomed_turns(scope_id, Doomed(turns=frozenset({(session_id, turn_id)})))
            newest = [turn for turn in revisions if turn.current]
            if newest and all(message_from(text).id in ids for turn in newest for text in turn.messages.values()):
                emptied.add((session_id, turn_id))
        return replace(doomed, turns=doomed.turns | emptied)

    def _forget_events(self, scope_id: int, scope: Scope, doomed: Doomed, gone: Gone) -> None:
        turns = self._doomed_turns(scope_id, doomed)
        names = self._take_out(scope_id, turns, gone)
        pks = [turn.pk for turn in turns]
        gone.count("turns", self._delete("turns", scope_id, "turn_pk", pks))
        gone.count("mentions", self._delete("mentions", scope_id, "turn_pk", pks))
        for turn in turns:
            gone.turn(scope_id, turn.session, turn.id, turn.seq, turn.recorded)
        names |= self._forget_messages(scope_id, scope, doomed, gone)
        self._forget_staged(scope_id, doomed, gone)
        gone.count("speakers", self._forget_speakers(scope_id, names))

    def _doomed_turns(self, scope_id: int, doomed: Doomed) -> list[_Turn]:
        if doomed.everything:
            rows = self._db.all(_TURNS, (scope_id,))
        else:
            rows = [row for name in doomed.sessions for row in self._revisions(scope_id, name)]
            rows += [row for turn in doomed.turns for row in self._revisions(scope_id, *turn)]
        return [self._as_doomed(scope_id, row) for _, row in sorted({row[0]: row for row in rows}.items())]

    def _revisions(self, scope_id: int, session_id: str, turn_id: str | None = None) -> list[Row]:
        return self._db.all(
            f"{_TURNS} AND s.session_id = ? AND t.turn_id = COALESCE(?, t.turn_id)", (scope_id, session_id, turn_id)
        )

    def _as_doomed(self, scope_id: int, row: Row) -> _Turn:
        messages = self._db.all(
            "SELECT ord, payload FROM messages WHERE scope_id = ? AND ord >= ? AND ord < ?",
            (scope_id, row[12], row[12] + row[13]),
        )
        return _Turn(row[0], row[1], row[2], row[3], row[8], dict(messages), row[10] is None)

    def _take_out(self, scope_id: int, turns: Sequence[_Turn], gone: Gone) -> set[str]:
        """Messages leave their table, the index and the vectors; returns the names of who said them."""
        docs: dict[int, list[str]] = {}
        names = set()
        for turn in turns:
            for ordinal, payload in turn.messages.items():
                message = message_from(payload)
                docs[ordinal] = list(message_terms(message)) if turn.current else []
                names |= {message.name} if message.name else set()
        if docs:
            engine.remove(SqlRows(self._db, scope_id, "events"), docs, blank=True)
            self._forget_vectors(scope_id, "events", docs)
            gone.count("messages", self._delete("messages", scope_id, "ord", docs))
        return names

    def _forget_messages(self, scope_id: int, scope: Scope, doomed: Doomed, gone: Gone) -> set[str]:
        """Takes messages out of turns that stay: the turn keeps its place, with one message less."""
        names: set[str] = set()
        for session_id, turn_id, message_id in doomed.messages:
            for row in self._db.all(
                f"{_TURNS} AND s.session_id = ? AND t.turn_id = ?", (scope_id, session_id, turn_id)
            ):
                turn = self._as_doomed(scope_id, row)
                hit = {at: text for at, text in turn.messages.items() if message_from(text).id == message_id}
                if hit:
                    names |= self._take_out(scope_id, [turn._replace(messages=hit)], gone)
                    self._without_messages(scope_id, scope, row, hit)
                    gone.message(scope_id, turn.session, turn.id, message_id, turn.seq, turn.recorded)
            gone.count("mentions", self._forget_mentions(scope_id, session_id, turn_id, message_id))
        return names

    def _without_messages(self, scope_id: int, scope: Scope, row: Row, hit: Mapping[int, str]) -> None:
        """The turn's own record without the tool calls of these messages, and with the digest of what is left."""
        messages = [message_from(payload) for payload in hit.values()]
        calls = {call.id for message in messages for call in message.tool_calls}
        calls |= {message.tool_call_id for message in messages if message.tool_call_id}
        left = [text for _, text in sorted(self._as_doomed(scope_id, row).messages.items())]
        turn = turn_from(row[:-1], scope, left)
        kept = tuple(call for call in turn.tool_calls if call.id not in calls)
        digest = content_hash(turn.messages, kept, turn.refs, turn.structured)
        turn = turn.model_copy(update={"tool_calls": kept, "content_hash": digest})
        self._db.run(
            "UPDATE turns SET payload = ? WHERE scope_id = ? AND turn_pk = ?", (turn_payload(turn), scope_id, row[0])
        )

    def _forget_mentions(self, scope_id: int, session_id: str, turn_id: str, message_id: str) -> int:
        return self._db.run(
            "DELETE FROM mentions WHERE scope_id = ? AND message_id = ? AND turn_pk IN (SELECT turn_pk FROM turns"
            " WHERE scope_id = ? AND turn_id = ? AND session_pk = ?)",
            (scope_id, message_id, scope_id, turn_id, self._session_pk(scope_id, session_id)),
        ).rowcount

    def _forget_staged(self, scope_id: int, doomed: Doomed, gone: Gone) -> None:
        for open_pk, session_id, turn_id in self._db.all(
            "SELECT open_pk, session_id, turn_id FROM open_turns WHERE scope_id = ?", (scope_id,)
        ):
            if doomed.everything or session_id in doomed.sessions or (session_id, turn_id) in doomed.turns:
                gone.count("staged", self._delete("staged", scope_id, "open_pk", [open_pk]))
                gone.count("open_turns", self._delete("open_turns", scope_id, "open_pk", [open_pk]))
                gone.sessions.add((scope_id, session_id))
                continue
            ids = {message for session, turn, message in doomed.messages if (session, turn) == (session_id, turn_id)}
            staged = self._db.all(
                "SELECT staged_pk, payload FROM staged WHERE scope_id = ? AND open_pk = ? AND kind = 'message'",
                (scope_id, open_pk),
            )
            hit = [pk for pk, payload in staged if ids and json.loads(payload).get("id") in ids]
            gone.count("staged", self._delete("staged", scope_id, "staged_pk", hit))

    def _forget_speakers(self, scope_id: int, names: Collection[str]) -> int:
        """Names that no message has any more."""
        unused = set(names)
        for (payload,) in self._db.all("SELECT payload FROM messages WHERE scope_id = ?", (scope_id,)) if names else ():
            if unused and '"name":' in payload:
                unused.discard(str(json.loads(payload).get("name")))
        return self._delete("speakers", scope_id, "name", unused)

    # -- what is left --------------------------------------------------------------------------------------------

    def _tidy(self, scope_id: int, scope: Scope, gone: Gone) -> None:
        """Sessions that hold nothing go, the others are counted anew, and so is the scope; an empty one goes, too."""
        for session_id in {name for where, name in gone.sessions if where == scope_id}:
            self._tidy_session(scope_id, session_id, gone)
        self._db.run(
            "UPDATE scopes SET turn_count = (SELECT COALESCE(SUM(turn_count), 0) FROM sessions WHERE scope_id = ?)"
            " WHERE scope_id = ?",
            (scope_id, scope_id),
        )
        held = ("turns", "open_turns", "items", "summaries", "contexts", "verdicts", "sessions")
        if any(self._db.one(f"SELECT 1 FROM {table} WHERE scope_id = ? LIMIT 1", (scope_id,)) for table in held):
            return
        for kind in ("events", "memory"):
            SqlRows(self._db, scope_id, kind).clear()
            self._clear_all_vectors(scope_id, kind)
        for table in ("speakers", "scopes"):
            self._db.run(f"DELETE FROM {table} WHERE scope_id = ?", (scope_id,))
        self._scope_ids.pop(scope, None)
        self._grown.discard(scope_id)

    def _tidy_session(self, scope_id: int, session_id: str, gone: Gone) -> None:
        session_pk = self._session_pk(scope_id, session_id)
        if session_pk is None:
            return
        (left, counted) = self._db.one(
            "SELECT count(*), count(DISTINCT CASE WHEN status <> 'open' THEN turn_id END) FROM turns"
            " WHERE scope_id = ? AND session_pk = ?",
            (scope_id, session_pk),
        ) or (0, 0)
        if left:
            self._db.run(
                "UPDATE sessions SET turn_count = ? WHERE scope_id = ? AND session_pk = ?",
                (counted, scope_id, session_pk),
            )
        else:
            gone.count("sessions", self._delete("sessions", scope_id, "session_pk", [session_pk]))
            self._session_pks.pop((scope_id, session_id), None)
