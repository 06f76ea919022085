"""The trained numbers of the clause classifier: what they say of a clause, its class, and where its value stands."""

from __future__ import annotations

import json
import re
import threading
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from smartbrain.errors import StoreError
from smartbrain.extraction.learned.features import Memo, Said, Vocabulary, features, hashed, in_words
from smartbrain.extraction.learned.places import boundaries, families_at, place_features

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MAGIC: Final = b"smartbrain clause classifier 1\n"
NOTHING: Final = "nothing"
"""The class of clauses that say nothing to keep."""
_FULL = 48
_HAN_GAP = re.compile("(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")


_LIKELIEST: Final = 3


class Guess(NamedTuple):
    """A class with its probability; ``none``: that there is nothing to keep, ``against``: that a wish is one against
    something; ``shares``: the probability of every class; ``likeliest``: the highest three but that of nothing."""

    label: str
    p: float
    against: float
    none: float
    shares: Mapping[str, float]
    likeliest: tuple[float, ...]


class Asked(NamedTuple):
    """A clause to be guessed: its words, its folded text, whether it asks, and its words in capitals."""

    said: Said
    text: str
    asks: bool
    capitals: int


class Glance:
    """Weighs a clause by its words and families alone: most say nothing to keep, and these tell."""

    def __init__(self, weights: Mapping[int, int], least: float) -> None:
        """``weights`` of the features of ``features.glance``, by their numbers; what sums to less is passed over."""
        get = weights.get
        self._words = Memo(lambda word: get(hashed(f"w {word}"), 0))
        self._kin = Memo(lambda family: get(hashed(f"f {family}"), 0))
        self._first = Memo(lambda word: get(hashed(f"^ {word}"), 0))
        self._least = least

    def worth(self, said: Said) -> bool:
        """Whether a clause of at least one word deserves a second look."""
        words = sum(map(self._words.__getitem__, set(said.words)))
        return words + sum(map(self._kin.__getitem__, set(said.kin))) + self._first[said.words[0]] >= self._least


@dataclass(frozen=True, slots=True)
class ClauseModel:
    """The weights of features: those of feature ``numbers[i]`` stand at ``offsets[i]:offsets[i + 1]`` of ``values``.

    ``columns`` says of which class each is: a place in ``labels``, or one behind them for ``against``. The few features
    that weigh for most classes, which most clauses hold, stand in ``full`` as well, a row each, at ``full_of``; it is
    -1 for the others. ``begins`` and
    ``ends`` weigh the features of a place where a value may begin or end, in steps of ``steps``.
    """

    name: str
    labels: Sequence[str]
    vocabulary: Vocabulary
    glance: Glance
    numbers: NDArray[np.int32]
    offsets: NDArray[np.int32]
    columns: NDArray[np.uint8]
    values: NDArray[np.int8]
    full: Floats
    full_of: NDArray[np.int16]
    scales: Floats
    bias: Floats
    begins: NDArray[np.int8]
    ends: NDArray[np.int8]
    steps: tuple[float, float]

    def read(self, text: str) -> Said:
        """The words of a folded text."""
        return self.vocabulary.read(text)

    def worth(self, said: Said) -> bool:
        """Whether a clause of at least one word deserves a second look."""
        return self.glance.worth(said)

    def guesses(self, clauses: Sequence[Asked]) -> list[Guess]:
        """The likeliest class of each of several clauses; together they cost little more than one."""
        if not clauses:
            return []
        import numpy as np

        found = [features(one.said, one.text, asks=one.asks, capitals=one.capitals) for one in clauses]
        rows, known = self._rows([number for numbers in found for number in numbers])
        clause = np.arange(len(found)).repeat([len(numbers) for numbers in found])[known]
        total = self._sums(rows[known], clause, len(found))
        roots = [max(count, 1) ** 0.5 for count in np.bincount(clause, minlength=len(found)).tolist()]
        scores = total * self.scales / np.array(roots)[:, None] + self.bias
        against = 1 / (1 + np.exp(-scores[:, -1]))
        odds = np.exp(scores[:, :-1] - scores[:, :-1].max(axis=1, keepdims=True))
        shares = odds / odds.sum(axis=1, keepdims=True)
        best = shares.argmax(axis=1)
        nothing = self.labels.index(NOTHING)
        some = np.sort(np.delete(shares, nothing, axis=1), axis=1)[:, : -_LIKELIEST - 1 : -1]
        told = zip(best.tolist(), against.tolist(), shares.tolist(), some.tolist(), strict=True)
        return [
            Guess(self.labels[at], row[at], refused, row[nothing], dict(zip(self.labels, row, strict=True)), tuple(top))
            for at, refused, row, top in told
        ]

    def _sums(self, rows: NDArray[np.int64], clause: NDArray[np.int64], clauses: int) -> NDArray[np.float64]:
        """The weights of features added up by clause and class; ``clause`` says of which each is, in order."""
        import numpy as np

        width = len(self.scales)
        full = self.full_of[rows]
        few = full < 0
        starts = self.offsets[rows[few]]
        counts = self.offsets[rows[few] + 1] - starts
        places = (starts - counts.cumsum() + counts).repeat(counts) + np.arange(counts.sum())
        cells = (clause[few] * width).repeat(counts) + self.columns[places]
        total = np.bincount(cells, weights=self.values[places], minlength=clauses * width).astype(np.float64)
        total = total.reshape(clauses, width)
        many = clause[~few]
        if len(many):
            begins = np.flatnonzero(np.diff(many, prepend=-1))
            total[many[begins]] += np.add.reduceat(self.full[full[~few]], begins, axis=0)
        return total

    def _rows(self, wanted: Collection[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Where each of some features would stand in ``numbers``, and whether it does."""
        import numpy as np

        asked = np.array(wanted, dtype=np.int32)
        rows = np.minimum(self.numbers.searchsorted(asked), len(self.numbers) - 1)
        return rows, self.numbers[rows] == asked

    def grounds(self, said: Said, label: str) -> str:
        """The words of a clause that speak most for a class and against there being nothing; "" where none do."""
        named = list(in_words(said))
        rows, known = self._rows([number for _, number in named])
        column, nothing = self.labels.index(label), self.labels.index(NOTHING)
        weighed = [
            (self._weight(row, column) - self._weight(row, nothing) if held else 0.0, words.strip("^$ "))
            for (words, _), row, held in zip(named, rows.tolist(), known.tolist(), strict=True)
        ]
        pull, words = max(weighed, default=(0.0, ""))
        return _HAN_GAP.sub("", words) if pull > 0 else ""

    def _weight(self, row: int, column: int) -> float:
        start, end = int(self.offsets[row]), int(self.offsets[row + 1])
        columns = self.columns[start:end].tolist()
        return float(self.values[start + columns.index(column)] * self.scales[column]) if column in columns else 0.0

    def value(self, said: Said, text: str, label: str) -> tuple[int, int]:
        """Where the value of a class stands in a folded clause."""
        import numpy as np

        places = boundaries(text)
        words = [text[start:end] for start, end in places]
        kin = families_at(said, places)
        around = [place_features(words, kin, at, label) for at in range(len(places))]
        sums = []
        for side, (weights, step) in enumerate(zip((self.begins, self.ends), self.steps, strict=True)):
            buckets = np.array([sides[side] for sides in around])
            sums.append((weights[buckets].astype(np.float32) * np.float32(step)).T.copy().sum(axis=0))
        pairs = sums[0][:, None] + sums[1][None, :]
        pairs[np.tril_indices(len(places), -1)] = -np.inf  # no value ends before it begins
        first, last = divmod(int(pairs.argmax()), len(places))
        return places[first][0], places[last][1]

    @classmethod
    def load(cls, path: Path) -> ClauseModel:
        """The model of a file. Raises StoreError if there is none."""
        import numpy as np

        try:
            data = path.read_bytes()
            if not data.startswith(MAGIC):
                raise StoreError(f"{path} is no clause classifier")
            body = zlib.decompress(data[len(MAGIC) :])
            at = body.index(b"\n") + 1
            about: dict[str, Any] = json.loads(body[:at])
            arrays = {}
            for name, (dtype, shape) in about["arrays"].items():
                size = int(np.prod(shape)) * np.dtype(dtype).itemsize
                arrays[name] = np.frombuffer(body, dtype=dtype, count=int(np.prod(shape)), offset=at).reshape(shape)
                at += size
        except (OSError, ValueError, KeyError, zlib.error) as error:
            raise StoreError(f"cannot read the clause classifier {path}: {error}") from error
        words = body[at:].decode("utf-8").split("\n")
        looked = np.cumsum(arrays["glance_numbers"], dtype=np.int64).tolist()
        offsets = np.concatenate(([0], np.cumsum(arrays["counts"], dtype=np.int32)), dtype=np.int32)
        full, full_of = _full(offsets, arrays["columns"], arrays["values"], len(arrays["scales"]))
        return cls(
            name=str(about["name"]),
            labels=list(about["labels"]),
            vocabulary=Vocabulary(dict(zip(words, arrays["families"].tolist(), strict=True))),
            glance=Glance(dict(zip(looked, arrays["glance"].tolist(), strict=True)), float(about["least"])),
            numbers=np.cumsum(arrays["numbers"], dtype=np.int32),
            offsets=offsets,
            columns=arrays["columns"],
            values=arrays["values"],
            full=full,
            full_of=full_of,
            scales=arrays["scales"],
            bias=arrays["bias"],
            begins=arrays["begins"],
            ends=arrays["ends"],
            steps=(about["begin_scale"], about["end_scale"]),
        )


def _full(
    offsets: NDArray[np.int32], columns: NDArray[np.uint8], values: NDArray[np.int8], width: int
) -> tuple[Floats, NDArray[np.int16]]:
    """The rows of the features that weigh for many classes, written out, and which they are."""
    import numpy as np

    counts = np.diff(offsets)
    rows = np.flatnonzero(counts >= _FULL)
    table = np.zeros((len(rows), width), dtype=np.float32)  # sums of whole numbers: exact
    full_of = np.full(len(counts), -1, dtype=np.int16)
    full_of[rows] = np.arange(len(rows))
    for at, row in enumerate(rows.tolist()):
        start, end = offsets[row], offsets[row + 1]
        table[at, columns[start:end]] = values[start:end]
    return table, full_of


_PATH = Path(__file__).with_name("data") / "clauses.bin"
_LOCK = threading.Lock()


def bundled() -> ClauseModel:
    """The model that is shipped; read once."""
    with _LOCK:
        return _bundled()


@cache
def _bundled() -> ClauseModel:
    return ClauseModel.load(_PATH)
