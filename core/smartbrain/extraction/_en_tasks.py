"""English tasks: what the user or their team has to do, is doing, has done, is held up by, or need not do any more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_verbs import as_base, concrete, done_forms, moment, thing_of
from smartbrain.extraction.hits import FIRM, Hit, due_day, looked_like, task


def find(clause: Clause) -> Iterator[Hit]:
    """The tasks of one clause; at most one rule fires."""
    for rule in (
        _cancelled,
        _blocked,
        _still_to_do,
        _doing,
        _done,
        _due,
        _must_be_done,
        _todo,
        _put_on_the_list,
        _ship,
    ):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return


def _made(
    clause: Clause, rule: str, said: str, status: str, *, thing: str = "", retract: bool = False, firm: bool = False
) -> Iterator[Hit]:
    whole = clause.span(0, len(clause.text))
    reason = guards.stopped(clause)
    if reason == "question" and _asks_to_remind().match(clause.text):
        reason = ""
    title = said.strip(" .,;:!?\"'“”")
    thing = thing or thing_of(title)
    if not reason and (
        not thing or (status == "todo" and not retract and len(title.split()) < _LEAST) or _empty().fullmatch(thing)
    ):
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


# "I need to restock" does not say what.
_LEAST = 2


def _speaks(clause: Clause, matched: str) -> bool:
    """Whether the user is the one who does it: without an "I" only where the sentence begins with it."""
    return _first_person().match(matched) is not None or all(len(other.split()) <= 2 for other in clause.earlier)


def _typed(clause: Clause, start: int, end: int) -> str:
    return clause.sentence.text[slice(*clause.span(start, end))]


def _todo(clause: Clause) -> Iterator[Hit]:
    match = _need_to().match(clause.text)
    if not match or not (match["remind"] or _speaks(clause, match[0])):
        return
    said = clause.text[match.end() :]
    whole = clause.span(0, len(clause.text))
    reminder = bool(match["remind"])
    due = due_day(_with_date(clause), clause.sentence.said_at)
    if _for_you().match(said) or (match["remind"] is None and _conversational(clause, said, due)):
        yield looked_like("tasks", "todo", whole, "for this conversation")
        return
    shared = _us().match(clause.text) and not _shared_chore().match(said)
    if not reminder and (moment(said) or (due is None and (shared or not concrete(said)))):
        yield looked_like("tasks", "todo", whole, "of the moment")
        return
    for start, end in _each(said):
        typed = _typed(clause, match.end() + start, match.end() + end)
        yield from _made(clause, "todo", typed, "todo", firm=reminder)


def _each(said: str) -> list[tuple[int, int]]:
    """ "buy milk and call the plumber": two things to do."""
    bounds, last = [], 0
    for joint in _and_then().finditer(said):
        if concrete(said[joint.end() :]):
            bounds.append((last, joint.start()))
            last = joint.end()
    return [*bounds, (last, len(said))]


def _conversational(clause: Clause, said: str, due: str | None) -> bool:
    """ "I need to write an email to my boss, can you help?" asks for it here and now."""
    following = " ".join((*clause.later, clause.sentence.after))
    return due is None and bool(said) and _asks_help().search(following) is not None


def _put_on_the_list(clause: Clause) -> Iterator[Hit]:
    match = _onto_the_list().fullmatch(clause.text)
    if match:
        yield from _made(clause, "todo", as_base(_typed(clause, *match.span("thing"))), "todo", firm=True)


def _ship(clause: Clause) -> Iterator[Hit]:
    """A bare "ship the beta by Friday": an order to oneself, known by its date."""
    listed = bool(clause.earlier) and _says_todo().fullmatch(clause.earlier[-1].strip()) is not None
    match = _bare().match(clause.text)
    dated = match is not None and due_day(_with_date(clause), clause.sentence.said_at) is not None
    if dated or (listed and concrete(clause.text)):
        for start, end in _each(clause.text):
            yield from _made(clause, "todo", _typed(clause, start, end), "todo", firm=listed)


def _due(clause: Clause) -> Iterator[Hit]:
    match = _is_due().match(clause.text)
    if match and due_day(clause.text, clause.sentence.said_at):
        yield from _made(clause, "due", _typed(clause, *match.span("thing")), "todo", firm=True)


def _must_be_done(clause: Clause) -> Iterator[Hit]:
    """ "The report needs to go out by Friday", "I have until Friday to submit the portfolio"."""
    match = _needs_doing().match(clause.text)
    if match and due_day(_with_date(clause), clause.sentence.said_at):
        group = "thing" if match["thing"] else "thing2"
        yield from _made(clause, "todo", _typed(clause, *match.span(group)), "todo")


def _still_to_do(clause: Clause) -> Iterator[Hit]:
    """ "I haven't paid the water bill yet"."""
    match = _not_done_yet().match(clause.text)
    if not match:
        return
    said = _typed(clause, *match.span("thing"))
    if _no_work().match(said) or _used_up().search(said):
        yield looked_like("tasks", "todo", clause.span(0, len(clause.text)), "nothing named")
        return
    yield from _made(clause, "todo", said, "todo")


def _doing(clause: Clause) -> Iterator[Hit]:
    match = _in_progress().match(clause.text)
    if match and _speaks(clause, match[0]):
        said = _without_time(_typed(clause, match.end(), len(clause.text)))
        if _no_work().match(said):
            yield looked_like("tasks", "doing", clause.span(0, len(clause.text)), "nothing named")
            return
        yield from _made(clause, "doing", said, "doing")


def _done(clause: Clause) -> Iterator[Hit]:
    match = next(
        filter(None, (shape().match(clause.text) for shape in (_is_done, _has_done, _got_done, _just_done))), None
    )
    if not match or not _speaks(clause, "the" if match.re is _is_done() else match[0]):
        return
    group = next(name for name in ("thing", "thing2", "thing3") if match.groupdict().get(name))
    said = _without_time(_typed(clause, *match.span(group)))
    whole = clause.span(0, len(clause.text))
    if _out().search(match[0]) and not _sent_out().search(said):
        return  # "the sun is out"
    if (
        _has_verb().search(said)
        or _used_up().search(said)
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
        group = next(name for name in ("thing", "thing2", "thing3", "thing4", "thing5") if match.groupdict().get(name))
        said = _without_time(_typed(clause, *match.span(group)))
        if _no_work().match(said):
            yield looked_like("tasks", "blocked", clause.span(0, len(clause.text)), "nothing named")
            return
        yield from _made(clause, "blocked", said, "blocked")


def _cancelled(clause: Clause) -> Iterator[Hit]:
    match = _off_the_list().match(clause.text) or _no_need().match(clause.text)
    if match:
        yield from _made(clause, "cancelled", _typed(clause, *match.span("thing")), "todo", retract=True)


# To have bought or written something says little about a task.
_EVERYDAY = frozenset(
    ("bought", "set", "built", "wrote", "written", "tested", "updated", "reviewed", "drafted", "ordered", "done")
)


def _without_time(said: str) -> str:
    return _trailing().sub("", said)


@cache
def _need_to() -> re.Pattern[str]:
    adverbs = (
        r"(?:(?:still|really|just|also|then|do|now|first|first of all|definitely|absolutely|"
        r"only|both|all|urgently|today|tonight|tomorrow)\s+)*"
    )
    return re.compile(
        rf"(?:(?P<remind>(?:please |can you |could you |and )*(?:remind me(?: again)?(?: (?:on "
        rf"\w+|tomorrow|tonight|today|next \w+|in \w+ \w+|at [\w:]+|later|this \w+))* (?:to|"
        rf"about|that i (?:need|have) to|that we (?:need|have) to)|(?:don't|do not|dont) let me "
        rf"forget (?:to|about)|i (?:mustn't|must not|can't|cannot) forget to|i keep forgetting to|note to self:?|"
        rf"to-?do:?|todo list:?|add to (?:my|the) (?:to-?do )?list:?))"
        rf"|(?:i|we|my \w+ and i|i'm|we're|the team|me)\s*{adverbs}(?:'ve got to|have got to|"
        rf"gotta|got to|need to|needs? to|have to|has to|must|am supposed to|supposed to|are "
        rf"supposed to|am due to|promised to|'ll need to|'ll have to|will need to|will have "
        rf"to|have yet to)(?: (?:remember|make sure|not forget) to)?"
        rf"|(?:still |just |also )?(?:need to|have to|gotta|got to|must)(?: (?:remember|make "
        rf"sure|not forget) to)?)\s+{adverbs}",
        re.IGNORECASE,
    )


@cache
def _and_then() -> re.Pattern[str]:
    return re.compile(r"\s+and(?: then| also| to)?\s+", re.IGNORECASE)


@cache
def _first_person() -> re.Pattern[str]:
    return re.compile(r"(?:i|we|i'\w+|we'\w+|im|the|my|our)\b", re.IGNORECASE)


@cache
def _us() -> re.Pattern[str]:
    return re.compile(r"(?:we|we've|the team)\b", re.IGNORECASE)


@cache
def _shared_chore() -> re.Pattern[str]:
    return re.compile(
        r"(?:buy|book|renew|pay|return|call|pick up|order|ship|submit|file|fix|clean|replace|repair|send|"
        r"finish|paint|repaint|deliver|prepare|hand in|install|pack|mow)\s+(?:the|our|a|an|some|new|more|\d)\b",
        re.IGNORECASE,
    )


@cache
def _asks_to_remind() -> re.Pattern[str]:
    return re.compile(r"(?:can|could|will|would) you (?:please )?remind me\b", re.IGNORECASE)


@cache
def _for_you() -> re.Pattern[str]:
    return re.compile(
        r"(?:you|ask you|know|get (?:your|some) (?:advice|help|opinion|input)|help|your help)\b", re.IGNORECASE
    )


@cache
def _asks_help() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:can you|could you|would you|will you|help me|any (?:ideas|advice|tips|suggestions|"
        r"thoughts)|what (?:should|would|do|are|is)|how (?:should|would|do|can|could|to)|where "
        r"(?:should|do|can)|which|suggest|recommend|advice|give me|please (?:write|help|give|"
        r"suggest|make|draft)|do you (?:have|know)|is there|are there|should i)\b",
        re.IGNORECASE,
    )


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(
        r"(?:ship|deliver|submit|finish|send|pay|renew|file|book|call|email|hand in|turn in|"
        r"publish|launch|release|deploy|return|order|buy|pick up|review|fix|update)\s+(?!(?:on|by|at|in|from|for|me|"
        r"us|it|this|that|you|him|her|them)\b)(?=.*\b(?:by|before|until|due|tomorrow|tonight|"
        r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)",
        re.IGNORECASE,
    )


@cache
def _needs_doing() -> re.Pattern[str]:
    verbs = done_forms()
    return re.compile(
        rf"(?P<thing>(?:the|my|our|(?-i:[A-Z])?\w+'s) [\w' -]{{2,40}}?)\s+(?:still )?(?:(?:needs? to|has to|have "
        rf"to|must)\s+(?:(?:be|get) (?:{verbs}|signed|paid|cleaned|collected|picked up|ready|in)|go out|go off)\b|"
        rf"needs? (?:picking up|fixing|renewing|signing|paying|ordering|collecting|mending|sending|servicing)\b)"
        r"|(?:i|we) (?:only )?(?:have|'ve got|have got|got) until .{2,30}? to (?P<thing2>[^;]{3,60})",
        re.IGNORECASE,
    )


@cache
def _onto_the_list() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:please|can you|could you|and|also) )*(?:add|put) (?P<thing>(?!it\b|this\b|that\b|these\b)[^;]{3,60}?)"
        r" (?:to|on) (?:my|our|the) (?:to-?do(?: list)?|task list|list of things to do)(?: please)?",
        re.IGNORECASE,
    )


@cache
def _says_todo() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:my |our )?to-?dos?(?: list)?(?: for (?:today|tomorrow|tonight|this week|the week|(?:mon|tues|"
        r"wednes|thurs|fri|satur|sun)day))?|"
        r"(?:(?:one|two|three|four|five|some|a few|\d+) )?(?:things|errands|jobs|chores)(?: to do)?(?: "
        r"(?:left )?(?:for|before|this|on) [\w ]{3,16})?|"
        r"my list|on my list|tasks?|note to self|reminder|to do (?:today|"
        r"tomorrow|this week)|action items?)",
        re.IGNORECASE,
    )


@cache
def _is_due() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:my|our|the) )?(?P<thing>(?!(?:he|she|it|they|that|this|who|which|what|baby|"
        r"my wife|our baby|bus|train|flight|ferry|plane|delivery|plumber|results?)\b)[\w' "
        r"/-]{2,50}?)(?:'s|\s+(?:is|are|was|were))\s+due\b(?!\s+to\b)",
        re.IGNORECASE,
    )


@cache
def _in_progress() -> re.Pattern[str]:
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


@cache
def _is_done() -> re.Pattern[str]:
    verbs = done_forms()
    return re.compile(
        rf"(?P<thing>(?!(?:i|you|he|she|it|they|that|that's|this|what|which|who|there|everything|"
        rf"all|nothing|someone|dinner|lunch|breakfast|food|game|when|if|once|how|as|we|more|"
        rf"work|job|damage|love|life)\b)[\w'’&/.+ -]{{2,60}}?)(?:'s(?: been)?|\s+(?:is|are|was|were|got|has "
        rf"been|have been|went))\s+(?:(?:finally|now|all|already|officially|basically|just|"
        rf"both|fully)\s+)*(?:done|finished|complete|completed|ready to go|in the bag|off my "
        rf"(?:plate|desk|list)|out the door|sorted|(?:(?<=report )|(?<=application is )|(?<=report "
        rf"is )|(?<=report's )|(?<=claim is )|(?<=paper is )|(?<=essay is )|(?<=order is )|"
        rf"(?<=application's ))in(?=$|[,!.])|out(?=$|[,!.]| (?:this|today|yesterday|last)\b)|gone out|sent "
        rf"out|{verbs})(?![\w-])(?!\s+(?:by|"
        rf"in \d{{4}}|with|for (?!good)|because|when|to (?!the (?:client|printer|publisher|"
        rf"bank|council|landlord))|at (?!last)))",
        re.IGNORECASE,
    )


@cache
def _has_done() -> re.Pattern[str]:
    verbs = "|".join(
        sorted((form for form in done_forms().split("|") if form.split()[0] not in _EVERYDAY), key=len, reverse=True)
    )
    lead = r"(?:(?:i|we)\s*(?:'ve|have|did)?\s*|just |finally |all |)"
    return re.compile(
        rf"{lead}(?:(?:just|finally|now|already|also|both|actually)\s+)*(?:(?:finished|completed|"
        rf"wrapped up|submitted|handed in|turned in|shipped|delivered|ticked off|crossed off|"
        rf"knocked out|sent off|sent out)|(?:(?<='ve )|(?<=have )|(?<=finally )|(?<=just )|"
        rf"(?<=already ))(?:{verbs})|(?:am |are |'m |'re )?(?:all )?done with)\s+(?:(?:off|"
        rf"up)\s+)?(?P<thing>(?:[a-z]+ing (?=the |my |our |all ))?(?!(?:over|out|off|up|back)\b)(?:the|"
        rf"my|our|those|all the|all my|(?-i:[A-Z]))[^;]{{1,70}})",
        re.IGNORECASE,
    )


@cache
def _just_done() -> re.Pattern[str]:
    """ "visa application submitted", "I paid the electricity bill": short, and of things that are got done."""
    things = (
        "bills?|rent|fees?|invoices?|deposit|fine|tax(?:es)?|application|form|forms|report|"
        "contract|proposal|manuscript|draft|returns?|flights?|hotel|venue|tickets|registration|"
        "claim|order|paperwork|documents|insurance|passport|visa|subscription|license|licence|"
        "appointment"
    )
    return re.compile(
        rf"(?:i|we)\s+(?:finally |just |already )*(?:paid|sent|booked|renewed|filed|posted|"
        rf"mailed|ordered|returned|signed|updated|reviewed|fixed|published|deployed|merged)(?: "
        rf"off| out| in)? (?P<thing>(?:the|my|our|that) (?:[\w'-]+ ){{0,3}}(?:{things}))(?![\w-])"
        r"|(?:just |finally )?(?:booked|submitted|filed|renewed|paid) (?P<thing3>(?:the|my|our) (?:[\w'-]+ ?){1,4})$"
        r"|(?P<thing2>(?:(?:the|my|our) )?(?:[\w'-]+ ){0,3}[\w'-]+) (?:submitted|sent|paid|"
        r"booked|renewed|filed|finished|fixed|shipped|delivered|deployed|published|handed "
        r"in|signed|completed|done)(?:[!.\s]|at last|✅|🎉)*$",
        re.IGNORECASE,
    )


@cache
def _out() -> re.Pattern[str]:
    return re.compile(r"(?<!sent )(?<!gone )(?<!print )(?<!printed )(?<!cleaned )(?<!sorted )\bout$", re.IGNORECASE)


@cache
def _sent_out() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:invoices?|invitations?|invites|newsletters?|letters?|reports?|contracts?|parcels?|orders?|"
        r"payslips|cards|"
        r"emails?|applications?|proposals?|quotes?|bills?|reminders|press release|issue)$",
        re.IGNORECASE,
    )


@cache
def _not_done_yet() -> re.Pattern[str]:
    return re.compile(
        rf"(?:i|we) (?:still )?(?:haven't|have not|havent) (?:{done_forms()}) "
        rf"(?P<thing>(?:the|my|our) [\w' -]{{2,50}}?) yet\b",
        re.IGNORECASE,
    )


@cache
def _got_done() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|we)?\s*(?:'ve |have |finally |just )*(?:got|ticked|crossed|checked) (?P<thing>(?:the|"
        r"my|our|that) [^;]{2,50}?) (?:done|finished|sorted|in(?=$|[,.!])|out of the way|off (?:the|my) "
        r"list|off|sent|submitted|shipped)\b",
        re.IGNORECASE,
    )


@cache
def _stuck_on() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:i|we)\s*(?:'m|'re|am|are)?\s*)?(?:(?:still|completely|totally|really|kind "
        r"of|now|currently|a bit)\s+)*(?:stuck (?:on|with)|blocked on|held up (?:on|with)|"
        r"stalled on|hit a wall (?:on|with)|at a standstill (?:on|with))\s+(?P<thing>[^;]{2,60})",
        re.IGNORECASE,
    )


@cache
def _held_up() -> re.Pattern[str]:
    return re.compile(
        r"(?P<thing>(?!(?:i|you|he|she|they|it|that|this|we|who|what|everything|traffic|(?:the "
        r"|my |our )?(?:nose|road|roads|street|drain|sink|toilet|door|window|pipe|car|lift|"
        r"elevator|zip|zipper|key|drawer|gate|chimney|gutter|entrance|view|path|account|card|"
        r"number))\b)[\w'’&/.+ -]{2,60}?)(?:'s|\s+(?:is|are))\s+(?:(?:still|currently|now|"
        r"completely|totally)\s+)*(?:(?:blocked|stuck|held up)\s+(?:by|on|until|till|because|"
        r"for|at|behind|pending|with)\b.*|(?:on hold|stalled)(?:\s.*|$)|waiting (?:on|for)\s.*)"
        r"|(?:(?:i|we)\s*(?:'m|'re|am|are)\s+)?(?:still )?waiting (?:for|on) .{2,50}? (?:before|"
        r"so that|until) (?:i|we) can (?:start|continue|finish|go on with|ship|do|begin|send|"
        r"submit|publish|book|deploy|release|launch|order|file|close|sign|pay|fix)\s*(?:on |with )?(?P<thing2>[\w' "
        r"-]{2,40})"
        r"|(?:(?:i|we) )?(?:can't|cannot|couldn't) (?:start|continue|finish|go on with|ship|"
        r"do|begin|send|submit|publish|book|deploy|release|launch|order|proceed with|move "
        r"forward with|file|sign off|finalise|finalize|hand in|renew|deliver|complete)\s+(?P<thing3>[\w' "
        r"-]{2,40}?) (?:until|till|because|before|without)\b"
        r"|(?:i|we)(?:'ve| have| had to)? put (?P<thing5>(?:the|my|our) [\w' -]{2,40}?) on hold\b"
        r"|(?P<thing4>(?:the|my|our) (?:[\w-]+ ){0,2}(?:application|claim|permit|visa|project|report|order|approval|"
        r"paperwork|transfer|negotiations|delivery|migration)) (?:is|are) (?:still )?(?:stuck|blocked)$",
        re.IGNORECASE,
    )


@cache
def _off_the_list() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:you can|please|we can|can you|let's|just|actually|i can|so)\s+)*(?:scratch|"
        r"take|cross|strike|remove|drop|get|delete)\s+(?P<thing>[^;]{2,60}?)\s+(?:off|from) "
        r"(?:the|my|our) (?:to-?do |todo |task )?list\b",
        re.IGNORECASE,
    )


@cache
def _no_need() -> re.Pattern[str]:
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
def _no_work() -> re.Pattern[str]:
    things = (
        r"dinner|lunch|breakfast|coffee|tea|drink|meal|food|pasta|rice|chicken|bread|soup|potatoes|eggs?|"
        r"cookies|turkey|"
        r"dishwasher|washing machine|power|electricity|lights?|fire|candles?|heating|internet|wifi|sun|moon|"
        r"tide|dryer|oven|kettle|song|dishes|laundry|washing|housework|ironing|vacuuming|steak|stew|sauce|"
        r"dough|roast|pie|noodles|curry|"
        r"movie|film|season|show|episode|"
        r"series|game|race|match|work|school|shift|day|week|workout|run|walk|marathon|bottle|"
        r"pizza|cake|glass|cigarette|first|second|half|book|novel|chapter|level|puzzle|year|"
        r"degree|it|things|stuff|myself|me|us|him|her|them|that|this|these|those|what|how|"
        r"being|getting|my (?:health|fitness|patience|anger|mental|self|confidence|relationship|"
        r"communication|tan|abs|skills|issues)|something|everything|their|his|her|its|some|"
        r"another|notice\b|deal\b|weekend|night|summer|holidays?|party|wait\b|fight|conversation|"
        r"discussion|lesson|semester|term\b|pregnancy|trip\b|journey|flight|podcast|article|"
        r"crossword|climb|hike|ride\b|drive\b|a (?:lot|bit|few|new|way)|traffic|a train|repeat|"
        r"you|people|the (?:phone|moon|same|road|train|bus|island|couch|sofa|toilet)|stuff|"
        r"part|bit|batch|step|section|quota|kuota|ex\b|man\b|men\b|dating|drama|winter|job\b|"
        r"place\b|city|relationship|situation|weather|whole|plane|motorway|highway|ferry|platform|"
        r"runway|bridge|roof\b(?= (?:of|with))|ring road|tram|call\b|hold|drain|sink|toilet|"
        r"data|storage|money|battery|one|set|round|site|hold|improving|becoming|learning|finding|"
        r"trying|developing|creating|keeping|loving|living"
    )
    return re.compile(
        rf"(?:(?:the|my|our|a|an|all)\s+)?(?:last\s+|first\s+|final\s+|"
        rf"whole\s+)?(?:{things})(?![\w-])(?!\s+(?:bill|invoice|contract|repo"
        rf"rt|plan|proposal|review|manuscript|edits|application|paper|project|essay|schedule|"
        rf"menu|program|script|slides|budget|website|page|design))",
        re.IGNORECASE,
    )


@cache
def _used_up() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:quota|kuota|battery|money|milk|data|food|bread|coffee|patience|time|fuel|gas)$|"
        r"\b(?:degree|course|module|videos?|books?|chapters?|season|puzzle|level|run|race|"
        r"walk|hike|workout|class|classes|training|session|studies)\b",
        re.IGNORECASE,
    )


@cache
def _has_verb() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:i|you|he|she|we|they|it|that|is|are|was|were|be|been|get|gets|got|getting|have|"
        r"has|had|need|needs|want|not|well|when|if|to|once|how|with|after|before|as|almost|"
        r"half|all|what|who|glad|sounds|looks|seems|feels|hope|think|guess|just|so|good|nice|"
        r"well|here|there|another|please|like|finally|everything|than)\b",
        re.IGNORECASE,
    )


@cache
def _not_yet() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|never|n't|almost|nearly|yet|half|far from|when|once|until|if|will be|should "
        r"be|must be|needs to be|has to be|have to be|to be|about to|well done|over and)\b",
        re.IGNORECASE,
    )


@cache
def _empty() -> re.Pattern[str]:
    return re.compile(
        r"(?:it|this|that|them|these|those|something|everything|anything|things|stuff|one|"
        r"him|her|me|you|us|so|more|lot|\d+)(?:_(?:all|too|soon|properly|myself))?"
    )


@cache
def _dated() -> re.Pattern[str]:
    return re.compile(r"(?:by|before|until|due|on|tomorrow|tonight|next|this)\b", re.IGNORECASE)


@cache
def _trailing() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:btw|by the way|finally|at last|yay|woohoo|today|this morning|last night|yesterday|"
        r"now|though|lol|as we speak|right now|at the moment|currently|again|already|early|"
        r"ahead of schedule|on time|in time)\b.*$|\s*(?:!|🎉).*$",
        re.IGNORECASE,
    )
