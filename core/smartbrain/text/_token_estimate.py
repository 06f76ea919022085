"""What a text costs in hundredths of a token: known pieces by the table, the rest by the weights of its cut."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from smartbrain.text._token_table import BASES, TokenTable, load_table
from smartbrain.text._token_weights import SCRIPTS, WEIGHTS, Weights

__all__ = ["BASES", "Estimator", "estimator"]

_TOKEN = 100
_LONGEST = 16  # no piece in the table is longer, rulers and whitespace apart, of which more are counted in parts
_LONGEST_NON_ASCII = 10
_SAMPLED, _SAMPLES, _SAMPLE = 4096, 128, 128  # characters, parts, characters
_MANY, _JUDGED, _STRETCH = 100_000, 16_000, 50  # pieces; the stretches keep what alternates together
_MEMO_LIMIT = 100_000
_MEMO_PIECE = 32
_LINES, _SHORT = 4_096, 1_000  # lines that are remembered, and their most characters
_LONG_PIECE, _LONG_LIMIT = 512, 256  # longer pieces are kept while they are fresh: lines are counted, then their text

_RUN = re.compile(r"([^A-Za-z0-9])\1{3,}", re.DOTALL)
_LETTER_RUN = re.compile(r"([A-Za-z])\1{7,}")
_WORD = re.compile("([^A-Za-z]?)([A-Za-z]+)")
_LINE = re.compile(r"\n(?=[^\S\n]*+[^\s/]|[^\S\n]++/)")  # a break before a line that says something
_ONE_DIGIT = bytes.maketrans(b"123456789", b"000000000")
_UTF8 = ("utf-8", "surrogatepass")
_CJK = re.compile("[぀-ヿ㐀-鿿]")
_ASTRAL_COST = 4 * _TOKEN  # its bytes: no character takes more


class Estimator:
    """The estimate of one encoding. Safe to share: the memo only remembers what `_piece` would say again."""

    def __init__(self, table: TokenTable, weights: Weights) -> None:
        self._split = table.split
        self._known = table.known
        self._weights = weights
        self._costs = _weighted(table.costs, weights.scripts)
        self._alone = _weighted(table.costs, {})  # what follows no letter of its block joins none
        self._starts = {piece[:2] for piece in table.known if not piece.isascii()}
        self._longest = _longest(table.known)
        self._rulers = _rulers(table.known)
        self._memo = dict.fromkeys(table.known, _TOKEN)
        # The newest turns stand in one prompt after the other, and a snippet is counted alone and in its prompt.
        self._cost_of_short = lru_cache(maxsize=_LINES)(self._cost_of_bytes)
        self._long: dict[str, int] = {}

    def cost(self, text: str) -> int:
        """Hundredths of a token."""
        if "\n" not in text:
            return self._line(text)
        if len(text) > _MANY or "\r" in text:
            return self._cost(text)
        return sum(map(self._line, _parts(text)))

    def _line(self, text: str) -> int:
        # Up to three digits are one token, whichever they are: lines that differ in a date, a number or a score cost
        # the same, and are told apart by nothing else in every prompt.
        # As bytes, of which none within a character is a digit's: changing a text takes several times as long.
        return (
            self._cost_of_short(text.encode(*_UTF8).translate(_ONE_DIGIT)) if len(text) <= _SHORT else self._cost(text)
        )

    def _cost_of_bytes(self, line: bytes) -> int:
        return self._cost(line.decode(*_UTF8))

    def _cost(self, text: str) -> int:
        pieces = self._split.findall(text)
        return self._sum(pieces) if len(pieces) <= _MANY else self._sum_of_many(pieces)

    def _sum(self, pieces: list[str]) -> int:
        memo, total = self._memo, 0
        for piece in pieces:
            cost = memo.get(piece)
            total += self._remembered(piece) if cost is None else cost
        return total

    def _sum_of_many(self, pieces: list[str]) -> int:
        """The same for a text of megabytes: of its unknown pieces, stretches spread evenly stand for all."""
        known = self._known
        unknown = [piece for piece in pieces if piece not in known]
        step = _STRETCH * max(1, len(unknown) // _JUDGED)
        judged = [piece for at in range(0, len(unknown), step) for piece in unknown[at : at + _STRETCH]]
        cost, size = self._sum(judged), sum(map(len, judged))
        scaled = -(-cost * sum(map(len, unknown)) // size) if size else 0
        return (len(pieces) - len(unknown)) * _TOKEN + scaled

    def reach(self, text: str, limit: int) -> int:
        """The end of the longest prefix that costs at most ``limit``; near it, if the last piece is cut."""
        memo, total, end = self._memo, 0, 0
        for piece in self._split.findall(text):
            cost = memo.get(piece)
            cost = self._remembered(piece) if cost is None else cost
            if total + cost > limit:
                cuts = range(1, len(piece))
                return end + bisect_left(cuts, True, key=lambda cut: total + self._piece(piece[:cut]) > limit)
            total += cost
            end += len(piece)
        return end

    def _remembered(self, piece: str) -> int:
        if len(piece) > _MEMO_PIECE:
            return self._remembered_long(piece)
        if len(self._memo) > _MEMO_LIMIT:
            self._memo = dict.fromkeys(self._known, _TOKEN)
        cost = self._memo[piece] = self._piece(piece)
        return cost

    def _remembered_long(self, piece: str) -> int:
        if len(piece) > _LONG_PIECE:
            return self._piece(piece)
        cost = self._long.get(piece)
        if cost is None:
            if len(self._long) >= _LONG_LIMIT:
                self._long = {}
            cost = self._long[piece] = self._piece(piece)
        return cost

    def _piece(self, piece: str) -> int:
        if piece in self._known:
            return _TOKEN
        if len(piece) > _SAMPLED:
            return self._sampled(piece)
        if not piece.isascii():
            return self._mixed(piece)
        if piece[0].isdigit():
            return _TOKEN
        found = _WORD.match(piece)
        if found:
            ending = piece[found.end() :]  # o200k keeps 's, 'll and so on with the word
            return self._word(found[1], found[2]) + (_TOKEN if ending else 0)
        pieces, runs, ruled = self._cut(piece)
        if piece.isspace():
            return pieces * self._weights.spaces + runs
        return pieces * (_TOKEN if ruled else self._weights.signs) + runs

    def _sampled(self, piece: str) -> int:
        """The cost of a piece no text of a person contains, from parts spread evenly over it, in bounded time."""
        step = -(-len(piece) // _SAMPLES)
        parts = [piece[at : at + _SAMPLE] for at in range(0, len(piece), max(step, _SAMPLE))]
        cost, size = sum(map(self._piece, parts)), sum(map(len, parts))
        return -(-cost * len(piece) // size)

    def _word(self, sign: str, word: str) -> int:
        weights, known = self._weights, self._known
        pieces, runs, _ = self._cut(sign + word)
        low, glued = word.lower(), sign not in ("", " ")
        if word.isupper() and len(word) > 3:  # capitals are rare in the table, the words behind them are not
            pieces = min(pieces, self._cut(sign + low)[0] + 1)
        elif pieces == 1:
            return _TOKEN
        elif not known.isdisjoint(_spellings(word)):
            return weights.joined if glued else weights.variant[pieces > 2]
        letters = len(word) / pieces
        level = (letters >= 2) + (letters >= 2.5) + (letters >= 3) + (letters >= 4)
        if low[1:] != word[1:] and not word.isupper():
            return pieces * weights.camel[level] + runs
        return pieces * (weights.short if pieces < 4 else weights.long)[level] + runs

    def _space(self, char: str) -> int:
        """The space before a word: it joins a script that merges, and parts what it joins in Chinese."""
        if _CJK.match(char):
            return self._weights.spaced_cjk
        merges = self._costs.get(char) != self._alone.get(char) or "가" <= char <= "힣"
        return self._weights.spaced if merges else _TOKEN

    def _cut(self, piece: str) -> tuple[int, int, bool]:
        """An ASCII piece as (known pieces of the greedy cut, cost of long rulers, whether there is any ruler)."""
        known, longest, size = self._known, self._longest, len(piece)
        pieces = runs = at = 0
        ruled = False
        plain = not (_RUN.search(piece) or _LETTER_RUN.search(piece))  # most words: the greedy cut alone
        while at < size:
            run = None if plain else _RUN.match(piece, at)
            if run and run[1] in self._rulers:
                ruled = True
                count = self._ruler(run[1], run.end() - at)
                pieces += 1
                runs += (count - 1) * self._weights.run  # no encoding finds the best cut of a long ruler
                at = run.end()
                continue
            letters = None if plain else _LETTER_RUN.match(piece, at)
            if letters:  # two by two: some letters merge no further
                pieces += (letters.end() - at + 1) // 2
                at = letters.end()
                continue
            end = min(size, at + longest.get(piece[at : at + 2], 1))
            while end > at + 1 and piece[at:end] not in known:
                end -= 1
            pieces += 1
            at = end
        return pieces, runs, ruled

    def _ruler(self, char: str, length: int) -> int:
        count = 0
        for size in self._rulers[char]:
            whole, length = divmod(length, size)
            count += whole
        return count

    def _mixed(self, piece: str) -> int:
        """The cost of a piece with characters beyond ASCII: known pieces first, then each character alone."""
        known, starts, alone, size = self._known, self._starts, self._alone, len(piece)
        costs = alone if piece.isupper() else self._costs  # capitals are rarely merged
        total = at = block = 0
        while at < size:
            char = piece[at]
            end = at + 1
            if piece[at : at + 2] in starts or char < "\x80":
                run = _RUN.match(piece, at)
                if run and char in self._rulers:
                    total += self._ruler(char, run.end() - at) * self._weights.run
                    at = run.end()
                    continue
                end = min(size, at + _LONGEST_NON_ASCII)
                while end > at + 1 and piece[at:end] not in known:
                    end -= 1
            if end == 1 and char == " ":
                total += self._space(piece[1])
            elif end > at + 1 or char < "\x80":
                total += _TOKEN
            else:
                before, block = block, ord(char) >> 7
                merged = block == before and char != piece[at - 1]
                total += (costs if merged else alone).get(char, _ASTRAL_COST)
            at = end
        return total


def _parts(text: str) -> Iterator[str]:
    """A text without carriage returns in parts of lines that begin where a piece does in either encoding.

    A piece goes on behind a line break with what more breaks follow, with blanks that lead to another break, and with
    a slash.
    """
    begin = 0
    for end in (match.end() for match in _LINE.finditer(text)):
        yield text[begin:end]
        begin = end
    yield text[begin:]


def _spellings(word: str) -> tuple[str, ...]:
    """The word with and without a space before it and, if it has no inner capitals, in its other case."""
    low, title = word.lower(), word.capitalize()
    if word not in (low, title):
        return word, " " + word
    return word, " " + word, low, " " + low, title


def _weighted(costs: Mapping[str, int], scripts: Mapping[str, int]) -> dict[str, int]:
    bounds = [(chr(start), scripts.get(name, _TOKEN)) for start, name in SCRIPTS]
    weighted = {}
    following = 0
    weight = _TOKEN
    for char, cost in costs.items():  # in the order of the characters
        while following < len(bounds) and bounds[following][0] <= char:
            weight = bounds[following][1]
            following += 1
        weighted[char] = cost * weight
    return weighted


def _longest(known: frozenset[str]) -> dict[str, int]:
    """The length of the longest ASCII piece that begins with two characters: longer ones need not be tried."""
    longest: dict[str, int] = {}
    for piece in known:
        begin = piece[:2]
        if piece.isascii() and longest.get(begin, 1) < len(piece):
            longest[begin] = min(len(piece), _LONGEST)
    return longest


def _rulers(known: frozenset[str]) -> dict[str, tuple[int, ...]]:
    """The lengths at which a repeated sign is one token, longest first."""
    lengths: dict[str, set[int]] = defaultdict(lambda: {1})
    for piece in known:
        if not piece[0].isalnum() and piece == piece[0] * len(piece):
            lengths[piece[0]].add(len(piece))
    return {char: tuple(sorted(sizes, reverse=True)) for char, sizes in lengths.items()}


@cache
def estimator(base: str) -> Estimator:
    """The shared estimator of ``"o200k"`` or ``"cl100k"``."""
    return Estimator(load_table(base), WEIGHTS[base])
