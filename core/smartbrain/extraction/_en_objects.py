"""What is liked, wanted or done: where the object ends, what in it is filler, and whether it lasts."""

from __future__ import annotations

import re
from functools import cache


def objects(text: str) -> list[tuple[int, int]]:
    """Spans of the things that an object names: "tea and biscuits" are two, "salt and vinegar crisps" one."""
    end = len(text)
    stop = _tail().search(text)
    if stop and stop.start() > 0:
        end = stop.start()
        if _restricts().match(stop[0]) and len(text[:end].split()) == 1:
            return []  # "games that test my strategy": not games as such
    pieces = _pieces(text, end)
    if (
        1 < len(pieces) <= 4
        and not _shared_noun().search(text[:end])
        and not _pair().fullmatch(text[:end].strip())
        and all(_short(text[start:stop_]) for start, stop_ in pieces)
    ):
        return pieces
    return [(0, end)] if text[:end].strip() else []


def _pieces(text: str, end: int) -> list[tuple[int, int]]:
    pieces, last = [], 0
    for joint in _and().finditer(text, 0, end):
        pieces.append((last, joint.start()))
        last = joint.end()
    return [(start, stop) for start, stop in [*pieces, (last, end)] if text[start:stop].strip()]


def plain_object(said: str) -> str:
    """The object itself: without the verb of using it, quotes and closing signs."""
    text = said.strip(" \t.,;:!?\"'“”*~")
    text = _using().sub("", text, count=1)
    text = _back_words().sub("", text)
    return text.strip(" \t.,;:!?\"'“”")


def lasting(said: str) -> bool:
    """Whether an object is something to like for good, not a passing thing, a pronoun or a clause."""
    return (
        bool(said)
        and not _passing().match(said)
        and not _here().search(said)
        and not _cut_off().search(said)
        and len(said.split()) <= _MOST_WORDS
    )


_MOST_WORDS = 9


def _short(words: str) -> bool:
    return len(words.split()) <= 3


@cache
def _and() -> re.Pattern[str]:
    return re.compile(r"\s*,?\s+(?:and|or|nor|&)\s+(?:also\s+)?|\s*,\s*", re.IGNORECASE)


@cache
def _pair() -> re.Pattern[str]:
    """What is one thing though it has an "and" in it."""
    return re.compile(
        r"pen and paper|fish and chips|mac(?:aroni)? and cheese|rock and roll|rhythm and blues|drum and bass|"
        r"gin and tonic|"
        r"arts and crafts|bed and breakfasts?|peanut butter and jelly|black and white|salt and pepper|bread and butter|"
        r"ham and eggs|cloak and dagger|hide and seek",
        re.IGNORECASE,
    )


@cache
def _shared_noun() -> re.Pattern[str]:
    """ "electronic and rock music": the first word is no thing by itself."""
    return re.compile(
        r"(?:^|,\s*)[\w-]+,?\s+(?:and|or|&)\s+[\w-]+\s+(?:music|books|movies|films|games|food|"
        r"shows|novels|sports|art|cuisine|stories|dishes|languages|wines?|beers?|tea|chocolate|"
        r"cheese)\s*$",
        re.IGNORECASE,
    )


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:i|we|you|that|who|which|when|whenever|because|since|so|if|unless|while|where|"
        r"even|especially|more than|ever since|as (?:much|long|well)|every time|after|before|"
        r"until|and (?:i|it|we|my|they|he|she)\b|like (?:crazy|mad|you|hell|that)|though|too|"
        r"either|as|for (?:some|obvious|no) reasons?|to death|to bits|with a passion|the most|"
        r"best|a lot|so much|very much|completely|entirely|totally|altogether|to bits|right "
        r"now|at the moment|lately|recently|so far|these days|here$|in general|in particular|"
        r"lately|at the moment)\b"
        r"|\s+[:;]-?[)(DP]|[.!?…]|[\U0001f300-\U0001faff]",
        re.IGNORECASE,
    )


@cache
def _restricts() -> re.Pattern[str]:
    return re.compile(r"\s+(?:that|who|which|where|when)\b", re.IGNORECASE)


@cache
def _cut_off() -> re.Pattern[str]:
    return re.compile(
        r"\s(?:to|of|in|for|with|at|on|from|about|into|by|idea|one|ones|thing|part|what|how|"
        r"who|where|when|why|and|or|the|a)$",
        re.IGNORECASE,
    )


@cache
def _here() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:this|these|those|here|nearby|everywhere|you|your|yours|him|them|(?<!in )(?<!on "
        r")it|together|her|his|their)\b",
        re.IGNORECASE,
    )


@cache
def _using() -> re.Pattern[str]:
    return re.compile(
        r"^(?:also )?(?:to (?=\w))?(?:(?:eat(?:ing)?|drink(?:ing)?|watch(?:ing)?|play(?:ing)?|"
        r"listen(?:ing)? to|read(?:ing)?|us(?:e|ing)|having|have|get(?:ting)?)\s+(?!(?:up|"
        r"out|lost|ready|together|fun|time|a good)\b)(?=\w))?",
        re.IGNORECASE,
    )


@cache
def _back_words() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:too|now|again|any\s?more|at all|so much|a lot|instead|please|though|tbh|lol|btw|by the way|"
        r"best|the most|haha|ngl|really|personally|to be honest|xd)$",
        re.IGNORECASE,
    )


@cache
def _passing() -> re.Pattern[str]:
    generic = (
        "sea|ocean|beach|cold|heat|outdoors|rain|snow|mountains?|countryside|colou?r|taste "
        "of|smell of|sound of|theat(?:re|er)|gym|dark|opera|ballet|"
        "cinema|forest|woods|desert|desk|window seat|aisle seat|summer|winter|autumn|fall|"
        "spring|violin|piano|guitar|cello|beatles|smiths|simpsons|"
        "lord of the rings|office|subway|tube|dentist|phone"
    )
    return re.compile(
        rf"(?:(?:to )?(?:then\b|relax|vent|joke|win|sleep|think|say|be|know|see|believe|hear|"
        rf"ask|point|know|imagine|thank|apolog|share|admit|help|try)\b|(?:it|its|it's|this|"
        rf"that|these|those|you|your|yours|how|when|what|where|why|whatever|him|her|his|hers|"
        rf"them|their|they|us|me|myself|the way|the fact|everything|something|nothing|everyone|"
        rf"anyone|someone|somebody|all of|all the|some of|both|each|one|ones|being|having to|"
        rf"seeing|hearing|knowing|getting to|that's|there|here|another|such|is|are|can|will|"
        rf"was|option|version|number|\d|idea\b|#|more|less|most|much|too|so|not|no|nor|i|i'm|"
        rf"he|she|we|our|watching (?:you|him|her|them|my)|yes|if|as|and|but|or|with|for|in|"
        rf"on|at)\b"
        rf"|(?:the )?(?:first|second|third|last|latest|previous|original|new|old|other|shorter|longer|earlier) "
        rf"(?:draft|version|option|paragraph|sentence|title|headline|slide|wording|variant|answer|approach|take|ending|intro)\b"
        rf"|the (?!(?:{generic})\b)|my (?!\w+ (?:with|without|black|white|hot|cold|iced|spicy|"
        rf"sweet|strong|weak|rare|medium|well|dry|neat|plain|crispy|soft|extra)\b)|an? (?:lot|"
        rf"bit|good laugh|challenge|few)\b)",
        re.IGNORECASE,
    )
