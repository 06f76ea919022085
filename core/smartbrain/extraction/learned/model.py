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
from zlib import crc32

from smartbrain.errors import StoreError
from smartbrain.extraction.learned.features import Memo, Said, Vocabulary, features, hashed, in_words
from smartbrain.text import stopwords

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MAGIC: Final = b"smartbrain clause classifier 1\n"
NOTHING: Final = "nothing"
"""The class of clauses that say nothing to keep."""
PLACE_BUCKETS: Final = 1 << 16
"""How many features of a place are told apart; what collides shares a weight."""
_MOST_PLACES = 40
_HAN_GAP = re.compile("(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")


class Guess(NamedTuple):
    """A class with its probability; ``none``: that there is nothing to keep, ``against``: that a wish is one against
    something."""

    label: str
    p: float
    against: float
    none: float


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

    ``columns`` says of which class each is: a place in ``labels``, or one behind them for ``against``. ``begins`` and
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
        clause = np.repeat(np.arange(len(found)), [len(numbers) for numbers in found])[known]
        rows = rows[known]
        starts = self.offsets[rows]
        counts = self.offsets[rows + 1] - starts
        places = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        width = len(self.scales)
        cells = np.repeat(clause * width, counts) + self.columns[places]
        total = np.bincount(cells, weights=self.values[places], minlength=len(found) * width)
        roots = [max(count, 1) ** 0.5 for count in np.bincount(clause, minlength=len(found)).tolist()]
        scores = total.reshape(len(found), width) * self.scales / np.array(roots)[:, None] + self.bias
        against = 1 / (1 + np.exp(-scores[:, -1]))
        odds = np.exp(scores[:, :-1] - scores[:, :-1].max(axis=1, keepdims=True))
        shares = odds / odds.sum(axis=1, keepdims=True)
        best = shares.argmax(axis=1)
        none = shares[:, self.labels.index(NOTHING)]
        most = shares[np.arange(len(found)), best]
        told = zip(best.tolist(), most.tolist(), against.tolist(), none.tolist(), strict=True)
        return [Guess(self.labels[at], *rest) for at, *rest in told]

    def _rows(self, wanted: Collection[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Where each of some features would stand in ``numbers``, and whether it does."""
        import numpy as np

        asked = np.array(wanted, dtype=np.int32)
        rows = np.minimum(np.searchsorted(self.numbers, asked), len(self.numbers) - 1)
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
        return cls(
            name=str(about["name"]),
            labels=list(about["labels"]),
            vocabulary=Vocabulary(dict(zip(words, arrays["families"].tolist(), strict=True))),
            glance=Glance(dict(zip(looked, arrays["glance"].tolist(), strict=True)), float(about["least"])),
            numbers=np.cumsum(arrays["numbers"], dtype=np.int32),
            offsets=np.concatenate(([0], np.cumsum(arrays["counts"], dtype=np.int32)), dtype=np.int32),
            columns=arrays["columns"],
            values=arrays["values"],
            scales=arrays["scales"],
            bias=arrays["bias"],
            begins=arrays["begins"],
            ends=arrays["ends"],
            steps=(about["begin_scale"], about["end_scale"]),
        )


def boundaries(text: str) -> list[tuple[int, int]]:
    """The places of a folded clause where a value may begin and end: words, and single Han characters."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(text) and len(found) < _MOST_PLACES:
        if text[at].isspace():
            at += 1
            continue
        end = at + 1
        if text[at] < "\u3400":
            while end < len(text) and not text[end].isspace() and text[end] < "\u3400":
                end += 1
        found.append((at, end))
        at = end
    return found


def place_features(words: Sequence[str], kin: Sequence[str], at: int, label: str) -> tuple[list[int], list[int]]:
    """The buckets of a place as a beginning and as an end: what stands around it, alone and with the class."""
    word = _word(words, kin, at)
    left, left2 = _word(words, kin, at - 1), _word(words, kin, at - 2)
    right, right2 = _word(words, kin, at + 1), _word(words, kin, at + 2)
    family = kin[at]
    names = (
        f" {word}",
        f"l {left}",
        f"r {right}",
        f"lw {left} {word}",
        f"wr {word} {right}",
        f"ll {left2} {left}",
        f"rr {right} {right2}",
        f"f {family}",
        f"lf {left} {family}",
        f"p {min(at, 6)}",
        f"q {min(len(words) - at, 6)}",
    )
    coded = [name.encode("utf-8", "replace") for name in names]
    return _buckets(coded, _BEGINNING, label), _buckets(coded, _ENDING, label)


_BEGINNING: Final = crc32(b"b")
_ENDING: Final = crc32(b"e")


def _buckets(names: Sequence[bytes], side: int, label: str) -> list[int]:
    group, whole = f" {label.partition('.')[0]}".encode(), f" {label}".encode()
    plain = [crc32(name, side) for name in names]
    every = (*plain, *[crc32(group, one) for one in plain], *[crc32(whole, one) for one in plain])
    return [one % PLACE_BUCKETS for one in every]


def _word(words: Sequence[str], kin: Sequence[str], at: int) -> str:
    """A word around a place: words of grammar and Han as they are, others by their family: names do not count."""
    if at < 0:
        return "^"
    if at >= len(words):
        return "$"
    word = words[at].strip(".,;:!?'\"") or words[at]
    return word if word[0] >= "\u3400" or len(word) < 4 or word in stopwords.ENGLISH else kin[at]


def families_at(said: Said, places: Sequence[tuple[int, int]]) -> list[str]:
    """The family of the word that stands at each place."""
    found, at = [], 0
    for start, _ in places:
        while at < len(said) - 1 and said.ends[at] <= start:
            at += 1
        found.append(said.kin[at] if said.kin else "?")
    return found


_PATH = Path(__file__).with_name("data") / "clauses.bin"
_LOCK = threading.Lock()


def bundled() -> ClauseModel:
    """The model that is shipped; read once."""
    with _LOCK:
        return _bundled()


@cache
def _bundled() -> ClauseModel:
    return ClauseModel.load(_PATH)
