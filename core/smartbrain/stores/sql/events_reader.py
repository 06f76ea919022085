"""Reading what was said: turns, sessions, open turns, refs, and the messages behind the ordinals of search."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby, islice
from operator import itemgetter

from smartbrain.model import Ref, Scope, Turn, TurnStatus
from smartbrain.ports import EventDoc, OpenTurn, RefHit, Said, SessionInfo, Staged
from smartbrain.stores.sql.connection import Row, chunks, marks
from smartbrain.stores.sql.scoped import Filter, Scoped
from smartbrain.stores.sql.values import TURN, message_from, micros, moment, turn_from

SESSION = "JOIN sessions s ON s.scope_id = t.scope_id AND s.session_pk = t.session_pk"
_FIRST_TURN = (
    "(SELECT n.turn_pk FROM turns n WHERE n.scope_id = s.scope_id AND n.session_pk = s.session_pk"
    " AND n.superseded_us IS NULL AND n.status <> 'open' ORDER BY n.occurred_us {0}, n.seq {0} LIMIT 1)"
)
_SESSIONS = (
    "SELECT s.session_id, s.turn_count, f.occurred_us, f.occurred_offset, l.occurred_us, l.occurred_offset"
    f" FROM sessions s JOIN turns f ON f.turn_pk = {_FIRST_TURN.format('ASC')} AND f.scope_id = s.scope_id"
    f" JOIN turns l ON l.turn_pk = {_FIRST_TURN.format('DESC')} AND l.scope_id = s.scope_id"
    " WHERE s.scope_id = ? AND s.turn_count > 0"
)
_SAID = (
    "SELECT t.occurred_us, t.seq, t.turn_pk, t.turn_id, m.payload FROM turns t"
    " LEFT JOIN messages m ON m.scope_id = t.scope_id AND m.ord >= t.first_ord"
    " AND m.ord < t.first_ord + t.message_count"
    " WHERE t.scope_id = ? AND t.session_pk = ? AND t.seq BETWEEN ? AND ? AND t.superseded_us IS NULL"
    " AND t.status <> 'open' ORDER BY t.occurred_us, t.seq, t.turn_pk, m.ord"
)
_EVENTS = (
    "SELECT m.ord, s.session_id, t.turn_id, t.seq, t.first_ord, m.payload, t.occurred_us, t.occurred_offset,"
    " t.recorded_us, t.recorded_offset, t.superseded_us, t.superseded_offset, t.undone_us"
    " FROM messages m JOIN turns t ON t.turn_pk = m.turn_pk AND t.scope_id = m.scope_id"
    f" {SESSION} WHERE m.scope_id = ? AND m.ord IN "
)
_KEPT_DOCS = 256


class EventsReader(Scoped):
    """The part of ``Reader`` that answers from turns and messages."""

    def turn(self, scopes: Sequence[Scope], session_id: str, turn_id: str, revision: int | None = None) -> Turn | None:
        for scope_id, scope in self._known(scopes):
            chosen = Filter()
            if revision is not None:
                chosen.add("t.revision = ?", revision)
            row = self._db.one(
                f"SELECT {TURN} FROM turns t {SESSION}"
                f" WHERE t.scope_id = ? AND t.turn_id = ? AND s.session_id = ?{chosen.sql}"
                " ORDER BY t.revision DESC LIMIT 1",
                (scope_id, turn_id, session_id, *chosen.params),
            )
            if row:
                return self._whole_turns([(scope_id, scope, row)])[0]
        return None

    def turns(
        self,
        scopes: Sequence[Scope],
        *,
        session_id: str | None = None,
        turn_ids: Collection[str] | None = None,
        seqs: tuple[int, int] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        last: int | None = None,
        statuses: Collection[TurnStatus] = ("committed", "pending", "aborted"),
    ) -> list[Turn]:
        chosen = Filter()
        chosen.current(as_of)
        if seqs is not None:
            chosen.add("t.seq BETWEEN ? AND ?", *seqs)
        if since is not None:
            chosen.add("t.occurred_us >= ?", micros(since))
        if until is not None:
            chosen.add("t.occurred_us < ?", micros(until))
        chosen.add(f"t.status IN ({marks(list(statuses))})", *statuses)
        found = []
        for scope_id, scope in self._known(scopes):
            for row in self._newest_rows(scope_id, session_id, turn_ids, chosen, last):
                found.append((row[6], row[3], scope_id, scope, row))
        found.sort(key=lambda entry: entry[:2])
        kept = found if last is None else found[len(found) - min(last, len(found)) :]
        return self._whole_turns([(scope_id, scope, row) for _, _, scope_id, scope, row in kept], as_of)

    def _newest_rows(
        self,
        scope_id: int,
        session_id: str | None,
        turn_ids: Collection[str] | None,
        chosen: Filter,
        last: int | None,
    ) -> list[Row]:
        """The turns of one scope, the newest ``last`` of them, in any order."""
        within = Filter()
        if session_id is not None:
            within.add("t.session_pk = ?", self._session_pk(scope_id, session_id))
        limit = -1 if last is None else max(last, 0)
        parts: list[list[str] | None] = [None] if turn_ids is None else list(chunks(dict.fromkeys(turn_ids)))
        rows: list[Row] = []
        for part in parts:
            named = f" AND t.turn_id IN ({marks(part)})" if part is not None else ""
            rows += self._db.all(
                f"SELECT {TURN} FROM turns t {SESSION} WHERE t.scope_id = ?{within.sql}{named}{chosen.sql}"
                " ORDER BY t.occurred_us DESC, t.seq DESC LIMIT ?",
                (scope_id, *within.params, *(part or ()), *chosen.params, limit),
            )
        return rows

    def _whole_turns(self, rows: Sequence[tuple[int, Scope, Row]], as_of: datetime | None = None) -> list[Turn]:
        """Turns with their messages, which are read together."""
        ords: dict[int, list[int]] = {}
        for scope_id, _, row in rows:
            ords.setdefault(scope_id, []).extend(range(row[12], row[12] + row[13]))
        payloads = {
            (scope_id, ord_): payload
            for scope_id, wanted in ords.items()
            for part in chunks(wanted)
            for ord_, payload in self._db.all(
                f"SELECT ord, payload FROM messages WHERE scope_id = ? AND ord IN ({marks(part)})", (scope_id, *part)
            )
        }

        def messages(scope_id: int, row: Row) -> Iterator[str]:
            places = ((scope_id, ord_) for ord_ in range(row[12], row[12] + row[13]))
            return (payloads[place] for place in places if place in payloads)

        return [turn_from(row, scope, messages(scope_id, row), as_of) for scope_id, scope, row in rows]

    def turn_count(self, scopes: Sequence[Scope], session_id: str | None = None) -> int:
        count = 0
        for scope_id, _ in self._known(scopes):
            if session_id is None:
                row = self._db.one("SELECT turn_count FROM scopes WHERE scope_id = ?", (scope_id,))
            else:
                row = self._db.one(
                    "SELECT turn_count FROM sessions WHERE scope_id = ? AND session_id = ?", (scope_id, session_id)
                )
            count += row[0] if row else 0
        return count

    def said_since(self, scopes: Sequence[Scope], session_id: str, seq: int) -> tuple[int, int]:
        turns = characters = 0
        for scope_id, _ in self._known(scopes):
            row = self._db.one(
                "SELECT COUNT(DISTINCT t.turn_pk), COALESCE(SUM(LENGTH(m.payload)), 0) FROM turns t"
                " LEFT JOIN messages m ON m.scope_id = t.scope_id AND m.ord >= t.first_ord"
                " AND m.ord < t.first_ord + t.message_count"
                " WHERE t.scope_id = ? AND t.session_pk = ? AND t.seq >= ? AND t.superseded_us IS NULL",
                (scope_id, self._session_pk(scope_id, session_id), seq),
            )
            turns += row[0] if row else 0
            characters += row[1] if row else 0
        return turns, characters

    def said(self, scopes: Sequence[Scope], session_id: str, seqs: tuple[int, int]) -> list[Said]:
        rows = [
            row
            for scope_id, _ in self._known(scopes)
            for row in self._db.all(_SAID, (scope_id, self._session_pk(scope_id, session_id), *seqs))
        ]
        rows.sort(key=itemgetter(0, 1))  # as each scope's rows stand already
        return [
            Said(turn_id, seq, tuple(message_from(row[-1]) for row in own if row[-1] is not None))
            for (_, seq, _, turn_id), own in groupby(rows, key=itemgetter(0, 1, 2, 3))
        ]

    def sessions(self, scopes: Sequence[Scope]) -> list[SessionInfo]:
        found = [
            SessionInfo(session_id, scope, turns, moment(*first), moment(*last))
            for scope_id, scope in self._known(scopes)
            for session_id, turns, *times in self._db.all(_SESSIONS, (scope_id,))
            for first, last in ((times[:2], times[2:]),)
        ]
        return sorted(found, key=lambda info: info.first_at)

    def open_turns(self, scopes: Sequence[Scope], session_id: str | None = None) -> list[OpenTurn]:
        chosen = Filter()
        if session_id is not None:
            chosen.add("session_id = ?", session_id)
        found = []
        for scope_id, scope in self._known(scopes):
            rows = self._db.all(
                "SELECT open_pk, session_id, turn_id, opened_us, opened_offset, occurred_us, occurred_offset"
                f" FROM open_turns WHERE scope_id = ?{chosen.sql}",
                (scope_id, *chosen.params),
            )
            found += [(row[3], row[0], self._open_turn(scope_id, scope, row)) for row in rows]
        found.sort(key=lambda entry: entry[:2])
        return [opened for _, _, opened in found]

    def _open_turn(self, scope_id: int, scope: Scope, row: Row) -> OpenTurn:
        open_pk, session_id, turn_id, *times = row
        staged = self._db.all(
            "SELECT key, kind, payload FROM staged WHERE scope_id = ? AND open_pk = ? ORDER BY staged_pk",
            (scope_id, open_pk),
        )
        records = tuple(Staged(key, kind, json.loads(payload)) for key, kind, payload in staged)
        return OpenTurn(session_id, turn_id, scope, moment(*times[:2]), moment(*times[2:]), records)

    def refs(
        self,
        scopes: Sequence[Scope],
        *,
        session_id: str | None = None,
        last_turns: int | None = None,
        as_of: datetime | None = None,
        limit: int = 200,
    ) -> list[RefHit]:
        chosen = Filter()
        chosen.current(as_of)
        chosen.add("t.status <> 'open'")
        found: list[tuple[Row, Scope, Row]] = []
        for scope_id, scope in self._known(scopes):
            within = Filter()
            if session_id is not None:
                within.add("t.session_pk = ?", self._session_pk(scope_id, session_id))
            rows = self._db.all(
                "SELECT t.occurred_us, t.seq, t.occurred_offset, s.session_id, t.turn_id, t.payload"
                f" FROM turns t {SESSION} WHERE t.scope_id = ? AND t.has_refs = 1{within.sql}{chosen.sql}"
                " ORDER BY t.occurred_us DESC, t.seq DESC LIMIT ?",
                (scope_id, *within.params, *chosen.params, max(limit, 0)),
            )
            found += [(row[:2], scope, row) for row in rows]
        if found and last_turns is not None:  # most turns point at nothing
            oldest = self._oldest_of(scopes, session_id, last_turns, as_of)
            found = [entry for entry in found if entry[0] >= oldest]
        found.sort(key=lambda entry: entry[0], reverse=True)
        hits = (hit for _, scope, row in found for hit in _ref_hits(scope, row))
        return list(islice(hits, max(limit, 0)))

    def _oldest_of(
        self, scopes: Sequence[Scope], session_id: str | None, last_turns: int, as_of: datetime | None
    ) -> tuple[int, int]:
        """(occurred_us, seq) of the oldest among the newest ``last_turns`` turns."""
        chosen = Filter()
        chosen.current(as_of)
        chosen.add("t.status <> 'open'")
        places = sorted(
            (row[6], row[3])
            for scope_id, _ in self._known(scopes)
            for row in self._newest_rows(scope_id, session_id, None, chosen, last_turns)
        )
        kept = places[len(places) - min(max(last_turns, 0), len(places)) :]
        return kept[0] if kept else (1 << 63, 0)

    def event_docs(self, scope: Scope, ords: Collection[int]) -> dict[int, EventDoc]:
        found: dict[int, EventDoc] = {}
        for scope_id, known in self._known([scope]):
            kept = self._kept_docs.setdefault(scope_id, {}) if self._steady else {}
            wanted = list(map(int, ords))
            for part in chunks(ord_ for ord_ in wanted if ord_ not in kept):
                for row in self._db.all(f"{_EVENTS} ({marks(part)})", (scope_id, *part)):
                    found[row[0]] = _event_doc(known, row)
            found |= {ord_: kept[ord_] for ord_ in wanted if ord_ in kept}
            if len(kept) + len(found) <= _KEPT_DOCS:  # a question reads its first turns again; a long walk reads none
                kept |= found
        return found

    def event_ords(self, scope: Scope, turn_ids: Collection[tuple[str, str]]) -> dict[tuple[str, str], list[int]]:
        found: dict[tuple[str, str], list[int]] = {}
        for scope_id, _ in self._known([scope]):
            for session_id, turn_id in turn_ids:
                row = self._db.one(
                    f"SELECT t.first_ord, t.message_count FROM turns t {SESSION} WHERE t.scope_id = ?"
                    " AND t.turn_id = ? AND s.session_id = ? AND t.superseded_us IS NULL",
                    (scope_id, turn_id, session_id),
                )
                if row:
                    found[session_id, turn_id] = list(range(row[0], row[0] + row[1]))
        return found

    def _speakers_now(self, scope: Scope) -> Mapping[int, str]:
        return {
            code: name
            for scope_id, _ in self._known([scope])
            for code, name in self._db.all("SELECT code, name FROM speakers WHERE scope_id = ?", (scope_id,))
        }


def _ref_hits(scope: Scope, row: Row) -> list[RefHit]:
    occurred_us, _, offset, session_id, turn_id, payload = row
    occurred_at = moment(occurred_us, offset)
    refs = [Ref.model_validate(fields) for fields in reversed(json.loads(payload)["refs"])]
    return [RefHit(ref, session_id, turn_id, scope, occurred_at) for ref in refs]


def _event_doc(scope: Scope, row: Row) -> EventDoc:
    ordinal, session_id, turn_id, seq, first_ord, payload, *times, undone = row
    return EventDoc(
        ord=ordinal,
        scope=scope,
        session_id=session_id,
        turn_id=turn_id,
        turn_seq=seq,
        index=ordinal - first_ord,
        message=message_from(payload),
        occurred_at=moment(*times[:2]),
        recorded_at=moment(*times[2:4]),
        superseded_at=None if times[4] is None else moment(*times[4:]),
        undone_at=None if undone is None else moment(undone, 0),
    )
