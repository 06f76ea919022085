"""Terms of words and identifiers: a word by its stem, an identifier whole and in its parts."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable
from functools import cache, lru_cache

from smartbrain.text.folding import lower
from smartbrain.text.stopwords import ENGLISH

#: No term is longer (characters).
TERM_LIMIT = 64
_HASH_DIGITS = 16
# Words whose stem changed between versions of Snowball's English stemmer.
_PROBE = {"added": "add", "geologists": "geolog", "interval": "interval", "skis": "ski", "evenings": "evening"}


def stem(word: str) -> str:
    """The Snowball English stem of a lower-case ASCII word."""
    return _stemmer()(word)


@cache
def _stemmer() -> Callable[[str], str]:
    """PyStemmer (C) when installed and in step with ``snowballstemmer``, else the latter; neither is thread-safe."""
    lock = threading.Lock()
    stem_word = _c_stemmer()
    if stem_word is None:
        from snowballstemmer.english_stemmer import EnglishStemmer

        stem_word = EnglishStemmer().stemWord
    plain = stem_word

    def locked(word: str) -> str:
        with lock:
            return plain(word)

    return locked


def _c_stemmer() -> Callable[[str], str] | None:
    try:
        from Stemmer import Stemmer
    except ImportError:
        return None
    stem_word: Callable[[str], str] = Stemmer("english", 0).stemWord
    return stem_word if all(stem_word(word) == expected for word, expected in _PROBE.items()) else None


def bounded(term: str) -> str:
    """The term, or for more than 64 characters its beginning and a hash of the whole: equal stays equal."""
    if len(term) <= TERM_LIMIT:
        return term
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=_HASH_DIGITS // 2).hexdigest()
    return f"{term[: TERM_LIMIT - _HASH_DIGITS - 1]}~{digest}"


def chunk_terms(chunk: str, keep_stop_words: bool = False) -> tuple[str, ...]:
    """The distinct terms of a word or identifier (tidied, case kept), the whole form first."""
    if len(chunk) > TERM_LIMIT:
        return _chunk_terms(chunk, keep_stop_words)
    return _remembered_chunk_terms(chunk, keep_stop_words)


def url_terms(url: str, *, keep_stop_words: bool = False) -> tuple[str, ...]:
    """The address without its scheme, "www." and closing punctuation, its host, and its words."""
    rest = url.partition("://")[2].removeprefix("www.").rstrip(".,;:!?'*_~=&/")
    if "(" not in rest:
        rest = rest.rstrip(")].,;:!?'*_~=&/")
    host = re.split("[/?#]", rest, maxsplit=1)[0]
    terms = dict.fromkeys((bounded(lower(rest)), bounded(lower(host))))
    for piece in re.split(r"[/?#&=,;()\[\]!$*%]+", rest):
        if piece:
            terms.update(dict.fromkeys(chunk_terms(piece, keep_stop_words)))
    terms.pop("", None)
    return tuple(terms)


def phone_terms(phone: str) -> tuple[str, ...]:
    """All digits in one, the same without the country code, and the groups."""
    groups = re.findall("[0-9]+", phone)
    joined = ["".join(groups)]
    if phone.startswith("+"):
        joined.append("".join(groups[1:]))
    return tuple(dict.fromkeys(bounded(number) for number in [*joined, *groups] if len(number) > 1))


@lru_cache(maxsize=32_768)
def _remembered_chunk_terms(chunk: str, keep_stop_words: bool) -> tuple[str, ...]:
    return _chunk_terms(chunk, keep_stop_words)


def _chunk_terms(chunk: str, keep_stop_words: bool) -> tuple[str, ...]:
    if _words_with_apostrophes().fullmatch(chunk):
        terms = _word(lower(chunk), keep_stop_words)
        for piece in _humps(chunk):
            terms += _word(lower(piece), keep_stop_words)
        return tuple(dict.fromkeys(terms))
    whole = lower(chunk)
    parts = [part for part in _parts(chunk) if len(part) > 1]
    if whole in ENGLISH and not keep_stop_words:
        return ()
    terms = [bounded(whole), *_other_spellings(whole)]
    if len(whole) == 2 and whole[0] in "#@":
        parts.append(whole[1])
    for part in parts:
        terms += _word(lower(part), keep_stop_words)
    return tuple(dict.fromkeys(terms))


def _word(word: str, keep_stop_words: bool) -> list[str]:
    """The term of one folded word in a list; empty for a stop word."""
    bare = _without_clitic(word)
    if not keep_stop_words and bare in ENGLISH:
        return []
    return [stem(bare) if len(bare) <= TERM_LIMIT and bare.isascii() and bare.isalpha() else bounded(bare)]


def _without_clitic(word: str) -> str:
    """The word without 's, 'll, 're …; "don't" becomes "not"."""
    head, apostrophe, tail = word.rpartition("'")
    if not apostrophe or not head:
        return word
    if tail == "t" and head.endswith("n"):
        return "not"
    return head if tail in {"s", "d", "m", "ll", "re", "ve"} else word


def _humps(word: str) -> list[str]:
    """The words inside camelCase and HTTPServer; none for a plain word and for plurals such as "PRs"."""
    if len(word) > TERM_LIMIT or not (word.isascii() and word.isalpha()) or word[1:].islower() or word.isupper():
        return []
    pieces = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+", word)
    if len(pieces) < 2 or re.fullmatch(r"[A-Z]{2,}s", word):
        return []
    return [piece for piece in pieces if len(piece) > 1]


def _parts(chunk: str) -> list[str]:
    """What an identifier consists of: its compound segments (a path's file name, an address's host), then its words."""
    parts: list[str] = []
    segments = list(dict.fromkeys(re.split(r"[/\\@:&#]+|->", chunk)))
    if len(segments) > 1:
        parts += [segment for segment in segments if re.search(r"\w[.\-+]\w", segment)]
    for segment in segments:
        if not re.fullmatch(
            r"[vV]?[0-9]+(?:\.[0-9]+)+", segment
        ):  # the digits of a version or an amount say nothing apart
            for piece in re.split(r"[.\-+_]+", segment):
                parts.append(piece)
                numbered = re.fullmatch(r"([A-Za-z]{2,})([0-9]+)", piece)
                if numbered:
                    parts += numbered.groups()
                parts += _humps(numbered[1] if numbered else piece)
    return parts


def _other_spellings(whole: str) -> list[str]:
    """Other ways to write the same thing: a date's or phone number's bare digits, a version without its v."""
    date = re.fullmatch(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})", whole)
    if date:
        return [f"{date[1]}{date[2]:0>2}{date[3]:0>2}"]
    if re.fullmatch(r"[0-9]+(?:-[0-9]+)+", whole) and 7 <= len(whole) - whole.count("-") <= TERM_LIMIT:
        return [whole.replace("-", "")]
    if re.fullmatch(r"v[0-9]+(?:\.[0-9]+)+[0-9a-z.\-+]*", whole):
        return [bounded(whole[1:])]
    return []


@cache
def _words_with_apostrophes() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
