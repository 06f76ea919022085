"""What an English decision is about: the topic that is named, or that the chosen thing fills."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.extraction._en_slots import topic_of
from smartbrain.extraction.keys import part
from smartbrain.extraction.lexicon import TOPICS


def topic_in(said: str, around: str) -> str:
    """The topic of a decision: the slot that is named, or that the chosen thing fills, else the thing chosen.

    ``around`` is the clause it stands in, where "as the venue" may be.
    """
    named = _named_topic().search(around) or _topic_itself().match(said) or _topic_at_the_end().match(said)
    if named:
        topic = named["topic"] or named["topic2"]
        return next(iter(SPELT[" ".join(topic.lower().split())]))
    if _naming().search(around):
        return "name"
    if _studies().match(said) or (_subject_chosen().match(said) and not _of_work().search(around)):
        return "major"
    if _colour().match(said):
        return "color"
    if _celebrated_at().search(around) and _somewhere().search(said):
        return "venue"
    if _house().match(said):
        return "home"
    supplied = _supplies().search(around)
    if supplied:
        return _SUPPLIER.get(supplied["of"].lower(), "supplier")
    if _a_day().match(said):
        return "date"
    if _a_sum().fullmatch(said) and _of_money().search(around):
        return "price"
    chosen = _stripped(said)
    own = topic_of(chosen)
    if own:
        return own
    if _for_travel().search(around) and chosen[:1].isupper():
        return "destination"
    return part(chosen)


_SUPPLIER = {
    "insurance": "insurance",
    "phone": "phone",
    "mobile": "phone",
    "mortgage": "bank",
    "current account": "bank",
    "catering": "vendor",
}

SPELT = {topic.replace("_", " "): (topic,) for topic in TOPICS} | {
    "db": ("database",),
    "colour": ("color",),
    "licence": ("license",),
    "programming language": ("language",),
    "caterer": ("vendor",),
    "programme": ("menu",),
}


def _stripped(said: str) -> str:
    """The object chosen, without verbs of choosing and doing, and without what it was chosen over or for."""
    text = _chooses().sub("", said, count=1)
    text = _chooses().sub("", text, count=1)
    text = _over().split(text, maxsplit=1)[0]
    text = _and_with_it().split(text, maxsplit=1)[0]
    return _as_base(text.strip(" .,;:!?\"'“”"))


def _as_base(text: str) -> str:
    """ "selling the boat" is "sell the boat": a verb that stays in the key stands in its base form."""
    first, space, rest = text.partition(" ")
    return f"{_BASE_OF.get(first.lower(), first)}{space}{rest}"


_BASE_OF = {
    f"{stem}ing": base
    for base, stem in (
        ("sell", "sell"),
        ("move", "mov"),
        ("close", "clos"),
        ("open", "open"),
        ("cancel", "cancell"),
        ("cancel", "cancel"),
        ("postpone", "postpon"),
        ("delay", "delay"),
        ("change", "chang"),
        ("hold", "hold"),
        ("host", "host"),
        ("invite", "invit"),
        ("drive", "driv"),
        ("homeschool", "homeschool"),
        ("merge", "merg"),
        ("split", "splitt"),
        ("rent", "rent"),
        ("leave", "leav"),
        ("quit", "quitt"),
        ("stay", "stay"),
        ("start", "start"),
        ("stop", "stopp"),
        ("add", "add"),
        ("support", "support"),
        ("outsource", "outsourc"),
        ("rewrite", "rewrit"),
        ("paint", "paint"),
        ("join", "join"),
        ("shut", "shutt"),
        ("raise", "rais"),
    )
}


@cache
def _named_topic() -> re.Pattern[str]:
    topics = "|".join(sorted(SPELT, key=len, reverse=True))
    return re.compile(
        rf"\b(?:as|for) (?:the|our|a|an|my|his|her|their|its)?\s*(?:new |main |primary |wedding "
        rf"|conference |next )?(?P<topic>{topics})(?![\w-])(?!\s+(?:app|team|server|page|project|"
        rf"form|list|book|opening|party|committee|shop|system|module|service|redesign))",
        re.IGNORECASE,
    )


@cache
def _topic_itself() -> re.Pattern[str]:
    """ "moving the database to MySQL", "the colour will be teal"."""
    topics = "|".join(sorted(SPELT, key=len, reverse=True))
    return re.compile(
        rf"(?:(?:mov|switch|chang|migrat|keep)(?:e|ing)?\s+)?(?:the|our) (?P<topic>{topics})(?= "
        rf"(?:to|will be|is going to be|is|stays)\b)",
        re.IGNORECASE,
    )


@cache
def _topic_at_the_end() -> re.Pattern[str]:
    """ "a vegetarian menu for the wedding", "the name Juno for the boat"."""
    topics = (
        "menu|theme|venue|date|name|title|colour|color|price|budget|hotel|framework|database|vendor|supplier|caterer"
    )
    return re.compile(
        rf"(?:an?|the) (?:[\w-]+ ){{1,2}}(?P<topic>{topics})(?=$| for | at )|"
        rf"the (?P<topic2>name|title) (?-i:[A-Z])",
        re.IGNORECASE,
    )


@cache
def only_topic() -> re.Pattern[str]:
    """ "We settled on a date" does not say which."""
    topics = "|".join(sorted(SPELT, key=len, reverse=True))
    return re.compile(rf"an? (?P<topic>{topics})(?: (?:for|of) (?:next|this|the|our) .*)?", re.IGNORECASE)


@cache
def _naming() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:nam(?:e|ed|ing)|call(?:ed|ing)?) (?:the|our|him|her|it|them|my)\b(?: [\w-]+){0,2} "
        r"(?-i:[A-Z])|\b(?:be|is|are|'s|'re) (?:going to be |to be |now )?(?:called|named) \W?\w",
        re.IGNORECASE,
    )


@cache
def _studies() -> re.Pattern[str]:
    return re.compile(r"(?:to )?major(?:ing)? in \w+", re.IGNORECASE)


@cache
def _subject_chosen() -> re.Pattern[str]:
    """ "picked engineering over architecture": what is read at a university."""
    subjects = (
        "engineering|medicine|law|physics|chemistry|biology|economics|history|philosophy|math(?:s|ematics)?|psychology|"
        "computer science|linguistics|geography|sociology|architecture|dentistry|pharmacy|classics|astronomy|theology|"
        "marine biology|english literature|fine art|veterinary science|vet science|midwifery"
    )
    return re.compile(
        rf"(?:{subjects})(?=$|,| (?:over|instead of|rather than|in the end|and not|at|not)\b)", re.IGNORECASE
    )


@cache
def _of_work() -> re.Pattern[str]:
    return re.compile(r"\b(?:job|career|firm|company|client|meeting|project|team)\b", re.IGNORECASE)


@cache
def _colour() -> re.Pattern[str]:
    """ "the blue for the shop front", "dark green", "teal"."""
    return re.compile(
        r"(?:the |a |an )?(?:(?:dark|light|pale|deep|bright|navy|sage|olive|forest|sky|royal|dusty|warm|cool|"
        r"soft|off)[- ])*"
        r"(?:red|blue|green|yellow|orange|purple|pink|black|white|grey|gray|brown|teal|turquoise|navy|cream|beige|"
        r"magenta|maroon|burgundy|lilac|lavender|mint|olive|terracotta|ochre|charcoal|ivory|sage)(?: (?:one|paint))?"
        r"(?=$|,| (?:for|over|instead|not|and not|on the|in the end|rather)\b)",
        re.IGNORECASE,
    )


@cache
def _celebrated_at() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:wedding|reception|ceremony|party|do|reunion|christening|funeral|wake|meet-?up|conference|ball|"
        r"concert|gala|"
        r"birthday|retreat|anniversary|it)(?:'s| is| will be| takes place|"
        r" happens)?(?: going to be)? (?:being held |held )?"
        r"(?:at|in) |\b(?:having|holding|hosting|hold|have) (?:it|the \w+) (?:at|in) ",
        re.IGNORECASE,
    )


@cache
def _somewhere() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:barn|hall|hotel|pub|church|chapel|club|garden|farm|castle|house|centre|center|restaurant|inn|"
        r"marquee|beach|"
        r"park|school|museum|gallery|theatre|theater|library|town hall|boathouse|brewery|winery|orchard|guildhall)\b",
        re.IGNORECASE,
    )


@cache
def _house() -> re.Pattern[str]:
    """ "the one on Marsh Lane", "the flat in Ghent"."""
    return re.compile(
        r"(?:the |a )?(?:(?:small|big|smaller|bigger|old|new|cheaper|two-bed|three-bed) )?(?:house|flat|cottage|"
        r"bungalow|"
        r"apartment|condo|farmhouse|terrace)\b(?: (?:on|in|at|by|near|with)\b.*)?$|the one (?:on|in) (?:[\w']+ )+"
        r"(?:lane|road|street|avenue|drive|close|hill|way|row|terrace|square|crescent)\b",
        re.IGNORECASE,
    )


@cache
def _supplies() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:signed(?: up)?|gone|going|went|switch(?:ed|ing)|mov(?:ed|ing)) (?:with|to) .{2,40} for (?:the|our|my) "
        r"(?:new )?(?P<of>electric(?:ity)?|gas|energy|power|water|broadband|internet|wifi|insurance|phone|mobile|"
        r"mortgage|"
        r"current account|catering|flowers|printing|heating oil|oil|coal|feed|seed)\b",
        re.IGNORECASE,
    )


@cache
def _a_sum() -> re.Pattern[str]:
    return re.compile(r"[$€£]? ?\d[\d.,]*(?: ?(?:k|euros?|dollars?|pounds|quid|bucks|[$€£]))?", re.IGNORECASE)


@cache
def _of_money() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:rent|price|fees?|costs?|wage|salary|rate|dues|ticket|charge|quote|bid|offer)\b", re.IGNORECASE
    )


@cache
def _a_day() -> re.Pattern[str]:
    months = "january|february|march|april|june|july|august|september|october|november|december"
    return re.compile(
        rf"(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)\b|(?:{months}) \d|\d{{1,2}} (?:{months})|(?:mon|"
        rf"tues|wednes|thurs|fri|satur|sun)day\b)",
        re.IGNORECASE,
    )


@cache
def _for_travel() -> re.Pattern[str]:
    return re.compile(
        r"\bfor (?:the|our|my|this|next) (?:\w+ )?(?:offsite|trip|holidays?|vacation|honeymoon|"
        r"retreat|conference|reunion|getaway|weekend away|school trip|stag do|hen do)\b",
        re.IGNORECASE,
    )


@cache
def _chooses() -> re.Pattern[str]:
    choose = (
        r"go(?:ing)? (?:with|for|ahead with)|us(?:e|ing)|choos(?:e|ing)|pick(?:ing)?|tak(?:e|"
        r"ing)|buy(?:ing)?|adopt(?:ing)?|hir(?:e|ing)|get(?:ting)?"
        r"|switch(?:ing)?(?: over)?(?: from [\w .+#&-]{1,30}?)? to|mov(?:e|ing) (?:over )?from "
        r"[\w .+#&-]{1,30}? to|migrat(?:e|ing) to|stick(?:ing)? with"
        r"|renew(?:ing)?|do(?:ing)?|accept(?:ing)?|book(?:ing)?|order(?:ing)?|drop(?:ping)?|"
        r"replac(?:e|ing) [\w .+#&-]{1,30}? with|launch(?:ing)?|build(?:ing)?"
        r"|turn(?:ing)? down|reject(?:ing)?|declin(?:e|ing)|scrap(?:ping)?|mak(?:e|ing)|implement(?:ing)?|"
        r"set(?:ting)? up|hav(?:e|ing)|keep(?:ing)?|extend(?:ing)?|"
        r"approv(?:e|ing)|nam(?:e|ing)|go(?:ing)? to"
    )
    lead = (
        r"to|we'll|we will|we're|we are|i'll|i'm|not|never|going|gonna|against|that|it's|it "
        r"is|in favou?r of|go ahead and|be|no more"
    )
    return re.compile(rf"^(?:(?:{lead})\s+)*(?:(?:{choose})\s+)?", re.IGNORECASE)


@cache
def _and_with_it() -> re.Pattern[str]:
    """ "Dad's house and rent it out": what is done with it afterwards."""
    return re.compile(r"\s+and (?:\w+ (?:it|them|him|her)\b|of course\b|it\b|now\b)", re.IGNORECASE)


@cache
def _over() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:from (?:mon|tues|wednes|thurs|fri|satur|sun)day|and (?:are|will|have|is|am|then|going|booked|"
        r"told|signed)|over|instead of|rather than|as (?:the|our|a|an|my)|in the end|after all|from "
        r"now on|and not|not|starting|effective|this time|final answer|for now|for good|since|"
        r"at (?:the|today's|last night's) (?:meeting|call)|last night|yesterday|today)\b",
        re.IGNORECASE,
    )
