"""Where numbers stand among others, by counting bits."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.extraction.learned.ranked import MOST, Ranked

ENDS = (*range(0, 700, 3), *range(MOST - 700, MOST, 5))
NUMBERS = sorted({*ENDS, *random.Random(1).sample(range(MOST), 5_000)})
RANKED = Ranked(np.array(NUMBERS, dtype=np.int32))
SOME = st.sampled_from(NUMBERS) | st.integers(0, 700) | st.integers(MOST - 700, MOST - 1) | st.integers(0, MOST - 1)


@given(st.lists(SOME, max_size=80))
def test_a_number_stands_where_a_search_finds_it(asked: list[int]) -> None:
    rows, known = RANKED.places(np.array(asked, dtype=np.int64))
    held = set(NUMBERS)
    assert known.tolist() == [one in held for one in asked]
    assert rows.tolist() == [NUMBERS.index(one) for one in asked if one in held]


def test_among_none_no_number_stands_anywhere() -> None:
    rows, known = Ranked(np.array([], dtype=np.int32)).places(np.array([0, 7, MOST - 1]))
    assert not len(rows)
    assert not known.any()
