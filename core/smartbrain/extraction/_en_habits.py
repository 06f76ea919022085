"""English habits with tools, and how and when the user wants to be reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_slots import Slot, slot_exactly
from smartbrain.extraction._en_wish_words import Polarity, lasting_marker, slotted
from smartbrain.extraction.hits import FIRM, Hit, looked_like, preference


def meeting_time(clause: Clause) -> Iterator[Hit]:
    match = _best_for_meetings.match(clause.text)
    booked = None if match else _book_me.match(clause.text)
    match = match or booked
    if match and not guards.stopped(clause):
        whole = clause.span(0, len(clause.text))
        polarity: Polarity = "dislike" if booked and booked["not"] else "like"
        yield preference("meeting_time", whole, scope="other", name="meeting_time", value=match["v"], polarity=polarity)


def habit(clause: Clause) -> Iterator[Hit]:
    match = _habit_verb.match(clause.text) or _my_tool.match(clause.text)
    if not match:
        yield from _turned_round(clause)
        return
    text = clause.text[match.end() :]
    slot = slot_exactly(text)
    if match.re is _my_tool() and slot and slot.scope != "tools":
        slot = None
    named = _as_tool().match(text)
    whole = clause.span(0, len(clause.text))
    if slot is None and named:
        slot = Slot("tools", _TOOL_SLOT[named["kind"].lower()], named.start("tool"), named.end("tool"))
    if slot is None or slot.scope not in ("tools", "coding", "other"):
        return
    if match[0].rstrip().lower().endswith("write") and (slot.scope, slot.name) != ("coding", "language"):
        return  # "I write poetry"
    reason = guards.stopped(clause) or ("only for now" if guards.for_once(text) or _passing().search(text) else "")
    if reason:
        yield looked_like("preferences", "habit", whole, reason)
        return
    polarity: Polarity = "dislike" if match.groupdict().get("never") else "like"
    yield slotted("habit", whole, slot, text[slot.start : slot.end], polarity)


def _turned_round(clause: Clause) -> Iterator[Hit]:
    """ "zsh is my shell", "Google Maps is what I use for directions", "my calendar lives in Fastmail"."""
    match = next(
        filter(None, (shape.fullmatch(clause.text) for shape in (_is_my_tool, _lives_in, _for_life, _all_in))), None
    )
    if not match:
        return
    groups = match.groupdict()
    at, end = match.span("tool" if groups["tool"] else "tool2")
    slot = slot_exactly(clause.text[at:end])
    kind = _TOOL_SLOT.get(str(groups.get("kind") or "").lower())
    if slot is None and kind is None:
        return
    whole = clause.span(0, len(clause.text))
    reason = guards.stopped(clause)
    if reason:
        yield looked_like("preferences", "habit", whole, reason)
        return
    found = Slot("tools", kind, at, end) if kind else slot
    if found is not None and found.scope in ("tools", "coding"):
        yield slotted("habit", whole, found, clause.sentence.text[slice(*clause.span(at, end))], "like")


def contact(clause: Clause) -> Iterator[Hit]:
    reached = _reached_by.match(clause.text)
    if reached:
        way = next(filter(None, reached.groups()))
        reason = guards.stopped(clause)
        if not guards.for_once(clause.whole) and reason in ("", "hypothesis"):
            whole = clause.span(0, len(clause.text))
            yield preference("contact", whole, scope="other", name="contact", value=way, polarity="like")
        return
    match = _contact_way.match(clause.text)
    if not match:
        return
    whole = clause.span(0, len(clause.text))
    refused = match["not"] or ""
    beside = [other.strip() for other in (*clause.later[:1], *clause.earlier[-1:])]
    never = any(_never_call().match(other) for other in beside)
    standing = lasting_marker.search(clause.whole) or never or match["over"]
    if not standing or guards.for_once(clause.whole) or guards.stopped(clause):
        if not refused:
            return
        if not (lasting_marker.search(clause.whole) or any(_contact_way().match(other) for other in beside)):
            return
    if refused and any(_contact_way().match(other) and not _never_call().match(other) for other in beside):
        return  # "don't call, text me": the other clause says what is wanted
    yield preference(
        "contact",
        whole,
        scope="other",
        name="contact",
        value=match["way"],
        polarity="dislike" if refused else "like",
        confidence=FIRM,
    )


_TOOL_SLOT = {
    "editor": "editor",
    "ide": "editor",
    "browser": "browser",
    "shell": "shell",
    "terminal": "terminal",
    "search engine": "search",
    "notes app": "notes",
    "calendar": "calendar",
    "notes": "notes",
    "email": "email",
    "mail": "email",
    "email client": "email",
    "mail client": "email",
    "operating system": "os",
    "os": "os",
    "spreadsheet": "spreadsheet",
    "for notes": "notes",
    "for note-taking": "notes",
    "for navigation": "navigation",
    "for directions": "navigation",
    "for email": "email",
    "for spreadsheets": "spreadsheet",
    "for everything at the terminal": "terminal",
}


@EN.sifted
def _habit_verb() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|we(?= (?:both|all)))\s*(?:(?:always|usually|mostly|mainly|exclusively|only|"
        r"still|now|generally|typically|primarily|normally|just|do|(?P<never>never|don't|do "
        r"not))\s+)*"
        r"(?:use|run everything (?:on|with|in)|(?:build|do|keep|host) (?:everything|it all|all (?:my|our) \w+) "
        r"(?:on|with|in)|live in|spend (?:all|most of) (?:my|the) (?:day|time) in|surf (?:with|in)|run(?= )|"
        r"code in|write(?: everything| all my code| my code| code)? in|write(?= "
        r")|program in|develop in|do (?:all )?my (?:email|mail|calendar|notes|banking|spreadsheets|"
        r"browsing|coding|writing|shopping) (?:in|with|on)|search with|browse with|work in(?= "
        r"(?:vim|emacs|vs|neo|helix|python|go|rust|java|c))|indent with|stick (?:to|with)|"
        r"'m (?:on|an?)(?= )|switched to|'ve switched to|have switched to|moved to(?= (?:vim|"
        r"neo|vs|emacs|helix|linux|firefox|chrome|brave|obsidian|notion))|pay with|(?:ever )?pay (?=cash|by "
        r"card|in cash)|navigate "
        r"with|take notes (?:in|with)|format (?:my )?(?:code )?with|test with|deploy (?:to|"
        r"on)|host (?:everything )?on|sit (?=by|at|near)|(?:only |always |never )?(?:take|"
        r"have|do|schedule) (?=(?:meetings|calls|appointments))|take (?=the (?:window|aisle)|"
        r"an? (?:window|aisle))|go for (?=(?:the|an?) (?:window|aisle))|book (?=the (?:window|aisle)|an? "
        r"(?:window|aisle))|book )\s*",
        re.IGNORECASE,
    )


@EN.sifted
def _my_tool() -> re.Pattern[str]:
    kinds = "|".join(kind for kind in _TOOL_SLOT if not kind.startswith("for "))
    return re.compile(
        rf"(?:my (?:main |default |daily |preferred |usual |go-to )?(?:{kinds}|ide|setup|machine|"
        rf"laptop)(?: of choice)?(?:'s| is| runs| has always been)"
        r"|(?:i|we) (?:keep|take|write|store|do|run|track) (?:(?:all )?(?:my|our) (?:notes|lists|journal|"
        r"accounts|books|budgets?)|everything|all "
        r"of it) (?:in|on)|(?:i(?:'ve| have) )?been an?(?=\s[\w .+#]{1,20}? (?:user|person|guy|girl)\b)|"
        r"i(?:'ve| have) (?:always )?been (?:on|using)|been (?:on|using)(?=\s.{2,24}\bfor (?:\w+ )?years\b)|"
        r"i(?:'ve| have) used(?=\s.{2,24}\bfor (?:\w+ )?years\b)|"
        r"we(?:'re| are) an?(?=\s[\w .+#]{1,20}? (?:shop|house)\b)|it's(?=\s[\w .+#]{1,20}? for me\b)|"
        r"(?:i |i've |we |we've )?(?:moved|switched) everything (?:over )?to|i(?:'ve| have) always been "
        r"an?(?=\s[\w .+#]{1,20}? (?:user|person|guy|girl|fan)\b)|(?:i'm|i am) (?:still )?an?(?: "
        r"long-?time| lifelong| die-?hard)?(?=\s[\w .+#]{1,20}? (?:user|person|guy|girl|fan)\b)"
        r"|all my (?:notes|code|servers|machines|computers|laptops) (?:are|live|is|run)(?: in| on)?)\s+",
        re.IGNORECASE,
    )


@cache
def _as_tool() -> re.Pattern[str]:
    kinds = "|".join(kind for kind in _TOOL_SLOT if not kind.startswith("for "))
    uses = "|".join(kind for kind in _TOOL_SLOT if kind.startswith("for "))
    return re.compile(
        rf"(?P<tool>[\w.+#-]{{2,20}}(?: [\w.+#-]{{2,20}})?) (?:as my (?:main |default |daily "
        rf")?)?(?P<kind>{kinds}|{uses})\b",
        re.IGNORECASE,
    )


@cache
def _passing() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:today|right now|tonight|this (?:week|morning|month)|at the moment|for (?:a|"
        r"this|my|the) \w+|temporarily|at work|until|to (?:\w+) (?:this|the))\b",
        re.IGNORECASE,
    )


@EN.sifted
def _contact_way() -> re.Pattern[str]:
    return re.compile(
        r"(?:please |just |always |only |it's (?:best|better) to |better to |better |best to )*(?P<not>(?:don't|"
        r"do not|never|stop) )?(?P<way>text|call|phone|ring|email|e-mail|message|whatsapp|"
        r"signal|dm|ping|slack|calling|texting|emailing)(?:ing)?(?: me\b| (?=only|please|instead)|"
        r"(?=$))"
        r"(?P<over>,? (?:rather than|instead of|than|don't|not|over) (?:call|ring|phon|text|email|ring|"
        r"messag)\w*)?(?! (?:if|when|crazy|old|back|later|tomorrow|tonight|about|on \w+day|"
        r"by|the|a|an|as soon|once|that|what|how|why|at (?:\d|noon)))",
        re.IGNORECASE,
    )


@EN.sifted
def _reached_by() -> re.Pattern[str]:
    """ "I'd rather be texted than called", "best to reach me by WhatsApp", "email's best for me"."""
    means = r"e-?mail|whatsapp|signal|text|sms|telegram|phone|slack|letter|post"
    return re.compile(
        r"(?:i (?:much )?prefer|i'd (?:much )?(?:rather|prefer)|i would (?:much )?(?:rather|prefer)) "
        r"(?:(?:to )?be(?:ing)? |"
        r"getting |to get )?(texted|texts|e-?mailed|e-?mails|messaged|phoned|called|phone calls|letters)\b"
        r"(?=$| (?:than|over|rather than|to|instead of|not|and not)\b)"
        rf"|(?:it's )?(?:the )?(?:best|easiest|quickest)(?: way)? (?:to|is to) (?:reach|contact|get(?: hold "
        rf"of)?) me (?:is )?"
        rf"(?:by|via|on|through) ({means})\b|({means}|texts)(?:'s| is| works?) (?:always |usually )?(?:best|easiest) "
        r"for me\b",
        re.IGNORECASE,
    )


@EN.sifted
def _is_my_tool() -> re.Pattern[str]:
    kinds = "|".join(kind for kind in _TOOL_SLOT if not kind.startswith("for "))
    return re.compile(
        rf"(?P<tool>[\w.+#-]{{2,20}}(?: [\w.+#-]{{2,20}})?) (?:is|has always been) (?:my (?:main |default |"
        rf"daily |go-to )?"
        rf"(?P<kind>{kinds})|what i (?:always )?use(?: for [\w ]{{3,30}})?)(?: of choice|"
        rf" for everything)?(?P<tool2>$^)?",
        re.IGNORECASE,
    )


@EN.sifted
def _lives_in() -> re.Pattern[str]:
    return re.compile(
        r"(?:all )?(?:my|our) (?P<kind>notes|calendar|email|mail)(?: all)? (?:lives?|goes?|is|are|sits?) "
        r"(?:in|on|into) "
        r"(?P<tool>(?-i:[A-Z])[\w.+-]*(?: (?-i:[A-Z])[\w.+-]*)?)(?: these days| now)?(?P<tool2>$^)?",
        re.IGNORECASE,
    )


@EN.sifted
def _for_life() -> re.Pattern[str]:
    """ "Emacs till I die", "we're Mac people", "Signal is where I actually talk to people", "uv for everything"."""
    tool = r"[\w.+#-]{2,20}(?: (?!here|now|these|too|anyway|by)[\w.+#-]{2,20})?"
    return re.compile(
        rf"(?P<tool>{tool}) (?:till i die|for life|(?:person|user|man|woman|girl|guy) through and through|"
        rf"for (?:everything|anything|all my \w+|all our \w+)(?: (?:now|here|these days))?|"
        rf"on (?:everything|every \w+|all the \w+|all \w+) i (?:own|have|use)|"
        rf"(?:is|was always) (?:where i|what i|the (?:one|only one|app|tool) i) (?:actually |always |mostly |"
        rf"really |only )*"
        rf"(?:talk|write|keep|use|check|look|live|work|do|read|pay|run|open|trust|reach for|know)\b.{{0,40}})"
        rf"|(?:we're|we are) (?:all |a |an )?(?P<tool2>{tool}) (?:people|folk|folks|family|household|team|office|here)"
        rf"(?: in this (?:house|family|office|team))?",
        re.IGNORECASE,
    )


@EN.sifted
def _all_in() -> re.Pattern[str]:
    """ "everything runs on AWS here", "our photos are all in iCloud", "our tests are all pytest"."""
    tool = r"[\w.+#-]{2,20}(?: (?!here|now|these|too|anyway|by)[\w.+#-]{2,20})?"
    return re.compile(
        rf"(?:everything(?: (?:we|i) (?:have|do|own|run|write|build))?|(?:all )?(?:my|our) (?!team|kids|"
        rf"family)[\w -]{{2,24}}?) "
        rf"(?:(?:is|are|runs?|sits?|lives?|goes|go|gets? pushed|gets? saved|stays?) )(?:all |always )?"
        rf"(?:on|in|into|to|with|through)? ?(?P<tool>{tool})(?P<tool2>$^)?(?: (?:now|here|these days|anyway|too|"
        rf"by itself))?",
        re.IGNORECASE,
    )


@cache
def _never_call() -> re.Pattern[str]:
    return re.compile(
        r"(?:and |please )?(?:don't|do not|never|no) (?:call|phone|ring|text|email|message)s?\b", re.IGNORECASE
    )


@EN.sifted
def _best_for_meetings() -> re.Pattern[str]:
    return re.compile(
        r"(?P<v>(?:early |late )?(?:mornings?|afternoons?|evenings?)) (?:are|is|work|works) "
        r"(?:always )?(?:best|better|good|fine) (?:for me )?(?:for )?(?:my |our )?(?:meetings|"
        r"calls|appointments)",
        re.IGNORECASE,
    )


@EN.sifted
def _book_me() -> re.Pattern[str]:
    """ "always book me after lunch", "never schedule anything before nine for me"."""
    return re.compile(
        r"(?:please )?(?:always|only|(?P<not>never|don't ever))(?: please)? (?:schedule|book|plan|put)"
        r"(?: (?:me|anything|things|my (?:calls|meetings|appointments)|calls|meetings|appointments)(?: in)?)? "
        r"(?P<v>(?:before|after|earlier than|later than) [\w:]+(?: ?[ap]m)?|(?:in the |on )?(?:early |late )?"
        r"(?:mornings?|afternoons?|evenings?|(?:mon|tues|wednes|thurs|fri|satur|sun)days))(?=$| for me\b| "
        r"please\b|[,.!])",
        re.IGNORECASE,
    )
