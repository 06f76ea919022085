"""Sets of labelled questions: reading them, gold, noise, samples, and what a question may know."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from smartbrain.config import BrainConfig
from smartbrain.errors import ConfigError, InputError
from smartbrain.evaluation.datasets import Line, as_turns
from smartbrain.evaluation.modes import MODES, EvalMode, mode_named
from smartbrain.evaluation.questions import Dataset, Question, load_dataset
from smartbrain.evaluation.timeline import Timeline


def said(
    turn: str, session: str = "s1", day: int | None = 1, text: str = "words", conversation: str = "c", **more: Any
):
    time = None if day is None else datetime(2024, 5, day, 10, tzinfo=UTC)
    return Line(1, conversation, session, turn, "user", text, time, more=more)


def asked(name: str = "q", **fields: Any) -> Question:
    return Question(**{"conversation_id": "c", "question_id": name, "question": "What was said?", **fields})


def write(folder: Path, **files: list[dict[str, Any]]) -> Path:
    for name, rows in files.items():
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return folder


TURN = {"conversation_id": "c", "session_id": "s", "turn_id": "t", "speaker": "user", "text": "words"}
ASK = {"conversation_id": "c", "question_id": "q", "question": "What?", "evidence_turn_ids": ["t"]}


def test_a_set_is_read_from_its_folder(tmp_path: Path) -> None:
    found = load_dataset(write(tmp_path, conversations=[TURN], questions=[ASK], noise_pool=[{"text": "hm"}]))
    assert found.name == tmp_path.name
    assert [line.turn_id for line in found.lines] == ["t"]
    assert found.questions[0].gold_turns == ("t",)
    assert found.noise_pool == ("hm",)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"question": 7}, "line 1: question"),
        ({"question": " "}, "line 1: question is empty"),
        ({"question_time": "soon"}, "line 1: question_time"),
        ({"evidence_turn_ids": ["t", "nine"]}, "turn 'nine'"),
        ({"evidence_session_ids": ["z"]}, "session 'z'"),
        ({"conversation_id": "elsewhere", "evidence_turn_ids": []}, "conversation 'elsewhere'"),
    ],
)
def test_a_malformed_question_is_named(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        load_dataset(write(tmp_path, conversations=[TURN], questions=[{**ASK, **change}]))


def test_a_folder_that_is_none_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        load_dataset(tmp_path / "missing")


def test_a_corrected_list_stands_for_the_gold_turns_and_their_sessions_even_when_empty() -> None:
    lines = (said("t1", "s1"), said("t2", "s2"))
    moved = asked(evidence_turn_ids=("t1",), evidence_session_ids=("s1",), evidence_turn_ids_corrected=("t2",))
    none = moved.model_copy(update={"evidence_turn_ids_corrected": ()})
    dataset = Dataset("d", lines, (moved, none))
    assert (moved.gold_turns, dataset.gold_sessions(moved)) == (("t2",), ("s2",))
    assert (none.gold_turns, dataset.gold_sessions(none)) == ((), ())


def test_an_answer_may_be_a_number_and_its_correction_comes_first() -> None:
    assert asked(answer=2022).expected == "2022"
    assert asked(answer=2022, answer_corrected="2021").expected == "2021"
    assert asked().expected == ""


def test_noise_is_mixed_in_at_places_that_only_the_seed_and_the_conversation_decide() -> None:
    lines = tuple(said(f"t{n}", f"s{n // 4}", day=1 + n, conversation=c) for c in ("c", "e") for n in range(12))
    dataset = Dataset("d", lines, (asked(),), noise_pool=tuple(f"noise {n}" for n in range(60)))
    noisy = dataset.with_noise(seed=1, count=20)
    assert Counter(line.conversation_id for line in noisy.lines) == {"c": 32, "e": 32}
    assert [line for line in noisy.lines if not line.turn_id.startswith("noise:")] == list(lines)
    assert noisy.lines == dataset.with_noise(seed=1, count=20).lines
    assert noisy.lines != dataset.with_noise(seed=2, count=20).lines
    alone = Dataset("d", lines[:12], (asked(),), noise_pool=dataset.noise_pool).with_noise(seed=1, count=20)
    assert alone.lines == noisy.lines[:32]
    mixed = [line for line in noisy.lines if line.turn_id.startswith("noise:")]
    assert len({(line.conversation_id, line.session_id) for line in mixed}) == 40
    for before, line in itertools.pairwise(alone.lines):
        if line in mixed:
            assert line.session_time == before.session_time
    with pytest.raises(InputError, match="60 utterances, 61 needed"):
        dataset.with_noise(count=61)


def test_a_sample_keeps_the_order_and_drops_conversations_nobody_asks_about() -> None:
    lines = tuple(said("t", conversation=f"c{n}") for n in range(20))
    questions = tuple(asked(f"q{n:02d}", conversation_id=f"c{n}") for n in range(20))
    dataset = Dataset("d", lines, questions)
    some = dataset.sample(5)
    names = [question.question_id for question in some.questions]
    assert len(names) == 5
    assert names == sorted(names)
    assert some.sampled_from == 20
    assert {line.conversation_id for line in some.lines} == {q.conversation_id for q in some.questions}
    assert some.questions == dataset.sample(5).questions
    assert dataset.sample(20) is dataset


def bounds(lines: list[Line], question: Question) -> Any:
    return Timeline(lines, list(as_turns(lines))).bounds(question)


def test_a_question_with_a_time_knows_the_whole_day_it_was_asked_on() -> None:
    lines = [said("t1", day=1), said("t2", "s2", day=3)]
    found = bounds(lines, asked(question_time=datetime(2024, 5, 3, 8, tzinfo=UTC)))
    assert found.as_of == datetime(2024, 5, 3, 23, 59, 59, 999999, tzinfo=UTC)
    assert bounds(lines, asked()).as_of is None


def test_a_time_is_no_limit_where_lines_have_none() -> None:
    lines = [said("t1", day=1), said("t2", "s2", day=None)]
    assert bounds(lines, asked(question_time=datetime(2024, 5, 3, tzinfo=UTC))).as_of is None


def test_only_sessions_before_the_asking_one_count_whatever_their_dates() -> None:
    lines = [
        said("a", "s0", day=5, session_seq=0),
        said("b", "s1", day=9, session_seq=1),
        said("c", "s2", day=7, session_seq=2),
        said("d", "s3", day=11, session_seq=3),
    ]
    found = bounds(lines, asked(as_of_session_seq=2))
    assert found.late == {"s2", "s3"}
    assert found.as_of == datetime(2024, 5, 9, 10, tzinfo=UTC)
    first = bounds(lines, asked(as_of_session_seq=0))
    assert first.as_of is not None
    assert first.as_of < datetime(2024, 5, 5, 10, tzinfo=UTC)


def test_a_question_is_asked_before_later_sessions_are_there_whatever_their_dates() -> None:
    lines = [
        said("a", "s0", day=5, session_seq=0),
        said("b", "s1", day=9, session_seq=1),
        said("c", "s2", day=7, session_seq=2),
        said("d", "s3", day=11, session_seq=3),
    ]
    late, early, free = asked(as_of_session_seq=3), asked(as_of_session_seq=1), asked()
    steps = list(Timeline(lines, list(as_turns(lines))).steps([late, free, early]))
    assert [[turn.turn_id for turn in told] for told, _ in steps] == [["a"], ["b", "c"], ["d"]]
    assert [questions for _, questions in steps] == [[early], [late], [free]]


def test_gold_that_is_later_than_its_question_is_counted() -> None:
    lines = [said("t1", day=1), said("t2", "s2", day=9)]
    timeline = Timeline(lines, list(as_turns(lines)))
    question = asked(question_time=datetime(2024, 5, 3, tzinfo=UTC), evidence_turn_ids=("t1", "t2"))
    assert timeline.out_of_reach(question, timeline.bounds(question)) == 1


def test_a_mode_lays_its_settings_over_the_configuration() -> None:
    mine = BrainConfig.load({"policies": {"retrieval": {"top_k": 7, "lexical": {"k1": 2.0}}}})
    plain = mode_named("bm25").configured(mine).policies.retrieval
    assert (plain.top_k, plain.lexical.k1, plain.lexical.neighbours) == (7, 2.0, False)
    assert mode_named("default").configured(mine) is mine
    for mode in MODES.values():
        mode.configured(BrainConfig())
    with pytest.raises(ConfigError):
        EvalMode("wrong", settings={"policies": {"no_such": 1}}).configured(mine)
    with pytest.raises(InputError, match="the modes are default, lexical"):
        mode_named("magic")
