"""Measures the lexical index on SQLite with synthetic Zipf text: ``python tests/benchmarks/bench_index.py``.

Each line of the table is a process of its own, so that its peak memory is its own. Documents have 21 terms drawn
from 200,000 (probability ~ 1 / (rank + 2.7)); questions have 8 terms which 5 to 10 % of the documents hold.
"""

from __future__ import annotations

import argparse
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np

from smartbrain.ports import IndexedDoc
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.index.engine import add, lookup, remove
from smartbrain.stores.index.rows import IndexHead, IndexLimits

VOCABULARY = 200_000
TERMS = 21
TEXT_BYTES = 160
SCHEMA = """
CREATE TABLE head (
    space INTEGER PRIMARY KEY, n_docs, n_flushed, total_length, generation, parent, moving, moved, coming, mark
);
CREATE TABLE posting (space INTEGER, term TEXT, base INTEGER, blob BLOB, PRIMARY KEY (space, term, base)) WITHOUT ROWID;
CREATE TABLE columns (space INTEGER, base INTEGER, blob BLOB, PRIMARY KEY (space, base)) WITHOUT ROWID;
CREATE TABLE tail (space INTEGER, ord INTEGER, blob BLOB, PRIMARY KEY (space, ord)) WITHOUT ROWID;
CREATE TABLE moves (space INTEGER, piece INTEGER, blob BLOB, PRIMARY KEY (space, piece)) WITHOUT ROWID;
"""


class SqlRows:
    """``IndexRows`` as plainly as SQLite allows; one space."""

    def __init__(self, db: sqlite3.Connection, space: int = 1) -> None:
        self.db = db
        self.space = space

    def head(self) -> IndexHead:
        row = self.db.execute("SELECT * FROM head WHERE space=?", (self.space,)).fetchone()
        return IndexHead(*row[1:]) if row else IndexHead()

    def put_head(self, head: IndexHead) -> None:
        self.db.execute("INSERT OR REPLACE INTO head VALUES (?,?,?,?,?,?,?,?,?,?)", (self.space, *astuple(head)))

    def postings(self, terms: Sequence[str]) -> Iterator[tuple[str, int, bytes]]:
        for term in terms:
            sql = "SELECT term, base, blob FROM posting WHERE space=? AND term=? ORDER BY base"
            yield from self.db.execute(sql, (self.space, term))

    def last_postings(self, terms: Sequence[str]) -> Mapping[str, tuple[int, bytes]]:
        sql = "SELECT base, blob FROM posting WHERE space=? AND term=? ORDER BY base DESC LIMIT 1"
        found = ((term, self.db.execute(sql, (self.space, term)).fetchone()) for term in terms)
        return {term: row for term, row in found if row}

    def put_postings(self, rows: Iterable[tuple[str, int, bytes]]) -> None:
        self.db.executemany(f"INSERT OR REPLACE INTO posting VALUES ({self.space},?,?,?)", rows)

    def delete_postings(self, keys: Iterable[tuple[str, int]]) -> None:
        self.db.executemany(f"DELETE FROM posting WHERE space={self.space} AND term=? AND base=?", keys)

    def columns(self, from_base: int = 0) -> Iterator[tuple[int, bytes]]:
        sql = "SELECT base, blob FROM columns WHERE space=? AND base>=? ORDER BY base"
        yield from self.db.execute(sql, (self.space, from_base))

    def put_columns(self, rows: Iterable[tuple[int, bytes]]) -> None:
        self.db.executemany(f"INSERT OR REPLACE INTO columns VALUES ({self.space},?,?)", rows)

    def tail(self, first: int = 0) -> Sequence[tuple[int, bytes]]:
        sql = (
            "SELECT ord, blob FROM tail WHERE space=?1 AND ord>="
            "coalesce((SELECT max(ord) FROM tail WHERE space=?1 AND ord<=?2), 0) ORDER BY ord"
        )
        return self.db.execute(sql, (self.space, first)).fetchall()

    def add_tail(self, rows: Iterable[tuple[int, bytes]]) -> None:
        self.db.executemany(f"INSERT OR REPLACE INTO tail VALUES ({self.space},?,?)", rows)

    def clear_tail(self, first: int, end: int) -> None:
        self.db.execute("DELETE FROM tail WHERE space=? AND ord>=? AND ord<?", (self.space, first, end))

    def pieces(self, limit: int) -> Sequence[tuple[int, bytes]]:
        sql = "SELECT piece, blob FROM moves WHERE space=? ORDER BY piece LIMIT ?"
        return self.db.execute(sql, (self.space, limit)).fetchall()

    def put_pieces(self, rows: Iterable[tuple[int, bytes]]) -> None:
        self.db.executemany(f"INSERT INTO moves VALUES ({self.space},?,?)", rows)

    def drop_pieces(self, last: int) -> None:
        self.db.execute("DELETE FROM moves WHERE space=? AND piece<=?", (self.space, last))


class Corpus:
    """Endless synthetic documents."""

    def __init__(self, seed: int = 7) -> None:
        self.random = np.random.default_rng(seed)
        weights = 1 / (np.arange(VOCABULARY) + 2.7)
        self.cumulative = np.cumsum(weights / weights.sum())
        letters = np.array(
            list("abcdefghijklmnopqrstuvwxyz的一是在有我他这中大来上国和地到以说时要就出会可也你对生能而子")
        )
        drawn = letters[self.random.integers(0, len(letters), (VOCABULARY, 6))]
        sizes = self.random.integers(2, 7, VOCABULARY)
        names = dict.fromkeys("".join(row[:size]) for row, size in zip(drawn.tolist(), sizes.tolist(), strict=True))
        self.names = (list(names) + [f"term{n}" for n in range(VOCABULARY - len(names))])[:VOCABULARY]
        self.count = 0

    def take(self, size: int) -> list[IndexedDoc]:
        ranks = np.searchsorted(self.cumulative, self.random.random((size, TERMS))).clip(0, VOCABULARY - 1).tolist()
        chars = self.random.normal(120, 40, size).clip(10, 400).astype(int).tolist()
        docs = []
        for row, char in zip(ranks, chars, strict=True):
            at = self.count
            self.count += 1
            prev = at - 1 - at % 3 if at % 40 else -1
            terms = Counter([self.names[rank] for rank in row])
            flags = 8 + at % 2 * 2
            docs.append(IndexedDoc(terms, char // 6, char, max(prev, -1), at // 33, 20_000 + at // 200, at % 2, flags))
        return docs

    def questions(self, size: int) -> Iterator[list[str]]:
        share = np.diff(self.cumulative, prepend=0)
        df = 1 - (1 - share) ** TERMS
        ranks = np.flatnonzero((df >= 0.05) & (df <= 0.10))
        return iter([[self.names[rank] for rank in self.random.choice(ranks, 8, replace=False)] for _ in range(size)])


def connect(path: Path, page: int, synchronous: str = "NORMAL") -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"PRAGMA page_size={page}")
    db.execute("PRAGMA journal_mode=WAL")
    db.execute(f"PRAGMA synchronous={synchronous}")
    db.execute("PRAGMA cache_size=-32768")
    return db


def timed(run: Callable[[], object], times: int) -> list[float]:
    """Milliseconds of each run."""
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        run()
        spent.append((time.perf_counter() - begin) * 1e3)
    return spent


def show(name: str, spent: list[float]) -> None:
    values = " ".join(f"p{q} {np.percentile(spent, q):.2f}" for q in (50, 95, 99))
    print(f"  {name:<34}{values} max {max(spent):.2f} ms", flush=True)


def in_transaction(db: sqlite3.Connection, run: Callable[[], object]) -> None:
    db.execute("BEGIN IMMEDIATE")
    run()
    db.execute("COMMIT")


def single_adds(rows: SqlRows, docs: list[IndexedDoc], limits: IndexLimits) -> list[float]:
    left = iter(docs)
    return timed(lambda: in_transaction(rows.db, lambda: add(rows, [next(left)], limits)), len(docs))


def measure(docs: int, batch: int, page: int, limits: IndexLimits, folder: Path) -> None:
    path = folder / "index.db"
    corpus = Corpus()
    db = connect(path, page)
    db.executescript(SCHEMA)
    rows = SqlRows(db)
    built = 0.0
    for at in range(0, docs, batch):
        part = corpus.take(min(batch, docs - at))
        built += timed(lambda part=part: in_transaction(db, lambda: add(rows, part, limits)), 1)[0]
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    used = db.execute("PRAGMA page_count").fetchone()[0] * page / docs
    print(f"{docs:,} documents, {batch:,} per transaction, page {page}, {limits}")
    print(
        f"  index {used:.1f} bytes a document = {used / TEXT_BYTES:.0%} of the text; {built / docs * 1e3:.0f} us a document"
    )
    for table in ("posting", "columns"):
        count, size = db.execute(f"SELECT count(*), sum(length(blob)) FROM {table}").fetchone()
        print(f"  {table}: {count:,} rows, {size / docs:.1f} bytes of blobs a document")
    for synchronous in ("NORMAL", "FULL"):
        db.execute(f"PRAGMA synchronous={synchronous}")
        show(f"add 1, synchronous={synchronous}", single_adds(rows, corpus.take(600), limits))
    db.close()
    lookups(path, page, corpus)
    removals(path, page, corpus, docs)
    print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def lookups(path: Path, page: int, corpus: Corpus) -> None:
    questions = corpus.questions(300)

    def fresh() -> None:
        other = connect(path, page)
        lookup(SqlRows(other), next(questions))
        other.close()

    show("lookup, new connection, no cache", timed(fresh, 20))
    db = connect(path, page)
    rows = SqlRows(db)
    show("lookup, no cache", timed(lambda: lookup(rows, next(questions)), 20))
    cache = ColumnCache()
    lookup(rows, [], cache)
    kept = cache.columns(rows.space)

    def new_terms() -> None:
        only_columns = ColumnCache()
        only_columns.put_columns(rows.space, *kept)
        lookup(rows, next(questions), only_columns)

    show("lookup, columns cached", timed(new_terms, 50))
    cache = ColumnCache()
    lookup(rows, next(questions), cache)
    show("lookup, columns and terms cached", timed(lambda: lookup(rows, next(questions), cache), 100))
    before = cache.nbytes
    add(rows, corpus.take(256))
    show("lookup after a flush", timed(lambda: lookup(rows, [], cache), 1))
    print(f"  tail {len(rows.tail())} documents, cache {before >> 20} MB")
    db.close()


def removals(path: Path, page: int, corpus: Corpus, docs: int) -> None:
    again = Corpus()
    again.random.bit_generator.state = Corpus().random.bit_generator.state
    first = again.take(200)
    db = connect(path, page)
    rows = SqlRows(db)
    places = iter(range(200))

    def one() -> None:
        at = next(places)
        in_transaction(db, lambda: remove(rows, {at: first[at].terms.keys()}))

    show("remove 1", timed(one, 50))
    db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--batch", type=int, default=0, help="documents per transaction while building")
    parser.add_argument("--page", type=int, default=4096)
    parser.add_argument("--tail", type=int, default=IndexLimits().tail_max)
    parser.add_argument("--block", type=int, default=IndexLimits().block_postings)
    args = parser.parse_args()
    if len(args.docs) > 1:
        for docs in args.docs:
            rest = [f"--{name}={getattr(args, name)}" for name in ("batch", "page", "tail", "block")]
            subprocess.run([sys.executable, __file__, f"--docs={docs}", *rest], check=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        batch = args.batch or (256 if args.docs[0] <= 100_000 else 20_000)
        measure(args.docs[0], batch, args.page, IndexLimits(args.tail, args.block), Path(folder))


if __name__ == "__main__":
    main()
