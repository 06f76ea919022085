from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.errors import StoreError
from smartbrain.stores.index.adding import Posting, extended
from smartbrain.stores.index.codec import Runs, decode, encode

_GAPS = st.one_of(st.integers(1, 3), st.integers(1, 400), st.integers(1, 2_000_000))
_COUNTS = st.one_of(st.just(1), st.integers(1, 4), st.sampled_from([256, 257, 258, 65_535]))


def _whole(postings: list[Posting]) -> bytes:
    ords = np.array([ordinal for ordinal, _ in postings], dtype=np.uint32)
    tfs = np.array([count for _, count in postings], dtype=np.uint16)
    return encode(Runs(ords, tfs, np.array([0, len(ords)])))[0]


@given(st.integers(0, 1000), st.lists(st.tuples(_GAPS, _COUNTS), min_size=1, max_size=200), st.data())
@settings(max_examples=200, deadline=None)
def test_a_block_that_grew_is_the_block_of_all_its_postings(
    first: int, steps: list[tuple[int, int]], data: st.DataObject
) -> None:
    postings: list[Posting] = []
    for gap, count in steps:
        postings.append((postings[-1][0] + gap if postings else first, count))
    blob, at = b"", 0
    while at < len(postings):
        size = data.draw(st.integers(1, 40))
        blob = extended(first, blob, postings[at : at + size])
        at += size
    assert blob == _whole(postings)


def test_a_block_grows_to_its_full_length_posting_by_posting() -> None:
    postings = [(17 * n + n * n % 13, 1 + (n % 50 == 0)) for n in range(512)]
    blob = b""
    for n, posting in enumerate(postings):
        blob = extended(0, blob, [posting])
        if n % 37 == 0:
            assert blob == _whole(postings[: n + 1])
    assert decode([(0, blob)]).ords.tolist() == [ordinal for ordinal, _ in postings]


@pytest.mark.parametrize("blob", [b"\x00", b"\x80\x05\x01", b"\xe0\x02\x03\x00\x00", b"\xa0\x02\x03", b"\x80\x02\x06"])
def test_a_block_that_is_none_is_a_store_error(blob: bytes) -> None:
    with pytest.raises(StoreError):
        extended(0, blob, [(90, 1)])
