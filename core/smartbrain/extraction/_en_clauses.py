"""English sentences cut into clauses: most rules match only where a clause begins, where the subject stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import islice

from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction.hits import Sentence
from smartbrain.extraction.starts import searched

_MOST = 24
"""Joints in one sentence; what has more is no speech, and its rest is not taken apart."""
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. ``text`` is what rules match: quotations blanked, apostrophes straight, fillers at the front gone.

    ``start`` is where ``text`` stands in the sentence, ``lead`` the fillers before it ("ok", "this year").
    ``earlier`` and ``later`` are the sentence's other clauses.
    """

    text: str
    start: int
    sentence: Sentence
    earlier: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    lead: str = ""

    @property
    def last(self) -> bool:
        return not self.later

    @property
    def whole(self) -> str:
        """The whole sentence as rules see it."""
        return straight(self.sentence.plain)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of ``text`` as a span of the sentence."""
        return self.start + start, self.start + end

    def onward(self) -> str:
        """From this clause to the end of the sentence."""
        return self.whole[self.start :]


def straight(text: str) -> str:
    """The text with straight apostrophes, same length."""
    if text.isascii() and "`" not in text:
        return text  # most texts, and asked for at every rule
    return text.translate(_APOSTROPHES) if _bent().search(text) else text


@cache
def _bent() -> re.Pattern[str]:
    return re.compile(f"[{''.join(map(chr, _APOSTROPHES))}]")


def clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence in order, empty ones left out; cut once for all that ask."""
    known: list[Clause] | None = sentence.memo.get("en")
    if known is None:
        known = sentence.memo["en"] = _cut(sentence)
        EN.holds(straight(sentence.plain), [clause.text for clause in known])
    return known


def _cut(sentence: Sentence) -> list[Clause]:
    text = straight(sentence.plain)
    bounds, last = [], 0
    for match in islice(_joint().finditer(text), _MOST):
        bounds.append((last, match.start()))
        last = match.end()
    bounds.append((last, len(text)))
    pieces = [(start, text[start:end]) for start, end in bounds if text[start:end].strip()]
    others = tuple(piece for _, piece in pieces)
    found = []
    for at, (start, piece) in enumerate(pieces):
        lead = _filler().match(piece)
        skip = lead.end() if lead else 0
        body = piece[skip:].rstrip(" \t.!?…~*_\"'”")
        if body:
            found.append(Clause(body, start + skip, sentence, others[:at], others[at + 1 :], piece[:skip]))
    return found


@cache
def _joint() -> re.Pattern[str]:
    subject = (
        r"(?=(?:i|i'[a-z]+|im|ive|we|we'[a-z]+|my|our|he|she|it|its|it's|they|they're|the|"
        r"there|this|that|he's|she's|now|then"
        r"|maybe|perhaps|please|something|anything|everything|no|don't|never|always|you|your|his|her|their|if)\b)"
    )
    verb = (
        r"(?=(?:works?|lives?|has|have|is|am|plays?|speaks?|loves?|hates?|drives?|studies|"
        r"study|teach(?:es)?|can't|cannot|don't|doesn't"
        r"|prefer|grew|was|just|decided|agreed|settled on|chose|opted|allergic|collects?|keeps|owns|sings|"
        r"swims|runs? an?|call me)\b)"
    )
    return searched(
        r"\s*[,;()\[\]\n]+(?=\s|$|[\"'(])\s*|\s*:(?=\s)\s*|\s+[-–—]+\s+|\s*—\s*|\s*\.{3,}\s*|"
        r"\s*…\s*|(?<=[!?])\s+|\s*[()]\s*"
        r"|\s+(?:but|because|cause|cuz|though|although|whereas|hence|even though|except)\s+"
        rf"|\s+so\s+(?=(?:keep|use|write|answer|give|make|show|stick|speak|talk|be)\b)"
        rf"|\s+(?:and|so|since|while|plus)\s+{subject}|\s+(?:or|as|until)\s+(?=(?:i|we)\b)|\s+or\s+(?=(?:they|he|she|"
        rf"it|you)(?:'ll| will|'re|'s)\b)|\s+and\s+{verb}",
        re.IGNORECASE,
    )


@cache
def _filler() -> re.Pattern[str]:
    words = (
        r"anywho|meanwhile|long story short|in other news|on (?:a|the) (?:plus|bright) side|speaking of which|"
        r"ok(?:ay)?|oh|hi(?: there)?|hey(?: there)?|hello|well|so|and|but|also|actually|btw|"
        r"fyi|anyways|honestly|tbh|look|right|"
        r"yes|yeah|yep|plus|now|ah|um+|uh|hm+|lol|haha|damn|ugh|man|dude|guys|alright|good|great|thanks|cool|sorry|"
        r"by the way|just(?= so you know\b|(?<=\balso just))|for the record|"
        r"to be (?:clear|honest|fair)|in fact|as it happens|"
        r"like i said|as i said|as you know|you know|you see|i mean|well then|note that|quick (?:update|note|thing)|"
        r"good news|bad news|big news|for context|a bit of background|for what it's worth|fwiw|as for me|personally|"
        r"good morning|good evening|thank god|luckily|unfortunately|sadly|turns out|it turns "
        r"out|as it turns out|i admit|i confess|fun fact|confession|thing is|the thing is|"
        r"truth is|in case it helps|if it helps|apparently|first of all|"
        r"still|on paper|officially|legally|technically|any ?how|any ?way"
    )
    when = (
        r"(?:(?:this|next|last) (?:year|month|week|weekend|summer|winter|spring|autumn|fall|"
        r"morning|semester|quarter)|today|tomorrow|tonight|yesterday"
        r"|last night|these days|nowadays|currently|recently|lately|at the moment|at home|"
        r"at work|for years|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?"
        r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:on|at|most) (?:the )?weekends?|weekends"
        r"|one day|someday|in my (?:spare|free) time|in (?:january|february|march|april|may|"
        r"june|july|august|september|october|november|december|\d{4}))"
        r"(?=\s+(?:i|i'm|we|we're|we've|i've|my|our)\b)"
    )
    return re.compile(rf"[\s\"'*_•·>\d.)-]{{0,6}}?(?:(?:{words}|{when})(?:\s+|$))*[\s*_•·-]*", re.IGNORECASE)
