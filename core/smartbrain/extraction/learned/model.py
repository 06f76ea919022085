"""The trained numbers of the clause classifier: what they say of a clause, its class, and where its value stands."""

from __future__ import annotations

import json
import re
import threading
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from smartbrain.errors import StoreError
from smartbrain.extraction.learned.features import NUMBERS, Memo, Said, Vocabulary, hashed, in_words
from smartbrain.extraction.learned.numbering import Asked, features
from smartbrain.extraction.learned.places import boundaries, families_at, place_features
from smartbrain.extraction.learned.ranked import Ranked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MAGIC: Final = b"smartbrain clause classifier 1\n"
NOTHING: Final = "nothing"
"""The class of clauses that say nothing to keep."""
_FULL = 24
_HAN_GAP = re.compile("(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")


LEAST: Final = 0.3
"""The probability from which a class is thought of at all: no more than three have it."""
_LIKELIEST: Final = 3
_ROW_BITS: Final = 24
"""As many as the numbers of features have: there are no more rows."""


@dataclass(slots=True)
class Guess:
    """A class with its probability; ``none``: that there is nothing to keep, ``against``: that a wish is one against
    something; ``likely``: the classes that are something and have a probability of at least ``LEAST``, the likeliest
    first; ``shares``: the probabilities of all classes, which stand at ``places``, without that of nothing."""

    label: str
    p: float
    against: float
    none: float
    likely: Sequence[tuple[str, float]]
    shares: NDArray[np.float64] = field(repr=False, compare=False)
    places: Mapping[str, int] = field(repr=False, compare=False)

    def share(self, label: str) -> float | None:
        """The probability of a class; None for one that the classifier does not know."""
        at = self.places.get(label)
        return None if at is None else self.none if label == NOTHING else float(self.shares[at])

    def rank(self, share: float) -> int:
        """The place of a probability among the three highest."""
        return min(int((self.shares > share).sum()), _LIKELIEST)


class Glance:
    """Weighs a clause by its words and families alone: most say nothing to keep, and these tell."""

    def __init__(self, weights: Mapping[int, int], least: float) -> None:
        """``weights`` of the features of ``features.glance``, by their numbers; what sums to less is passed over."""
        get = weights.get
        self._words: Memo[str, int] = Memo(lambda word: get(hashed(f"w {word}"), 0))
        self._kin: Memo[str, int] = Memo(lambda family: get(hashed(f"f {family}"), 0))
        self._first: Memo[str, int] = Memo(lambda word: get(hashed(f"^ {word}"), 0))
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
    places: Mapping[str, int]
    numbers: Ranked
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

        clause, rows = self._held(clauses)
        total = self._sums(rows, clause, len(clauses))
        roots = np.sqrt(np.maximum(np.bincount(clause, minlength=len(clauses)), 1))
        scores = total * self.scales / roots[:, None] + self.bias
        against = 1 / (1 + np.exp(-scores[:, -1]))
        odds = np.exp(scores[:, :-1] - scores[:, :-1].max(axis=1, keepdims=True))
        shares = odds / odds.sum(axis=1, keepdims=True)
        return self._told(shares, against.tolist())

    def _held(self, clauses: Sequence[Asked]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The features of clauses that have weights, each once: of which clause, in order, and where in ``numbers``."""
        import numpy as np

        found = [features(one) for one in clauses]
        sums = np.fromiter(chain.from_iterable(found), dtype=np.int64)
        rows, known = self.numbers.places(sums & NUMBERS)
        of = np.arange(len(clauses)).repeat([len(one) for one in found])[known]
        both = (of << _ROW_BITS) | rows  # one number to sort by
        both.sort()
        both = both[_first_of_each(both)]
        return both >> _ROW_BITS, both & ((1 << _ROW_BITS) - 1)

    def _told(self, shares: NDArray[np.float64], against: Sequence[float]) -> list[Guess]:
        """The guesses of several clauses from the probabilities of their classes, which are kept and changed."""
        nothing = self.places[NOTHING]
        none = shares[:, nothing].tolist()
        shares[:, nothing] = -1.0
        likely: list[list[tuple[float, str]]] = [[] for _ in none]
        rows, columns = (shares >= LEAST).nonzero()
        for row, column, p in zip(rows.tolist(), columns.tolist(), shares[rows, columns].tolist(), strict=True):
            likely[row].append((p, self.labels[column]))
        found = []
        for row, at, some, no, refused, some_more in zip(
            shares, shares.argmax(axis=1).tolist(), shares.max(axis=1).tolist(), none, against, likely, strict=True
        ):
            label, p = (self.labels[at], some) if some > no else (NOTHING, no)
            best = [(label, p) for p, label in sorted(some_more, reverse=True)] if some_more else []
            found.append(Guess(label, p, refused, no, best, row, self.places))
        return found

    def _sums(self, rows: NDArray[np.int64], clause: NDArray[np.int64], clauses: int) -> NDArray[np.float64]:
        """The weights of features added up by clause and class; ``clause`` says of which each is, in order."""
        import numpy as np

        width = len(self.scales)
        full = self.full_of.take(rows)
        few = full < 0
        alone = rows[few]
        starts = self.offsets.take(alone)
        counts = self.offsets.take(alone + 1) - starts
        places = (starts - counts.cumsum() + counts).repeat(counts)
        places += np.arange(len(places))
        cells = (clause[few] * width).repeat(counts) + self.columns.take(places)
        sums = np.bincount(cells, weights=self.values.take(places), minlength=clauses * width)
        total: NDArray[np.float64] = sums.astype(np.float64, copy=False).reshape(clauses, width)
        many = clause[~few]
        if len(many):
            begins = _first_of_each(many).nonzero()[0]
            total[many[begins]] += np.add.reduceat(self.full.take(full[~few], axis=0), begins, axis=0)
        return total

    def grounds(self, said: Said, label: str) -> str:
        """The words of a clause that speak most for a class and against there being nothing; "" where none do."""
        import numpy as np

        named = list(in_words(said))
        rows, known = self.numbers.places(np.array([number for _, number in named], dtype=np.int32))
        weights = self._weights(rows, self.places[label]) - self._weights(rows, self.places[NOTHING])
        at = known.nonzero()[0].tolist()
        weighed = [(pull, named[one][0].strip("^$ ")) for one, pull in zip(at, weights.tolist(), strict=True)]
        pull, words = max(weighed, default=(0.0, ""))
        return _HAN_GAP.sub("", words) if pull > 0 else ""

    def _weights(self, rows: NDArray[np.int64], column: int) -> NDArray[np.float64]:
        """What each of some features weighs for a class."""
        import numpy as np

        starts = self.offsets.take(rows)
        counts = self.offsets.take(rows + 1) - starts
        places = (starts - counts.cumsum() + counts).repeat(counts) + np.arange(counts.sum())
        of_class = self.columns.take(places) == column
        found = np.zeros(len(rows))
        found[np.arange(len(rows)).repeat(counts)[of_class]] = self.values.take(places[of_class]) * self.scales[column]
        return found

    def value(self, said: Said, text: str, label: str) -> tuple[int, int]:
        """Where the value of a class stands in a folded clause."""
        import numpy as np

        places = boundaries(text)
        words = [text[start:end] for start, end in places]
        kin = families_at(said, places)
        begin, end = (
            (weights.take(buckets).astype(np.float32) * np.float32(step)).sum(axis=0)
            for weights, buckets, step in zip(
                (self.begins, self.ends), place_features(words, kin, label), self.steps, strict=True
            )
        )
        pairs = begin[:, None] + end[None, :] + _backwards(len(places))
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
            places={label: at for at, label in enumerate(about["labels"])},
            numbers=Ranked(np.cumsum(arrays["numbers"], dtype=np.int32)),
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


def _first_of_each(ordered: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where numbers in order are another than before."""
    import numpy as np

    first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


@cache
def _backwards(places: int) -> Floats:
    """What rules out that a value ends before it begins."""
    import numpy as np

    return np.tril(np.full((places, places), -np.inf, dtype=np.float32), -1)


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
