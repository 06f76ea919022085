"""Behaviours of every store: scopes apart, all or nothing, many threads, and closing."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from smartbrain.errors import ClosedError, ConflictError, ScopeError
from smartbrain.model import Changes, ItemClosure, ItemSighting, Mention, Message, Ref, Scope, Summary
from smartbrain.ports import ContextRecord, Reader, Staged, Storage, VectorModel
from smartbrain.records import decode, encode, turn_name
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
)

ITEM = ("item", "i1")

READS: dict[str, Callable[[Reader, list[Scope]], Any]] = {
    "turn": lambda r, s: r.turn(s, "s1", "t1"),
    "turns": lambda r, s: r.turns(s),
    "turn_count": lambda r, s: r.turn_count(s) or r.turn_count(s, "s1"),
    "said_since": lambda r, s: any(r.said_since(s, "s1", 1)),
    "said": lambda r, s: r.said(s, "s1", (1, 9)),
    "sessions": lambda r, s: r.sessions(s),
    "open_turns": lambda r, s: r.open_turns(s),
    "items": lambda r, s: r.items(s, status=None) or r.items(s, ids=["i1"]) or r.items(s, as_of=at(9)),
    "verdicts": lambda r, s: r.verdicts(s, "i1"),
    "turn_verdicts": lambda r, s: r.turn_verdicts(s, "s1", "t1"),
    "mentions": lambda r, s: r.mentions(s, ["a"]),
    "mention_turns": lambda r, s: any(r.mention_turns(s, "s1", ["a"], 9).values()),
    "refs": lambda r, s: r.refs(s),
    "summary": lambda r, s: r.summary(s, "s1"),
    "context": lambda r, s: r.context(s, "x1"),
    "generation": lambda r, s: r.generation(s),
    "records": lambda r, s: list(r.records(s)),
    "stored": lambda r, s: [r.stored(scope, turn_name("s1", "t1", 1)) for scope in s if r.stored(scope, ITEM)],
    "traces": lambda r, s: r.traces(s, "tea"),
    "lexical": lambda r, s: [o for scope in s for kind in ("events", "memory") for o in found(r, "tea", scope, kind)],
    "vectors": lambda r, s: [o + 1 for scope in s for o in r.vectors(scope, "events", MODEL).ords.tolist()],
    "without_vectors": lambda r, s: [o + 1 for scope in s for o in r.without_vectors(scope, "memory", MODEL, 9)],
    "vector_backlog": lambda r, s: r.vector_backlog(s, MODEL),
    "vector_models": lambda r, s: list(r.vector_models(s)),
    "event_docs": lambda r, s: [doc for scope in s for doc in r.event_docs(scope, [0, 1])],
    "event_ords": lambda r, s: [doc for scope in s for doc in r.event_ords(scope, [("s1", "t1")])],
    "item_docs": lambda r, s: [doc for scope in s for doc in r.item_docs(scope, [0, 1])],
    "versions": lambda r, s: [
        i for scope in s for i in r.versions(scope, [("preferences", "pref:other:drink")], at(9))
    ],
    "item_ords": lambda r, s: [doc for scope in s for doc in r.item_ords(scope, ["i1"])],
    "speakers": lambda r, s: [name for scope in s for name in r.speakers(scope)],
}
"""A call of every method of ``Reader`` that gives something truthy in a filled scope."""


def fill(storage: Storage, scope: Scope = HERE) -> None:
    """Puts something into a scope for every method of ``Reader``."""
    message = Message(id="m1", role="user", content="tea", name="Ann")
    turn = make_turn(scope=scope, messages=(message,), refs=(Ref(type="url", uri="u"),))
    summary = Summary(
        session_id="s1", scope=scope, version=1, text="t", turn_from=1, turn_to=1, generated_at=at(1), trigger="x"
    )
    with storage.write() as writer:
        writer.append_turn(turn)
        writer.add_mentions(turn, [Mention(key="a", surface="A")])
        writer.apply(Changes(inserts=(make_item(scope=scope),)), make_commit(1, make_verdict(), scope=scope))
        writer.put_summary(summary)
        writer.put_vectors(scope, "events", MODEL, [make_vectors(0, [1.0, 0.0])])
        writer.put_context(ContextRecord("x1", "s1", scope, at(1), {}, {}, {}), 9)
        writer.open_turn(scope, "s1", "t2", occurred_at=at(2), opened_at=at(2))
        writer.stage(scope, "s1", "t2", [Staged("k", "message", {})])


def use_everything(storage: Storage) -> None:
    """Runs every method of a reader and a writer at least once."""
    fill(storage)
    append(storage, make_turn("t1", "tea", revision=2, recorded_at=at(4)))
    seen = ItemSighting(item_id="i1", source=make_source("t2"), confidence=0.9, text="[x] coffee")
    closure = ItemClosure(item_id="i1", status="superseded", valid_to=at(5), reason="r", superseded_by="i2")
    apply(storage, Changes(inserts=(make_item("i2"),), sightings=(seen,), closures=(closure,)))
    with storage.write() as writer:
        assert all(call(writer, [HERE]) is not None for call in READS.values())
        writer.turns([HERE], session_id="s1", seqs=(1, 2), as_of=at(9), since=at(0), until=at(9), last=3)
        writer.turns([HERE], turn_ids=["t1"])
        writer.refs([HERE], session_id="s1", last_turns=2, as_of=at(3))
        writer.mentions([HERE], ["a"], as_of=at(9))
        writer.items([HERE], type="preferences", key="k")
        writer.next_seq(HERE, "s1")
        writer.set_turn_status(HERE, "s1", "t1", "pending")
        writer.close_open_turn(HERE, "s1", "t2")
        for window in ([1.0, 0.0], [0.0, 1.0]):
            writer.put_vectors(HERE, "memory", MODEL, [make_vectors(0, window)])
        writer.drop_vectors(HERE, keep=VectorModel("other", 2))
        writer.put_vectors(HERE, "memory", MODEL, [make_vectors(0, [1.0, 0.0])])
        writer.reindex(HERE)
        kept = list(writer.records([HERE]))
        writer.clear_derived(HERE)
        moved = [decode(json.loads(encode(record).replace(HERE.id, BESIDE.id))) for record in kept]
        assert all(writer.restore(record) for record in moved)


class ScopesContract:
    """A read sees the scopes it names and no other."""

    def test_every_method_of_a_reader_is_tried(self) -> None:
        assert set(READS) == {name for name in vars(Reader) if not name.startswith("_")}

    @pytest.mark.parametrize("method", READS)
    def test_a_reader_sees_the_scopes_it_names(self, storage: Storage, method: str) -> None:
        fill(storage)
        with storage.read() as reader:
            assert READS[method](reader, [HERE])

    @pytest.mark.parametrize("stranger", STRANGERS.values(), ids=STRANGERS)
    @pytest.mark.parametrize("method", READS)
    def test_a_reader_sees_no_other_scope(self, storage: Storage, method: str, stranger: Scope) -> None:
        fill(storage)
        with storage.read() as reader:
            assert not READS[method](reader, [stranger])
            assert not READS[method](reader, [])
        append(storage, make_turn("other", scope=stranger, session_id="s9"))
        with storage.read() as reader:
            answer = READS[method](reader, [stranger])
            assert method in {"turns", "turn_count", "sessions", "generation", "records"} or not answer

    def test_the_same_ids_in_two_domains_are_two_things(self, storage: Storage) -> None:
        foreign = STRANGERS["another domain"]
        fill(storage)
        fill(storage, foreign)
        with storage.write() as writer:
            closure = ItemClosure(item_id="i1", status="retracted", valid_to=at(3), reason="x")
            writer.apply(Changes(closures=(closure,)), make_commit(3, scope=foreign))
            writer.clear_derived(foreign)
            writer.close_open_turn(foreign, "s1", "t2")
            writer.set_turn_status(foreign, "s1", "t1", "aborted")
        with storage.read() as reader:
            assert all(READS[method](reader, [HERE]) for method in READS)
            assert reader.turns([HERE])[0].status == "committed"
            assert [t.scope for t in reader.turns([foreign, HERE])].count(HERE) == 1

    def test_scopes_with_equal_ordinals_do_not_mix(self, storage: Storage) -> None:
        for scope in (HERE, BESIDE):
            append(storage, make_turn("t1", f"words {scope.id}", scope=scope, refs=(Ref(type="url", uri=scope.id),)))
            with storage.write() as writer:
                writer.apply(Changes(inserts=(make_item(scope=scope, text=scope.id),)), make_commit(scope=scope))
        with storage.read() as reader:
            for scope in (HERE, BESIDE):
                (turn,) = reader.turns([scope])
                assert [message.text for message in turn.messages] == [f"words {scope.id}"]
                assert reader.event_docs(scope, [0])[0].message.text == f"words {scope.id}"
                assert reader.item_docs(scope, [0])[0].text == scope.id
                assert [hit.ref.uri for hit in reader.refs([scope])] == [scope.id]
                assert found(reader, "word", scope) == [0]

    def test_naming_a_scope_twice_shows_it_once(self, storage: Storage) -> None:
        fill(storage)
        with storage.read() as reader:
            assert len(READS["records"](reader, [HERE, HERE])) == 4
            for method in ("turns", "items", "mentions", "refs", "sessions", "open_turns", "verdicts"):
                assert len(READS[method](reader, [HERE, HERE])) == 1, method

    @pytest.mark.parametrize("broken", [None, "acme", ("acme", "project"), ("acme", "project", None)])
    def test_a_malformed_scope_is_an_error(self, storage: Storage, broken: Any) -> None:
        fill(storage)
        with storage.read() as reader:
            for call in READS.values():
                with pytest.raises(ScopeError):
                    call(reader, [broken])

    def test_scopes_that_hold_something_are_listed(self, storage: Storage) -> None:
        foreign = STRANGERS["another domain"]
        assert storage.scopes() == []
        append(storage, make_turn(scope=foreign), make_turn(scope=HERE))
        with storage.write() as writer:
            writer.open_turn(BESIDE, "s1", "t1", occurred_at=at(1), opened_at=at(1))
        assert set(storage.scopes()) == {HERE, BESIDE, foreign}
        assert set(storage.scopes("acme")) == {HERE, BESIDE}
        assert storage.scopes("ACME") == []


class TransactionsContract:
    """All of it happens or nothing."""

    @pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
    def test_nothing_is_kept_of_a_write_that_fails(self, storage: Storage, failure: type[BaseException]) -> None:
        fill(storage, BESIDE)

        def fail() -> None:
            with storage.write() as writer:
                writer.append_turn(make_turn("t1", "tea"))
                writer.apply(Changes(inserts=(make_item(),)), make_commit())
                raise failure

        with pytest.raises(failure):
            fail()
        with storage.read() as reader:
            assert not any(READS[method](reader, [HERE]) for method in READS)
        fill(storage)
        with storage.read() as reader:
            assert all(READS[method](reader, [HERE]) for method in READS)

    def test_nothing_is_kept_of_a_batch_that_fails_in_the_middle(self, storage: Storage) -> None:
        batch = (make_item("a"), make_item("b"), make_item("a"), make_item("c"))
        with storage.write() as writer:
            writer.append_turn(make_turn("t1", "kept"))
            with pytest.raises(ConflictError):
                writer.apply(Changes(inserts=batch), make_commit(1, make_verdict("a")))
        with storage.read() as reader:
            assert reader.items([HERE], status=None) == []
            assert reader.verdicts([HERE], "a") == []
            assert reader.lexical(HERE, "memory", []).n_docs == 0
            assert found(reader, "kept") == [0]

    def test_a_writer_reads_what_it_wrote(self, storage: Storage) -> None:
        with storage.write() as writer:
            writer.append_turn(make_turn("t1", "tea"))
            assert writer.turn_count([HERE]) == 1
            assert found(writer, "tea") == [0]
            assert writer.next_seq(HERE, "s1") == 2

    def test_a_snapshot_does_not_move(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "tea"))
        with ThreadPoolExecutor(1) as other:
            with storage.read() as reader:
                writing = other.submit(append, storage, make_turn("t2", "tea", minute=2, seq=2))
                for _ in range(50):
                    assert [turn.turn_id for turn in reader.turns([HERE])] == ["t1"]
                    assert found(reader, "tea") == [0]
            writing.result()
        with storage.read() as reader:
            assert found(reader, "tea") == [0, 1]

    def test_the_generation_grows_with_every_write_to_the_scope(self, storage: Storage) -> None:
        def generation(*scopes: Scope) -> int:
            with storage.read() as reader:
                return reader.generation(scopes)

        seen = [generation(HERE)]
        append(storage, make_turn("t1"))
        seen.append(generation(HERE))
        with storage.write() as writer:
            writer.open_turn(HERE, "s1", "t2", occurred_at=at(1), opened_at=at(1))
        seen.append(generation(HERE))
        with storage.write() as writer:
            writer.apply(Changes(inserts=(make_item(),)), make_commit())
        seen.append(generation(HERE))
        assert seen == sorted(set(seen))
        append(storage, make_turn("t1", scope=BESIDE))
        assert generation(HERE) == seen[-1]
        assert generation(HERE, BESIDE) > seen[-1]

    def test_threads_lose_no_write(self, storage: Storage) -> None:
        def commit(number: int) -> int:
            with storage.write() as writer:
                seq = writer.next_seq(HERE, "s1")
                writer.append_turn(make_turn(f"t{number}", f"w{number} common", seq=seq))
            with storage.read() as reader:
                return found(reader, f"w{number}")[0]

        with ThreadPoolExecutor(8) as threads:
            ords = list(threads.map(commit, range(120)))
        assert sorted(ords) == list(range(120))
        with storage.read() as reader:
            assert [turn.seq for turn in reader.turns([HERE])] == list(range(1, 121))
            assert found(reader, "common") == list(range(120))

    def test_a_reader_is_of_no_use_after_its_block(self, storage: Storage) -> None:
        with storage.read() as reader:
            pass
        with pytest.raises(ClosedError):
            reader.turns([HERE])
        with storage.write() as writer:
            pass
        with pytest.raises(ClosedError):
            writer.append_turn(make_turn())

    def test_a_closed_store_says_so(self, storage: Storage) -> None:
        append(storage, make_turn())
        storage.close()
        storage.close()
        for use in (storage.read, storage.write):
            with pytest.raises(ClosedError), use():
                raise AssertionError("a closed store gave a transaction")
        with pytest.raises(ClosedError):
            storage.scopes()
