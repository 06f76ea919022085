"""Chinese words: jieba's segmentation, without jieba's start-up.

jieba (Sun Junyi, MIT) parses its whole dictionary into a million-entry mapping before the first cut: a second and
80 MB. Here the same algorithm (best path through the word graph by unigram weights; a four-state hidden Markov
model, B M E S, for stretches of single characters) reads the same files of the installed package, but looks into
the dictionary only for what it is asked. The cuts are equal, which a test shows. ``rjieba``, the
same algorithm in Rust, takes over when it is installed.

jieba itself is never imported: it logs to stderr and compiles a 1.3 MB module when it is.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from math import inf, log
from pathlib import Path
from typing import Protocol
from zlib import crc32

#: What jieba's dictionary and model know. Han characters outside of it are words of their own.
_KNOWN = "\u4e00-\u9fd5"
#: Size in bytes and CRC-32 of jieba 0.42.1's dictionary, and the sum of its counts; any other is summed up.
_JIEBA_0_42 = (5_071_852, 328_468_845, 60_101_967)
#: Fragments whose weight is remembered (about 170 bytes each).
_ASKED_LIMIT = 60_000
PREFIX = 0.0
ABSENT = 1.0
_NEVER = -3.14e100


class Segmenter(Protocol):
    """Cuts a run of characters that are all in U+4E00..U+9FD5."""

    def cut(self, run: str) -> list[str]:
        """The words of the run in order, nothing left out (jieba's exact mode with its hidden Markov model)."""

    def has_word(self, word: str) -> bool:
        """Whether the dictionary holds the word."""


class WordList:
    """jieba's ``dict.txt``, asked one fragment at a time.

    The lines are kept as text, a region per first character, and searched by bisection; only what was asked is
    kept as an object. Parsed whole they would take 65 MB.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._places: dict[str, list[tuple[int, int]]] = {}
        # One match is one run of lines that start with the same three bytes, which is one Han character.
        runs = re.compile(rb"^([\xe3-\xe9][\x80-\xbf]{2})[^\n]*+(?:\n\1[^\n]*+)*", re.M)
        for match in runs.finditer(data):
            self._places.setdefault(match[1].decode(), []).append(match.span())
        self._log_total = log(_sum_of_counts(data))
        self._regions: dict[str, str] = {}
        #: What was asked before; read it first, it saves the call.
        self.remembered: dict[str, float] = {}
        #: Weight of a character that is no word.
        self.unknown = -self._log_total

    def weight(self, fragment: str) -> float:
        """The log-probability of a word (below zero), ``PREFIX`` for the beginning of one, else ``ABSENT``."""
        weight = self.remembered.get(fragment)
        if weight is None:
            if len(self.remembered) >= _ASKED_LIMIT:
                self.remembered.clear()
            weight = self.remembered[fragment] = self._look_up(fragment)
        return weight

    def _look_up(self, fragment: str) -> float:
        region = self._regions.get(fragment[0])
        if region is None:
            region = self._regions[fragment[0]] = self._read_region(fragment[0])
        low, high, size = 0, len(region), len(fragment)
        while low < high:
            line = region.rfind("\n", low, (low + high) // 2) + 1 or low
            if region[line : line + size] < fragment:
                low = region.find("\n", line) + 1 or high
            else:
                high = line
        if not region.startswith(fragment, low):
            return ABSENT
        if region[low + size] != " ":
            return PREFIX
        count = int(region[low + size + 1 : region.find("\n", low)])
        return log(count) - self._log_total if count else PREFIX

    def _read_region(self, first: str) -> str:
        """The lines ``word count`` that start with the character, sorted; of one word the last line counts."""
        counts: dict[str, str] = {}
        for start, end in self._places.get(first, ()):
            for line in self._data[start:end].decode().split("\n"):
                word, count = line.split(" ", 2)[:2]
                counts[word] = count
        return "".join(f"{word} {counts[word]}\n" for word in sorted(counts))


class _Emissions(dict[str, tuple[float, float, float, float]]):
    """How likely each state (B, M, E, S) shows a character; unseen ones get jieba's 'never'."""

    def __missing__(self, character: str) -> tuple[float, float, float, float]:
        return (_NEVER, _NEVER, _NEVER, _NEVER)


class PureSegmenter:
    """jieba's algorithm over its own files, linear in the length of the run. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self._words = WordList((folder / "dict.txt").read_bytes())
        self._emissions = _read_emissions((folder / "finalseg" / "prob_emit.py").read_bytes())
        model = folder / "finalseg"
        self._start = _read_numbers((model / "prob_start.py").read_text("utf-8"))
        self._moves = _read_moves((model / "prob_trans.py").read_text("utf-8"))

    def cut(self, run: str) -> list[str]:
        """The words of the run; see ``Segmenter.cut``."""
        words: list[str] = []
        ends = self._best_path(run)
        start, loose = 0, 0  # single characters since `loose` wait for the hidden Markov model
        while start < len(run):
            end = ends[start]
            if end - start > 1:
                self._cut_loose(run[loose:start], words)
                words.append(run[start:end])
                loose = end
            start = end
        self._cut_loose(run[loose:], words)
        return words

    def has_word(self, word: str) -> bool:
        """Whether the dictionary holds the word."""
        return self._words.weight(word) < PREFIX

    def _best_path(self, run: str) -> list[int]:
        """For each start, where the word ends that begins the most likely cut of the rest (ties: the longer)."""
        size = len(run)
        weigh, unknown = self._words.weight, self._words.unknown
        remembered = self._words.remembered
        scores = [0.0] * (size + 1)
        ends = list(range(1, size + 1))
        for start in range(size - 1, -1, -1):
            best, best_end = -inf, start + 1
            for end in range(start + 1, size + 1):
                fragment = run[start:end]
                weight = remembered.get(fragment)
                if weight is None:
                    weight = weigh(fragment)
                if weight < PREFIX:
                    score = weight + scores[end]
                    if score >= best:
                        best, best_end = score, end
                elif weight == ABSENT:
                    break
            scores[start] = unknown + scores[start + 1] if best == -inf else best
            ends[start] = best_end
        return ends

    def _cut_loose(self, loose: str, words: list[str]) -> None:
        if len(loose) < 2:
            if loose:
                words.append(loose)
        elif self.has_word(loose):
            words.extend(loose)  # a word, and still cut: its characters are likelier apart
        else:
            words.extend(self._cut_by_model(loose))

    def _cut_by_model(self, loose: str) -> Iterator[str]:
        """Viterbi over the states; ties go to the state whose letter is the greater, as in jieba."""
        emissions, moves = self._emissions, self._moves
        e_b, s_b, m_m, b_m = moves["EB"], moves["SB"], moves["MM"], moves["BM"]
        s_s, e_s, b_e, m_e = moves["SS"], moves["ES"], moves["BE"], moves["ME"]
        b, m, e, s = (self._start[state] + p for state, p in zip("BMES", emissions[loose[0]], strict=True))
        steps: list[str] = []  # for each later character the best previous state of B, M, E and S
        for character in loose[1:]:
            p_b, p_m, p_e, p_s = emissions[character]
            (to_b, from_b) = max((e + e_b + p_b, "E"), (s + s_b + p_b, "S"))
            (to_m, from_m) = max((m + m_m + p_m, "M"), (b + b_m + p_m, "B"))
            (to_e, from_e) = max((b + b_e + p_e, "B"), (m + m_e + p_e, "M"))
            (to_s, from_s) = max((s + s_s + p_s, "S"), (e + e_s + p_s, "E"))
            steps.append(from_b + from_m + from_e + from_s)
            b, m, e, s = to_b, to_m, to_e, to_s
        state = max((e, "E"), (s, "S"))[1]
        states = [state]
        for step in reversed(steps):
            state = step["BMES".index(state)]
            states.append(state)
        states.reverse()
        start = 0
        for place, state in enumerate(states, 1):
            if state in "ES":
                yield loose[start:place]
                start = place


class RustSegmenter:
    """``rjieba`` with a dictionary of its own, so that words the program adds to rjieba do not change ours."""

    def __init__(self) -> None:
        import rjieba

        self._jieba = rjieba.Jieba()

    def cut(self, run: str) -> list[str]:
        """The words of the run; see ``Segmenter.cut``."""
        words: list[str] = self._jieba.cut(run)
        return words

    def has_word(self, word: str) -> bool:
        """Whether the dictionary holds the word."""
        return bool(self._jieba.has_word(word))


def jieba_folder() -> Path:
    """Where the installed jieba keeps its data; ``ModuleNotFoundError`` when there is none."""
    spec = find_spec("jieba")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("jieba is not installed", name="jieba")
    return Path(spec.submodule_search_locations[0])


_lock = threading.Lock()
_segmenter: Segmenter | None = None


def segmenter() -> Segmenter:
    """The one segmenter of this process, loaded by the first call (others wait for it)."""
    global _segmenter  # noqa: PLW0603
    if _segmenter is None:
        with _lock:
            if _segmenter is None:
                _segmenter = PureSegmenter(jieba_folder()) if find_spec("rjieba") is None else RustSegmenter()
    return _segmenter


def cut(run: str) -> list[str]:
    """The words of a run of Han characters of any block; those jieba does not know stand alone."""
    known = _known()
    if known.fullmatch(run):
        return segmenter().cut(run)
    words: list[str] = []
    for piece in known.split(run):
        if known.fullmatch(piece):
            words.extend(segmenter().cut(piece))
        else:
            words.extend(piece)
    return words


def search_forms(word: str) -> list[str]:
    """A word and the dictionary words of two and three characters inside it (jieba's search mode)."""
    forms: list[str] = []
    has_word = segmenter().has_word
    for length in (2, 3):
        if len(word) > length:
            grams = (word[at : at + length] for at in range(len(word) - length + 1))
            forms.extend(gram for gram in grams if has_word(gram))
    forms.append(word)
    return forms


def _sum_of_counts(data: bytes) -> int:
    size, checksum, total = _JIEBA_0_42
    if len(data) == size and crc32(data) == checksum:
        return total
    return sum(int(match[1]) for match in re.finditer(rb"^[^ \n]++ (\d++)", data, re.M))


@cache
def _known() -> re.Pattern[str]:
    return re.compile(f"([{_KNOWN}]+)")


def _read_emissions(source: bytes) -> _Emissions:
    """The four tables of ``prob_emit.py``, without compiling that 1.3 MB module."""
    states: dict[bytes, dict[bytes, bytes]] = {}
    for section in re.finditer(rb"'([BMES])': *\{([^}]*)\}", source):
        states[section[1]] = dict(re.findall(rb"'\\u([0-9a-f]{4})': (-[\d.e+]+)", section[2]))
    tables = [states[state] for state in (b"B", b"M", b"E", b"S")]
    emissions = _Emissions()
    for code in set().union(*tables):
        b, m, e, s = (float(table.get(code, _NEVER)) for table in tables)
        emissions[chr(int(code, 16))] = (b, m, e, s)
    return emissions


def _read_numbers(source: str) -> dict[str, float]:
    return {state: float(number) for state, number in re.findall(r"'([BMES])': *(-[\d.e+]+)", source)}


def _read_moves(source: str) -> dict[str, float]:
    """``{"BE": log P(E after B), …}`` from ``prob_trans.py``."""
    sections = re.findall(r"'([BMES])': *\{([^}]*)\}", source)
    return {before + after: p for before, row in sections for after, p in _read_numbers(row).items()}
