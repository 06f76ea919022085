"""What a store must do to forget: everything that was doomed goes, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from smartbrain.model import Changes, Mention, Message, Ref, Scope, Summary, ToolCall
from smartbrain.ports import ContextRecord, Doomed, Forgotten, Staged, Storage
from smartbrain.testing.storage_values import (
    BESIDE,
    HERE,
    MODEL,
    STRANGERS,
    append,
    apply,
    at,
    found,
    make_commit,
    make_item,
    make_source,
    make_turn,
    make_vectors,
    make_verdict,
    said,
)

SECRET = "zanzibar"


def confide(storage: Storage, scope: Scope = HERE, session_id: str = "s1", turn_id: str = "t1") -> None:
    """A turn that says the secret wherever a turn can, and all that is made of it; then a harmless one."""
    place: dict[str, Any] = {"scope": scope, "session_id": session_id}
    messages = (
        Message(id=f"{turn_id}-m0", role="user", content=f"meet me in {SECRET}", name=f"Ann {SECRET}"),
        Message(id=f"{turn_id}-m1", role="assistant", content="noted"),
    )
    call = ToolCall(id="c1", name="book", args={"to": SECRET}, result=SECRET)
    ref = Ref(type="url", uri=f"https://{SECRET}.example")
    turn = make_turn(turn_id, messages=messages, tool_calls=(call,), refs=(ref,), **place)
    revised = turn.model_copy(update={"revision": 2, "recorded_at": at(2)})
    append(storage, turn, revised, make_turn("t9", "harmless words", seq=2, minute=3, **place))
    source = make_source(turn_id, session_id=session_id, message_id=f"{turn_id}-m0", quote=SECRET)
    item = make_item(f"i-{turn_id}", scope=scope, text=f"they like {SECRET}", sources=(source,), source_turn_id=turn_id)
    with storage.write() as writer:
        commit = make_commit(1, make_verdict(item.id, quote=SECRET), scope=scope)
        writer.apply(Changes(inserts=(item,)), commit)
        writer.add_mentions(revised, [Mention(key=f"entity:topic:{SECRET}", surface=SECRET)])
        writer.put_vectors(scope, "events", MODEL, [make_vectors(2, (1, 0)), make_vectors(4, (0, 1))])
        writer.put_summary(_summary(scope, session_id, turn_id))
        request = {"read": [list(scope)], "user_message": SECRET}
        writer.put_context(ContextRecord("x1", session_id, scope, at(4), request, {}, None), keep=9)
        writer.open_turn(scope, session_id, "open", occurred_at=at(5), opened_at=at(5))
        writer.stage(scope, session_id, "open", [Staged("message:o", "message", said(SECRET, id="o").model_dump())])


def _summary(scope: Scope, session_id: str, turn_id: str) -> Summary:
    return Summary(
        session_id=session_id,
        scope=scope,
        version=1,
        text=f"about {SECRET}",
        turn_from=1,
        turn_to=2,
        generated_at=at(4),
        trigger="turns",
        turn_ids=(turn_id,),
    )


def forget(storage: Storage, doomed: Doomed, *scopes: Scope) -> Forgotten:
    """Forgets in one transaction."""
    with storage.write() as writer:
        return writer.forget(scopes or [HERE], doomed)


class ForgettingContract:
    """Forgetting. Needs the fixture ``storage``."""

    def test_everything_of_a_scope_goes_and_nothing_of_another(self, storage: Storage) -> None:
        for scope in (HERE, *STRANGERS.values()):
            confide(storage, scope)
        with storage.read() as reader:
            before = {scope: reader.traces([scope], SECRET) for scope in STRANGERS.values()}
        told = forget(storage, Doomed(everything=True))
        assert told.counts["turns"] == 3
        assert told.counts["messages"] == 5
        assert all(told.counts[name] for name in ("items", "verdicts", "summaries", "contexts", "staged", "vectors"))
        with storage.read() as reader:
            assert not reader.traces([HERE], SECRET)
            assert not reader.turns([HERE])
            assert not found(reader, SECRET)
            assert {scope: reader.traces([scope], SECRET) for scope in STRANGERS.values()} == before
            assert found(reader, SECRET, BESIDE) == [2]
        assert HERE not in storage.scopes()

    def test_a_session_goes_with_what_was_staged_in_it(self, storage: Storage) -> None:
        confide(storage)
        append(storage, make_turn("t1", f"{SECRET} again", session_id="s2", minute=9))
        told = forget(storage, Doomed(sessions=frozenset({"s1"})))
        assert told.counts["sessions"] == told.counts["open_turns"] == 1
        with storage.read() as reader:
            assert reader.traces([HERE], SECRET) == {"index": 1, "messages": 1}
            assert [turn.session_id for turn in reader.turns([HERE])] == ["s2"]
            assert reader.turn_count([HERE]) == 1

    def test_a_turn_goes_in_all_its_revisions_and_leaves_its_neighbours(self, storage: Storage) -> None:
        confide(storage)
        told = forget(storage, Doomed(turns=frozenset({("s1", "t1"), ("s1", "open")})))
        assert told.turns == (("s1", "t1"),)
        assert [item.id for item in told.items] == ["i-t1"]
        with storage.read() as reader:
            assert not reader.traces([HERE], SECRET)
            assert [turn.turn_id for turn in reader.turns([HERE])] == ["t9"]
            assert reader.turn_count([HERE], "s1") == 1
            assert found(reader, "harmless") == [4]
            assert reader.vectors(HERE, "events", MODEL).ords.tolist() == [4]
            assert not reader.speakers(HERE)

    def test_a_message_goes_and_its_turn_stays(self, storage: Storage) -> None:
        messages = (said(f"one {SECRET}", id="a"), said("two words", id="b"), said("three words", id="c"))
        append(storage, make_turn("t1", messages=messages))
        forget(storage, Doomed(messages=frozenset({("s1", "t1", "b")})))
        with storage.read() as reader:
            (turn,) = reader.turns([HERE])
            assert [message.id for message in turn.messages] == ["a", "c"]
            assert found(reader, "word") == [2]
        with storage.write() as writer:
            assert writer.reindex(HERE) == 2
        with storage.read() as reader:
            assert (found(reader, SECRET), found(reader, "three")) == ([0], [2])
        forget(storage, Doomed(messages=frozenset({("s1", "t1", "a"), ("s1", "t1", "c")})))
        with storage.read() as reader:
            assert not reader.turns([HERE]), "a turn that lost its last message goes"

    def test_an_item_with_another_source_lives_on_with_it(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "tea!"), make_turn("t2", "tea!", seq=2, minute=2))
        item = make_item(sources=(make_source("t1"), make_source("t2", minute=2)), seen=2)
        apply(storage, Changes(inserts=(item,)))
        told = forget(storage, Doomed(turns=frozenset({("s1", "t1")})))
        assert [changed.id for changed in told.changed] == ["i1"]
        with storage.read() as reader:
            (left,) = reader.items([HERE])
            assert (left.source_turn_id, left.seen, len(left.sources)) == ("t2", 1, 1)
            assert left.occurred_at == at(2)
        forget(storage, Doomed(turns=frozenset({("s1", "t2")})))
        with storage.read() as reader:
            assert not reader.items([HERE], status=None)
            assert not found(reader, "tea", kind="memory")

    def test_a_context_of_another_scope_that_read_this_one_goes(self, storage: Storage) -> None:
        confide(storage)
        request = {"read": [list(BESIDE), list(HERE)], "user_message": SECRET}
        other = {"read": [list(BESIDE)], "user_message": "their own"}
        with storage.write() as writer:
            writer.put_context(ContextRecord("x2", "s7", BESIDE, at(6), request, {}, None), keep=9)
            writer.put_context(ContextRecord("x3", "s7", BESIDE, at(6), other, {}, None), keep=9)
        forget(storage, Doomed(turns=frozenset({("s1", "t1")})))
        with storage.read() as reader:
            assert reader.context([BESIDE], "x2") is None
            assert reader.context([BESIDE], "x3") is not None

    def test_a_forgotten_session_begins_anew_in_the_same_transaction(self, storage: Storage) -> None:
        append(storage, make_turn("t1"), make_turn("t2", session_id="s2", minute=2))
        with storage.write() as writer:
            writer.append_turn(make_turn("t3", seq=2, minute=3))
            writer.forget([HERE], Doomed(sessions=frozenset({"s1"})))
            writer.append_turn(make_turn("t4", "said again", minute=4))
        with storage.read() as reader:
            assert [(s.session_id, s.turns) for s in reader.sessions([HERE])] == [("s2", 1), ("s1", 1)]
            assert [turn.turn_id for turn in reader.turns([HERE], session_id="s1")] == ["t4"]

    def test_forgetting_again_does_and_counts_nothing(self, storage: Storage) -> None:
        confide(storage)
        forget(storage, Doomed(everything=True))
        erasures = storage.erasures()
        assert erasures == 1
        again = forget(storage, Doomed(everything=True))
        assert not any(again.counts.values())
        assert storage.erasures() == erasures

    def test_an_error_in_the_middle_leaves_everything(self, storage: Storage) -> None:
        confide(storage)
        with storage.read() as reader:
            before = reader.traces([HERE], SECRET)
        with pytest.raises(ZeroDivisionError), storage.write() as writer:  # noqa: PT012
            writer.forget([HERE], Doomed(everything=True))
            raise ZeroDivisionError
        with storage.read() as reader:
            assert reader.traces([HERE], SECRET) == before
            assert found(reader, SECRET) == [2]
        assert storage.erasures() == 0

    def test_scrubbing_is_done_at_once_when_nobody_reads(self, storage: Storage) -> None:
        confide(storage)
        forget(storage, Doomed(everything=True))
        assert storage.scrub() == ""
        confide(storage)
        with storage.read() as reader:
            assert found(reader, SECRET) == [2]
