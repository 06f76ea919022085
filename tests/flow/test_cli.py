"""The command line: replay, ask, show, why, schema; what a machine reads, and what goes wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer", reason="the command line is an extra, cli")

from click.testing import Result
from rich.cells import cell_len
from typer.testing import CliRunner

import smartbrain
from smartbrain import SmartBrain, cli
from smartbrain.cli.app import app
from smartbrain.cli.demo import run_demo
from smartbrain.cli.terminal import clipped, safe, wrap
from smartbrain.contracts import CONTRACTS
from smartbrain.contracts.context import ContextPackage


def run(*arguments: object, columns: int = 80) -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments], env={"COLUMNS": str(columns)})


def ok(*arguments: object, columns: int = 80) -> str:
    result = run(*arguments, columns=columns)
    assert result.exit_code == 0, result.output
    assert not [line for line in result.stdout.splitlines() if cell_len(line) > columns and "smartbrain " not in line]
    return result.stdout


def read(*arguments: object) -> Any:
    return json.loads(ok(*arguments, "--json", columns=10_000))


def failed(*arguments: object) -> str:
    """The one line a failed command prints; nothing of it on standard output."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")
    return result.stderr


def lines(conversation: str, *said: tuple[str, str, str], day: str = "2024-03-05") -> list[dict[str, str]]:
    return [
        {
            "conversation_id": conversation,
            "session_id": session,
            "session_time": f"{day}T10:00:00",
            "turn_id": f"{session}:{n}",
            "speaker": speaker,
            "text": text,
        }
        for n, (session, speaker, text) in enumerate(said)
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    recorded = [
        *lines(
            "ana",
            ("s1", "user", "My bicycle is a red Pelican with seven gears."),
            ("s1", "assistant", "A fine bicycle for the city."),
            ("s2", "user", "The dentist moved my appointment to Thursday."),
            ("s2", "assistant", "Noted."),
        ),
        *lines("梅", ("s1", "Mei", "我的猫叫豆包，是橘猫。"), ("s1", "Tom", "好可爱！"), day="2024-05-01"),
    ]
    path = tmp_path / "conversations.jsonl"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in recorded), "utf-8")
    return path


@pytest.fixture
def db(file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    ok("replay", file, "--db", path)
    return path


@pytest.fixture(scope="module")
def demo_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    run_demo(path)
    return path


# -- replay ------------------------------------------------------------------------------------------------------


def test_replay_makes_each_conversation_a_user_with_its_sessions_and_times(file: Path, tmp_path: Path) -> None:
    done = read("replay", file, "--db", tmp_path / "new.db")
    assert (done["conversations"], done["sessions"], done["turns"], done["messages"]) == (2, 3, 4, 6)
    assert (done["new"], done["unchanged"], done["users"]) == (4, 0, ["ana", "梅"])
    with SmartBrain.open(tmp_path / "new.db") as brain:
        sessions = brain.sessions(user_id="ana")
        assert [(s.session_id, s.turns, s.first_at.date().isoformat()) for s in sessions] == [
            ("s1", 1, "2024-03-05"),
            ("s2", 1, "2024-03-05"),
        ]
        (turn,) = brain.recall_history("s1", turn_ids=["s1:0"], user_id="ana", around=0)
        assert [message.id for message in turn.messages] == ["s1:0", "s1:1"]


def test_replaying_again_adds_nothing(file: Path, db: Path) -> None:
    again = read("replay", file, "--db", db)
    assert (again["new"], again["revised"], again["unchanged"], again["memories_written"]) == (0, 0, 4, 0)


def test_a_replay_that_was_cut_short_can_be_finished(file: Path, tmp_path: Path) -> None:
    db = tmp_path / "cut.db"
    assert read("replay", file, "--db", db, "--limit", 2)["new"] == 2
    rest = read("replay", file, "--db", db)
    assert (rest["new"], rest["unchanged"]) == (2, 2)


def test_a_bad_line_is_named_and_nothing_is_written(file: Path, tmp_path: Path) -> None:
    with file.open("a", encoding="utf-8") as more:
        more.write('\n{"conversation_id": "ana", "session_id": "s9", "turn_id": "1", "speaker": "user"}')
    assert "conversations.jsonl, line 7: text is missing" in failed("replay", file, "--db", tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_file_without_turns_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n")
    assert "holds no turns" in failed("replay", tmp_path / "empty.jsonl", "--db", tmp_path / "x.db")


# -- ask ---------------------------------------------------------------------------------------------------------


def test_ask_finds_the_turn_and_says_why(db: Path) -> None:
    shown = ok("ask", "--db", db, "--user", "ana", "What colour is my bicycle?")
    assert "red Pelican" in shown
    assert re.search(r"why best: matches .*bicycl", shown)
    assert "event:s1/s1:0/0" in shown


def test_ask_in_chinese_finds_the_chinese_turn(db: Path) -> None:
    package = read("ask", "--db", db, "--user", "梅", "我的猫叫什么名字？")
    everything = json.dumps([package["evidence"], package["recent_turns"]], ensure_ascii=False)
    assert "豆包" in everything


def test_ask_json_is_the_package_itself(db: Path) -> None:
    package, unknown = ContextPackage.read(read("ask", "--db", db, "--user", "ana", "--limit-tokens", 200, "bicycle?"))
    assert unknown == []
    assert package.constraints.token_budget.limit == 200
    assert package.session_id == "s2", "the session that spoke last goes on"


def test_ask_takes_a_session_and_a_past_moment(demo_db: Path) -> None:
    question = "我们打算住哪里？"
    then = read("ask", "--db", demo_db, "--as-of", "2026-03-09", question)
    assert then["as_of"] == "2026-03-09T23:59:59.999999Z"
    assert "町屋" not in json.dumps(then, ensure_ascii=False)
    assert then["session_id"] == "kyoto-2-kenji", "the session that was the newest then"
    named = read("ask", "--db", demo_db, "--session", "kyoto-1-first-ideas", question)
    assert named["session_id"] == "kyoto-1-first-ideas"


def test_ask_wants_to_know_whose_memory_is_meant(db: Path) -> None:
    assert "2 users (ana, 梅)" in failed("ask", "--db", db, "hello")
    assert "session 's1' belongs to 2 users" in failed("ask", "--db", db, "--session", "s1", "hello")
    assert ok("ask", "--db", db, "--session", "s2", "hello")


def test_a_user_or_session_that_is_not_there_is_named_with_the_nearest(db: Path) -> None:
    assert "no user 'anna' in this store; did you mean ana?" in failed("ask", "--db", db, "--user", "anna", "hello")
    assert "it holds 2 users (ana, 梅)" in failed("ask", "--db", db, "--user", "zzz", "hello")
    assert "no session 's7' of user 'ana'; " in failed("ask", "--db", db, "--user", "ana", "--session", "s7", "hello")


def test_an_empty_question_still_composes(db: Path) -> None:
    assert "(no text)" in ok("ask", "--db", db, "--user", "ana", "")


def test_a_session_without_a_user_is_found_by_its_name(tmp_path: Path) -> None:
    with SmartBrain.open(tmp_path / "lone.db") as brain:
        brain.commit_turn("alone", messages=[{"role": "user", "content": "my locker number is 4471"}])
        brain.commit_turn("other", messages=[{"role": "user", "content": "nothing here"}])
    package = read("ask", "--db", tmp_path / "lone.db", "--session", "alone", "--json", "locker number?")
    assert "4471" in json.dumps(package)
    assert "2 sessions (alone, other)" in failed("ask", "--db", tmp_path / "lone.db", "locker number?")


# -- show --------------------------------------------------------------------------------------------------------


def test_show_lists_the_users_with_their_counts(db: Path) -> None:
    shown = ok("show", "--db", db)
    assert "2 users, 4 turns" in " ".join(shown.split())
    assert re.search(r"ana +2 +2 +\d  2024-03-05 \.\. 2024-03-05", shown)


def test_show_tells_what_is_remembered_of_one_user(demo_db: Path) -> None:
    shown = ok("show", "--db", demo_db)
    assert "5 sessions" in " ".join(shown.split())
    assert "回答尽量简短，先给结论" in shown
    assert "Summary of kyoto-5-almost-there" in shown
    assert "retracted" not in shown
    assert "older version" in shown, "of two decisions under one key only the newest holds"


def test_show_history_and_type_choose_what_is_shown(demo_db: Path) -> None:
    def statuses(*options: str) -> list[str]:
        return [item["status"] for item in read("show", "--db", demo_db, *options)[0]["memories"]]

    assert set(statuses()) == {"active"}
    assert set(statuses("--history")) == {"active", "superseded", "retracted"}
    assert sorted(statuses("--history", "--type", "tasks")) == ["active"] * 3 + ["superseded"] * 5
    assert "unknown memory type 'task'; the types are profile" in failed("show", "--db", demo_db, "--type", "task")


def test_show_of_one_session_leaves_the_others_out(demo_db: Path) -> None:
    (view,) = read("show", "--db", demo_db, "--session", "kyoto-2-kenji")
    assert [session["session_id"] for session in view["sessions"]] == ["kyoto-2-kenji"]
    assert {item["source_session_id"] for item in view["memories"]} == {"kyoto-2-kenji"}
    assert view["summary"]["session_id"] == "kyoto-2-kenji"


# -- why ---------------------------------------------------------------------------------------------------------


def memory(db: Path, key: str, status: str = "active") -> str:
    (view,) = read("show", "--db", db, "--history")
    return next(i["id"] for i in view["memories"] if (i["key"], i["status"]) == (key, status))


def test_why_tells_a_memorys_words_verdicts_and_history(demo_db: Path) -> None:
    shown = ok("why", memory(demo_db, "goal:kyoto:spring_trip"), "--db", demo_db)
    assert "晚上好！我想四月初带爸妈去京都看樱花" in shown
    assert "rule goals_given" in shown
    replaced = ok("why", memory(demo_db, "task:kyoto:visa"), "--db", demo_db)
    assert [status in replaced for status in ("[待办]", "[进行中]", "[已完成]")] == [True] * 3
    retracted = ok("why", memory(demo_db, "profile:妈妈", "retracted"), "--db", demo_db)
    assert "mixed up: mum does eat seafood" in retracted


def test_why_of_a_memory_is_complete_for_a_machine(demo_db: Path) -> None:
    name = memory(demo_db, "task:kyoto:visa")
    found = read("why", name, "--db", demo_db)
    assert (found["kind"], found["explanation"]["item"]["id"]) == ("memory", name)
    assert [item["value"]["status"] for item in found["history"]] == ["todo", "doing", "done"]


def test_why_of_evidence_shows_the_turn_verbatim(db: Path) -> None:
    name = "event:s1/s1:0/0"
    assert "is a turn of 2 users (ana, 梅" not in ok("why", name, "--db", db, "--user", "ana")
    assert "My bicycle is a red Pelican" in ok("why", name, "--db", db, "--user", "ana")
    assert "is a turn of 2 users" in failed("why", name, "--db", db)
    assert read("why", "smartbrain://turn/s2/s2%3A2", "--db", db)["turn"]["turn_id"] == "s2:2"


def test_why_of_a_turn_tells_what_was_not_kept_of_it_and_why(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    with SmartBrain.open(path) as brain:
        for number, text in enumerate(["Should I switch to Vim?", "我妈说我应该吃素。我叫张曼婷。", "hello"]):
            brain.commit_turn(
                "s", messages=[{"id": "m", "role": "user", "content": text}], turn_id=f"t{number}", user_id="u"
            )
    asked = " ".join(ok("why", "smartbrain://turn/s/t0", "--db", path).split())
    assert "skipped: a question" in asked
    assert "rule rules.cue, at 0-23 of m: “Should I switch to Vim?”" in asked
    told = " ".join(ok("why", "event:s/t1/0", "--db", path).split())
    assert "skipped: somebody else's words" in told
    assert "张曼婷 written: the user said it plainly" in told
    assert "rule profile_said, found by rules.name" in told
    assert "nothing in it looked like something to keep" in ok("why", "smartbrain://turn/s/t2", "--db", path)
    found = read("why", "smartbrain://turn/s/t1", "--db", path)
    assert [verdict["action"] for verdict in found["verdicts"]] == ["skipped", "written"]


def test_why_of_a_context_shows_it_again(db: Path) -> None:
    package = read("ask", "--db", db, "--user", "ana", "What colour is my bicycle?")
    shown = ok("why", package["context_id"], "--db", db)
    assert "What colour is my bicycle?" in shown
    assert "red Pelican" in shown
    assert read("why", package["context_id"], "--db", db)["package"]["context_id"] == package["context_id"]


def test_an_id_that_nothing_has_is_an_error(db: Path) -> None:
    assert "nothing is called 'mem_0'" in failed("why", "mem_0", "--db", db)


# -- schema, version, errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*CONTRACTS, "ContextPackage"])
def test_every_contract_has_a_schema(name: str) -> None:
    assert json.loads(run("schema", name).stdout)["type"] == "object"


def test_schemas_are_listed_and_an_unknown_name_lists_them() -> None:
    listed = ok("schema")
    assert all(name in listed for name in CONTRACTS)
    assert all(name in failed("schema", "nothing") for name in CONTRACTS)


def test_the_version_is_the_packages() -> None:
    assert ok("--version") == f"smartbrain {smartbrain.__version__}\n"


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    for command in (["ask", "hello"], ["show"], ["why", "mem_1"]):
        assert "there is no store at" in failed(*command, "--db", tmp_path / "typo.db")
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_a_store_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    assert "not a SQLite database" in failed("show", "--db", tmp_path / "notes.txt")
    assert "it is a folder" in failed("show", "--db", tmp_path)


def test_wrong_numbers_and_moments_are_clear_errors(db: Path) -> None:
    assert "token_limit" in failed("ask", "--db", db, "--user", "ana", "--limit-tokens", "0", "hello")
    assert "--as-of must be" in failed("ask", "--db", db, "--user", "ana", "--as-of", "soon", "hello")


def test_without_the_extra_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "pip install 'smartbrain[cli]'" in said.err


def test_remembered_text_cannot_steer_the_terminal_or_break_the_output(tmp_path: Path) -> None:
    nasty = "bold [red]markup[/red] \x1b[2Jcleared \udc80 lone \u202eback zażółć"
    with SmartBrain.open(tmp_path / "odd.db") as brain:
        brain.commit_turn("s", messages=[{"role": "user", "content": nasty}], user_id="u", turn_id="t")
    shown = ok("ask", "--db", tmp_path / "odd.db", "zażółć markup")
    assert "[red]markup[/red]" in shown
    assert "\x1b" not in shown
    package = read("ask", "--db", tmp_path / "odd.db", "zażółć markup")
    assert package["recent_turns"][0]["message"]["content"] == nasty


# -- layout ------------------------------------------------------------------------------------------------------


def test_chinese_breaks_between_characters_and_keeps_its_stops() -> None:
    assert wrap("我们四月去京都，看樱花。", 10) == ["我们四月去", "京都，看樱", "花。"]
    assert wrap("我们四月去京，看樱花", 12) == ["我们四月去", "京，看樱花"], "no line begins with a stop"


def test_english_breaks_at_blanks_and_long_words_are_cut() -> None:
    assert wrap("a quick brown fox", 8) == ["a quick", "brown", "fox"]
    assert wrap("x" * 10, 4) == ["xxxx", "xxxx", "xx"]


def test_clipping_ends_in_an_ellipsis_within_the_width() -> None:
    assert clipped("一二三四五六七八", 8, 1) == ["一二三…"]
    assert clipped("short", 8, 1) == ["short"]


@pytest.mark.parametrize("text", ["a\x00b", "a\x1bb", "a\x9bb", "a\u202eb"])
def test_what_a_terminal_cannot_show_is_a_mark(text: str) -> None:
    assert safe(text) == "a�b"


def test_forget_counts_first_and_deletes_with_yes(tmp_path: Path) -> None:
    db = tmp_path / "brain.db"
    with SmartBrain.open(db) as brain:
        for user in ("ann", "ben"):
            for session in ("s1", "s2"):
                brain.commit_turn(session, messages=[{"role": "user", "content": f"{session} pangolin"}], user_id=user)
    assert "Nothing was deleted" in ok("forget", "--db", db, "--user", "ann")
    assert read("forget", "--db", db, "--user", "ann")["counts"]["turns"] == 2
    told = read("forget", "--db", db, "--user", "ann", "--session", "s1", "--yes")
    assert (told["counts"]["turns"], told["dry_run"]) == (1, False)
    assert "Deleted" in ok("forget", "--db", db, "--user", "ann", "--query", "pangolin", "--yes")
    assert "no user 'ann'" in failed("forget", "--db", db, "--user", "ann")
    assert read("forget", "--db", db, "--user", "ben", "--item", "nothing")["counts"]["turns"] == 0
    assert "nothing to forget" in ok("forget", "--db", db, "--user", "ben", "--query", "unheard", "--yes")
    with SmartBrain.open(db) as brain:
        assert len(brain.sessions(user_id="ben")) == 2


def test_forget_must_be_told_whose_memory(tmp_path: Path) -> None:
    db = tmp_path / "brain.db"
    with SmartBrain.open(db) as brain:
        brain.commit_turn("s1", messages=[{"role": "user", "content": "hello"}])
    assert "--user" in failed("forget", "--db", db)
    assert "not both" in failed("forget", "--db", db, "--session", "s1", "--item", "a", "--query", "b")
    assert read("forget", "--db", db, "--session", "s1", "--yes")["counts"]["turns"] == 1


def test_changes_and_undo_tell_what_became_of_memory(tmp_path: Path) -> None:
    db = tmp_path / "brain.db"
    theme = {"scope": "ui", "name": "theme", "confirmed": True}
    with SmartBrain.open(db) as brain:
        for day, value in ((1, "dark"), (2, "light")):
            for user in ("ann", "ben"):
                brain.commit_turn(
                    "s",
                    {"preferences": [{**theme, "value": value}]},
                    turn_id=f"t{day}",
                    user_id=user,
                    occurred_at=f"2026-03-0{day}T10:00:00+00:00",
                )
    told = ok("changes", "--db", db, "--user", "ann", "--since", "2026-03-02", "--until", "2026-03-02")
    assert "value: dark -> light" in told
    assert "1 changed" in told
    assert "nothing changed" in ok("changes", "--db", db, "--user", "ann", "--since", "2026-03-03")
    assert "1 gained" in ok("changes", "--db", db, "--user", "ann", "--since", "2026-03-01", "--until", "2026-03-01")
    assert "--since must be" in failed("changes", "--db", db, "--user", "ann", "--since", "yesterday")
    assert "say which: --user ann --session s" in failed("undo", "t2", "--db", db)
    shown = ok("undo", "t2", "--db", db, "--user", "ann", "--reason", "a slip")
    assert "in force again: 1 memory" in shown
    assert "was undone at" in failed("undo", "t2", "--db", db, "--user", "ann")
    assert "no turn 'nothing'" in failed("undo", "nothing", "--db", db)
    assert read("undo", "t1", "--db", db, "--user", "ben")["left"]
    assert "undone" in ok("why", "smartbrain://turn/s/t2", "--db", db, "--user", "ann")
    with SmartBrain.open(db) as brain:
        assert [item.value["value"] for item in brain.memories(user_id="ann")] == ["dark"]
        assert [item.value["value"] for item in brain.memories(user_id="ben")] == ["light"]


def test_a_turn_of_a_lone_session_is_undone(tmp_path: Path) -> None:
    db = tmp_path / "brain.db"
    with SmartBrain.open(db) as brain:
        brain.commit_turn("s1", {"goals": [{"name": "rest", "description": "Rest"}]}, turn_id="t1")
    assert "taken back: 1 memory" in ok("undo", "t1", "--db", db)


def test_prune_shows_first_and_deletes_what_is_past_its_time(tmp_path: Path) -> None:
    db, config, empty = tmp_path / "brain.db", tmp_path / "brain.yml", tmp_path / "empty.yml"
    config.write_text("policies:\n  retention:\n    ttl:\n      - {type: tasks, days: 30}\n")
    empty.write_text("")
    with SmartBrain.open(db) as brain:
        for user in ("ann", "ben"):
            events = {"tasks": [{"task_id": "ship", "title": "Ship it"}], "goals": [{"description": "Rest"}]}
            brain.commit_turn("s", events, user_id=user, occurred_at="2020-01-01T10:00:00+00:00")
        brain.commit_turn("lone", {"tasks": [{"title": "Old"}]}, occurred_at="2020-01-01T10:00:00+00:00")
    assert "add rules under policies.retention.ttl" in failed("prune", "--db", db, "--config", empty)
    told = ok("prune", "--db", db, "--config", config, "--user", "ann", "--dry-run")
    assert "tasks are kept 30 days" in told
    assert "without --dry-run" in told
    assert "Ship it" in ok("show", "--db", db, "--user", "ann")
    assert "Ship it" not in ok("show", "--db", db, "--user", "ann", "--config", config)
    assert "expired" in ok("show", "--db", db, "--user", "ann", "--config", config, "--history")
    assert "Deleted" in ok("prune", "--db", db, "--config", config, "--user", "ann")
    receipts = read("prune", "--db", db, "--config", config)
    assert [(one["owner"], one["counts"]["items"]) for one in receipts] == [("ann", 0), ("ben", 1), ("lone", 1)]
    assert "Nothing is past its time" in ok("prune", "--db", db, "--config", config)
