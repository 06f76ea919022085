"""Recorded conversations are read whole, in order, with their own times; a bad line is named."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from smartbrain.errors import InputError
from smartbrain.evaluation.datasets import as_turns, read_conversations

LINE = {"conversation_id": "c1", "session_id": "s1", "turn_id": "1", "speaker": "user", "text": "hello"}


def written(folder: Path, *lines: dict[str, Any] | str) -> Path:
    path = folder / "conversations.jsonl"
    path.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines), "utf-8"
    )
    return path


def numbered(*speakers: str, **more: Any) -> list[dict[str, Any]]:
    return [{**LINE, "turn_id": str(n), "speaker": who, **more} for n, who in enumerate(speakers)]


def ids(path: Path) -> list[list[str]]:
    return [[message.id for message in turn.messages] for turn in as_turns(read_conversations(path))]


def test_a_user_and_the_answers_that_follow_are_one_turn(tmp_path: Path) -> None:
    path = written(tmp_path, *numbered("user", "assistant", "user", "user", "assistant", "assistant"))
    assert ids(path) == [["0", "1"], ["2"], ["3", "4", "5"]]


def test_an_answer_does_not_join_the_turn_of_another_session(tmp_path: Path) -> None:
    path = written(tmp_path, LINE, {**LINE, "session_id": "s2", "speaker": "assistant"})
    assert [(t.session_id, len(t.messages)) for t in as_turns(read_conversations(path))] == [("s1", 1), ("s2", 1)]


def test_every_line_of_a_named_person_is_a_turn_of_its_own(tmp_path: Path) -> None:
    turns = list(as_turns(read_conversations(written(tmp_path, *numbered("Ana", "Ben", "Ana", "assistant")))))
    assert [[(m.role, m.name) for m in turn.messages] for turn in turns] == [
        [("user", "Ana")],
        [("user", "Ben")],
        [("user", "Ana")],
        [("assistant", None)],
    ]


def test_a_time_without_an_offset_is_utc_and_order_survives_within_it(tmp_path: Path) -> None:
    at = "2024-03-05T10:00:00"
    path = written(tmp_path, *numbered("Ana", "Ben", session_time=at), {**LINE, "turn_id": "x"})
    first, second, last = as_turns(read_conversations(path))
    assert first.occurred_at == datetime(2024, 3, 5, 10, tzinfo=UTC)
    assert second.occurred_at is not None
    assert timedelta(0) < second.occurred_at - first.occurred_at < timedelta(seconds=1)
    assert last.occurred_at is None


def test_sessions_of_the_same_day_keep_their_order(tmp_path: Path) -> None:
    days = [{**LINE, "session_id": s, "session_time": "2024-03-05"} for s in ("morning", "evening")]
    morning, evening = as_turns(read_conversations(written(tmp_path, *days)))
    assert morning.occurred_at is not None
    assert evening.occurred_at is not None
    assert morning.occurred_at < evening.occurred_at


def test_a_picture_is_an_image_block_whose_caption_can_be_found(tmp_path: Path) -> None:
    path = written(tmp_path, {**LINE, "text": "look", "image_caption": "a red boat"})
    (turn,) = as_turns(read_conversations(path))
    assert turn.messages[0].content == [{"type": "text", "text": "look"}, {"type": "image", "caption": "a red boat"}]
    assert turn.messages[0].text == "look\na red boat"


def test_other_fields_are_kept_in_the_message(tmp_path: Path) -> None:
    (turn,) = as_turns(read_conversations(written(tmp_path, {**LINE, "lang": "zh"})))
    assert turn.messages[0].meta == {"lang": "zh"}


def test_text_may_hold_the_separators_that_split_lines_elsewhere(tmp_path: Path) -> None:
    (line,) = read_conversations(written(tmp_path, {**LINE, "text": "one\u2028two\x85three"}))
    assert line.text == "one\u2028two\x85three"


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({**LINE, "turn_id": None}, "turn_id must be non-empty text, not null"),
        ({**LINE, "speaker": " "}, "speaker must be non-empty text"),
        ({k: v for k, v in LINE.items() if k != "session_id"}, "session_id is missing"),
        ({k: v for k, v in LINE.items() if k != "text"}, "text is missing"),
        ({**LINE, "text": 7}, "text must be text, not a number"),
        ({**LINE, "session_time": "yesterday"}, "session_time must be an ISO 8601 date or time, got 'yesterday'"),
        ({**LINE, "session_time": 1700000000}, "session_time must be an ISO 8601"),
        ({**LINE, "image_caption": []}, "image_caption must be text, not a list"),
        ("{oops", "not valid JSON"),
        ("[1]", "must be a JSON object, not a list"),
        (LINE, "turn_id '1' stands in this session already, line 1"),
    ],
)
def test_a_bad_line_is_named_with_its_file_number_and_field(tmp_path: Path, bad: Any, field: str) -> None:
    path = written(tmp_path, LINE, "", bad)
    with pytest.raises(InputError) as caught:
        read_conversations(path)
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert field in str(caught.value)


def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_conversations(tmp_path / "missing.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"text": "\xe9"}')
    with pytest.raises(InputError, match="is not UTF-8"):
        read_conversations(tmp_path / "latin.jsonl")


def test_every_shared_set_is_read_without_loss(shared_eval: Path) -> None:
    for path in sorted(shared_eval.glob("*/conversations.jsonl")):
        lines = read_conversations(path)
        turns = list(as_turns(lines))
        assert [m.id for turn in turns for m in turn.messages] == [line.turn_id for line in lines], path
        places = [(turn.conversation_id, turn.session_id, turn.turn_id) for turn in turns]
        assert len(set(places)) == len(places), path
