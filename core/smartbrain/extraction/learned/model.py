"""The trained numbers of the clause classifier: what they say of a clause, its class, and where its value stands."""

from __future__ import annotations

import json
import re
import threading
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from smartbrain.errors import StoreError
from smartbrain.extraction.learned.features import Token, features, glance, hashed, tokens
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
_OF_WORDS = ("w ", "b ", "t ")


@lru_cache(maxsize=1 << 13)
def _common(feature: str) -> int:
    """``hashed`` of words alone, which come again and again."""
    return hashed(feature)


class Guess(NamedTuple):
    """A class with its probability, and that of every class; ``against``: that a wish is one against something."""

    label: str
    p: float
    against: float
    shares: Mapping[str, float]

    @property
    def none(self) -> float:
        """The probability that there is nothing to keep."""
        return self.shares[NOTHING]


@dataclass(frozen=True, slots=True)
class ClauseModel:
    """The weights of features: those of feature ``numbers[i]`` stand at ``offsets[i]:offsets[i + 1]`` of ``values``.

    ``columns`` says of which class each is: a place in ``labels``, or one behind them for ``against``. ``glance``
    weighs the words by which clauses below ``least`` are passed over. ``begins`` and ``ends`` weigh the features of a
    place where a value may begin or end.
    """

    name: str
    labels: Sequence[str]
    families: Mapping[str, int]
    glance: Mapping[int, int]
    least: float
    numbers: NDArray[np.int64]
    offsets: NDArray[np.int64]
    columns: NDArray[np.uint8]
    values: NDArray[np.int8]
    scales: Floats
    bias: Floats
    begins: Floats
    ends: Floats

    def read(self, text: str) -> list[Token]:
        """The words of a folded text."""
        return tokens(text, self.families)

    def worth(self, said: list[Token]) -> bool:
        """Whether a clause deserves a second look: most say nothing to keep, and their words alone tell."""
        get = self.glance.get
        return sum([get(_common(name), 0) for name in set(glance(said))]) >= self.least

    def guess(self, said: list[Token], text: str, *, asks: bool, capitals: int) -> Guess:
        """The likeliest class of a clause."""
        import numpy as np

        rows = self._rows(features(said, text, asks=asks, capitals=capitals))
        starts = self.offsets[rows]
        counts = self.offsets[rows + 1] - starts
        places = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        total = np.bincount(self.columns[places], weights=self.values[places], minlength=len(self.scales))
        scores = total * self.scales / max(len(rows), 1) ** 0.5 + self.bias
        against = float(1 / (1 + np.exp(-scores[-1])))
        odds = np.exp(scores[:-1] - scores[:-1].max())
        shares = odds / odds.sum()
        best = int(np.argmax(shares))
        return Guess(
            self.labels[best], float(shares[best]), against, dict(zip(self.labels, shares.tolist(), strict=True))
        )

    def _rows(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The rows of the features that the model knows, each once."""
        import numpy as np

        asked = np.array(sorted({hashed(name) for name in names}), dtype=np.int64)
        rows = np.minimum(np.searchsorted(self.numbers, asked), len(self.numbers) - 1)
        known: NDArray[np.int64] = rows[self.numbers[rows] == asked]
        return known

    def grounds(self, said: list[Token], text: str, label: str, *, asks: bool, capitals: int) -> str:
        """The words of a clause that speak most for a class and against there being nothing; "" where none do."""
        names = [name for name in features(said, text, asks=asks, capitals=capitals) if name[:2] in _OF_WORDS]
        weighed = [(self._pull(name, label) - self._pull(name, NOTHING), name[2:].strip("^$ ")) for name in names]
        pull, words = max(weighed, default=(0.0, ""))
        return _HAN_GAP.sub("", words) if pull > 0 else ""

    def _pull(self, name: str, label: str) -> float:
        column = self.labels.index(label)
        for row in self._rows([name]).tolist():
            for place in range(int(self.offsets[row]), int(self.offsets[row + 1])):
                if self.columns[place] == column:
                    return float(self.values[place] * self.scales[column])
        return 0.0

    def value(self, text: str, label: str) -> tuple[int, int]:
        """Where the value of a class stands in a folded clause."""
        places = boundaries(text)
        words = [text[start:end] for start, end in places]
        kin = families_at(self.read(text), places)
        first = [sum(self.begins[at] for at in place_features(words, kin, at, label, "b")) for at in range(len(places))]
        last = [sum(self.ends[at] for at in place_features(words, kin, at, label, "e")) for at in range(len(places))]
        pairs = [(first[i] + last[j], -i, -j) for i in range(len(places)) for j in range(i, len(places))]
        _, i, j = max(pairs)
        return places[-i][0], places[-j][1]

    @classmethod
    def load(cls, path: Path) -> ClauseModel:
        """The model of a file. Raises StoreError if there is none."""
        import numpy as np

        try:
            data = path.read_bytes()
            if not data.startswith(MAGIC):
                raise StoreError(f"{path} is no clause classifier")
            body = zlib.decompress(data[len(MAGIC) :])
            head, _, rest = body.partition(b"\n")
            about: dict[str, Any] = json.loads(head)
            arrays = {}
            for name, (dtype, shape) in about["arrays"].items():
                size = int(np.prod(shape)) * np.dtype(dtype).itemsize
                arrays[name], rest = np.frombuffer(rest[:size], dtype=dtype).reshape(shape), rest[size:]
        except (OSError, ValueError, KeyError, zlib.error) as error:
            raise StoreError(f"cannot read the clause classifier {path}: {error}") from error
        words = rest.decode("utf-8").split("\n")
        return cls(
            name=str(about["name"]),
            labels=list(about["labels"]),
            families=dict(zip(words, arrays["families"].tolist(), strict=True)),
            glance=dict(
                zip(
                    np.cumsum(arrays["glance_numbers"], dtype=np.int64).tolist(), arrays["glance"].tolist(), strict=True
                )
            ),
            least=float(about["least"]),
            numbers=np.cumsum(arrays["numbers"], dtype=np.int64),
            offsets=np.concatenate(([0], np.cumsum(arrays["counts"], dtype=np.int64))),
            columns=arrays["columns"],
            values=arrays["values"],
            scales=arrays["scales"],
            bias=arrays["bias"],
            begins=arrays["begins"].astype(np.float32) * np.float32(about["begin_scale"]),
            ends=arrays["ends"].astype(np.float32) * np.float32(about["end_scale"]),
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


def place_features(words: Sequence[str], kin: Sequence[str], at: int, label: str, side: str) -> list[int]:
    """The buckets of a place: the words and families around it, alone and with the class."""
    word = _word(words, kin, at)
    left, left2 = _word(words, kin, at - 1), _word(words, kin, at - 2)
    right, right2 = _word(words, kin, at + 1), _word(words, kin, at + 2)
    family = kin[at]
    group = label.partition(".")[0]
    plain = (
        f"{side} {word}",
        f"{side}l {left}",
        f"{side}r {right}",
        f"{side}lw {left} {word}",
        f"{side}wr {word} {right}",
        f"{side}ll {left2} {left}",
        f"{side}rr {right} {right2}",
        f"{side}f {family}",
        f"{side}lf {left} {family}",
        f"{side}p {min(at, 6)}",
        f"{side}q {min(len(words) - at, 6)}",
    )
    return [
        hashed(one) % PLACE_BUCKETS
        for one in (*plain, *(f"{one} {group}" for one in plain), *(f"{one} {label}" for one in plain))
    ]


def _word(words: Sequence[str], kin: Sequence[str], at: int) -> str:
    """A word around a place: words of grammar and Han as they are, others by their family: names do not count."""
    if at < 0:
        return "^"
    if at >= len(words):
        return "$"
    word = words[at].strip(".,;:!?'\"") or words[at]
    return word if word[0] >= "\u3400" or len(word) < 4 or word in stopwords.ENGLISH else kin[at]


def families_at(said: Sequence[Token], places: Sequence[tuple[int, int]]) -> list[str]:
    """The family of the word that stands at each place."""
    found, at = [], 0
    for start, _ in places:
        while at < len(said) - 1 and said[at].end <= start:
            at += 1
        found.append(said[at].family if said else "?")
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
