"""English tasks: what the user or their team has to do, is doing, has done, is held up by, or need not do any more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_verbs import concrete, done_forms, moment, thing_of
from smartbrain.extraction.hits import FIRM, Hit, due_day, looked_like, task


def find(clause: Clause) -> Iterator[Hit]:
    """The tasks of one clause; at most one rule fires."""
    for rule in (_cancelled, _blocked, _done, _doing, _due, _todo, _ship):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return


def _made(
    clause: Clause, rule: str, said: str, status: str, *, thing: str = "", retract: bool = False, firm: bool = False
) -> Iterator[Hit]:
    whole = clause.span(0, len(clause.text))
    reason = guards.stopped(clause)
    title = said.strip(" .,;:!?\"'“”")
    thing = thing or thing_of(title)
    if not reason and (not thing or _empty().fullmatch(thing)):
        reason = "nothing named"
    if reason:
        yield looked_like("tasks", rule, whole, reason)
        return
    due = due_day(_with_date(clause), clause.sentence.said_at) if status == "todo" and not retract else None
    confidence = FIRM if firm else 0.85
    yield task(rule, whole, thing=thing, title=title, status=status, due=due, retract=retract, confidence=confidence)


def _with_date(clause: Clause) -> str:
    """The clause, and a date right behind its comma: "ship it, by Friday"."""
    following = clause.later[0] if clause.later else ""
    own = clause.lead + clause.text
    return f"{own} {following}" if _dated().match(following.strip()) else own


def _typed(clause: Clause, start: int, end: int) -> str:
    return clause.sentence.text[slice(*clause.span(start, end))]


def _todo(clause: Clause) -> Iterator[Hit]:
    match = _need_to().match(clause.text)
    if not match:
        return
    said = clause.text[match.end() :]
    whole = clause.span(0, len(clause.text))
    reminder = bool(match["remind"])
    due = due_day(_with_date(clause), clause.sentence.said_at)
    if _for_you().match(said) or (match["remind"] is None and _conversational(clause, said, due)):
        yield looked_like("tasks", "todo", whole, "for this conversation")
        return
    if not reminder and (moment(said) or (due is None and not concrete(said))):
        yield looked_like("tasks", "todo", whole, "of the moment")
        return
    yield from _made(clause, "todo", _typed(clause, match.end(), len(clause.text)), "todo", firm=reminder)


def _conversational(clause: Clause, said: str, due: str | None) -> bool:
    """ "I need to write an email to my boss, can you help?" asks for it here and now."""
    following = " ".join((*clause.later, clause.sentence.after))
    return bool(due is None and _writes().match(said) and _asks_help().search(following))


def _ship(clause: Clause) -> Iterator[Hit]:
    """A bare "ship the beta by Friday": an order to oneself, known by its date."""
    listed = bool(clause.earlier) and _says_todo().fullmatch(clause.earlier[-1].strip()) is not None
    match = _bare().match(clause.text)
    dated = match is not None and due_day(_with_date(clause), clause.sentence.said_at) is not None
    if dated or (listed and concrete(clause.text)):
        yield from _made(clause, "todo", _typed(clause, 0, len(clause.text)), "todo", firm=listed)


def _due(clause: Clause) -> Iterator[Hit]:
    match = _is_due().match(clause.text)
    if match and due_day(clause.text, clause.sentence.said_at):
        yield from _made(clause, "due", _typed(clause, *match.span("thing")), "todo", firm=True)


def _doing(clause: Clause) -> Iterator[Hit]:
    match = _in_progress().match(clause.text)
    if match:
        said = _without_time(_typed(clause, match.end(), len(clause.text)))
        if _no_work().match(said):
            yield looked_like("tasks", "doing", clause.span(0, len(clause.text)), "nothing named")
            return
        yield from _made(clause, "doing", said, "doing")


def _done(clause: Clause) -> Iterator[Hit]:
    match = next(
        filter(None, (shape().match(clause.text) for shape in (_is_done, _has_done, _got_done, _just_done))), None
    )
    if not match:
        return
    group = "thing" if match["thing"] else "thing2"
    said = _without_time(_typed(clause, *match.span(group)))
    whole = clause.span(0, len(clause.text))
    if (
        (group == "thing2" and _has_verb().search(said))
        or _no_work().match(said)
        or _not_yet().search(clause.text)
        or len(said.split()) > 9
    ):
        yield looked_like("tasks", "done", whole, "nothing named")
        return
    yield from _made(clause, "done", said, "done")


def _blocked(clause: Clause) -> Iterator[Hit]:
    match = _stuck_on().match(clause.text) or _held_up().match(clause.text)
    if match:
        group = next(name for name in ("thing", "thing2", "thing3") if match.groupdict().get(name))
        said = _without_time(_typed(clause, *match.span(group)))
        if _no_work().match(said):
            yield looked_like("tasks", "blocked", clause.span(0, len(clause.text)), "nothing named")
            return
        yield from _made(clause, "blocked", said, "blocked")


def _cancelled(clause: Clause) -> Iterator[Hit]:
    match = _off_the_list().match(clause.text) or _no_need().match(clause.text)
    if match:
        yield from _made(clause, "cancelled", _typed(clause, *match.span("thing")), "todo", retract=True)


def _without_time(said: str) -> str:
    return _trailing().sub("", said)


@cache
def _need_to() -> re.Pattern[str]:
    adverbs = (
        r"(?:(?:still|really|just|also|then|do|now|first|first of all|definitely|absolutely|only|both|all|"
        r"urgently|today|tonight|tomorrow)\s+)*"
    )
    return re.compile(
        rf"(?:(?P<remind>(?:please |can you |could you |and )*(?:remind me(?: again)?(?: (?:on \w+|"
        rf"tomorrow|tonight|today|next \w+|in \w+ \w+|at [\w:]+|later|this \w+))* (?:to|about|that i "
        rf"(?:need|have) to|that we (?:need|have) to)|(?:don't|do not) let me forget (?:to|about)|i "
        rf"(?:mustn't|must not|can't|cannot) forget to|note to self:?|to-?do:?|todo list:?|add to (?:my|"
        rf"the) (?:to-?do )?list:?))"
        rf"|(?:i|we|my \w+ and i|i'm|we're|the team|me)\s*{adverbs}(?:'ve got to|have got to|gotta|got to|"
        rf"need to|needs? to|have to|has to|must|am supposed to|supposed to|are supposed to|am due to|"
        rf"promised to|'ll need to|'ll have to|will need to|will have to|have yet to|still haven't|"
        rf"haven't yet)"
        rf"|(?:still |just |also )?(?:need to|have to|gotta|must))\s+{adverbs}",
        re.IGNORECASE,
    )


@cache
def _for_you() -> re.Pattern[str]:
    return re.compile(
        r"(?:you|ask you|know|get (?:your|some) (?:advice|help|opinion|input)|help|your help)\b", re.IGNORECASE
    )


@cache
def _writes() -> re.Pattern[str]:
    return re.compile(
        r"(?:write|draft|prepare|make|create|translate|plan|find|pick|choose|compose|come up|design|build|fix|"
        r"implement|do|get|buy|set up|update|sort|review|organi[sz]e|edit|present|give|add|test|learn|study|"
        r"replace|respond|reply|contact|tell|ask|debug|refactor)\b",
        re.IGNORECASE,
    )


@cache
def _asks_help() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:can you|could you|would you|will you|help me|any (?:ideas|advice|tips|suggestions|thoughts)|"
        r"what (?:should|would|do|are|is)|how (?:should|would|do|can|could|to)|where (?:should|do|can)|"
        r"which|suggest|recommend|advice|give me|please (?:write|help|give|suggest|make|draft)|do you "
        r"(?:have|know)|is there|are there|should i)\b",
        re.IGNORECASE,
    )


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(
        r"(?:ship|deliver|submit|finish|send|pay|renew|file|book|call|email|hand in|turn in|publish|launch|"
        r"release|deploy|return|order|buy|pick up|review|fix|update)\s+(?!(?:me|us|it|this|that|you|him|"
        r"her|them)\b)(?=.*\b(?:by|before|until|due|tomorrow|tonight|on (?:mon|tues|wednes|thurs|fri|satur|"
        r"sun)day)\b)",
        re.IGNORECASE,
    )


@cache
def _says_todo() -> re.Pattern[str]:
    return re.compile(
        r"(?:to-?dos?|my (?:to-?do )?list|on my list|tasks?|note to self|reminder|to do (?:today|tomorrow|"
        r"this week)|action items?)",
        re.IGNORECASE,
    )


@cache
def _is_due() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:my|our|the) )?(?P<thing>(?!(?:he|she|it|they|that|this|who|which|what|baby|my wife|"
        r"our baby)\b)[\w' /-]{2,50}?)(?:'s|\s+(?:is|are|was|were))\s+due\b(?!\s+to\b)",
        re.IGNORECASE,
    )


@cache
def _in_progress() -> re.Pattern[str]:
    lead = (
        r"(?:(?:i|we)\s*(?:'m|'re|am|are|'ve been|have been)?\s+|i'm |we're |im |i've |we've )?(?:(?:still|"
        r"currently|now|just|about|already|busy|also|finally|nearly|almost)\s+)*"
    )
    return re.compile(
        rf"{lead}(?:(?:working on|work on|halfway through|half way through|half-way through|midway through|"
        rf"part ?way through|in the middle of|partway into|knee-deep in|(?:have )?started (?:on|work on|"
        rf"working on|writing|drafting|building)|making (?:good |some |slow )?progress (?:on|with)|"
        rf"chipping away at|\d+ ?% (?:done|through|of the way) (?:with|through)|making a start on|drafting|"
        rf"getting on with)\s+)(?:(?:writing|doing|making|building|drafting|fixing)\s+)?",
        re.IGNORECASE,
    )


@cache
def _is_done() -> re.Pattern[str]:
    verbs = done_forms()
    return re.compile(
        rf"(?P<thing>(?!(?:i|you|he|she|it|they|that|that's|this|what|which|who|there|everything|all|"
        rf"nothing|someone|dinner|lunch|breakfast|food|game|when|if|once|how|as|we|more|work|job|damage|"
        rf"love|life)\b)[\w'’&/.+ -]{{2,60}}?)(?:'s|\s+(?:is|are|was|were|got|has been|have been|went))\s+"
        rf"(?:(?:finally|now|all|already|officially|basically|just|both|fully)\s+)*(?:done|finished|"
        rf"complete|completed|ready to go|in the bag|off my (?:plate|desk|list)|out the door|sorted|"
        rf"{verbs})(?![\w-])(?!\s+(?:by|in \d{{4}}|with|for (?!good)|because|when|to (?!the (?:client|"
        rf"printer|publisher|bank|council|landlord))|at (?!last)))",
        re.IGNORECASE,
    )


@cache
def _has_done() -> re.Pattern[str]:
    verbs = done_forms()
    lead = r"(?:(?:i|we)\s*(?:'ve|have|did)?\s*|just |finally |all |)"
    return re.compile(
        rf"{lead}(?:(?:just|finally|now|already|also|both|actually)\s+)*(?:(?:finished|completed|"
        rf"wrapped up|submitted|handed in|turned in|shipped|delivered|ticked off|crossed off|knocked out|"
        rf"sent off|sent out)|(?:(?<='ve )|(?<=have )|(?<=finally )|(?<=just )|(?<=already ))(?:{verbs})|"
        rf"(?:am |are |'m |'re )?(?:all )?done with)\s+(?:(?:writing|drafting|doing|making|building|"
        rf"grading|preparing|cleaning|fixing|packing|off|up)\s+)?(?P<thing>(?:the|my|our|that|those|"
        rf"all the|all my|[A-Z0-9])[^;]{{1,70}})",
        re.IGNORECASE,
    )


@cache
def _just_done() -> re.Pattern[str]:
    """ "visa application submitted", "I paid the electricity bill": short, and of things that are got done."""
    things = (
        "bills?|rent|fees?|invoices?|deposit|fine|tax(?:es)?|application|form|forms|report|contract|proposal|"
        "manuscript|draft|returns?|flights?|hotel|venue|tickets|registration|claim|order|paperwork|documents|"
        "insurance|passport|visa|subscription|license|licence|appointment"
    )
    return re.compile(
        rf"(?:i|we)\s+(?:finally |just |already )*(?:paid|sent|booked|renewed|filed|posted|mailed|ordered|"
        rf"returned|signed|updated|reviewed|fixed|published|deployed|merged)(?: off| out| in)? (?P<thing>"
        rf"(?:the|my|our|that) (?:[\w'-]+ ){{0,3}}(?:{things}))(?![\w-])"
        r"|(?P<thing2>(?:(?:the|my|our) )?(?:[\w'-]+ ){0,3}[\w'-]+) (?:submitted|sent|paid|booked|renewed|"
        r"filed|finished|fixed|shipped|delivered|deployed|published|handed in|signed|completed|done)"
        r"(?:[!.\s]|at last|✅|🎉)*$",
        re.IGNORECASE,
    )


@cache
def _got_done() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|we)?\s*(?:'ve |have |finally |just )*(?:got|ticked|crossed|checked) (?P<thing>(?:the|my|our|"
        r"that) [^;]{2,50}?) (?:done|finished|sorted|out of the way|off (?:the|my) list|off|sent|submitted|"
        r"shipped)\b",
        re.IGNORECASE,
    )


@cache
def _stuck_on() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:i|we)\s*(?:'m|'re|am|are)?\s*)?(?:(?:still|completely|totally|really|kind of|now|currently|"
        r"a bit)\s+)*(?:stuck (?:on|with)|blocked on|held up (?:on|with)|stalled on|hit a wall (?:on|with)|"
        r"at a standstill (?:on|with))\s+(?P<thing>[^;]{2,60})",
        re.IGNORECASE,
    )


@cache
def _held_up() -> re.Pattern[str]:
    return re.compile(
        r"(?P<thing>(?!(?:i|you|he|she|they|it|that|this|we|who|what|everything|traffic|my nose|road|roads|"
        r"street)\b)[\w'’&/.+ -]{2,60}?)(?:'s|\s+(?:is|are))\s+(?:(?:still|currently|now|completely|"
        r"totally)\s+)*(?:blocked|stuck|on hold|stalled|held up|waiting (?:on|for))(?:\s+(?:by|on|until|"
        r"till|because|for|at|in|behind|pending)\b.*|$)"
        r"|(?:(?:i|we)\s*(?:'m|'re|am|are)\s+)?(?:still )?waiting (?:for|on) .{2,50}? (?:before|so that|"
        r"until) (?:i|we) can (?:start|continue|finish|go on with|ship|do|begin|send|submit|publish|book|"
        r"deploy|release|launch|order)\s*(?:on |with )?(?P<thing2>[\w' -]{2,40})"
        r"|(?:(?:i|we) )?(?:can't|cannot|couldn't) (?:start|continue|finish|go on with|ship|do|begin|send|"
        r"submit|publish|book|deploy|release|launch|order|proceed with|move forward with)\s+"
        r"(?P<thing3>[\w' -]{2,40}?) (?:until|till|because|before|without)\b",
        re.IGNORECASE,
    )


@cache
def _off_the_list() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:you can|please|we can|can you|let's|just|actually|i can|so)\s+)*(?:scratch|take|cross|"
        r"strike|remove|drop|get|delete)\s+(?P<thing>[^;]{2,60}?)\s+(?:off|from) (?:the|my|our) (?:to-?do |"
        r"todo |task )?list\b",
        re.IGNORECASE,
    )


@cache
def _no_need() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:there's |there is )?no (?:longer any )?need (?:for me |for us )?to|(?:i|we) (?:don't|"
        r"do not|no longer|needn't|won't) (?:need to|have to|need|have)(?: to)?|no longer (?:need|have) to|"
        r"(?:please )?cancel (?:the|my) (?:task|reminder|to-?do) (?:to|about|for|on)|forget about"
        r"(?= \w+ing)|(?:please |you can )?(?:forget|drop|scrap|cancel|delete) the (?:reminder|task|to-?do)"
        r"(?: item)? (?:to|about|for|on))\s+(?P<thing>[^;]{2,60}?)(?:\s+(?:any\s?more|any longer|after all|"
        r"now)\b.*|$)",
        re.IGNORECASE,
    )


@cache
def _no_work() -> re.Pattern[str]:
    things = (
        "dinner|lunch|breakfast|coffee|tea|drink|meal|food|movie|film|season|show|episode|series|game|race|"
        "match|work|school|shift|day|week|workout|run|walk|marathon|bottle|pizza|cake|glass|cigarette|first|"
        "second|half|book|novel|chapter|level|puzzle|year|degree|it|things|stuff|myself|me|us|him|her|them|"
        "that|this|these|those|what|how|being|getting|my (?:fitness|patience|anger|mental|self|confidence|"
        "relationship|communication|tan|abs|skills|issues)|something|everything|some|new|a (?:lot|bit|few|new|"
        "way)|traffic|a train|repeat|you|people|the (?:phone|moon|same|road|train|bus|island|couch|sofa|"
        "toilet)|improving|becoming|learning|finding|trying|developing|creating|keeping|loving|living"
    )
    return re.compile(
        rf"(?:(?:the|my|our|a|an|all)\s+)?(?:last\s+|first\s+|final\s+|whole\s+)?(?:{things})(?![\w-])(?!\s+"
        rf"(?:report|plan|proposal|review|manuscript|edits|application|paper|project|essay|schedule|menu|"
        rf"program|script|slides|budget|website|page|design))",
        re.IGNORECASE,
    )


@cache
def _has_verb() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:i|you|he|she|we|they|it|that|is|are|was|were|be|been|get|gets|got|getting|have|has|had|need|"
        r"needs|want|not|well|when|if|to|once|how|almost|half|all|what|who)\b",
        re.IGNORECASE,
    )


@cache
def _not_yet() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|never|n't|almost|nearly|yet|half|far from|when|once|until|if|will be|should be|must be|"
        r"needs to be|has to be|have to be|to be|about to|well done|over and)\b",
        re.IGNORECASE,
    )


@cache
def _empty() -> re.Pattern[str]:
    return re.compile(
        r"(?:it|this|that|them|these|those|something|everything|anything|things|stuff|one|him|her|me|you|us|so|"
        r"more|lot|\d+)(?:_(?:all|too|soon|properly|myself))?"
    )


@cache
def _dated() -> re.Pattern[str]:
    return re.compile(r"(?:by|before|until|due|on|tomorrow|tonight|next|this)\b", re.IGNORECASE)


@cache
def _trailing() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:btw|by the way|finally|at last|yay|woohoo|today|this morning|last night|yesterday|now|though|"
        r"lol|as we speak|right now|at the moment|currently|again|already|early|ahead of schedule|on time|"
        r"in time)\b.*$|\s*(?:!|🎉).*$",
        re.IGNORECASE,
    )
