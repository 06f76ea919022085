"""A moment in the past is answered as it was answered then: whatever was said, mended or replaced since."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, given, settings

from smartbrain import SmartBrain
from smartbrain.contracts.context import SLOTS
from smartbrain.testing.fakes import CounterIds, ManualClock

WORDS_ALONE = {"policies": {"retrieval": {"static": {"enabled": False}}}}
QUESTIONS = ("Where do I live now?", "What was decided about the database?", "Who is Ann and 我喜欢喝什么？")
SAID = (
    "I live in Paris.",
    "I moved to Berlin and now I live in Berlin.",
    "We decided to use PostgreSQL for the database.",
    "We decided to use SQLite for the database.",
    "我喜欢喝乌龙茶。",
    "我现在更喜欢喝咖啡了，不喝乌龙茶了。",
    "The kettle is blue and the cat sleeps on it.",
    "Where do I live, do you know?",
    "My name is Ann and I have a dog called Pip.",
)
ENTRIES = (
    {"entities": [{"kind": "person", "name": "Ann", "attrs": {"role": "designer"}, "remember": True}]},
    {
        "entities": [
            {"kind": "person", "name": "Ann", "aliases": ["Annie"], "attrs": {"role": "lead"}, "remember": True}
        ]
    },
    {"tasks": [{"task_id": "ship", "title": "Ship the kettle", "status": "todo"}]},
    {"tasks": [{"task_id": "ship", "title": "Ship the kettle", "status": "done"}]},
    {"preferences": [{"scope": "ui", "name": "theme", "value": "dark", "confirmed": True}]},
    {"retractions": [{"type": "preferences", "key": "pref:ui:theme"}]},
)


# A story is short as it is, and telling one takes a second: shrinking it would take many minutes.
NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)


def slots(package):
    """What a model is shown, slot by slot, and where each piece of evidence came from."""
    shown = {name: getattr(package, name) for name in SLOTS if name != "evidence"}
    shown["evidence"] = [(e.id, e.title, e.snippet, e.stale) for e in package.evidence]
    return shown


class Story:
    """A brain whose clock moves with each step, and what it answered after each of them."""

    def __init__(self, target=":memory:", config=None):
        self.clock = ManualClock()
        self.brain = SmartBrain.open(target, config=config, clock=self.clock, new_id=CounterIds())
        self.answers = []

    def step(self, what, number, other):
        self.clock.advance(3600)
        session = ("s1", "s2")[other % 2]
        if what == "say":
            message = {"role": "user", "content": SAID[number % len(SAID)], "name": ("Ann", "Bob")[other % 2]}
            self.brain.commit_turn(session, messages=[message], turn_id=f"t{len(self.answers)}", user_id="u")
        elif what == "enter":
            self.brain.commit_turn(session, ENTRIES[number % len(ENTRIES)], user_id="u")
        elif what == "revise":
            turns = self.brain.recall_history("s1", user_id="u", limit=50)
            if turns:
                turn = turns[number % len(turns)]
                self.brain.commit_turn(
                    turn.session_id,
                    messages=[{"role": "user", "content": SAID[other % len(SAID)]}],
                    turn_id=turn.turn_id,
                    user_id="u",
                )
        elif what == "undo":
            turns = [t for t in self.brain.recall_history("s1", user_id="u", limit=50) if t.undone_at is None]
            if turns:
                self.brain.undo("s1", turns[number % len(turns)].turn_id, user_id="u")
        elif items := self.brain.memories(user_id="u"):
            item = items[number % len(items)]
            if what == "retract":
                self.brain.retract(item.id, "it was wrong", user_id="u")
            elif item.type != "profile":
                self.brain.edit(item.id, {"note": f"mended {len(self.answers)}"}, user_id="u")

    def ask(self):
        self.clock.advance(60)
        now = self.clock.now()
        asked = [self.brain.compose_context("s1", question, user_id="u") for question in QUESTIONS]
        self.answers.append((now, [slots(package) for package in asked], self.brain.memories(user_id="u")))

    def check(self):
        for then, answers, memories in self.answers:
            again = [self.brain.compose_context("s1", q, user_id="u", as_of=then) for q in QUESTIONS]
            assert [slots(package) for package in again] == answers, then
            assert self.brain.memories(user_id="u", as_of=then) == memories, then


def steps(*kinds):
    return st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=9)


def told(history, config, target=":memory:"):
    story = Story(target, config)
    with story.brain:
        for step in history:
            story.step(*step)
            story.ask()
        story.check()


@pytest.mark.slow
@settings(max_examples=20, phases=NO_SHRINKING)
@given(steps("say", "say", "enter", "revise", "retract", "edit", "undo"))
def test_every_context_comes_out_again_as_it_was(history):
    told(history, WORDS_ALONE)


@pytest.mark.slow
@settings(max_examples=10, phases=NO_SHRINKING)
@given(steps("say", "say", "say", "retract"))
def test_every_context_found_by_meaning_comes_out_again_as_it_was(history):
    told(history, None)


WHOLE = (
    ("say", 0, 0),
    ("enter", 0, 0),
    ("say", 2, 1),
    ("enter", 1, 1),
    ("say", 1, 0),
    ("revise", 0, 6),
    ("undo", 1, 0),
    ("edit", 1, 0),
    ("retract", 0, 0),
)


def test_a_story_with_every_kind_of_change_comes_out_as_it_was():
    told(WHOLE, WORDS_ALONE)


def test_an_import_answers_as_of_then_as_the_store_it_came_from(tmp_path):
    one, other = Story(config=WORDS_ALONE), Story(config=WORDS_ALONE)
    with one.brain, other.brain:
        for step in WHOLE:
            one.step(*step)
            one.ask()
        one.brain.export(tmp_path / "all.jsonl", everything=True)
        other.brain.import_(tmp_path / "all.jsonl", everything=True)
        other.answers = one.answers
        other.check()


def test_a_value_said_between_two_that_are_known_takes_its_place(make_brain):
    brain = make_brain()
    theme = {"scope": "ui", "name": "theme", "confirmed": True}
    for day, value in ((1, "dark"), (7, "light"), (4, "blue"), (3, "red")):
        moment = f"2026-01-0{day}T00:00:00+00:00"
        brain.commit_turn("s", {"preferences": [{**theme, "value": value}]}, user_id="u", occurred_at=moment)
    days = [brain.memories(user_id="u", as_of=f"2026-01-0{day}T12:00:00+00:00") for day in range(1, 8)]
    assert [items[0].value["value"] for items in days] == ["dark", "dark", "red", "blue", "blue", "blue", "light"]


def test_what_is_said_later_does_not_move_the_ranking_of_then(make_brain, clock):
    brain = make_brain(config=WORDS_ALONE)

    def say(*texts):
        for text in texts:
            clock.advance(60)
            brain.commit_turn(text, messages=[{"role": "user", "content": text}], user_id="u")

    def found(**when):
        return [e.snippet for e in brain.search("s", "heron pelican", user_id="u", mode="hybrid", **when).evidences]

    say("the heron sleeps", "a pelican eats", "some pelican drinks", "one pelican dives")
    then, before = clock.now(), found()
    assert before[0] == "the heron sleeps"
    say(*(f"heron number {n} flies" for n in range(30)))
    assert "pelican" in found()[0]
    assert found(as_of=then) == before


def test_the_older_wording_of_a_revised_turn_is_found_as_of_then(make_brain, clock):
    brain = make_brain()
    told = {"turn_id": "t1", "user_id": "u"}
    brain.commit_turn("s", messages=[{"role": "user", "content": "The kettle is turquoise"}], **told)
    clock.advance(60)
    then = clock.now()
    clock.advance(60)
    brain.commit_turn("s", messages=[{"role": "user", "content": "The kettle is red"}], **told)

    def found(query, **when):
        return [e.snippet for e in brain.search("s", query, user_id="u", mode="hybrid", **when).evidences]

    assert found("turquoise", as_of=then) == ["The kettle is turquoise"]
    assert found("red kettle", as_of=then) == ["The kettle is turquoise"]
    assert found("turquoise kettle") == ["The kettle is red"]
    (turn,) = brain.recall_history("s", "kettle", user_id="u", as_of=then)
    assert turn.messages[0].content == "The kettle is turquoise"


def view(brain):
    """What counts under each key: what it says, how often it was said, and when last."""
    return {(i.type, i.key): (i.id, i.value, i.text, i.seen, i.last_seen_at) for i in brain.memories(user_id="u")}


@pytest.mark.slow
@settings(max_examples=30, phases=NO_SHRINKING)
@given(steps("say", "say", "enter", "enter", "retract", "edit", "undo"), st.integers(0, 50), st.booleans())
def test_undoing_the_newest_turn_gives_the_memory_that_was_there_before(history, number, words):
    story = Story(config=WORDS_ALONE)
    with story.brain as brain:
        for step in history:
            story.step(*step)
            story.answers.append(None)
        before = view(brain)
        story.clock.advance(60)
        said = {"messages": [{"role": "user", "content": SAID[number % len(SAID)], "name": "Ann"}]}
        brain.commit_turn("s1", said if words else ENTRIES[number % len(ENTRIES)], turn_id="newest", user_id="u")
        story.clock.advance(60)
        told = brain.undo("s1", "newest", user_id="u")
        assert view(brain) == before
        assert told.left == {}
        brain.rebuild(user_id="u")
        assert {key: value[1] for key, value in view(brain).items()} == {key: value[1] for key, value in before.items()}
