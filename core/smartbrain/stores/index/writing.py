"""How the flushed part of the index is written: documents appended to blocks, documents taken out of them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, count, groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from smartbrain.errors import InputError
from smartbrain.ports import IndexedDoc
from smartbrain.stores.index import codec
from smartbrain.stores.index.codec import Ints, Runs
from smartbrain.stores.index.columns import COLUMN_BLOCK, ROW, Rows, decode_blocks, encode_block
from smartbrain.stores.index.rows import IndexHead, IndexLimits, IndexRows
from smartbrain.stores.index.tail import CAP, Tail, delete, deleted, encode_row, pack

_TERMS_AT_ONCE = 512  # bounds the memory of a flush: their last blocks are read together
_POSTINGS_AT_ONCE = 8_192  # decoded and encoded together: arrays that fit a processor's cache, at twice the speed


def flush(rows: IndexRows, head: IndexHead, fresh: Sequence[IndexedDoc], limits: IndexLimits) -> IndexHead:
    """Move the tail, and behind it the new documents that ``head`` counts already, into blocks; the head that follows.

    Raises InputError, before anything is written, for a document that is malformed.
    """
    first = head.n_docs - len(fresh)
    tail = Tail(rows.tail(), head.n_flushed, first)
    columns = b"".join([*tail.headers, *map(encode_row, range(first, head.n_docs), fresh)])
    postings = _grouped(tail, [doc.terms for doc in fresh])
    generation = _fingerprint(head.generation, [b"flush", columns, *postings.signature()])
    for begin in range(0, len(postings.terms), _TERMS_AT_ONCE):
        _append_postings(rows, postings.part(begin, begin + _TERMS_AT_ONCE), limits.block_postings)
    _append_columns(rows, head.n_flushed, np.frombuffer(columns, ROW))
    rows.clear_tail()
    return replace(head, n_flushed=head.n_docs, generation=generation, parent=head.generation)


@dataclass(frozen=True, slots=True)
class _Fresh:
    """Postings on their way into the blocks, by term: the number of the term, the ordinal, the count of each."""

    terms: list[str]
    owners: Ints
    ords: NDArray[np.uint32]
    tfs: NDArray[np.uint16]

    def part(self, begin: int, end: int) -> _Fresh:
        """Those of the terms ``begin`` to ``end - 1``, numbered from 0."""
        first, last = np.searchsorted(self.owners, (begin, end)).tolist()
        owners = self.owners[first:last] - begin
        return _Fresh(self.terms[begin:end], owners, self.ords[first:last], self.tfs[first:last])

    def signature(self) -> Iterator[bytes]:
        """What tells these postings from others. Raises InputError for a term that no UTF-8 can hold."""
        try:
            yield from (term.encode() for term in self.terms)
        except UnicodeEncodeError as error:
            raise InputError(f"a term does not fit the lexical index: {error}") from error
        yield from (part.astype(part.dtype.newbyteorder("<")).tobytes() for part in (self.owners, self.ords, self.tfs))


def _grouped(tail: Tail, fresh: Sequence[Mapping[str, int]]) -> _Fresh:
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    owners: list[int] = []
    sizes: list[int] = []
    counts: list[int] = []
    older = ({term.decode(): times for term, times in items} for items in tail.items())
    for terms_of in chain(older, fresh):
        owners.extend(map(numbers.__getitem__, terms_of))
        counts.extend(terms_of.values())
        sizes.append(len(terms_of))
    terms = sorted(numbers)
    place = np.empty(len(terms), dtype=np.int64)
    place[[numbers[term] for term in terms]] = np.arange(len(terms))
    by_number = place[owners]
    order = np.argsort(by_number, kind="stable")
    ords = np.repeat(np.arange(tail.first, tail.first + len(sizes), dtype=np.uint32), sizes)
    tfs = np.minimum(np.array(counts, dtype=np.int64), CAP).astype(np.uint16)
    return _Fresh(terms, by_number[order], ords[order], tfs[order])


def _append_postings(rows: IndexRows, fresh: _Fresh, block: int) -> None:
    """Append to each term's last block if it has room, and cut what is too long."""
    last = rows.last_postings(fresh.terms)
    held = {term: size for term, row in last.items() if (size := codec.count_of(row[1])) < block}
    sizes = np.bincount(fresh.owners, minlength=len(fresh.terms)) + [held.get(term, 0) for term in fresh.terms]
    cuts = np.flatnonzero(np.diff(np.cumsum(sizes) // _POSTINGS_AT_ONCE, prepend=-1)).tolist()
    for begin, end in zip(cuts, [*cuts[1:], len(fresh.terms)], strict=True):
        part = fresh.part(begin, end)
        _append_part(
            rows, part, [(number, last[term]) for number, term in enumerate(part.terms) if term in held], block
        )


def _append_part(
    rows: IndexRows, fresh: _Fresh, open_blocks: Sequence[tuple[int, tuple[int, bytes]]], block: int
) -> None:
    old = codec.decode([row for _, row in open_blocks])
    old_owners = np.repeat(np.array([number for number, _ in open_blocks], dtype=np.int64), np.diff(old.starts))
    owners = np.concatenate((old_owners, fresh.owners))
    order = np.argsort(owners, kind="stable")
    owners = owners[order]
    ords = np.concatenate((old.ords, fresh.ords))[order]
    tfs = np.concatenate((old.tfs, fresh.tfs))[order]
    first = np.flatnonzero(np.diff(owners, prepend=-1))
    within = np.arange(len(owners)) - np.repeat(first, np.diff(first, append=len(owners)))
    starts = np.append(np.flatnonzero(within % block == 0), len(owners))
    blobs = codec.encode(Runs(ords, tfs, starts))
    keys = zip(owners[starts[:-1]].tolist(), ords[starts[:-1]].tolist(), blobs, strict=True)
    rows.put_postings([(fresh.terms[owner], base, blob) for owner, base, blob in keys])


def _append_columns(rows: IndexRows, flushed: int, fresh: Rows) -> None:
    base = flushed // COLUMN_BLOCK * COLUMN_BLOCK
    if base < flushed:
        fresh = np.concatenate((decode_blocks(rows.columns(base), base, flushed), fresh))
    parts = range(0, len(fresh), COLUMN_BLOCK)
    rows.put_columns([(base + at, encode_block(base + at, fresh[at : at + COLUMN_BLOCK])) for at in parts])


def pack_tail(rows: IndexRows, tail: Tail) -> None:
    """Write the whole tail as one row instead of its rows."""
    rows.clear_tail()
    rows.add_tail([(tail.first, pack(tail.blobs))])


def take_out(
    rows: IndexRows, head: IndexHead, docs: Mapping[int, Collection[str]], *, blank: bool = False
) -> IndexHead:
    """Remove documents (ordinal -> terms) from tail and blocks; the head that follows."""
    flushed = {ordinal: docs[ordinal] for ordinal in sorted(docs) if ordinal < head.n_flushed}
    length = _remove_from_tail(rows, head, [ordinal for ordinal in docs if ordinal >= head.n_flushed], blank)
    if flushed:
        _remove_postings(rows, flushed)
        length += _remove_columns(rows, list(flushed), head.n_flushed, blank)
        mark = repr([(ordinal, sorted(terms)) for ordinal, terms in flushed.items()]).encode()
        generation = _fingerprint(head.generation, [b"blank" if blank else b"remove", mark])
        head = replace(head, generation=generation, parent=generation)
    return replace(head, total_length=head.total_length - length)


def _remove_from_tail(rows: IndexRows, head: IndexHead, ordinals: Collection[int], blank: bool) -> int:
    """Returns the length that went away."""
    if not ordinals:
        return 0
    tail = Tail(rows.tail(), head.n_flushed, head.n_docs)
    places = sorted(ordinal - tail.first for ordinal in ordinals)
    for place in places:
        tail.blobs[place] = deleted(tail.blobs[place], blank=blank)
    pack_tail(rows, tail)
    return sum(int(np.frombuffer(tail.headers[place], ROW)["length"][0]) for place in places)


def _remove_postings(rows: IndexRows, docs: Mapping[int, Collection[str]]) -> None:
    gone: dict[str, list[int]] = {}
    for ordinal, terms in docs.items():
        for term in set(terms):
            gone.setdefault(term, []).append(ordinal)
    numbers = {term: number for number, term in enumerate(gone)}
    hit = list(_blocks_holding(rows, gone))
    if not hit:
        return
    runs = codec.decode([(base, blob) for _, base, blob in hit])
    owners = np.repeat([numbers[term] for term, _, _ in hit], np.diff(runs.starts))
    dead = [numbers[term] << 32 | ordinal for term, ordinals in gone.items() for ordinal in ordinals]
    kept = ~np.isin(owners << 32 | runs.ords.astype(np.int64), dead)
    sizes = np.add.reduceat(kept.astype(np.int64), runs.starts[:-1])
    starts = np.concatenate(([0], np.cumsum(sizes[sizes > 0])))
    left = Runs(runs.ords[kept], runs.tfs[kept], starts)
    names = [term for (term, _, _), size in zip(hit, sizes.tolist(), strict=True) if size]
    rows.delete_postings([(term, base) for term, base, _ in hit])
    bases = left.ords[starts[:-1]].tolist()
    rows.put_postings(sorted(zip(names, bases, codec.encode(left), strict=True)))


def _blocks_holding(rows: IndexRows, gone: Mapping[str, list[int]]) -> Iterator[tuple[str, int, bytes]]:
    """The blocks in whose range one of the term's ordinals falls."""
    for term, group in groupby(rows.postings(sorted(gone)), key=itemgetter(0)):
        blocks = list(group)
        bases = [base for _, base, _ in blocks]
        places = {bisect_right(bases, ordinal) - 1 for ordinal in gone[term]}
        yield from (blocks[place] for place in sorted(places) if place >= 0)


def _remove_columns(rows: IndexRows, ordinals: Sequence[int], n_flushed: int, blank: bool) -> int:
    """Returns the length that went away."""
    length = 0
    wanted = sorted({ordinal // COLUMN_BLOCK * COLUMN_BLOCK for ordinal in ordinals})
    changed = []
    for base, blob in rows.columns(wanted[0]):
        inside = [ordinal - base for ordinal in ordinals if base <= ordinal < base + COLUMN_BLOCK]
        if base > wanted[-1]:
            break
        if not inside:
            continue
        block = decode_blocks([(base, blob)], base, min(base + COLUMN_BLOCK, n_flushed))
        length += int(block["length"][inside].sum(dtype=np.int64))
        gone = block[inside]
        delete(gone, blank=blank)
        block[inside] = gone
        changed.append((base, encode_block(base, block)))
    rows.put_columns(changed)
    return length


def _fingerprint(before: int, parts: Iterable[bytes]) -> int:
    digest = blake2b(before.to_bytes(8, "little"), digest_size=8)
    for part in parts:
        digest.update(len(part).to_bytes(4, "little") + part)
    return int.from_bytes(digest.digest(), "little") >> 1
