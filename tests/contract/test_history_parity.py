"""History on a PostgreSQL server: as of, changes, undo and age as on the embedded store."""

from __future__ import annotations

import pytest

from smartbrain import SmartBrain
from smartbrain.testing.fakes import CounterIds, ManualClock

DAY = 24 * 3600
CONFIG = {"policies": {"retention": {"ttl": [{"type": "tasks", "days": 30}, {"type": "turns", "days": 400}]}}}
ANN = {"kind": "person", "name": "Ann", "remember": True}
THEME = {"scope": "ui", "name": "theme", "confirmed": True}
STEPS = (
    ("t1", "The kettle is blue", {"entities": [{**ANN, "attrs": {"role": "designer"}}]}),
    ("t2", None, {"preferences": [{**THEME, "value": "dark"}], "tasks": [{"task_id": "ship", "title": "Ship it"}]}),
    ("t3", "I live in Berlin.", {"entities": [{**ANN, "aliases": ["Annie"], "attrs": {"role": "lead"}}]}),
    ("t1", "The kettle is red", {}),
    ("t4", None, {"preferences": [{**THEME, "value": "light"}]}),
)


def live(target):
    """What a brain over a store answers along a story, now and as of each of its moments."""
    clock = ManualClock()
    answers = []
    with SmartBrain.open(target, config=CONFIG, clock=clock, new_id=CounterIds()) as brain:

        def look():
            clock.advance(60)
            moments.append(clock.now())
            answers.append([seen(brain, moment) for moment in moments])

        moments = []
        for turn_id, text, entries in STEPS:
            clock.advance(3600)
            messages = [{"role": "user", "content": text}] if text else []
            brain.commit_turn("s", {"messages": messages, **entries}, turn_id=turn_id, user_id="u")
            look()
        for turn_id in ("t3", "t4"):
            clock.advance(3600)
            answers.append(brain.undo("s", turn_id, user_id="u").model_dump(mode="json"))
            look()
        answers.append(brain.changes(moments[1], user_id="u").model_dump(mode="json"))
        for days in (31, 400):
            clock.advance(days * DAY)
            look()
            answers.append(brain.prune(user_id="u", dry_run=True).counts)
            answers.append(brain.prune(user_id="u").model_dump(mode="json"))
            look()
    return answers


def seen(brain, moment):
    found = brain.search("s", "kettle Annie Berlin", user_id="u", as_of=moment)
    return (
        [item.model_dump(mode="json") for item in brain.memories(user_id="u", status=None, as_of=moment)],
        [(e.id, e.snippet, e.stale, e.signals.parts) for e in found.evidences],
        brain.compose_context("s", "Where do I live?", user_id="u", as_of=moment).to_text(),
    )


def test_both_stores_tell_the_same_history(postgres_url):
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    here, there = live(":memory:"), live(postgres_url)
    assert len(here) == len(there)
    for mine, theirs in zip(here, there, strict=True):
        assert theirs == mine
