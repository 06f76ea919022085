"""An undone commit: what it added is taken back, what it replaced is in force again, what came later stands."""

from __future__ import annotations

import pytest

from smartbrain.errors import ConflictError, InputError, NotFoundError, PluginError
from smartbrain.model import Candidate, Scope
from smartbrain.ports import Extraction
from smartbrain.testing.fakes import ScriptedExtractor

THEME = {"scope": "ui", "name": "theme", "confirmed": True}


def say(brain, clock, turn_id, text=None, session="s", user="u", **entries):
    clock.advance(60)
    given = {"messages": [{"role": "user", "content": text}] if text else [], **entries}
    return brain.commit_turn(session, given, turn_id=turn_id, user_id=user)


def theme(value):
    return {"preferences": [{**THEME, "value": value}]}


def undo(brain, clock, turn_id, user="u", **more):
    clock.advance(60)
    return brain.undo("s", turn_id, user_id=user, **more)


def held(brain, user="u", **more):
    return {item.key: item.value for item in brain.memories(user_id=user, **more)}


def ids(items):
    return [item.id for item in items]


def facts(brain):
    (profile,) = brain.memories(type="profile", user_id="u")
    return {fact["k"]: fact["v"] for fact in profile.value["facts"]}


def test_what_the_turn_added_is_retracted_and_what_it_replaced_is_in_force_again(brain, clock):
    old = say(brain, clock, "t1", **theme("dark")).memory_written.items[0]
    new = say(brain, clock, "t2", **theme("light")).memory_written.items[0]
    told = undo(brain, clock, "t2", reason="a slip")
    assert (ids(told.retracted), ids(told.restored), told.left) == ([new.id], [old.id], {})
    (now,) = brain.memories(user_id="u")
    assert (now.id, now.value["value"], now.status, now.valid_to, now.superseded_by) == (
        old.id,
        "dark",
        "active",
        None,
        None,
    )
    assert now.reason == "turn t2 was undone: a slip"
    why = brain.why(new.id, user_id="u")
    assert (why.item.status, why.item.reason) == ("retracted", "turn t2 was undone: a slip")
    assert [v.rule for v in why.verdicts] == ["preferences_confirmed", "undone"]
    assert [v.action for v in brain.why(old.id, user_id="u").verdicts][-1] == "restored"


def test_the_turn_stays_as_it_was_said_and_is_marked(brain, clock):
    say(brain, clock, "t1", "the kettle is blue", **theme("dark"))
    before = clock.now()
    told = undo(brain, clock, "t1")
    (turn,) = brain.recall_history("s", user_id="u")
    assert (turn.messages[0].content, turn.undone_at) == ("the kettle is blue", told.undone_at)
    (then,) = brain.recall_history("s", user_id="u", as_of=before)
    assert then.undone_at is None
    now, past = (brain.search("s", "kettle", user_id="u", as_of=moment).evidences[0] for moment in (None, before))
    assert (now.stale, past.stale) == (True, False)


def test_every_moment_before_and_between_is_answered_as_it_was(brain, clock):
    moments = []
    for step in (
        lambda: say(brain, clock, "t1", "I live in Paris.", **theme("dark")),
        lambda: say(brain, clock, "t2", "I live in Berlin.", **theme("light")),
        lambda: say(brain, clock, "t3", "I live in Berlin."),
        lambda: undo(brain, clock, "t2"),
        lambda: say(brain, clock, "t4", "The kettle is blue.", **theme("blue")),
    ):
        step()
        clock.advance(1)
        text = brain.compose_context("s", "Where do I live? theme?", user_id="u").to_text()
        moments.append((clock.now(), brain.memories(user_id="u"), text))
    for then, memories, text in moments:
        assert brain.memories(user_id="u", as_of=then) == memories
        assert brain.compose_context("s", "Where do I live? theme?", user_id="u", as_of=then).to_text() == text


def test_undoing_twice_is_a_clear_answer_and_changes_nothing(brain, clock):
    say(brain, clock, "t1", **theme("dark"))
    told = undo(brain, clock, "t1")
    before = brain.memories(user_id="u", status=None)
    with pytest.raises(ConflictError, match=r"turn t1 was undone at 2026-.* already; nothing was changed"):
        undo(brain, clock, "t1")
    with pytest.raises(InputError, match="is an undo itself"):
        undo(brain, clock, told.undone_by)
    with pytest.raises(NotFoundError, match="no turn 'nothing'"):
        undo(brain, clock, "nothing")
    assert brain.memories(user_id="u", status=None) == before


def test_nothing_of_another_scope_is_undone(brain, clock):
    for user in ("u", "v"):
        say(brain, clock, "t1", user=user, **theme("dark"))
    undo(brain, clock, "t1")
    assert held(brain) == {}
    assert held(brain, user="v")["pref:ui:theme"]["value"] == "dark"
    with pytest.raises(NotFoundError):
        undo(brain, clock, "t1", user="w")


def test_a_value_that_was_replaced_since_is_left_alone_and_it_says_why(brain, clock):
    say(brain, clock, "t1", **theme("dark"))
    light = say(brain, clock, "t2", **theme("light")).memory_written.items[0]
    blue = say(brain, clock, "t3", **theme("blue")).memory_written.items[0]
    told = undo(brain, clock, "t2")
    assert (told.retracted, told.restored) == ((), ())
    assert told.left[light.id] == f"{blue.id} replaced it since, and stands; this is history already"
    assert len(told.left) == 2
    assert held(brain)["pref:ui:theme"]["value"] == "blue"


def test_what_was_said_again_counts_once_less_and_stays(brain, clock):
    say(brain, clock, "t1", **theme("dark"))
    before = brain.memories(user_id="u")
    say(brain, clock, "t2", **theme("dark"))
    (twice,) = brain.memories(user_id="u")
    assert twice.seen == 2
    told = undo(brain, clock, "t2")
    (now,) = brain.memories(user_id="u")
    assert (now.seen, now.last_seen_at) == (1, before[0].last_seen_at)
    assert ids(told.unseen) == [now.id]
    assert [source.undone_at for source in now.sources] == [None, told.undone_at]
    undo(brain, clock, "t1")
    assert held(brain) == {}


def test_an_item_that_others_said_too_outlives_the_turn_that_brought_it(brain, clock):
    say(brain, clock, "t1", **theme("dark"))
    say(brain, clock, "t2", **theme("dark"))
    undo(brain, clock, "t1")
    (now,) = brain.memories(user_id="u")
    assert (now.value["value"], now.seen) == ("dark", 1)


def test_what_the_turn_took_back_is_in_force_again_unless_something_was_said_since(brain, clock):
    retraction = {"retractions": [{"type": "preferences", "key": "pref:ui:theme"}]}
    dark = say(brain, clock, "t1", **theme("dark")).memory_written.items[0]
    say(brain, clock, "t2", **retraction)
    undo(brain, clock, "t2")
    assert held(brain)["pref:ui:theme"]["value"] == "dark"
    say(brain, clock, "t3", **retraction)
    blue = say(brain, clock, "t4", **theme("blue")).memory_written.items[0]
    told = undo(brain, clock, "t3")
    assert told.left == {dark.id: f"{blue.id} was said under its key since, and stands"}
    assert held(brain)["pref:ui:theme"]["value"] == "blue"


def test_a_decision_gives_way_to_the_one_before_it(brain, clock):
    for turn_id, name in (("t1", "PostgreSQL"), ("t2", "SQLite")):
        say(brain, clock, turn_id, decisions=[{"topic": "database", "decision": f"use {name}"}])
    assert held(brain)["decision:default:database"]["decision"] == "use SQLite"
    undo(brain, clock, "t2")
    assert held(brain)["decision:default:database"]["decision"] == "use PostgreSQL"


def test_an_entity_keeps_what_others_told_of_it(brain, clock):
    ann = {"kind": "person", "name": "Ann", "remember": True}
    say(brain, clock, "t1", entities=[{**ann, "attrs": {"role": "designer"}}])
    say(brain, clock, "t2", entities=[{**ann, "aliases": ["Annie"], "attrs": {"role": "lead", "city": "Rome"}}])
    say(brain, clock, "t3", entities=[{**ann, "aliases": ["A."], "attrs": {"city": "Oslo"}}])
    undo(brain, clock, "t2")
    value = held(brain)["entity:person:ann"]
    assert value["attrs"] == {"role": "designer", "city": "Oslo"}
    assert value["aliases"] == ["A."]
    (found,) = (e for e in brain.search("s", "Annie", user_id="u").evidences if e.kind == "memory_item")
    assert "annie" not in found.signals.matched


def test_a_profile_that_grew_since_loses_what_the_turn_brought_and_keeps_the_rest(brain, clock):
    say(brain, clock, "t1", profile=[{"facts": [{"k": "home", "v": "Paris"}, {"k": "job", "v": "cook"}]}])
    say(brain, clock, "t2", profile=[{"facts": [{"k": "home", "v": "Berlin"}, {"k": "age", "v": 30}]}])
    say(brain, clock, "t3", profile=[{"facts": [{"k": "job", "v": "baker"}]}])
    told = undo(brain, clock, "t2")
    assert facts(brain) == {"home": "Paris", "job": "baker"}
    assert len(told.written) == 1
    assert told.written[0].rule == "undone"


def test_an_edit_by_hand_can_be_undone(brain, clock):
    item = say(brain, clock, "t1", **theme("dark")).memory_written.items[0]
    clock.advance(60)
    edited = brain.edit(item.id, {"value": "blue"}, user_id="u")
    undo(brain, clock, edited.source_turn_id)
    (now,) = brain.memories(user_id="u")
    assert (now.id, now.value["value"]) == (item.id, "dark")


def test_a_rebuild_makes_the_undo_again(brain, clock):
    say(brain, clock, "t1", "I live in Paris.", **theme("dark"))
    say(brain, clock, "t2", "I live in Berlin.", **theme("light"))
    say(brain, clock, "t3", "I live in Berlin.", **theme("light"))
    undo(brain, clock, "t2")
    before = brain.memories(user_id="u", status=None)
    brain.rebuild(user_id="u")
    assert brain.memories(user_id="u", status=None) == before


def test_an_undone_turn_that_is_said_otherwise_counts_again(brain, clock):
    say(brain, clock, "t1", **theme("dark"))
    undo(brain, clock, "t1")
    say(brain, clock, "t1", **theme("blue"))
    assert held(brain)["pref:ui:theme"]["value"] == "blue"
    told = undo(brain, clock, "t1")
    assert len(told.retracted) == 1
    assert held(brain) == {}


def test_what_is_undone_leaves_the_summary_of_its_session(brain, clock):
    say(brain, clock, "t1", decisions=[{"topic": "database", "decision": "use PostgreSQL"}])
    say(brain, clock, "t2", decisions=[{"topic": "colour", "decision": "paint it teal"}])
    assert "teal" in str(brain.compose_context("s", "hello", user_id="u").working_summary)
    undo(brain, clock, "t2")
    summary = str(brain.compose_context("s", "hello", user_id="u").working_summary)
    assert "PostgreSQL" in summary
    assert "teal" not in summary


def test_forgetting_an_item_forgets_what_an_undo_says_of_it(brain, clock):
    ann = {"kind": "person", "name": "Ann", "remember": True}
    say(brain, clock, "t1", entities=[{**ann, "attrs": {"role": "pangolin"}}])
    say(brain, clock, "t2", entities=[{**ann, "attrs": {"city": "Rome"}}], **theme("dark"))
    undo(brain, clock, "t2")
    (item,) = brain.memories(type="entities", user_id="u")
    brain.forget(item_id=item.id, user_id="u")
    assert brain.verify_forgotten("pangolin", user_id="u")
    assert held(brain) == {}


def test_without_its_undo_a_turn_counts_again(brain, clock):
    say(brain, clock, "t1", "hello", **theme("dark"))
    told = undo(brain, clock, "t1")
    assert held(brain) == {}
    brain.forget(turn_id=told.undone_by, user_id="u")
    assert held(brain)["pref:ui:theme"]["value"] == "dark"
    (turn,) = brain.recall_history("s", user_id="u")
    assert turn.undone_at is None
    assert len(undo(brain, clock, "t1").retracted) == 1


def seen_by_a_model(clock, value):
    candidate = Candidate(
        type="goals",
        key="goal:default:rest",
        value={"name": "rest", "description": value},
        confidence=0.9,
        rule="model",
        confirmed=True,
        scope=Scope("u", "global", "default"),
        occurred_at=clock.now(),
    )
    return Extraction(candidates=(candidate,))


def test_what_a_model_found_is_taken_back_too(make_brain, clock):
    brain = make_brain(extractor=ScriptedExtractor(seen_by_a_model(clock, "Rest more")))
    say(brain, clock, "t1", "I should rest more, I think")
    assert held(brain)["goal:default:rest"]["description"] == "Rest more"
    told = undo(brain, clock, "t1")
    assert len(told.retracted) == 1
    assert held(brain) == {}


def test_a_turn_that_was_undone_before_the_model_saw_it_brings_nothing(make_brain, clock):
    extractor = ScriptedExtractor(PluginError("down"), seen_by_a_model(clock, "Rest more"))
    brain = make_brain(extractor=extractor)
    say(brain, clock, "t1", "I should rest more, I think")
    undo(brain, clock, "t1")
    brain.catch_up()
    assert extractor.seen == ["t1"]
    assert held(brain) == {}


def test_two_profiles_that_grew_since_are_both_mended(brain, clock):
    def told(turn_id, **facts):
        entries = [{"subject": who, "facts": [{"k": "home", "v": home}]} for who, home in facts.items()]
        say(brain, clock, turn_id, profile=entries)

    told("t1", ann="Paris", bob="Rome")
    told("t2", ann="Berlin", bob="Oslo")
    say(brain, clock, "t3", profile=[{"subject": who, "facts": [{"k": "age", "v": 9}]} for who in ("ann", "bob")])
    assert len(undo(brain, clock, "t2").written) == 2
    homes = {item.value["subject"]: item.value["facts"] for item in brain.memories(type="profile", user_id="u")}
    assert {who: [fact["v"] for fact in facts] for who, facts in homes.items()} == {
        "ann": ["Paris", 9],
        "bob": ["Rome", 9],
    }


def test_a_turn_that_told_a_profile_twice_is_undone_whole(brain, clock):
    say(brain, clock, "t1", profile=[{"facts": [{"k": "home", "v": "Paris"}]}])
    both = [{"facts": [{"k": "home", "v": "Berlin"}]}, {"facts": [{"k": "job", "v": "cook"}]}]
    say(brain, clock, "t2", profile=both)
    say(brain, clock, "t3", profile=[{"facts": [{"k": "age", "v": 30}]}])
    undo(brain, clock, "t2")
    assert facts(brain) == {"home": "Paris", "age": 30}
