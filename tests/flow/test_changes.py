"""What memory gained, lost and changed between two moments, and why."""

from __future__ import annotations

from datetime import timedelta

import pytest

from smartbrain.errors import InputError, ScopeError

DAY = timedelta(days=1)


def say(brain, clock, text=None, user="u", **entries):
    clock.advance(3600)
    messages = [{"role": "user", "content": text}] if text else []
    return brain.commit_turn("s", {"messages": messages, **entries}, user_id=user)


def theme(value):
    return [{"scope": "ui", "name": "theme", "value": value, "confirmed": True}]


def summary(found):
    return [(change.kind, change.key) for change in found.changes]


def test_each_key_says_what_became_of_it_and_why(brain, clock):
    say(brain, clock, preferences=theme("dark"), tasks=[{"task_id": "ship", "title": "Ship it"}])
    say(brain, clock, decisions=[{"topic": "database", "decision": "use PostgreSQL"}], user="u")
    since = clock.now()
    say(brain, clock, preferences=theme("light"))
    say(brain, clock, retractions=[{"type": "tasks", "key": "task:default:ship", "reason": "not needed"}])
    say(brain, clock, goals=[{"name": "rest", "description": "Rest more"}])
    say(brain, clock, decisions=[{"topic": "database", "decision": "use PostgreSQL"}])
    found = brain.changes(since, user_id="u")
    assert summary(found) == [
        ("said_again", "decision:default:database"),
        ("gained", "goal:default:rest"),
        ("changed", "pref:ui:theme"),
        ("lost", "task:default:ship"),
    ]
    again, gained, changed, lost = found.changes
    assert changed.fields == {"value": ("dark", "light")}
    assert changed.reason == f"replaced by {changed.after.id}"
    assert {v.action for v in changed.verdicts} == {"written", "superseded"}
    assert (lost.reason, lost.after) == ("not needed", None)
    assert gained.reason.startswith("said in turn ")
    assert "2 times in all" in again.reason
    assert [len(found.of(kind)) for kind in ("gained", "lost", "changed", "said_again")] == [1, 1, 1, 1]


def test_the_same_moment_twice_and_a_day_of_silence_show_nothing(brain, clock):
    say(brain, clock, preferences=theme("dark"))
    now = clock.now()
    assert brain.changes(now, now, user_id="u").changes == ()
    assert brain.changes(now, now + DAY, user_id="u").changes == ()


def test_what_came_and_went_in_between_is_no_change(brain, clock):
    say(brain, clock, preferences=theme("dark"))
    since = clock.now()
    item = say(brain, clock, goals=[{"name": "rest", "description": "Rest"}]).memory_written.items[0]
    clock.advance(60)
    brain.retract(item.id, "a joke", user_id="u")
    assert brain.changes(since, user_id="u").changes == ()


def test_an_undo_shows_with_its_reason(brain, clock):
    say(brain, clock, preferences=theme("dark"))
    turn = say(brain, clock, preferences=theme("light"))
    since = clock.now()
    clock.advance(60)
    brain.undo("s", turn.turn_id, reason="a slip", user_id="u")
    (change,) = brain.changes(since, user_id="u").changes
    assert (change.kind, change.fields["value"]) == ("changed", ("light", "dark"))
    assert change.reason == f"turn {turn.turn_id} was undone: a slip"


def test_what_is_merged_into_an_entity_is_a_change_of_its_fields(brain, clock):
    ann = {"kind": "person", "name": "Ann", "remember": True}
    say(brain, clock, entities=[{**ann, "attrs": {"role": "designer"}}])
    since = clock.now()
    say(brain, clock, entities=[{**ann, "attrs": {"role": "lead"}}])
    (change,) = brain.changes(since, user_id="u").changes
    assert change.kind == "changed"
    assert change.fields["attrs"] == ({"role": "designer"}, {"role": "lead"})
    assert change.before.id == change.after.id


def test_only_the_scopes_and_the_type_that_are_asked_for_are_compared(brain, clock):
    since = clock.now()
    say(brain, clock, preferences=theme("dark"), tasks=[{"task_id": "ship", "title": "Ship it"}])
    say(brain, clock, preferences=theme("light"), user="v")
    assert summary(brain.changes(since, user_id="u", type="tasks")) == [("gained", "task:default:ship")]
    (other,) = brain.changes(since, user_id="v").changes
    assert other.after.value["value"] == "light"
    with pytest.raises(ScopeError):
        brain.changes(since)


def test_a_stretch_of_time_that_ends_before_it_begins_is_refused(brain, clock):
    with pytest.raises(InputError, match="is before since"):
        brain.changes(clock.now(), clock.now() - DAY, user_id="u")
    with pytest.raises(InputError, match="offset"):
        brain.changes("2026-01-01T00:00", user_id="u")
