"""English goals and decisions: what the user aims at, and what they or their group have settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_slots import topic_of
from smartbrain.extraction._en_words import RELATION
from smartbrain.extraction.hits import Hit, decision, goal, looked_like
from smartbrain.extraction.keys import part
from smartbrain.extraction.lexicon import TOPICS


def find(clause: Clause) -> Iterator[Hit]:
    """The goals and decisions of one clause; at most one rule fires."""
    for rule in (_given_up, _reached, _goal, _decision):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return


# --- goals -------------------------------------------------------------------------------------------------------


def _goal(clause: Clause) -> Iterator[Hit]:
    match = _aims_at().match(clause.text) or _wants_for_good().match(clause.text) or _by_horizon().match(clause.text)
    if not match:
        return
    if match.re is _by_horizon() and not _horizon().search(clause.lead + clause.text):
        return
    yield from _aim(clause, "goal", match.end(), "active")


def _aim(clause: Clause, rule: str, at: int, status: str, *, retract: bool = False) -> Iterator[Hit]:
    whole = clause.span(0, len(clause.text))
    said = clause.sentence.text[slice(*clause.span(at, len(clause.text)))].strip(" .,;:!?\"'“”")
    aim = part(_trailing().sub("", said))
    reason = guards.stopped(clause)
    if not reason and (not aim or _no_aim().match(said)):
        reason = "no lasting aim"
    if reason:
        yield looked_like("goals", rule, whole, reason)
        return
    yield goal(rule, whole, aim=aim, description=said, status=status, retract=retract)


def _given_up(clause: Clause) -> Iterator[Hit]:
    match = _gives_up().match(clause.text)
    if match:
        yield from _aim(clause, "goal_given_up", match.end(), "active", retract=True)


def _reached(clause: Clause) -> Iterator[Hit]:
    match = _did_it().match(clause.text)
    if match:
        yield from _aim(clause, "goal_reached", match.end(), "done")


# --- decisions ---------------------------------------------------------------------------------------------------


def _decision(clause: Clause) -> Iterator[Hit]:
    match = _decided().match(clause.text) or _settled_as().match(clause.text)
    if match is None:
        match = _it_is_decided(clause)
    if match is None:
        return
    whole = clause.span(0, len(clause.text))
    at = match.end()
    said = clause.sentence.text[slice(*clause.span(at, len(clause.text)))].strip(" .,;:!?\"'“”")
    if match.groupdict().get("chosen"):
        said = clause.sentence.text[slice(*clause.span(*match.span("chosen")))]
    reason = guards.stopped(clause)
    alone = match.groupdict().get("alone") is not None
    if not reason and (
        not said or _undecided().match(said) or _undecided_frame().search(clause.text[_subject_at(match) : at])
    ):
        reason = "nothing decided"
    if not reason and alone and _passing().search(clause.text):
        reason = "of the moment"
    if reason:
        yield looked_like("decisions", "decision", whole, reason)
        return
    topic = topic_in(said, " ".join((clause.text, *clause.later[:1])))
    if not topic:
        yield looked_like("decisions", "decision", whole, "nothing named")
        return
    yield decision("decision", whole, topic=topic, said=said, made_at=clause.sentence.said_at)


def _subject_at(match: re.Match[str]) -> int:
    """Where the subject stands behind "after a lot of arguing"."""
    return max(match.start("group"), 0) if "group" in match.groupdict() else match.start()


def _it_is_decided(clause: Clause) -> re.Match[str] | None:
    """ "…and it's decided, we're not renewing the lease": the clause before says so."""
    before = clause.earlier[-1] if clause.earlier else clause.sentence.before
    if not _says_decided().search(before.strip()):
        return None
    return _we_do().match(clause.text)


def topic_in(said: str, around: str) -> str:
    """The topic of a decision: the slot that is named, or that the chosen thing fills, else the thing chosen.

    ``around`` is the clause it stands in, where "as the venue" may be.
    """
    named = _named_topic().search(around)
    if named:
        return next(topic for topic in _SPELT[" ".join(named["topic"].lower().split())])
    chosen = _stripped(said)
    own = topic_of(chosen)
    if own:
        return own
    if _for_travel().search(around) and chosen[:1].isupper():
        return "destination"
    return part(chosen)


_SPELT = {topic.replace("_", " "): (topic,) for topic in TOPICS} | {
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
    return text.strip(" .,;:!?\"'“”")


# --- the words ---------------------------------------------------------------------------------------------------

_I = r"(?:i|we)"
_LASTING = (
    r"learn|become|quit|give up|lose (?:weight|\w+ (?:kilos?|kg|pounds|lbs|stone))|save (?:up|enough|money|\d|"
    r"\$)|stop smoking|stop drinking|get fit|get in shape|get into (?:shape|med school|law school|college|"
    r"university|grad school)|run a (?:half[- ])?marathon|start (?:my own|a) (?:business|company|bakery|farm|"
    r"studio|shop|restaurant|podcast)|open (?:my own|a|our own) [\w-]+|write a (?:book|novel|memoir)|publish a|"
    r"buy a (?:house|flat|home)|buy our (?:first|own)|pay off|retire|qualify|graduate|master|climb mount|move "
    r"(?:to (?-i:[A-Z])|abroad)|earn a|pass the (?:bar|exam|test|\w+ exam)|cut down on|cut back on|kick (?:the|"
    r"my)|reach \w+ (?:level|fluency)"
)


@cache
def _aims_at() -> re.Pattern[str]:
    return re.compile(
        rf"(?:my|our) (?:(?:main|big|biggest|long-term|short-term|only|next|current|ultimate|new|personal|"
        rf"career|fitness|financial|life|new year's|number one|real|lifelong|team'?s?)\s+)*(?:goal|aim|"
        rf"dream|ambition|target|resolution|objective|plan)(?: (?:for|this|by|in|at) [\w' ]{{2,30}}?)?(?: "
        rf"(?:now|here|right now))?(?:\s+(?:is|has always been|was always)|'s|:)\s+(?:(?:still|simply|just|"
        rf"now)\s+)*(?:to\s+)?(?=\w)"
        rf"|(?:{_I}\s*(?:'m|'re|am|are|'ve been|have been)?\s+|i'm |we're |im )?(?:(?:currently|still|also|"
        rf"now|actively|seriously|really|slowly)\s+)*(?:aiming (?:to|for)|training for|saving (?:up )?"
        rf"(?:for|to)|studying for|studying to(?=\s+(?:pass|become))|trying to(?=\s+(?:{_LASTING}|eat "
        rf"(?:less|more|healthier)|drink less|get (?:better|pregnant|promoted|a (?:job|promotion))|read "
        rf"(?:more|\d+)|walk \d|sleep (?:more|better)|build a habit|save|lose|learn|quit|become|improve my "
        rf"(?:\w+) (?:to|by)))|working towards?|working my way towards?|determined to|on a mission to)\s+",
        re.IGNORECASE,
    )


@cache
def _wants_for_good() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:(?:really|still|just|also|eventually|finally|do|one day|someday|definitely|"
        rf"always)\s+)*(?:want|plan|am planning|'m planning|are planning|'re planning|intend|hope|aim|"
        rf"dream|have (?:always )?dreamt|have (?:always )?wanted|am hoping|'m hoping|'m determined|"
        rf"am determined|'m going|am going|have decided(?! )|need|have|must|'ve got) (?:to|of) (?:"
        rf"(?:finally|really|eventually)\s+)?(?={_LASTING})",
        re.IGNORECASE,
    )


@cache
def _by_horizon() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:(?:really|still|just|also|do|definitely)\s+)*(?:want|plan|am planning|'m planning|"
        rf"are planning|'re planning|intend|aim|'m determined|am determined) to\s+(?!(?:go|see|eat|watch|"
        rf"know|ask|talk|visit|be|have|take|stay|leave|come|meet|sleep|try|make|get|do|use|call)\b)",
        re.IGNORECASE,
    )


@cache
def _horizon() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:this year|next year|by (?:the end of|january|february|march|april|may|june|july|august|"
        r"september|october|november|december|summer|winter|spring|autumn|fall|christmas|next|\d{4}|age|"
        r"my)|before (?:i turn|i'm|the end|graduation|i graduate|\d{4})|within (?:the|a|two|three|\d)|"
        r"in the next (?:\w+ )?(?:months|years|year)|someday|one day|in \d{4})\b",
        re.IGNORECASE,
    )


@cache
def _gives_up() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:'ve|have|'m|am)?\s*(?:(?:finally|officially|completely|just|pretty much)\s+)*"
        rf"(?:given up on|gave up on|giving up on|abandoned|no longer (?:training|studying|saving(?: up)?|"
        rf"aiming) (?:for|to)|not (?:training|studying|saving(?: up)?|aiming) (?:for|to)"
        rf"(?=.*\bany\s?more\b)|stopped (?:training|studying|saving(?: up)?|aiming) for)\s+"
        rf"(?:the idea of\s+|the plan to\s+|my (?:goal|dream) of\s+)?",
        re.IGNORECASE,
    )


@cache
def _did_it() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:'ve|have)?\s*(?:finally |just )*(?:reached|achieved|hit|met) (?:my|our) (?:goal|target|"
        rf"aim) (?:of|to)\s+",
        re.IGNORECASE,
    )


@cache
def _trailing() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:this year|next year|someday|one day|eventually|any\s?more|or (?:die|bust)|at the moment|"
        r"right now|this time|for real|finally|for good|or the|with (?:my|the help)|in my)\b.*$",
        re.IGNORECASE,
    )


@cache
def _no_aim() -> re.Pattern[str]:
    return re.compile(
        r"(?:it|this|that|them|something|everything|be (?:better|happy|kind|good|a better)|simple|clear|help|"
        r"just|not\b|the same|what|how|why|you|yours|have fun|relax|a good|understand|know|find|make sure|get "
        r"(?:this|it|there|through)|create|feel|ensure|keep|survive)\b",
        re.IGNORECASE,
    )


@cache
def _decided() -> re.Pattern[str]:
    group = (
        rf"(?:we|(?:my|our|the) [\w' -]{{2,40}}?(?: and (?:i|me))?|(?:me|i) and [\w' ]{{2,24}}|(?:"
        rf"(?-i:[A-Z])\w+|my (?:{RELATION})) and i|the (?:board|team|committee|family|council|club|group|"
        rf"department|company)|everyone)"
    )
    have = (
        r"(?:'ve|have|has|had|all|both|finally|now|just|also|together|eventually|recently|officially|ended up|"
        r"jointly|unanimously)"
    )
    choose = (
        r"(?:decided (?:that )?(?:to go with|on|for|against|in favou?r of|we'll go with|we will go with|"
        r"we're going with|to|not to|that)|decided|agreed (?:on|to(?! disagree)|that we'll|that we will)|"
        r"settled (?:on|for)|settled|picked|chose|chosen|selected|opted (?:for|to)|voted (?:for|to|on)|"
        r"landed on|went with|committed to|signed off on|approved|confirmed|locked in)"
    )
    now = (
        r"(?:'re|are|is|'s)\s+(?:(?:now|officially|definitely|finally|all|going to|gonna)\s+)*(?:going with|"
        r"go with|use(?= )|switching (?:over )?(?:from [\w .+#&-]{1,30}? )?to|moving "
        r"(?:over )?from [\w .+#&-]{1,30}? to|migrating (?:from [\w .+#&-]{1,30}? )?to|sticking with|dropping|"
        r"ditching|replacing [\w .+#&-]{1,30}? with|standardi[sz]ing on|adopting|choosing|not(?=\s+(?:renewing|"
        r"selling|moving|hiring|buying|doing|going|extending|launching|using|switching|keeping|taking|having|"
        r"inviting|holding|opening|closing|adding|supporting|building|expanding|changing|offering|"
        r"accepting)\b)|cancelling(?= the (?:contract|project|event|subscription|wedding|launch|trip)))"
    )
    return re.compile(
        rf"(?:(?:after|following|at|in|last|this|yesterday|today|eventually|finally)\b[\w' -]{{0,40}}?\s)?"
        rf"(?:(?P<group>{group})\s*(?:{have}\s+)*(?:{choose}|{now}|switched (?:over )?"
        rf"(?:from [\w .+#&-]{{1,30}}? )?to|moved (?:over )?from [\w .+#&-]{{1,30}}? to)"
        rf"|(?P<alone>i)\s*(?:(?:'ve|have|finally|just|now|also|officially)\s+)*(?:decided (?:to go with|"
        rf"on|against|that i'm|that i am|not to|to)|settled on|chosen|chose|picked|opted (?:for|to)|"
        rf"gone with|went with|committed to|accepted(?= the (?:offer|job|position)))"
        r"|(?:from|starting|as of) (?:next|this|now|today|monday|january|february|march|april|may|june|"
        r"july|august|september|october|november|december|\w+ \d)\w*(?: \w+)?(?: on)? we(?:'ll| will|'re|"
        r" are)? (?:use|using|only use|go with|going with|switch to|switching to|move to|moving to)|we"
        r"(?:'ll| will) (?:use|go with|stick with|take|switch to|move to|adopt)|we now use|let's (?:just )?"
        r"(?:go with|use|stick with|settle on|switch to|do with)|(?:the |our |my )?(?:final )?decision"
        r"(?: is|:| was| made:?)|decided:|(?:final (?:answer|choice):))\s+(?:to\s+(?:go with\s+|use\s+)?|"
        r"that\s+|on\s+)?",
        re.IGNORECASE,
    )


@cache
def _settled_as() -> re.Pattern[str]:
    return re.compile(
        r"(?P<chosen>(?-i:[A-Z])[\w.+# -]{1,30}?) it is\b(?! (?:a|an|the|not|so|very|too|my|just|now \d)\b)"
        r"(?=$|,|\.|!|\s+(?:then|for))",
        0,
    )


@cache
def _says_decided() -> re.Pattern[str]:
    return re.compile(
        r"(?:it's|it is|that's|so it's|and it's|is) (?:(?:all|now|finally|officially)\s+)?(?:decided|settled|"
        r"final|official)\b[.!:]*$|\b(?:decision|decided|final answer|verdict|call's over|meeting's over|"
        r"(?:made|made up|making) (?:up )?(?:my|our) minds?|done deal|vote(?: was| is|'s) (?:in|"
        r"unanimous))\s*[.!:]*$",
        re.IGNORECASE,
    )


@cache
def _we_do() -> re.Pattern[str]:
    return re.compile(
        r"(?:we|i)(?:'re|'ll|'m| are| will| am)\s+(?:(?:going to|gonna)\s+)?(?:go(?:ing)? with\s+|use\s+|tak"
        r"(?:e|ing)\s+|not\s+)?",
        re.IGNORECASE,
    )


@cache
def _undecided() -> re.Pattern[str]:
    return re.compile(
        r"(?:the flow|it\b|this\b|that\b|what\b|how\b|if\b|whether\b|yet\b|nothing|anything|something|"
        r"them\b|him\b|her\b|up\b|out\b|everyone|people|my gut|(?:that )?(?:from now on|going forward|"
        r"henceforth)|to disagree|disagree|see\b|check\b|wait\b|ask\b|talk\b|be (?:more|less|a|honest|"
        r"better|nice|kind)|try\b|focus\b|keep\b|take (?:a|it|some)|give (?:it|you|this|myself)|let\b|"
        r"share|reach out|open up|start (?:with|by|over)|think|look|post|write you|come\b|meet\b|do (?:it|"
        r"this|that|something)|make (?:it|this|the most|a)|put\b|get (?:some|a|back|up|out|it|into)|have "
        r"(?:a|some|fun)|spend|enjoy|call it|stay in|stay home|relax|lunch|dinner|you\b|yours\b|your\b|"
        r"work on|one of|fun\b|each other|love\b|the (?:first|second|third|former|latter|last|one|ones|"
        r"other|same|idea|plan|option)\b|option|a (?:few|lot|different|new (?:one|approach))|cheese|no\b|"
        r"good|great)(?![\w-])",
        re.IGNORECASE,
    )


@cache
def _undecided_frame() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:haven't|hasn't|have not|has not|not yet|never|almost|nearly|n't|can't|still|need to|should|"
        r"about to|about|once|before|when|until|after)\b",
        re.IGNORECASE,
    )


@cache
def _passing() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:for (?:\w+ )?(?:minutes?|hours?|a bit|a while|now|lunch|dinner|breakfast)|today|tonight|"
        r"this (?:morning|afternoon|evening|weekend)|lie down|nap|sleep|eat|stay in|skip|watch|order (?:in|"
        r"pizza|takeout|a)|walk|cook|bake|drink|go (?:to|for|out|home|back|on a)|have (?:a|another)|play|"
        r"read|rest|relax|just|wear|clean|tidy|treat myself|visit|see|hang|grab|swing by|pop|surprise|"
        r"write|message|text|call|share)\b",
        re.IGNORECASE,
    )


@cache
def _named_topic() -> re.Pattern[str]:
    topics = "|".join(sorted(_SPELT, key=len, reverse=True))
    return re.compile(
        rf"\b(?:as|for) (?:the|our|a|an|my|his|her|their|its)?\s*(?:new |main |primary |wedding |"
        rf"conference |next )?(?P<topic>{topics})(?![\w-])(?!\s+(?:app|team|server|page|project|form|list|"
        rf"book|opening|party|committee|shop|system|module|service|redesign))",
        re.IGNORECASE,
    )


@cache
def _for_travel() -> re.Pattern[str]:
    return re.compile(
        r"\bfor (?:the|our|my|this|next) (?:\w+ )?(?:offsite|trip|holidays?|vacation|honeymoon|retreat|"
        r"conference|reunion|getaway|weekend away|school trip|stag do|hen do)\b",
        re.IGNORECASE,
    )


@cache
def _chooses() -> re.Pattern[str]:
    return re.compile(
        r"^(?:(?:to|we'll|we will|we're|we are|i'll|i'm|not|never|going|gonna|against|that|it's|it is|"
        r"in favou?r of|go ahead and)\s+)*(?:(?:go(?:ing)? (?:with|for|ahead with)|us(?:e|ing)|choos(?:e|"
        r"ing)|pick(?:ing)?|tak(?:e|ing)|buy(?:ing)?|adopt(?:ing)?|switch(?:ing)?(?: over)?"
        r"(?: from [\w .+#&-]{1,30}?)? to|mov(?:e|ing) (?:over )?from [\w .+#&-]{1,30}? to|migrat(?:e|"
        r"ing) to|stick(?:ing)? with|hir(?:e|ing)|get(?:ting)?|renew(?:ing)?|do(?:ing)?|accept(?:ing)?|sell"
        r"(?:ing)?(?= (?:the|my|our))|keep(?:ing)?|extend(?:ing)?|postpon(?:e|ing)|cancel(?:l?ing)?|mov"
        r"(?:e|ing)(?= (?:the|our|my))|hold(?:ing)?|hav(?:e|ing)|invit(?:e|ing)|open(?:ing)?|clos(?:e|ing)|"
        r"chang(?:e|ing)|offer(?:ing)?|support(?:ing)?|book(?:ing)?|order(?:ing)?|drop(?:ping)?|replac(?:e|"
        r"ing) [\w .+#&-]{1,30}? with|launch(?:ing)?|build(?:ing)?|mak(?:e|ing)|hold(?:ing)?(?= (?:it|"
        r"the))|implement(?:ing)?|set(?:ting)? up)\s+)?",
        re.IGNORECASE,
    )


@cache
def _over() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:over|instead of|rather than|as (?:the|our|a|an|my)|in the end|after all|from now on|and not|"
        r"not|starting|effective|this time|final answer|for now|for good|since|at (?:the|today's|last night's) "
        r"(?:meeting|call)|last night|yesterday|today)\b",
        re.IGNORECASE,
    )
