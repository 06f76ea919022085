"""The words that make an English preference: markers of what lasts, wishes, refusals, comparisons."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_slots import Slot
from smartbrain.extraction.hits import Hit, preference

Polarity = Literal["like", "dislike"]


def slotted(
    rule: str, span: tuple[int, int], slot: Slot, value: str, polarity: Polarity, confidence: float = 0.85
) -> Hit:
    return preference(
        rule, span, scope=slot.scope, name=slot.name, value=value, polarity=polarity, confidence=confidence
    )


# A clause of so many words may be all "from now on", said of the one beside it.
FEW = 4


@cache
def any_more() -> re.Pattern[str]:
    return re.compile(r"\s+(?:any\s?more|any longer|these days|nowadays|at all|either|again)\b.*$", re.IGNORECASE)


@cache
def than() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:(?P<to>to)(?=\s+\w)|over|rather than|instead of|more than|better than|than|"
        r"not)\s+",
        re.IGNORECASE,
    )


@cache
def prefers() -> re.Pattern[str]:
    return re.compile(r"\bprefer", re.IGNORECASE)


@EN.sifted
def lasting_marker() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:from now on|from here on(?: out| in)?|from today(?: on)?|going forward|moving "
        r"forward|by default|in (?:the )?future|always|never|every (?:time|single time|answer|"
        r"reply|response|summary|email|message|claim|statement|answer|fact|snippet|function|class|script|"
        r"commit message|draft|"
        r"recipe)|in everything|only ever"
        r"|for all (?:future|my)|henceforth|as a rule|permanently|all the time|for good|at "
        r"all times|in general|each time|any ?time|all (?:our|my|your|future)|whenever|as "
        r"standard|ever again|everywhere|until i say otherwise|for everything|in all|as a "
        r"default|the default|ever$)\b",
        re.IGNORECASE,
    )


@EN.sifted
def wish() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:please|just|then|also|so|i've decided that|i have decided that|from now on|"
        r"from here on(?: out)?|going forward|by default|in future|always|never|as a rule|"
        r"kindly|everything|all)[\s,]+)*"
        r"(?:(?:i should (?:like|prefer)|i (?:always |never |only |really |just )*(?:want|need|expect|prefer|like|use|"
        r"write|indent|sit|take|book|format)|i'd (?:like|prefer|rather|want)|i would (?:like|"
        r"prefer)|can (?:we|you|i)|could (?:we|you)|will you|would you|let's|we(?:'ll| will)? "
        r"(?:only|always|never)"
        r"|don't|do not|stop|no|quit|avoid|never|always|please|keep|give|use|answer|reply|"
        r"respond|write|show|speak|talk|make|put|set|switch|display|explain|format|include|add|back|skip|"
        r"leave|drop|be|cite|start|end|send|call|address|provide|quote|round|convert|"
        r"stick|list|sign|turn|mute|default|assume|treat|limit|translate|spell|indent|name|"
        r"comment|generate|summari[sz]e|lead|begin|open|mind|remember to|you (?:should|can|"
        r"must)|your (?:answers|replies|responses)|answers|replies|responses|the answers|all "
        r"(?:answers|replies|my)|everything|code|times|dates|prices)\b)",
        re.IGNORECASE,
    )


@EN.sifted
def bare_instruction() -> re.Pattern[str]:
    about = (
        r"(?:(?:your|the|all|my|any) )?(?:answers?|repl(?:y|ies)|responses?|explanations?|"
        r"summar(?:y|ies)|messages|it|things|everything|emails|drafts|sentences)"
    )
    return re.compile(
        rf"(?:(?:please|just|also|and|only|could you|can you|pls|kindly|you can|feel free to)\s+)*(?:keep "
        rf"{about}|(?:answers|replies|responses) in|(?:(?:answer|reply|respond|write back|talk|speak|chat)(?: "
        rf"(?:to me|me|back|"
        rf"with me))?|(?:write|text) (?:to )?me)(?: only)? (?:in|with)\b|switch to [\w ]{{3,"
        rf"20}} for (?:all|your|the|our)\b|i (?:don't|do not) (?:want|need|like) (?:any |your "
        rf"|to see )*[\w ]{{3,24}} in (?:your|the|my) (?:answers|replies|responses|messages|"
        rf"code)|(?:you )?(?:should )?address me|treat me|make (?:your|the|all|my) (?:answers?|"
        rf"repl(?:y|ies)|responses?|explanations?)|be (?:more |less )?(?:brief|concise|blunt|"
        rf"direct|short|formal|informal|casual)"
        r"|explain (?:things|everything|stuff)|give me (?:short|brief|concise|detailed|the "
        r"(?:short|conclusion|answer|bottom line)|step)|no (?:more )?(?:emojis?|bullet|tables?|"
        r"jargon|flattery|small ?talk|fluff|filler|markdown|buzzwords|disclaimers|pleasantries|"
        r"sugar-?coat\w*|compliments|apologies|niceties|headings|semi-?colons|comments|tabs|docstrings|"
        r"exclamation|passive)"
        r"|(?:skip|drop|lose|cut|spare me|leave out) (?:the |all the )?(?:emojis?|flattery|"
        r"pleasantries|small ?talk|jargon|fluff|filler|disclaimers|buzzwords|apologies|pep talk|compliments|"
        r"niceties|formalities|praise|preamble|lecture)|(?:don't|do not|stop|quit|avoid) (?:use |using |with "
        r"|giving me |adding )?(?:the "
        r")?(?:emojis?|flattery|pleasantries|jargon|bullet|tables|sugar-?coat|apologi[sz]ing|"
        r"moralizing|lecturing|hedging|exclamation|markdown|buzzwords|passive voice|flatter)"
        r"|(?:use|write in) (?:british|american|uk|us|metric|imperial|celsius|fahrenheit|plain "
        r"english|bullet|24)|cite (?:your )?sources|default to|(?:start|lead|begin|open) with "
        r"the|(?:short|brief|concise|detailed|blunt) (?:answers|replies|responses)|sources?,"
        r"? please)",
        re.IGNORECASE,
    )


@EN.sifted
def a_piece() -> re.Pattern[str]:
    """A thing to be made now: "can you create a checklist for all my papers"."""
    return re.compile(
        r"\b(?:help me|creat(?:e|ing)|draft|generate|design|come up with|make me|write me|"
        r"recommend|suggest|find me)\b",
        re.IGNORECASE,
    )


@cache
def each_time() -> re.Pattern[str]:
    """ "… every time you write me a commit message": no piece to be made now."""
    return re.compile(
        r"\b(?:every time|each time|whenever|when|anything|everything|whatever|any \w+|all \w+|the \w+) (?:that )?you "
        r"(?:ever )?(?:help me|create|draft|generate|make me|write me|recommend|suggest|find me|write|give me)\b",
        re.IGNORECASE,
    )


@EN.sifted
def in_contrast() -> re.Pattern[str]:
    return re.compile(r"not\s", re.IGNORECASE)


@EN.sifted
def never_again() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:please|you can|you could|and|just|so)\s+)*(?:don't|do not|dont|stop|never|"
        r"drop|quit|lose|skip|cut|cut out|ditch|enough with|avoid|i (?:don't|do not|no longer|"
        r"never) (?:want|need)(?: any)?)\b",
        re.IGNORECASE,
    )


@EN.sifted
def just_please() -> re.Pattern[str]:
    return re.compile(r"(?:no )?(?P<what>[\w' /-]{3,40}?),? (?:please|pls|for me)(?: and thank you)?", re.IGNORECASE)


@cache
def polite() -> re.Pattern[str]:
    return re.compile(
        r"(?:can|could|will|would|may) (?:we|you|u|i|the|my|your|all|everything)\b|i'd (?:like|prefer|rather|want)|"
        r"i (?:would|should) (?:like|prefer)|do you mind|would you mind",
        re.IGNORECASE,
    )


@cache
def whenever_you() -> re.Pattern[str]:
    """ "If you give me numbers, put them in a table from now on": about what the assistant does, each time."""
    return re.compile(
        r"(?:and |so |ok |please )*(?:if|when|whenever) (?:you|i ask)\b|from now on$|always$", re.IGNORECASE
    )


@cache
def third_person() -> re.Pattern[str]:
    return re.compile(
        r"(?:he|she|they|it|my (?:boss|wife|husband|mother|mom|mum|father|dad|manager|client|"
        r"team|colleague)\w*|everyone|people|who|some)\b",
        re.IGNORECASE,
    )


@cache
def refusal() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:no|no more|not|never|stop|avoid|without|skip|don't|do not|dont|leave out|drop|"
        r"lose|quit|cut|spare me|hold the|less|fewer|enough (?:with|of)|hate|turn off|mute|"
        r"disable|ditch)\b",
        re.IGNORECASE,
    )


@cache
def turned_off() -> re.Pattern[str]:
    return re.compile(r"\s+off\b", re.IGNORECASE)


@cache
def not_but() -> re.Pattern[str]:
    return re.compile(r"\bnot\b.{1,40}\bbut\b", re.IGNORECASE)
