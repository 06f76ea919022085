"""Promises of the whole path that no single part can keep alone. Each was broken once on purpose to see it noticed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from smartbrain.errors import ConfigError, NotFoundError

START = datetime(2024, 3, 1, 9, 0, tzinfo=UTC)


def say(brain, session, *texts, at=START, user_id=None, **more):
    """A turn for each text, a minute apart; a pair of texts is what the user and the assistant said."""
    for n, said in enumerate(texts):
        asked, answered = said if isinstance(said, tuple) else (said, None)
        messages = [{"role": "user", "content": asked}]
        if answered is not None:
            messages.append({"role": "assistant", "content": answered})
        brain.commit_turn(session, messages=messages, user_id=user_id, occurred_at=at + timedelta(minutes=n), **more)


def fill(brain, session, count=12, at=START + timedelta(days=30), user_id=None):
    """So many turns of something else, so that nothing is found for standing in the recent window."""
    say(brain, session, *[f"filler sentence {n} about gardening" for n in range(count)], at=at, user_id=user_id)


def snippets(pack):
    return [e.snippet for e in getattr(pack, "evidences", None) or pack.evidence]


class TestThePackageThatIsServedFromTheCache:
    """Asked twice within one named turn the same package is served; nothing but the same question gets it."""

    def test_is_of_the_same_user(self, brain):
        for user in ("ann", "bob"):
            say(brain, "chat", f"the canary of {user} is called Pip", user_id=user)
        for user, other in (("ann", "bob"), ("bob", "ann")):
            text = brain.compose_context("chat", "canary?", user_id=user, turn_id="t9").to_text()
            assert f"canary of {user}" in text
            assert f"canary of {other}" not in text

    @pytest.mark.parametrize(
        "other",
        [
            {"user_message": "and the cat?"},
            {"as_of": START + timedelta(seconds=1)},
            {"token_limit": 300},
            {"agent_state": {"developer_blocks": [{"type": "format_rules", "text": "answer in rhyme"}]}},
            {"session_id": "another"},
            {"turn_id": "t10"},
        ],
        ids=lambda other: next(iter(other)),
    )
    def test_is_for_the_same_question(self, brain, other):
        say(brain, "s", "the kettle is blue", "the cat is black", user_id="ann")
        asked = {"session_id": "s", "user_message": "the kettle?", "user_id": "ann", "turn_id": "t9"}
        one = brain.compose_context(**asked)
        assert brain.compose_context(**asked) is one
        assert brain.compose_context(**(asked | other)).context_id != one.context_id


class TestWhatWasKnownAtAMoment:
    def test_a_turn_of_the_same_day_that_was_said_later_is_not_found(self, brain):
        say(brain, "s", "the kettle is blue", "the kettle is crimson")
        then = START + timedelta(seconds=30)
        assert snippets(brain.search("s", "kettle", as_of=then)) == ["the kettle is blue"]
        assert "crimson" not in brain.compose_context("s", "kettle?", as_of=then).to_json()

    def test_an_item_that_was_superseded_later_is_still_found(self, brain):
        for n, tool in enumerate(("Emacs", "Vim")):
            brain.commit_turn(
                "s",
                {"preferences": [{"scope": "tools", "name": "editor", "value": tool, "confirmed": True}]},
                occurred_at=START + timedelta(days=n),
            )
        (then,) = brain.search("s", "editor", as_of=START + timedelta(hours=1)).evidences
        (now,) = brain.search("s", "editor").evidences
        assert "Emacs" in then.snippet
        assert "Vim" in now.snippet

    def test_a_summary_that_was_made_later_is_not_shown(self, brain, clock):
        clock.set(START)
        say(brain, "s", "the kettle is blue", at=START)
        clock.advance(86_400)
        brain.commit_turn("s", {"decisions": [{"decision": "we buy a copper kettle", "topic": "kettle"}]})
        assert "copper" in (brain.compose_context("s", "kettle?").working_summary or "")
        assert brain.compose_context("s", "kettle?", as_of=START + timedelta(hours=1)).working_summary is None

    def test_a_replay_does_not_know_what_was_recorded_since(self, brain, clock):
        say(brain, "s", "the kettle is blue", at=clock.now())
        clock.advance(60)
        package = brain.compose_context("s", "what colour is the kettle?")
        clock.advance(60)
        say(brain, "s", "the kettle is red now", at=clock.now())
        brain.commit_turn("s", {"profile": [{"facts": [{"k": "name", "v": "Oluwaseun"}]}]})
        replay = brain.replay(package.context_id, session_id="s")
        assert replay.same
        # How common a word is goes by the whole store, so only the support may move.
        told = replay.package.debug.model_copy(update={"support": package.debug.support})
        assert replay.package.model_copy(update={"debug": told}) == package


class TestARevision:
    def test_is_found_and_what_it_replaced_is_not_even_beside_its_neighbours(self, brain):
        brain.commit_turn("s", messages=[{"role": "user", "content": "where do we meet on Friday?"}], turn_id="t1")
        brain.commit_turn("s", messages=[{"role": "assistant", "content": "at the harbour"}], turn_id="t2")
        brain.commit_turn("s", messages=[{"role": "assistant", "content": "at the lighthouse"}], turn_id="t2")
        fill(brain, "s")
        found = snippets(brain.search("s", "where do we meet on Friday?"))
        assert "at the harbour" not in found
        assert "at the lighthouse" in found


class TestWhatIsFound:
    def test_a_terse_answer_is_found_by_the_words_of_its_question(self, brain):
        say(brain, "s", ("Where did we leave the spare keys?", "Under the doormat."), ("fine", "Good."))
        fill(brain, "s")
        assert "Under the doormat." in snippets(brain.compose_context("s", "where are the spare keys"))[:2]

    def test_a_turn_is_found_though_only_its_speaker_was_named(self, brain):
        for name in ("Melanie", "Caroline"):
            messages = [{"role": "user", "name": name, "content": "I started to paint with watercolours"}]
            brain.commit_turn("s", messages=messages, occurred_at=START)
        fill(brain, "s")
        first = brain.compose_context("s", "What did Melanie start to paint with?").evidence[0]
        assert first.title.startswith("Melanie")

    @pytest.mark.parametrize(
        ("question", "said"),
        [("which race did I run in May 2023?", "the river race"), ("2023年9月我跑了哪个 race?", "the hill race")],
    )
    def test_a_turn_of_the_time_that_was_asked_for_comes_first(self, brain, question, said):
        for month, what in ((5, "the river race"), (7, "the night race"), (9, "the hill race"), (11, "the dune race")):
            say(brain, "s", f"I ran {what}", at=datetime(2023, month, 12, 9, tzinfo=UTC))
        fill(brain, "s")
        assert snippets(brain.compose_context("s", question))[0] == f"I ran {said}"

    def test_what_was_said_under_another_name_is_found_by_the_entity_that_bears_it(self, make_brain):
        by_words = {"policies": {"retrieval": {"static": {"enabled": False}}}}  # nearness finds it without the name
        brain = make_brain(config=by_words)
        say(brain, "s", "Bluebird will be delayed until June")
        entity = {"name": "Project Kestrel", "kind": "project", "aliases": ["Bluebird"], "remember": True}
        brain.commit_turn("s", {"entities": [entity]}, occurred_at=START + timedelta(days=1))
        fill(brain, "s")
        assert "Bluebird will be delayed until June" in snippets(
            brain.compose_context("s", "When is Project Kestrel due?")
        )

    def test_a_message_of_another_session_is_no_neighbour(self, brain):
        say(brain, "a", "where is the kettle?", user_id="ann")
        say(brain, "b", "zebra", user_id="ann", at=START + timedelta(minutes=1))
        assert snippets(brain.search(None, "kettle", user_id="ann")) == ["where is the kettle?"]


class TestAContextOfAnotherScope:
    @pytest.mark.parametrize("written", [False, True], ids=["waiting", "stored"])
    def test_cannot_be_replayed(self, brain, clock, written):
        package = brain.compose_context("chat", "hello", user_id="ann")
        if written:
            say(brain, "chat", "a commit takes waiting contexts along", user_id="ann", at=clock.advance(60))
        with pytest.raises(NotFoundError):
            brain.replay(package.context_id, user_id="bob")
        assert brain.replay(package.context_id, user_id="ann").same


def test_a_summary_says_which_turns_it_rests_on(brain):
    say(brain, "s", "one", "two")
    first = brain.commit_turn("s", {"decisions": [{"decision": "use Postgres", "topic": "db"}]})
    say(brain, "s", "four")
    second = brain.commit_turn("s", {"decisions": [{"decision": "use Redis", "topic": "cache"}]})
    assert (first.summary.turn_range, second.summary.turn_range) == ((1, 3), (4, 5))


def test_the_logs_are_bounded(make_brain):
    brain = make_brain(config={"policies": {"observability": {"max_logs": 3}}})
    say(brain, "s", *[f"turn {n}" for n in range(5)])
    for n in range(5):
        brain.compose_context("s", f"question {n}")
    found = brain.diagnostics()
    assert (len(found["commit_logs"]), len(found["compose_logs"])) == (3, 3)
    assert found["metrics"]["counts"]["commits"] == 5


def test_a_brain_prints_without_its_content(brain):
    say(brain, "s", "my password is hunter2")
    assert repr(brain) == "<SmartBrain open>"
    brain.close()
    assert repr(brain) == "<SmartBrain closed>"


def test_a_wrong_key_is_told_before_anything_is_opened(make_brain, tmp_path):
    with pytest.raises(ConfigError, match="did you mean 'composition'"):
        make_brain(tmp_path / "a.db", config={"policies": {"compositon": {}}})
    assert not (tmp_path / "a.db").exists()


def test_turns_come_back_in_the_order_in_which_they_were_said(brain):
    texts = ["a kettle", "my old kettle leaks", "kettle, kettle, kettle", "she sold the kettle that whistled so loudly"]
    for hour in (2, 0, 3, 1):
        say(brain, "s", texts[hour], at=START + timedelta(hours=hour))
    assert [t.messages[0].content for t in brain.recall_history("s", "kettle")] == texts


class TestTheSecondRoundOfASearch:
    """What the best turns speak of leads to further turns."""

    @pytest.fixture
    def told(self, brain):
        say(brain, "s1", "My exercise is kickboxing at the Elm Street studio", at=START, user_id="ann")
        say(brain, "s2", "Kickboxing left me sore, and so proud", at=START + timedelta(days=9), user_id="ann")
        fill(brain, "s3", at=START + timedelta(days=20), user_id="ann")
        return brain

    def test_finds_what_holds_no_asked_word_and_says_why(self, told):
        found = told.search(None, "Which exercise do I do?", k=5, user_id="ann").evidences
        second = next(e for e in found if "sore" in e.snippet)
        assert "+kickbox" in second.signals.matched
        assert second.signals.parts["related"] > 0

    def test_is_switched_off_by_its_weight(self, make_brain):
        off = {"related": 0, "related_several": 0}
        brain = make_brain(config={"policies": {"retrieval": {"lexical": off}}})
        say(brain, "s1", "My exercise is kickboxing at the Elm Street studio", at=START, user_id="ann")
        say(brain, "s2", "Kickboxing left me sore, and so proud", at=START + timedelta(days=9), user_id="ann")
        fill(brain, "s3", at=START + timedelta(days=20), user_id="ann")
        found = brain.search(None, "Which exercise do I do?", k=9, user_id="ann").evidences
        assert all("related" not in e.signals.parts for e in found)

    def test_is_not_led_by_what_was_said_later_on_the_day_it_is_asked_as_of(self, brain):
        say(brain, "s0", "Swimming is cold", at=START - timedelta(days=9), user_id="ann")
        say(brain, "s1", "My exercise is walking", at=START, user_id="ann")
        say(brain, "s2", "Exercise and more exercise: swimming", at=START + timedelta(hours=5), user_id="ann")
        as_of = START + timedelta(hours=1)
        then = brain.search(None, "Which exercise do I do?", k=5, as_of=as_of, user_id="ann").evidences
        assert all("+swim" not in e.signals.matched for e in then)
        now = brain.search(None, "Which exercise do I do?", k=5, user_id="ann").evidences
        assert any("+swim" in e.signals.matched for e in now)
