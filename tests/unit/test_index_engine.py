from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.errors import InputError, NotFoundError, StoreError
from smartbrain.ports import FLAG_DELETED, FLAG_QUESTION, IndexedDoc, LexicalView
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.index.columns import FIELDS
from smartbrain.stores.index.engine import add, lookup, remove
from smartbrain.stores.index.moving import finish, flush
from smartbrain.stores.index.rows import IndexHead, IndexLimits
from smartbrain.stores.index.tail import Tail

_VOCABULARY = ["a", "b", "ab", "中", "中文", "the", "x3"]


class MemoryRows:
    """The rows of one space in dictionaries."""

    def __init__(self, space: str = "s") -> None:
        self.space = space
        self.head_row = IndexHead()
        self.posting_rows: dict[tuple[str, int], bytes] = {}
        self.column_rows: dict[int, bytes] = {}
        self.tail_rows: dict[int, bytes] = {}
        self.piece_rows: dict[int, bytes] = {}
        self.reads: list[tuple[str, ...]] = []

    def head(self) -> IndexHead:
        return self.head_row

    def put_head(self, head: IndexHead) -> None:
        self.head_row = head

    def postings(self, terms: Sequence[str]) -> Iterator[tuple[str, int, bytes]]:
        self.reads.append(tuple(terms))
        for term in terms:
            for base in sorted(base for name, base in self.posting_rows if name == term):
                yield term, base, self.posting_rows[term, base]

    def last_postings(self, terms: Sequence[str]) -> Mapping[str, tuple[int, bytes]]:
        wanted = set(terms)
        last: dict[str, int] = {}
        for term, base in self.posting_rows:
            if term in wanted:
                last[term] = max(base, last.get(term, 0))
        return {term: (base, self.posting_rows[term, base]) for term, base in last.items()}

    def put_postings(self, rows: Iterable[tuple[str, int, bytes]]) -> None:
        rows = list(rows)
        assert rows == sorted(rows)
        self.posting_rows.update({(term, base): blob for term, base, blob in rows})

    def delete_postings(self, keys: Iterable[tuple[str, int]]) -> None:
        for key in keys:
            del self.posting_rows[key]

    def columns(self, from_base: int = 0) -> Iterator[tuple[int, bytes]]:
        self.reads.append((f"columns {from_base}",))
        yield from sorted(item for item in self.column_rows.items() if item[0] >= from_base)

    def put_columns(self, rows: Iterable[tuple[int, bytes]]) -> None:
        self.column_rows.update(rows)

    def tail(self, first: int = 0) -> Sequence[tuple[int, bytes]]:
        begin = max((ordinal for ordinal in self.tail_rows if ordinal <= first), default=0)
        return sorted(item for item in self.tail_rows.items() if item[0] >= begin)

    def add_tail(self, rows: Iterable[tuple[int, bytes]]) -> None:
        for ordinal, blob in rows:
            assert ordinal not in self.tail_rows
            self.tail_rows[ordinal] = blob

    def clear_tail(self, first: int, end: int) -> None:
        self.tail_rows = {at: blob for at, blob in self.tail_rows.items() if not first <= at < end}

    def pieces(self, limit: int) -> Sequence[tuple[int, bytes]]:
        return sorted(self.piece_rows.items())[:limit]

    def put_pieces(self, rows: Iterable[tuple[int, bytes]]) -> None:
        assert not self.piece_rows
        self.piece_rows.update(rows)

    def drop_pieces(self, last: int) -> None:
        self.piece_rows = {at: blob for at, blob in self.piece_rows.items() if at > last}


class Model:
    """What the index must say, kept naively."""

    def __init__(self) -> None:
        self.terms: list[dict[str, int]] = []
        self.rows: list[list[int]] = []

    def add(self, docs: Iterable[IndexedDoc]) -> None:
        for doc in docs:
            self.terms.append(dict(doc.terms))
            self.rows.append([getattr(doc, name) for name in FIELDS])

    def remove(self, ordinals: Iterable[int]) -> None:
        for ordinal in ordinals:
            self.terms[ordinal] = {}
            self.rows[ordinal][0] = 0
            self.rows[ordinal][-1] |= FLAG_DELETED

    def lookup(self, terms: Collection[str]) -> tuple[object, ...]:
        postings = {
            term: [(at, counts[term]) for at, counts in enumerate(self.terms) if term in counts] for term in terms
        }
        return len(self.rows), sum(row[0] for row in self.rows), postings, self.rows


def _told(view: LexicalView) -> tuple[object, ...]:
    postings = {
        term: list(zip(hits.ords.tolist(), hits.tfs.tolist(), strict=True)) for term, hits in view.postings.items()
    }
    columns = zip(*(getattr(view.columns, name).tolist() for name in FIELDS), strict=True)
    return view.n_docs, view.total_length, postings, [list(row) for row in columns]


def _doc(terms: Mapping[str, int], prev: int = -1, **fields: int) -> IndexedDoc:
    length = fields.pop("length", sum(terms.values()))
    values = {"chars": 7, "segment": 1, "day": 20_000, "speaker": 1, "flags": FLAG_QUESTION} | fields
    return IndexedDoc(terms, length, prev=prev, **values)


def _numbered(count: int, begin: int = 0) -> list[IndexedDoc]:
    numbers = range(begin, begin + count)
    return [
        _doc({"all": 1 + n % 2, f"mod{n % 7}": 1, f"own{n}": 1}, prev=n - 1, segment=n // 5, day=n % 90)
        for n in numbers
    ]


@st.composite
def _histories(draw: st.DrawFn) -> list[tuple[str, list[IndexedDoc] | set[int], IndexLimits]]:
    steps: list[tuple[str, list[IndexedDoc] | set[int], IndexLimits]] = []
    count = 0
    for _ in range(draw(st.integers(1, 8))):
        limits = IndexLimits(*(draw(st.sampled_from(of)) for of in ([1, 2, 5, 256], [1, 2, 3, 512], [1, 2, 128])))
        if count and draw(st.booleans()):
            steps.append(("remove", draw(st.sets(st.integers(0, count - 1), max_size=4)), limits))
            continue
        terms = st.dictionaries(st.sampled_from(_VOCABULARY), st.integers(1, 3), max_size=5)
        batch = []
        for counts in draw(st.lists(terms, min_size=1, max_size=6)):
            batch.append(_doc(counts, prev=draw(st.integers(-1, count - 1)), segment=count // 2, chars=count))
            count += 1
        steps.append(("add", batch, limits))
    return steps


@given(_histories())
@settings(max_examples=200, deadline=None)
def test_the_index_says_what_a_naive_model_says_however_documents_arrive(history) -> None:
    rows, single, model = MemoryRows(), MemoryRows(), Model()
    cache = ColumnCache()
    asked = [*_VOCABULARY, "nowhere"]
    for kind, what, limits in history:
        if kind == "add":
            assert add(rows, what, limits) == list(range(len(model.rows), len(model.rows) + len(what)))
            for doc in what:
                add(single, [doc])
            model.add(what)
        else:
            gone = {ordinal: model.terms[ordinal].keys() for ordinal in what}
            remove(rows, gone)
            remove(single, gone)
            model.remove(what)
        wanted = model.lookup(asked)
        assert _told(lookup(rows, asked)) == wanted
        assert _told(lookup(rows, asked, cache)) == wanted
        assert _told(lookup(single, asked)) == wanted


def test_several_thousand_documents_with_removals_match_the_model() -> None:
    rows, model, cache = MemoryRows(), Model(), ColumnCache()
    for begin, size in ((0, 1500), (1500, 100), (1600, 1000), (2600, 255), (2855, 1)):
        docs = _numbered(size, begin)
        add(rows, docs)
        model.add(docs)
        assert _told(lookup(rows, ["all", "mod3", "own1555"], cache)) == model.lookup(["all", "mod3", "own1555"])
    gone = [0, 1, 511, 512, 1023, 1024, 1599, 2047, 2048, 2855]
    remove(rows, {ordinal: model.terms[ordinal].keys() for ordinal in gone})
    model.remove(gone)
    assert _told(lookup(rows, ["all", "mod0", "own1"], cache)) == model.lookup(["all", "mod0", "own1"])


def test_a_commit_adds_one_tail_row_and_from_time_to_time_the_tail_is_packed() -> None:
    rows = MemoryRows()
    for number, doc in enumerate(_numbered(256)):
        assert (len(rows.tail_rows), rows.posting_rows) == (number // 32 + number % 32, {})
        add(rows, [doc])


def test_a_tail_that_is_long_enough_moves_a_part_at_a_time() -> None:
    rows, model, cache = MemoryRows(), Model(), ColumnCache()
    asked = ["all", "own0", "own255", "own300", "mod3"]
    moved = []
    for number, doc in enumerate(_numbered(1_100)):
        before = set(rows.posting_rows.items())
        add(rows, [doc], IndexLimits(256, step=1))
        model.add([doc])
        moved.append(len(set(rows.posting_rows.items()) - before))
        if number % 7 == 0:
            words = [*asked, rows.head_row.moved or "all"]
            assert _told(lookup(rows, words, cache)) == _told(lookup(rows, words)) == model.lookup(words)
        assert rows.head_row.n_docs - rows.head_row.n_flushed <= 512
    assert max(moved) == 2  # 256 documents have 264 terms here
    assert rows.head_row.n_flushed == 768
    assert len(rows.tail_rows) == (1_100 - 768) // 32 + (1_100 - 768) % 32


def test_a_move_goes_on_every_so_many_documents_and_is_over_before_the_next_one() -> None:
    rows, model = MemoryRows(), Model()
    changed = []
    for number, doc in enumerate(_numbered(1_790), 1):
        before = dict(rows.posting_rows)
        add(rows, [doc])
        model.add([doc])
        if rows.posting_rows != before:
            changed.append((number, len(rows.posting_rows) - len(before)))
        assert rows.head_row.n_docs - rows.head_row.n_flushed <= 512 + 640
    assert [number for number, _ in changed] == [640, 768, 896, 1_024, 1_280, 1_408, 1_536, 1_664]
    assert max(terms for _, terms in changed) <= 162  # a quarter of what 640 documents say
    assert (rows.head_row.n_flushed, rows.piece_rows) == (1_152, {})
    asked = ["all", "own0", "own1151", "own1789", "mod3"]
    assert _told(lookup(rows, asked)) == model.lookup(asked)


def test_a_document_on_its_way_can_be_removed_and_so_can_those_before_and_behind_it() -> None:
    for gone in ([7], [100, 200], [300], [7, 200, 301]):
        rows, model, cache = MemoryRows(), Model(), ColumnCache()
        for begin, size in ((0, 100), (100, 156), (256, 50)):  # 0 to 99 in the blocks, 100 to 255 moving
            docs = _numbered(size, begin)
            for doc in docs:
                add(rows, [doc], IndexLimits(100 if begin == 0 else 156, step=1))
            if begin == 0:
                add(rows, _numbered(0))
                rows.head_row = flush(rows, rows.head_row, [], IndexLimits())
            model.add(docs)
        asked = ["all", "own7", "own100", "own200", "own300", "own301", "mod0", "mod4"]
        assert 100 == rows.head_row.n_flushed < rows.head_row.moving == 256
        assert _told(lookup(rows, asked, cache)) == model.lookup(asked)
        remove(rows, {ordinal: model.terms[ordinal].keys() for ordinal in gone})
        model.remove(gone)
        assert _told(lookup(rows, asked, cache)) == _told(lookup(rows, asked)) == model.lookup(asked)
        for doc in _numbered(300, 306):
            add(rows, [doc])
            model.add([doc])
        assert _told(lookup(rows, asked, cache)) == _told(lookup(rows, asked)) == model.lookup(asked)


def test_what_moves_is_the_same_whether_it_moves_bit_by_bit_or_at_once() -> None:
    slowly, at_once = MemoryRows(), MemoryRows()
    for number, doc in enumerate(_numbered(600), 1):
        add(slowly, [doc], IndexLimits(300, step=1))
        add(at_once, [doc])
        if number % 300 == 0:
            at_once.head_row = flush(at_once, at_once.head_row, [], IndexLimits())
    slowly.head_row = finish(slowly, slowly.head_row, IndexLimits())
    assert slowly.posting_rows == at_once.posting_rows
    assert slowly.column_rows == at_once.column_rows
    assert (slowly.tail_rows, slowly.piece_rows, slowly.head_row) == ({}, {}, at_once.head_row)


def test_of_a_kept_tail_only_what_came_since_is_read_unless_something_else_became_of_it() -> None:
    rows, cache = MemoryRows(), ColumnCache()
    add(rows, _numbered(40))
    assert _told(lookup(rows, ["all", "own39"], cache)) == _told(lookup(rows, ["all", "own39"]))
    add(rows, _numbered(30, 40))
    kept = copy.deepcopy(rows)
    rows.tail_rows = {at: blob for at, blob in rows.tail_rows.items() if at >= 32}
    view = lookup(rows, ["all", "own39", "own69"], cache)
    assert _told(view) == _told(lookup(kept, ["all", "own39", "own69"]))
    rows.tail_rows.clear()
    assert _told(lookup(rows, ["all", "own39", "own69"], cache)) == _told(view)
    for gone in (3, 69):
        remove(kept, {gone: ["all", f"own{gone}", f"mod{gone % 7}"]})
        assert _told(lookup(kept, ["all", "own3"], cache)) == _told(lookup(kept, ["all", "own3"]))


def test_what_is_to_move_and_was_damaged_is_a_store_error() -> None:
    rows = MemoryRows()
    for doc in _numbered(516):
        add(rows, [doc])
    first = min(rows.piece_rows)
    for damaged in (b"", b"word", b"word\xfex", rows.piece_rows[first] + b"\xff"):
        broken = copy.deepcopy(rows)
        broken.piece_rows[first] = damaged
        with pytest.raises(StoreError, match="damaged"):
            add(broken, _numbered(1, 516), IndexLimits(step=1))


def test_many_documents_at_once_are_flushed_once() -> None:
    rows = MemoryRows()
    add(rows, _numbered(3))
    before = rows.head_row.generation
    add(rows, _numbered(3000, 3))
    assert rows.head_row.parent == before
    assert sorted(base for term, base in rows.posting_rows if term == "all") == list(range(0, 3003, 512))


def test_no_byte_of_a_removed_document_stays_in_the_rows() -> None:
    rows = MemoryRows()
    secret = _doc({"secret": 1, "all": 1})
    add(rows, [*_numbered(600), secret])
    add(rows, [secret])
    remove(rows, {600: secret.terms, 601: secret.terms})
    assert not [key for key in rows.posting_rows if key[0] == "secret"]
    assert rows.tail_rows.keys() == {601}
    assert b"secret" not in Tail(rows.tail(), 601, 602).blobs[0]
    assert lookup(rows, ["all"]).postings["all"].ords.tolist() == list(range(600))


def test_removing_again_or_with_terms_the_document_lacks_changes_nothing() -> None:
    rows = MemoryRows()
    add(rows, _numbered(300))
    remove(rows, {7: ["all", "mod0", "own7"]})
    before = _told(lookup(rows, ["all", "mod0", "own8"]))
    remove(rows, {7: ["all", "own8", "nowhere"]})
    assert _told(lookup(rows, ["all", "mod0", "own8"])) == before


def test_an_unknown_ordinal_or_a_malformed_document_leaves_the_index_as_it_was() -> None:
    rows = MemoryRows()
    add(rows, _numbered(300))
    before = copy.deepcopy(vars(rows))
    with pytest.raises(NotFoundError):
        remove(rows, {3: ["all"], 300: ["all"]})
    with pytest.raises(InputError):
        add(rows, [_doc({"good": 1}), _doc({"": 1})])
    for malformed in ({"": 1}, {"\ud800": 1}, {"none": 0}):
        with pytest.raises(InputError):
            add(rows, [*_numbered(300, 300), _doc(malformed)])
    assert add(rows, []) == []
    assert vars(rows) == before


def test_a_document_in_a_packed_tail_can_be_removed() -> None:
    rows, model = MemoryRows(), Model()
    for doc in _numbered(70):
        add(rows, [doc])
        model.add([doc])
    gone = {at: model.terms[at].keys() for at in (0, 40, 69)}
    remove(rows, gone)
    add(rows, _numbered(2, 70))
    model.remove(gone)
    model.add(_numbered(2, 70))
    assert _told(lookup(rows, ["all", "own40"])) == model.lookup(["all", "own40"])


def test_missing_rows_are_a_store_error() -> None:
    rows = MemoryRows()
    add(rows, _numbered(2000))
    add(rows, _numbered(2, 2000))
    for name, key in (("tail_rows", 2000), ("column_rows", 0), ("column_rows", 1024)):
        broken = copy.deepcopy(rows)
        del getattr(broken, name)[key]
        with pytest.raises(StoreError):
            lookup(broken, ["all"])


def test_postings_beyond_the_documents_or_out_of_order_are_a_store_error() -> None:
    rows = MemoryRows()
    add(rows, _numbered(600))
    for base in (511, 5000):
        broken = copy.deepcopy(rows)
        broken.posting_rows["all", base] = broken.posting_rows.pop(("all", 512))
        with pytest.raises(StoreError, match="out of order"):
            lookup(broken, ["all"])


def test_a_cached_lookup_reads_neither_columns_nor_known_terms() -> None:
    rows, cache = MemoryRows(), ColumnCache()
    add(rows, _numbered(600))
    lookup(rows, ["all", "nowhere"], cache)
    rows.reads.clear()
    add(rows, _numbered(1, 600))
    view = lookup(rows, ["all", "nowhere", "mod1"], cache)
    assert rows.reads == [("mod1",)]
    assert view.postings["all"].ords.tolist() == list(range(601))


def test_after_a_flush_only_the_new_column_blocks_are_read() -> None:
    rows, cache = MemoryRows(), ColumnCache()
    add(rows, _numbered(2100))
    lookup(rows, [], cache)
    add(rows, _numbered(600, 2100))
    rows.reads.clear()
    assert lookup(rows, [], cache).columns.segment.tolist() == [number // 5 for number in range(2700)]
    assert rows.reads == [("columns 2048",)]


@pytest.mark.parametrize(("size", "again"), [(3, 3), (3, 5), (600, 600)])
def test_what_was_cached_before_a_rollback_is_not_served_after_it(size: int, again: int) -> None:
    rows, cache = MemoryRows(), ColumnCache()
    add(rows, _numbered(400))
    lookup(rows, ["all"], cache)
    saved = copy.deepcopy(vars(rows))
    add(rows, [_doc({"all": 1}, chars=1) for _ in range(size)])
    lookup(rows, ["all", "lost"], cache)
    vars(rows).update(saved)
    add(rows, [_doc({"lost": 1}, chars=2) for _ in range(again)])
    assert _told(lookup(rows, ["all", "lost"], cache)) == _told(lookup(rows, ["all", "lost"]))


def test_the_same_words_in_other_documents_are_not_served_from_the_cache() -> None:
    rows, cache = MemoryRows(), ColumnCache()
    saved = copy.deepcopy(vars(rows))
    kinds = [_doc({"one": 1, "other": 2}), _doc({"one": 2, "other": 1}), _doc({"one": 3})]
    for first in range(3):
        mixed = [kinds[(first + number) % 3] for number in range(600)]
        vars(rows).update(copy.deepcopy(saved))
        add(rows, mixed)
        assert _told(lookup(rows, ["one", "other"], cache)) == _told(lookup(rows, ["one", "other"]))


def test_what_a_flush_made_old_is_replaced_in_the_cache() -> None:
    rows, cache, fresh = MemoryRows(), ColumnCache(), ColumnCache()
    for begin in range(0, 3000, 600):
        add(rows, _numbered(600, begin))
        lookup(rows, ["all"], cache)
    lookup(rows, ["all"], fresh)
    assert cache.nbytes == fresh.nbytes


def test_spaces_that_share_a_cache_do_not_see_each_other() -> None:
    cache = ColumnCache()
    left, right = MemoryRows("left"), MemoryRows("right")
    add(left, _numbered(600))
    add(right, [_doc({"all": 5})] * 600)
    for rows in (left, right, left):
        assert _told(lookup(rows, ["all"], cache)) == _told(lookup(rows, ["all"]))


@pytest.mark.parametrize("limit", [0, 4_000, 20_000])
def test_the_cache_stays_within_its_bytes_and_answers_the_same(limit: int) -> None:
    cache = ColumnCache(limit)
    for space in range(6):
        rows = MemoryRows(str(space))
        add(rows, _numbered(600))
        for _ in range(2):
            assert _told(lookup(rows, ["all", "mod1"], cache)) == _told(lookup(rows, ["all", "mod1"]))
            assert cache.nbytes <= limit
    cache.clear()
    assert cache.nbytes == 0


def test_a_space_used_lately_outlives_one_that_was_not() -> None:
    spaces = [MemoryRows(str(number)) for number in range(3)]
    for rows in spaces:
        add(rows, _numbered(2000))
    one = ColumnCache()
    lookup(spaces[0], [], one)
    cache = ColumnCache(2 * one.nbytes)
    for rows in (spaces[0], spaces[1], spaces[0], spaces[2]):
        lookup(rows, [], cache)
    assert [cache.columns(rows.space) is not None for rows in spaces] == [True, False, True]


def test_threads_that_read_different_snapshots_through_one_cache_get_their_own_answers() -> None:
    cache = ColumnCache()
    rows = MemoryRows()
    snapshots = []
    for begin in range(0, 700, 20):
        add(rows, _numbered(20, begin))
        snapshots.append(copy.deepcopy(rows))
    wanted = [_told(lookup(snapshot, ["all", "mod2"])) for snapshot in snapshots]

    def read(at: int) -> bool:
        return _told(lookup(snapshots[at], ["all", "mod2"], cache)) == wanted[at]

    order = np.random.default_rng(3).permutation(np.repeat(np.arange(len(snapshots)), 6)).tolist()
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, order))


def test_importing_the_index_package_and_its_rows_imports_no_numpy() -> None:
    code = "import sys, smartbrain.stores.index, smartbrain.stores.index.rows; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
