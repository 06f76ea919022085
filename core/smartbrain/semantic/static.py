"""The embedder that is always there: a table of English and Chinese words, each with its vector, and their sum.

The vectors are distilled from multilingual-e5-small (MIT); ``scripts/build_static_embedder.py`` makes the table,
``docs/static-embedder.md`` says of what, and what it is good and bad at. A text costs microseconds, so its vector is
made within the commit. Word order, negation and names are beyond it: those are the words' side of the search.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from smartbrain.ports import Sense
from smartbrain.text import stopwords
from smartbrain.text.folding import fold_in_place, tidy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from smartbrain.semantic.table import StaticTable

    Vector = NDArray[np.float32]


class StaticEmbedder:
    """The bundled table behind the ``Embedder`` port. One object serves many threads; loaded at its first use."""

    def __init__(self, path: str | Path | None = None) -> None:
        """``path``: another table than the bundled one. Raises StoreError at its first use if it is none."""
        self._path = None if path is None else Path(path)
        self._lock = threading.Lock()
        self._table: StaticTable | None = None
        self._akin: dict[int, list[tuple[int, float]]] = {}

    @property
    def model(self) -> str:
        """The name of the vector space; it changes with every table."""
        return self._loaded().model

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._loaded().dimension

    @property
    def prior(self) -> Mapping[str, Vector]:
        """By language, the mean of the vectors of its texts, each of length 1."""
        return self._loaded().means

    def embed_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector of length 1 a text; of length 0 where no word is known."""
        import numpy as np

        table = self._loaded()
        vectors = np.zeros((len(texts), table.dimension), dtype=np.float32)
        for place, text in enumerate(texts):
            vectors[place] = table.sum_of(word_ids(text, table.places))
        return vectors  # type: ignore[return-value] # an array is a sequence of sequences

    def embed_query(self, text: str) -> Sequence[float]:
        """The vector of a question: the same as of a text."""
        return self.embed_documents([text])[0]

    def senses(self, text: str) -> list[Sense]:
        """For each word of the text that says something its three nearest of the other language, nearest first."""
        table = self._loaded()
        found: list[Sense] = []
        for place in dict.fromkeys(word_ids(text, table.places)):
            word = table.words[place]
            if _says_something(word):
                found += [Sense(word, table.words[other], nearness) for other, nearness in table.across(place)[:_EACH]]
        return found

    def akin(self, text: str, least: float) -> list[Sense]:
        """The words nearest to those of the text that carry meaning, of the same language and of the other, nearest
        first, at least ``least`` near; of at most eight words, three of each language a word.

        Every word of the language is compared: some 20 ms for a word that was not asked before.
        """
        table = self._loaded()
        asked = [place for place in dict.fromkeys(word_ids(text, table.places)) if _says_something(table.words[place])]
        found = [
            Sense(table.words[place], table.words[other], nearness)
            for place in asked[:_ASKED]
            for other, nearness in (*self._near(place), *table.across(place)[:_EACH])
            if nearness >= least
        ]
        return sorted(found, key=lambda sense: (-sense.nearness, sense))

    def _near(self, place: int) -> list[tuple[int, float]]:
        known = self._akin.get(place)
        if known is None:
            if len(self._akin) >= _KEPT:
                self._akin = {}
            known = self._akin[place] = self._loaded().akin(place, _EACH)
        return known

    def _loaded(self) -> StaticTable:
        table = self._table
        if table is None:
            with self._lock:
                if self._table is None:
                    self._table = _read(self._path)
                table = self._table
        return table


_ASKED, _EACH, _KEPT = 8, 3, 4096


def _says_something(word: str) -> bool:
    return word not in stopwords.ENGLISH and word not in stopwords.HAN


def static() -> StaticEmbedder:
    """The bundled embedder; all brains of a process share one, and so its table."""
    return _shared()


@cache
def _shared() -> StaticEmbedder:
    return StaticEmbedder()


def _read(path: Path | None) -> StaticTable:
    from smartbrain.semantic.table import StaticTable

    return StaticTable.read(path or Path(__file__).with_name("data") / "static.bin")


def word_ids(text: str, places: Mapping[str, int]) -> list[int]:
    """The places of a text's known words, in order and with repeats.

    Chinese is cut by forward maximum matching: the longest known word of up to four characters, else the character.
    """
    found: list[int] = []
    # Width is folded where there are wide letters; the rest of NFKC costs more than the sum itself.
    for run in _RUNS.findall(fold_in_place(tidy(text) if _WIDE.search(text) else text)):
        if run[0] > "\u4dff":
            _han_ids(run, places, found)
        elif (place := places.get(run)) is not None or (place := _stripped(run, places)) is not None:
            found.append(place)
    return found


_WIDE = re.compile("[\uff21-\uff5a]")
_RUNS = re.compile("[a-z\u00df-\u024f]+(?:'[a-z]+)?|[\u4e00-\u9fff]+")


def _han_ids(run: str, places: Mapping[str, int], found: list[int]) -> None:
    # Written out for speed: this loop is most of what a Chinese text costs.
    get, add = places.get, found.append
    at, end = 0, len(run)
    while at < end:
        if (place := get(run[at : at + 4])) is not None:
            size = min(4, end - at)
        elif (place := get(run[at : at + 3])) is not None:
            size = 3
        elif (place := get(run[at : at + 2])) is not None:
            size = 2
        else:
            size = 1
            place = get(run[at])
        if place is not None:
            add(place)
        at += size


_ENDINGS: Final = (
    ("'s", ""), ("ies", "y"), ("ied", "y"), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("es", ""),
    ("s", ""), ("ly", ""), ("er", ""), ("er", "e"), ("est", ""), ("est", "e"), ("'ll", ""), ("'ve", ""), ("'d", ""),
)  # fmt: skip
_ANY_ENDING: Final = tuple(ending for ending, _ in _ENDINGS)


def _stripped(word: str, places: Mapping[str, int]) -> int | None:
    """The place of an English word without its ending, doubled consonants undoubled ("jogging": "jog")."""
    if not word.endswith(_ANY_ENDING):
        return None
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)] + instead
            for form in (stem, stem[:-1]) if not instead and stem[-1] == stem[-2] else (stem,):
                if form in places:
                    return places[form]
    return None
