"""Tokens of any script: where a piece of text begins and ends, before it becomes terms.

One regular expression reads the tidied text from left to right, in time linear in its length whatever it holds:
runs of one character class are possessive, and what may follow a run is optional, so nothing is tried twice.
(Possessive *groups* would say it more plainly, but CPython's swallow a character too many or too few.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cache

HAN = "〇々\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
KANA = "\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001b000-\U0001b16f"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
# Thai, Lao, Myanmar and Khmer: scripts that write no space between words.
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0eff\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17d7\u17dc-\u17e9"
)
# Marks inside words that \w leaves out: accents, Hebrew and Arabic points, Indic and Tibetan vowels.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0903\u093a-\u094f"
    "\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7\u09e2\u09e3\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71"
    "\u0a81-\u0a83\u0abc-\u0acd\u0ae2\u0ae3\u0b01-\u0b03\u0b3c-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bcd\u0bd7"
    "\u0c00-\u0c04\u0c3c-\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc-\u0cd6\u0ce2\u0ce3\u0d00-\u0d03\u0d3b-\u0d4d\u0d57"
    "\u0d62\u0d63\u0d81-\u0d83\u0dca-\u0ddf\u0df2\u0df3\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84"
    "\u0f86\u0f87\u0f8d-\u0fbc\u135d-\u135f\u1712-\u1714\u18a9\u1ab0-\u1aff\u1dc0-\u1dff"
)
_SYMBOLS = (
    "\u00a9\u00ae\u203c\u2049\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\u3030\u303d"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
)
_LETTER = rf"[^\W{HAN}{KANA}{HANGUL}{UNSPACED}]"
_WORD = rf"{_LETTER}++(?:[{_MARKS}]++{_LETTER}*+)*+"
_LINK = r"(?:::|:\\|->|[.\-/\\:@'&+])"


class Kind(IntEnum):
    """What a token is; the number is that of its group in the expression."""

    PHONE = 1  # a telephone number written with spaces
    URL = 2
    NUMBER = 3  # with thousands separators
    CHUNK = 4  # a word, or words linked by . - / \ : @ ' & + (identifiers, paths, addresses)
    HAN = 5
    KANA = 6
    HANGUL = 7
    UNSPACED = 8
    SYMBOL = 9  # an emoji or pictograph


@cache
def _expression() -> re.Pattern[str]:
    kinds = {
        Kind.PHONE: r"(?<!\w)(?:\+[0-9]{1,3}(?:[ -]?\(?[0-9]{2,5}\)?){2,5}|\([0-9]{3}\) ?[0-9]{3}-[0-9]{4}"
        r"|1[3-9][0-9] [0-9]{4} [0-9]{4}|[0-9]{3} [0-9]{3} [0-9]{4})(?![0-9])",
        Kind.URL: r"[A-Za-z][A-Za-z0-9+.]{1,15}+://[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]++",
        Kind.NUMBER: r"(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]++)?(?![\w,])",
        Kind.CHUNK: rf"(?:[#@]|(?<![\w.])\.(?=[A-Za-z]))?{_WORD}(?:{_LINK}{_WORD})*(?:\+\+|\#(?![A-Za-z0-9_]))?",
        Kind.HAN: rf"[{HAN}]++",
        Kind.KANA: rf"[{KANA}]++",
        Kind.HANGUL: rf"[{HANGUL}]++",
        Kind.UNSPACED: rf"[{UNSPACED}]++",
        Kind.SYMBOL: rf"[\U0001f1e6-\U0001f1ff]{{2}}|[{_SYMBOLS}]",
    }
    return re.compile("|".join(f"({kinds[kind]})" for kind in Kind))


def scan(tidied: str) -> Iterator[re.Match[str]]:
    """The tokens of a tidied text in order; ``match.lastindex`` is the ``Kind``."""
    return _expression().finditer(tidied)
