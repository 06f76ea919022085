"""How documents are taken out of the index: out of the tail, the blocks and the columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import numpy as np

from smartbrain.stores.index import codec
from smartbrain.stores.index.codec import Runs
from smartbrain.stores.index.columns import COLUMN_BLOCK, ROW, decode_blocks, encode_block
from smartbrain.stores.index.fingerprint import fingerprint
from smartbrain.stores.index.moving import finish
from smartbrain.stores.index.rows import IndexHead, IndexLimits, IndexRows
from smartbrain.stores.index.tail import Tail, delete, deleted, tail_rows


def take_out(
    rows: IndexRows, head: IndexHead, docs: Mapping[int, Collection[str]], limits: IndexLimits, *, blank: bool = False
) -> IndexHead:
    """Remove documents (ordinal -> terms) from tail and blocks; the head that follows."""
    if any(head.n_flushed <= ordinal < head.moving for ordinal in docs):
        head = finish(rows, head, limits)  # some of their words are in the blocks and some in what is to move
    flushed = {ordinal: docs[ordinal] for ordinal in sorted(docs) if ordinal < head.n_flushed}
    length = _remove_from_tail(rows, head, [ordinal for ordinal in docs if ordinal >= head.n_flushed], blank)
    if flushed:
        _remove_postings(rows, flushed)
        length += _remove_columns(rows, list(flushed), head.n_flushed, blank)
        mark = repr([(ordinal, sorted(terms)) for ordinal, terms in flushed.items()]).encode()
        parts = [b"blank" if blank else b"remove", mark]
        generation = fingerprint(head.generation, parts)
        head = replace(head, generation=generation, parent=generation, coming=fingerprint(head.coming, parts))
    if len(flushed) < len(docs):
        head = replace(head, mark=fingerprint(head.mark, [repr(sorted(docs)).encode()]))
    return replace(head, total_length=head.total_length - length)


def _remove_from_tail(rows: IndexRows, head: IndexHead, ordinals: Collection[int], blank: bool) -> int:
    """Returns the length that went away."""
    if not ordinals:
        return 0
    first = head.settled
    tail = Tail([row for row in rows.tail() if row[0] >= first], first, head.n_docs)
    places = sorted(ordinal - first for ordinal in ordinals)
    for place in places:
        tail.blobs[place] = deleted(tail.blobs[place], blank=blank)
    rows.clear_tail(first, head.n_docs)
    rows.add_tail(tail_rows(first, tail.blobs))
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
