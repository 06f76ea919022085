"""``set``, ``reset`` and going back in a chat: the window moves, the log keeps everything."""

from __future__ import annotations

import logging

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from llama_index.core.llms import ChatMessage

from smartbrain import SmartBrain
from smartbrain_li import SmartBrainMemory


def user(text):
    return ChatMessage(role="user", content=text)


def assistant(text):
    return ChatMessage(role="assistant", content=text)


def talk(*pairs):
    return [message for asked, answered in pairs for message in (user(asked), assistant(answered))]


def contents(messages):
    return [m.content for m in messages]


def commits(brain):
    return brain.diagnostics()["metrics"]["counts"].get("commits", 0)


def test_setting_what_is_there_changes_nothing(memory, brain):
    memory.put_messages(talk(("a", "1"), ("b", "2")))
    before = commits(brain)
    memory.set(talk(("a", "1"), ("b", "2")))
    assert commits(brain) == before
    assert memory.get_all() == talk(("a", "1"), ("b", "2"))


def test_setting_more_learns_the_new_turns_alone(memory, log):
    memory.put_messages(talk(("a", "1")))
    memory.set(talk(("a", "1"), ("b", "2"), ("c", "3")))
    assert [messages[0][1] for _, messages in log()] == ["a", "b", "c"]
    assert memory.get_all() == talk(("a", "1"), ("b", "2"), ("c", "3"))


def test_two_turns_that_say_the_same_are_two_turns(memory, log):
    memory.set(talk(("yes", "ok"), ("yes", "ok")))
    memory.put_messages(talk(("yes", "ok")))
    memory.set(talk(("yes", "ok"), ("yes", "ok"), ("yes", "ok")))
    assert len(log()) == 3


def test_going_back_leaves_later_turns_in_the_log_and_out_of_the_chat(memory, log):
    memory.put_messages(talk(("a", "1"), ("b", "2"), ("c", "3")))
    memory.set(talk(("a", "1")))
    assert memory.get_all() == talk(("a", "1"))
    memory.put_messages(talk(("d", "4")))
    assert memory.get_all() == talk(("a", "1"), ("d", "4"))
    assert contents(memory.get(input="next?")) == ["a", "1", "d", "4"]
    assert [messages[0][1] for _, messages in log()] == ["a", "b", "c", "d"]


def test_another_answer_to_the_same_question_is_a_branch(memory, log):
    memory.put_messages(talk(("a", "1"), ("b", "2")))
    memory.set(talk(("a", "1"), ("b", "two")))
    memory.set(talk(("a", "1"), ("b", "two"), ("c", "3")))
    assert memory.get_all() == talk(("a", "1"), ("b", "two"), ("c", "3"))
    assert [messages[1][1] for _, messages in log()] == ["1", "2", "two", "3"]


def test_branches_of_branches_keep_the_right_turns(memory):
    memory.set(talk(("a", "1"), ("b", "2"), ("c", "3")))
    memory.set(talk(("a", "1"), ("b", "2"), ("x", "7")))
    memory.set(talk(("a", "1"), ("b", "2"), ("x", "7"), ("y", "8")))
    memory.set(talk(("a", "1"), ("b", "2"), ("z", "9")))
    assert memory.get_all() == talk(("a", "1"), ("b", "2"), ("z", "9"))


def test_a_reset_empties_the_chat_keeps_the_log_and_says_so(memory, log, caplog):
    memory.put_messages(talk(("My sister Irma plays the bassoon", "ok"), ("b", "2")))
    with caplog.at_level(logging.INFO, logger="smartbrain_li"):
        memory.reset()
    assert "2 turns left the chat window; the log keeps them" in caplog.text
    assert memory.get_all() == []
    assert all(m.role == "system" for m in memory.get())
    assert [messages[0][1] for _, messages in log()] == ["My sister Irma plays the bassoon", "b"]


def test_what_was_said_before_a_reset_is_remembered_and_not_shown_as_chat(memory):
    memory.put_messages(talk(("My sister Irma plays the bassoon", "ok"), ("b", "2")))
    memory.reset()
    first, *rest = memory.get(input="Which instrument does my sister play?")
    assert first.role == "system"
    assert "bassoon" in first.content
    assert rest == []


def test_a_reset_ends_a_turn_in_progress(memory, log):
    memory.put(user("unanswered"))
    memory.reset()
    assert memory.get_all() == []
    memory.put_messages(talk(("next", "1")))
    assert memory.get_all() == talk(("next", "1"))
    assert log()[0] == ("aborted", [("user", "unanswered")])


def test_a_reset_of_an_empty_session_writes_nothing(memory, brain):
    memory.reset()
    assert commits(brain) == 0


def test_a_reset_holds_in_another_memory_and_after_another_opening(tmp_path):
    path = tmp_path / "brain.db"
    with SmartBrain.open(path) as brain:
        memory = SmartBrainMemory.from_defaults(brain, session_id="s", on_error="raise")
        other = SmartBrainMemory.from_defaults(brain, session_id="s", on_error="raise")
        other.put_messages(talk(("a", "1")))
        memory.reset()
        assert other.get_all() == other.get() == []
    with SmartBrain.open(path) as brain:
        memory = SmartBrainMemory.from_defaults(brain, session_id="s", on_error="raise")
        assert memory.get_all() == []
        memory.put_messages(talk(("b", "2")))
        assert memory.get_all() == talk(("b", "2"))


def test_the_window_is_not_a_turn_of_the_chat(memory, brain):
    memory.put_messages(talk(("a", "1")))
    memory.reset()
    memory.put_messages(talk(("b", "2")))
    memory.reset()
    memory.put_messages(talk(("c", "3")))
    assert memory.get_all() == talk(("c", "3"))
    assert contents(memory.get(input="?"))[-2:] == ["c", "3"]


def test_a_history_of_tool_messages_is_compared_by_what_was_shown(memory, log):
    from smartbrain_li.testing import tool_call

    result = ChatMessage(role="tool", content="sunny", additional_kwargs={"tool_call_id": "c1"})
    memory.put_messages([user("w?"), tool_call("weather"), result, assistant("It is sunny.")])
    memory.set(talk(("w?", "It is sunny. "), ("thanks", "welcome")))
    assert [len(messages) for _, messages in log()] == [4, 2]


words = st.sampled_from(["a", "b", "yes"])
histories = st.lists(st.tuples(words, words), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(steps=st.lists(histories, min_size=1, max_size=4))
def test_after_set_the_chat_is_what_was_set_and_no_turn_is_ever_lost(steps):
    with SmartBrain.open() as brain:
        memory = SmartBrainMemory.from_defaults(brain, session_id="s", on_error="raise")
        known = 0
        for history in steps:
            memory.set(talk(*history))
            assert memory.get_all() == talk(*history)
            assert (
                contents(memory.get(input="?"))[-2 * len(history[-8:]) :] == contents(talk(*history[-8:]))
                or not history
            )
            now = len([t for t in brain.recall_history("s", limit=1000, around=0) if t.messages])
            assert now >= known
            known = now


def test_going_back_past_many_turns_shows_the_turns_gone_back_to(memory):
    kept = talk(*[(f"kept {n}", "ok") for n in range(8)])
    memory.set([*kept, *talk(*[(f"left {n}", "ok") for n in range(20)])])
    memory.set([*kept, *talk(("new", "ok"))])
    assert contents(memory.get(input="?"))[-16:] == contents([*kept[2:], *talk(("new", "ok"))])


def test_after_going_back_get_stays_within_its_tokens(brain):
    from smartbrain.contracts.rendering import message_dict
    from smartbrain.text.tokens import HeuristicTokenCounter, count_message
    from smartbrain_li._messages import to_neutral

    memory = SmartBrainMemory.from_defaults(brain, session_id="s", token_limit=600, on_error="raise")
    words = "the bassoon and the oboe play on " * 10
    memory.set(talk(*[(f"{n} {words}", words) for n in range(12)]))
    memory.set(talk(*[(f"{n} {words}", words) for n in range(4)]))
    got = memory.get(input="Who plays the bassoon?")
    counter = HeuristicTokenCounter()
    assert sum(count_message(counter, message_dict(to_neutral(m))) for m in got) <= 600
    assert "bassoon" in str(contents(got))
