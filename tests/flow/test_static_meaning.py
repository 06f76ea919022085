"""The embedder that is always there: what a brain that is opened without one finds by meaning, in two languages."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

OFF = {"policies": {"retrieval": {"static": {"enabled": False}}}}

ENGLISH = (
    "We watched a movie about whales last night",
    "My doctor says I should sleep more",
    "The supermarket was out of milk again",
    "I play the violin in a small orchestra",
    "My sister moved to Berlin for her studies",
    "The dog was sick, so we called the vet",
    "I paid the electricity bill yesterday",
    "We planted tomatoes in the garden",
)
CHINESE = (
    "昨晚我们看了一部关于鲸鱼的电影",
    "医生说我应该多睡觉",
    "超市里的牛奶又卖完了",
    "我在一个小乐团里拉小提琴",
    "我妹妹搬到柏林去读书了",
    "狗生病了，所以我们叫了兽医",
    "我昨天交了电费",
    "我们在花园里种了番茄",
)
ASKED_IN_CHINESE = (
    "我们看了什么电影？", "医生对我说了什么？", "超市里缺什么？", "我会什么乐器？",
    "我妹妹搬到哪里去了？", "狗怎么了？", "我什么时候交的电费？", "花园里种了什么？",
)  # fmt: skip
ASKED_IN_ENGLISH = (
    "Which film did we see?", "What did the physician tell me?", "What was missing in the supermarket?",
    "Which instrument do I play?", "Where did my sister move?", "What happened to the dog?",
    "When did I pay for electricity?", "What grows in the garden?",
)  # fmt: skip


def say(brain, *texts, session="s"):
    for number, text in enumerate(texts):
        brain.commit_turn(session, messages=[{"role": "user", "content": text}], turn_id=f"t{number}")


def share_found(brain, questions, answers, k=3):
    found = [
        any(answer in evidence.snippet for evidence in brain.search("s", question, k=k).evidences)
        for question, answer in zip(questions, answers, strict=True)
    ]
    return sum(found) / len(found)


@pytest.fixture
def quiet(make_brain):
    """A brain that keeps what is said and makes nothing of it."""
    return lambda *target, **settings: make_brain(*target, **{"rules": (), **settings})


@pytest.mark.parametrize(
    ("said", "asked"), [(ENGLISH, ASKED_IN_CHINESE), (CHINESE, ASKED_IN_ENGLISH)], ids=["zh→en", "en→zh"]
)
def test_seven_of_eight_questions_in_the_other_language_find_their_answer_among_three(quiet, said, asked):
    brain = quiet()
    say(brain, *said)
    assert share_found(brain, asked, said) >= 7 / 8
    plain = quiet(config=OFF)
    say(plain, *said)
    assert share_found(plain, asked, said) == 0


@pytest.mark.parametrize(("said", "asked"), [(ENGLISH, ASKED_IN_ENGLISH), (CHINESE, ASKED_IN_CHINESE)])
def test_in_a_store_of_both_languages_a_question_still_finds_the_answer_in_its_own(quiet, said, asked):
    brain = quiet()
    other = CHINESE if said is ENGLISH else ENGLISH
    say(brain, *(text for pair in zip(other, said, strict=True) for text in pair))
    assert share_found(brain, asked, said) >= 7 / 8


def test_the_signals_say_which_word_led_to_which(quiet):
    brain = quiet()
    say(brain, *ENGLISH)
    first = brain.search("s", "我们看了什么电影？").evidences[0]
    assert first.snippet == ENGLISH[0]
    assert any(reason.startswith("电影 ~ movie .") for reason in first.signals.matched)
    assert first.signals.parts["across"] > 0


def test_vectors_are_made_in_the_commit_and_nothing_waits(quiet):
    brain = quiet()
    say(brain, *ENGLISH)
    state = brain.diagnostics()["semantic"]
    assert (state["embed_in"], state["backlog"]) == ("commit", 0)
    assert state["model"].startswith("smartbrain-static-")
    assert brain.catch_up() == 0


def test_it_can_be_switched_off(quiet):
    brain = quiet(config=OFF)
    say(brain, *ENGLISH)
    assert brain.diagnostics()["semantic"] is None
    assert "meaning" not in brain.search("s", "movie").evidences[0].signals.parts


def test_a_question_of_unknown_words_costs_no_warning(quiet):
    brain = quiet()
    say(brain, "the code is XQ7731Z", *ENGLISH)
    pack = brain.search("s", "XQ7731Z")
    assert pack.warnings == ()
    assert pack.evidences[0].snippet == "the code is XQ7731Z"
    assert brain.diagnostics()["metrics"]["counts"].get("embedder_failures", 0) == 0


def test_what_means_nothing_near_is_not_brought(quiet):
    brain = quiet()
    say(brain, "zebra")
    assert brain.search("s", "kettle").evidences == ()


def test_a_store_from_before_answers_at_once_and_catches_up(quiet, tmp_path):
    with quiet(tmp_path / "old.db", config=OFF) as before:
        say(before, *ENGLISH)
    brain = quiet(tmp_path / "old.db")
    assert brain.search("s", "violin").evidences[0].snippet == ENGLISH[3]
    brain._shop.vectors.close()  # what the background did not reach
    brain.catch_up()
    assert brain.diagnostics()["semantic"]["backlog"] == 0
    assert brain.search("s", "我会什么乐器？").evidences[0].snippet == ENGLISH[3]


def test_traditional_characters_mean_what_simplified_ones_do(quiet):
    brain = quiet()
    say(brain, *ENGLISH)
    assert brain.search("s", "醫生對我說了什麼？").evidences[0].snippet == ENGLISH[1]


def test_a_commit_makes_the_vectors_of_its_own_messages_and_of_those_that_had_none(quiet, tmp_path):
    turns = [[{"role": "user", "content": text}] for text in ENGLISH]
    turns.append(
        [{"role": "user", "name": "Ann", "content": "我养了一只猫"}, {"role": "assistant", "content": "Lovely!"}]
    )
    blocks = []
    for name, config in (("late", OFF), ("early", {})):
        for wanted, begin in ((config, 0), ({}, len(ENGLISH))):
            brain = quiet(tmp_path / f"{name}.db", config=wanted)
            for number, messages in enumerate(turns[:-1] if not begin else turns[-1:], begin):
                brain.commit_turn("s", messages=messages, turn_id=f"t{number}")
            brain.close()
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as store:
            blocks.append(store.execute("SELECT ord, language, block FROM vectors ORDER BY ord").fetchall())
    assert len(blocks[1]) == len(ENGLISH) + 2
    assert blocks[0] == blocks[1]
