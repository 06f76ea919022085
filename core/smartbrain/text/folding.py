"""One spelling for what means the same: width, case, traditional Han, quotes and dashes.

``tidy`` keeps the case (identifiers need it to be taken apart), ``fold`` does not. Both take any ``str``, lone
surrogates and NUL included, and never raise.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# Invisible characters that change nothing a reader sees: controls except white space, soft hyphen, zero-width
# and bidi marks, variation selectors, tags, and lone surrogates, which no store can encode.
_INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff"
)
_ALIKE = {"‘": "'", "’": "'", "ʼ": "'", "‐": "-", "‒": "-", "–": "-", "−": "-", "妳": "你", "\u0345": "ι"}
# Letters whose lower case begins with ASCII: where ASCII decides what a token is, they must be spelled out before.
_SPELLED_OUT = str.maketrans({"ß": "ss", "ẞ": "SS", "İ": "i\u0307"})
_SPELLED = frozenset("ßẞİ")


@cache
def _invisible() -> re.Pattern[str]:
    return re.compile(f"[{_INVISIBLE}]+")


@cache
def _table() -> dict[int, str]:
    """Traditional to simplified, one character each (OpenCC's TSCharacters), and the look-alikes above."""
    from importlib import resources

    data = resources.files("smartbrain.text").joinpath("data/simplified.txt").read_text("utf-8")
    traditional, simplified = data.splitlines()
    return str.maketrans(dict(zip(traditional, simplified, strict=True)) | _ALIKE)


@cache
def _replaced() -> frozenset[str]:
    return frozenset(map(chr, _table()))


def _simplified(text: str) -> str:
    """The text by ``_table``; most texts hold nothing of it, which is found out several times as fast."""
    return text if _replaced().isdisjoint(text) else text.translate(_table())


def tidy(text: str) -> str:
    """The text in NFKC and simplified Han, without invisible characters, ß as ss, case kept."""
    if text.isascii():
        return text if text.isprintable() else _invisible().sub("", text)
    composed = unicodedata.normalize("NFKC", _invisible().sub("", text))
    if not _SPELLED.isdisjoint(composed):
        composed = unicodedata.normalize("NFKC", composed.translate(_SPELLED_OUT))
    return _simplified(composed)


def lower(tidied: str) -> str:
    """Casefold a tidied text; the result stays in NFKC."""
    if tidied.isascii():
        return tidied.lower()
    return _simplified(unicodedata.normalize("NFKC", tidied.casefold()))


def fold_in_place(text: str) -> str:
    """Simplified Han and lower case, character for character: offsets into the text stay true.

    Weaker than ``fold``: what NFKC would change in length is left as it is.
    """
    if text.isascii():
        return text.lower()
    lowered = _simplified(text).lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := ch.lower()) == 1 else ch for ch in _simplified(text))


def fold(text: str) -> str:
    """The text as comparisons see it: tidied and casefolded. Folding twice changes nothing.

    >>> fold("Ｈｅｌｌｏ 記憶")
    'hello 记忆'
    """
    return lower(tidy(text))
