"""Behaviours of every store: the vectors of messages and items."""

from __future__ import annotations

import numpy as np
import pytest

from smartbrain.errors import InputError
from smartbrain.model import Changes, ItemClosure, ItemSighting
from smartbrain.ports import LANGUAGES, DocVectors, SpaceKind, Storage, VectorModel
from smartbrain.testing.storage_values import (
    BESIDE,
    HERE,
    MODEL,
    append,
    apply,
    at,
    make_commit,
    make_item,
    make_source,
    make_turn,
    make_vectors,
)

OTHER = VectorModel("tiny-2", 2)


def put(storage: Storage, *docs: DocVectors, kind: SpaceKind = "events", model: VectorModel = MODEL) -> int:
    """Keeps vectors in a transaction of its own."""
    with storage.write() as writer:
        return writer.put_vectors(HERE, kind, model, docs)


def kept(storage: Storage, kind: SpaceKind = "events", model: VectorModel = MODEL) -> dict[int, list[list[float]]]:
    """The windows of every document, rounded to two places."""
    with storage.read() as reader:
        view = reader.vectors(HERE, kind, model)
    found: dict[int, list[list[float]]] = {}
    for ordinal, vector in zip(view.ords.tolist(), view.vectors, strict=True):
        found.setdefault(ordinal, []).append([round(float(x), 2) for x in vector])
    return found


def left(storage: Storage, model: VectorModel = MODEL) -> tuple[list[int], list[int], int]:
    """The messages and the items without vectors, and the backlog."""
    with storage.read() as reader:
        without = [reader.without_vectors(HERE, kind, model, 99) for kind in ("events", "memory")]
        return without[0], without[1], reader.vector_backlog([HERE], model)


class VectorsContract:
    """Vectors follow their documents and never mix."""

    def test_vectors_come_back_with_length_one_and_their_language(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "one", "two"))
        assert put(storage, make_vectors(0, [3.0, 4.0], language="zh"), make_vectors(1, [0.0, 0.5], [2.0, 0.0])) == 2
        assert kept(storage) == {0: [[0.6, 0.8]], 1: [[0.0, 1.0], [1.0, 0.0]]}
        with storage.read() as reader:
            view = reader.vectors(HERE, "events", MODEL)
        assert [LANGUAGES[code] for code in view.languages] == ["zh", "en", "en"]
        assert view.vectors.dtype == np.float32
        assert view.counts.tolist() == [0, 2, 1, 0, 0, 0]
        assert view.sums[1].tolist() == [1.0, 1.0]

    def test_the_matrix_grows_with_what_is_added(self, storage: Storage) -> None:
        for number in range(40):
            append(storage, make_turn(f"t{number}", "a", "b", seq=number + 1))
            put(storage, make_vectors(2 * number, [1.0, float(number)]), make_vectors(2 * number + 1, [0.0, -1.0]))
            assert len(kept(storage)) == 2 * number + 2
        with storage.read() as reader:
            view = reader.vectors(HERE, "events", MODEL)
            assert reader.vectors(HERE, "events", MODEL).vectors.tolist() == view.vectors.tolist()
        assert view.ords.tolist() == list(range(80))
        assert np.allclose(view.sums[1], view.vectors.sum(axis=0), atol=1e-4)

    def test_a_view_that_was_given_does_not_change(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a", "b"))
        put(storage, make_vectors(0, [1.0, 0.0]))
        with storage.read() as reader:
            before = reader.vectors(HERE, "events", MODEL)
        put(storage, make_vectors(1, [0.0, 1.0]))
        assert (before.ords.tolist(), before.counts.sum()) == ([0], 1)
        assert len(kept(storage)) == 2

    def test_nothing_is_kept_of_vectors_that_were_rolled_back(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a", "b"))
        put(storage, make_vectors(0, [1.0, 0.0]))

        def fail() -> None:
            with storage.write() as writer:
                writer.put_vectors(HERE, "events", MODEL, [make_vectors(1, [1.0, 0.0])])
                assert len(writer.vectors(HERE, "events", MODEL).ords) == 2
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fail()
        put(storage, make_vectors(1, [0.0, 1.0]))
        assert kept(storage) == {0: [[1.0, 0.0]], 1: [[0.0, 1.0]]}

    def test_the_backlog_is_what_has_no_vectors_yet(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a", "b", "c"))
        apply(storage, Changes(inserts=(make_item("i1"),)))
        assert left(storage) == ([0, 1, 2], [0], 4)
        put(storage, make_vectors(1, [1.0, 0.0]))
        assert left(storage) == ([0, 2], [0], 3)
        put(storage, make_vectors(0, [1.0, 0.0]), make_vectors(0, [1.0, 0.0]), kind="memory")
        put(storage, make_vectors(0, [1.0, 0.0]), make_vectors(2))
        assert left(storage) == ([], [], 0)
        append(storage, make_turn("t2", "d", seq=2))
        assert left(storage) == ([3], [], 1)
        with storage.read() as reader:
            assert reader.without_vectors(HERE, "events", OTHER, 2) == [0, 1]

    def test_a_document_without_text_is_done_and_near_to_nothing(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "", "x"))
        assert put(storage, make_vectors(0), make_vectors(1, [0.0, 0.0])) == 2
        assert kept(storage) == {}
        assert left(storage)[2] == 0

    def test_models_do_not_mix(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a", "b"))
        put(storage, make_vectors(0, [1.0, 0.0]), make_vectors(1, [1.0, 0.0]))
        put(storage, make_vectors(0, [0.0, 1.0]), model=OTHER)
        wide = VectorModel(MODEL.name, 3)
        put(storage, make_vectors(1, [0.0, 0.0, 1.0]), model=wide)
        assert kept(storage) == {0: [[1.0, 0.0]], 1: [[1.0, 0.0]]}
        assert kept(storage, model=OTHER) == {0: [[0.0, 1.0]]}
        assert kept(storage, model=wide) == {1: [[0.0, 0.0, 1.0]]}
        assert [left(storage, model)[2] for model in (MODEL, OTHER, wide)] == [0, 1, 1]
        with storage.read() as reader:
            assert reader.vector_models([HERE, BESIDE]) == {MODEL: 2, wide: 1, OTHER: 1}
            assert reader.vector_models([BESIDE]) == {}
        with storage.write() as writer:
            assert writer.drop_vectors(HERE, keep=OTHER) == 2
        assert (kept(storage), kept(storage, model=OTHER)) == ({}, {0: [[0.0, 1.0]]})
        assert left(storage)[2] == 2

    @pytest.mark.parametrize("windows", [[[1.0, 2.0, 3.0]], [[float("nan"), 1.0]], [[float("inf"), 1.0]]])
    def test_vectors_that_cannot_be_are_refused(self, storage: Storage, windows: list[list[float]]) -> None:
        append(storage, make_turn("t1", "a", "b"))
        with pytest.raises(InputError):
            put(storage, make_vectors(0, [1.0, 0.0]), make_vectors(1, *windows))
        assert kept(storage) == {}

    def test_vectors_can_be_replaced(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a", "b"))
        put(storage, make_vectors(0, [1.0, 0.0]), make_vectors(1, [1.0, 0.0]))
        assert kept(storage) == {0: [[1.0, 0.0]], 1: [[1.0, 0.0]]}
        put(storage, make_vectors(1, [0.0, 1.0]))
        assert kept(storage) == {0: [[1.0, 0.0]], 1: [[0.0, 1.0]]}

    def test_the_vectors_of_a_superseded_turn_go(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "old", "words"), make_turn("t2", "kept", seq=2))
        put(storage, *(make_vectors(n, [1.0, 0.0]) for n in range(3)))
        assert len(kept(storage)) == 3
        append(storage, make_turn("t1", "new", revision=2, recorded_at=at(5)))
        assert kept(storage) == {2: [[1.0, 0.0]]}
        assert left(storage)[0] == [3]
        assert put(storage, make_vectors(0, [1.0, 0.0]), make_vectors(99, [1.0, 0.0])) == 0
        assert kept(storage) == {2: [[1.0, 0.0]]}

    def test_the_vectors_of_an_item_go_when_its_text_changes_and_stay_when_it_is_closed(self, storage: Storage) -> None:
        apply(storage, Changes(inserts=(make_item("i1"), make_item("i2"))))
        put(storage, make_vectors(0, [1.0, 0.0]), make_vectors(1, [0.0, 1.0]), kind="memory")
        seen = ItemSighting(item_id="i1", source=make_source("t2"), confidence=0.9, text="[x] coffee")
        closure = ItemClosure(item_id="i2", status="retracted", valid_to=at(3), reason="r")
        apply(storage, Changes(sightings=(seen,), closures=(closure,)), 3)
        assert kept(storage, "memory") == {1: [[0.0, 1.0]]}
        assert left(storage)[1] == [2]

    def test_indexing_anew_keeps_vectors_and_clearing_drops_those_of_items(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a"))
        apply(storage, Changes(inserts=(make_item("i1"),)))
        put(storage, make_vectors(0, [1.0, 0.0]))
        put(storage, make_vectors(0, [0.0, 1.0]), kind="memory")
        with storage.write() as writer:
            writer.reindex(HERE)
        assert (len(kept(storage)), len(kept(storage, "memory"))) == (1, 1)
        with storage.write() as writer:
            writer.clear_derived(HERE)
            writer.apply(Changes(inserts=(make_item("i9"),)), make_commit(2))
        assert (len(kept(storage)), len(kept(storage, "memory"))) == (1, 0)
        assert left(storage) == ([], [0], 1)
        put(storage, make_vectors(0, [1.0, 0.0]), kind="memory")
        assert kept(storage, "memory") == {0: [[1.0, 0.0]]}

    def test_vectors_make_the_generation_grow(self, storage: Storage) -> None:
        append(storage, make_turn("t1", "a"), make_turn("t1", "a", scope=BESIDE))
        with storage.read() as reader:
            before = reader.generation([HERE]), reader.generation([BESIDE])
        put(storage, make_vectors(0, [1.0, 0.0]))
        with storage.read() as reader:
            assert reader.generation([HERE]) > before[0]
            assert reader.generation([BESIDE]) == before[1]
