"""The one way to cut a text into the terms it is indexed by and asked for, Chinese, English and the rest alike.

English words become Snowball stems; Chinese is cut into words as a search engine wants them, *plus* single
characters, which measured best; identifiers stay whole beside their parts; kana, Hangul and scripts without spaces
become pairs of characters. Stop words are left out, unless a text holds nothing else.

A term holds no white space and no control character and has at most 64 characters.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from itertools import chain
from typing import Final

from smartbrain.text import han, stopwords
from smartbrain.text.folding import lower, tidy
from smartbrain.text.keywords import keywords
from smartbrain.text.scanner import Kind, scan
from smartbrain.text.words import TERM_LIMIT, bounded, chunk_terms, phone_terms, stem, url_terms

__all__ = ["ANALYZER_ID", "asked_terms", "keywords", "query_terms", "term_counts", "terms", "warm_up"]

#: Names this way of cutting; an index remembers it. It changes whenever the same text would be cut differently,
#: and does not depend on whether rjieba or PyStemmer is installed.
ANALYZER_ID: Final = "sb-3"


_CHUNK: Final = int(Kind.CHUNK)  # a member of an enum is looked up more slowly than a token is cut


def terms(text: str) -> list[str]:
    """The terms of a text in order, with repeats, stop words left out unless there is nothing else."""
    return list(_remembered_terms(text)) if len(text) <= _REMEMBERED_CHARS else _terms(text)


# A message is cut for the index and to find the entities it names, a snippet for several comparisons.
_REMEMBERED_CHARS: Final = 2_000


@lru_cache(maxsize=256)
def _remembered_terms(text: str) -> tuple[str, ...]:
    return tuple(_terms(text))


def _terms(text: str) -> list[str]:
    tidied = tidy(text)
    return _cut(tidied, keep_stop_words=False) or _cut(tidied, keep_stop_words=True)


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question, in order: the same cut as ``terms``."""
    return list(dict.fromkeys(terms(text)))


def asked_terms(text: str) -> list[str]:
    """The distinct terms of a question without the words that only frame it; none if it holds nothing else.

    "Do you remember what I told you about Lisbon?" asks about Lisbon, not about telling.
    """
    return [term for term in query_terms(text) if term not in stopwords.FRAMES]


def first_term(word: str) -> str:
    """The first term of a word without white space; "" for none."""
    return next(iter(_piece_terms(word)), "") or next(iter(_terms(word)), "")


def term_counts(text: str) -> dict[str, int]:
    """How often each term occurs in the text."""
    return dict(Counter(_remembered_terms(text) if len(text) <= _REMEMBERED_CHARS else _terms(text)))


def warm_up() -> None:
    """Load now, in this thread, what the first Chinese and the first English text would have to wait for."""
    terms("记忆体 warming")
    han.segmenter().cut("预热")
    stem("warming")


def _cut(tidied: str, *, keep_stop_words: bool) -> list[str]:
    """The terms of a tidied text. No token holds white space, but a telephone number: the same pieces come again and
    again, and are cut once."""
    if keep_stop_words or _spaced_number().search(tidied):
        return _scanned(tidied, keep_stop_words=keep_stop_words)
    pieces = tidied.split()
    if len(max(pieces, key=len, default="")) <= TERM_LIMIT:
        return list(chain.from_iterable(map(_piece_terms, pieces)))
    found: list[str] = []
    for piece in pieces:
        found += _piece_terms(piece) if len(piece) <= TERM_LIMIT else _scanned(piece, keep_stop_words=False)
    return found


@cache
def _spaced_number() -> re.Pattern[str]:
    """Where a telephone number may go on behind a blank."""
    return re.compile(r"[0-9)] \(?[0-9]")


@lru_cache(maxsize=32_768)
def _piece_terms(piece: str) -> tuple[str, ...]:
    return tuple(_scanned(piece, keep_stop_words=False))


def _scanned(tidied: str, *, keep_stop_words: bool) -> list[str]:
    found: list[str] = []
    for match in scan(tidied):
        token, kind = match[0], match.lastindex
        if kind == _CHUNK:  # nearly every token of a text in Latin letters
            found += chunk_terms(token, keep_stop_words)
            continue
        match kind:
            case Kind.HAN:
                for word in han.cut(token):
                    found += _han_terms(word, keep_stop_words)
            case Kind.URL:
                found += url_terms(token, keep_stop_words=keep_stop_words)
            case Kind.NUMBER:
                found.append(bounded(token.replace(",", "")))
            case Kind.PHONE:
                found += phone_terms(token)
            case Kind.SYMBOL:
                found.append(token)
            case Kind.HANGUL:
                # A noun of one syllable stands before its particle: it is found by the first syllable.
                found.append(token[0])
                found += _pairs(token) if len(token) > 1 else ()
            case _:
                found += _pairs(lower(token))
    return found


@lru_cache(maxsize=32_768)
def _han_terms(word: str, keep_stop_words: bool) -> tuple[str, ...]:
    """A word, the words inside it, and its characters; a stop word brings none: the 什 of 什么 says nothing."""
    if word in stopwords.HAN and not keep_stop_words:
        return ()
    forms = han.search_forms(word) if len(word) > 1 else []
    forms.extend(word)
    return tuple(bounded(form) for form in forms if keep_stop_words or form not in stopwords.HAN)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]
