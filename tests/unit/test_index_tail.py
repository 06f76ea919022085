from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.errors import InputError, StoreError
from smartbrain.ports import FLAG_DELETED, FLAG_HAN, IndexedDoc
from smartbrain.stores.index.columns import ROW
from smartbrain.stores.index.tail import PACK, Tail, deleted, encode_doc, packed_rows


def _doc(terms: dict[str, int], **fields: int) -> IndexedDoc:
    values = {"length": 3, "chars": 9, "prev": -1, "segment": 0, "day": 0, "speaker": 0, "flags": 0} | fields
    return IndexedDoc(terms, **values)


def _tail(*docs: IndexedDoc, first: int = 10) -> Tail:
    rows = [(first + place, encode_doc(first + place, doc)) for place, doc in enumerate(docs)]
    return Tail(rows, first, first + len(docs))


_TERMS = st.dictionaries(st.text("ab3\n\0\x7f中", min_size=1, max_size=3), st.integers(1, 70_000), max_size=6)


@given(st.lists(_TERMS, max_size=8))
@settings(max_examples=150, deadline=None)
def test_the_tail_finds_exactly_the_terms_of_its_documents(documents: list[dict[str, int]]) -> None:
    tail = _tail(*(_doc(terms) for terms in documents))
    asked = {term for terms in documents for term in terms} | {"a", "ab", "3", "中"}
    hits = tail.find(dict.fromkeys(asked, 10))
    found = {term: list(zip(hit.ords.tolist(), hit.tfs.tolist(), strict=True)) for term, hit in hits.items()}
    wanted = {
        term: [(10 + at, min(terms[term], 65_535)) for at, terms in enumerate(documents) if term in terms]
        for term in asked
    }
    assert found == {term: hits for term, hits in wanted.items() if hits}
    decoded = [{term.decode(): count for term, count in items} for items in tail.items()]
    assert decoded == [{term: min(count, 65_535) for term, count in terms.items()} for terms in documents]


def test_column_bytes_are_never_taken_for_a_term() -> None:
    looks_like_a = int.from_bytes(b"\xffa\xff\xff", "little")
    assert not _tail(_doc({"b": 1}, segment=looks_like_a), _doc({"b": 1}, segment=looks_like_a)).find({"a": 10})


def test_a_deleted_document_keeps_its_place_and_loses_terms_and_length() -> None:
    blob = deleted(encode_doc(10, _doc({"a": 2}, prev=4, flags=FLAG_HAN)))
    row = np.frombuffer(blob[1:], ROW)[0]
    assert (row["length"], row["prev"], row["flags"]) == (0, 4, FLAG_HAN | FLAG_DELETED)
    assert b"a" not in blob[1 + ROW.itemsize :]


@pytest.mark.parametrize(
    "doc",
    [
        _doc({"": 1}),
        _doc({"a": 0}),
        _doc({"\ud800": 1}),
        _doc({}, prev=10),
        _doc({}, prev=-2),
        _doc({}, day=70_000),
        _doc({}, speaker=-1),
        _doc({}, flags=256),
    ],
)
def test_a_document_that_cannot_be_stored_is_an_input_error(doc: IndexedDoc) -> None:
    with pytest.raises(InputError, match="document 10"):
        encode_doc(10, doc)


def test_a_gap_or_a_foreign_row_in_the_tail_is_an_error() -> None:
    blob = encode_doc(1, _doc({"a": 1}))
    with pytest.raises(StoreError, match="does not fit"):
        Tail([(0, blob), (2, blob)], 0, 2)
    with pytest.raises(StoreError, match="unknown format"):
        Tail([(0, b"\x09" + blob)], 0, 1)


def test_a_packed_tail_reads_like_its_rows_and_a_damaged_pack_is_an_error() -> None:
    blobs = [encode_doc(at, _doc({"a": at + 1, "b": 1})) for at in range(40)]
    rows = packed_rows(list(enumerate(blobs)))
    assert [ordinal for ordinal, _ in rows] == [0, *range(PACK, 40)]
    assert Tail(rows, 0, 40).blobs == blobs
    packed = rows[0][1]
    assert len(packed) < sum(map(len, blobs[:PACK])) / 2
    for damaged in (packed[:-4], packed[:1], packed[:1] + blobs[0]):
        with pytest.raises(StoreError, match="damaged"):
            Tail([(0, damaged)], 0, PACK)


def test_packing_what_is_packed_already_keeps_every_document() -> None:
    blobs = [encode_doc(at, _doc({"a": at + 1})) for at in range(5, 75)]
    once = packed_rows(list(enumerate(blobs[:40], 5)))
    twice = packed_rows([*once, *enumerate(blobs[40:], 45)])
    assert [ordinal for ordinal, _ in twice] == [5, *range(69, 75)]
    assert Tail(twice, 5, 75).blobs == blobs


def test_a_tail_that_grew_reads_like_one_read_anew_and_leaves_the_older_one_alone() -> None:
    blobs = [
        encode_doc(at, _doc({"a": at + 1, f"b{at % 3}": 1, **{f"{at}.{n}": 1 for n in range(90)}})) for at in range(40)
    ]
    kept = older = Tail(list(enumerate(blobs[:10])), 0, 10)
    before = _found(older)
    for end in (11, 20, 35, 40):
        kept = kept.with_more(Tail(list(enumerate(blobs[:end])), kept.end, end))
    assert _found(kept) == _found(Tail(list(enumerate(blobs)), 0, 40))
    assert (kept.first, kept.end, kept.blobs) == (0, 40, blobs)
    assert kept.headers == [blob[1:18] for blob in blobs]
    assert _found(older) == before


def test_of_a_pack_that_begins_earlier_the_later_documents_are_read() -> None:
    blobs = [encode_doc(at, _doc({"a": at + 1})) for at in range(40)]
    assert Tail(packed_rows(list(enumerate(blobs))), 7, 40).blobs == blobs[7:]


def test_a_word_is_found_from_the_ordinal_on_that_is_asked_for() -> None:
    tail = _tail(*(_doc({"a": at + 1, "b": 1}) for at in range(5)))
    found = tail.find({"a": 13, "b": 15, "c": 10})
    assert {term: (hit.ords.tolist(), hit.tfs.tolist()) for term, hit in found.items()} == {"a": ([13, 14], [4, 5])}


def _found(tail: Tail) -> dict[str, tuple[list[int], list[int]]]:
    asked = dict.fromkeys(("a", "b0", "b1", "b2"), 0)
    return {term: (f.ords.tolist(), f.tfs.tolist()) for term, f in tail.find(asked).items()}
