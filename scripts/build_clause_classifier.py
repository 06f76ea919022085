"""Makes the clause classifier of the extraction from our own lines and the labelled development utterances.

    python scripts/build_clause_classifier.py core/smartbrain/extraction/learned/data/clauses.bin

The same inputs give the same bytes: draws are seeded, sums are made in a fixed order, and weights are rounded to eight
bits. Prints the SHA-256. No text of an evaluation set and none of the test halves is read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.clause_lines import SLOT_LABELS, UTTERANCES, Line, dev_lines, others, own_lines
from smartbrain.extraction.learned.features import NUMBERS, Vocabulary, glance
from smartbrain.extraction.learned.model import MAGIC, NOTHING, ClauseModel
from smartbrain.extraction.learned.numbering import Asked, features
from smartbrain.extraction.learned.places import PLACE_BUCKETS, boundaries, families_at, place_features
from smartbrain.semantic.static import static

Floats = NDArray[np.float32]
LABELLED = ("dev_en", "dev_zh", "spent_en", "spent_zh")
"""The labelled utterances that may be learned from."""
RECIPE = 1
_OWN = ("en-pos", "zh-pos", "en-neg", "zh-neg", "en-other", "zh-other")
_TASTES = ("like", "dislike", "w.", "c.", "t.", "u.", "o.")


@dataclass(frozen=True, slots=True)
class Recipe:
    """The numbers of the build. ``nothing`` and ``own`` weigh the lines with nothing to keep, and our own."""

    families: int = 256
    english: int = 20_000
    chinese: int = 25_000
    times: int = 4
    rounds: int = 8
    rate: float = 0.5
    decay: float = 1e-6
    own: float = 0.6
    drop: float = 0.4
    others: int = 2_500
    seen: int = 2
    least: int = 14
    passed_over: float = 0.01
    nothing: float = 0.4
    seed: int = 7


def families(recipe: Recipe) -> dict[str, int]:
    """The cluster of each of the commonest words by k-means over directions, words sorted."""
    table = static()._loaded()
    places = [*range(recipe.english), *range(table.english, table.english + recipe.chinese)]
    vectors = np.stack([table.sum_of([place]) for place in places])
    draw = random.Random(recipe.seed)
    centres = vectors[sorted(draw.sample(range(len(places)), recipe.families))]
    nearest = np.zeros(len(places), dtype=np.int64)
    for _ in range(15):
        nearest = np.argmax(vectors @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, vectors)
        lengths = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres).astype(np.float32)
    return {word: int(group) for word, group in sorted(zip((table.words[at] for at in places), nearest, strict=True))}


def lines(recipe: Recipe, *, without: Collection[str] = ()) -> list[Line]:
    """Every line to learn from; utterances whose id is in ``without`` are left out."""
    found = [*own_lines(recipe.times, recipe.seed), *others(recipe.others)]
    for name in LABELLED:
        found += [line for line in dev_lines(UTTERANCES / f"{name}.jsonl") if line.origin not in without]
    return [line for line in found if line.label == NOTHING or line.label in SLOT_LABELS]


class _Linear:
    """Softmax regression over hashed features, trained one line at a time with AdaGrad."""

    def __init__(self, numbers: Sequence[int], columns: int, recipe: Recipe) -> None:
        self.numbers = numbers
        self.weights = np.zeros((len(numbers), columns), dtype=np.float32)
        self.steps = np.full((len(numbers), columns), 1e-3, dtype=np.float32)
        self.bias = np.zeros(columns, dtype=np.float32)
        self.recipe = recipe

    def scores(self, places: NDArray[np.int64]) -> Floats:
        found: Floats = self.weights[places].sum(axis=0) / np.float32(len(places) ** 0.5) + self.bias
        return found

    def learn(self, places: NDArray[np.int64], slope: Floats) -> None:
        pull = slope / np.float32(len(places) ** 0.5)
        self.steps[places] += pull * pull
        self.weights[places] -= (
            self.recipe.rate * pull / np.sqrt(self.steps[places]) + self.recipe.decay * self.weights[places]
        )
        self.bias -= 0.02 * slope


def _softmax(scores: Floats) -> Floats:
    odds = np.exp(scores - scores.max())
    shares: Floats = odds / odds.sum()
    return shares


def train_classes(found: Sequence[Line], kin: Mapping[str, int], recipe: Recipe) -> tuple[list[str], _Linear]:
    """The weights of the classes, and in the last column those of "against"."""
    labels = [NOTHING, *sorted(SLOT_LABELS)]
    told: list[tuple[set[int], int, bool, bool, float]] = []
    vocabulary = Vocabulary(kin)
    for line in found:
        piece = line.piece
        sums = features(Asked(vocabulary.read(piece.text), piece.text, piece.asks, piece.capitals))
        numbers = {one & NUMBERS for one in sums}
        weight = recipe.own if line.origin.startswith(_OWN) else 1.0
        weight *= recipe.nothing if line.label == NOTHING else 1.0
        told.append((numbers, labels.index(line.label), line.against, line.label.startswith(_TASTES), weight))
    often = Counter(number for numbers, *_ in told for number in numbers)
    known = sorted(number for number, times in often.items() if times >= recipe.seen)
    row_of = {number: row for row, number in enumerate(known)}
    rows = [
        (np.array(sorted(row_of[n] for n in numbers if n in row_of), dtype=np.int64), label, against, taste, weight)
        for numbers, label, against, taste, weight in told
    ]
    linear = _Linear(known, len(labels) + 1, recipe)
    draw = random.Random(recipe.seed)
    keep = np.random.default_rng(recipe.seed)
    for _ in range(recipe.rounds):
        draw.shuffle(rows)
        for every, label, against, taste, weight in rows:
            places = every[keep.random(len(every)) >= recipe.drop] if recipe.drop else every
            if not len(places):
                continue
            scores = linear.scores(places)
            slope = np.zeros(len(labels) + 1, dtype=np.float32)
            slope[:-1] = _softmax(scores[:-1])
            slope[label] -= 1
            if taste:
                slope[-1] = 1 / (1 + np.exp(-scores[-1])) - against
            linear.learn(places, slope * np.float32(weight))
    return labels, linear


def train_glance(found: Sequence[Line], kin: Mapping[str, int], recipe: Recipe) -> tuple[dict[int, int], float]:
    """Weights of words and families for "worth a second look", and the bar that all but a few of those told pass."""
    rows = []
    vocabulary = Vocabulary(kin)
    for line in found:
        numbers = sorted(glance(vocabulary.read(line.piece.text))) if line.piece.text else []
        rows.append((numbers, line.label != NOTHING))
    often = Counter(number for numbers, _ in rows for number in numbers)
    row_of = {number: at for at, number in enumerate(sorted(n for n, times in often.items() if times >= 2))}
    lines = [(np.array([row_of[n] for n in numbers if n in row_of], dtype=np.int64), told) for numbers, told in rows]
    weights = np.zeros(len(row_of), dtype=np.float32)
    draw = random.Random(recipe.seed)
    for _ in range(4):
        draw.shuffle(lines)
        for places, told in lines:
            p = 1 / (1 + np.exp(-np.clip(weights[places].sum(), -30, 30)))
            weights[places] -= (
                np.float32(0.05) * (p - told) * np.float32(3.0 if told else 1.0) + np.float32(1e-4) * weights[places]
            )
    whole = np.rint(np.clip(weights * 20, -127, 127)).astype(np.int8)
    sums = np.sort([int(whole[places].sum(dtype=np.int64)) for places, told in lines if told])
    kept = {number: int(whole[row]) for number, row in row_of.items() if whole[row]}
    return kept, float(sums[int(len(sums) * recipe.passed_over)])


def train_places(found: Sequence[Line], kin: Mapping[str, int], recipe: Recipe) -> tuple[Floats, Floats]:
    """The weights of the places where values begin and end."""
    sides = []
    vocabulary = Vocabulary(kin)
    for which in (0, 1):
        rows = []
        for line in found:
            if line.value is None:
                continue
            text = line.piece.text
            places = boundaries(text)
            model_words = [text[start:end] for start, end in places]
            around = families_at(vocabulary.read(text), places)
            edge = line.value[which]
            right = [at for at, place in enumerate(places) if place[which] >= edge] or [len(places) - 1]
            buckets = place_features(model_words, around, line.label)[which].astype(np.int64)
            options = [np.unique(of_place) for of_place in buckets.T]
            rows.append((options, right[0]))
        weights = np.zeros(PLACE_BUCKETS, dtype=np.float32)
        steps = np.full(PLACE_BUCKETS, 1e-3, dtype=np.float32)
        draw = random.Random(recipe.seed)
        keep = np.random.default_rng(recipe.seed)
        for _ in range(max(2, recipe.rounds // 2)):
            draw.shuffle(rows)
            for every, wanted in rows:
                options = [option[keep.random(len(option)) >= recipe.drop] for option in every]
                scores = np.array([weights[option].sum() for option in options], dtype=np.float32)
                slope = _softmax(scores)
                slope[wanted] -= 1
                for option, one in zip(options, slope, strict=True):
                    if abs(one) > 1e-3:
                        steps[option] += one * one
                        weights[option] -= 0.2 * one / np.sqrt(steps[option])
        sides.append(weights)
    return sides[0], sides[1]


def packed(
    labels: Sequence[str],
    linear: _Linear,
    begins: Floats,
    ends: Floats,
    kin: Mapping[str, int],
    recipe: Recipe,
    looked: tuple[Mapping[int, int], float],
) -> bytes:
    """The file of a model."""
    scales = np.abs(linear.weights).max(axis=0) / np.float32(127)
    scales = np.where(scales > 0, scales, 1).astype("<f4")
    whole = np.rint(linear.weights / scales).astype(np.int8)
    whole[np.abs(whole) < recipe.least] = 0
    filled = np.flatnonzero(whole.any(axis=1))
    whole = whole[filled]
    rows, columns = np.nonzero(whole)
    edge = [float(np.float32(np.abs(side).max() / 127 or 1)) for side in (begins, ends)]
    arrays: dict[str, NDArray[Any]] = {
        "numbers": _steps(np.array(linear.numbers, dtype=np.int64)[filled]),
        "counts": np.count_nonzero(whole, axis=1).astype(np.uint8),
        "columns": columns.astype(np.uint8),
        "values": whole[rows, columns],
        "glance_numbers": _steps(np.array(list(looked[0]), dtype=np.int64)),
        "glance": np.array(list(looked[0].values()), dtype=np.int8),
        "scales": scales,
        "bias": linear.bias.astype("<f4"),
        "begins": np.rint(begins / np.float32(edge[0])).astype(np.int8),
        "ends": np.rint(ends / np.float32(edge[1])).astype(np.int8),
        "families": np.array(list(kin.values()), dtype=np.uint8 if max(kin.values()) < 256 else "<u2"),
    }
    body = b"".join(array.tobytes() for array in arrays.values()) + "\n".join(kin).encode()
    name = f"clauses-{RECIPE}-{hashlib.sha256(body).hexdigest()[:12]}"
    about = {
        "name": name,
        "labels": list(labels),
        "least": looked[1],
        "begin_scale": edge[0],
        "end_scale": edge[1],
        "arrays": {key: [array.dtype.str, list(array.shape)] for key, array in arrays.items()},
    }
    return MAGIC + zlib.compress(json.dumps(about).encode() + b"\n" + body, 9)


def _steps(ascending: NDArray[np.int64]) -> NDArray[Any]:
    """Ascending numbers as the steps between them: two bytes do, unless they are few."""
    steps = np.diff(ascending, prepend=0)
    return steps.astype("<u4" if steps.size and steps.max() >= 1 << 16 else "<u2")


def build(recipe: Recipe, kin: Mapping[str, int], found: Sequence[Line]) -> bytes:
    """The whole model out of its lines."""
    labels, linear = train_classes(found, kin, recipe)
    begins, ends = train_places(found, kin, recipe)
    return packed(labels, linear, begins, ends, kin, recipe, train_glance(found, kin, recipe))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    path: Path = parser.parse_args().path
    recipe = Recipe()
    data = build(recipe, families(recipe), lines(recipe))
    path.write_bytes(data)
    print(f"{len(data):,} bytes, {hashlib.sha256(data).hexdigest()}, {ClauseModel.load(path).name}")


if __name__ == "__main__":
    main()
