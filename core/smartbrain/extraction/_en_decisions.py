"""English decisions: what the user or a group of theirs has settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause, straight
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_topics import SPELT, only_topic, topic_in
from smartbrain.extraction._en_words import RELATION
from smartbrain.extraction.hits import Hit, decision, looked_like
from smartbrain.extraction.starts import searched


def decisions_of(clause: Clause) -> Iterator[Hit]:
    match = _decided.match(clause.text) or _settled_as.match(clause.text)
    if match is None:
        match = _it_is_decided(clause)
    if match is None:
        return
    whole = clause.span(0, len(clause.text))
    at = match.end()
    if _lets().match(match[0]) and match[0].rstrip().lower().endswith("that"):
        at = match.start() + match[0].lower().rindex("that")  # "let's go with that one"
    said = clause.sentence.text[slice(*clause.span(at, len(clause.text)))].strip(" .,;:!?\"'“”*_")
    said = _after_all().sub("", said)
    if match.groupdict().get("chosen"):
        said = clause.sentence.text[slice(*clause.span(*match.span("chosen")))]
    reason = guards.stopped(clause)
    alone = match.groupdict().get("alone") is not None
    if match.groupdict().get("goes_on"):  # "we talked it over and decided to …"
        mine = _we_or_i().match(clause.earlier[-1].strip()) if clause.earlier else None
        if mine is None and (clause.earlier or not _settled_on_name.match(clause.text)):
            return
        alone = mine is not None and mine[0].lower().startswith("i")
    if not reason and (
        not said or _undecided().match(said) or _undecided_frame().search(clause.text[_subject_at(match) : at])
    ):
        reason = "nothing decided"
    if not reason and alone and _passing.search(clause.text):
        reason = "of the moment"
    if reason:
        yield looked_like("decisions", "decision", whole, reason)
        return
    opened = only_topic().fullmatch(said)
    joint = clause.onward()[len(clause.text) :]
    if opened and clause.later and (_says_which().match(joint) or _names_it().fullmatch(clause.later[0].strip(" .!"))):
        named = next(iter(SPELT[" ".join(opened["topic"].lower().split())]))
        chosen = clause.later[0].strip(" .,;:!?\"'“”")
        yield decision("decision", whole, topic=named, said=chosen, made_at=clause.sentence.said_at)
        return
    topic = topic_in(said, " ".join((clause.text, *clause.later[:1])))
    if not topic or only_topic().fullmatch(said):
        yield looked_like("decisions", "decision", whole, "nothing named")
        return
    said = refused(clause.sentence.text[slice(*clause.span(0, at))]) + said
    yield decision("decision", whole, topic=topic, said=said, made_at=clause.sentence.said_at)


def refused(lead: str) -> str:
    """The words that refuse what follows them: alone it would read as what was chosen.

    >>> refused("We decided not to "), refused("we turned down"), refused("we went with ")
    ('not to ', 'turned down ', '')
    """
    found = _refusing().search(lead)
    return f"{found['how']} " if found else ""


@cache
def _refusing() -> re.Pattern[str]:
    return re.compile(
        r"\b(?P<how>no|against|not(?: to)?|scrapp(?:ed|ing)|axed|shelved|dropp(?:ed|ing)|ditch(?:ed|ing)"
        r"|cancell?(?:ed|ing)|turn(?:ed|ing) down|reject(?:ed|ing)|declin(?:ed|ing)|refus(?:ed|ing))\s*\Z",
        re.IGNORECASE,
    )


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
        return _any_words.match(clause.text)
    whole = clause.whole  # looked through already, as the sentence before is
    if any(
        words and _says_decided.may(around) and _says_decided.quick().search(words.strip())
        for words, around in ((before, whole if clause.earlier else straight(before)), (after, whole))
    ):
        return _we_do.match(clause.text)
    return None


_SHORT = 12


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


@EN.sifted
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
        rf"confirmed|locked in|signed (?:up )?with|choosing|picking)"
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
        rf"on|(?:(?<='ve )|(?<=have )|(?<=finally )|(?<=just ))(?:chosen|picked|gone with|signed (?:up )?with|opted "
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


@EN.sifted
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


@EN.sifted
def _settled_as() -> re.Pattern[str]:
    return re.compile(
        r"(?P<chosen>(?!(?:Here|There|That|This|What|So|It|I|He|She|Yes|No|How|Where|Option|"
        r"As|Well|Now|Today|Tomorrow|Done|Sure|Because|When|Whatever|Beautiful|Great|Monday|Tuesday|"
        r"Wednesday|Thursday|Friday|Saturday|Sunday)\b)[A-Z][\w.+#-]*(?: "
        r"[A-Z0-9][\w.+#-]*){0,3}) it is(?=$|,|\.|!| then\b| for )",
        0,
    )


@EN.sifted
def _says_decided() -> re.Pattern[str]:
    return re.compile(
        r"(?:it's|it is|that's|so it's|and it's|is) (?:(?:all|now|finally|officially)\s+)?(?:decided|"
        r"settled|final|official)\b[.!:]*$|\b(?:decision made|we(?:'ve| have)? decided|i(?:'ve|"
        r" have)? decided|final answer|the verdict|call's over|meeting's over|(?:made|made "
        r"up|making) (?:up )?(?:my|our) minds?|done deal|vote(?: was| is|'s) (?:in|unanimous))\s*[.!:]*$",
        re.IGNORECASE,
    )


@EN.sifted
def _we_do() -> re.Pattern[str]:
    return re.compile(
        rf"(?=(?:the|our) [\w' ]{{3,30}} (?:is|will be|'s)(?: going to be)? (?:at|in|called)\b)|"
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


@EN.sifted
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
def _after_all() -> re.Pattern[str]:
    """How it was settled is no part of what was."""
    return re.compile(r"(?<=\w),? (?:in the end|after all|eventually|finally)$", re.IGNORECASE)


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
def _labels_decision() -> re.Pattern[str]:
    return searched(
        r"(?:^|\b(?:the|we|team|board|family|committee|our \w+) )(?:final |our )?(?:decision(?: made)?|decided|"
        r"agreed|settled|"
        r"verdict|all agreed|(?:team|band|board|committee|family|group|club) (?:has )?(?:agreed|"
        r"decided)|final call)$",
        re.IGNORECASE,
    )


@EN.sifted
def _any_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:we(?:'re|'ll| are| will)?\s+(?:going to\s+)?|it(?:'s| is| will be)\s+|no more\s+|"
        r"not\s+|no\s+)?(?=\w)",
        re.IGNORECASE,
    )
