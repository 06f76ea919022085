"""What a store must do to give away what it holds, and to take it in again."""

from __future__ import annotations

import pytest

from smartbrain.errors import ConflictError
from smartbrain.model import Changes, ItemClosure, ItemSighting, Mention, Message, Scope
from smartbrain.ports import Doomed, Staged, Storage
from smartbrain.records import ItemRecord, OpenTurnRecord, Record, SummaryRecord, TurnRecord, encode, turn_name
from smartbrain.testing._storage_forgetting import SECRET, confide, forget
from smartbrain.testing.storage_values import (
    BESIDE,
    HERE,
    STRANGERS,
    append,
    apply,
    at,
    found,
    make_commit,
    make_item,
    make_source,
    make_turn,
    make_verdict,
)


def records(storage: Storage, *scopes: Scope) -> list[Record]:
    """Everything of some scopes."""
    with storage.read() as reader:
        return list(reader.records(scopes or None))


def restore(storage: Storage, given: list[Record]) -> int:
    """How many of the records were new."""
    with storage.write() as writer:
        return sum(writer.restore(record) for record in given)


class RecordsContract:
    """Whole records. Needs the fixture ``storage``."""

    def test_what_is_given_away_and_taken_in_is_the_same_in_every_field(self, storage: Storage) -> None:
        confide(storage)
        apply(storage, Changes(inserts=(make_item("i2", key="k", text="[k] tea"),)), 3)
        closure = ItemClosure(item_id="i-t1", status="superseded", valid_to=at(5), reason="r", superseded_by="i2")
        seen = ItemSighting(item_id="i2", source=make_source("t9", minute=3), confidence=0.8, text="[k] black tea")
        apply(storage, Changes(sightings=(seen,), closures=(closure,)), 5)
        before = records(storage, HERE)
        assert {record.kind for record in before} == {"turn", "item", "summary", "open_turn"}
        forget(storage, Doomed(everything=True))
        assert records(storage) == []
        assert restore(storage, before) == len(before)
        assert [encode(record) for record in records(storage, HERE)] == [encode(record) for record in before]

    def test_a_turn_comes_with_every_revision_and_counts_once(self, storage: Storage) -> None:
        confide(storage)
        kept = records(storage, HERE)
        turns = [record for record in kept if isinstance(record, TurnRecord)]
        assert [(r.turn.turn_id, r.turn.revision) for r in turns] == [("t1", 1), ("t1", 2), ("t9", 1)]
        assert turns[0].turn.superseded_at == at(2)
        assert [len(record.verdicts) for record in turns] == [0, 1, 0]
        assert [len(record.mentions) for record in turns] == [0, 1, 0]
        assert turns[1].turn.tool_calls[0].result == SECRET
        forget(storage, Doomed(everything=True))
        restore(storage, kept)
        with storage.read() as reader:
            assert reader.turn_count([HERE]) == reader.turn_count([HERE], "s1") == 2
            assert [turn.revision for turn in reader.turns([HERE])] == [2, 1]

    def test_words_are_found_again_and_those_of_an_older_revision_are_not(self, storage: Storage) -> None:
        old = make_turn("t1", "umbrella")
        append(storage, old, make_turn("t1", "raincoat", revision=2, recorded_at=at(2)))
        apply(storage, Changes(inserts=(make_item(),)))
        kept = records(storage, HERE)
        forget(storage, Doomed(everything=True))
        restore(storage, kept)
        with storage.read() as reader:
            assert found(reader, "umbrella") == []
            (ordinal,) = found(reader, "raincoat")
            assert reader.event_docs(HERE, [ordinal])[ordinal].message.text == "raincoat"
            assert len(found(reader, "tea", kind="memory")) == 1

    def test_the_next_turn_of_a_restored_session_goes_on_counting(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a", seq=7))
        kept = records(storage, HERE)
        forget(storage, Doomed(everything=True))
        restore(storage, kept)
        with storage.write() as writer:
            assert writer.next_seq(HERE, "s1") == 8

    def test_what_is_here_already_is_passed_over(self, storage: Storage) -> None:
        confide(storage)
        kept = records(storage, HERE)
        with storage.read() as reader:
            generation = reader.generation([HERE])
        assert restore(storage, kept) == 0
        assert records(storage, HERE) == kept
        with storage.read() as reader:
            assert reader.generation([HERE]) == generation

    def test_another_content_under_the_same_name_is_a_conflict_and_changes_nothing(self, storage: Storage) -> None:
        confide(storage)
        kept = records(storage, HERE)
        changed: list[Record] = []
        for record in kept:
            if isinstance(record, TurnRecord):
                turn = record.turn.model_copy(update={"messages": (Message(id="m", role="user", content="else"),)})
                changed.append(record.model_copy(update={"turn": turn}))
            elif isinstance(record, ItemRecord):
                changed.append(ItemRecord(item=record.item.model_copy(update={"confidence": 0.1})))
            elif isinstance(record, SummaryRecord):
                changed.append(SummaryRecord(summary=record.summary.model_copy(update={"text": "else"})))
            else:
                changed.append(record.model_copy(update={"staged": ()}))
        assert len(changed) >= 6
        for record in changed:
            with pytest.raises(ConflictError, match="other content"):
                restore(storage, [record])
        assert records(storage, HERE) == kept

    def test_a_turn_that_differs_in_a_verdict_or_a_mention_is_a_conflict(self, storage: Storage) -> None:
        confide(storage)
        (turn,) = (r for r in records(storage, HERE) if isinstance(r, TurnRecord) and r.verdicts)
        for part in ("verdicts", "mentions"):
            with pytest.raises(ConflictError):
                restore(storage, [turn.model_copy(update={part: ()})])

    def test_a_turn_that_was_committed_is_not_opened_again(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a"))
        opened = OpenTurnRecord(scope=HERE, session_id="s1", turn_id="t1", opened_at=at(1), occurred_at=at(1))
        with pytest.raises(ConflictError):
            restore(storage, [opened])

    def test_records_of_one_scope_hold_nothing_of_another(self, storage: Storage) -> None:
        for scope in (HERE, *STRANGERS.values()):
            confide(storage, scope)
        assert {record.scope for record in records(storage, BESIDE)} == {BESIDE}
        everything = records(storage)
        assert [record.scope for record in everything] == sorted(record.scope for record in everything)
        assert {record.scope for record in everything} == {HERE, *STRANGERS.values()}

    def test_pages_lose_nothing_and_repeat_nothing(self, storage: Storage) -> None:
        with storage.write() as writer:
            for number in range(300):  # three pages, many of them said in one moment
                said = [f"word{number}"] * (number % 3)
                turn = make_turn(f"t{number}", *said, seq=number + 1, minute=(299 - number) // 150)
                writer.append_turn(turn)
                writer.add_mentions(turn, [Mention(key=f"k{number}", surface="x")])
                commit = make_commit(number, make_verdict(f"i{number}"))
                item = make_item(f"i{number}", key=f"k{number}", text=f"[k] word{number}")
                writer.apply(Changes(inserts=(item,)), commit)
        kept = records(storage, HERE)
        turns = [record.turn.turn_id for record in kept if isinstance(record, TurnRecord)]
        silent = [f"t{number}" for number in range(0, 300, 3)]
        assert turns[:200] == [f"t{number}" for number in range(300) if number % 3]
        assert turns[200:] == [*silent[50:], *silent[:50]]
        assert [r.item.id for r in kept if isinstance(r, ItemRecord)] == [f"i{number}" for number in range(300)]
        assert len(kept) == 600

    def test_a_record_is_known_by_its_name(self, storage: Storage) -> None:
        confide(storage)
        with storage.read() as reader:
            for record in records(storage, HERE):
                there = reader.stored(HERE, record.name)
                assert there is not None
                assert encode(there) == encode(record)
            assert reader.stored(HERE, turn_name("s1", "t1", 9)) is None
            assert reader.stored(BESIDE, turn_name("s1", "t1", 1)) is None

    def test_staged_parts_come_in_their_order(self, storage: Storage) -> None:
        with storage.write() as writer:
            writer.open_turn(HERE, "s1", "t1", occurred_at=at(1), opened_at=at(2))
            writer.stage(HERE, "s1", "t1", [Staged(f"k{n}", "tool_call", {"n": n}) for n in (3, 1, 2)])
        (kept,) = records(storage, HERE)
        assert isinstance(kept, OpenTurnRecord)
        assert [part.payload["n"] for part in kept.staged] == [3, 1, 2]
        assert (kept.occurred_at, kept.opened_at) == (at(1), at(2))
