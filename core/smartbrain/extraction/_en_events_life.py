"""English turns of life: weddings, births, deaths, jobs, exams, what is bought and sold."""

from __future__ import annotations

from typing import Final

from smartbrain.extraction._en_event_words import ADV, MAYBE_WE, WE, Row
from smartbrain.extraction._en_words import RELATION

LIFE: Final[tuple[Row, ...]] = (
    # -- turns of life
    (
        "wedding",
        "getting_married",
        "future",
        True,
        rf"(?:{WE}(?:'re| are|'m| am)?|(?:my|our) (?:\w+ )?(?P<about>{RELATION})(?: (?-i:[A-Z])\w+)?(?: "
        rf"is|'s)?)\s*{ADV}(?:getting married|marrying|tying the knot)\b",
    ),
    (
        "wedding",
        "married",
        "past",
        False,
        rf"(?:{WE}|(?:my|our) (?:\w+ )?(?P<about>{RELATION})(?: (?-i:[A-Z])\w+)?)\s*{ADV}(?:got "
        rf"married|tied the knot|eloped)\b",
    ),
    (
        "engagement",
        "engaged",
        "past",
        False,
        rf"{MAYBE_WE}(?:'re| are| got|'ve got)?\s*{ADV}(?:(?:just )?got engaged|(?<=re )engaged|"
        rf"(?<=are )engaged|proposed(?= to))\b|(?:he|she|my (?:boyfriend|girlfriend|partner)) "
        rf"proposed(?: to me)?(?=$|\s+(?:on|in|last|yesterday|this|at|and))",
    ),
    (
        "birth",
        "expecting",
        "future",
        False,
        rf"(?:{WE}|my \w+)(?:'re| are|'m| am| is|'s)\s*{ADV}(?:expecting (?:a (?:baby|boy|"
        rf"girl)|twins|our \w+|my \w+)|having a baby)\b",
    ),
    ("birth", "expecting", "future", True, r"(?:the|our|my) baby(?:'s| is)? due\b"),
    (
        "birth",
        "born",
        "past",
        False,
        rf"(?:(?:my|our) (?:\w+ )?(?P<about>{RELATION}|baby boy|baby girl|grandson|granddaughter)(?: "
        rf"(?-i:[A-Z])\w+)? (?:was|were) born(?! in (?-i:[A-Z]))(?=.*\b(?:yesterday|today|last|"
        rf"this|on|ago|\d)\b)|(?:i|my (?:wife|sister|daughter|partner|girlfriend)|"
        rf"our (?P<about2>(?-i:[A-Z])\w+)) {ADV}(?:gave "
        rf"birth|had (?:a|her|the|our) baby)\b)",
    ),
    (
        "death",
        "death",
        "past",
        False,
        rf"(?:(?:my|our) (?:\w+ )?|(?=(?:mum|mom|dad|grandma|grandpa|granny|nana|grandad|granddad)\b))"
        rf"(?P<about>{RELATION}"
        rf"|dog|cat|horse)(?: (?-i:[A-Z])\w+)?\s*(?:has |just )?{ADV}(?:died|passed away|passed(?= "
        rf"(?:on|last|yesterday|this|in|away))|was put to sleep|was put down)\b",
    ),
    (
        "death",
        "death",
        "past",
        False,
        rf"{WE} (?:just |recently )?(?:lost|buried) (?:my|our) (?:(?:dear|old|beloved|poor|"
        rf"lovely) )?(?P<about>{RELATION}|dog|cat|horse)\b(?! (?:in "
        rf"the|at the|'s))",
    ),
    (
        "death",
        "lost",
        "past",
        True,
        rf"{WE} (?:just |recently )?lost (?P<about>(?-i:[A-Z][a-z]{{2,15}})|(?:mum|mom|dad|nan|gran|grandad|"
        rf"grandma|grandpa))"
        rf"(?= (?:on|last|yesterday|today|this|in|over|at the)\b)(?! in (?:the (?:crowd|shop|fog)|traffic))",
    ),
    (
        "promotion",
        "promotion",
        "past",
        False,
        rf"{MAYBE_WE}\s*(?:'ve|have|was|were|just|am|'m)?\s*{ADV}(?:got|been|was|getting|"
        rf"being)?\s*{ADV}(?:(?:a|the|my) promotion|promoted)(?: to (?P<about>[\w -]{{3,30}}?))?(?=$|"
        rf"\s+(?:on|in|at|last|yesterday|"
        rf"this|today|and|so|starting|effective)\b)",
    ),
    (
        "layoff",
        "layoff",
        "past",
        False,
        rf"{WE}\s*(?:'ve|have|was|were|just)?\s*{ADV}(?:got|been|was|were)?\s*{ADV}(?:laid "
        rf"off|made redundant|fired(?! up)|let go(?= (?:from|by|on|last|yesterday|today|this)|$))\b",
    ),
    ("layoff", "layoff", "past", False, r"i\s*(?:just |recently )?lost my job\b"),
    (
        "new_job",
        "new_job",
        None,
        False,
        rf"{WE}\s*(?:'ve|have|'m|am|'ll be|will be)?\s*{ADV}(?:got (?:the|a(?: new)?) job|"
        rf"got hired|landed (?:the|a(?: new)?) job|landed an? \w+ job|been offered (?:the|a) "
        rf"job|start(?:ed|ing)?(?: (?:at|in|with|on|my|a|the|as))*(?: new)? (?:job|position|"
        rf"role)|start(?:ing)? work)(?: (?:at|with|as) (?P<about>[\w&' -]{{2,30}}?))?(?=$|\s+(?:on|"
        rf"in|at|last|yesterday|this|today|next|and|so|tomorrow|monday|two)\b)",
    ),
    (
        "graduation",
        "graduated",
        None,
        False,
        rf"(?:{WE}|(?:my|our) (?:\w+ )?(?:{RELATION})(?: (?-i:[A-Z])\w+)?)\s*(?:'ve|have|'m|"
        rf"am|just|is|'s|has|'ll|will)?\s*{ADV}(?:graduated|graduating|graduate|graduates)(?! "
        rf"student| school| degree)(?: from (?P<about>[\w' ]{{3,30}}?))?(?=$|\s+(?:on|in|last|"
        rf"yesterday|this|today|next|and|so|with|tomorrow|two|three)\b)",
    ),
    (
        "exam",
        "exam_passed",
        "past",
        False,
        rf"{MAYBE_WE}\s*(?:'ve|have)?\s*{ADV}(?:(?:passed|failed|aced|sat|took) (?:my|the|our) "
        rf"(?P<about>[\w -]{{0,20}}?)\s*(?:exams?|test|finals|viva|defen[cs]e|certification|"
        rf"boards?)|defended my (?P<about2>thesis|dissertation|phd))\b",
    ),
    (
        "award",
        "award",
        "past",
        False,
        rf"{MAYBE_WE}\s*(?:'ve|have|was|were)?\s*{ADV}(?:(?:won|been awarded|was awarded|took home) "
        rf"(?:(?:the|an?|first|second|third|our|my)\s+)+(?P<about>[\w' -]{{0,30}}?)\s*(?:prize|"
        rf"award|medal|trophy|scholarship|grant|fellowship|championship|place|competition|tournament|"
        rf"contest|game|race|bake-?off|quiz|derby|league|cup|match|regatta|raffle|lottery)|"
        rf"(?:received|got) (?:the|an?|my|our) (?P<about2>(?:[\w'-]+ ){{0,2}})(?:prize|award|"
        rf"medal|trophy|scholarship|grant|fellowship))\b(?! (?:for me|of))",
    ),
    (
        "breakup",
        "breakup",
        "past",
        False,
        rf"{MAYBE_WE}\s*(?:'ve|have|just|are|'re)?\s*{ADV}(?:broke up|broken up|split up|separated|"
        rf"getting (?:a divorce|divorced))\b|my (?:\w+ )?(?:boyfriend|girlfriend|partner|wife|"
        rf"husband|fianc\w+) (?:and i (?:have )?(?:just )?(?:broke up|split up|separated)|(?:just "
        rf")?(?:dumped me|left me|broke up with me))\b",
    ),
    (
        "purchase",
        "purchase",
        "past",
        False,
        rf"{MAYBE_WE}\s*(?:'ve|have)?\s*{ADV}(?:bought|purchased|closed on|got the keys (?:to|for)|"
        rf"put a deposit on|signed (?:the )?(?:lease|contract) (?:for|on)) (?:(?:a|an|our|my|"
        rf"the|new|used|first|second-hand|electric|own)\s+)*(?P<about>house|flat|apartment|"
        rf"condo|home|car|van|camper ?van|motorbike|motorcycle|boat|piano|bakery|shop|farm|"
        rf"land|plot|tesla|cottage)\b",
    ),
    (
        "sale",
        "sale",
        "past",
        False,
        rf"{MAYBE_WE}\s*(?:'ve|have)?\s*{ADV}sold (?:(?:the|our|my|old)\s+)+(?P<about>house|flat|"
        rf"apartment|condo|home|car|van|motorbike|boat|business|company|farm|shop|piano)\b",
    ),
)
