"""What is kept of arrays that only grow: longer ones never change what was handed out of the shorter."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.ports import LANGUAGES, VectorView
from smartbrain.retrieval.doc_rows import DocRows, doc_rows_of
from smartbrain.retrieval.growing import Growing, Tape

STEPS = st.lists(st.integers(0, 9), max_size=8)


@given(STEPS)
def test_a_tape_holds_what_was_put_behind_it_and_so_does_each_of_its_beginnings(steps: list[int]) -> None:
    tape, held = Tape.empty(np.int64), [Tape.empty(np.int64)]
    for step in steps:
        tape = tape.longer(np.arange(len(tape.array), len(tape.array) + step))
        held.append(tape)
    for one in held:
        assert one.array.tolist() == list(range(len(one.array)))
    assert len(tape.array) == sum(steps)


def test_two_that_go_on_from_the_same_tape_do_not_write_over_each_other() -> None:
    begun = Tape.empty(np.float32, 2).longer(np.zeros((3, 2)))
    one, other = begun.longer(np.ones((2, 2))), begun.longer(np.full((4, 2), 2.0))
    assert one.array[3:].tolist() == [[1.0, 1.0]] * 2
    assert other.array[3:].tolist() == [[2.0, 2.0]] * 4
    assert begun.array.tolist() == [[0.0, 0.0]] * 3


def test_threads_that_go_on_from_the_same_tape_each_get_their_own() -> None:
    begun, found = Tape.empty(np.int64).longer(np.zeros(10)), {}

    def go_on(number: int) -> None:
        tape = begun
        for _ in range(50):
            tape = tape.longer(np.full(3, number))
        found[number] = tape.array

    threads = [threading.Thread(target=go_on, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(set(array[10:].tolist()) == {number} and len(array) == 160 for number, array in found.items())


@given(st.lists(st.integers(1, 3), min_size=1, max_size=30), st.integers(0, 30), st.randoms(use_true_random=False))
def test_the_rows_of_documents_are_the_same_read_at_once_or_bit_by_bit(windows, cut, chance) -> None:
    docs = list(range(0, 2 * len(windows), 2))  # every other document has no vectors
    if cut % 2:
        chance.shuffle(docs)  # older documents get theirs late
    ords = np.repeat(np.array(docs, dtype=np.uint32), windows)
    begin = int(np.sum(windows[:cut]))
    whole = DocRows.empty().grown(ords)
    grown = DocRows.empty().grown(ords[:begin]).grown(ords)
    asked = np.arange(2 * len(windows) + 2)
    first = [ords.tolist().index(n) if n in docs else -1 for n in asked]
    for rows in (whole, grown):
        assert rows.firsts(asked).tolist() == first
        assert rows.ords.tolist() == docs
        found, begins = rows.rows(np.array(docs))
        assert found.tolist() == list(range(len(ords)))
        assert begins.tolist() == [first[n] for n in docs]
    allowed = np.array([chance.random() < 0.7 for _ in range(2 * len(windows))])
    assert whole.seen(allowed) == int(allowed[docs].sum())


def test_an_older_document_that_gets_its_vectors_late_is_found_where_they_stand() -> None:
    known = DocRows.empty().grown(np.array([0, 4], dtype=np.uint32))
    grown = known.grown(np.array([0, 4, 2, 2], dtype=np.uint32))
    assert grown.firsts(np.arange(5)).tolist() == [0, -1, 2, -1, 1]
    found, begins = grown.rows(np.array([2, 0]))
    assert (found.tolist(), begins.tolist()) == ([2, 3, 0], [0, 2])


@pytest.mark.parametrize("sizes", [(3, 5, 8)])
def test_an_older_snapshot_is_answered_from_its_own_rows(sizes: tuple[int, ...]) -> None:
    buffer = np.arange(10, dtype=np.uint32)
    none = np.zeros(0)
    views = [
        VectorView(buffer[:size], none, none, none, np.zeros(len(LANGUAGES), np.int64)) for size in (*sizes, sizes[0])
    ]
    assert [len(doc_rows_of(view).ords) for view in views] == [*sizes, sizes[0]]


def test_what_a_space_was_like_is_made_once_for_the_same_moment_and_for_a_few() -> None:
    kept: Growing[int] = Growing(4)
    buffer, made = np.arange(100), []

    def asked(size: int) -> int:
        def grow(known: int | None) -> int:
            made.append((known, size))
            return size

        return kept.of(buffer[:size], grow)

    assert [asked(size) for size in (50, 20, 30, 20, 50, 60)] == [50, 20, 30, 20, 50, 60]
    assert made == [(None, 50), (None, 20), (None, 30), (50, 60)]
    for size in (1, 2, 3, 4, 30, 20):
        asked(size)
    assert [size for _, size in made[4:]] == [1, 2, 3, 4, 30, 20]
