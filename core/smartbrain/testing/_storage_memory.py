"""Behaviours of every store: what was made of the turns."""

from __future__ import annotations

import pytest

from smartbrain.errors import ConflictError, NotFoundError
from smartbrain.model import Changes, ItemClosure, ItemSighting, MemoryItem, Mention, Scope, Summary
from smartbrain.ports import ContextRecord, Storage
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


def superseding(old: str, new: MemoryItem, minute: float) -> Changes:
    """A new item that takes the place of an old one."""
    closure = ItemClosure(item_id=old, status="superseded", valid_to=at(minute), reason="newer", superseded_by=new.id)
    return Changes(inserts=(new,), closures=(closure,))


class ItemsContract:
    """Memory items with their links, sources and history."""

    def test_an_item_comes_back_equal(self, storage: Storage) -> None:
        item = make_item(
            value={"deep": [1, {"x": None}], "字": "\ud800"},
            text="[preferences:k] 喜欢\x00茶\ud800",
            trust="tool",
            rule="r1",
            source_message_id="m1",
            source_span=(3, 9),
            evidence_refs=("https://a.example",),
            supersedes=("i0",),
            seen=3,
            sources=(make_source(), make_source("t2", 2, message_id=None, span=None, quote="a\x00\ud800")),
        )
        apply(storage, Changes(inserts=(item,)))
        with storage.read() as reader:
            assert reader.items([HERE]) == [item]
            assert reader.item_docs(HERE, [0, 7]) == {0: item}
            assert reader.item_ords(HERE, ["i1", "no"]) == {"i1": 0}

    def test_items_can_be_chosen_and_are_oldest_first(self, storage: Storage) -> None:
        items = (
            make_item("b", minute=3, key="k1"),
            make_item("c", minute=1, key="k2", recorded_at=at(9)),
            make_item("a", minute=1, key="k2"),
            make_item("d", minute=2, type="tasks", key="k1"),
            make_item("e", minute=4, scope=BESIDE),
        )
        apply(storage, Changes(inserts=items))

        with storage.read() as reader:

            def chosen(**how: object) -> str:
                return "".join(item.id for item in reader.items([BESIDE, HERE], **how))  # type: ignore[arg-type]

            assert chosen() == "acdbe"
            assert chosen(type="tasks") == "d"
            assert chosen(key="k1") == "db"
            assert chosen(type="preferences", key="k1") == "b"
            assert chosen(type="preferences", key=["k2", "k1", "k3"]) == "acb"
            assert chosen(key=[]) == ""
            assert chosen(ids=["e", "a", "no"]) == "ae"
            assert chosen(ids=[]) == ""
            assert chosen(limit=2) == "be"
            assert chosen(limit=0) == ""
            assert chosen(status="retracted") == ""
            assert chosen(as_of=at(2)) == "acd"

    def test_versions_are_the_items_of_one_key_where_there_are_several(self, storage: Storage) -> None:
        items = (
            make_item("b", minute=3, key="k1"),
            make_item("a", minute=1, key="k1"),
            make_item("c", minute=2, key="k2"),
            make_item("d", minute=2, type="tasks", key="k1"),
            make_item("e", minute=4, key="k2", scope=BESIDE),
        )
        apply(storage, Changes(inserts=items))
        apply(storage, superseding("c", make_item("f", minute=5, key="k2"), 5), minute=6)
        slots = [("preferences", "k1"), ("preferences", "k2"), ("tasks", "k1"), ("tasks", "k3")]
        with storage.read() as reader:

            def told(scope: Scope, **how: object) -> list[str]:
                return [item.id for item in reader.versions(scope, slots, **how)]  # type: ignore[arg-type]

            assert told(HERE) == ["a", "c", "b", "f"]
            assert told(BESIDE) == []
            assert told(Scope("nobody", "user", "x")) == []
            assert [item.status for item in reader.versions(HERE, slots[1:2])] == ["superseded", "active"]
            assert set(told(HERE, as_of=at(4))) == {"a", "b", "c", "d"}
            assert reader.versions(HERE, []) == []

    def test_a_writer_finds_what_it_has_just_written(self, storage: Storage) -> None:
        with storage.write() as writer:
            for number, name in enumerate(("a", "b")):
                assert len(found(writer, "tea", kind="memory")) == number
                writer.apply(Changes(inserts=(make_item(name),)), make_commit(number))
            assert len(found(writer, "tea", kind="memory")) == 2

    def test_an_item_that_was_read_is_the_readers_own(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item("a"),)))
        with storage.read() as reader:
            (item,) = reader.items([HERE])
            item.value["planted"] = {"deep": ["and deeper"]}
            assert reader.items([HERE]) == [make_item("a")]
        with storage.read() as reader:
            assert reader.items([HERE]) == [make_item("a")]

    def test_a_superseded_item_is_linked_both_ways(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item("old"),)))
        apply(storage, superseding("old", make_item("new", minute=5), 5), minute=6)
        with storage.read() as reader:
            assert [item.id for item in reader.items([HERE])] == ["new"]
            old, new = reader.items([HERE], status=None)
        assert new.supersedes == ("old",)
        assert (old.status, old.superseded_by, old.reason) == ("superseded", "new", "newer")
        assert (old.valid_to, old.closed_at) == (at(5), at(6))

    def test_as_of_an_item_stands_as_it_stood_then(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item("old"),)))
        apply(storage, superseding("old", make_item("new", minute=5), 5), minute=6)
        gone = ItemClosure(item_id="new", status="retracted", valid_to=at(8), reason="wrong")
        apply(storage, Changes(closures=(gone,)), minute=8)
        with storage.read() as reader:
            current = [[item.id for item in reader.items([HERE], as_of=at(m))] for m in (0, 1, 5, 7, 8)]
            assert current == [[], ["old"], ["new"], ["new"], []]
            (then,) = reader.items([HERE], as_of=at(2), status=None)
            assert then == make_item("old")
            assert [item.status for item in reader.items([HERE], as_of=at(5), status=None)] == ["superseded", "active"]
            assert [i.id for i in reader.items([HERE], as_of=at(7), status="superseded")] == ["old"]
            assert [i.id for i in reader.items([HERE], as_of=at(9), status="retracted")] == ["new"]
            assert reader.items([HERE], as_of=at(7), status="retracted") == []

    def test_closed_items_are_still_found_by_search(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item("old"),)))
        apply(storage, superseding("old", make_item("new", minute=5), 5))
        with storage.read() as reader:
            ords = found(reader, "tea", kind="memory")
            assert {item.id for item in reader.item_docs(HERE, ords).values()} == {"old", "new"}

    def test_a_sighting_adds_its_source_once(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item(),)))
        sighting = ItemSighting(item_id="i1", source=make_source("t2", 4), confidence=0.95)
        for _ in range(2):
            apply(storage, Changes(sightings=(sighting,)), minute=4)
        with storage.read() as reader:
            (item,) = reader.items([HERE])
            assert (item.seen, item.last_seen_at, item.confidence) == (2, at(4), 0.95)
            assert [source.turn_id for source in item.sources] == ["t1", "t2"]
            (then,) = reader.items([HERE], as_of=at(3))
            assert (then.seen, then.last_seen_at, len(then.sources)) == (1, at(1), 1)

    def test_another_span_is_another_source(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item(),)))
        spans = ((0, 4), (9, 13), None)
        sightings = tuple(ItemSighting(item_id="i1", source=make_source(span=span), confidence=0.9) for span in spans)
        apply(storage, Changes(sightings=sightings))
        with storage.read() as reader:
            assert [source.span for source in reader.items([HERE])[0].sources] == [(0, 4), (9, 13), None]

    def test_a_merged_item_is_found_by_its_new_words(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item(),)))
        merged = ItemSighting(
            item_id="i1", source=make_source("t2", 2), confidence=0.9, value={"v": 2}, text="[preferences:k] coffee"
        )
        apply(storage, Changes(sightings=(merged,)))
        with storage.read() as reader:
            assert found(reader, "tea", kind="memory") == []
            (ordinal,) = found(reader, "coffe", kind="memory")
            assert reader.item_docs(HERE, [ordinal])[ordinal].value == {"v": 2}
            assert reader.item_ords(HERE, ["i1"]) == {"i1": ordinal}
        with storage.write() as writer:
            assert writer.reindex(HERE) == 1
        with storage.read() as reader:
            assert found(reader, "coffe", kind="memory") == [ordinal]

    def test_an_item_of_another_scope_of_the_domain_can_be_closed(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item("far", scope=BESIDE),)))
        apply(storage, Changes(closures=(ItemClosure(item_id="far", status="retracted", valid_to=at(2), reason="x"),)))
        with storage.read() as reader:
            assert reader.items([BESIDE]) == []
            assert reader.items([BESIDE], status="retracted")[0].scope == BESIDE

    def test_items_of_another_domain_cannot_be_touched(self, storage: Storage) -> None:
        foreign = STRANGERS["another domain"]
        apply(storage, Changes(inserts=(make_item(scope=foreign),)), scope=foreign)
        closure = ItemClosure(item_id="i1", status="retracted", valid_to=at(2), reason="x")
        with pytest.raises(NotFoundError):
            apply(storage, Changes(closures=(closure,)))
        with storage.read() as reader:
            assert len(reader.items([foreign])) == 1

    def test_the_same_id_in_two_scopes_is_two_items(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item(scope=BESIDE), make_item(scope=HERE))))
        apply(storage, Changes(closures=(ItemClosure(item_id="i1", status="retracted", valid_to=at(2), reason="x"),)))
        with storage.read() as reader:
            assert reader.items([HERE]) == []
            assert len(reader.items([BESIDE])) == 1

    def test_a_value_that_was_said_late_ends_an_older_one_earlier(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item("old"), make_item("new", occurred_at=at(9)))))
        end = {"item_id": "old", "status": "superseded", "reason": "replaced"}
        apply(storage, Changes(closures=(ItemClosure(**end, valid_to=at(9), superseded_by="new"),)))
        late = make_item("late", occurred_at=at(5), status="superseded", valid_to=at(9), superseded_by="new")
        earlier = ItemClosure(**end, valid_to=at(5), superseded_by="late")
        apply(storage, Changes(inserts=(late,), closures=(earlier,)))
        with storage.read() as reader:
            assert [[item.id for item in reader.items([HERE], as_of=at(m))] for m in (4, 6, 9)] == [
                ["old"],
                ["late"],
                ["new"],
            ]
        with pytest.raises(ConflictError):
            apply(storage, Changes(closures=(ItemClosure(**end, valid_to=at(7), superseded_by="new"),)))

    def test_an_item_is_inserted_and_closed_once(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item(),)))
        closure = ItemClosure(item_id="i1", status="retracted", valid_to=at(2), reason="x")
        apply(storage, Changes(closures=(closure,)))
        for changes in (Changes(inserts=(make_item(),)), Changes(closures=(closure,))):
            with pytest.raises(ConflictError):
                apply(storage, changes)

    def test_verdicts_name_their_item_oldest_first(self, storage: Storage) -> None:
        with storage.write() as writer:
            late = (make_verdict(reason="late"), make_verdict("i2"), make_verdict(None, action="skipped"))
            writer.apply(Changes(), make_commit(5, *late))
            early = make_verdict(reason="early \ud800", span=(1, 2), quote="q")
            writer.apply(Changes(verdicts=(early,)), make_commit(2, early))
        with storage.read() as reader:
            assert reader.verdicts([HERE], "i1") == [early, late[0]]
            assert reader.verdicts([HERE], "none") == []
            assert reader.turn_verdicts([HERE], "s1", "t1") == [early, *late]
            assert reader.turn_verdicts([HERE], "s1", "t2") == reader.turn_verdicts([HERE], "s2", "t1") == []


class DerivedContract:
    """Mentions, summaries, contexts, and making derived memory anew."""

    def test_mentions_are_newest_first_and_count_once(self, storage: Storage) -> None:
        turns = [make_turn(f"t{n}", "the cat", minute=n, seq=n) for n in (1, 2, 3)]
        append(storage, *turns)
        for _ in range(2):
            with storage.write() as writer:
                for turn in turns:
                    cat = Mention(key="entity:other:cat", surface="cat", message_id=f"{turn.turn_id}-m0")
                    writer.add_mentions(turn, [cat, cat, Mention(key="entity:other:dog", surface="狗\ud800")])
        with storage.read() as reader:
            hits = reader.mentions([HERE], ["entity:other:cat"])
            assert [(hit.turn_id, hit.ord, hit.occurred_at) for hit in hits] == [
                ("t3", 2, at(3)),
                ("t2", 1, at(2)),
                ("t1", 0, at(1)),
            ]
            assert len(reader.mentions([HERE], ["entity:other:cat", "entity:other:dog"], limit=4)) == 4
            assert reader.mentions([HERE], ["entity:other:dog"], as_of=at(1))[0].surface == "狗\ud800"
            assert reader.mentions([HERE], ["entity:other:dog"])[0].ord is None

    def test_mentions_are_counted_in_the_newest_turns(self, storage: Storage) -> None:
        for number in range(1, 6):
            turn = make_turn(f"t{number}", minute=number, seq=number)
            append(storage, turn)
            with storage.write() as writer:
                writer.add_mentions(turn, [Mention(key="a", surface=s) for s in ("A", "Aa")])
                writer.add_mentions(turn, [Mention(key="b", surface="B")] if number == 2 else [])
        with storage.read() as reader:
            assert reader.mention_turns([HERE], "s1", ["a", "b"], 3) == {"a": 3, "b": 0}
            assert reader.mention_turns([HERE], "s1", ["a", "b"], 20) == {"a": 5, "b": 1}
            assert reader.mention_turns([HERE], "s2", ["a"], 20) == {"a": 0}

    def test_mentions_of_an_old_revision_are_gone(self, storage: Storage) -> None:
        old, new = make_turn("t1", "cat"), make_turn("t1", "dog", revision=2, recorded_at=at(5))
        append(storage, old)
        with storage.write() as writer:
            writer.add_mentions(old, [Mention(key="cat", surface="cat")])
            writer.append_turn(new)
        with storage.read() as reader:
            assert reader.mentions([HERE], ["cat"]) == []
            assert len(reader.mentions([HERE], ["cat"], as_of=at(4))) == 1
            assert reader.mention_turns([HERE], "s1", ["cat"], 9) == {"cat": 0}
        with pytest.raises(NotFoundError), storage.write() as writer:
            writer.add_mentions(make_turn("t2"), [])

    def test_the_newest_summary_counts(self, storage: Storage) -> None:
        first, second = (
            Summary(
                session_id="s1",
                scope=HERE,
                version=version,
                text=f"Goals: {version}\ud800",
                turn_from=1,
                turn_to=version,
                generated_at=at(version),
                trigger="turns",
                item_ids=("i1",),
                turn_ids=("t1", "t2"),
            )
            for version in (1, 2)
        )
        with storage.write() as writer:
            writer.put_summary(first)
            writer.put_summary(second)
            with pytest.raises(ConflictError):
                writer.put_summary(second)
        with storage.read() as reader:
            assert reader.summary([BESIDE, HERE], "s1") == second
            assert reader.summary([HERE], "s1", as_of=at(1)) == first
            assert reader.summary([HERE], "s1", as_of=at(0)) is None
            assert reader.summary([HERE], "s2") is None

    def test_only_the_newest_contexts_of_a_domain_are_kept(self, storage: Storage) -> None:
        def record(number: int, domain: str = "acme") -> ContextRecord:
            scope = HERE._replace(domain=domain, id=f"p{number}")
            return ContextRecord(f"x{number}", "s1", scope, at(number), {"q": "\ud800"}, {"k": number}, None)

        with storage.write() as writer:
            writer.put_context(record(0, "other"), 3)
            for number in (5, 4, 1, 2, 3, 3):
                writer.put_context(record(number), 3)
        with storage.read() as reader:
            kept = [n for n in range(6) if reader.context([record(n).scope], f"x{n}")]
            assert kept == [3, 4, 5]
            assert reader.context([record(3).scope], "x3") == record(3)
            assert reader.context([record(0, "other").scope], "x0") == record(0, "other")

    def test_derived_memory_can_be_dropped_and_the_turns_stay(self, storage: Storage) -> None:
        turn = make_turn("t1", "tea")
        append(storage, turn)
        apply(storage, Changes(inserts=(make_item(), make_item("b", scope=BESIDE)), verdicts=(make_verdict(),)))
        with storage.write() as writer:
            writer.add_mentions(turn, [Mention(key="a", surface="A")])
            writer.clear_derived(HERE)
        with storage.read() as reader:
            assert reader.items([HERE], status=None) == []
            assert reader.verdicts([HERE], "i1") == []
            assert reader.mentions([HERE], ["a"]) == []
            assert found(reader, "tea", kind="memory") == []
            assert reader.turns([HERE]) == [turn]
            assert found(reader, "tea") == [0]
            assert len(reader.items([BESIDE])) == 1
        apply(storage, Changes(inserts=(make_item(),)))
        with storage.read() as reader:
            assert found(reader, "tea", kind="memory") == [0]
