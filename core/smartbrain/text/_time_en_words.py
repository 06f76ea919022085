"""The words English tells time with: tables, what a count and a unit word stand for, fragments of the patterns."""

from __future__ import annotations

import re

from smartbrain.text._time_calendar import Unit
from smartbrain.text._time_pieces import FEW

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
]
SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
HOURS = {"morning": (0, 12), "noon": (11, 14), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30)}
NAME_LIKE = {"march", "april", "may", "june", "august"}
OFFSET = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "following": 1}

MINUTES = {"minute": 1, "min": 1, "hour": 60, "hr": 60}
NUMBER = (
    r"(?:[0-9]{1,4}|(?:a\s)?couple(?:\sof)?|(?:a\s)?few|several|an?|half\san?|"
    + "|".join(sorted(SMALL[1:], key=len, reverse=True))
    + "|(?:"
    + "|".join(TENS)
    + ")(?:[-\\s](?:"
    + "|".join(SMALL[1:10])
    + "))?)"
)
UNIT = r"(?P<unit>minute|min|hour|hr|day|night|weekend|week|fortnight|month|quarter|year|yr)s?"
PART = r"(?:(?P<part>early|late|mid|(?:(?:the\s)?(?:beginning|start|end|middle)\sof))[-\s](?:the\s)?)?"
_LONG = sorted(MONTHS, key=len, reverse=True)
MONTH = rf"(?:{'|'.join(_LONG)}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?![a-z])\.?)"
YEAR = r"(?P<y>(?:19|20|21)[0-9]{2})(?![0-9_])(?![.,:][0-9])(?!%)"
OF_YEAR = rf"(?:,?\s{{1,2}}(?:of\s|in\s)?(?:{YEAR}|(?P<yref>last|this|next)\syear))?"
ORD = r"(?:st|nd|rd|th)"
_NO_UNIT = (
    r"(?![0-9]|[:.,/%][0-9]|%|\s?(?:am|pm|a\.m|p\.m|miles?|km|percent|people|times|hours?|minutes?|days?|weeks?)\b)"
)
DAY_NUMBER = rf"(?P<d>[0-9]{{1,2}})(?P<ord>{ORD})?(?:\s?[-–]\s?(?P<d2>[0-9]{{1,2}}){ORD}?)?{_NO_UNIT}"
ORD_WORD = rf"(?P<ow>{'|'.join(sorted(ORDINALS, key=len, reverse=True))})(?![a-z])"
REF = r"(?:(?P<ref>last|this\spast|this\scoming|this|next)\s{1,2})?"
DAYPART = r"(?:\s(?P<dp>morning|afternoon|evening|night))?"


WEEKDAY = "|".join(WEEKDAYS) + "|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun"
FEAST = (
    r"christmas(?:\s(?:eve|day))?|xmas|(?:(?:chinese|lunar)\s)?new\syear(?:'?s)?(?:\s(?:eve|day))?|spring\sfestival|"
    r"halloween|valentine'?s\sday|thanksgiving|easter"
)


def count_of(word: str) -> tuple[int, int, bool]:
    """(least, most, vague) of a number phrase; "half a" is (0, 0) and is told apart by its caller."""
    if word.isdigit():
        return int(word), int(word), False
    if "couple" in word:
        return 2, 3, True
    if "few" in word or word == "several":
        return *FEW, True
    if word in ("a", "an"):
        return 1, 1, False
    if word.startswith("half"):
        return 0, 0, True
    parts = re.split(r"[-\s]", word)
    value = sum(SMALL.index(p) if p in SMALL else (TENS.index(p) + 2) * 10 for p in parts)
    return value, value, False


def unit_of(word: str) -> tuple[Unit, int]:
    """A unit word as a calendar unit and how many of it (a fortnight is two weeks)."""
    known: dict[str, tuple[Unit, int]] = {
        "night": ("day", 1),
        "fortnight": ("week", 2),
        "yr": ("year", 1),
        "day": ("day", 1),
        "week": ("week", 1),
        "weekend": ("weekend", 1),
        "month": ("month", 1),
        "quarter": ("quarter", 1),
    }
    return known.get(word, ("year", 1))
