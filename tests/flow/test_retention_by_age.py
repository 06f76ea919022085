"""Memory that ages: what is past its time is not offered, is visible as expired, and goes for good when pruned."""

from __future__ import annotations

from datetime import timedelta

import pytest

from smartbrain.errors import ConfigError, NotFoundError, ScopeError

DAY = 24 * 3600
THEME = {"scope": "ui", "name": "theme", "confirmed": True}
SHIP = {"task_id": "ship", "title": "Ship the pangolin"}


def aging(*rules, **more):
    return {"policies": {"retention": {"ttl": list(rules)}, **more}}


@pytest.fixture
def brain(make_brain):
    return make_brain(config=aging({"type": "tasks", "days": 90}, {"type": "preferences", "days": 30}))


def say(brain, clock, text=None, days=0, user="u", turn_id=None, **entries):
    clock.advance(days * DAY + 1)
    messages = [{"role": "user", "content": text}] if text else []
    return brain.commit_turn("s", {"messages": messages, **entries}, user_id=user, turn_id=turn_id)


def keys(brain, user="u", **more):
    return [item.key for item in brain.memories(user_id=user, **more)]


def found(brain, query, **more):
    return [
        e.ref.memory_item_id for e in brain.search("s", query, user_id="u", **more).evidences if e.kind == "memory_item"
    ]


class TestWhatIsPastItsTime:
    def test_is_not_offered_any_more(self, brain, clock):
        say(brain, clock, tasks=[SHIP], preferences=[{**THEME, "value": "dark"}])
        assert "dark" in brain.compose_context("s", "hello", user_id="u").to_text()
        clock.advance(31 * DAY)
        assert keys(brain) == ["task:default:ship"]
        assert "dark" not in brain.compose_context("s", "hello", user_id="u").to_text()
        assert found(brain, "pangolin")
        clock.advance(60 * DAY)
        assert keys(brain) == []
        assert not found(brain, "pangolin")

    def test_is_visible_and_says_why(self, brain, clock):
        item = say(brain, clock, tasks=[SHIP]).memory_written.items[0]
        clock.advance(91 * DAY)
        (old,) = brain.memories(user_id="u", status="expired")
        reason = "expired: tasks are kept 90 days (retention.ttl[0])"
        assert (old.id, old.status, old.reason) == (item.id, "expired", reason)
        assert old.valid_to == item.last_seen_at + timedelta(days=90)
        assert brain.history("tasks", "task:default:ship", user_id="u") == [old]
        why = brain.why(item.id, user_id="u")
        assert (why.item.status, why.verdicts[-1].action, why.verdicts[-1].reason) == ("expired", "expired", reason)
        pack = brain.search("s", "pangolin", user_id="u")
        assert (item.id, "expired") in [(gone.id, gone.reason) for gone in pack.dropped]
        package = brain.compose_context("s", "the pangolin?", user_id="u")
        assert (item.id, "expired") in [(gone.id, gone.reason) for gone in package.debug.dropped]

    def test_is_alive_as_of_the_days_when_it_was(self, brain, clock):
        say(brain, clock, tasks=[SHIP])
        then = clock.now() + timedelta(days=89)
        clock.advance(365 * DAY)
        assert keys(brain, as_of=then) == ["task:default:ship"]
        assert found(brain, "pangolin", as_of=then)
        (change,) = brain.changes(then, user_id="u").changes
        assert (change.kind, change.reason) == ("lost", "expired: tasks are kept 90 days (retention.ttl[0])")

    def test_lives_on_when_it_is_said_again(self, brain, clock):
        say(brain, clock, tasks=[SHIP])
        say(brain, clock, days=80, tasks=[SHIP])
        clock.advance(80 * DAY)
        assert keys(brain) == ["task:default:ship"]
        clock.advance(20 * DAY)
        assert keys(brain) == []
        say(brain, clock, tasks=[SHIP])
        assert keys(brain) == ["task:default:ship"]

    def test_does_not_let_an_older_version_take_its_place(self, brain, clock):
        say(brain, clock, preferences=[{**THEME, "value": "dark"}])
        say(brain, clock, days=1, preferences=[{**THEME, "value": "light"}])
        clock.advance(40 * DAY)
        assert keys(brain) == []
        assert [item.status for item in brain.history("preferences", "pref:ui:theme", user_id="u")] == [
            "superseded",
            "expired",
        ]

    def test_is_served_from_no_cache(self, brain, clock):
        say(brain, clock, preferences=[{**THEME, "value": "dark"}])
        assert "dark" in brain.compose_context("s", "hello", user_id="u").to_text()
        clock.advance(31 * DAY)
        assert "dark" not in brain.compose_context("s", "hello", user_id="u").to_text()

    def test_is_no_part_of_the_next_summary(self, brain, clock):
        say(brain, clock, tasks=[SHIP])
        say(brain, clock, days=100, decisions=[{"topic": "colour", "decision": "paint it teal"}])
        summary = str(brain.compose_context("s", "hello", user_id="u").working_summary)
        assert "teal" in summary
        assert "pangolin" not in summary

    def test_can_be_edited_and_taken_back(self, brain, clock):
        item = say(brain, clock, tasks=[SHIP]).memory_written.items[0]
        clock.advance(100 * DAY)
        edited = brain.edit(item.id, {"status": "done"}, user_id="u")
        assert (edited.status, keys(brain)) == ("active", ["task:default:ship"])


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        ([], ["u", "v"]),
        ([{"days": 1}], []),
        ([{"domain": "u", "days": 1}], ["v"]),
        ([{"scope": "global:default", "days": 1}], []),
        ([{"scope": "project:x", "days": 1}], ["u", "v"]),
        ([{"type": "tasks"}, {"days": 1}], ["u", "v"]),
        ([{"type": "goals", "days": 1}], ["u", "v"]),
        ([{"type": "turns", "days": 1}], ["u", "v"]),
    ],
    ids=str,
)
def test_the_first_rule_that_fits_counts(make_brain, clock, rules, left):
    brain = make_brain(config=aging(*rules))
    for user in ("u", "v"):
        say(brain, clock, user=user, tasks=[SHIP])
    clock.advance(2 * DAY)
    assert [user for user in ("u", "v") if keys(brain, user=user)] == left


@pytest.mark.parametrize(
    "rule",
    [{"type": "tasks", "days": 0}, {"days": -1}, {"scope": "global"}, {"typ": "tasks", "days": 1}, {"type": "task"}],
)
def test_a_rule_that_cannot_be_is_refused(make_brain, rule):
    with pytest.raises(ConfigError, match=r"policies\.retention\.ttl"):
        make_brain(config=aging(rule))


def test_how_recent_something_is_steers_its_rank_and_hides_nothing(make_brain, clock):
    brain = make_brain()
    old = say(brain, clock, goals=[{"name": "a", "description": "Paint the pangolin"}]).memory_written.items[0]
    new = say(brain, clock, days=2000, goals=[{"name": "b", "description": "Paint the pangolin"}])
    assert found(brain, "pangolin") == [new.memory_written.items[0].id, old.id]
    assert len(keys(brain)) == 2


class TestPruning:
    def test_shows_what_would_go_and_changes_nothing(self, brain, clock):
        item = say(brain, clock, "The pangolin must be shipped", tasks=[SHIP]).memory_written.items[0]
        clock.advance(91 * DAY)
        told = brain.prune(user_id="u", dry_run=True)
        assert (told.dry_run, told.counts["items"], told.counts["turns"]) == (True, 1, 0)
        assert told.expired == {item.id: "expired: tasks are kept 90 days (retention.ttl[0])"}
        assert brain.memories(user_id="u", status="expired")
        assert brain.prune(user_id="u").counts == told.counts

    def test_removes_the_item_for_good_and_leaves_the_turn(self, brain, clock):
        item = say(brain, clock, "hello", tasks=[SHIP]).memory_written.items[0]
        brain.edit(item.id, {"notes": "armadillo"}, user_id="u")
        assert "armadillo" in brain.compose_context("s", "pangolin", user_id="u").to_text()
        clock.advance(200 * DAY)
        told = brain.prune(user_id="u")
        assert told.counts["items"] == 2
        assert brain.memories(user_id="u", status=None) == []
        assert brain.verify_forgotten("armadillo", user_id="u")
        assert [turn.messages[0].content for turn in brain.recall_history("s", user_id="u")] == ["hello"]
        again = brain.prune(user_id="u")
        assert (again.expired, sum(again.counts.values())) == ({}, 0)

    def test_leaves_what_is_within_its_time_and_every_other_scope(self, brain, clock):
        for user in ("u", "v"):
            say(brain, clock, user=user, tasks=[SHIP], goals=[{"name": "rest", "description": "Rest"}])
        clock.advance(80 * DAY)
        say(brain, clock, tasks=[{"task_id": "rest", "title": "Rest"}])
        clock.advance(11 * DAY)
        brain.prune(user_id="u")
        assert keys(brain, status=None) == ["goal:default:rest", "task:default:rest"]
        assert len(brain.memories(user_id="v", status=None)) == 2
        with pytest.raises(ScopeError):
            brain.prune()

    def test_old_turns_go_where_a_rule_names_them_with_what_rests_on_them_alone(self, make_brain, clock):
        brain = make_brain(config=aging({"type": "turns", "days": 30}))
        say(brain, clock, "The pangolin is old", turn_id="t1", goals=[{"name": "rest", "description": "Rest more"}])
        say(brain, clock, "It is still so", turn_id="t2", tasks=[SHIP])
        say(brain, clock, "And again", days=20, turn_id="t3", tasks=[SHIP])
        clock.advance(15 * DAY)
        told = brain.prune(user_id="u")
        assert sorted(told.turn_ids) == ["t1", "t2"]
        assert told.expired["t1"] == "expired: turns are kept 30 days (retention.ttl[0])"
        assert [turn.turn_id for turn in brain.recall_history("s", user_id="u")] == ["t3"]
        (task,) = brain.memories(user_id="u")
        assert (task.key, task.seen, [source.turn_id for source in task.sources]) == ("task:default:ship", 1, ["t3"])
        assert brain.verify_forgotten("The pangolin is old", user_id="u")

    def test_a_summary_that_rests_on_what_went_is_made_anew(self, brain, clock):
        say(brain, clock, tasks=[SHIP])
        say(brain, clock, decisions=[{"topic": "colour", "decision": "paint it teal"}])
        assert "pangolin" in str(brain.compose_context("s", "hello", user_id="u").working_summary)
        clock.advance(91 * DAY)
        brain.prune(user_id="u")
        assert "pangolin" not in str(brain.compose_context("s", "hello", user_id="u").working_summary)

    def test_a_context_that_shows_what_went_goes_too(self, brain, clock):
        say(brain, clock, "hello", tasks=[SHIP])
        context = brain.compose_context("s", "pangolin", user_id="u").context_id
        clock.advance(91 * DAY)
        assert brain.prune(user_id="u").counts["contexts"] == 1
        with pytest.raises(NotFoundError):
            brain.replay(context, user_id="u")

    def test_without_rules_nothing_goes(self, make_brain, clock):
        brain = make_brain()
        say(brain, clock, "hello", tasks=[SHIP])
        clock.advance(10_000 * DAY)
        assert sum(brain.prune(user_id="u").counts.values()) == 0
        assert keys(brain) == ["task:default:ship"]
