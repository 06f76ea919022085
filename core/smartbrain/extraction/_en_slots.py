"""Which slot of a preference an English choice fills: "dark mode" fills ``ui:theme``."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from smartbrain.extraction._en_slot_table import TABLE
from smartbrain.extraction._en_words import LANGUAGES


class Slot(NamedTuple):
    """A filled slot: scope, name, and where the choice stands in the text that was looked at."""

    scope: str
    name: str
    start: int
    end: int


_LANGUAGE_OF_ANSWERS = (
    rf"(?:in|into|to) (?P<v>{LANGUAGES})(?! (?:style|food|spelling|class))|(?P<v2>{LANGUAGES}) (?:answers|"
    rf"replies|responses|only)|(?:let's|we) (?:speak|talk|use|write) (?P<v3>{LANGUAGES})(?! (?:style|spelling|"
    rf"units))"
)


def slot_in(text: str, *, answers: bool = False) -> Slot | None:
    """The first slot of the table that ``text`` fills; with ``answers`` also the language of answers.

    The text is what is wished, so that a word alone ("Python") is a choice and not a mention.
    """
    if answers:
        match = _answer_language().search(text)
        if match:
            return _slot("writing", "language", match)
    best: Slot | None = None
    for scope, name, pattern in _patterns():
        match = pattern.search(text)
        if match:
            found = _slot(scope, name, match)
            if best is None or found.start < best.start:
                best = found
    return best


def slot_exactly(text: str) -> Slot | None:
    """The slot that the whole of ``text`` fills, but for an article and a noun of its kind at the end."""
    stripped = _article().sub("", text).strip()
    offset = text.find(stripped)
    for scope, name, pattern in _patterns():
        match = pattern.match(stripped)
        if match and _rest().fullmatch(stripped[match.end() :]):
            slot = _slot(scope, name, match)
            return slot._replace(start=slot.start + offset, end=slot.end + offset)
    return None


def topic_of(text: str) -> str:
    """The topic of a decision that a chosen thing names by itself, "" when it names none."""
    slot = slot_exactly(unicodedata.normalize("NFKC", text))
    return _TOPIC_OF.get((slot.scope, slot.name), "") if slot else ""


_TOPIC_OF = {
    ("coding", "database"): "database",
    ("coding", "framework"): "framework",
    ("coding", "language"): "language",
    ("tools", "cloud"): "hosting",
    ("tools", "editor"): "editor",
}


def _slot(scope: str, name: str, match: re.Match[str]) -> Slot:
    groups = match.groupdict()
    group = next((g for g in ("v", "v2", "v3") if groups.get(g)), None)
    start, end = match.span(group) if group else match.span()
    return Slot(scope, name, start, end)


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple(
        (scope, name, re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE)) for scope, name, pattern in TABLE
    )


@cache
def _answer_language() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{_LANGUAGE_OF_ANSWERS})(?!\w)", re.IGNORECASE)


@cache
def _article() -> re.Pattern[str]:
    return re.compile(r"^(?:the|a|an|my|our|using|to use|having)\s+", re.IGNORECASE)


@cache
def _rest() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:(?:for|in|on|at|with|over|rather|instead|as|than|to|everywhere|always|by|whenever|"
        r"when|because|now|these|and|,)\b.*|"
        r"(?:database|db|mode|seats?|editor|browser|please|style|myself|anyway|all day(?: "
        r"long)?|every day|daily|shop|house|most of the time|mostly|these days|user|person|guy|girl|fan|"
        r"full[- ]time|answers?|repl(?:y|ies)|responses?|explanations?|summaries|tone)?)",
        re.IGNORECASE,
    )
