"""The vectors of a space as it was: no copy where the others only came behind them."""

from __future__ import annotations

import gc
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.ports import FLAG_DELETED, LANGUAGES, DocColumns, VectorView
from smartbrain.stores.index.past import Past, past_of
from smartbrain.stores.vectors import VectorBuffer, VectorRow

COUNT = 40


def view() -> VectorView:
    chance = np.random.default_rng(1)
    vectors = chance.normal(size=(COUNT, 4)).astype(np.float16)
    return VectorBuffer(4).append([VectorRow(n + 1, n, 1 + n % 2, 1, vectors[n].tobytes()) for n in range(COUNT)])


def past(hidden: set[int]) -> Past:
    columns = DocColumns(**{field.name: np.zeros(COUNT, dtype=np.uint8) for field in fields(DocColumns)})
    return past_of(columns, hidden, {})


@given(st.sets(st.integers(0, COUNT - 1), max_size=COUNT) | st.integers(0, COUNT).map(lambda n: set(range(n, COUNT))))
def test_they_are_those_of_what_was_there_and_are_counted_anew(hidden: set[int]) -> None:
    whole = view()
    known = past(hidden)
    assert (known.columns.flags == FLAG_DELETED).sum() == sum(n < len(known.there) for n in hidden)
    then = known.vectors(whole)
    there = [n for n in range(COUNT) if n not in hidden]
    assert then.ords.tolist() == there
    assert then.vectors.tolist() == whole.vectors[there].tolist()
    assert then.counts.tolist() == np.bincount(then.languages, minlength=len(LANGUAGES)).tolist()
    for place in range(len(LANGUAGES)):
        assert then.sums[place] == pytest.approx(then.vectors[then.languages == place].sum(axis=0), abs=1e-5)


def test_what_came_behind_is_left_out_without_a_copy_and_the_same_moment_gives_the_same_object() -> None:
    whole = view()
    then = past(set(range(30, COUNT))).vectors(whole)
    assert np.shares_memory(then.vectors, whole.vectors)
    assert past(set(range(30, COUNT))).vectors(whole) is then
    assert len(past(set(range(20, COUNT))).vectors(whole).ords) == 20
    assert past(set()).vectors(whole) is whole


def test_nothing_of_a_view_is_kept_once_it_is_gone() -> None:
    from smartbrain.stores.index import past as module

    gc.collect()
    before = len(module._BEGINNINGS)
    whole = view()
    past(set(range(30, COUNT))).vectors(whole)
    assert len(module._BEGINNINGS) == before + 1
    del whole
    gc.collect()
    assert len(module._BEGINNINGS) == before
