"""English goals and decisions: what the user aims at, and what they or their group have settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_slots import slot_exactly, topic_of
from smartbrain.extraction._en_verbs import as_base
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
    labelled = clause.whole[: clause.start].rstrip().endswith(":")
    if labelled and clause.earlier and _labels_goal().fullmatch(clause.earlier[-1].strip()):
        yield from _aim(clause, "goal", 0, "active")
        return
    match = _aims_at().match(clause.text) or _wants_for_good().match(clause.text) or _by_horizon().match(clause.text)
    if not match:
        longed = _would_like().match(clause.text)
        if longed:
            yield from _aim(clause, "goal", longed.end(), "active", wished=True)
        return
    if match.re is _by_horizon() and not _horizon().search(clause.lead + clause.text):
        return
    yield from _aim(clause, "goal", match.end(), "active")


def _aim(
    clause: Clause, rule: str, at: int, status: str, *, retract: bool = False, wished: bool = False
) -> Iterator[Hit]:
    whole = clause.span(0, len(clause.text))
    said = clause.sentence.text[slice(*clause.span(at, len(clause.text)))].strip(" .,;:!?\"'“”")
    aim = part(as_base(_trailing().sub("", said)))
    reason = guards.stopped(clause)
    reason = "" if wished and reason == "hypothesis" else reason
    if not reason and (not aim or _no_aim().match(_trailing().sub("", said))):
        reason = "no lasting aim"
    if reason:
        yield looked_like("goals", rule, whole, reason)
        return
    yield goal(rule, whole, aim=aim, description=said, status=status, retract=retract)


def _given_up(clause: Clause) -> Iterator[Hit]:
    match = _gives_up().match(clause.text)
    if match and not slot_exactly(clause.text[match.end() :]):  # "I gave up on Chrome"
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
    if _lets().match(match[0]) and match[0].rstrip().lower().endswith("that"):
        at = match.start() + match[0].lower().rindex("that")  # "let's go with that one"
    said = clause.sentence.text[slice(*clause.span(at, len(clause.text)))].strip(" .,;:!?\"'“”*_")
    if match.groupdict().get("chosen"):
        said = clause.sentence.text[slice(*clause.span(*match.span("chosen")))]
    reason = guards.stopped(clause)
    alone = match.groupdict().get("alone") is not None
    if match.groupdict().get("goes_on"):  # "we talked it over and decided to …"
        mine = _we_or_i().match(clause.earlier[-1].strip()) if clause.earlier else None
        if mine is None and (clause.earlier or not _settled_on_name().match(clause.text)):
            return
        alone = mine is not None and mine[0].lower().startswith("i")
    if not reason and (
        not said or _undecided().match(said) or _undecided_frame().search(clause.text[_subject_at(match) : at])
    ):
        reason = "nothing decided"
    if not reason and alone and _passing().search(clause.text):
        reason = "of the moment"
    if reason:
        yield looked_like("decisions", "decision", whole, reason)
        return
    opened = _only_topic().fullmatch(said)
    joint = clause.onward()[len(clause.text) :]
    if opened and clause.later and (_says_which().match(joint) or _names_it().fullmatch(clause.later[0].strip(" .!"))):
        named = next(iter(_SPELT[" ".join(opened["topic"].lower().split())]))
        chosen = clause.later[0].strip(" .,;:!?\"'“”")
        yield decision("decision", whole, topic=named, said=chosen, made_at=clause.sentence.said_at)
        return
    topic = topic_in(said, " ".join((clause.text, *clause.later[:1])))
    if not topic or _only_topic().fullmatch(said):
        yield looked_like("decisions", "decision", whole, "nothing named")
        return
    yield decision("decision", whole, topic=topic, said=said, made_at=clause.sentence.said_at)


def _subject_at(match: re.Match[str]) -> int:
    """Where the subject stands behind "after a lot of arguing"."""
    if "group" not in match.groupdict():
        return match.start()
    return max(match.start("group"), match.start("alone"), 0)


def _it_is_decided(clause: Clause) -> re.Match[str] | None:
    """ "…and it's decided, we're not renewing the lease": the clause before says so."""
    before = clause.earlier[-1] if clause.earlier else clause.sentence.before
    after = clause.later[0] if clause.later else ""
    labelled = clause.whole[: clause.start].rstrip().endswith(":")
    if labelled and _labels_decision().search(before.strip()) and len(clause.text.split()) <= _SHORT:
        return _any_words().match(clause.text)
    if _says_decided().search(before.strip()) or _says_decided().search(after.strip()):
        return _we_do().match(clause.text)
    return None


_SHORT = 12


def topic_in(said: str, around: str) -> str:
    """The topic of a decision: the slot that is named, or that the chosen thing fills, else the thing chosen.

    ``around`` is the clause it stands in, where "as the venue" may be.
    """
    named = _named_topic().search(around) or _topic_itself().match(said) or _topic_at_the_end().match(said)
    if named:
        topic = named["topic"] or named["topic2"]
        return next(iter(_SPELT[" ".join(topic.lower().split())]))
    if _naming().search(around):
        return "name"
    if _a_day().match(said):
        return "date"
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

# --- the words ---------------------------------------------------------------------------------------------------

_SETTLING = (
    r"(?:go with|go for|use(?! (?:this|that|it|my|some))|switch|move (?:to|the|our|into|"
    r"in with|back)|sell|buy|hire|fire|postpone|cancel|launch|adopt|keep|stay (?:with|"
    r"in|at)|leave|quit|accept|take (?:the|on)|get (?:a|the|rid of)|retire|relocate|start "
    r"(?:a|an|our|my|using)|open|close|enrol|apply|migrate|rewrite|drop|replace|renew|"
    r"extend|rent|build|hold|paint|name|call (?:it|her|him|the)|homeschool|merge|split|"
    r"stop|give up|turn down|decline|reject|retrain|resign|upgrade|downsize|scrap|expand|rebrand|emigrate|plant|foster|"
    r"put off|pause|freeze|invest|raise|lower|cap|limit|skip the|add|outsource|standardi[sz]e|"
    r"refactor|release|ship|publish|delay|end|study|major|have (?:the|a|our)|invite|serve|"
    r"store|deploy|host|support|charge|stick with|go (?:back|ahead|to (?:grad|law|med|"
    r"art|trade))|divorce|marry|separate|donate|join|become|specialize)"
)
_I = r"(?:i|we)"
_LASTING = (
    r"learn(?! (?:how|about|more|from|what|this|that|it|a (?:bit|lot|few|thing)|to (?:be|"
    r"love|live|accept|let|trust|deal|cope|appreciate|say|understand|listen|communicate|"
    r"manage|balance|relax|use|do))\b)|become(?! (?:\w+ier\b|more|better|a better|stronger|closer|"
    r"aware))|quit|give up|lose (?:weight|\w+ (?:kilos?|kg|pounds|lbs|stone))|save (?:up|"
    r"enough|money|\d|\$)|stop smoking|stop drinking|get fit|get in shape|get into (?:shape|"
    r"med school|law school|college|university|grad school)|run a (?:half[- ])?marathon|"
    r"start (?:my own|a) (?:business|company|bakery|farm|studio|shop|restaurant|podcast)|"
    r"open (?:my own|a|our own) [\w-]+|get fit|swim|speak|be (?:fluent|debt[- ]free|certified|"
    r"able to run|mortgage[- ]free)|own a|build a house|climb|finish my (?:degree|phd|"
    r"thesis|novel|book|masters?)|publish|read \d+|visit every|write a (?:book|novel|memoir)|"
    r"publish a|buy a (?:house|flat|home)|buy our (?:first|own)|pay off|retire|qualify|"
    r"graduate|master|climb mount|run (?:an?|my first|the) (?:[\w-]+ ){0,2}(?:marathon|10k|5k|ultra\w*|triathlon)|"
    r"get (?:my|a|an|the) (?:[\w'-]+ ){0,2}(?:licen[cs]e|degree|diploma|certificat\w+|black belt|visa|citizenship|phd|"
    r"masters?)\b|move (?:to (?-i:[A-Z])|abroad)|earn a|pass the (?:bar|"
    r"exam|test|\w+ exam)|cut down on|cut back on|kick (?:the|my)|reach \w+ (?:level|fluency)"
)


@cache
def _aims_at() -> re.Pattern[str]:
    return re.compile(
        rf"(?:my |our |the )?(?:big |main |new |next )?(?:goals?|aim|resolution|target)(?: "
        rf"(?:for|this|by|in) [\w' ]{{2,24}}?)?:\s+(?:to\s+)?(?=\w)|(?:my|our) (?:(?:main|big|"
        rf"biggest|long-term|short-term|only|next|current|ultimate|new|personal|career|fitness|"
        rf"financial|life|new year's|number one|real|lifelong|team'?s?)\s+)*(?:goal|aim|dream|"
        rf"ambition|target|resolution|objective|plan)(?: (?:for|this|by|in|at) [\w' ]{{2,30}}?)?(?: "
        rf"(?:now|here|right now))?(?:\s+(?:is|has always been|was always)|'s|:)\s+(?:(?:still|"
        rf"simply|just|now)\s+)*(?:to\s+)?(?=\w)"
        rf"|(?:{_I}\s*(?:'m|'re|am|are|'ve been|have been)?\s+|i'm |we're |im )?(?:(?:currently|"
        rf"still|also|now|actively|seriously|really|slowly)\s+)*(?:aiming (?:to|for)|training "
        rf"for|saving (?:up )?(?:for|to)|studying for|studying to(?=\s+(?:pass|become))|trying "
        rf"to(?=\s+(?:{_LASTING}|eat (?:less|more|healthier)|drink less|get (?:pregnant|promoted|"
        rf"a (?:job|promotion))|read (?:more|\d+)|walk \d|sleep (?:more|better)|build a habit|"
        rf"save|lose|quit|learn (?:to|the|\w+$)(?! more)|improve my (?:\w+) (?:to|by)))|working "
        rf"(?:towards?|on(?=\s+(?:losing|quitting|learning|becoming|getting (?:fit|in shape)|saving)\b))|"
        rf"hoping to(?=\s+(?:{_LASTING}|pass|get into|retire))|plan(?:ning)? on(?=\s+(?:learning|"
        rf"becoming|quitting|saving|running|opening|retiring|moving to)\b)|working my way towards?|"
        rf"(?:determined|on a mission) to(?=\s+(?:{_LASTING})))\s+"
        rf"|{_I}(?:'ve| have)? set (?:myself|ourselves) (?:the |a )?(?:goal|target) (?:of|to)\s+",
        re.IGNORECASE,
    )


@cache
def _labels_goal() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:my|our|the) )?(?:(?:big|main|new|next|new year's) )*(?:goals?|aim|resolution|"
        r"target)s?(?: (?:for|this|by|in) [\w' ]{2,24})?",
        re.IGNORECASE,
    )


@cache
def _wants_for_good() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:(?:really|still|just|also|eventually|finally|do|one day|someday|definitely|"
        rf"always)\s+)*(?:wanna(?= )|(?:want|plan|am planning|'m planning|are planning|'re planning|"
        rf"intend|hope|aim|dream|have (?:always )?dreamt|have (?:always )?wanted|am hoping|"
        rf"'m hoping|'m determined|am determined|'m going|am going|have decided(?! )|need|have|"
        rf"must|'ve got) (?:to|of)) (?:(?:finally|really|eventually)\s+)?(?={_LASTING})",
        re.IGNORECASE,
    )


@cache
def _would_like() -> re.Pattern[str]:
    """ "I'd like to become a head chef someday": polite words for a lasting aim."""
    return re.compile(
        rf"(?:{_I}'d|{_I} would) (?:really |eventually |one day )?(?:like|love) to (?={_LASTING})", re.IGNORECASE
    )


@cache
def _by_horizon() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:(?:really|still|just|also|do|definitely)\s+)*(?:wanna|(?:want|plan|am planning|"
        rf"'m planning|are planning|'re planning|intend|aim|'m determined|am determined) to)\s+(?!(?:go|"
        rf"see|eat|watch|know|ask|talk|visit|be|have|take|stay|leave|come|meet|sleep|try|make|"
        rf"get|do|use|call)\b)",
        re.IGNORECASE,
    )


@cache
def _horizon() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:this year|next year|by (?:the end of|january|february|march|april|may|june|"
        r"july|august|september|october|november|december|summer|winter|spring|autumn|fall|"
        r"christmas|next|\d{4}|age|my)|before (?:i turn|i'm|the end|graduation|i graduate|"
        r"\d{4})|within (?:the|a|two|three|\d)|in the next (?:\w+ )?(?:months|years|year)|"
        r"someday|one day|in \d{4})\b",
        re.IGNORECASE,
    )


@cache
def _gives_up() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_I}\s*(?:'ve|have|'m|am)?\s*|(?=(?:no longer|gave up on|given up on|giving up "
        rf"on)\b))(?:(?:finally|officially|completely|"
        rf"just|pretty much)\s+)*(?:given up on|gave up on|giving up on|abandoned|no longer "
        rf"(?:training|studying|saving(?: up)?|aiming) (?:for|to)|not (?:training|studying|"
        rf"saving(?: up)?|aiming) (?:for|to)(?=.*\bany\s?more\b)|stopped (?:training|studying|"
        rf"saving(?: up)?|aiming) for)\s+(?:the idea of\s+|the plan to\s+|my (?:goal|dream) "
        rf"of\s+)?",
        re.IGNORECASE,
    )


@cache
def _did_it() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:'ve|have)?\s*(?:finally |just )*(?:reached|achieved|hit|met) (?:my|our) "
        rf"(?:goal|target|aim) (?:of|to)\s+",
        re.IGNORECASE,
    )


@cache
def _trailing() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:this year|next year|someday|one day|eventually|any\s?more|or (?:die|bust)|"
        r"at the moment|right now|this time|for real|finally|for good|or the|with (?:my|the "
        r"help)|in my|like we|as we|as discussed|too|as well|by sharing|lately|recently|coming "
        r"up|for the (?:past|last)|since|within (?:a|the next|two|three|four|five|\d+)|in the next)\b.*$",
        re.IGNORECASE,
    )


@cache
def _no_aim() -> re.Pattern[str]:
    return re.compile(
        r"(?:.*\b(?:it|those|these)\b|.*\b(?:this|that)\b(?! (?:year|month|week|summer|winter|"
        r"spring|autumn|fall|semester))|it|this|that|them|something|everything|be (?:better|"
        r"happy|kind|good|a better)|simple|clear|help|just|not\b|the same|what|how|why|you|"
        r"yours|have fun|relax|a good|understand|know|find|make sure|get (?:this|it|there|"
        r"through)|create|feel|ensure|keep|survive)\b",
        re.IGNORECASE,
    )


@cache
def _decided() -> re.Pattern[str]:
    group = (
        rf"(?:we|(?:my|our|the) (?:[\w'-]+ ){{0,3}}?(?:team|committee|board|family|group|club|"
        rf"company|department|council|crew|band|choir|class|partners?|co-op|co-?founders?|parents|"
        rf"squad|office|school|department|union|association|society|management|kids|editors?|"
        rf"jury|panel)(?: and (?:i|me))?|(?:my|our) (?:\w+ )?(?:{RELATION})(?: (?-i:[A-Z])\w+)? "
        rf"and (?:i|me)|(?:me|i) and [\w' ]{{2,24}}|(?:(?-i:[A-Z])\w+|my (?:{RELATION})) and "
        rf"i|the (?:board|team|committee|family|council|club|group|department|company)|my [\w-]+(?: [\w-]+)? "
        rf"and i|everyone)"
    )
    have = (
        r"(?:'ve|have|has|had|all|both|finally|now|just|also|together|eventually|recently|"
        r"officially|ended up|jointly|unanimously)"
    )
    choose = (
        rf"(?:decided (?:that )?(?:to go with|on|for|against|in favou?r of|we'll go with|we "
        rf"will go with|we're going with|to(?=\s+(?:{_SETTLING}))|not to|that)|agreed (?:on|"
        rf"to(?! disagree)|that we'll|that we will)|settled (?:on|for)|picked|chose|chosen|"
        rf"selected|opted (?:for|to)|gone with|voted (?:for|to|on)|scrapped|axed|shelved|dropped(?= "
        rf"(?:the|our|support))|cancelled(?= (?:the|our))|canceled(?= (?:the|our))|ditched(?= "
        rf"(?:the|our))|renamed|outsourced|landed on|went with|committed to|signed off on|approved|"
        rf"confirmed|locked in|choosing|picking)"
    )
    now = (
        r"(?:'re|are|is|'s)\s+(?:(?:now|officially|definitely|finally|all|going to|gonna)\s+)*(?:going "
        r"with|go with|use(?= )|switching (?:over )?(?:from [\w .+#&-]{1,30}? )?to|moving "
        r"(?:over )?from [\w .+#&-]{1,30}? to|migrating (?:from [\w .+#&-]{1,30}? )?to|sticking with|staying "
        r"with|naming|calling (?:the|our|it|him|her)(?= \w+ (?-i:[A-Z]))|dropping(?! (?:off|"
        r"by|in|the kids|him|her|them|me))|ditching|keeping(?= .*\b(?:final|for good|after "
        r"all)\b)|using(?=.*\b(?:from now on|going forward|instead of)\b)|taking(?= (?:the|"
        r"our) (?:flat|house|apartment|job|offer|room|deal|van|car|other))|moving(?=\s+(?:the|"
        r"our) \w+ (?:over )?(?:to|from) (?-i:[A-Z]))|buying(?= (?:the|a) (?:house|"
        r"flat|car|farm|shop))|replacing [\w .+#&-]{1,30}? with|standardi[sz]ing on|adopting|"
        r"choosing|not(?=\s+(?:renewing|selling|moving|hiring|buying|doing|going|extending|"
        r"launching|using|switching|keeping|taking|having|inviting|holding|opening|closing|"
        r"adding|supporting|building|expanding|changing|offering|accepting)\b)|cancelling(?= "
        r"the (?:contract|project|event|subscription|wedding|launch|trip)))"
    )
    return re.compile(
        rf"(?:(?:after|following|at|in|last|this|yesterday|today|eventually|finally)\b[\w' "
        rf"-]{{0,40}}?\s)?(?:(?P<group>{group})\s*(?:{have}\s+)*(?:{choose}|{now}|switched "
        rf"(?:over )?(?:from [\w .+#&-]{{1,30}}? )?to|moved (?:over )?from [\w .+#&-]{{1,30}}? "
        rf"to)"
        rf"|(?P<goes_on>(?:(?:then|finally|have|eventually) )*(?=decided|agreed|settled on|chose|opted)(?:{choose}))"
        rf"|(?P<alone>i)\s*(?:(?:'ve|have|finally|just|now|also|officially)\s+)*(?:decided "
        rf"(?:to go with|on|against|that i'm|that i am|not to|to(?=\s+(?:{_SETTLING})))|settled "
        rf"on|(?:(?<='ve )|(?<=have )|(?<=finally )|(?<=just ))(?:chosen|picked|gone with|opted "
        rf"for)|committed to|agreed to(?=\s+(?:{_SETTLING}))|accepted(?= the (?:offer|job|position)))"
        r"|(?:from|starting|as of) (?:next|this|now|today|monday|january|february|march|april|"
        r"may|june|july|august|september|october|november|december|\w+ \d)\w*(?: \w+)?(?: "
        r"on)? we(?:'ll| will|'re| are)? (?:use|using|only use|go with|going with|switch to|"
        r"switching to|move to|moving to)|we (?:won't|will not|are not going to)(?: be)?(?=\s+(?:renew|"
        r"extend|sell|hold|host|attend|offer|support|continu|us|buy|hir|tak)(?:e|ing)?\b)|"
        r"we(?:'ll| will) (?:use|go with|stick with|take|switch to|move to|adopt)|we now use|"
        r"(?=settled on (?-i:[A-Z]))settled on|let's (?:just )?(?:go with|use|stick with|settle on|switch to|"
        r"do with)|(?:the |our "
        r"|my )?(?:final )?decision(?: is|:| was| made:?)|decided:|(?:final (?:answer|choice):))\s+(?:to\s+(?:go "
        r"with\s+|use\s+)?|that\s+|on\s+)?",
        re.IGNORECASE,
    )


@cache
def _settled_on_name() -> re.Pattern[str]:
    return re.compile(r"[Ss]ettled on (?-i:[A-Z])")


@cache
def _we_or_i() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:ok|so|then|today|yesterday|last night) )*(?:i|we|my [\w-]+(?: [\w-]+)? and i)\b", re.IGNORECASE
    )


@cache
def _lets() -> re.Pattern[str]:
    return re.compile(r"let's\b", re.IGNORECASE)


@cache
def _settled_as() -> re.Pattern[str]:
    return re.compile(
        r"(?P<chosen>(?!(?:Here|There|That|This|What|So|It|I|He|She|Yes|No|How|Where|Option|"
        r"As|Well|Now|Today|Tomorrow|Done|Sure|Because|When|Whatever|Beautiful|Great|Monday|Tuesday|"
        r"Wednesday|Thursday|Friday|Saturday|Sunday)\b)[A-Z][\w.+#-]*(?: "
        r"[A-Z0-9][\w.+#-]*){0,3}) it is(?=$|,|\.|!| then\b| for )",
        0,
    )


@cache
def _says_decided() -> re.Pattern[str]:
    return re.compile(
        r"(?:it's|it is|that's|so it's|and it's|is) (?:(?:all|now|finally|officially)\s+)?(?:decided|"
        r"settled|final|official)\b[.!:]*$|\b(?:decision made|we(?:'ve| have)? decided|i(?:'ve|"
        r" have)? decided|final answer|the verdict|call's over|meeting's over|(?:made|made "
        r"up|making) (?:up )?(?:my|our) minds?|done deal|vote(?: was| is|'s) (?:in|unanimous))\s*[.!:]*$",
        re.IGNORECASE,
    )


@cache
def _we_do() -> re.Pattern[str]:
    return re.compile(
        rf"(?:we|i)(?:'re|'ll|'m| are| will| am)\s+(?:(?:going to|gonna)\s+)?(?:go(?:ing)? "
        rf"with\s+|use\s+|tak(?:e|ing)\s+|not\s+(?=\w+ing)|(?=(?:{_SETTLING})\b|(?:sell|buy|"
        rf"hir|mov|tak|switch|keep|clos|open|cancel|postpon|renew|leav|quitt|get|rent|launch|"
        rf"us|drop|stay|going with|join|nam|call|hold|paint|start|adopt|accept)(?:l|p)?ing\b))",
        re.IGNORECASE,
    )


@cache
def _undecided() -> re.Pattern[str]:
    return re.compile(
        r"(?:the flow|some\b|apples|\w*berries|\d+ (?:kilos?|kg|pounds|bags|baskets)|flowers|"
        r"mushrooms|cherries|grapes|plums|the (?:kids|children|couch|sofa|bench|blanket|porch|"
        r"terrace|beach|grass|floor\b(?! plan))\b|the best|my (?:parents|friends|family|kids|"
        r"mom|dad|wife|husband|\w+ to\b)|friends|it\b|this\b|that\b|what\b|how\b|if\b|whether\b|"
        r"yet\b|nothing|anything|something|them\b|him\b|her\b|up\b|out\b|everyone|people|my "
        r"gut|(?:that )?(?:from now on|going forward|henceforth)|to disagree|disagree|see\b|"
        r"check\b|wait\b|ask\b|talk\b|be (?:more|less|a|honest|better|nice|kind)|try\b|focus\b|"
        r"keep (?!the |our |my |both )|take (?:a|it|some)|give (?:it|you|this|myself)|let\b|"
        r"share|reach out|open up|start (?:with|by|over)|think|look|post|write you|come\b|"
        r"meet\b|do (?:it|this|that|something)|make (?:it|this|the most|a)|put\b|get (?:some|"
        r"a|back|up|out|it|into)|have (?:a|some|fun)|spend|enjoy|call it|stay in|stay home|"
        r"relax|lunch|dinner|you\b|yours\b|your\b|work on|one of|fun\b|each other|love\b|the "
        r"(?:first|second|third|former|latter|last|one|ones|other|same|plan|option)\b|\**\d+(?:\.|"
        r"$)|[#]|plan [a-d]\b|scenario|number|.*\bfor (?:now|today|tonight)\b|those\b|these\b|"
        r"option|another|a (?:few|lot|different|good|bad|nice|great|lovely|new (?:one|approach))|well\b|"
        r"wisely|badly|the (?:remaining|rest|usual)\b|"
        r"cheese|no\b|good|great)(?![\w-])",
        re.IGNORECASE,
    )


@cache
def _undecided_frame() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:haven't|hasn't|have not|has not|not yet|never|almost|nearly|n't|can't|still|"
        r"need to|should|about to|about|once|before|when|until|after)\b",
        re.IGNORECASE,
    )


@cache
def _passing() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:for (?:\w+ )?(?:minutes?|hours?|a bit|a while|now|lunch|dinner|breakfast)|today|"
        r"tonight|this (?:morning|afternoon|evening|weekend)|lie down|nap|sleep|eat|stay in|"
        r"skip|watch|order (?:in|pizza|takeout|a)|walk|cook|bake|drink|go (?:to|for|out|home|"
        r"back|on a)|have (?:a|another)|play|read|rest|relax|just|wear|clean|tidy|treat myself|"
        r"visit|see|hang|grab|swing by|pop|surprise|write|message|text|call|share)\b",
        re.IGNORECASE,
    )


@cache
def _named_topic() -> re.Pattern[str]:
    topics = "|".join(sorted(_SPELT, key=len, reverse=True))
    return re.compile(
        rf"\b(?:as|for) (?:the|our|a|an|my|his|her|their|its)?\s*(?:new |main |primary |wedding "
        rf"|conference |next )?(?P<topic>{topics})(?![\w-])(?!\s+(?:app|team|server|page|project|"
        rf"form|list|book|opening|party|committee|shop|system|module|service|redesign))",
        re.IGNORECASE,
    )


@cache
def _topic_itself() -> re.Pattern[str]:
    """ "moving the database to MySQL", "the colour will be teal"."""
    topics = "|".join(sorted(_SPELT, key=len, reverse=True))
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
def _only_topic() -> re.Pattern[str]:
    """ "We settled on a date" does not say which."""
    topics = "|".join(sorted(_SPELT, key=len, reverse=True))
    return re.compile(rf"an? (?P<topic>{topics})(?: (?:for|of) (?:next|this|the|our) .*)?", re.IGNORECASE)


@cache
def _says_which() -> re.Pattern[str]:
    """ "… on a name: Juniper"."""
    return re.compile(r"\s*(?::\s|[-–—]+\s)\s*\S")


@cache
def _names_it() -> re.Pattern[str]:
    """ "… picked a colour for the shutters, sage green"."""
    return re.compile(
        r"(?!(?:so|and|but|i|we|it|which|at|for|in|finally|though|not|after|yay|thank)\b)[\w'-]+(?: [\w'-]+){0,2}", re.I
    )


@cache
def _naming() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:nam(?:e|ed|ing)|call(?:ed|ing)?) (?:the|our|him|her|it|them|my)\b(?: [\w-]+){0,2} "
        r"(?-i:[A-Z])",
        re.IGNORECASE,
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
def _labels_decision() -> re.Pattern[str]:
    return re.compile(
        r"(?:^|\b(?:the|we|team|board|family|committee|our \w+) )(?:final |our )?(?:decision(?: made)?|decided|agreed|"
        r"verdict|all agreed|(?:team|band|board|committee|family|group|club) (?:has )?(?:agreed|"
        r"decided)|final call)$",
        re.IGNORECASE,
    )


@cache
def _any_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:we(?:'re|'ll| are| will)?\s+(?:going to\s+)?|it(?:'s| is| will be)\s+|no more\s+|"
        r"not\s+|no\s+)?(?=\w)",
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
def _over() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:from (?:mon|tues|wednes|thurs|fri|satur|sun)day|and (?:are|will|have|is|am|then|going|booked|"
        r"told|signed)|over|instead of|rather than|as (?:the|our|a|an|my)|in the end|after all|from "
        r"now on|and not|not|starting|effective|this time|final answer|for now|for good|since|"
        r"at (?:the|today's|last night's) (?:meeting|call)|last night|yesterday|today)\b",
        re.IGNORECASE,
    )
