"""Behaviours of every store: how things were at a past moment, and what an undo does."""

from __future__ import annotations

import pytest

from smartbrain.errors import NotFoundError
from smartbrain.model import Changes, ItemAmendment, ItemClosure, ItemSighting, Scope
from smartbrain.ports import Reader, Storage
from smartbrain.testing.storage_values import (
    BESIDE,
    HERE,
    MODEL,
    append,
    apply,
    at,
    make_item,
    make_source,
    make_turn,
    make_vectors,
)


def holding(reader: Reader, term: str, minute: float | None = None, kind: str = "events") -> list[int]:
    """The ordinals of the documents that hold a term, now or as of a minute."""
    as_of = None if minute is None else at(minute)
    view = reader.lexical(HERE, kind, [term], as_of)  # type: ignore[arg-type]
    ords: list[int] = view.postings[term].ords.tolist()
    return ords


class HistoryContract:
    """The past, and taking back what a turn did."""

    def test_a_space_as_of_a_moment_is_the_one_that_was_there(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "pear tree"), make_turn("t2", "pear", seq=2, minute=5))
        with storage.read() as reader:
            before = reader.lexical(HERE, "events", ["pear"])
        append(storage, make_turn("t3", "pear pie", "more", seq=3, minute=9, scope=HERE))
        append(storage, make_turn("t1", "plum", revision=2, minute=1, recorded_at=at(12)))
        with storage.read() as reader:
            then = reader.lexical(HERE, "events", ["pear"], at(6))
            assert (then.n_docs, then.total_length) == (before.n_docs, before.total_length)
            assert [column.tolist() for column in (then.columns.length, then.columns.flags, then.columns.day)] == [
                column.tolist() for column in (before.columns.length, before.columns.flags, before.columns.day)
            ]
            assert [holding(reader, "pear", minute) for minute in (0, 2, 6, 10, 13, None)] == [
                [],
                [0],
                [0, 1],
                [0, 1, 2],
                [1, 2],
                [1, 2],
            ]
            assert [holding(reader, "plum", minute) for minute in (10, 13)] == [[], [4]]

    def test_vectors_and_speakers_as_of_a_moment_leave_out_what_came_later(self, storage: Storage) -> None:
        early, late = (make_turn(f"t{n}", "x", seq=n, minute=n * 5) for n in (1, 2))
        named = [
            turn.model_copy(update={"messages": (turn.messages[0].model_copy(update={"name": name}),)})
            for turn, name in ((early, "Ann"), (late, "Bob"))
        ]
        append(storage, *named)
        with storage.write() as writer:
            writer.put_vectors(HERE, "events", MODEL, [make_vectors(0, [1.0, 0.0]), make_vectors(1, [0.0, 1.0])])
        with storage.read() as reader:
            seen = [reader.vectors(HERE, "events", MODEL, at(minute)) for minute in (1, 6, 11)]
            assert [view.ords.tolist() for view in seen] == [[], [0], [0, 1]]
            assert [int(view.counts.sum()) for view in seen] == [0, 1, 2]
            assert [sorted(reader.speakers(HERE, at(minute)).values()) for minute in (1, 6, 11)] == [
                [],
                ["Ann"],
                ["Ann", "Bob"],
            ]

    def test_an_item_that_learnt_more_is_found_and_shown_as_it_was(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item(text="[x] green tea", value={"v": 1}),)))
        seen = ItemSighting(
            item_id="i1", source=make_source("t2", 5), confidence=1.0, value={"v": 2}, text="[x] black tea"
        )
        apply(storage, Changes(sightings=(seen,)), 5)
        with storage.read() as reader:
            (then,) = reader.items([HERE], as_of=at(3))
            assert (then.value, then.text, then.confidence, then.seen) == ({"v": 1}, "[x] green tea", 0.9, 1)
            assert [holding(reader, word, 3, "memory") for word in ("green", "black", "tea")] == [[0], [], [0]]
            assert [holding(reader, word, None, "memory") for word in ("green", "black")] == [[], [1]]
            assert reader.item_docs(HERE, [0], at(3))[0] == then
            assert reader.items([HERE], ids=["i1"], type="preferences", as_of=at(3)) == [then]
            assert reader.items([HERE], key="other", as_of=at(3), status=None) == []
            (now,) = reader.items([HERE], as_of=at(6))
            assert now.value == {"v": 2}

    def test_an_item_that_is_in_force_again_was_not_in_between(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item(),)))
        closure = ItemClosure(item_id="i1", status="retracted", valid_to=at(3), reason="wrong")
        apply(storage, Changes(closures=(closure,)), 3)
        again = ItemAmendment(item_id="i1", at=at(6), reason="undone", reopen=True)
        apply(storage, Changes(amendments=(again,)), 6)
        with storage.read() as reader:
            told = [reader.items([HERE], as_of=at(minute), status=None)[0] for minute in (2, 4, 7)]
            assert [item.status for item in told] == ["active", "retracted", "active"]
            assert [item.reason for item in told] == [None, "wrong", "undone"]
            assert [len(reader.items([HERE], as_of=at(minute))) for minute in (2, 4, 7)] == [1, 0, 1]
            assert [i.id for i in reader.items([HERE], as_of=at(4), status="retracted")] == ["i1"]
            assert reader.items([HERE])[0].valid_to is None

    def test_a_source_that_was_undone_no_longer_counts_and_did_before(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item(),)))
        apply(storage, Changes(sightings=(ItemSighting(item_id="i1", source=make_source("t2", 3), confidence=0.9),)), 3)
        without = ItemAmendment(item_id="i1", at=at(6), reason="undone", without=("s1", "t2"))
        apply(storage, Changes(amendments=(without,)), 6)
        with storage.read() as reader:
            seen = [reader.items([HERE], as_of=at(minute))[0] for minute in (2, 4, 7)]
            assert [item.seen for item in seen] == [1, 2, 1]
            assert [item.last_seen_at for item in seen] == [at(1), at(3), at(1)]
            assert [[source.undone_at for source in item.sources] for item in seen] == [
                [None],
                [None, None],
                [None, at(6)],
            ]
            assert [source.turn_id for source in reader.items([HERE])[0].counting] == ["t1"]

    def test_a_turn_is_marked_as_undone_from_a_moment_on(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "tea"), make_turn("t1", "tea", scope=BESIDE))
        with storage.write() as writer:
            writer.mark_undone(HERE, "s1", "t1", at(5))
        with storage.read() as reader:
            told = [reader.turns([HERE], as_of=at(minute))[0].undone_at for minute in (4, 6)]
            assert told == [None, at(5)]
            assert reader.event_docs(HERE, [0])[0].undone_at == at(5)
            assert list(reader.event_docs(HERE, [99, 0])) == [0]
            assert reader.event_docs(BESIDE, [0])[0].undone_at is None
            assert reader.turns([BESIDE])[0].undone_at is None
        with storage.write() as writer:
            assert writer.event_docs(HERE, [0])[0].undone_at == at(5)
            writer.mark_undone(HERE, "s1", "t1", None)
            assert writer.event_docs(HERE, [0])[0].undone_at is None
            assert writer.turns([HERE])[0].undone_at is None
            with pytest.raises(NotFoundError):
                writer.mark_undone(HERE, "s1", "nothing", at(5))
            with pytest.raises(NotFoundError):
                writer.mark_undone(Scope("nobody", "a", "b"), "s1", "t1", at(5))
