"""The write path through the public API."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from smartbrain import SmartBrain
from smartbrain.errors import (
    ClosedError,
    ConflictError,
    ContractError,
    InputError,
    NotFoundError,
    ScopeError,
)


def said(text, role="user", **more):
    return {"role": role, "content": text, **more}


def test_a_turn_comes_back_whole_and_in_order(brain):
    messages = [
        said("look it up"),
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "name": "search", "args": {"q": "x"}}]},
        {"role": "tool", "content": [{"type": "text", "text": "found"}], "tool_call_id": "c1"},
        said("here it is", "assistant", name="Ada", meta={"k": [1]}),
    ]
    refs = [{"type": "url", "uri": "https://example.org/a", "title": "A"}]
    brain.commit_turn("s", {"messages": messages, "refs": refs}, turn_id="t")
    (turn,) = brain.recall_history("s", turn_ids=["t"])
    assert [m.role for m in turn.messages] == ["user", "assistant", "tool", "assistant"]
    assert turn.messages[1].content is None
    assert turn.messages[1].tool_calls[0].args == {"q": "x"}
    assert turn.messages[2].content == [{"type": "text", "text": "found"}]
    assert turn.messages[3].meta == {"k": [1]}
    assert turn.refs[0].uri == "https://example.org/a"


def test_the_same_turn_again_changes_nothing(brain):
    event = {"messages": [said("hello")], "decisions": [{"decision": "use Postgres", "topic": "database"}]}
    first = brain.commit_turn("s", event, turn_id="t")
    again = brain.commit_turn("s", event, turn_id="t")
    assert (first.status, again.status) == ("committed", "replayed")
    assert [v.action for v in again.explain.retention] == ["replayed"]
    assert len(brain.memories("s")) == 1
    assert brain.memories("s")[0].seen == 1
    assert len(brain.recall_history("s")) == 1


def test_the_same_turn_id_with_other_content_is_a_revision_and_the_older_is_kept(brain):
    brain.commit_turn("s", messages=[said("we meet on Monday in Bremen")], turn_id="t")
    revised = brain.commit_turn("s", messages=[said("we meet on Tuesday in Lübeck")], turn_id="t")
    assert (revised.status, revised.revision) == ("revised", 2)
    (turn,) = brain.recall_history("s")
    assert turn.messages[0].content == "we meet on Tuesday in Lübeck"
    assert brain.search("s", "Lübeck").evidences
    assert not brain.search("s", "Bremen", mode="exact").evidences
    with brain._shop.storage.read() as reader:
        older = reader.turn([turn.scope], "s", "t", revision=1)
    assert older.messages[0].content == "we meet on Monday in Bremen"
    assert older.superseded_at is not None


def test_what_only_the_older_revision_said_is_taken_back(brain):
    brain.commit_turn("s", {"messages": [said("x")], "decisions": [{"decision": "a", "topic": "one"}]}, turn_id="t")
    brain.commit_turn("s", {"messages": [said("x")], "decisions": [{"decision": "b", "topic": "two"}]}, turn_id="t")
    assert [i.key for i in brain.memories("s")] == ["decision:default:two"]
    (gone,) = brain.history("decisions", "decision:default:one", session_id="s")
    assert gone.status == "retracted"
    assert "revised" in gone.reason


def test_two_equal_messages_in_one_chat_are_two_messages(brain):
    brain.commit_turn("s", messages=[said("yes")])
    brain.commit_turn("s", messages=[said("yes")])
    brain.commit_turn("s", messages=[said("yes"), said("ok", "assistant"), said("yes")])
    assert [m.content for t in brain.recall_history("s") for m in t.messages if m.role == "user"] == ["yes"] * 4


def test_when_it_was_said_stands_apart_from_when_it_was_recorded(brain, clock):
    at = datetime(2023, 5, 8, 13, 56, tzinfo=timezone(timedelta(hours=8)))
    brain.commit_turn("s", messages=[said("hi")], occurred_at=at)
    (turn,) = brain.recall_history("s")
    assert turn.occurred_at == at
    assert turn.occurred_at.utcoffset() == timedelta(hours=8)
    assert turn.recorded_at == clock.now()


def test_without_a_time_of_its_own_a_turn_takes_that_of_its_first_message(brain):
    brain.commit_turn("s", messages=[said("hi", created_at="2024-02-01T10:00:00+02:00")])
    assert brain.recall_history("s")[0].occurred_at == datetime(2024, 2, 1, 8, tzinfo=UTC)


def test_a_time_without_an_offset_is_refused(brain):
    with pytest.raises(InputError, match=r"occurred_at must carry a UTC offset"):
        brain.commit_turn("s", messages=[said("hi")], occurred_at="2024-02-01T10:00:00")


@pytest.mark.parametrize(
    ("events", "entry", "field"),
    [
        ({"messages": [said("a"), said("b", "boss")]}, "messages[1]", "role"),
        ({"messages": [said(3)]}, "messages[0]", "content"),
        ({"decisions": [{"decision": ""}]}, "decisions[0]", "decision"),
        ({"decisions": [{"decision": "x", "key": "goal:a:b"}]}, "decisions[0]", "key"),
        ({"tasks": [{"title": "a"}, {"title": "b", "status": "started"}]}, "tasks[1]", "status"),
        ({"preferences": [{"name": "tone"}]}, "preferences[0]", "value"),
        ({"refs": [{"type": "ftp", "uri": "x"}]}, "refs[0]", "type"),
        ({"goals": [{"goal": "x", "confidence": 2}]}, "goals[0]", "confidence"),
    ],
)
def test_a_malformed_entry_is_named_and_nothing_is_half_written(brain, events, entry, field):
    good = {"messages": [said("good")], "decisions": [{"decision": "good"}]}
    mixed = {**good, **events}
    with pytest.raises(ContractError) as caught:
        brain.commit_turn("s", mixed, turn_id="t")
    assert (caught.value.entry, caught.value.field) == (entry, field)
    assert brain.recall_history("s") == []
    assert brain.memories("s", status=None) == []


def test_unknown_fields_are_reported_not_swallowed(brain):
    result = brain.commit_turn("s", {"messages": [said("a", mood="good")], "colour": 1})
    assert result.ignored_fields == ("messages[0].mood", "colour")


@pytest.mark.parametrize("session", ["", "  ", None, 7])
def test_a_session_without_a_name_is_refused(brain, session):
    with pytest.raises(InputError):
        brain.commit_turn(session, messages=[said("hi")])


def test_a_user_together_with_another_domain_is_refused(brain):
    with pytest.raises(ScopeError, match="give only one"):
        brain.commit_turn("s", messages=[said("hi")], user_id="ann", domain_id="acme")


def test_a_scope_outside_write_is_refused_and_nothing_is_written(brain):
    context = {
        "read": [{"type": "project", "id": "p"}, {"type": "task", "id": "t"}],
        "write": [{"type": "task", "id": "t"}],
        "default_write": {"type": "task", "id": "t"},
    }
    events = {
        "messages": [said("hi")],
        "decisions": [{"decision": "x", "scope_ref": {"type": "project", "id": "p"}}],
    }
    with pytest.raises(ScopeError, match="not among the write scopes"):
        brain.commit_turn("s", events, domain_id="acme", scope_context=context)
    assert brain.recall_history("s", domain_id="acme", scope_context=context) == []


def test_an_entry_may_go_to_another_scope_it_may_write(brain):
    context = {
        "read": [{"type": "project", "id": "p"}, {"type": "task", "id": "t"}],
        "write": [{"type": "project", "id": "p"}, {"type": "task", "id": "t"}],
        "default_write": {"type": "task", "id": "t"},
    }
    events = {"decisions": [{"decision": "x", "scope_ref": {"type": "project", "id": "p"}}]}
    brain.commit_turn("s", events, domain_id="acme", scope_context=context)
    (item,) = brain.memories(domain_id="acme", scope_context=context)
    assert (item.scope.type, item.scope.id) == ("project", "p")
    only_task = {"read": [{"type": "task", "id": "t"}]}
    assert brain.memories(domain_id="acme", scope_context=only_task) == []


class TestATurnThatBecomesKnownPieceByPiece:
    def test_it_is_committed_with_all_that_was_staged_in_order(self, brain):
        brain.open_turn("s", turn_id="t")
        brain.stage("s", "t", messages=[said("find it", id="m1")])
        brain.stage(
            "s",
            "t",
            messages=[
                {
                    "role": "assistant",
                    "content": None,
                    "id": "m2",
                    "tool_calls": [{"id": "c1", "name": "find", "args": {}}],
                },
                {"role": "tool", "content": "found", "tool_call_id": "c1", "id": "m3"},
            ],
        )
        brain.commit_turn("s", messages=[said("done", "assistant", id="m4")], turn_id="t")
        (turn,) = brain.recall_history("s")
        assert [m.id for m in turn.messages] == ["m1", "m2", "m3", "m4"]
        assert turn.status == "committed"

    def test_staging_the_same_part_again_adds_nothing(self, brain):
        brain.open_turn("s", turn_id="t")
        assert brain.stage("s", "t", messages=[said("find it", id="m1")]) == 1
        assert brain.stage("s", "t", messages=[said("find it", id="m1")]) == 0
        brain.commit_turn("s", messages=[said("find it", id="m1"), said("done", "assistant", id="m2")], turn_id="t")
        assert [m.id for m in brain.recall_history("s")[0].messages] == ["m1", "m2"]

    def test_staging_into_a_turn_that_is_not_open_is_refused(self, brain):
        with pytest.raises(NotFoundError):
            brain.stage("s", "t", messages=[said("x", id="m1")])

    def test_opening_a_committed_turn_is_refused(self, brain):
        brain.commit_turn("s", messages=[said("x")], turn_id="t")
        with pytest.raises(ConflictError):
            brain.open_turn("s", turn_id="t")

    def test_opening_the_next_turn_sweeps_an_abandoned_one_and_keeps_its_messages(self, brain):
        brain.open_turn("s", turn_id="t1")
        brain.stage("s", "t1", messages=[said("did you get this far?", id="m1")])
        brain.open_turn("s", turn_id="t2")
        (turn,) = brain.recall_history("s")
        assert (turn.turn_id, turn.status) == ("t1", "aborted")
        assert turn.messages[0].content == "did you get this far?"

    def test_a_swept_turn_can_still_be_finished(self, brain):
        brain.open_turn("s", turn_id="t1")
        brain.stage("s", "t1", messages=[said("hello there", id="m1")])
        brain.sweep("s")
        brain.commit_turn("s", messages=[said("hello there", id="m1"), said("hi", "assistant", id="m2")], turn_id="t1")
        (turn,) = brain.recall_history("s")
        assert (turn.status, turn.revision, len(turn.messages)) == ("committed", 2, 2)

    def test_sweeping_leaves_other_sessions_and_young_turns_alone(self, brain, clock):
        brain.open_turn("s1", turn_id="t1")
        clock.advance(100)
        brain.open_turn("s2", turn_id="t2")
        assert brain.sweep("s1", older_than=timedelta(seconds=200)) == []
        assert [r.turn_id for r in brain.sweep("s1", older_than=timedelta(seconds=50))] == ["t1"]
        assert brain.stage("s2", "t2", messages=[said("still open", id="m")]) == 1


def test_a_long_history_is_imported_at_once_and_again_without_effect(brain):
    turns = [
        {
            "session_id": f"s{n // 50}",
            "turn_id": f"t{n}",
            "messages": [said(f"message number {n}")],
            "occurred_at": datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=n),
        }
        for n in range(600)
    ]
    seen = []
    results = brain.commit_turns(turns, user_id="ann", on_progress=seen.append)
    assert [r.status for r in results] == ["committed"] * 600
    assert len(seen) == 600
    assert {r.status for r in brain.commit_turns(turns, user_id="ann")} == {"replayed"}
    assert [s.turns for s in brain.sessions(user_id="ann")] == [50] * 12


def test_a_bad_turn_in_an_import_is_named_and_nothing_of_the_import_is_written(brain):
    turns = [
        {"session_id": "s", "turn_id": "a", "messages": [said("x")]},
        {"session_id": "s", "messages": [said("x", "boss")]},
    ]
    with pytest.raises(ContractError, match=r"turns\[1\]: .*messages\[0\]\.role"):
        brain.commit_turns(turns)
    assert brain.recall_history("s") == []


def test_memory_is_made_again_from_the_turns_the_same_as_before(brain):
    brain.commit_turn("s", {"messages": [said("a")], "decisions": [{"decision": "Postgres", "topic": "db"}]})
    brain.commit_turn("s", {"messages": [said("b")], "tasks": [{"title": "ship it", "status": "doing"}]})
    brain.commit_turn("s", {"messages": [said("c")], "tasks": [{"title": "ship it", "status": "done"}]})
    brain.commit_turn("s", {"retractions": [{"type": "decisions", "key": "decision:default:db", "reason": "wrong"}]})
    task = brain.memories("s", type="tasks")[0]
    brain.edit(task.id, {"notes": "by hand"}, session_id="s")
    before = brain.memories("s", status=None)
    assert brain.rebuild("s") == 5
    assert brain.memories("s", status=None) == before


def test_a_closed_brain_says_so(brain):
    brain.close()
    brain.close()
    with pytest.raises(ClosedError):
        brain.commit_turn("s", messages=[said("hi")])


def test_two_brains_on_one_file_see_one_memory(make_brain, tmp_path):
    one, two = make_brain(tmp_path / "a.db"), make_brain(tmp_path / "a.db")
    one.commit_turn("s", messages=[said("the kettle is blue")])
    assert two.search("s", "kettle").evidences
    assert isinstance(two, SmartBrain)


def test_a_message_that_names_a_known_entity_among_other_words_is_found_by_it(brain):
    entity = {"name": "Lübeck Harbour", "kind": "place", "aliases": ["the docks"], "remember": True}
    brain.commit_turn("s1", {"messages": [said("hello")], "entities": [entity]}, user_id="ann")
    brain.commit_turn("s2", messages=[said("My sister walked along the docks in the rain")], user_id="ann")
    brain.commit_turn("s2", messages=[said("My sister walked along the river in the rain")], user_id="ann")
    found = brain.search(None, "Lübeck Harbour", user_id="ann", mode="relational").evidences
    snippets = [evidence.snippet for evidence in found]
    assert "My sister walked along the docks in the rain" in snippets
    assert "My sister walked along the river in the rain" not in snippets
