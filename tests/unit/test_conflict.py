"""What new values do to old ones, and taking back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import RetentionPolicy
from smartbrain.errors import ContractError
from smartbrain.memory_types import BUILTIN_TYPES, MemoryType, key_from, keyed, memory_types
from smartbrain.model import Candidate, Changes, MemoryItem, Retraction, Scope, Turn, Value
from smartbrain.policies.conflict import newest_versions, resolve
from smartbrain.policies.retention import decide
from smartbrain.testing.fakes import CounterIds

HOME = Scope("u1", "global", "default")
AWAY = Scope("u1", "project", "other")
START = datetime(2026, 1, 1, tzinfo=UTC)
TONE = "pref:writing:tone"


def day(n: int) -> datetime:
    return START + timedelta(days=n)


class Memory:
    """A store that does nothing but apply changes, and checks that links lead both ways."""

    def __init__(self) -> None:
        self.items: dict[str, MemoryItem] = {}
        self.ids = CounterIds()
        self.turns = 0

    def commit(
        self,
        *candidates: Candidate,
        back: Sequence[Retraction] = (),
        at: datetime | None = None,
        turn_id: str | None = None,
        types: Any = BUILTIN_TYPES,
    ) -> Changes:
        self.turns += 1
        moment = at or (candidates[0].occurred_at if candidates else day(self.turns))
        turn = Turn(
            session_id="s",
            turn_id=turn_id or f"t{self.turns}",
            scope=HOME,
            seq=self.turns,
            occurred_at=moment,
            recorded_at=day(1000 + self.turns),
        )
        changes = resolve(
            decide(candidates, policy=RetentionPolicy(), gate={}),
            back,
            list(self.items.values()),
            turn=turn,
            recorded_at=turn.recorded_at,
            new_id=self.ids,
            types=types,
        )
        self._apply(changes, turn.recorded_at)
        return changes

    def _apply(self, changes: Changes, now: datetime) -> None:
        for item in changes.inserts:
            assert item.id not in self.items
            self.items[item.id] = item
        for closure in changes.closures:
            fields = closure.model_dump(exclude={"item_id"})
            self.items[closure.item_id] = self.items[closure.item_id].model_copy(update={**fields, "closed_at": now})
        for seen in changes.sightings:
            old = self.items[seen.item_id]
            more: dict[str, Any] = {} if seen.value is None else {"value": seen.value, "text": seen.text}
            fields = {
                "seen": old.seen + 1,
                "sources": (*old.sources, seen.source),
                "confidence": seen.confidence,
                "last_seen_at": max(old.last_seen_at, seen.source.occurred_at),
                **more,
            }
            self.items[seen.item_id] = old.model_copy(update=fields)

    def active(self, key: str, scope: Scope = HOME) -> list[MemoryItem]:
        return [i for i in self.items.values() if i.status == "active" and i.key == key and i.scope == scope]

    def the(self, key: str) -> MemoryItem:
        (only,) = self.active(key)
        return only


def said(type_: str, value: dict[str, Any], *, key: str | None = None, n: int = 1, **fields: Any) -> Candidate:
    made, full = keyed(BUILTIN_TYPES[type_], value, key)
    defaults: dict[str, Any] = {
        "rule": "structured",
        "explicit": True,
        "confirmed": type_ == "preferences",
        "scope": HOME,
    }
    return Candidate(
        type=type_,
        key=made,
        value=full,
        confidence=0.9,
        occurred_at=day(n),
        **{**defaults, **fields},
    )


def tone(value: Any, n: int = 1, **fields: Any) -> Candidate:
    return said("preferences", {"scope": "writing", "name": "tone", "value": value, "confirmed": True}, n=n, **fields)


def task(n: int = 1, task_id: str = "t1", **value: Any) -> Candidate:
    return said("tasks", {"project": "p", "task_id": task_id, **value}, n=n)


def decision(text: str, n: int = 1, topic: str = "db", **fields: Any) -> Candidate:
    return said("decisions", {"project": "p", "topic": topic, "decision": text}, n=n, **fields)


def fact(k: str, v: Any, n: int = 1) -> Candidate:
    return said("profile", {"subject": "user", "facts": [{"k": k, "v": v}]}, n=n)


def back(type_: str, key: str, **fields: Any) -> Retraction:
    return Retraction(type=type_, key=key, **{"scope": HOME, **fields})


@pytest.fixture
def memory() -> Memory:
    return Memory()


def test_the_same_value_again_is_a_sighting_and_no_second_item(memory: Memory) -> None:
    first = memory.commit(tone("concise"))
    again = memory.commit(tone("concise", 2))
    assert len(memory.items) == 1
    assert not again.inserts
    assert [v.action for v in again.verdicts] == ["merged"]
    assert again.verdicts[0].item_id == first.inserts[0].id
    assert memory.the(TONE).seen == 2


def test_the_same_value_twice_in_one_batch_is_one_item(memory: Memory) -> None:
    changes = memory.commit(tone("concise"), tone("Concise."))
    assert len(changes.inserts) == 1
    assert [v.action for v in changes.verdicts] == ["written", "merged"]


@pytest.mark.parametrize("again", ["Concise", "concise.", " concise ", "“concise”", "ｃｏｎｃｉｓｅ"])
def test_another_spelling_of_the_same_value_is_a_sighting(memory: Memory, again: str) -> None:
    memory.commit(tone("concise"))
    changes = memory.commit(tone(again, 2))
    assert [v.rule for v in changes.verdicts] == ["near_same_value"]
    assert not changes.conflicts


def test_chinese_that_differs_in_spaces_and_stops_is_the_same(memory: Memory) -> None:
    memory.commit(tone("用 2 个空格，不要用Tab。"))
    memory.commit(tone("用2个空格,不要用tab", 2))
    assert len(memory.items) == 1


@pytest.mark.parametrize(("old", "new"), [("C", "C++"), ("3.11", "311"), ("-1", "1"), (".py", "py"), ("2", "3")])
def test_marks_that_change_the_meaning_make_another_value(memory: Memory, old: str, new: str) -> None:
    memory.commit(tone(old))
    memory.commit(tone(new, 2))
    assert memory.the(TONE).value["value"] == new


def test_a_changed_preference_supersedes_with_links_both_ways(memory: Memory) -> None:
    old = memory.commit(tone("concise")).inserts[0]
    changes = memory.commit(tone("detailed", 2))
    new = memory.the(TONE)
    was = memory.items[old.id]
    assert (was.status, was.superseded_by, was.valid_to) == ("superseded", new.id, day(2))
    assert new.supersedes == (old.id,)
    assert [(n.old_id, n.new_id, n.fields, n.resolution) for n in changes.conflicts] == [
        (old.id, new.id, ("value",), "superseded")
    ]
    assert {(v.action, v.item_id) for v in changes.verdicts} == {("written", new.id), ("superseded", old.id)}


def test_two_values_in_one_turn_leave_the_later_one_active(memory: Memory) -> None:
    changes = memory.commit(tone("concise"), tone("detailed"))
    assert memory.the(TONE).value["value"] == "detailed"
    assert len(changes.inserts) == 2
    assert not changes.closures
    assert changes.conflicts[0].resolution == "superseded"


def test_going_back_to_an_older_value_is_a_change(memory: Memory) -> None:
    for n, value in enumerate(["concise", "detailed", "concise"], 1):
        memory.commit(tone(value, n))
    assert memory.the(TONE).value["value"] == "concise"
    assert len(memory.items) == 3


def test_a_decision_that_changes_leaves_both_versions_active_and_the_newest_counts(memory: Memory) -> None:
    memory.commit(decision("PostgreSQL"))
    changes = memory.commit(decision("MySQL", 2))
    both = memory.active("decision:p:db")
    assert len(both) == 2
    assert [n.resolution for n in changes.conflicts] == ["versioned"]
    assert [i.value["decision"] for i in newest_versions(both)] == ["MySQL"]


def test_a_decision_that_goes_back_is_a_version_of_its_own(memory: Memory) -> None:
    for n, text in enumerate(["PostgreSQL", "MySQL", "PostgreSQL"], 1):
        memory.commit(decision(text, n))
    assert len(memory.active("decision:p:db")) == 3
    assert newest_versions(memory.items.values())[0].valid_from == day(3)


def test_a_status_alone_keeps_the_tasks_title_due_and_notes(memory: Memory) -> None:
    memory.commit(task(title="Ship the MVP", due="2026-02-01", notes="ask Li"))
    assert memory.the("task:p:t1").value["status"] == "todo"
    memory.commit(task(2, status="doing"))
    now = memory.the("task:p:t1").value
    assert (now["title"], now["due"], now["notes"], now["status"]) == ("Ship the MVP", "2026-02-01", "ask Li", "doing")


def test_the_same_status_again_is_a_sighting(memory: Memory) -> None:
    memory.commit(task(title="Ship", status="doing"))
    assert [v.action for v in memory.commit(task(2, status="doing")).verdicts] == ["merged"]
    assert len(memory.items) == 1


def test_a_title_alone_does_not_reset_the_status(memory: Memory) -> None:
    memory.commit(task(title="Ship", status="doing"))
    memory.commit(task(2, title="Ship v1"))
    assert memory.the("task:p:t1").value["status"] == "doing"


def test_notes_are_added_to_the_task_without_a_conflict(memory: Memory) -> None:
    memory.commit(task(title="Ship", status="doing"))
    changes = memory.commit(task(2, notes="waiting for Li"))
    assert [v.rule for v in changes.verdicts] == ["refined"]
    assert not changes.conflicts
    item = memory.the("task:p:t1")
    assert "waiting for Li" in item.text
    assert item.value["notes"] == "waiting for Li"


def test_notes_from_before_do_not_replace_the_present_ones(memory: Memory) -> None:
    memory.commit(task(9, title="Ship", status="doing", notes="waiting for Li"))
    memory.commit(task(2, title="Ship", status="doing", notes="not begun"))
    assert memory.the("task:p:t1").value["notes"] == "waiting for Li"


def test_a_rationale_said_later_is_added_and_the_first_date_stays(memory: Memory) -> None:
    first = {"project": "p", "topic": "db", "decision": "PostgreSQL", "made_at": "2026-01-01"}
    memory.commit(said("decisions", first))
    memory.commit(said("decisions", {**first, "rationale": "ACID", "made_at": "2026-02-02"}, n=2))
    assert memory.the("decision:p:db").value | {"rationale": "ACID"} == {**first, "rationale": "ACID"}


def test_history_imported_late_does_not_supersede_the_present(memory: Memory) -> None:
    now = memory.commit(tone("concise", 10)).inserts[0]
    changes = memory.commit(tone("detailed", 3))
    late = changes.inserts[0]
    assert memory.the(TONE).id == now.id
    assert (late.status, late.valid_from, late.valid_to, late.superseded_by) == ("superseded", day(3), day(10), now.id)
    assert [v.action for v in changes.verdicts] == ["superseded"]
    assert changes.conflicts[0].old_id == late.id


def test_history_imported_between_two_values_ends_the_first_one_earlier(memory: Memory) -> None:
    first = memory.commit(tone("a", 1)).inserts[0]
    last = memory.commit(tone("c", 10)).inserts[0]
    middle = memory.commit(tone("b", 5)).inserts[0]
    was = memory.items[first.id]
    assert (was.valid_to, was.superseded_by) == (day(5), middle.id)
    assert (middle.supersedes, middle.superseded_by) == ((first.id,), last.id)


def test_an_older_saying_of_the_present_value_is_a_sighting(memory: Memory) -> None:
    memory.commit(tone("concise", 10))
    assert [v.action for v in memory.commit(tone("concise", 3)).verdicts] == ["merged"]
    assert memory.the(TONE).valid_from == day(10)


def test_ruby_fault_4_a_retraction_takes_back_every_active_version(memory: Memory) -> None:
    for n, text in enumerate(["PostgreSQL", "MySQL", "SQLite"], 1):
        memory.commit(decision(text, n))
    changes = memory.commit(back=[back("decisions", "decision:p:db", reason="wrong project")], at=day(4))
    assert memory.active("decision:p:db") == []
    assert {i.status for i in memory.items.values()} == {"retracted"}
    assert {i.reason for i in memory.items.values()} == {"wrong project"}
    assert [v.action for v in changes.verdicts] == ["retracted"] * 3


def test_a_retraction_does_not_revive_the_value_before(memory: Memory) -> None:
    memory.commit(tone("concise"))
    memory.commit(tone("detailed", 2))
    memory.commit(back=[back("preferences", TONE)], at=day(3))
    assert memory.active(TONE) == []
    assert sorted(i.status for i in memory.items.values()) == ["retracted", "superseded"]


def test_taking_back_what_is_not_there_is_said(memory: Memory) -> None:
    (verdict,) = memory.commit(back=[back("preferences", TONE, message_id="m1", span=(0, 4))]).verdicts
    assert (verdict.action, verdict.reason) == ("skipped", "nothing to retract")
    assert (verdict.message_id, verdict.span) == ("m1", (0, 4))


def test_taking_back_and_saying_anew_in_one_turn_leaves_the_new_value(memory: Memory) -> None:
    old = memory.commit(tone("concise")).inserts[0]
    changes = memory.commit(tone("detailed", 2), back=[back("preferences", TONE)])
    assert memory.items[old.id].status == "retracted"
    assert memory.the(TONE).value["value"] == "detailed"
    assert memory.the(TONE).supersedes == ()
    assert [n.resolution for n in changes.conflicts] == ["retracted"]


def test_a_value_said_before_it_was_taken_back_is_not_revived_by_an_import(memory: Memory) -> None:
    memory.commit(tone("concise", 5))
    memory.commit(back=[back("preferences", TONE)], at=day(8))
    changes = memory.commit(tone("detailed", 6))
    assert memory.active(TONE) == []
    assert [v.rule for v in changes.verdicts] == ["taken_back"]
    memory.commit(tone("detailed", 9))
    assert memory.the(TONE).value["value"] == "detailed"


def test_the_same_key_in_another_scope_is_never_touched(memory: Memory) -> None:
    there = memory.commit(tone("concise", scope=AWAY)).inserts[0]
    memory.commit(tone("detailed", 2))
    memory.commit(back=[back("preferences", TONE)], at=day(3))
    assert memory.items[there.id] == there


def test_an_entity_learns_aliases_and_attributes_in_place(memory: Memory) -> None:
    entity = {"kind": "person", "name": "Li Ming", "aliases": ["Ming"], "attrs": {"role": "dev", "city": "Bern"}}
    memory.commit(said("entities", entity, hints=("remember",)))
    more = {"kind": "person", "name": "李明", "canonical": "Li Ming", "aliases": ["MING"], "attrs": {"role": "lead"}}
    changes = memory.commit(said("entities", more, n=2, hints=("remember",)))
    item = memory.the("entity:person:li_ming")
    assert len(memory.items) == 1
    assert item.value["aliases"] == ["Ming", "李明"]
    assert item.value["attrs"] == {"role": "lead", "city": "Bern"}
    assert item.value["history"] == [{"k": "role", "v": "dev"}]
    assert "李明" in item.text
    assert changes.conflicts[0].resolution == "merged"


def test_an_older_attribute_does_not_replace_a_newer_one(memory: Memory) -> None:
    def entity(role: str, n: int) -> Candidate:
        return said("entities", {"kind": "person", "name": "Li", "attrs": {"role": role}}, n=n, hints=("remember",))

    memory.commit(entity("lead", 9))
    memory.commit(entity("dev", 2))
    assert memory.the("entity:person:li").value["attrs"] == {"role": "lead"}


def test_a_profile_version_holds_the_newest_fact_for_each_name(memory: Memory) -> None:
    memory.commit(fact("employer", "Acme", 1))
    memory.commit(fact("city", "Bern", 2))
    memory.commit(fact("Employer", "Globex", 3))
    (newest,) = newest_versions(memory.active("profile:user"))
    assert [(f["k"], f["v"]) for f in newest.value["facts"]] == [("Employer", "Globex"), ("city", "Bern")]
    assert len(memory.active("profile:user")) == 3


def test_a_fact_that_is_known_makes_no_version(memory: Memory) -> None:
    memory.commit(fact("employer", "Acme", 1))
    memory.commit(fact("city", "Bern", 2))
    assert [v.action for v in memory.commit(fact("employer", "ACME", 3)).verdicts] == ["merged"]


def test_an_old_fact_learnt_late_reaches_the_newest_profile_unless_it_is_known_better(memory: Memory) -> None:
    memory.commit(fact("employer", "Acme", 9))
    memory.commit(fact("city", "Bern", 2))
    memory.commit(fact("employer", "Globex", 3))
    (newest,) = newest_versions(memory.active("profile:user"))
    assert {f["k"]: f["v"] for f in newest.value["facts"]} == {"employer": "Acme", "city": "Bern"}


def test_a_structured_entry_speaks_and_the_sentence_is_its_source(memory: Memory) -> None:
    read = tone(
        "please be concise", explicit=False, rule="rules_en", message_id="m1", span=(0, 17), quote="please be concise"
    )
    changes = memory.commit(read, tone("concise"))
    item = memory.the(TONE)
    assert item.value["value"] == "concise"
    assert ("m1", (0, 17)) in [(s.message_id, s.span) for s in item.sources]
    assert {v.rule for v in changes.verdicts} == {"preferences_confirmed", "surer_source"}


def test_a_model_that_reads_the_turn_again_does_not_overrule_what_the_user_said(memory: Memory) -> None:
    memory.commit(tone("concise"), turn_id="t1")
    memory.turns -= 1  # the same revision of the turn, seen by a second extractor
    guess = tone("rather short", explicit=False, confirmed=False).model_copy(update={"confidence": 0.7})
    memory.commit(guess, turn_id="t1")
    assert memory.the(TONE).value["value"] == "concise"


def test_committing_a_turn_again_that_took_back_and_said_anew_changes_nothing(memory: Memory) -> None:
    memory.commit(tone("concise"))
    for _ in range(2):
        changes = memory.commit(tone("detailed", 2), back=[back("preferences", TONE)], turn_id="again")
    assert not changes.inserts
    assert memory.the(TONE).value["value"] == "detailed"


def test_skipped_verdicts_are_passed_on(memory: Memory) -> None:
    changes = memory.commit(tone("concise", confirmed=False))
    assert [(v.action, v.rule) for v in changes.verdicts] == [("skipped", "preferences_unconfirmed")]
    assert not changes.inserts


def test_an_unknown_type_is_an_error_that_names_it(memory: Memory) -> None:
    stranger = tone("x").model_copy(update={"type": "moods"})
    with pytest.raises(ContractError, match="moods"):
        memory.commit(stranger)


class Mood(Value):
    name: str
    level: int = 0


def test_a_registered_type_follows_its_own_rule(memory: Memory) -> None:
    mood = MemoryType("moods", "mood", Mood, "overwrite", ("level",), key_from("mood", ("name",)), ("name",))
    types = memory_types([mood])

    def felt(level: int, n: int) -> Candidate:
        key, value = keyed(mood, {"name": "work", "level": level})
        return tone("x", n).model_copy(update={"type": "moods", "key": key, "value": value})

    memory.commit(felt(1, 1), types=types)
    memory.commit(felt(2, 2), types=types)
    assert memory.the("mood:work").value["level"] == 2


# -- invariants ------------------------------------------------------------------------------------------------------

VALUES = st.sampled_from(["concise", "Concise!", "detailed", "formal", "随意", "随 意。"])
STEPS = st.lists(st.one_of(st.tuples(VALUES, st.integers(1, 9)), st.tuples(st.none(), st.integers(1, 9))), max_size=10)


@given(STEPS)
def test_an_overwrite_key_never_has_two_active_items_and_links_lead_both_ways(
    steps: list[tuple[str | None, int]],
) -> None:
    memory = Memory()
    bystander = memory.commit(tone("x", scope=AWAY), said("goals", {"project": "p", "description": "Ship"})).inserts
    for value, n in steps:
        if value is None:
            memory.commit(back=[back("preferences", TONE)], at=day(n))
            assert memory.active(TONE) == []
        else:
            memory.commit(tone(value, n))
        assert len(memory.active(TONE)) <= 1
    assert all(memory.items[item.id] == item for item in bystander)
    for item in memory.items.values():
        for older in item.supersedes:
            assert memory.items[older].status != "active"
            assert memory.items[older].superseded_by
        if item.superseded_by:
            assert memory.items[item.superseded_by].valid_from >= item.valid_from
        if item.valid_to:
            assert item.valid_to >= item.valid_from
        assert (item.status == "active") == (item.closed_at is None)


@given(st.lists(st.tuples(VALUES, st.integers(1, 9)), max_size=8))
def test_at_any_moment_at_most_one_value_of_an_overwrite_key_holds(steps: list[tuple[str, int]]) -> None:
    memory = Memory()
    for value, n in steps:
        memory.commit(tone(value, n))
    for moment in (day(n) for n in range(10)):
        holding = [
            i for i in memory.items.values() if i.valid_from <= moment and (i.valid_to is None or i.valid_to > moment)
        ]
        assert len(holding) <= 1


BATCH = st.lists(
    st.one_of(
        VALUES.map(tone),
        st.sampled_from(["todo", "doing", "done"]).map(lambda s: task(status=s)),
        VALUES.map(decision),
        st.tuples(st.sampled_from(["a", "b"]), VALUES).map(lambda kv: fact(*kv)),
        VALUES.map(lambda v: said("events", {"title": v, "date": "2026-01-01", "scope": "p"})),
    ),
    max_size=6,
)


@given(BATCH)
def test_committing_the_same_batch_again_yields_only_sightings(batch: list[Candidate]) -> None:
    memory = Memory()
    memory.commit(*batch, turn_id="same")
    before = {i.id: (i.status, i.value) for i in memory.items.values()}
    changes = memory.commit(*batch, turn_id="same")
    assert not changes.inserts
    assert not changes.closures
    assert {v.action for v in changes.verdicts} <= {"merged", "replayed"}
    assert {i.id: (i.status, i.value) for i in memory.items.values()} == before


@given(BATCH)
def test_every_candidate_gets_a_verdict_that_names_its_item(batch: list[Candidate]) -> None:
    memory = Memory()
    changes = memory.commit(*batch)
    assert len(changes.verdicts) >= len(batch)
    assert all(v.item_id in memory.items and v.rule and v.reason for v in changes.verdicts)


# --- what is liked and disliked, and facts that hold several values ----------------------------------------------


def taste(polarity: str, n: int) -> Candidate:
    value = {"scope": "other", "name": "coffee", "value": "coffee", "polarity": polarity, "confirmed": True}
    return said("preferences", value, n=n)


def test_liking_that_turns_into_disliking_supersedes_with_a_conflict_and_keeps_its_history(memory: Memory) -> None:
    memory.commit(taste("like", 1))
    changes = memory.commit(taste("dislike", 2))
    (now,) = memory.active("pref:other:coffee")
    assert now.value["polarity"] == "dislike"
    assert [note.fields for note in changes.conflicts] == [("polarity",)]
    assert [memory.items[old].value["polarity"] for old in now.supersedes] == ["like"]


def test_a_preference_that_does_not_say_so_is_a_liking(memory: Memory) -> None:
    memory.commit(said("preferences", {"scope": "other", "name": "coffee", "value": "coffee", "confirmed": True}, n=1))
    assert [v.action for v in memory.commit(taste("like", 2)).verdicts] == ["merged"]
    assert len(memory.commit(taste("dislike", 3)).conflicts) == 1


def held(memory: Memory) -> list[tuple[str, Any]]:
    (newest,) = newest_versions(memory.active("profile:user"))
    return [(each["k"], each["v"]) for each in newest.value["facts"]]


def test_facts_that_may_hold_several_values_add_up(memory: Memory) -> None:
    memory.commit(fact("allergy", "nuts", 1))
    memory.commit(fact("allergy", "latex", 2))
    memory.commit(fact("home", "Bern", 3))
    memory.commit(fact("home", "Basel", 4))
    assert held(memory) == [("allergy", "nuts"), ("allergy", "latex"), ("home", "Basel")]


def test_a_value_that_is_held_already_makes_no_version(memory: Memory) -> None:
    memory.commit(fact("languages", "Polish", 1))
    memory.commit(fact("languages", "German", 2))
    assert [v.action for v in memory.commit(fact("languages", "polish", 3)).verdicts] == ["merged"]


def ending(k: str, n: int, **was: str) -> Candidate:
    return said("profile", {"subject": "user", "facts": [{"k": k, "v": None, **was}]}, n=n)


def test_of_several_values_the_one_that_is_named_ends(memory: Memory) -> None:
    memory.commit(fact("medication", "metformin", 1))
    memory.commit(fact("medication", "warfarin", 2))
    memory.commit(ending("medication", 3, was="don't take metformin any more"))
    assert held(memory) == [("medication", None), ("medication", "warfarin")]
    memory.commit(fact("medication", "metformin", 4))
    assert held(memory) == [("medication", "warfarin"), ("medication", "metformin")]


def test_words_that_name_none_of_several_values_end_none(memory: Memory) -> None:
    memory.commit(fact("pet", "Biscuit", 1))
    memory.commit(fact("pet", "Miso", 2))
    memory.commit(ending("pet", 3, was="don't have the dog any more"))
    assert held(memory) == [("pet", "Biscuit"), ("pet", "Miso")]


def test_the_only_value_ends_however_it_is_called(memory: Memory) -> None:
    memory.commit(fact("pet", "Biscuit", 1))
    memory.commit(ending("pet", 2, was="don't have the dog any more"))
    assert held(memory) == [("pet", None)]


def test_an_entry_without_words_ends_every_value(memory: Memory) -> None:
    memory.commit(fact("hobby", "chess", 1))
    memory.commit(fact("hobby", "cello", 2))
    memory.commit(ending("hobby", 3))
    assert held(memory) == [("hobby", None), ("hobby", None)]
