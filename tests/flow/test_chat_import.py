"""Chats of other programs in a store: with their own times, each once, whole, and of one person only."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from smartbrain import SmartBrain
from smartbrain.errors import InputError, ScopeError
from smartbrain.testing.fakes import ManualClock

Make = Callable[..., SmartBrain]
START = datetime(2024, 5, 1, 9, tzinfo=UTC)


def chat(name: str, *said: tuple[str, str], start: datetime = START, **more: Any) -> dict[str, Any]:
    """A conversation as ChatGPT exports it: of (role, text), a minute apart."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    parent = "root"
    for number, (role, text) in enumerate(said):
        node = f"{name}-{number}"
        message = {
            "id": node,
            "author": {"role": role},
            "create_time": (start + timedelta(minutes=number)).timestamp(),
            "content": {"content_type": "text", "parts": [text]},
            "recipient": "all",
            "metadata": {},
        }
        mapping[node] = {"id": node, "message": message, "parent": parent, "children": []}
        parent = node
    return {
        "id": name,
        "title": name,
        "create_time": start.timestamp(),
        "mapping": mapping,
        "current_node": parent,
        **more,
    }


LISBON = [
    ("user", "I live in Lisbon."),
    ("assistant", "Nice."),
    ("user", "What is the capital of Peru?"),
    ("assistant", "Lima."),
]
PORTO = [("user", "I moved to Porto."), ("assistant", "Good luck!")]


def save(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two chats, the newer one first, as the program orders them."""
    later = chat("porto", *PORTO, start=START + timedelta(days=30))
    return save(tmp_path / "conversations.json", [later, chat("lisbon", *LISBON)])


def test_chats_become_sessions_with_their_own_times(make_brain: Make, file: Path) -> None:
    brain = make_brain()
    report = brain.import_chats(file, user_id="ann")
    assert (report.format, report.chats, report.turns, report.messages, report.new) == ("chatgpt", 2, 3, 6, 3)
    lisbon, porto = brain.sessions(user_id="ann")
    assert (lisbon.session_id, lisbon.turns, lisbon.first_at) == ("chatgpt:lisbon", 2, START)
    assert (porto.session_id, porto.first_at) == ("chatgpt:porto", START + timedelta(days=30))
    first, *_ = brain.recall_history("chatgpt:lisbon", user_id="ann", turn_ids=["lisbon-0"])
    assert [message.created_at for message in first.messages] == [START, START + timedelta(minutes=1)]
    assert first.meta == {"imported_from": "chatgpt", "title": "lisbon"}


def test_what_was_said_later_wins_whatever_the_order_of_the_file(make_brain: Make, file: Path) -> None:
    brain = make_brain()
    report = brain.import_chats(file, user_id="ann")
    assert report.memories_written >= 2
    now = " ".join(item.text for item in brain.memories(user_id="ann"))
    assert "Porto" in now
    assert "Lisbon" not in now
    then = brain.memories(user_id="ann", as_of=START + timedelta(days=1))
    assert "Lisbon" in " ".join(item.text for item in then)
    assert brain.search(None, "capital of Peru", user_id="ann").evidences[0].snippet


def test_importing_again_adds_nothing_and_a_longer_file_adds_what_is_new(
    make_brain: Make, file: Path, tmp_path: Path, clock: ManualClock
) -> None:
    brain = make_brain()
    brain.import_chats(file, user_id="ann")
    before = brain.memories(user_id="ann", status=None)
    clock.advance(3600)
    again = brain.import_chats(file, user_id="ann")
    assert (again.new, again.revised, again.unchanged) == (0, 0, 3)
    assert brain.memories(user_id="ann", status=None) == before
    longer = save(tmp_path / "new.json", [chat("lisbon", *LISBON, ("user", "Thanks"), ("assistant", "Bye"))])
    grown = brain.import_chats(longer, user_id="ann")
    assert (grown.new, grown.revised, grown.unchanged) == (1, 0, 2)


def test_an_answer_that_was_made_anew_is_a_revision(make_brain: Make, file: Path, tmp_path: Path) -> None:
    brain = make_brain()
    brain.import_chats(file, user_id="ann")
    other = save(
        tmp_path / "new.json", [chat("porto", PORTO[0], ("assistant", "Enjoy!"), start=START + timedelta(days=30))]
    )
    assert brain.import_chats(other, user_id="ann").revised == 1
    (turn,) = brain.recall_history("chatgpt:porto", user_id="ann", turn_ids=["porto-0"])
    assert (turn.revision, turn.messages[1].text) == (2, "Enjoy!")


def test_chats_stay_with_the_user_they_were_imported_for(make_brain: Make, file: Path) -> None:
    brain = make_brain()
    brain.import_chats(file, user_id="ann")
    brain.import_chats(
        file,
        domain_id="acme",
        scope_context={"read": [{"type": "project", "id": "x"}], "write": [{"type": "project", "id": "x"}]},
    )
    assert brain.sessions(user_id="bob") == []
    assert len(brain.sessions(user_id="ann")) == 2
    with pytest.raises(ScopeError):
        brain.import_chats(file)


def test_tool_calls_come_with_their_results(make_brain: Make, tmp_path: Path) -> None:
    said = [
        {"role": "user", "content": "Time?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "clock", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "noon"},
    ]
    brain = make_brain()
    report = brain.import_chats(save(tmp_path / "m.json", said), user_id="ann")
    (session,) = brain.sessions(user_id="ann")
    (turn,) = brain.recall_history(session.session_id, user_id="ann", since="2000-01-01T00:00:00Z")
    assert [(call.name, call.result, call.status) for call in turn.tool_calls] == [("clock", "noon", "ok")]
    assert [message.role for message in turn.messages] == ["user", "assistant", "tool"]
    assert report.untimed == 1


def test_what_has_no_time_gets_that_of_the_import_and_is_imported_once(
    make_brain: Make, tmp_path: Path, clock: ManualClock
) -> None:
    brain = make_brain()
    file = save(tmp_path / "m.json", [{"role": "user", "content": "no time"}])
    assert brain.import_chats(file, user_id="ann").untimed == 1
    at = clock.now()
    clock.advance(60)
    assert brain.import_chats(file, user_id="ann").unchanged == 1
    assert [session.first_at for session in brain.sessions(user_id="ann")] == [at]


def test_lines_and_archives_are_read_as_well(make_brain: Make, tmp_path: Path, file: Path) -> None:
    brain = make_brain()
    lines = tmp_path / "messages.jsonl"
    lines.write_text(
        '\ufeff{"role": "user", "content": "one", "session_id": "s"}\n\n{"role": "assistant", "content": "two", "session_id": "s"}\n',
        "utf-8",
    )
    report = brain.import_chats(lines, user_id="ann")
    assert (report.format, report.turns, report.messages) == ("openai", 1, 2)
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(file, "folder/conversations-000.json")
        packed.writestr("folder/conversations-001.json", json.dumps([chat("more", *PORTO)]))
        packed.writestr("user.json", "{}")
    assert brain.import_chats(archive, user_id="bob").chats == 3


def test_a_file_of_several_people_is_one_persons_only_if_it_is_said_whose(make_brain: Make, tmp_path: Path) -> None:
    brain = make_brain()
    memories = [
        {"id": n, "memory": f"likes tea {n}", "user_id": n, "created_at": "2024-01-01T00:00:00Z"}
        for n in ("ann", "bob")
    ]
    file = save(tmp_path / "mem0.json", {"results": memories})
    with pytest.raises(InputError, match="2 people"):
        brain.import_chats(file, user_id="ann")
    with pytest.raises(InputError, match="nothing of 'eve'"):
        brain.import_chats(file, user_id="ann", owner="eve")
    assert brain.import_chats(file, user_id="ann", owner="ann").turns == 1
    assert "bob" not in str(brain.recall_history(None, user_id="ann", since="2000-01-01T00:00:00Z"))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"\xff\xfe", "not UTF-8"),
        (b"{", "not JSON"),
        (b'{"a": 1}\n{"b": ', "line 2: not JSON"),
        (b'{"a": 1}', "format is not known"),
        (b'{"format":"smartbrain-export","version":1}\n', r"import it with import_\(\)"),
        (b"PK\x05\x06" + bytes(18), "no conversations.json"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_error_and_nothing_is_written(
    make_brain: Make, tmp_path: Path, content: bytes, why: str
) -> None:
    brain = make_brain()
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError, match=why):
        brain.import_chats(path, user_id="ann")
    with pytest.raises(InputError, match="cannot read"):
        brain.import_chats(tmp_path / "nothing", user_id="ann")
    assert brain.sessions(user_id="ann") == []


def test_a_format_that_is_named_is_not_guessed(make_brain: Make, tmp_path: Path) -> None:
    file = save(tmp_path / "m.json", [{"role": "user", "content": "hi"}])
    assert make_brain().import_chats(file, user_id="ann", format="langchain").skipped == {"message of type 'None'": 1}
    with pytest.raises(InputError, match="no format 'telegram'"):
        make_brain().import_chats(file, user_id="ann", format="telegram")


def test_progress_counts_turns(make_brain: Make, tmp_path: Path) -> None:
    said = [(role, f"{n}") for n in range(300) for role in ("user", "assistant")]
    told: list[tuple[int, int]] = []
    make_brain().import_chats(
        save(tmp_path / "c.json", [chat("long", *said)]),
        user_id="ann",
        on_progress=lambda done, of: told.append((done, of)),
    )
    assert told == [(256, 300), (300, 300)]


def test_an_import_that_broke_off_is_begun_again_and_ends_equal(make_brain: Make, tmp_path: Path) -> None:
    said = [("user", f"I live in {'Lisbon' if n < 200 else 'Porto'}." if n % 100 == 0 else f"{n}") for n in range(300)]
    file = save(tmp_path / "c.json", [chat("long", *said)])
    whole, broken = make_brain(), make_brain()
    whole.import_chats(file, user_id="ann")

    def fail(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken.import_chats(file, user_id="ann", on_progress=fail)
    assert [session.turns for session in broken.sessions(user_id="ann")] == [256]
    report = broken.import_chats(file, user_id="ann")
    assert (report.unchanged, report.new, report.revised) == (256, 44, 0)
    assert broken.memories(user_id="ann", status=None) == whole.memories(user_id="ann", status=None) != []
    for brain, name in ((whole, "whole"), (broken, "broken")):
        brain.export(tmp_path / name, user_id="ann")
    one, other = ((tmp_path / name).read_bytes().partition(b"\n")[2] for name in ("whole", "broken"))
    assert one == other
