"""The kept shape of a space: always what the columns say, however it grew."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.ports import FLAG_QUESTION, DocColumns
from smartbrain.retrieval.shape import shape_of


def columns_of(size: int, buffer: dict[str, np.ndarray]) -> DocColumns:
    """Views of one buffer, as a store hands them out."""
    names = ("length", "chars", "prev", "segment", "day", "speaker", "flags")
    return DocColumns(*(buffer[name][:size] for name in names))


def buffer_of(rows: list[tuple[int, int, int, int]]) -> dict[str, np.ndarray]:
    length, prev, segment, day = (list(column) for column in zip(*rows, strict=True))
    return {
        "length": np.array(length, np.uint16),
        "chars": np.array(length, np.uint16) * 20,
        "prev": np.array(prev, np.int32),
        "segment": np.array(segment, np.uint32),
        "day": np.array(day, np.uint16),
        "speaker": np.zeros(len(rows), np.uint16),
        "flags": np.array([FLAG_QUESTION * (number % 3 > 0) for number in length], np.uint8),
    }


@st.composite
def spaces(draw: st.DrawFn) -> list[tuple[int, int, int, int]]:
    rows: list[tuple[int, int, int, int]] = []
    ends: dict[int, int] = {}
    for n in range(draw(st.integers(1, 40))):
        session = draw(st.integers(0, 3))
        prev = ends.get(session, -1)
        ends[session] = n
        stretch = session * 4 + draw(st.integers(0, 3))
        rows.append((draw(st.integers(0, 50)), prev, stretch, draw(st.integers(0, 9))))
    return rows


@given(spaces(), st.lists(st.integers(1, 40), max_size=4))
def test_however_a_space_grew_its_shape_is_that_of_its_columns(
    rows: list[tuple[int, int, int, int]], sizes: list[int]
) -> None:
    buffer = buffer_of(rows)
    for size in [*(min(size, len(rows)) for size in sizes), len(rows)]:
        columns = columns_of(size, buffer)
        shape = shape_of(columns)
        after = [next((n for n in range(size) if rows[n][1] == at), -1) for at in range(size)]
        assert shape.after.tolist() == after
        asks = [buffer["flags"][n] & FLAG_QUESTION and buffer["chars"][n] <= 300 for n in range(size)]
        assert shape.answers.tolist() == [rows[n][1] >= 0 and bool(asks[rows[n][1]]) for n in range(size)]
        assert shape.lengths.tolist() == np.bincount(columns.segment, weights=columns.length).tolist()
        for stretch in range(16):
            expected = [n for n in range(size) if rows[n][2] == stretch]
            given_ = shape.of_stretches(
                columns, np.array([stretch] if stretch < len(shape.lengths) else []).astype(int)
            )
            assert given_.tolist() == expected
        assert shape.on_days(columns, [2, 5]).tolist() == [n for n in range(size) if rows[n][3] in (2, 5)]


def test_a_space_read_as_it_was_has_the_shape_it_had() -> None:
    rows = [(1, -1, 0, 1), (1, 0, 0, 1), (1, 1, 0, 2)]
    buffer = buffer_of(rows)
    assert shape_of(columns_of(3, buffer)).after.tolist() == [1, 2, -1]
    assert shape_of(columns_of(2, buffer)).after.tolist() == [1, -1]
