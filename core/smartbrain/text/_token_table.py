"""The shipped table behind the token estimate: how a text is split, and what its pieces cost.

``data/tokens.bin`` is written by ``scripts/build_token_table.py`` from the vocabularies of ``o200k_base`` and
``cl100k_base``. It is read once, at the first count.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from unicodedata import category

BASES = ("o200k", "cl100k")
COST_RANGES = ((0x80, 0x10000), (0x1F000, 0x1FC00))

_ENDINGS = "'(?i:s|t|re|ve|m|ll|d)"
# Beyond the BMP `re` tests ranges one by one, so these few stand for all: old scripts, mathematical letters, Han.
_ASTRAL_LETTERS = "\U00010000-\U0001cfff\U0001d400-\U0001d7cb\U0001e000-\U0001efff\U00020000-\U0003ffff"


def _char_class(categories: str) -> str:
    """The BMP characters of these Unicode categories as ranges for a `re` class (`re` knows no ``\\p{L}``)."""
    wanted = set(categories.split())
    ranges: list[list[int]] = []
    for code in range(0x10000):
        if category(chr(code)) in wanted:
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(rf"\u{first:04x}-\u{last:04x}" for first, last in ranges)


def _pattern(base: str) -> re.Pattern[str]:
    """The splitting pattern of the encoding (tiktoken, ``openai_public.py``) in the syntax of `re`.

    No alternative reads further than the run it starts in, so splitting takes linear time.
    """
    digit = _char_class("Nd Nl No")
    letter = _char_class("Lu Ll Lt Lm Lo") + _ASTRAL_LETTERS
    if base == "cl100k":
        words = rf"{_ENDINGS}|[^\r\n{digit}{letter}]?[{letter}]+"
        slash = ""
    else:
        caseless = _char_class("Lm Lo Mn Mc Me") + _ASTRAL_LETTERS
        upper, lower = _char_class("Lu Lt") + caseless, _char_class("Ll") + caseless
        words = rf"[^\r\n{digit}{letter}]?(?:[{upper}]*[{lower}]+|[{upper}]+)(?:{_ENDINGS})?"
        slash = "/"
    rest = rf"[{digit}]{{1,3}}| ?[^\s{digit}{letter}]+[\r\n{slash}]*|\s*[\r\n]+|\s+(?!\S)|\s+|."
    return re.compile(f"{words}|{rest}", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class TokenTable:
    """One encoding: ``split`` cuts a text, ``known`` are pieces of one token, ``costs`` is tokens per character."""

    split: re.Pattern[str]
    known: frozenset[str]
    costs: Mapping[str, int]


def _unfront(shared: bytes, rests: bytes) -> list[str]:
    words: list[str] = []
    word = ""
    for same, rest in zip(shared, rests.decode().split("\0"), strict=True):
        word = word[:same] + rest
        words.append(word)
    return words


def _sections() -> list[bytes]:
    body = zlib.decompress(resources.files(__package__).joinpath("data", "tokens.bin").read_bytes())
    parts, at = [], 0
    while at < len(body):
        (size,) = struct.unpack_from(">I", body, at)
        parts.append(body[at + 4 : at + 4 + size])
        at += 4 + size
    return parts


def _families(parts: list[bytes]) -> list[str]:
    shared, rests, low, high, table, other = parts
    variants = [[(v[0].strip("\x7f"), v[1]) for v in re.findall("..", row)] for row in table.decode().split("\0")]
    pieces = other.decode().split("\0")
    for word, a, b in zip(_unfront(shared, rests), low, high, strict=True):
        forms = {"l": word, "T": word.capitalize(), "U": word.upper()}
        pieces += [prefix + forms[case] for prefix, case in variants[a | b << 8]]
    return pieces


@cache
def load_table(base: str) -> TokenTable:
    """The table of ``"o200k"`` or ``"cl100k"``; about 0.1 s the first time."""
    parts = _sections()
    at = 6 + 3 * BASES.index(base)
    shared, rests, costs = parts[at : at + 3]
    codes = (code for start, end in COST_RANGES for code in range(start, end))
    ones = {chr(code): cost for code, cost in zip(codes, costs, strict=True)}
    known = frozenset(_families(parts[:6])).union(_unfront(shared, rests))
    return TokenTable(_pattern(base), known, ones)
