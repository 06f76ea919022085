"""The words around a time: what binds it ("since", 以前), what joins two, which way the sentence looks."""

from __future__ import annotations

import re

from smartbrain.text._time_pieces import Piece

Span = tuple[int, int]

_NEAR = 40
_BEFORE = re.compile(
    r"(?<![a-z0-9_])(?:(?P<since>(?:ever\s)?since|starting(?:\s(?:in|from|on))?)|(?P<after>after)|"
    r"(?P<before>before|prior\sto)|(?P<by>(?:no\slater\sthan|due(?:\s(?:by|on))?|by))|(?P<until>until|till|'til|up\sto)|"
    r"(?P<week>(?:the\s)?week\sof))\s{1,2}(?:the\s)?(?:month\sof\s)?$"
)
_BEFORE_ZH = re.compile(r"(?:(?P<since>自从?)|(?P<until>截至|截止到?|直到))$")
_AFTER_ZH = re.compile(
    r"(?P<since>以来|(?:就)?(?:开始|起)(?![床来])|至今)|(?P<after>(?:之|以)?后(?![天面来端台续期院]))|"
    r"(?P<before>(?:之|以)?前(?![天面端台后年往几任]|提(?!交|出|前|供)))|(?P<until>为止|截止)"
)
_JOIN = re.compile(r"\s?(?:(?P<to>to|through|until|till|thru|[-–—~]|到|至|~)|(?P<and>and|&|和|与|跟))\s?")
_WITHIN = re.compile(r",?\s(?:in|at|on|over|around)\s(?:the\s)?|,\s")
_PAIR_HEAD = re.compile(
    r"(?:(?P<between>(?<![a-z])between\s{1,2}(?:the\s)?|在|介于)|(?P<from>(?<![a-z])from\s{1,2}(?:the\s)?|从|自))$"
)
_PAIR_TAIL = re.compile(r"之?间|期间")

_PREPOSITION = re.compile(
    r"(?<![a-z0-9_])(?P<in>in|during|throughout)\s{1,2}(?:the\s)?(?:month\sof\s|year\s)?$|"
    r"(?<![a-z0-9_])(?P<other>on|at|since|until|till|through|over|around|about|by|before|after|of|from|for|to|due|circa|and)\s{1,2}(?:the\s)?$"
)
_ON = re.compile(r"(?<![a-z0-9_])(?:on|by|due|before|after|since|until)\s{1,2}$")
_TOO_LOOSE = re.compile(r"(?<![a-z])(?:for|to|and|at|over|about)\s{1,2}(?:the\s)?$")
_PASSIVE_BY = re.compile(
    r"(?:[a-z]{2,}(?:ed|en|wn|lt)|made|done|said|sent|told|built|led|run|won|held|kept)\s{1,2}by\s{1,2}$"
)
_SPEAKS = re.compile(
    r"'s\b|\s(?:said|says|told|asked|asks|wants?|wanted|is|was|has|had|will|would|can|could|thinks?|thought|went|came|and\si)\b"
)
_NAME_FOLLOWS = re.compile(r"\s[A-Z][a-z]")
_LINK = re.compile(r"://|www\.|@|\\")
_GLUED_AFTER = re.compile(r"[\w]*[@\\=]|\.(?:com|org|net|io|html?|md|py|js|txt|pdf|csv|json)\b|[/_](?=[a-z0-9_]*[/_.])")

_END = re.compile(r"[.!?。！？\n;；]")
_WILL = re.compile(
    r"\b(?:will|shall|won't|going\sto|gonna|upcoming|due|deadline|scheduled|tomorrow)\b|'ll\b|"
    r"将(?![军近])|即将|打算|计划|准备|预计|截止"
)
_SHOULD = re.compile(
    r"\b(?:plan(?:s|ning|ned)?|let's|remind|needs?\sto|have\sto|has\sto|must|should|ship|deliver|submit|finish|book|expect|"
    r"hope|wants?\sto|intend|by|until|before)\b|[要得](?!求|点|是|到|了|很|不)|需要|必须|提醒|记得|安排|预约|约了|前(?:交|要|完|提|上|发|搞)"
)
_WAS = re.compile(
    r"\b(?:did|was|were|had|went|came|took|met|saw|got|made|bought|left|said|told|gave|(?!need|indeed|feed|speed|embed|seed)[a-z]{2,}ed)\b|了(?!解)|过(?!去|年|节)|已经|曾"
)


def bound_before(folded: str, piece: Piece) -> tuple[str, Span] | None:
    """The word before a piece that turns it into a bound, and the span with it."""
    start, end = piece.span
    head = folded[max(0, start - 24) : start]
    match = _BEFORE.search(head) or _BEFORE_ZH.search(head)
    if match is None or match.lastgroup is None:
        return None
    return match.lastgroup, (start - len(head) + match.start(), end)


def bound_after(folded: str, piece: Piece) -> tuple[str, Span] | None:
    """The Chinese word after a piece that turns it into a bound, and the span with it (and with 从 before it)."""
    start, end = piece.span
    match = _AFTER_ZH.match(folded, end, min(len(folded), end + 6))
    if match is None or match.lastgroup is None:
        return None
    if match.lastgroup == "since" and folded[start - 1 : start] == "从":
        start -= 1
    return match.lastgroup, (start, match.end())


def joined(text: str, folded: str, first: Piece, second: Piece) -> Span | None:
    """The span of "from A to B", "between A and B", "A to B" when the two pieces stand so."""
    match = _JOIN.fullmatch(folded, first.span[1], second.span[0])
    if match is None:
        return None
    head = _PAIR_HEAD.search(folded[max(0, first.span[0] - 14) : first.span[0]])
    if match["and"] and (head is None or not head["between"]):
        return None
    if head is None and any(piece.weak in ("prep", "name") and not _capital(text, piece) for piece in (first, second)):
        return None
    tail = _PAIR_TAIL.match(folded, second.span[1])
    start = first.span[0] - (len(head.group()) if head else 0)
    return start, tail.end() if tail else second.span[1]


def within(folded: str, first: Piece, second: Piece) -> bool:
    """Whether ``second`` is a thing of the year that ``first`` is ("last year in March", "2023, at Christmas")."""
    if second.cycle is None or second.cycle.every != "year" or first.start is None or first.end is None:
        return False
    is_year = (first.end - first.start).days in (365, 366) and (first.start.month, first.start.day) == (1, 1)
    return is_year and _WITHIN.fullmatch(folded, first.span[1], second.span[0]) is not None


def counts(text: str, folded: str, piece: Piece) -> bool:
    """Whether a weak piece is a time after all, by its preposition, its capital and what follows it."""
    start, end = piece.span
    if _in_a_link(folded, start, end):
        return False
    if not piece.weak:
        return True
    head = folded[max(0, start - 24) : start]
    if piece.weak == "abbr":
        return _capital(text, piece) and _ON.search(head) is not None and not _NAME_FOLLOWS.match(text, end)
    if piece.weak == "case":
        return _capital(text, piece) or _ON.search(head) is not None or _PREPOSITION.search(head) is not None
    match = _PREPOSITION.search(head)
    if match is None:
        return False
    if piece.weak == "prep":
        return True
    if _NAME_FOLLOWS.match(text, end):
        return False
    if match["in"]:
        return True
    loose = _TOO_LOOSE.search(head) or _PASSIVE_BY.search(head) or _SPEAKS.match(folded, end)
    return (_capital(text, piece) or match["other"] in ("since", "until")) and not loose


def looks_ahead(folded: str, span: Span, *, statement: bool) -> bool | None:
    """Whether the sentence around a time looks ahead (True), back (False) or does not say (None)."""
    before = _END.split(folded[max(0, span[0] - _NEAR) : span[0]])[-1]
    after = _END.split(folded[span[1] : span[1] + _NEAR], maxsplit=1)[0]
    around = f"{before} {after}"
    if _WILL.search(around):
        return True
    if _WAS.search(around):
        return False
    return True if statement and _SHOULD.search(around) else None


def _capital(text: str, piece: Piece) -> bool:
    return text[piece.word_at if piece.word_at >= 0 else piece.span[0]].isupper()


def _in_a_link(folded: str, start: int, end: int) -> bool:
    before = folded[max(0, start - 80) : start].rsplit(None, 1)
    word = "" if not before or folded[start - 1 : start].isspace() else before[-1]
    return _LINK.search(word) is not None or _GLUED_AFTER.match(folded, end, end + 40) is not None
