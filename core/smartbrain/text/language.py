"""Which language a text is in, by its scripts and, for Latin letters, its function words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from smartbrain.text.folding import lower, tidy
from smartbrain.text.scanner import HAN, HANGUL, KANA

Language = Literal["zh", "en", "ja", "ko", "other", ""]

#: Characters read of a long text.
_SAMPLE: Final = 4_000
# Of Han and kana together: Chinese that quotes one の is not Japanese.
_KANA_SHARE: Final = 0.1

_ENGLISH: Final = frozenset(
    """
    the and of to in is that it was for you with have this not are but what my we he she they i do does did can
    how when where why who will would there from your me about at be if so an
    """.split()  # noqa: SIM905
)
# Function words of other languages in Latin script that English does not have.
_FOREIGN: Final = frozenset(
    """
    el los las una que por para con del es está pero como muy le les des une est et pas je vous nous dans pour qui
    sur avec der die das und ist nicht ein eine ich mit auf für zu den von sie il che di della sono per non gli het
    een niet van ik je o os uma não com em och är att det som på jeg ikke nie jest się bir ve için
    """.split()  # noqa: SIM905
)


def detect(text: str) -> Language:
    """The language of most of the text: "zh", "en", "ja", "ko", "other"; "" when there are no letters.

    A Han character weighs as much as a word of letters. Han without kana is "zh"; Latin letters are "en" unless
    another language's function words or accented letters prevail.
    """
    read = text[:_SAMPLE]
    return "zh" if _plainly_han(read) else _language(_letters_in(read))


def detect_all(texts: Iterable[str]) -> Language:
    """The language of several texts together: ``detect(" ".join(texts))``, where each may have been read before."""
    found, left = _Count(), _SAMPLE
    for text in texts:
        found = _Count(*map(sum, zip(found, _letters_in(text[: max(left, 0)]), strict=True)))
        left -= len(text) + 1
    return _language(found)


def _plainly_han(text: str) -> bool:
    """Whether a text holds common Han characters and otherwise only digits, blanks and usual marks: most of what is
    said in Chinese, and known without counting."""
    return not text.isascii() and _plain_han().fullmatch(text) is not None


@cache
def _plain_han() -> re.Pattern[str]:
    marks = "0-9 \\n\\t。，、；：？！“”‘’（）《》「」…—·,.?!:;'\"()-"
    return re.compile(f"[{marks}]*+[\u4e00-\u9fa5][\u4e00-\u9fa5{marks}]*+")


class _Count(NamedTuple):
    """Letters of scripts without spaces, and words of the others; of those in Latin letters, which tell a language."""

    han: int = 0
    kana: int = 0
    hangul: int = 0
    latin: int = 0
    english: int = 0
    foreign: int = 0
    other: int = 0


@lru_cache(maxsize=512)  # a commit asks of the same message several times, and a summary of those before it
def _letters_in(text: str) -> _Count:
    if _plainly_han(text):
        return _Count(han=sum(map(len, _letters().han.findall(text))))
    lowered = lower(tidy(text))
    if lowered.isascii():
        return _Count(**_words(re.findall("[a-z]+", lowered)))
    patterns = _letters()
    words = patterns.word.findall(lowered)
    latin = [word for word in words if _is_latin(word)]
    han, kana, hangul = (sum(map(len, runs.findall(lowered))) for runs in patterns[:3])
    return _Count(han, kana, hangul, **_words(latin), other=len(words) - len(latin))


def _language(found: _Count) -> Language:
    east: Language = "ja" if found.kana and found.kana >= _KANA_SHARE * (found.han + found.kana) else "zh"
    shares: list[tuple[int, Language]] = [
        (found.han + found.kana, east),
        (found.hangul, "ko"),
        (found.latin, "other" if found.foreign > found.english else "en"),
        (found.other, "other"),
    ]
    size, language = max(shares, key=lambda share: share[0])
    return language if size else ""


def _is_latin(word: str) -> bool:
    return word.isascii() or "\u00c0" <= max(word) <= "\u024f"


def _words(latin: list[str]) -> dict[str, int]:
    english = sum(map(_ENGLISH.__contains__, latin))
    accented = sum(not word.isascii() and word not in _FOREIGN for word in latin) if not "".join(latin).isascii() else 0
    foreign = sum(map(_FOREIGN.__contains__, latin)) + accented
    return {"latin": len(latin), "english": english, "foreign": foreign}


class _Letters(NamedTuple):
    """Runs of letters: in scripts without spaces, and words in the others."""

    han: re.Pattern[str]
    kana: re.Pattern[str]
    hangul: re.Pattern[str]
    word: re.Pattern[str]


@cache
def _letters() -> _Letters:
    runs = (f"[{HAN}]++", f"[{KANA}]++", f"[{HANGUL}]++", rf"[^\W\d_{HAN}{KANA}{HANGUL}]++")
    return _Letters(*map(re.compile, runs))
