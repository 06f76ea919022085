from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.errors import StoreError
from smartbrain.stores.index.columns import COLUMN_BLOCK, FIELDS, ROW, ColumnBuffer, Rows, decode_blocks, encode_block

_U16 = st.integers(0, 2**16 - 1)


@st.composite
def _blocks(draw: st.DrawFn) -> tuple[int, list[tuple[int, ...]]]:
    base = draw(st.sampled_from([0, 1, 5 * COLUMN_BLOCK, 2**31 - 60]))
    size = draw(st.integers(1, 50))
    rows = [
        (
            draw(_U16),
            draw(_U16),
            draw(st.integers(-1, base + place - 1)),
            draw(st.integers(0, 2**32 - 1)),
            draw(_U16),
            draw(_U16),
            draw(st.integers(0, 255)),
        )
        for place in range(size)
    ]
    return base, rows


@given(_blocks())
@settings(max_examples=100, deadline=None)
def test_a_block_of_any_columns_comes_back_as_it_was(block: tuple[int, list[tuple[int, ...]]]) -> None:
    base, values = block
    rows = np.array(values, dtype=ROW)
    assert decode_blocks([(base, encode_block(base, rows))], base, base + len(rows)).tolist() == values


def _plain(size: int, begin: int = 0) -> Rows:
    rows = np.zeros(size, dtype=ROW)
    rows["prev"] = np.arange(begin - 1, begin + size - 1)
    rows["length"] = np.arange(begin, begin + size) % 40
    return rows


def test_blocks_must_cover_the_documents_without_a_gap() -> None:
    first, second = (0, encode_block(0, _plain(8))), (8, encode_block(8, _plain(4, 8)))
    assert decode_blocks([first, second], 0, 12)["length"].tolist() == list(range(12))
    for blocks, end in (([second], 12), ([first], 12), ([first, first], 16), ([first, second], 10)):
        with pytest.raises(StoreError, match="lexical index"):
            decode_blocks(blocks, 0, end)


def test_a_damaged_or_foreign_column_block_is_an_error() -> None:
    blob = encode_block(0, _plain(8))
    for damaged in (b"", blob[:5], blob[:-3], blob[:20] + b"\0" + blob[21:], b"\x09" + blob[1:]):
        with pytest.raises(StoreError, match="lexical index"):
            decode_blocks([(0, damaged)], 0, 8)


def test_ordinary_columns_cost_few_bytes() -> None:
    assert len(encode_block(0, _plain(COLUMN_BLOCK))) < COLUMN_BLOCK


def test_a_view_does_not_change_when_the_tail_grows_and_cannot_be_written() -> None:
    buffer = ColumnBuffer(4, room=3)
    buffer.fill(0, _plain(4))
    headers = [row.tobytes() for row in _plain(3, 4)]
    short = buffer.with_tail(headers[:1])
    long = buffer.with_tail(headers)
    assert short is not None
    assert long is not None
    assert (short.length.tolist(), long.length.tolist()) == (list(range(5)), list(range(7)))
    assert np.shares_memory(short.length, long.length)
    with pytest.raises(ValueError, match="read-only"):
        long.length[0] = 1


def test_another_tail_or_a_longer_one_needs_a_new_buffer() -> None:
    buffer = ColumnBuffer(0, room=2)
    one, two, three = (row.tobytes() for row in _plain(3))
    assert buffer.with_tail([one]) is not None
    assert buffer.with_tail([two]) is None
    assert buffer.with_tail([one, two, three]) is None
    assert buffer.with_tail([one, two]) is not None
    assert set(FIELDS) == set(ROW.names or ())
