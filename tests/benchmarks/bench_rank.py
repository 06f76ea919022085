"""Measures lexical search at size: reading the index and ranking turns, one scope, synthetic Zipf text.

``python tests/benchmarks/bench_rank.py 10000 100000 1000000``. Questions draw their terms as the text does, so that they hold
frequent words too, without the most frequent 50, which stop lists take out. Beside it BM25 alone over the same postings.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from bench_index import SCHEMA, Corpus, SqlRows, connect, in_transaction

from smartbrain.config import LexicalPolicy
from smartbrain.retrieval.lexical import Led, QuerySignals, Ranked, rank_events
from smartbrain.retrieval.related import related_words
from smartbrain.retrieval.scoring import bm25, inverse_frequencies
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.index.engine import add, lookup

_STOPPED = 50
_TERMS_ASKED = 8


def questions(corpus: Corpus, count: int) -> list[list[str]]:
    """Distinct terms drawn as in the text, the most frequent left out."""
    asked = []
    for _ in range(count):
        ranks = np.searchsorted(corpus.cumulative, corpus.random.random(200)).tolist()
        terms = list(dict.fromkeys(corpus.names[rank] for rank in ranks if _STOPPED <= rank < len(corpus.names)))
        asked.append(terms[:_TERMS_ASKED])
    return asked


def spent(run: Callable[[list[str]], object], asked: list[list[str]]) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds of CPU time."""
    taken = []
    for terms in asked:
        begin = time.process_time()
        run(terms)
        taken.append((time.process_time() - begin) * 1e3)
    return float(np.percentile(taken, 50)), float(np.percentile(taken, 95))


def measure(docs: int, folder: Path) -> None:
    path = folder / f"{docs}.db"
    corpus = Corpus()
    db = connect(path, 4096, "OFF")
    db.executescript(SCHEMA)
    rows = SqlRows(db)
    for at in range(0, docs, 20_000):
        part = corpus.take(min(20_000, docs - at))
        in_transaction(db, lambda part=part: add(rows, part))
    cache, policy = ColumnCache(256 << 20), LexicalPolicy()
    asked = questions(corpus, 150)
    signals = QuerySignals(speakers=frozenset({1}), days={20_100: 1.0}, today=20_000 + docs // 200)

    def search(terms: list[str]) -> object:
        return rank_events(lookup(rows, terms, cache), terms, signals, policy, 50)

    def led_on(terms: list[str]) -> object:
        further = dict.fromkeys(asked[(asked.index(terms) + 1) % len(asked)] + asked[asked.index(terms) - 1], 1.0)

        def lead(first: Ranked, weights: Mapping[str, float]) -> Led:
            more = lookup(rows, further, cache)
            related = related_words(more, further, weights, policy.related)
            return Led(related, {term: more.postings[term] for term in related})

        return rank_events(lookup(rows, terms, cache), terms, signals, policy, 50, lead=lead)

    def words_only(terms: list[str]) -> object:
        view = lookup(rows, terms, cache)
        own = bm25(view, inverse_frequencies(view, terms), policy)
        return own[np.argpartition(own, -50)[-50:]]

    for terms in asked[:20]:
        search(terms)
    for name, run in (
        ("read the index", lambda terms: lookup(rows, terms, cache)),
        ("BM25", words_only),
        ("all", search),
        ("and a second round", led_on),
    ):
        p50, p95 = spent(run, asked[20:])
        print(f"{docs:>9,}  {name:<18} p50 {p50:6.2f}  p95 {p95:6.2f} ms", flush=True)
    db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("docs", type=int, nargs="*", default=[10_000, 100_000])
    with tempfile.TemporaryDirectory() as folder:
        for docs in parser.parse_args().docs:
            measure(docs, Path(folder))


if __name__ == "__main__":
    main()
