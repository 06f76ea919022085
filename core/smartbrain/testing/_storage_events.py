"""Behaviours of every store: what was said, and how it is found."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from smartbrain.errors import ConflictError, NotFoundError
from smartbrain.model import Message, Ref, ToolCall
from smartbrain.ports import FLAG_ASSISTANT, FLAG_DELETED, FLAG_HAN, FLAG_QUESTION, FLAG_TOOL, Staged, Storage
from smartbrain.testing.storage_values import BESIDE, HERE, STRANGERS, append, at, found, make_turn, said


class TurnsContract:
    """Turns come back whole and in order."""

    def test_a_turn_comes_back_equal(self, storage: Storage) -> None:
        call = ToolCall(id="c1", name="look", args={"q": [1, None, {"deep": True}]}, result="ok", started_at=at(0))
        turn = make_turn(
            messages=(
                Message(id="m1", role="user", content="hi", name="Ann", created_at=at(0), meta={"k": [1.5]}),
                Message(id="m2", role="assistant", content=None, tool_calls=(call,)),
                Message(id="m3", role="tool", content=[{"type": "text", "text": "found"}], tool_call_id="c1"),
                Message(id="m4", role="assistant", content="", blocks=({"type": "thinking", "thinking": "hm"},)),
            ),
            tool_calls=(call,),
            refs=(Ref(type="url", uri="https://a.example/x", title="X", meta={"n": 1}),),
            status="pending",
            content_hash="abc",
            structured={"tasks": [{"title": "t"}]},
            meta={"run": {"id": 7}},
        )
        append(storage, turn)
        with storage.read() as reader:
            assert reader.turn([HERE], "s1", "t1") == turn
            assert reader.turns([HERE]) == [turn]

    @pytest.mark.parametrize(
        "text", ["a\x00b", "lone \ud83d and \udc00", "", " \r\n\t", "记住 🍵\u2028", "z" * 1_000_000]
    )
    def test_any_text_comes_back_as_it_was(self, storage: Storage, text: str) -> None:
        turn = make_turn(messages=(Message(id=text[:8], role="user", content=text, name=text[:8]),), meta={"k": text})
        append(storage, turn)
        with storage.read() as reader:
            assert reader.turns([HERE]) == [turn]
            assert reader.event_docs(HERE, [0])[0].message == turn.messages[0]

    def test_ids_may_hold_any_text(self, storage: Storage) -> None:
        strange = "' OR 1=1 --\x00\ud800%_"
        turn = make_turn(strange, "hello", session_id=strange)
        append(storage, turn)
        with storage.read() as reader:
            assert reader.turn([HERE], strange, strange) == turn
            assert reader.turn([HERE], "s1", strange) is None
            assert reader.sessions([HERE])[0].session_id == strange

    def test_two_equal_messages_are_two(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "again", "again"))
        with storage.read() as reader:
            assert len(reader.turns([HERE])[0].messages) == 2
            assert found(reader, "again") == [0, 1]

    def test_a_moment_keeps_its_offset(self, storage: Storage) -> None:
        shanghai = timezone(timedelta(hours=8))
        moment = datetime(2026, 3, 1, 0, 30, 0, 123_457, tzinfo=shanghai)
        append(storage, make_turn(occurred_at=moment, recorded_at=at(0)))
        with storage.read() as reader:
            back = reader.turns([HERE])[0].occurred_at
        assert back == moment
        assert back.utcoffset() == timedelta(hours=8)

    def test_an_offset_with_seconds_keeps_the_moment(self, storage: Storage) -> None:
        old = datetime(1890, 1, 1, tzinfo=timezone(timedelta(hours=8, minutes=5, seconds=43)))
        append(storage, make_turn(occurred_at=old, messages=(said("x", created_at=old),)))
        with storage.read() as reader:
            (turn,) = reader.turns([HERE])
        assert turn.occurred_at == old
        assert turn.messages[0].created_at == old

    def test_turns_are_in_the_order_in_which_they_were_said(self, storage: Storage) -> None:
        append(
            storage,
            make_turn("late", minute=9, seq=1),
            make_turn("second", minute=2, seq=3),
            make_turn("first", minute=2, seq=2),
            make_turn("beside", minute=5, seq=4, scope=BESIDE),
        )
        with storage.read() as reader:
            assert [t.turn_id for t in reader.turns([HERE, BESIDE])] == ["first", "second", "beside", "late"]
            assert [t.turn_id for t in reader.turns([BESIDE, HERE], last=2)] == ["beside", "late"]
            assert reader.turns([HERE], last=0) == []

    def test_turns_can_be_chosen(self, storage: Storage) -> None:
        append(storage, *(make_turn(f"t{n}", minute=n, seq=n, session_id=f"s{n % 2}") for n in range(1, 7)))

        with storage.read() as reader:

            def chosen(**how: object) -> str:
                return "".join(turn.turn_id[1:] for turn in reader.turns([HERE], **how))  # type: ignore[arg-type]

            assert chosen() == "123456"
            assert chosen(session_id="s1") == "135"
            assert chosen(session_id="s1", last=2) == "35"
            assert chosen(seqs=(2, 4)) == "234"
            assert chosen(turn_ids=["t5", "t1", "none"]) == "15"
            assert chosen(turn_ids=[]) == ""
            assert chosen(since=at(3), until=at(5)) == "34"
            assert chosen(as_of=at(4)) == "1234"
            assert chosen(as_of=at(4), last=1, session_id="s1") == "3"
            assert chosen(statuses=["aborted"]) == ""

    def test_many_ids_can_be_asked_at_once(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "word"))
        many = [f"no{n}" for n in range(3_000)]
        with storage.read() as reader:
            assert len(reader.turns([HERE], turn_ids=[*many, "t1"])) == 1
            assert list(reader.event_docs(HERE, range(3_000))) == [0]
            assert reader.items([HERE], ids=many) == []
            assert reader.item_ords(HERE, many) == {}

    def test_a_new_revision_takes_the_place_of_the_old_one(self, storage: Storage) -> None:
        old = make_turn("t1", "apples", minute=1)
        new = make_turn("t1", "pears", minute=1, revision=2, recorded_at=at(5))
        append(storage, old, new)
        with storage.read() as reader:
            assert reader.turns([HERE]) == [new]
            assert reader.turn([HERE], "s1", "t1") == new
            assert reader.turn([HERE], "s1", "t1", 1) == old.model_copy(update={"superseded_at": at(5)})
            assert reader.turn([HERE], "s1", "t1", 3) is None
            assert reader.turn_count([HERE]) == 1

    def test_the_words_of_an_old_revision_are_not_found(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "apples"), make_turn("t1", "pears", revision=2, recorded_at=at(5)))
        with storage.read() as reader:
            assert found(reader, "appl") == []
            assert found(reader, "pear") == [1]
            assert reader.lexical(HERE, "events", ["pear"]).total_length == 1
            assert reader.event_ords(HERE, [("s1", "t1")]) == {("s1", "t1"): [1]}
            assert reader.event_docs(HERE, [0])[0].superseded_at == at(5)

    def test_as_of_a_turn_shows_the_revision_of_then(self, storage: Storage) -> None:
        append(
            storage,
            make_turn("t1", "one"),
            make_turn("t1", "two", revision=2, recorded_at=at(5)),
            make_turn("t1", "three", revision=3, recorded_at=at(8)),
        )
        with storage.read() as reader:
            shown = [[t.messages[0].text for t in reader.turns([HERE], as_of=at(m))] for m in (0, 1, 5, 7, 8)]
        assert shown == [[], ["one"], ["two"], ["two"], ["three"]]

    def test_a_revision_is_written_once(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "one"), make_turn("t1", "two", revision=2))
        for revision in (1, 2):
            with pytest.raises(ConflictError), storage.write() as writer:
                writer.append_turn(make_turn("t1", "other", revision=revision))
        with storage.read() as reader:
            assert reader.turns([HERE])[0].messages[0].text == "two"

    def test_the_status_of_a_turn_changes(self, storage: Storage) -> None:
        append(storage, make_turn("t1", status="pending"))
        with storage.write() as writer:
            writer.set_turn_status(HERE, "s1", "t1", "aborted")
        with storage.read() as reader:
            assert reader.turns([HERE])[0].status == "aborted"
            assert reader.turn_count([HERE]) == 1
        with pytest.raises(NotFoundError), storage.write() as writer:
            writer.set_turn_status(HERE, "s1", "t2", "aborted")

    def test_sequence_numbers_run_through_the_scopes_of_a_domain(self, storage: Storage) -> None:
        append(storage, make_turn("t1", seq=1), make_turn("t2", seq=2, scope=BESIDE))
        with storage.write() as writer:
            assert writer.next_seq(HERE, "s1") == 3
            assert writer.next_seq(HERE, "s2") == 1
            assert writer.next_seq(STRANGERS["another domain"], "s1") == 1

    def test_turns_and_sessions_are_counted(self, storage: Storage) -> None:
        append(storage, *(make_turn(f"t{n}", minute=9 - n, seq=n, session_id=f"s{n % 2}") for n in range(1, 6)))
        append(storage, make_turn("open", status="open", session_id="s9"))
        with storage.read() as reader:
            assert reader.turn_count([HERE, HERE]) == 5
            assert reader.turn_count([HERE], "s1") == 3
            sessions = reader.sessions([HERE])
        assert [(s.session_id, s.turns, s.first_at, s.last_at) for s in sessions] == [
            ("s1", 3, at(4), at(8)),
            ("s0", 2, at(5), at(7)),
        ]

    def test_what_was_said_since_a_turn_is_measured(self, storage: Storage) -> None:
        append(storage, *(make_turn(f"t{n}", "x" * 100 * n, minute=n, seq=n) for n in range(1, 4)))
        append(storage, make_turn("t3", "y" * 1_000, minute=3, seq=3, revision=2), make_turn("b", scope=BESIDE, seq=4))
        with storage.read() as reader:
            assert reader.said_since([HERE], "s1", 4) == (0, 0)
            assert reader.said_since([HERE, BESIDE], "s2", 1) == (0, 0)
            turns, characters = reader.said_since([HERE, BESIDE], "s1", 2)
        assert turns == 3
        assert 1_200 <= characters < 2_400

    def test_what_was_said_is_read_as_in_the_turns(self, storage: Storage) -> None:
        append(storage, *(make_turn(f"t{n}", "x" * n, minute=9 - n, seq=n) for n in range(1, 5)))
        append(
            storage, make_turn("t3", "other words", minute=6, seq=3, revision=2), make_turn("b", scope=BESIDE, seq=4)
        )
        append(storage, make_turn("silent", minute=1, seq=2, scope=BESIDE).model_copy(update={"messages": ()}))
        append(storage, make_turn("open", status="open", minute=2, seq=2), make_turn("o", session_id="s2", seq=3))
        with storage.read() as reader:
            turns = reader.turns([HERE, BESIDE], session_id="s1", seqs=(2, 4))
            said = reader.said([HERE, BESIDE], "s1", (2, 4))
            assert reader.said([HERE], "s9", (1, 9)) == []
        assert [(t.turn_id, t.seq, t.messages) for t in said] == [(t.turn_id, t.seq, t.messages) for t in turns]
        assert len(said) == 5

    def test_refs_are_newest_first(self, storage: Storage) -> None:
        for number in range(1, 5):
            refs = tuple(Ref(type="file", uri=f"{number}{part}") for part in "ab") if number != 3 else ()
            append(storage, make_turn(f"t{number}", minute=number, seq=number, refs=refs))
        append(storage, make_turn("t9", minute=9, session_id="s2", refs=(Ref(type="url", uri="9"),)))

        with storage.read() as reader:

            def uris(**how: object) -> list[str]:
                return [hit.ref.uri for hit in reader.refs([HERE], **how)]  # type: ignore[arg-type]

            assert uris() == ["9", "4b", "4a", "2b", "2a", "1b", "1a"]
            assert uris(session_id="s1", last_turns=2) == ["4b", "4a"]
            assert uris(session_id="s1", limit=3) == ["4b", "4a", "2b"]
            assert uris(as_of=at(2)) == ["2b", "2a", "1b", "1a"]


class OpenTurnsContract:
    """Open turns survive and do not double."""

    def test_staged_records_keep_their_order_and_count_once(self, storage: Storage) -> None:
        with storage.write() as writer:
            opened = writer.open_turn(HERE, "s1", "t1", occurred_at=at(1), opened_at=at(2))
            assert (opened.occurred_at, opened.opened_at, opened.staged) == (at(1), at(2), ())
            first = [Staged("a", "message", {"role": "user", "content": "x\ud800"}), Staged("b", "ref", {"uri": "u"})]
            assert writer.stage(HERE, "s1", "t1", first) == 2
        with storage.write() as writer:
            assert writer.stage(HERE, "s1", "t1", [Staged("c", "events", {}), Staged("a", "message", {"n": 1})]) == 1
        with storage.read() as reader:
            (turn,) = reader.open_turns([HERE])
        assert [record.key for record in turn.staged] == ["a", "b", "c"]
        assert turn.staged[0].payload == {"n": 1}

    def test_opening_again_finds_the_open_turn(self, storage: Storage) -> None:
        with storage.write() as writer:
            first = writer.open_turn(HERE, "s1", "t1", occurred_at=at(1), opened_at=at(1))
            assert writer.open_turn(HERE, "s1", "t1", occurred_at=at(5), opened_at=at(5)) == first

    def test_a_committed_turn_is_not_opened_again(self, storage: Storage) -> None:
        append(storage, make_turn("t1"))
        with storage.write() as writer:
            with pytest.raises(ConflictError):
                writer.open_turn(HERE, "s1", "t1", occurred_at=at(1), opened_at=at(1))
            writer.open_turn(HERE, "s2", "t1", occurred_at=at(1), opened_at=at(1))
        with storage.read() as reader:
            assert [turn.session_id for turn in reader.open_turns([HERE])] == ["s2"]

    def test_a_turn_that_is_not_open_takes_no_records(self, storage: Storage) -> None:
        with storage.write() as writer, pytest.raises(NotFoundError):
            writer.stage(HERE, "s1", "t1", [Staged("a", "message", {})])

    def test_a_closed_turn_leaves_nothing_staged(self, storage: Storage) -> None:
        with storage.write() as writer:
            for turn_id, minute in (("t2", 2), ("t1", 1)):
                writer.open_turn(HERE, "s1", turn_id, occurred_at=at(9), opened_at=at(minute))
                writer.stage(HERE, "s1", turn_id, [Staged("a", "message", {})])
        with storage.read() as reader:
            assert [turn.turn_id for turn in reader.open_turns([HERE], "s1")] == ["t1", "t2"]
            assert reader.open_turns([HERE], "s2") == []
        with storage.write() as writer:
            writer.close_open_turn(HERE, "s1", "t1")
            writer.close_open_turn(HERE, "s1", "never opened")
            writer.open_turn(HERE, "s1", "t1", occurred_at=at(1), opened_at=at(3))
        with storage.read() as reader:
            assert [len(turn.staged) for turn in reader.open_turns([HERE])] == [1, 0]


class EventSearchContract:
    """The events space of the index."""

    def test_a_message_is_found_by_its_words_and_its_speaker(self, storage: Storage) -> None:
        append(storage, make_turn(messages=(said("we sail tomorrow", name="Marco"), said("明天出海"))))
        with storage.read() as reader:
            assert found(reader, "sail") == found(reader, "marco") == [0]
            assert found(reader, "明天") == [1]
            columns = reader.lexical(HERE, "events", []).columns
            assert reader.speakers(HERE) == {int(columns.speaker[0]): "Marco"}
            assert columns.speaker[1] == 0

    def test_an_ordinal_leads_to_its_message(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "one"), make_turn("t2", "two", "three", minute=2, seq=2))
        with storage.read() as reader:
            doc = reader.event_docs(HERE, [2, 99])[2]
            assert list(reader.event_docs(HERE, [2, 99])) == [2]
            assert reader.event_ords(HERE, [("s1", "t2"), ("s1", "no")]) == {("s1", "t2"): [1, 2]}
        assert (doc.scope, doc.session_id, doc.turn_id, doc.turn_seq, doc.index) == (HERE, "s1", "t2", 2, 1)
        assert (doc.message.text, doc.occurred_at, doc.superseded_at) == ("three", at(2), None)

    def test_a_message_knows_the_one_before_it_in_its_session(self, storage: Storage) -> None:
        append(
            storage,
            make_turn("a1", "one", "two", session_id="a"),
            make_turn("b1", "three", session_id="b"),
            make_turn("a0", session_id="a", seq=2),
            make_turn("a2", "four", session_id="a", seq=3),
            make_turn("a3", "five", session_id="a", seq=3, scope=BESIDE),
        )
        with storage.read() as reader:
            columns = reader.lexical(HERE, "events", []).columns
        assert columns.prev.tolist() == [-1, 0, -1, 1]
        assert columns.segment.tolist() == [0, 0, 1, 0]

    def test_flags_say_who_spoke_and_how(self, storage: Storage) -> None:
        messages = (
            said("Where is it?"),
            Message(role="assistant", content="在桌子上"),
            Message(role="tool", content="found", tool_call_id="c"),
            Message(role="assistant", content=None),
        )
        append(storage, make_turn(messages=messages))
        with storage.read() as reader:
            view = reader.lexical(HERE, "events", ["found"])
        assert view.columns.flags.tolist() == [
            FLAG_QUESTION,
            FLAG_ASSISTANT | FLAG_HAN,
            FLAG_TOOL,
            FLAG_ASSISTANT,
        ]
        assert view.postings["found"].ords.tolist() == [2]
        assert view.n_docs == 4

    def test_an_unknown_term_or_space_is_empty(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "one"))
        with storage.read() as reader:
            assert found(reader, "nothing") == []
            assert found(reader, "one", STRANGERS["another case"]) == []
            assert reader.lexical(HERE, "memory", ["one"]).n_docs == 0

    def test_many_documents_are_found_like_few(self, storage: Storage) -> None:
        for block in range(6):
            append(storage, make_turn(f"t{block}", *(f"common w{block}x{n}" for n in range(100)), seq=block + 1))
        with storage.read() as reader:
            assert found(reader, "common") == list(range(600))
            assert found(reader, "w5x7") == [507]
            assert reader.lexical(HERE, "events", []).total_length == 1200

    def test_indexing_anew_changes_nothing_that_is_found(self, storage: Storage) -> None:
        append(storage, *(make_turn(f"t{n}", f"word{n} common", "why?", minute=n, seq=n) for n in range(1, 700)))
        append(storage, make_turn("t5", "other common", minute=5, seq=5, revision=2, recorded_at=at(900)))
        terms = ["common", "word5", "word6", "other"]
        with storage.read() as reader:
            before = reader.lexical(HERE, "events", terms)
        with storage.write() as writer:
            assert writer.reindex(HERE) == 2 * 698 + 1
        with storage.read() as reader:
            after = reader.lexical(HERE, "events", terms)
        assert after.total_length == before.total_length
        for term in terms:
            assert after.postings[term].ords.tolist() == before.postings[term].ords.tolist()
        assert after.columns.flags[8] & FLAG_DELETED
