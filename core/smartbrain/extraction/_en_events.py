"""English events: releases, failures, appointments, journeys and turns of life, with the day they happen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_slots import slot_exactly
from smartbrain.extraction._en_words import RELATION
from smartbrain.extraction.hits import Hit, event, event_day, looked_like
from smartbrain.text.timehints import Prefer, mentions_time


class Shape(NamedTuple):
    """One way to tell an event. ``dated``: without a day it is not worth keeping. ``about`` is the group's name."""

    kind: str
    rule: str
    prefer: Prefer | None
    dated: bool
    pattern: re.Pattern[str]


def find(clause: Clause) -> Iterator[Hit]:
    """The event of one clause, if there is one; a wedding that one flies to stays the journey."""
    timed = mentions_time(_dated_text(clause))
    for shape in _shapes():
        if shape.dated and not timed:
            continue  # it would be undated, whatever it says
        match = shape.pattern.match(clause.text)
        if match is None:
            continue
        hit = _hit(clause, shape, match)
        if hit is not None:
            yield hit
            return


def _hit(clause: Clause, shape: Shape, match: re.Match[str]) -> Hit | None:
    groups = match.groupdict()
    kind = shape.kind or _KIND_OF[" ".join(str(groups["kind"]).lower().split())]
    prefer = shape.prefer
    if prefer is None:
        ahead = shape.dated or _ahead().search(clause.text) is not None
        prefer = "past" if _past().search(clause.text) else "future" if ahead else None
    day = event_day(_dated_text(clause), clause.sentence.said_at, prefer=prefer)
    whole = clause.span(0, len(clause.text))
    if day == "undated" and (shape.dated or _just_now().search(match[0])):
        return None
    if not _subject().match(match[0]) and any(len(other.split()) > _FEW for other in clause.earlier):
        return None  # without an "I" only where the sentence begins
    if kind in ("performance", "party") and _is_past(day, clause) and not _own().match(match[0]):
        return None  # a show that was watched
    if shape.kind == "trip" and slot_exactly(str(groups.get("about") or "")):
        return None  # "I went back to Vim"
    if shape.rule == "calendar" and _verb_too().match(match["kind"]) and not _whose().match(match[0]):
        return None
    reason = guards.stopped(clause)
    if not reason and _elsewhere().search(clause.text):
        reason = "not the user's own"
    if not reason and _not_so().search(clause.text):
        reason = "it did not happen"
    if reason:
        return looked_like("events", shape.rule, whole, reason)
    group = next((name for name in ("about", "about2", "about3") if groups.get(name)), None)
    about = _tail().sub("", clause.sentence.text[slice(*clause.span(*match.span(group)))]) if group else ""
    if about and _no_thing().search(about):
        return None
    if _there_is().match(match[0]) and kind in ("performance", "party", "competition", "release"):
        return None  # what is on in town
    if shape.rule == "kind_past" and kind in ("meeting", "visit") and (not about or _judged().match(about)):
        return None  # "had a great meeting today": an ordinary day at work
    title = clause.sentence.text[slice(*whole)].strip()
    return event(shape.rule, whole, kind=kind, day=day, title=title, about=about)


_FEW = 2


def _is_past(day: str, clause: Clause) -> bool:
    """Whether a day lies before the moment it was spoken of."""
    return day < clause.sentence.said_at.date().isoformat()


def _dated_text(clause: Clause) -> str:
    """The clause, and its neighbours when they only say when: "on Tuesday, dentist appointment"."""
    parts = [clause.lead + clause.text]
    if clause.later and _only_when().match(clause.later[0].strip()):
        parts.append(clause.later[0])
    if clause.earlier and _only_when().match(clause.earlier[-1].strip()):
        parts.append(clause.earlier[-1])
    return _day_to_day().sub(r"\g<first> of \g<month>", ", ".join(parts))


_KIND_WORDS = {
    "appointment": "appointment|check-?up|checkup|follow-?up|follow-?up appointment|(?:tax )?audit|"
    "consultation|scan|mri|mri scan|ultrasound|blood test|"
    "vaccination|haircut appointment|viewing|fitting|therapy session|physio session|root "
    "canal|cleaning appointment|inspection|hearing|court date",
    "meeting": "meeting|parent-teacher meeting|parents'? evening|standup|board meeting|review meeting|"
    "kick-?off|conference call|annual review|performance review|quarterly review|yearly "
    "review|design review|sprint review|retro|check-in|catch-up|sync|webinar|workshop|"
    "phone call|video call|zoom call|trade fair|"
    "conference|summit|offsite|retreat|town hall|agm|hackathon|seminar|demo|presentation|"
    "talk|lecture|panel",
    "interview": "interview|job interview|phone interview|final interview|screening call",
    "exam": "exam|test|driving test|midterm|final exam|finals|bar exam|quiz|viva|oral exam|thesis "
    "defen[cs]e|defen[cs]e|certification exam|ielts|toefl|sat|mock exam|audition",
    "surgery": "surgery|operation|procedure|transplant|c-section|biopsy|colonoscopy|knee replacement|"
    "hip replacement|wisdom tooth extraction",
    "wedding": "wedding|wedding ceremony|civil ceremony|anniversary party",
    "graduation": "graduation|graduation ceremony|commencement|convocation",
    "birth": "due date|baby's due date",
    "party": "party|birthday party|housewarming|housewarming party|baby shower|bachelorette(?: "
    "party)?|stag do|hen do|leaving do|farewell party|reunion|family reunion|retirement "
    "party|bbq|gala|reception|engagement party|christmas party",
    "performance": "concert|recital|gig|performance|play|opening night|premiere|exhibition|show|opening|"
    "book launch|vernissage|showcase|choir concert",
    "competition": "race|marathon|half[- ]marathon|tournament|match|competition|championship|regatta|"
    "triathlon|10k|5k|meet|derby|final",
    "deadline": "deadline|submission deadline|cut-?off|closing date",
    "trip": "flight|trip|holiday|vacation|cruise|honeymoon|business trip|school trip|pilgrimage|road trip",
    "move": "moving day|move|house move|relocation",
    "death": "funeral|memorial|memorial service",
    "visit": "visit|site visit|house visit",
    "release": "release|launch|go-live|rollout|product launch|grand opening|launch day",
    "new_job": "first day at work|first day at the new job|first day of work|first day|start date",
}
_KIND = "|".join(sorted((w for words in _KIND_WORDS.values() for w in words.split("|")), key=len, reverse=True))


class _Kinds(dict[str, str]):
    """The kind of a word as it was said."""

    def __missing__(self, word: str) -> str:
        for kind, words in _KIND_WORDS.items():
            if re.fullmatch(words, word, re.IGNORECASE):
                return kind
        return "milestone"


_KIND_OF = _Kinds()
_WE = r"(?:i|we|my \w+ and i|the (?:team|family|kids and i)|(?:(?-i:[A-Z])\w+) and i)"
_I0 = rf"(?:{_WE}(?=[\s']))?"
_PLACE = (
    r"(?!(?-i:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|"
    r"June|July|August|September|October|November|December|I|My|The|A|Dr|Mr|Ms|Mrs)\b)(?P<about>(?-i:[A-Z])[\w"
    r"'.-]+(?: (?:and |de |la |del |of |the |der )?(?-i:[A-Z])[\w'.-]+){0,3}|(?:the )?(?-i:[A-Z])[\w'.-]+)"
)
_ADV = r"(?:(?:just|finally|also|actually|now|officially|still|then|all|both|recently|already|even|only)\s+)*"
_WHOSE = rf"(?:my|our|the|his|her|their|(?:my|our) (?:\w+ )?(?:{RELATION})'s|(?-i:[A-Z])\w+'s)"
_OF = rf"(?:(?P<about>(?:my |our |the )?(?:(?:{RELATION})'s|(?-i:[A-Z])?[\w-]+(?:'s)?)(?: [\w'-]+){{0,3}}?) )?"


@cache
def _shapes() -> tuple[Shape, ...]:
    table: tuple[tuple[str, str, Prefer | None, bool, str], ...] = (
        # -- work: releases and failures
        (
            "release",
            "release",
            None,
            False,
            rf"(?:(?:our|the|my|we'?ve|version|release|build|app|update|new)\s+)*(?P<about>v?\d+(?:\.\d+)+[\w.-]*|"
            rf"v\d+)\s+(?:of [\w -]{{2,20}} )?{_ADV}(?:(?:is|was|went|has gone|has been|just)\s+)*{_ADV}(?:live|"
            rf"out|released|shipped|launched|deployed|published|in production|to production)\b",
        ),
        (
            "release",
            "release",
            None,
            False,
            rf"{_WE}\s*(?:'ve|have)?\s*{_ADV}(?:released|launched|shipped|rolled out|went live "
            rf"with|pushed out|deployed) (?:(?:our|the|my|version|new|first|a|an|beta of)\s+)*(?P<about>v?\d+(?:\.\d+)+"
            rf"[\w.-]*|[\w.'-]+(?: (?!to\b|on\b|yesterday\b|today\b|last\b|this\b|at\b|and\b|in\b|"
            rf"after\b|with\b)[\w.'-]+){{0,3}})(?=.*\b(?:yesterday|today|last|this|on|ago|morning|"
            rf"\d)\b|$)",
        ),
        (
            "release",
            "release",
            None,
            False,
            r"(?:our|the|my) (?:(?:new|first|redesigned)\s+)*(?P<about>(?:[\w-]+ )?(?:app|site|"
            r"website|web ?shop|shop|store|product|platform|beta|game|album|book|podcast|update|"
            r"release|api|portal|dashboard|feature|version|system|mobile app|firmware|menu|collection|course|"
            r"magazine|newsletter)) "
            + rf"{_ADV}(?:(?:is|was|went|has gone|just|goes|launches|will go|is going|launched|ships|"
            rf"comes|came|shipped)\s*)+{_ADV}(?:live|out|released|shipped|launched|on sale|public|"
            rf"to production)?(?=.*\b(?:live|launch\w*|release\w*|ship\w*|out)\b)",
        ),
        (
            "incident",
            "incident",
            "past",
            False,
            r"(?:(?:our|the|whole|entire|my)\s+)*(?P<about>(?:[\w-]+ )?(?:prod(?:uction)?|site|"
            r"website|server|servers|api|database|db|checkout|payments?|login|auth|cluster|network|"
            r"pipeline|app|backend|build|system|platform|web ?shop|vpn|mail server|till system|"
            r"booking system|ci))\s+(?:(?:was|were|went|is|has been|been|just)\s+)*"
            + rf"{_ADV}(?:(?:completely|partially|totally)\s+)?(?:down|offline|unreachable|unavailable|"
            rf"crashed|fell over|died|hacked|out)\b(?! (?:to|for maintenance next|the (?:street|"
            rf"road)))",
        ),
        (
            "incident",
            "incident",
            "past",
            False,
            rf"(?:{_WE}|there) (?:'ve |have |just )?(?:had|was|were having|suffered|saw) (?:an?|"
            rf"another|a (?:major|big|two-hour|\w+)) (?P<about>(?:[\w-]+ ){{0,2}}?)(?:outage|production "
            rf"incident|security incident|sev-?\d|data breach|breach|downtime|data loss|power cut|"
            rf"power outage|flood|fire|leak|recall)\b",
        ),
        (
            "incident",
            "mishap",
            "past",
            True,
            r"(?:our|the|my) (?P<about>(?:[\w-]+ ){0,2}[\w-]+) (?:(?:was|were|got|has been)\s+)?(?:flooded|"
            r"broke down|caught fire|burst|exploded|collapsed|blew up|hacked|burned down|burnt down)\b",
        ),
        (
            "release",
            "release",
            None,
            False,
            rf"{_I0}\s*{_ADV}(?:pushed|deployed|shipped|merged) (?P<about>v?\d+(?:\.\d+)+) to (?:prod|"
            rf"production|users|customers|the store)\b",
        ),
        (
            "incident",
            "incident",
            "past",
            False,
            rf"(?:the|our) (?P<about>(?:[\w-]+ ){{0,2}}(?:deploy(?:ment)?|migration|release|rollout|"
            rf"launch|backup|upgrade)) {_ADV}(?:failed|went wrong|broke (?:prod|everything|the "
            rf"\w+)|was rolled back)\b",
        ),
        (
            "release",
            "release",
            "future",
            True,
            rf"{_WE}(?:'re| are|'ll| will)?\s*{_ADV}(?:go|going) live\b",
        ),
        # -- mishaps
        (
            "accident",
            "accident",
            "past",
            False,
            rf"{_I0}\s*(?:'ve|have|was|were|got)?\s*{_ADV}(?:(?:had|been in|was in|were in|got "
            rf"into|in) an? (?:\w+ )?(?P<about>(?:car |bike |bicycle |cycling |skiing |motorbike "
            rf"|climbing |work )?)(?:accident|crash)|crashed (?:my|the|our|his|her) (?P<about2>car|"
            rf"bike|van|motorbike|scooter|truck)|rear-ended|(?:broke|fractured|dislocated|sprained|"
            rf"tore) my (?P<about3>[\w ]{{3,20}}?))(?=$|\s+(?:on|in|at|last|yesterday|this|while|"
            rf"skiing|playing|when|falling|two|three|\d|a|ago|during|so|and)\b)",
        ),
        (
            "theft",
            "theft",
            "past",
            False,
            r"(?:(?:someone|somebody) (?:stole|broke into) the (?P<about3>[\w ]{2,20}?)(?= (?:on|last|yesterday|this))|"
            r"(?:someone |somebody |they )?(?:stole|nicked|broke into) (?:my|our) (?P<about>[\w "
            r"]{2,20}?)|(?:my|our) (?P<about2>[\w ]{2,20}?) (?:was|were|got|has been|have been|"
            r"just got) (?:stolen|broken into|burgled|robbed|pickpocketed|nicked))(?=$|\s)|(?:i|"
            r"we) (?:was|were|got|just got) (?:robbed|burgled|mugged|pickpocketed)\b",
        ),
        # -- turns of life
        (
            "wedding",
            "getting_married",
            "future",
            True,
            rf"(?:{_WE}(?:'re| are|'m| am)?|(?:my|our) (?:\w+ )?(?P<about>{RELATION})(?: (?-i:[A-Z])\w+)?(?: "
            rf"is|'s)?)\s*{_ADV}(?:getting married|marrying|tying the knot)\b",
        ),
        (
            "wedding",
            "married",
            "past",
            False,
            rf"(?:{_WE}|(?:my|our) (?:\w+ )?(?P<about>{RELATION})(?: (?-i:[A-Z])\w+)?)\s*{_ADV}(?:got "
            rf"married|tied the knot|eloped)\b",
        ),
        (
            "engagement",
            "engaged",
            "past",
            False,
            rf"{_I0}(?:'re| are| got|'ve got)?\s*{_ADV}(?:(?:just )?got engaged|(?<=re )engaged|"
            rf"(?<=are )engaged|proposed(?= to))\b|(?:he|she|my (?:boyfriend|girlfriend|partner)) "
            rf"proposed(?: to me)?(?=$|\s+(?:on|in|last|yesterday|this|at|and))",
        ),
        (
            "birth",
            "expecting",
            "future",
            False,
            rf"(?:{_WE}|my \w+)(?:'re| are|'m| am| is|'s)\s*{_ADV}(?:expecting (?:a (?:baby|boy|"
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
            rf"this|on|ago|\d)\b)|(?:i|my (?:wife|sister|daughter|partner|girlfriend)) {_ADV}(?:gave "
            rf"birth|had (?:a|her|the|our) baby)\b)",
        ),
        (
            "death",
            "death",
            "past",
            False,
            rf"(?:(?:my|our) (?:\w+ )?|(?=(?:mum|mom|dad|grandma|grandpa|granny|nana|grandad|granddad)\b))"
            rf"(?P<about>{RELATION}"
            rf"|dog|cat|horse)(?: (?-i:[A-Z])\w+)?\s*(?:has |just )?{_ADV}(?:died|passed away|passed(?= "
            rf"(?:on|last|yesterday|this|in|away))|was put to sleep|was put down)\b",
        ),
        (
            "death",
            "death",
            "past",
            False,
            rf"{_WE} (?:just |recently )?(?:lost|buried) (?:my|our) (?P<about>{RELATION}|dog|cat)\b(?! (?:in "
            rf"the|at the|'s))",
        ),
        (
            "promotion",
            "promotion",
            "past",
            False,
            rf"{_I0}\s*(?:'ve|have|was|were|just|am|'m)?\s*{_ADV}(?:got|been|was|getting|"
            rf"being)?\s*{_ADV}(?:(?:a|the|my) promotion|promoted)(?: to (?P<about>[\w -]{{3,30}}?))?(?=$|"
            rf"\s+(?:on|in|at|last|yesterday|"
            rf"this|today|and|so|starting|effective)\b)",
        ),
        (
            "layoff",
            "layoff",
            "past",
            False,
            rf"{_WE}\s*(?:'ve|have|was|were|just)?\s*{_ADV}(?:got|been|was|were)?\s*{_ADV}(?:laid "
            rf"off|made redundant|fired|let go(?= (?:from|by|on|last|yesterday|today|this)|$))\b",
        ),
        ("layoff", "layoff", "past", False, r"i\s*(?:just |recently )?lost my job\b"),
        (
            "new_job",
            "new_job",
            None,
            False,
            rf"{_WE}\s*(?:'ve|have|'m|am|'ll be|will be)?\s*{_ADV}(?:got (?:the|a(?: new)?) job|"
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
            rf"(?:{_WE}|(?:my|our) (?:\w+ )?(?:{RELATION})(?: (?-i:[A-Z])\w+)?)\s*(?:'ve|have|'m|"
            rf"am|just|is|'s|has|'ll|will)?\s*{_ADV}(?:graduated|graduating|graduate|graduates)(?! "
            rf"student| school| degree)(?: from (?P<about>[\w' ]{{3,30}}?))?(?=$|\s+(?:on|in|last|"
            rf"yesterday|this|today|next|and|so|with|tomorrow|two|three)\b)",
        ),
        (
            "exam",
            "exam_passed",
            "past",
            False,
            rf"{_I0}\s*(?:'ve|have)?\s*{_ADV}(?:(?:passed|failed|aced|sat|took) (?:my|the|our) "
            rf"(?P<about>[\w -]{{0,20}}?)\s*(?:exams?|test|finals|viva|defen[cs]e|certification|"
            rf"boards?)|defended my (?P<about2>thesis|dissertation|phd))\b",
        ),
        (
            "award",
            "award",
            "past",
            False,
            rf"{_I0}\s*(?:'ve|have|was|were)?\s*{_ADV}(?:(?:won|been awarded|was awarded|took home) "
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
            rf"{_I0}\s*(?:'ve|have|just|are|'re)?\s*{_ADV}(?:broke up|broken up|split up|separated|"
            rf"getting (?:a divorce|divorced))\b|my (?:\w+ )?(?:boyfriend|girlfriend|partner|wife|"
            rf"husband|fianc\w+) (?:and i (?:have )?(?:just )?(?:broke up|split up|separated)|(?:just "
            rf")?(?:dumped me|left me|broke up with me))\b",
        ),
        (
            "purchase",
            "purchase",
            "past",
            False,
            rf"{_I0}\s*(?:'ve|have)?\s*{_ADV}(?:bought|purchased|closed on|got the keys (?:to|for)|"
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
            rf"{_I0}\s*(?:'ve|have)?\s*{_ADV}sold (?:(?:the|our|my|old)\s+)+(?P<about>house|flat|"
            rf"apartment|condo|home|car|van|motorbike|boat|business|company|farm|shop|piano)\b",
        ),
        (
            "milestone",
            "adoption",
            "past",
            False,
            rf"{_WE}\s*(?:'ve|have)?\s*{_ADV}adopted (?:an?|our|two|\w+) (?P<about>[\w ]{{0,20}}?(?:dog|"
            rf"cat|puppy|kitten|child|baby|boy|girl|rabbit))\b",
        ),
        (
            "move",
            "move",
            "future",
            True,
            rf"(?:{_WE}(?:'re|'m| are| am|'ll be)?\s*|i'm |we're |(?=moving\b)){_ADV}(?:moving|"
            rf"relocating|move|relocate)(?: (?:to|back to|into|in to) (?:(?:our|my|the|a) (?:new "
            rf")?(?P<about2>house|flat|apartment|place|office|home)|{_PLACE}))?(?=\s|$)",
        ),
        (
            "move",
            "move",
            "past",
            True,
            rf"{_WE}\s*{_ADV}(?:moved|relocated) (?:(?P<about3>house|flat|apartment|offices?)|(?:to|"
            rf"back to|into) (?:our|my|the|a) (?:new )?(?P<about2>house|flat|apartment|place|office|"
            rf"home))(?=\s|$)",
        ),
        (
            "surgery",
            "operated",
            None,
            True,
            rf"(?:{_WE}\s*)?(?:'m |am )?{_ADV}(?:had|have|having|got|getting) (?:my|the|both) "
            rf"(?P<about>(?:[\w-]+ ){{0,2}}?(?:knees?|hips?|"
            rf"teeth|tooth|appendix|gall ?bladder|tonsils|cataracts?|shoulder|spleen|kidney|mole|stent|cast|stitches)) "
            rf"(?:replaced|removed|taken out|out|operated on|fixed)\b",
        ),
        (
            "new_job",
            "new_job",
            "future",
            True,
            rf"{_WE}(?:'m| am|'ll)?\s*{_ADV}start(?:ing)? (?:at|with) (?P<about>(?-i:[A-Z])[\w&'-]*(?: "
            rf"(?-i:[A-Z])[\w&'-]*){{0,2}})(?=\s)",
        ),
        (
            "purchase",
            "closing",
            "future",
            True,
            rf"{_WE}(?:'re| are|'ll)?\s*{_ADV}(?:close|closing|complete|completing|exchange) on (?:the|our|"
            rf"my) (?:new )?"
            rf"(?P<about>house|flat|apartment|condo|home|land|farm|cottage)\b",
        ),
        (
            "milestone",
            "granted",
            "past",
            True,
            rf"{_I0}\s*(?:'ve|have)?\s*{_ADV}(?:got|received|was granted|been granted) my "
            rf"(?P<about>citizenship|green card|"
            rf"(?:driving |driver's |pilot's )?licen[cs]e|visa|diploma|black belt)\b(?! (?:test|exam|"
            rf"interview|application|ceremony|appointment|renewal))",
        ),
        (
            "accident",
            "hurt",
            "past",
            True,
            rf"{_WE}\s*(?:'ve|have|was|were|got|been)?\s*{_ADV}(?:got |been )?(?:bitten|hit|run over|knocked "
            rf"(?:off|down)|stung|"
            rf"burn(?:ed|t)|scalded|electrocuted) by\b|i {_ADV}(?:fell|slipped) (?:off|down|from)\b",
        ),
        (
            "trip",
            "spending",
            "future",
            True,
            rf"{_WE}(?:'re|'m| are| am|'ll be)?\s*{_ADV}spend(?:ing)? .{{2,30}}? in {_PLACE}",
        ),
        (
            "incident",
            "power_lost",
            "past",
            True,
            rf"{_WE} {_ADV}lost (?:power|water|internet|the internet|connectivity)\b",
        ),
        (
            "milestone",
            "reached",
            "past",
            True,
            rf"{_I0}\s*(?:'ve|have)?\s*{_ADV}(?:hit|reached|passed|crossed) (?:our |my |the )?(?:first "
            rf")?\d[\d,.]*(?:k|m)? "
            rf"(?P<about>subscribers|followers|users|customers|downloads|sales|orders|stars|members)\b",
        ),
        (
            "milestone",
            "accepted",
            "past",
            True,
            rf"(?:my|our) (?:[\w-]+ )?(?P<about>paper|manuscript|application|offer|proposal|grant|visa|bid|"
            rf"book|article|novel|"
            rf"appeal|patent|mortgage)(?: application)? (?:was|were|got|has been)\s+{_ADV}(?:accepted|"
            rf"approved|granted|published|"
            rf"rejected)\b",
        ),
        (
            "release",
            "opening",
            "future",
            True,
            rf"{_WE}(?:'re| are|'ll)?\s*{_ADV}open(?:ing)? (?:the|our|my|a) (?:[\w-]+ ){{0,2}}(?P<about>shop|"
            rf"store|branch|restaurant|"
            rf"caf[eé]|clinic|studio|bakery|gallery|office|nursery)\b",
        ),
        (
            "visit",
            "coming",
            "future",
            True,
            r"(?:the|our|my) (?P<about>inspectors?|surveyors?|social worker|health visitor|auditors?|midwife|"
            r"vet|assessor) (?:is|are) "
            r"coming\b",
        ),
        (
            "birth",
            "arrived",
            "past",
            True,
            r"(?:our|my) (?:little one|baby(?: boy| girl)?|newborn|(?:first |second |third )?(?:son|"
            r"daughter)) (?:has )?(?:arrived|was "
            r"born)\b(?! (?:at|in|from|home|late))",
        ),
        (
            "",
            "went",
            "past",
            True,
            rf"(?:{_WHOSE}\s+)?{_OF}(?P<kind>surgery|operation|procedure|exam|driving test|interview|wedding|"
            rf"funeral|graduation) went "
            rf"(?:well|ok|okay|fine|badly|great|smoothly|ahead)\b",
        ),
        # -- journeys
        (
            "trip",
            "trip",
            "future",
            True,
            rf"(?:{_WE}(?:'re|'m| are| am|'ll be| will be| is)?\s+|i'm |we're |im )?{_ADV}(?:(?:going "
            rf"to|gonna)\s+)?(?:flying|fly|flying out|travell?ing|travel|heading|heading off|heading "
            rf"out|driving|off|going|going on a trip|taking the train|sailing|leaving|visiting|"
            rf"jetting off|taking (?:a trip|the kids|my \w+)|hiking|backpacking|going camping|camping)\s+(?:(?:back|"
            rf"out|over|down|up|home|abroad)\s+)?(?:(?:to|for|in|around|through|across)\s+)?{_PLACE}(?=\s|"
            rf"$)",
        ),
        (
            "trip",
            "trip",
            "future",
            True,
            rf"(?:{_WE}(?:'ve|'re|'m| have| are| am)?\s+)?{_ADV}(?:have|got|booked|planned|planning|"
            rf"taking|going on|booked flights for|booked tickets for)\s+(?:an?|our|the|my)?\s*(?:[\w-]+ "
            rf")?(?:trip|holiday|vacation|cruise|flights?|honeymoon|road trip|city break|tickets|"
            rf"train) (?:to|in|around|for) {_PLACE}",
        ),
        (
            "trip",
            "trip",
            "past",
            True,
            rf"{_WE}\s*(?:'ve|have)?\s*{_ADV}(?:(?:went|flew|travell?ed|drove|took (?:a|the) (?:trip|"
            rf"train|bus|kids)|got back|came back|returned|just back|hiked|sailed|took my \w+|spent "
            rf"(?:a|the) (?:week|weekend|month)|been)\s+(?:(?:back|out|over|down|up|on (?:a|our) "
            rf"(?:\w+ )?(?:trip|holiday|vacation|honeymoon))\s+)?(?:to|from|in|around)\s+|visited "
            rf"){_PLACE}(?!'s|\s(?:Museum|Gallery|Library|Park|Zoo|Aquarium|Mall|Market|Church|"
            rf"Caf|Restaurant|Store|Center|Centre|Expo|Office))(?=\s|$)",
        ),
        (
            "visit",
            "visit",
            None,
            True,
            rf"(?:my|our) (?:\w+ )?(?P<about>{RELATION}s?|in-laws|family|grandparents)(?: (?-i:[A-Z])\w+)?\s+(?:is|"
            rf"are|'s)\s+{_ADV}(?:visiting|coming (?:to (?:visit|stay|inspect|see)|round)|staying with (?:us|"
            rf"me)|flying "
            rf"in|coming over)\b",
        ),
        # -- what stands in a calendar
        (
            "",
            "calendar",
            None,
            True,
            rf"(?!(?:if|when|after|before|since|until|for|at|during|because|is|was|was|did|does|"
            rf"unless|in|on|the last|need|have|has|got|going|want|like|plan|try|i|we|you|let|please|"
            rf"remind|can|could|should|must|will|not|no)\b)(?:(?:{_WHOSE}|an?|reminder:?|next|there's "
            rf"an?|there is an?)\s+)?{_OF}(?P<kind>{_KIND})(?:\s+(?:with|for|at|about|of|in|to|"
            rf"from|on)\s+(?!(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \d|\d|(?:jan|feb|mar|"
            rf"apr|may|jun|jul|aug|sep|oct|nov|dec))[\w'&. -]{{2,40}}?)?\s*(?:(?:is|was|are|will "
            rf"be|has been|got|'s)\s+)?{_ADV}(?:(?:moved|rescheduled|scheduled|set|booked|pushed|"
            rf"postponed|brought forward|confirmed|planned)\s+)?(?:(?:for|on|at|to|back to|is|in|"
            rf"from|starts?|begins?|takes place|happens?|falls?|opens?|leaves?|departs?|closes?)\s+)*(?=(?:(?:early|"
            rf"late|this|next|last|the|coming|on)\s+)*(?:today|tonight|tomorrow|yesterday|mon|tue|"
            rf"wed|thu|fri|sat|sun|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec|week|weekend|"
            rf"month|\d|in (?:two|three|four|\d)))",
        ),
        (
            "appointment",
            "seeing",
            "future",
            True,
            rf"{_WE}(?:'m|'re| am| are)?\s*{_ADV}(?:seeing|see|going to|have to see|got to see|"
            rf"visiting) (?:the|my|a|an|our) (?P<about>(?:\w+ )?(?:dentist|doctor|gp|cardiologist|"
            rf"specialist|therapist|physio|surgeon|optician|dermatologist|midwife|orthodontist|"
            rf"vet|lawyer|solicitor|notary|accountant|hairdresser|oncologist|neurologist|gyn\w+|"
            rf"p(?:a)?ediatrician|counsell?or|psychologist|psychiatrist|consultant|podiatrist|nutritionist))\b",
        ),
        (
            "",
            "day_first",
            "future",
            True,
            rf"(?:on )?(?:(?:next|this) )?(?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
            rf"the \d{{1,2}}(?:st|nd|rd|th)(?: of \w+)?|\w+ \d{{1,2}}(?:st|nd|rd|th)?)(?:'s|\s+is)\s+(?:my|"
            rf"our|the day of my) {_OF}(?P<kind>{_KIND})(?![\w-])",
        ),
        (
            "trip",
            "trip_stay",
            "future",
            True,
            rf"{_WE}(?:'m|'re| am| are|'ll be| will be)\s*{_ADV}in {_PLACE}(?=\s+(?:from (?:the "
            rf")?(?:\d|mon|tue|wed|thu|fri|sat|sun|tomorrow|next)|next (?:week|month)|on the \d))",
        ),
        (
            "",
            "attending",
            "future",
            True,
            rf"(?:{_WE}\s*)?{_ADV}(?:(?:'m |'re |am |are )?(?:going|heading|driving|flying|travelling|"
            rf"traveling|off|invited) to|(?:need|have|has|got|'ve got) to (?:be at|go to|attend|get "
            rf"to|make it to|show up (?:at|for))|(?:'ve got|have got|have|got|has|'s got)|(?:am|"
            rf"'m|are|'re|'ll be|will be) (?:going to|attending|hosting|giving|having|running|playing(?: "
            rf"in)?|performing (?:at|in)|speaking at|presenting at|defending|sitting|taking|at)|"
            rf"(?:booked|scheduled|arranged|set up|signed up for|registered for|entered)(?: in)?|"
            rf"attend|attending)\s+(?:(?:an?|my|our|the|another|his|her)\s+)?{_OF}(?P<kind>{_KIND})(?![\w-])",
        ),
        (
            "",
            "kind_past",
            "past",
            True,
            rf"(?:{_WE}\s*|(?=(?:had|just had|went to|attended|finished)\b))(?:'ve|have)?\s*{_ADV}(?:had|"
            rf"attended|went to|gave|hosted|ran|played(?: in)?|finished|completed|took part in|"
            rf"spoke at|performed (?:at|in)|was at|were at|came back from)\s+(?:(?:an?|my|our|the|"
            rf"another|his|her|their)\s+)?{_OF}(?P<kind>{_KIND})(?![\w-])(?! (?:of|with the idea))",
        ),
    )
    return tuple(
        Shape(kind, rule, prefer, dated, re.compile(pattern, re.IGNORECASE))
        for kind, rule, prefer, dated, pattern in table
    )


@cache
def _whose() -> re.Pattern[str]:
    return re.compile(rf"(?:{_WHOSE}|an?)\s", re.IGNORECASE)


@cache
def _verb_too() -> re.Pattern[str]:
    """ "Talk in a month" is an order, no date in a calendar."""
    return re.compile(
        r"(?:talk|play|show|move|visit|test|demo|race|meet|match|trip|release|launch|holiday|"
        r"break|final|quiz|panel|scan|party|play)\b",
        re.IGNORECASE,
    )


@cache
def _subject() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|we|i'\w+|we'\w+|im|my|our|the|a|an|someone|somebody|they|he|she|there|version|"
        r"mum|mom|dad|grand\w+)\b|(?-i:[A-Z])|v?\d",
        re.IGNORECASE,
    )


@cache
def _own() -> re.Pattern[str]:
    return re.compile(r"(?:i|we|my|our)\b.*\b(?:my|our|gave|played|hosted|hosting|giving|performed)\b", re.IGNORECASE)


@cache
def _day_to_day() -> re.Pattern[str]:
    """ "from the 3rd to the 8th of April": the first day has the month of the second."""
    return re.compile(
        r"(?P<first>\d{1,2}(?:st|nd|rd|th)?) ?(?:to|until|till|and|[-–]) ?(?:the )?\d{1,2}(?:st|"
        r"nd|rd|th)?(?: of)? (?P<month>[A-Z][a-z]{2,8})\b"
    )


@cache
def _no_thing() -> re.Pattern[str]:
    """A sentence of its own before the kind: "a friend told me the launch …"."""
    return re.compile(
        r"\b(?:got|told|said|says|had|have|is|was|were|went|just|back|from|during|that|which|"
        r"i|we|he|she|they|after|before|for|to|with|at|the|need|my|said)\b(?!'s)",
        re.IGNORECASE,
    )


@cache
def _there_is() -> re.Pattern[str]:
    return re.compile(r"there(?:'s| is| are)\b", re.IGNORECASE)


@cache
def _judged() -> re.Pattern[str]:
    return re.compile(
        r"(?:great|good|bad|long|quick|short|boring|nice|productive|interesting|terrible|awful|lovely|weird|tough|fun|"
        r"weekly|daily|usual|another)\b",
        re.IGNORECASE,
    )


@cache
def _just_now() -> re.Pattern[str]:
    """ "the VPN is down": a state of the moment unless a day is named."""
    return re.compile(r"\b(?:is|are|'s) (?:\w+ )?(?:down|offline|unreachable|unavailable|out)$", re.IGNORECASE)


@cache
def _past() -> re.Pattern[str]:
    return re.compile(r"\b(?:was|were|had|went|last|ago|yesterday|came|took place)\b", re.IGNORECASE)


@cache
def _ahead() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:start|starts|starting|graduates|will|'ll|going to|next|opens?|launch(?:es)?|"
        r"goes|ships|comes|coming|is on)\b",
        re.IGNORECASE,
    )


@cache
def _elsewhere() -> re.Pattern[str]:
    return re.compile(
        r"\bon (?:instagram|tiktok|tv|twitch|youtube|facebook|netflix|spotify)\b|\bin (?:the|"
        r"a) (?:movie|film|game|book|novel|show|dream)\b",
        re.IGNORECASE,
    )


@cache
def _not_so() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|n't|never|no longer|was supposed to|were supposed to|cancelled|canceled|"
        r"called off|love to|want to|hoping to|hope to|dream of|like to|plan to maybe)\b",
        re.IGNORECASE,
    )


@cache
def _only_when() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:on|at|in|this|next|last|coming|the|early|late|it's|is|scheduled for|probably)\s+)*(?:today|"
        r"tonight|tomorrow|yesterday|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may\b|jun|"
        r"jul|aug|sep|oct|nov|dec|week|weekend|month|\d)",
        re.IGNORECASE,
    )


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:on|at|in|for|to|with|from|next|last|this|tomorrow|today|yesterday|tonight|"
        r"early|late|the)$|'s$",
        re.IGNORECASE,
    )
