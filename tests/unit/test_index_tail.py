from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.errors import InputError, StoreError
from smartbrain.ports import FLAG_DELETED, FLAG_HAN, IndexedDoc
from smartbrain.stores.index.columns import ROW
from smartbrain.stores.index.tail import Tail, deleted, encode_doc, pack


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
    found = {
        term: list(zip(hit.ords.tolist(), hit.tfs.tolist(), strict=True)) for term, hit in tail.find(asked).items()
    }
    wanted = {
        term: [(10 + at, min(terms[term], 65_535)) for at, terms in enumerate(documents) if term in terms]
        for term in asked
    }
    assert found == {term: hits for term, hits in wanted.items() if hits}
    decoded = [{term.decode(): count for term, count in items} for items in tail.items()]
    assert decoded == [{term: min(count, 65_535) for term, count in terms.items()} for terms in documents]


def test_column_bytes_are_never_taken_for_a_term() -> None:
    looks_like_a = int.from_bytes(b"\xffa\xff\xff", "little")
    assert not _tail(_doc({"b": 1}, segment=looks_like_a), _doc({"b": 1}, segment=looks_like_a)).find(["a"])


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
    packed = pack(blobs[:30])
    tail = Tail([(0, packed), *enumerate(blobs[30:], 30)], 0, 40)
    assert tail.blobs == blobs
    assert len(packed) < sum(map(len, blobs[:30])) / 2
    for damaged in (packed[:-4], packed[:1], packed[:1] + blobs[0]):
        with pytest.raises(StoreError, match="damaged"):
            Tail([(0, damaged)], 0, 30)


def test_a_tail_that_grew_reads_like_one_read_anew_and_leaves_the_older_one_alone() -> None:
    blobs = [encode_doc(at, _doc({"a": at + 1, f"b{at % 3}": 1})) for at in range(40)]
    older = Tail(list(enumerate(blobs[:10])), 0, 10)
    before = _found(older)
    grown = older.grown(list(enumerate(blobs)), 0, 40)
    assert _found(grown) == _found(Tail(list(enumerate(blobs)), 0, 40))
    assert grown.headers == [blob[1:18] for blob in blobs]
    assert _found(older) == before
    assert older.grown(list(enumerate(blobs[:10])), 0, 10) is older


def test_a_tail_whose_rows_changed_is_read_anew() -> None:
    blobs = [encode_doc(at, _doc({"a": 1, f"b{at % 3}": 1})) for at in range(4)]
    kept = Tail(list(enumerate(blobs)), 0, 4)
    _found(kept)
    taken_out = [blobs[0], deleted(blobs[1]), *blobs[2:]]
    assert _found(kept.grown(list(enumerate(taken_out)), 0, 4)) == {"a": ([0, 2, 3], [1, 1, 1]), **_BS}
    assert _found(kept.grown([(0, pack(blobs))], 0, 4)) == _found(kept)
    with pytest.raises(StoreError, match="does not fit"):
        kept.grown(list(enumerate(blobs)), 0, 5)


_BS = {"b0": ([0, 3], [1, 1]), "b2": ([2], [1])}


def _found(tail: Tail) -> dict[str, tuple[list[int], list[int]]]:
    return {term: (f.ords.tolist(), f.tfs.tolist()) for term, f in tail.find(["a", "b0", "b1", "b2"]).items()}
