from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.errors import StoreError
from smartbrain.stores.index.codec import MAX_BLOCK, Runs, count_of, decode, encode

_POSTINGS = st.dictionaries(
    st.one_of(st.integers(0, 300), st.integers(0, 2**32 - 1)),
    st.one_of(st.just(1), st.integers(1, 300), st.integers(1, 65_535)),
    min_size=1,
    max_size=40,
)


def _runs(blocks: list[dict[int, int]]) -> Runs:
    postings = [item for block in blocks for item in sorted(block.items())]
    starts = np.cumsum([0, *map(len, blocks)])
    ords = np.array([ordinal for ordinal, _ in postings], dtype=np.uint32)
    return Runs(ords, np.array([count for _, count in postings], dtype=np.uint16), starts)


def _rows(runs: Runs) -> list[tuple[int, bytes]]:
    bases = runs.ords[runs.starts[:-1]].tolist()
    return list(zip(bases, encode(runs), strict=True))


def _same(left: Runs, right: Runs) -> bool:
    return all(
        np.array_equal(mine, theirs) and mine.dtype == theirs.dtype
        for mine, theirs in ((left.ords, right.ords), (left.tfs, right.tfs), (left.starts, right.starts))
    )


@given(st.lists(_POSTINGS, max_size=12))
@settings(max_examples=150, deadline=None)
def test_blocks_of_any_postings_come_back_as_they_were(blocks: list[dict[int, int]]) -> None:
    runs = _runs(blocks)
    assert _same(decode(_rows(runs)), runs)


@pytest.mark.parametrize("size", [1, 127, 128, 512, MAX_BLOCK])
@pytest.mark.parametrize("gap", [1, 2, 20, 1000])
def test_a_block_of_any_size_and_density_comes_back(size: int, gap: int) -> None:
    ords = np.cumsum(np.random.default_rng(size + gap).integers(1, 2 * gap, size)).astype(np.uint32)
    runs = Runs(ords, np.ones(size, dtype=np.uint16), np.array([0, size]))
    [(base, blob)] = _rows(runs)
    assert count_of(blob) == size
    assert _same(decode([(base, blob)]), runs)


def test_a_term_that_occurs_once_costs_one_byte() -> None:
    assert [len(blob) for blob in encode(_runs([{70_000: 1}]))] == [1]


def test_a_block_costs_about_two_bits_more_than_the_gaps_need() -> None:
    ords = np.cumsum(np.random.default_rng(1).integers(1, 128, 512)).astype(np.uint32)
    [blob] = encode(Runs(ords, np.ones(512, dtype=np.uint16), np.array([0, 512])))
    assert len(blob) * 8 / 512 < np.log2(64) + 2.2


def test_a_burst_among_rare_postings_does_not_make_the_others_dearer() -> None:
    burst = dict.fromkeys([*range(500), 1000000], 1)
    [blob] = encode(_runs([burst]))
    assert len(blob) * 8 / len(burst) < np.log2(1_000_000 / 500) + 3


@pytest.mark.parametrize("block", [{5: 1, 9: 1, 70_000: 1}, {5: 2, 9: 1}, {5: 300, 9: 1, 10: 65_535}, {7: 3}])
def test_a_block_that_is_cut_short_is_an_error(block: dict[int, int]) -> None:
    [(base, blob)] = _rows(_runs([block]))
    for size in range(len(blob)):
        if size != 1:  # one byte alone is a whole block
            with pytest.raises(StoreError):
                decode([(base, blob[:size])])


def test_a_block_of_another_format_is_an_error() -> None:
    with pytest.raises(StoreError, match="unknown format"):
        decode([(1, b"\x00\x02\x03")])


@given(st.lists(st.binary(max_size=30).map(lambda body: b"\x80" + body), min_size=1, max_size=4), st.integers(0, 127))
@settings(max_examples=300, deadline=None)
def test_bytes_that_are_no_block_give_a_store_error_and_no_other(blobs: list[bytes], bits: int) -> None:
    rows = [(7, bytes([blob[0] | bits]) + blob[1:]) for blob in blobs]
    try:
        runs = decode(rows)
    except StoreError:
        return
    assert runs.starts.tolist() == np.cumsum([0, *(count_of(blob) for _, blob in rows)]).tolist()


def test_a_bit_too_many_in_one_block_and_too_few_in_the_next_is_an_error() -> None:
    first, second = encode(_runs([{4: 1, 5: 1}, {8: 1, 9: 1}]))
    assert first == second == b"\x80\x02\x03"
    with pytest.raises(StoreError, match="damaged"):
        decode([(4, b"\x80\x02\x07"), (8, b"\x80\x02\x01")])


def test_a_count_for_a_posting_beyond_its_block_is_an_error() -> None:
    blob = b"\xa0\x02\x01\x05\x03"  # two neighbours; bitmap: the first posting counts 2 + 5
    assert decode([(4, blob), (8, b"\x80")]).tfs.tolist() == [7, 1, 1]
    with pytest.raises(StoreError, match="damaged"):
        decode([(4, b"\xa0\x02\x04\x05\x03"), (8, b"\x80")])
