"""Where in a clause a value may begin and end, and what the clause classifier sees of such a place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final
from zlib import crc32

from smartbrain.extraction.learned.features import Said
from smartbrain.text import stopwords

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLACE_BUCKETS: Final = 1 << 16
"""How many features of a place are told apart, as many as 16 bits hold; what collides shares a weight."""
_MOST_PLACES = 40


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


def place_features(words: Sequence[str], kin: Sequence[str], label: str) -> NDArray[np.uint16]:
    """The buckets of the features of the places of a clause: as beginnings and as ends, by feature, by place.

    A feature is what stands around a place: first alone, then with the group of the class, then with the class.
    """
    import numpy as np

    said = ["^", "^", *(_word(word, family) for word, family in zip(words, kin, strict=True)), "$", "$"]
    names = [word.encode("utf-8", "replace") for word in said]
    families = [family.encode("utf-8", "replace") for family in kin]
    around = [_around(names, families, side) for side in (_BEGINNING, _ENDING)]
    plain = np.array(around, dtype=np.uint32).transpose(0, 2, 1).copy()
    split = plain.view(np.uint8).reshape(*plain.shape, 4) + _offsets()
    with_class = [
        np.bitwise_xor.reduce(_behind(f" {name}").take(split), axis=-1) for name in (label.partition(".")[0], label)
    ]
    return np.concatenate((plain.astype(np.uint16), *with_class), axis=1)


_BEGINNING: Final = crc32(b"b")
_ENDING: Final = crc32(b"e")


def _around(names: Sequence[bytes], families: Sequence[bytes], side: int) -> list[tuple[int, ...]]:
    """The checksums of what stands around each place: its word, those beside it (l, r), two in a row, its family, and
    how far from both ends it is."""
    crc, last = crc32, len(families)
    left_at, right_at, both_left, both_right = crc(b"l ", side), crc(b"r ", side), crc(b"lw ", side), crc(b"wr ", side)
    far_left, far_right, kin_at, kin_left = crc(b"ll ", side), crc(b"rr ", side), crc(b"f ", side), crc(b"lf ", side)
    found: list[tuple[int, ...]] = []
    for at, family in enumerate(families):
        left2, left, word, right, right2 = names[at : at + 5]
        found.append(
            (
                crc(b" " + word, side),
                crc(left, left_at),
                crc(right, right_at),
                crc(b" " + word, crc(left, both_left)),
                crc(b" " + right, crc(word, both_right)),
                crc(b" " + left, crc(left2, far_left)),
                crc(b" " + right2, crc(right, far_right)),
                crc(family, kin_at),
                crc(b" " + family, crc(left, kin_left)),
                crc(b"p %d" % min(at, 6), side),
                crc(b"q %d" % min(last - at, 6), side),
            )
        )
    return found


@cache
def _offsets() -> NDArray[np.int64]:
    import numpy as np

    return np.arange(4) * 256


@cache
def _behind(words: str) -> NDArray[np.uint16]:
    """What each value of each byte of a checksum gives for the bucket once some words follow, all in one row.

    CRC is linear: what the bytes give goes together by exclusive or, and with what the words alone give.
    """
    import numpy as np

    coded = words.encode("utf-8", "replace")
    alone = crc32(coded)
    rows = [[crc32(coded, value << 8 * byte) ^ alone for value in range(256)] for byte in range(4)]
    rows[0] = [one ^ alone for one in rows[0]]
    return np.array(rows, dtype=np.uint32).astype(np.uint16).ravel()


def _word(word: str, family: str) -> str:
    """A word around a place: words of grammar and Han as they are, others by their family: names do not count."""
    word = word.strip(".,;:!?'\"") or word
    return word if word[0] >= "\u3400" or len(word) < 4 or word in stopwords.ENGLISH else family


def families_at(said: Said, places: Sequence[tuple[int, int]]) -> list[str]:
    """The family of the word that stands at each place."""
    found, at = [], 0
    for start, _ in places:
        while at < len(said) - 1 and said.ends[at] <= start:
            at += 1
        found.append(said.kin[at] if said.kin else "?")
    return found
