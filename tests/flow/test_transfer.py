"""Exports, imports of them, and backups: what goes out comes back, whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from smartbrain import SmartBrain
from smartbrain.errors import ConflictError, InputError, ScopeError
from smartbrain.records import encode
from smartbrain.stores import open_storage
from smartbrain.testing.fakes import CounterIds, ManualClock
from smartbrain.transfer import export_file

Make = Callable[..., SmartBrain]
SAID = [
    "I moved to Lisbon. Please always answer in short sentences.",
    "我叫小明，我在上海工作。以后请用中文回答。",
    "Remember that my dog is called Biscuit.",
    "We decided to use PostgreSQL for the apollo project.",
    "I moved to Porto last week.",
]


def talk(brain: SmartBrain, user: str = "ann", session: str = "monday", turns: int = len(SAID)) -> None:
    """A conversation from which memory is made."""
    for number in range(turns):
        messages = [
            {"role": "user", "content": SAID[number % len(SAID)], "name": "Ann"},
            {"role": "assistant", "content": f"Noted, {number}."},
        ]
        when = datetime(2025, 3, 1, 9, tzinfo=UTC) + timedelta(hours=number)
        brain.commit_turn(session, messages=messages, turn_id=f"{session}-{number}", user_id=user, occurred_at=when)


def live(brain: SmartBrain) -> None:
    """Everything that a store can hold of two users and of a session alone."""
    talk(brain)
    talk(brain, "bob", "tuesday", 3)
    call = {"id": "c1", "name": "weather", "args": {"city": "Lisbon"}, "result": {"degrees": 21}, "status": "ok"}
    events = {
        "messages": [{"role": "user", "content": "what is the weather?"}],
        "tool_calls": [call],
        "refs": [{"type": "url", "uri": "https://example.org/weather"}],
        "entities": [{"name": "Apollo", "kind": "other", "aliases": ["APL", "阿波罗"], "remember": True}],
    }
    brain.commit_turn("monday", events, turn_id="tools", user_id="ann")
    brain.commit_turn("monday", messages=[{"role": "user", "content": "my tea is green"}], turn_id="r", user_id="ann")
    brain.commit_turn("monday", messages=[{"role": "user", "content": "my tea is black"}], turn_id="r", user_id="ann")
    brain.commit_turn("alone", messages=[{"role": "user", "content": "I live in Graz."}], turn_id="a")
    brain.open_turn("friday", turn_id="open", user_id="ann")
    brain.stage("friday", "open", messages=[{"id": "m", "role": "user", "content": "half said"}], user_id="ann")
    item = brain.memories(user_id="ann")[0]
    brain.retract(item.id, "wrong", user_id="ann")
    brain.compose_context("monday", "Where do I live?", user_id="ann")


def exported(brain: SmartBrain, path: Path, **scope: Any) -> bytes:
    """The bytes of an export after its first line."""
    brain.export(path, overwrite=True, **(scope or {"everything": True}))
    return path.read_bytes().partition(b"\n")[2]


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_an_import_gives_a_store_whose_export_is_equal(make_brain: Make, tmp_path: Path) -> None:
    one, other = make_brain(), make_brain()
    live(one)
    before = exported(one, tmp_path / "one.jsonl")
    report = other.import_(tmp_path / "one.jsonl", everything=True)
    assert report.new == report.counts
    assert set(report.counts) == {"turn", "item", "summary", "open_turn"}
    assert exported(other, tmp_path / "other.jsonl") == before


def test_a_restored_brain_answers_as_the_first_one_does(make_brain: Make, tmp_path: Path) -> None:
    one, other = make_brain(), make_brain()
    live(one)
    exported(one, tmp_path / "one.jsonl")
    other.import_(tmp_path / "one.jsonl", everything=True)
    for question in ("Where do I live?", "what is my dog called?", "我在哪里工作？"):
        seen = [
            [(e.id, e.snippet, e.signals) for e in brain.search("x", question, user_id="ann").evidences]
            for brain in (one, other)
        ]
        assert seen[0]
        assert seen[0] == seen[1]
    assert one.memories(user_id="ann", status=None) == other.memories(user_id="ann", status=None)
    for item in one.memories(user_id="ann", status=None):
        assert one.why(item.id, user_id="ann") == other.why(item.id, user_id="ann")
    assert other.diagnostics()["semantic"]["backlog"] == 0


def test_what_was_open_can_be_committed_after_the_import(make_brain: Make, tmp_path: Path) -> None:
    one, other = make_brain(), make_brain()
    live(one)
    exported(one, tmp_path / "one.jsonl")
    other.import_(tmp_path / "one.jsonl", everything=True)
    other.commit_turn("friday", turn_id="open", user_id="ann")
    (turn,) = other.recall_history(None, turn_ids=["open"], user_id="ann")
    assert [message.text for message in turn.messages] == ["half said"]


def test_importing_twice_adds_nothing(make_brain: Make, tmp_path: Path) -> None:
    one, other = make_brain(), make_brain()
    live(one)
    before = exported(one, tmp_path / "one.jsonl")
    other.import_(tmp_path / "one.jsonl", everything=True)
    again = other.import_(tmp_path / "one.jsonl", everything=True)
    assert sum(again.new.values()) == 0
    assert again.unchanged == sum(again.counts.values()) > 10
    assert one.import_(tmp_path / "one.jsonl", everything=True).unchanged == again.unchanged
    assert exported(other, tmp_path / "other.jsonl") == before


def test_an_export_of_one_scope_holds_nothing_of_another(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain()
    for user in ("ann", "bob", "eve"):
        brain.commit_turn(
            "s", messages=[{"role": "user", "content": f"I live in {user}town, canary-{user}."}], user_id=user
        )
    brain.commit_turn("alone", messages=[{"role": "user", "content": "canary-alone"}])
    report = brain.export(tmp_path / "bob.jsonl", user_id="bob")
    text = (tmp_path / "bob.jsonl").read_text("utf-8")
    assert report.scopes == 1
    assert "canary-bob" in text
    assert not any(f"canary-{other}" in text for other in ("ann", "eve", "alone"))
    assert "canary-alone" in exported(brain, tmp_path / "alone.jsonl", session_id="alone").decode()


def test_what_was_forgotten_is_in_no_export(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain()
    live(brain)
    brain.forget(user_id="ann", session_id="monday")
    text = exported(brain, tmp_path / "ann.jsonl", user_id="ann").decode()
    assert "Lisbon" not in text
    assert "half said" in text


def test_stored_contexts_stay_where_they_are(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain()
    talk(brain)
    brain.compose_context("monday", "zanzibar?", user_id="ann")
    brain.commit_turn("monday", messages=[{"role": "user", "content": "bye"}], user_id="ann")
    assert "zanzibar" not in exported(brain, tmp_path / "all.jsonl").decode()


def test_only_the_scopes_that_are_named_are_imported(make_brain: Make, tmp_path: Path) -> None:
    one, other = make_brain(), make_brain()
    live(one)
    exported(one, tmp_path / "one.jsonl")
    report = other.import_(tmp_path / "one.jsonl", user_id="bob")
    assert report.left_out > 0
    assert other.sessions(user_id="ann") == []
    assert [session.turns for session in other.sessions(user_id="bob")] == [3]
    assert exported(other, tmp_path / "o.jsonl") == exported(one, tmp_path / "b.jsonl", user_id="bob")


@pytest.mark.parametrize("call", ["export", "import_"])
def test_without_a_scope_nothing_moves(make_brain: Make, tmp_path: Path, call: str) -> None:
    brain = make_brain()
    with pytest.raises(ScopeError):
        getattr(brain, call)(tmp_path / "x.jsonl")
    with pytest.raises(InputError, match="everything"):
        getattr(brain, call)(tmp_path / "x.jsonl", everything=True, user_id="ann")
    with pytest.raises(InputError, match="leave session_id out"):
        getattr(brain, call)(tmp_path / "x.jsonl", session_id="monday", user_id="ann")
    assert list(tmp_path.iterdir()) == []


def test_an_import_may_write_only_where_its_scope_context_may(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain()
    live(brain)
    exported(brain, tmp_path / "one.jsonl")
    with pytest.raises(ScopeError):
        brain.import_(
            tmp_path / "one.jsonl",
            domain_id="ann",
            scope_context={"read": [{"type": "global", "id": "default"}]},
        )


# -- damage --------------------------------------------------------------------------------------------------------


def refused(brain: SmartBrain, path: Path) -> str:
    """The error of an import that changes nothing."""
    before = exported(brain, path.with_name("before.jsonl"))
    with pytest.raises(InputError) as caught:
        brain.import_(path, everything=True)
    assert exported(brain, path.with_name("after.jsonl")) == before
    return str(caught.value)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An export of three chunks."""
    path = tmp_path_factory.mktemp("long") / "long.jsonl"
    said = [{"role": "user", "content": "I live in Lisbon."}]
    turns = [
        {"session_id": f"s{n % 7}", "turn_id": f"t{n}", "messages": [{"role": "user", "content": f"{n}, ok"}]}
        for n in range(600)
    ]
    with SmartBrain.open(clock=ManualClock(), new_id=CounterIds()) as brain:
        brain.commit_turn("s0", messages=said, turn_id="first", user_id="ann")
        brain.commit_turns(turns, user_id="ann")
        brain.export(path, everything=True)
    return path.read_bytes()


@pytest.fixture
def long_export(long_file: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "long.jsonl"
    path.write_bytes(long_file)
    return path


def test_a_file_that_was_cut_anywhere_is_refused_as_a_whole(long_export: Path, make_brain: Make) -> None:
    whole = long_export.read_bytes()
    brain = make_brain()
    path = long_export.with_name("cut.jsonl")
    for kept in (len(whole) - 1, len(whole) - 60, len(whole) * 2 // 3, len(whole) // 3, 400):
        path.write_bytes(whole[:kept])
        assert "truncated" in refused(brain, path)
    path.write_bytes(b"")
    assert "no export" in refused(brain, path)


def test_a_changed_lost_added_or_moved_byte_is_noticed(long_export: Path, make_brain: Make) -> None:
    whole = long_export.read_bytes()
    lines = whole.splitlines(keepends=True)
    ends = [n for n, line in enumerate(lines) if line.startswith(b'{"kind":"chunk"')]
    assert len(ends) >= 2
    first, second = lines[1 : ends[0] + 1], lines[ends[0] + 1 : ends[1] + 1]
    broken = {
        "a letter": whole.replace(b"Lisbon", b"Lisbin", 1),
        "a lost line": b"".join(lines[:3] + lines[4:]),
        "a lost chunk": b"".join([lines[0], *first, *lines[ends[1] + 1 :]]),
        "moved chunks": b"".join([lines[0], *second, *first, *lines[ends[1] + 1 :]]),
        "a doubled chunk": b"".join([lines[0], *first, *first, *lines[ends[0] + 1 :]]),
        "no line that ends a chunk": b"".join(lines[: ends[0]] + lines[ends[0] + 1 :]),
        "something after the end": whole + lines[1],
        "other counts": whole.replace(b'"counts":{"item":', b'"counts":{"item":1'),
        "another header": whole.replace(b"smartbrain 0", b"smartbrain 9", 1),
    }
    brain = make_brain()
    path = long_export.with_name("broken.jsonl")
    for what, data in broken.items():
        assert data != whole, what
        path.write_bytes(data)
        assert "is damaged near line" in refused(brain, path), what


def test_damage_is_found_at_the_end_of_its_chunk(long_export: Path, make_brain: Make) -> None:
    lines = long_export.read_bytes().splitlines(keepends=True)
    ends = [n for n, line in enumerate(lines, start=1) if line.startswith(b'{"kind":"chunk"')]
    lines[ends[0]] = lines[ends[0]].replace(b", ok", b", no")
    long_export.write_bytes(b"".join(lines))
    assert f"near line {ends[1]}:" in refused(make_brain(), long_export)


def test_a_file_of_a_newer_format_says_so(long_export: Path, make_brain: Make) -> None:
    data = long_export.read_bytes().replace(b'"version":1', b'"version":2', 1)
    long_export.write_bytes(data)
    assert "upgrade smartbrain" in refused(make_brain(), long_export)


def test_a_field_that_is_not_known_is_not_lost_silently(
    make_brain: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain = make_brain()
    talk(brain, turns=1)
    with monkeypatch.context() as newer:
        newer.setattr(export_file, "encode", lambda record: f'{encode(record)[:-1]},"mood":"glad"}}')
        brain.export(tmp_path / "newer.jsonl", everything=True)
    assert "does not know" in refused(brain, tmp_path / "newer.jsonl")


def test_a_file_that_is_no_export_says_so(make_brain: Make, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"role": "user"}\n')
    assert "no export of SmartBrain" in refused(make_brain(), tmp_path / "x.jsonl")
    with pytest.raises(InputError, match="cannot read"):
        make_brain().import_(tmp_path / "nothing.jsonl", everything=True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_no_damaged_byte_goes_unnoticed(long_export: Path, make_brain: Make, data: st.DataObject) -> None:
    whole = long_export.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != whole[at]))
    path = long_export.with_name("bit.jsonl")
    path.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
    brain = make_brain()
    with pytest.raises(InputError):
        brain.import_(path, everything=True)
    assert brain.sessions(user_id="ann") == []
    brain.close()


# -- conflicts -----------------------------------------------------------------------------------------------------


def test_another_content_under_the_same_turn_is_one_error_and_nothing_is_imported(
    make_brain: Make, tmp_path: Path
) -> None:
    one, other = make_brain(), make_brain()
    talk(one)
    talk(one, "bob", "tuesday")
    exported(one, tmp_path / "one.jsonl")
    other.commit_turn("tuesday", messages=[{"role": "user", "content": "else"}], turn_id="tuesday-3", user_id="bob")
    before = exported(other, tmp_path / "before.jsonl")
    with pytest.raises(ConflictError, match=r"turn 'tuesday-3'.*other content.*forget"):
        other.import_(tmp_path / "one.jsonl", everything=True)
    assert exported(other, tmp_path / "after.jsonl") == before
    other.forget(user_id="bob", everything=True)
    other.import_(tmp_path / "one.jsonl", everything=True)
    assert exported(other, tmp_path / "after.jsonl") == exported(one, tmp_path / "one.jsonl")


def test_a_turn_that_was_open_and_has_been_committed_since_is_a_conflict(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain()
    live(brain)
    exported(brain, tmp_path / "one.jsonl", user_id="ann")
    brain.commit_turn("friday", turn_id="open", user_id="ann")
    with pytest.raises(ConflictError, match="committed here meanwhile"):
        brain.import_(tmp_path / "one.jsonl", user_id="ann")


# -- breaking off --------------------------------------------------------------------------------------------------

IMPORT = """
import os, signal, sys
from smartbrain import SmartBrain
path, db, limit = sys.argv[1:]
def watch(done, total):
    if done >= float(limit) * total:
        os.kill(os.getpid(), signal.SIGKILL)
with SmartBrain.open(db) as brain:
    brain.import_(path, everything=True, on_progress=watch)
"""


@pytest.mark.slow
@pytest.mark.parametrize("part", [0.3, 0.6, 0.8, 0.95])
def test_an_import_that_was_killed_is_begun_again_and_ends_equal(
    long_export: Path, make_brain: Make, part: float
) -> None:
    db = long_export.with_name("killed.db")
    killed = subprocess.run([sys.executable, "-c", IMPORT, long_export, db, str(part)], check=False, timeout=120)
    assert killed.returncode == -signal.SIGKILL
    brain = make_brain(db)
    turns = sum(session.turns for session in brain.sessions(user_id="ann"))
    assert (turns == 0) == (part < 0.5)
    report = brain.import_(long_export, everything=True)
    assert report.unchanged >= turns
    assert (report.unchanged > 0) == (part > 0.5)
    assert exported(brain, db.with_name("again.jsonl")) == long_export.read_bytes().partition(b"\n")[2]


def test_an_export_that_fails_leaves_no_file(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain(tmp_path / "b.db")
    talk(brain, turns=3)

    def fail(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        brain.export(tmp_path / "one.jsonl", everything=True, on_progress=fail)
    with pytest.raises(KeyboardInterrupt):
        brain.backup(tmp_path / "copy.db", on_progress=fail)
    assert {path.name for path in tmp_path.iterdir()} <= {"b.db", "b.db-wal", "b.db-shm"}


@pytest.mark.parametrize("call", ["export", "backup"])
def test_what_is_forgotten_while_a_file_is_written_is_not_in_it(make_brain: Make, tmp_path: Path, call: str) -> None:
    brain = make_brain(tmp_path / "b.db", config={"store": {"busy_timeout_ms": 50}})  # scrubbing waits for readers
    talk(brain, turns=3)
    forgotten = False

    def forget(_done: int, _total: int) -> None:
        nonlocal forgotten
        if not forgotten:
            forgotten = True
            brain.forget(user_id="ann", everything=True)

    scope: dict[str, Any] = {"everything": True} if call == "export" else {}
    with pytest.raises(ConflictError, match="forgotten while"):
        getattr(brain, call)(tmp_path / "file", on_progress=forget, **scope)
    assert not list(tmp_path.glob("file*"))


# -- the file ------------------------------------------------------------------------------------------------------


def test_a_file_that_is_there_is_not_overwritten_unless_asked(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain(tmp_path / "b.db")
    talk(brain, turns=1)
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    for write in (
        lambda **more: brain.export(path, everything=True, **more),
        lambda **more: brain.backup(path, **more),
    ):
        with pytest.raises(InputError, match="is there already"):
            write()
        assert path.read_text() == "mine"
    brain.export(path, everything=True, overwrite=True)
    assert path.read_bytes().startswith(b'{"format":"smartbrain-export"')
    with pytest.raises(InputError):
        brain.export(tmp_path, everything=True, overwrite=True)
    with pytest.raises(InputError, match="cannot write"):
        brain.export(tmp_path / "no" / "folder.jsonl", everything=True)


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX")
def test_the_files_are_for_their_owner_only(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain(tmp_path / "b.db")
    talk(brain, turns=1)
    brain.export(tmp_path / "e.jsonl", everything=True)
    brain.backup(tmp_path / "copy.db")
    for name in ("e.jsonl", "copy.db"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_progress_ends_at_the_whole(make_brain: Make, tmp_path: Path) -> None:
    one, other = make_brain(tmp_path / "one.db"), make_brain()
    talk(one)
    told: list[tuple[int, int]] = []

    def watch(done: int, total: int) -> None:
        told.append((done, total))

    one.export(tmp_path / "e.jsonl", everything=True, on_progress=watch)
    assert told[-1] == (len(SAID), len(SAID))
    told.clear()
    other.import_(tmp_path / "e.jsonl", everything=True, on_progress=watch)
    assert told == sorted(told)
    size = (tmp_path / "e.jsonl").stat().st_size
    assert told[-1][1] == 2 * size
    assert told[-1][0] > 1.8 * size
    told.clear()
    one.backup(tmp_path / "copy.db", on_progress=watch)
    assert told[-1][0] == told[-1][1] > 0


def test_the_header_says_what_made_it_and_when(make_brain: Make, tmp_path: Path, clock: ManualClock) -> None:
    brain = make_brain()
    talk(brain, turns=1)
    brain.export(tmp_path / "e.jsonl", everything=True)
    head, *_, last = lines_of(tmp_path / "e.jsonl")
    assert head["version"] == 1
    assert head["exported_at"] == clock.now().isoformat()
    assert head["producer"].startswith("smartbrain ")
    assert last["kind"] == "end"
    assert last["counts"]["turn"] == 1


# -- backups -------------------------------------------------------------------------------------------------------


def test_a_backup_opens_as_a_store_and_holds_the_same(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain(tmp_path / "b.db")
    live(brain)
    report = brain.backup(tmp_path / "copy.db")
    assert report.kind == "store"
    assert report.bytes == (tmp_path / "copy.db").stat().st_size
    assert not list(tmp_path.glob("copy.db-*"))
    copy = make_brain(tmp_path / "copy.db")
    assert exported(copy, tmp_path / "copy.jsonl") == exported(brain, tmp_path / "b.jsonl")
    assert copy.diagnostics()["semantic"]["backlog"] == 0


def test_a_backup_is_of_one_moment_while_others_write(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain(tmp_path / "b.db")
    talk(brain, turns=40)
    before = exported(brain, tmp_path / "b.jsonl")
    writes = 0

    def commit(_done: int, _total: int) -> None:
        nonlocal writes
        writes += 1
        brain.commit_turn("late", messages=[{"role": "user", "content": f"late words {writes}"}], user_id="ann")

    brain.backup(tmp_path / "copy.db", on_progress=commit)
    assert writes >= 1
    assert exported(make_brain(tmp_path / "copy.db"), tmp_path / "copy.jsonl") == before


def test_no_byte_of_what_was_forgotten_is_in_a_backup(tmp_path: Path, clock: ManualClock, ids: CounterIds) -> None:
    storage = open_storage(tmp_path / "b.db")
    storage.scrub = lambda: "not now"  # type: ignore[method-assign]
    with SmartBrain(storage, clock=clock, new_id=ids) as brain:
        brain.commit_turn("s", messages=[{"role": "user", "content": "the canary is zanzibar"}], user_id="ann")
        talk(brain, "bob")
        brain.forget(user_id="ann", everything=True)
        brain.backup(tmp_path / "copy.db")
    assert b"zanzibar" not in (tmp_path / "copy.db").read_bytes()
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert copy.execute("SELECT value FROM meta WHERE name = 'scrub_due'").fetchone() is None


#: What each table of a store is to an export. A new table has to be given its place here.
TABLES = {
    "in it": {
        "turns",
        "messages",
        "open_turns",
        "staged",
        "items",
        "item_sources",
        "item_states",
        "verdicts",
        "mentions",
        "summaries",
    },
    "made anew": {
        "scopes",
        "sessions",
        "speakers",
        "index_heads",
        "index_postings",
        "index_columns",
        "index_tail",
        "index_moves",
        "vector_spaces",
        "vectors",
    },
    "left out": {"contexts", "meta", "migrations"},
}


def test_every_table_of_a_store_has_its_place_in_an_export_or_is_left_out_on_purpose(
    make_brain: Make, tmp_path: Path
) -> None:
    make_brain(tmp_path / "b.db")
    with closing(sqlite3.connect(tmp_path / "b.db")) as store:
        names = {name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert names == set().union(*TABLES.values())


def test_a_store_in_memory_is_backed_up_to_a_file(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain()
    talk(brain)
    brain.backup(tmp_path / "copy.db")
    assert exported(make_brain(tmp_path / "copy.db"), tmp_path / "c.jsonl") == exported(brain, tmp_path / "b.jsonl")


# -- any conversation ----------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(codec="utf-8"), max_size=30) | st.sampled_from(
    ["\ud800", "a\x00b", "é", "我住在上海。", "😀"]
)
MOMENTS = st.datetimes(
    datetime(1971, 1, 1), datetime(2100, 1, 1), timezones=st.timezones() | st.just(UTC), allow_imaginary=False
)


def given_fields(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Mappings in which what is None is left out."""
    return st.fixed_dictionaries(fields).map(lambda made: {name: v for name, v in made.items() if v is not None})


MESSAGES = st.lists(
    given_fields(
        role=st.sampled_from(["user", "assistant", "system"]),
        content=TEXT | st.sampled_from(SAID),
        name=st.none() | st.just("Ann"),
        created_at=st.none() | MOMENTS,
    ),
    min_size=1,
    max_size=3,
)
CALLS = st.lists(
    given_fields(
        id=st.just("c"),
        name=st.just("t"),
        args=st.dictionaries(st.text(max_size=5), st.integers(-(2**70), 2**70) | st.floats() | TEXT, max_size=2),
        result=st.none() | st.floats() | st.lists(TEXT, max_size=2),
        started_at=st.none() | MOMENTS,
    ),
    max_size=1,
)
ENTRIES = st.sampled_from(
    [
        {},
        {"decisions": [{"decision": "use SQLite", "topic": "store"}]},
        {"decisions": [{"decision": "use PostgreSQL", "topic": "store"}]},
        {"tasks": [{"task_id": "1", "title": "ship it", "status": "doing"}]},
        {"tasks": [{"task_id": "1", "status": "done"}]},
        {"entities": [{"name": "Apollo", "aliases": ["APL"], "remember": True}]},
        {"entities": [{"name": "Apollo", "aliases": ["阿波罗"], "remember": True}]},
        {"retractions": [{"type": "tasks", "key": "task:default:1"}]},
        {"refs": [{"type": "url", "uri": "https://example.org"}]},
    ]
)
TURNS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob"]),
        st.sampled_from(["s1", "s2"]),
        st.sampled_from(["t1", "t2", "t3"]),
        st.builds(
            lambda messages, calls, more: {"messages": messages, "tool_calls": calls, **more}, MESSAGES, CALLS, ENTRIES
        ),
        MOMENTS,
    ),
    max_size=8,
)


def told(export: bytes) -> list[bytes]:
    """The records of an export."""
    return [line for line in export.splitlines() if not line.startswith((b'{"kind":"chunk"', b'{"kind":"end"'))]


ENTITY_LATER = [
    ("ann", "s", "t1", {"messages": [{"role": "user", "content": "住上海"}], **entry}, datetime(2025, 1, 1, tzinfo=UTC))
    for entry in (
        {"entities": [{"name": "Apollo", "aliases": ["APL"], "remember": True}]},
        {"entities": [{"name": "Apollo", "aliases": ["阿波罗"], "remember": True}]},
    )
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(turns=TURNS)
@example(turns=ENTITY_LATER)
def test_any_conversation_comes_back_exactly(tmp_path: Path, turns: Sequence[tuple[Any, ...]]) -> None:
    clock = ManualClock()
    with SmartBrain.open(clock=clock) as one, SmartBrain.open() as other:
        for user, session, turn_id, events, when in turns:
            clock.advance(1)
            one.commit_turn(session, events, turn_id=turn_id, user_id=user, occurred_at=when)
        before = exported(one, tmp_path / "one.jsonl")
        other.import_(tmp_path / "one.jsonl", everything=True)
        assert exported(other, tmp_path / "other.jsonl") == before
        apart = [exported(one, tmp_path / "part.jsonl", user_id=user) for user in ("ann", "bob")]
        assert [line for part in apart for line in told(part)] == told(before)
        for user in ("ann", "bob"):
            assert other.memories(user_id=user, status=None) == one.memories(user_id=user, status=None)
        one.forget(user_id="ann", everything=True)
        assert told(exported(one, tmp_path / "left.jsonl")) == told(apart[1])
