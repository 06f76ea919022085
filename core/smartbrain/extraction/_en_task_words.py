"""The words of English tasks that are ahead, in progress or called off."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_verbs import done_forms


@EN.sifted
def need_to() -> re.Pattern[str]:
    adverbs = (
        r"(?:(?:still|really|just|also|then|do|now|first|first of all|definitely|absolutely|"
        r"only|both|all|urgently|today|tonight|tomorrow)\s+)*"
    )
    return re.compile(
        rf"(?:(?P<remind>(?:please |can you |could you |and )*(?:(?:remind me|give me a nudge|nudge me|poke me|"
        rf"ping me)(?: again)?(?: (?:on "
        rf"\w+|tomorrow|tonight|today|next \w+|in \w+ \w+|at [\w:]+|later|this \w+|by \w+|before \w+|"
        rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: (?:morning|afternoon|evening|night))?)* (?:to|"
        rf"about(?! (?:how|what|why|when|it|that|this)\b)|that i (?:need|have) to|that we (?:need|have) to)|"
        rf"(?:don't|do not|dont) let me "
        rf"forget (?:to|about)|i (?:mustn't|must not|can't|cannot) forget to|i keep forgetting to|note to self:?|"
        rf"to-?do:?|todo list:?|add to (?:my|the) (?:to-?do )?list:?))"
        rf"|(?:i|we|my \w+ and i|i'm|we're|the team|me)\s*{adverbs}(?:'ve got to|have got to|"
        rf"gotta|got to|need to|needs? to|have to|has to|must|am supposed to|supposed to|are "
        rf"supposed to|am due to|promised (?:(?-i:[A-Z])\w+ |my \w+ |him |her |them )?(?:to|i'd|we'd)|"
        rf"'ll need to|'ll have to|will need to|will have "
        rf"to|have yet to)(?: (?:remember|make sure|not forget) to)?"
        rf"|(?:still |just |also )?(?:need to|have to|gotta|got to|must)(?: (?:remember|make "
        rf"sure|not forget) to)?)\s+{adverbs}",
        re.IGNORECASE,
    )


@cache
def and_then() -> re.Pattern[str]:
    return re.compile(r"\s+and(?: then| also| to)?\s+", re.IGNORECASE)


@cache
def first_person() -> re.Pattern[str]:
    return re.compile(r"(?:i|we|i'\w+|we'\w+|im|the|my|our)\b", re.IGNORECASE)


@EN.sifted
def us() -> re.Pattern[str]:
    return re.compile(r"(?:we|we've|the team)\b", re.IGNORECASE)


@cache
def shared_chore() -> re.Pattern[str]:
    return re.compile(
        r"(?:buy|book|renew|pay|return|call|pick up|order|ship|submit|file|fix|clean|replace|repair|send|"
        r"finish|paint|repaint|deliver|prepare|hand in|install|pack|mow)\s+(?:the|our|a|an|some|new|more|\d)\b",
        re.IGNORECASE,
    )


@EN.sifted
def asks_to_remind() -> re.Pattern[str]:
    return re.compile(r"(?:can|could|will|would) you (?:please )?(?:remind|nudge|poke|ping|give) me\b", re.IGNORECASE)


@cache
def for_you() -> re.Pattern[str]:
    return re.compile(
        r"(?:you|ask you|know|get (?:your|some) (?:advice|help|opinion|input)|help|your help)\b", re.IGNORECASE
    )


@cache
def asks_help() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:can you|could you|would you|will you|help me|any (?:ideas|advice|tips|suggestions|"
        r"thoughts)|what (?:should|would|do|are|is)|how (?:should|would|do|can|could|to)|where "
        r"(?:should|do|can)|which|suggest|recommend|advice|give me|please (?:write|help|give|"
        r"suggest|make|draft)|do you (?:have|know)|is there|are there|should i)\b",
        re.IGNORECASE,
    )


@EN.sifted
def bare() -> re.Pattern[str]:
    return re.compile(
        r"(?:ship|deliver|submit|finish|send|pay|renew|file|book|call|email|hand in|turn in|"
        r"publish|launch|release|deploy|return|order|buy|pick up|review|fix|update)\s+(?!(?:on|by|at|in|from|for|me|"
        r"us|it|this|that|you|him|her|them)\b)(?=.*\b(?:by|before|until|due|tomorrow|tonight|"
        r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)",
        re.IGNORECASE,
    )


@EN.sifted
def needs_doing() -> re.Pattern[str]:
    verbs = done_forms()
    return re.compile(
        rf"(?P<thing>(?:the|my|our|(?-i:[A-Z])?\w+'s) [\w' -]{{2,40}}?)\s+(?:still )?(?:(?:needs? to|has to|have "
        rf"to|must)\s+(?:(?:be|get) (?:{verbs}|signed|paid|cleaned|collected|picked up|ready|in)|go out|go off)\b|"
        rf"needs? (?:picking up|fixing|renewing|signing|paying|ordering|collecting|mending|sending|servicing)\b)"
        r"|(?:i|we) (?:only )?(?:have|'ve got|have got|got) until .{2,30}? to (?P<thing2>[^;]{3,60})",
        re.IGNORECASE,
    )


@EN.sifted
def onto_the_list() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:please|can you|could you|and|also) )*(?:add|put) (?P<thing>(?!it\b|this\b|that\b|these\b)[^;]{3,60}?)"
        r" (?:to|on) (?:my|our|the) (?:to-?do(?: list)?|task list|list of things to do)(?: please)?",
        re.IGNORECASE,
    )


@cache
def says_todo() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:my |our )?to-?dos?(?: list)?(?: for (?:today|tomorrow|tonight|this week|the week|(?:mon|tues|"
        r"wednes|thurs|fri|satur|sun)day))?|"
        r"(?:(?:one|two|three|four|five|some|a few|\d+) )?(?:things|errands|jobs|chores)(?: to do)?(?: "
        r"(?:left )?(?:for|before|this|on) [\w ]{3,16})?|"
        r"my list|on my list|tasks?|note to self|reminder|to do (?:today|"
        r"tomorrow|this week)|action items?)",
        re.IGNORECASE,
    )


@EN.sifted
def is_due() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:my|our|the) )?(?P<thing>(?!(?:he|she|it|they|that|this|who|which|what|baby|"
        r"my wife|our baby|bus|train|flight|ferry|plane|delivery|plumber|results?)\b)[\w' "
        r"/-]{2,50}?)(?:'s|\s+(?:is|are|was|were))\s+due\b(?!\s+to\b)",
        re.IGNORECASE,
    )


@EN.sifted
def in_progress() -> re.Pattern[str]:
    lead = (
        r"(?:(?:i|we)\s*(?:'m|'re|am|are|'ve been|have been)?\s+|i'm |we're |im |i've |we've |i have |we "
        r"have )?(?:(?:still|currently|now|just|about|already|busy|also|finally|nearly|almost)\s+)*"
    )
    return re.compile(
        rf"{lead}(?:(?:working on|halfway through|half way through|half-way through|midway "
        rf"through|part ?way through|in the middle of|partway into|knee-deep in|(?:have )?started "
        rf"(?:work on|working on|on|writing|drafting|building)(?=\s+(?:the|my|our|an? \w+ (?:report|"
        rf"proposal|essay|paper|book|draft|application|review))\b)|making (?:good |some |slow "
        rf")?progress (?:on|with)|chipping away at|(?:(?<=nearly )|(?<=almost ))(?:finished(?: with)?|done "
        rf"with)(?=\s+(?:the|my|our)\b)|\d+ ?% (?:done|through|of the way) (?:with|"
        rf"through)|making a start on|drafting|getting on with|(?:(?<=currently )|(?<=still "
        rf")|(?<=busy )|(?<='m )|(?<=now ))(?:fixing|writing|preparing|building|grading|updating|"
        rf"renovating|repainting|translating|editing|packing|sorting out|cleaning|organi[sz]ing|"
        rf"finishing|implementing|migrating|testing|marking)(?=\s+(?:the|my|our)\b))\s+)(?:(?:writing|"
        rf"doing|making|building|drafting|fixing)\s+)?",
        re.IGNORECASE,
    )


@EN.sifted
def off_the_list() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:you can|please|we can|can you|let's|just|actually|i can|so)\s+)*(?:scratch|"
        r"take|cross|strike|remove|drop|get|delete)\s+(?P<thing>[^;]{2,60}?)\s+(?:off|from) "
        r"(?:the|my|our) (?:to-?do |todo |task )?list\b",
        re.IGNORECASE,
    )


@EN.sifted
def no_need() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:there's |there is )?no (?:longer any )?need (?:for me |for us )?to(?=.*\b(?:any\s?more|"
        r"any longer|after all)\b)|(?:i|we) (?:don't|do not|needn't|won't) (?:need to|have "
        r"to)(?=.*\b(?:any\s?more|any longer|after all)\b)|(?:(?:i|we) )?no longer (?:need|"
        r"have) to|(?:please )?cancel (?:the|my) (?:task|reminder|to-?do) (?:to|about|for|"
        r"on)|forget about(?= \w+ing)|(?:please |you can )?(?:forget|drop|scrap|cancel|delete) "
        r"the (?:reminder|task|to-?do)(?: item)? (?:to|about|for|on))\s+(?P<thing>[^;]{2,60}?)(?:\s+(?:any\s?more|"
        r"any longer|after all|now)\b.*|$)",
        re.IGNORECASE,
    )


@cache
def only_points() -> re.Pattern[str]:
    """ "Do that", "deal with it": what is not to be done was named before."""
    return re.compile(
        r"(?:do|make|handle|finish|see to|deal with|worry about|bother with|think about|go through with|remember|buy|"
        r"get) "
        r"(?:it|that|this|them|those|any of (?:it|that|them)|either|so)\b(?! \w)",
        re.IGNORECASE,
    )


@cache
def empty() -> re.Pattern[str]:
    return re.compile(
        r"(?:it|this|that|them|these|those|something|everything|anything|things|stuff|one|"
        r"him|her|me|you|us|so|more|lot|do|do_it|\d+)(?:_(?:all|too|soon|properly|myself))?"
    )


@cache
def is_dated() -> re.Pattern[str]:
    return re.compile(r"(?:by|before|until|due|on|tomorrow|tonight|next|this)\b", re.IGNORECASE)


@cache
def trailing() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:btw|by the way|finally|at last|yay|woohoo|today|this morning|last night|yesterday|"
        r"now|though|lol|as we speak|right now|at the moment|currently|again|already|early|"
        r"ahead of schedule|on time|in time)\b.*$|\s*(?:!|🎉).*$",
        re.IGNORECASE,
    )
