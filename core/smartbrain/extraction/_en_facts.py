"""English predicates that state a fact about a person, subject by subject the same: "is allergic to", "lives in"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from smartbrain.extraction import _en_words as words
from smartbrain.extraction._en_words import words_of


class Fact(NamedTuple):
    """A fact in a predicate: its name, where its value stands, and whether it has ended."""

    k: str
    start: int
    end: int
    ended: bool = False


Reader = Callable[["Predicate"], Iterator[Fact]]


class Predicate(NamedTuple):
    """What is said of a subject. ``text`` is matched without regard to case, ``typed`` is the same as it was typed.

    ``own``: the subject is the user. ``casual``: the message is typed without capitals, so that none are asked for.
    """

    text: str
    typed: str
    own: bool
    casual: bool


def facts_in(predicate: Predicate) -> list[Fact]:
    """The facts of one predicate; the first reader that finds any decides."""
    for reader in (_ended, _be, _have, _act):
        found = [fact for fact in reader(predicate) if fact.ended or _filled(predicate, fact)]
        if found:
            return found
    return []


def _filled(predicate: Predicate, fact: Fact) -> bool:
    return bool(predicate.typed[fact.start : fact.end].strip())


# --- to be -------------------------------------------------------------------------------------------------------


def _be(predicate: Predicate) -> Iterator[Fact]:
    match = _to_be().match(predicate.text)
    if not match:
        return
    at = match.end()
    yield from elliptic(predicate, at)


def elliptic(predicate: Predicate, at: int = 0) -> Iterator[Fact]:
    """Facts of what somebody *is*, from ``at`` on: also for "…, vegetarian since uni" after "I'm 34"."""
    for k, pattern in _be_table():
        match = pattern.match(predicate.text, at)
        if match and _fits(k, predicate, match):
            for start, end in _several(k, predicate.text, *match.span("v")):
                yield Fact(k, start, end)
            end = match.end()
            if k == "role":
                for one in _employer(predicate, end):
                    end = one.end
                    yield one
            more = _and_also().match(predicate.text, end)
            if more:
                yield from elliptic(predicate, more.end())
            return


def _employer(predicate: Predicate, at: int) -> Iterator[Fact]:
    match = _at_place().match(predicate.text, at)
    if match and _proper(predicate, *match.span("v")):
        yield Fact("school" if _is_school().search(match["v"]) else "employer", *match.span("v"))


def _fits(k: str, predicate: Predicate, match: re.Match[str]) -> bool:
    start, end = match.span("v")
    after = predicate.text[match.end() :]
    if k in ("home", "hometown"):
        return _proper(predicate, start, end) or (predicate.casual and not _no_place().match(predicate.text[start:end]))
    if k == "role":
        return not _no_role().search(predicate.text[:end]) and not re.match(
            r"\s*(?:for (?:today|halloween|a day|now|the)|at heart|in this|of (?:habit|this))", after
        )
    if k == "age":
        return 0 < int(match["v"]) < 120 and not re.match(
            r"\s*(?:minutes?|hours?|days?|weeks?|months?|miles?|km|%|percent|pages?|steps?|years? (?:in|into|"
            r"sober|clean|late|ahead)|points?|euros?|dollars?|degrees|th\b|of\b|and (?:counting|a half)|"
            r"[-/:.]\d)",
            after,
        )
    if k == "allergy":
        return not _no_allergy().match(predicate.text[start:end])
    if k == "name":
        return (
            predicate.own
            and predicate.typed[start].isupper()
            and predicate.typed[start:end].split()[0].lower() not in _NO_NAME
        )
    if k == "nationality":
        return not re.match(r"\s+(?!and\b|but\b|by\b|from\b|living\b|so\b|on\b|in\b|who\b|originally\b)\w", after)
    if k in ("gender", "religion", "marital", "diet"):
        return not re.match(r"\s+(?:to|about|with (?:my|the) (?:answer|result|job|work))\b", after)
    return True


_NO_NAME = words_of(
    """
    not the a an in on at so very just really from still back here there sure sorry glad happy sad ok okay done
    late new going working looking trying thinking planning using feeling getting having also now always never
    only currently monday tuesday wednesday thursday friday saturday sunday christmas team english german french
    spanish american british irish chinese japanese indian canadian australian muslim christian catholic jewish
    hindu buddhist type covid
    """
)

_BE_TABLE = (
    (
        "allergy",
        r"(?:(?:severely|very|really|badly|highly|deathly|slightly|mildly|super|quite|also|a bit|seriously|"
        r"terribly|incredibly|so|apparently)\s+)*allergic to (?P<v>[^.;!?]{2,60})",
    ),
    (
        "allergy",
        r"(?:(?:severely|very|really|badly|highly|slightly|mildly|also|a bit|seriously)\s+)*(?P<v>lactose|"
        r"gluten|fructose|histamine|dairy|egg|nut)[- ]intolerant",
    ),
    ("age", r"(?P<v>\d{1,3})(?:[- ]years?[- ]olds?| yrs? old| y/?o\b)?"),
    (
        "diet",
        rf"(?:(?:a|an|fully|strictly|strict|mostly|completely|100%|been|now|also|both|raised|going|gone)\s+)*"
        rf"(?P<v>{words.DIETS})s?(?![\w-])",
    ),
    (
        "health",
        rf"(?:(?:also|now|a bit|slightly|profoundly|partially|severely|mildly|completely|a type (?:1|2|one|"
        rf"two)|type (?:1|2|one|two))\s+)*(?P<v>{words.HEALTH_ADJECTIVES})(?![\w-])(?!\s+(?:to|about|with "
        rf"(?:rage|excitement)|spot))",
    ),
    (
        "marital",
        r"(?:(?:happily|recently|newly|currently|now|still|a|been|long)\s+)*(?P<v>married|single|divorced|"
        r"widowed|separated|a widow|a widower|a divorcee)(?![\w-])(?! (?:handed|minded|player))",
    ),
    (
        "child",
        r"(?:an? )?(?:single |proud |working |stay-at-home |expectant )?(?:mother|mom|mum|father|dad|parent|"
        r"mama|papa) (?:of|to) (?P<v>(?:one|two|three|four|five|six|seven|\d|a|twin)[\w' -]{0,30})",
    ),
    (
        "role",
        rf"(?:(?:also|now|currently|actually|just|still|working as|by trade|by profession)\s+)*(?:an?\s+|"
        rf"the\s+|our\s+|one of the\s+)?(?P<v>(?!not\b|no\b|going\b|looking\b|trying\b|like\b|such\b|better\b|"
        rf"my\b|your\b|his\b|her\b|in\b|at\b|on\b|with\b|seeing\b|meeting\b|waiting\b|married\b|dating\b|"
        rf"from\b|about\b|worried\b)(?:[\w'/&.+#-]+\s+){{0,4}}?(?:{words.OCCUPATIONS})(?:\s+by (?:trade|"
        rf"training|profession))?)(?![\w-])",
    ),
    (
        "role",
        r"(?:(?:now|also|currently|finally|fully|officially|happily|semi-)\s*)*(?P<v>retired|self-employed|"
        r"unemployed|semi-retired|freelance|between jobs)(?![\w-])",
    ),
    (
        "role",
        r"(?:the\s+|an?\s+)?(?P<v>(?:head|vp|vice president|director|chief|chair|dean|president|captain|leader|"
        r"lead|team lead|treasurer) (?:of|for) (?:the )?[\w&' -]{2,40}?)(?=\s+(?:at|for|and|so|in|here)\b|$|,)",
    ),
    ("major", r"(?:(?:currently|now|double)\s+)*majoring in (?P<v>[\w&' -]{2,40})"),
    (
        "grade",
        r"(?:currently )?in (?P<v>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|"
        r"seventh|eighth|ninth|tenth|eleventh|twelfth) (?:grade|year(?: of (?:\w+ )?(?:school|college|"
        r"university|uni|med school|law school))?)|year \d{1,2}|kindergarten|(?:my |his |her )?(?:freshman|"
        r"sophomore|junior|senior|final|last) year(?: of \w+)?)",
    ),
    (
        "hometown",
        r"(?:(?:originally|actually|also)\s+)*from (?P<v>(?!the (?:generation|school|future|same|old|team|"
        r"company|office)|a (?:time|family|place|long)|here\b|there\b|now\b|work\b)[\w'.-]+"
        r"(?:,? [\w'.-]+){0,4})",
    ),
    (
        "home",
        r"(?:(?:currently|now|still|permanently|mostly)\s+)*(?:based|living|settled|located|residing) (?:in|on|"
        r"near|out of|outside|just outside) (?P<v>[\w'.-]+(?:,? [\w'.-]+){0,5})",
    ),
    ("nationality", rf"(?:(?:originally|half|part|also|actually|an?)\s+)*(?P<v>{words.NATIONALITIES})(?![\w-])"),
    ("religion", rf"(?:(?:a|an|practising|practicing|devout|also|raised)\s+)*(?P<v>{words.RELIGIONS})(?![\w-])"),
    (
        "gender",
        r"(?:a )?(?P<v>(?:trans )?(?:male|female|woman|man|non-?binary|guy))(?=$|\s+(?:and|in my|in her|in his|"
        r"so|who)\b)",
    ),
    (
        "height",
        r"(?:about |around |almost )?(?P<v>\d(?:'|ft| foot| feet)\s?\d{0,2}(?:\"|''|in)?|\d{3} ?cm|"
        r"1[.,]\d\d? ?m(?:et(?:er|re)s)?)(?: tall)?(?![\w'])",
    ),
    ("medication", rf"on (?P<v>(?:\d+ ?mg (?:of )?)?(?:{words.MEDICINES}))(?![\w-])"),
    (
        "employer",
        r"(?:currently |now )?(?:working|employed) (?:at|for|by|with) (?P<v>(?!the moment|home|night|nights|"
        r"a\b|an\b|my\b)[\w'.&-]+(?: [\w'.&-]+){0,4})",
    ),
    ("name", r"(?P<v>[a-z][\w'-]{1,20}(?: [a-z][\w'-]{1,20})?)(?=$| and$| from\b| by the way\b)"),
)


@cache
def _be_table() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((k, re.compile(pattern, re.IGNORECASE)) for k, pattern in _BE_TABLE)


# --- to have -----------------------------------------------------------------------------------------------------


def _have(predicate: Predicate) -> Iterator[Fact]:
    match = _to_have().match(predicate.text)
    if match:
        yield from _had(predicate, match.end())


def _had(predicate: Predicate, at: int) -> Iterator[Fact]:
    for k, pattern in _have_table():
        found = pattern.match(predicate.text, at)
        if found:
            for start, end in _several(k, predicate.text, *found.span("v")):
                yield Fact(k, start, end)
            more = _and_also().match(predicate.text, found.end())
            if more:
                yield from _had(predicate, more.end())
            return


_NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|a couple of|a few|several|twin)"
_HAVE_TABLE = (
    ("allergy", r"(?:an? )?(?:severe |bad |serious |mild |nasty )?allerg(?:y|ies) to (?P<v>[\w' ,-]{2,60})"),
    (
        "allergy",
        r"(?:an? )?(?:severe |bad |serious |mild |nasty )?(?P<v>(?:tree )?nuts?|peanut|shellfish|pollen|dairy|"
        r"milk|egg|wheat|gluten|soy|latex|penicillin|cat|dog|bee|wasp|fish|sesame|dust(?: mite)?|lactose|mango|"
        r"strawberry|kiwi) (?:allerg(?:y|ies)|intolerance)",
    ),
    (
        "health",
        rf"(?:(?:been )?(?:diagnosed with|suffering from)\s+)?(?:(?:really|very|some|mild|severe|bad|early|"
        rf"chronic|quite|terrible|slight|pretty|advanced)\s+)*(?P<v>{words.CONDITIONS})(?![\w-])(?! (?:about|"
        rf"attack|of (?:ideas|choice)))",
    ),
    (
        "child",
        rf"(?P<v>{_NUMBER} (?:(?:small|little|young|grown|grown-up|teenage|adult|beautiful|lovely|wonderful|"
        rf"older|school-age)\s+)*(?:kids?|children|boys|girls|sons?|daughters?|toddlers?|teenagers|twins|"
        rf"grandchildren|grandkids))",
    ),
    (
        "child",
        r"(?P<v>twins|an? (?:(?:newborn|baby|little|teenage|new|\w+-(?:year|month|week)s?-old|\d+ (?:year|"
        r"month|week)s? old)\s+)*(?:son|daughter|baby|toddler|kid|boy|girl|newborn))(?! (?:of|in mind|brother|"
        r"sister|dinosaur|goat))",
    ),
    (
        "siblings",
        rf"(?P<v>(?:{_NUMBER}|an?|no) (?:(?:older|younger|big|little|twin|half|elder|step)[ -])*(?:siblings?|"
        rf"brothers?|sisters?)(?: and (?:{_NUMBER}|an?) (?:(?:older|younger|big|little|twin|half) )*"
        rf"(?:brothers?|sisters?))?)",
    ),
    (
        "pet",
        rf"(?:{_NUMBER}|an?)(?: (?:old|big|small|little|lovely|rescue|new|black|white|ginger|grumpy|elderly|"
        rf"young|fluffy|tabby|\w+-year-old))* (?:{words.PETS})(?:,? (?:named|called|whose name is) )"
        rf"(?P<v>[\w'-]+(?:(?:,| and|, and) (?-i:[A-Z])[\w'-]+)*)",
    ),
    ("pet", r"an? (?:[\w-]+ ){1,3}(?:named|called) (?P<v>(?-i:[A-Z])[\w'-]+)(?! (?:street|road|inn))"),
    (
        "pet",
        rf"(?P<v>(?:{_NUMBER}|an?)(?: (?:old|big|small|little|lovely|rescue|new|black|white|ginger|grumpy|"
        rf"elderly|young|fluffy|tabby|\w+-year-old))* (?:{words.PETS}))(?![\w-])(?! (?:food|person|bed|allergy|"
        rf"at the|in the (?:street|yard)))",
    ),
    (
        "education",
        r"(?:an? |my )?(?P<v>(?:(?:master'?s?|bachelor'?s?|ph\.?d|doctorate|mba|law|medical|nursing|"
        r"engineering|associate'?s?|history|english|honours)(?: degree)?|degree)(?: (?:in|of|"
        r"from) [\w' -]{2,40})?)(?![\w-])",
    ),
    (
        "vehicle",
        r"(?:an? )(?:old |new |used |beat-up )?(?P<v>(?:toyota|honda|ford|tesla|bmw|vw|volkswagen|volvo|audi|"
        r"mazda|nissan|subaru|skoda|fiat|renault|peugeot|citroen|kia|hyundai|mercedes|mini|seat|dacia|harley|"
        r"vespa|land rover|jeep|chevy|chevrolet|suzuki|yamaha|ducati|camper ?van|motorhome|motorbike|"
        r"motorcycle)(?: [\w-]+)?)",
    ),
)


@cache
def _have_table() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((k, re.compile(pattern, re.IGNORECASE)) for k, pattern in _HAVE_TABLE)


# --- what somebody does ------------------------------------------------------------------------------------------


def _act(predicate: Predicate) -> Iterator[Fact]:
    for k, pattern in _act_table():
        match = pattern.match(predicate.text)
        if match and _act_fits(k, predicate, match):
            for start, end in _several(k, predicate.text, *match.span("v")):
                yield Fact(k, start, end)
            if k == "role":
                yield from _employer(predicate, match.end())
            if k == "employer":
                yield from _role_there(predicate, match)
            if (
                k == "major"
                and match.groupdict().get("school")
                and match["where"].lower() == "at"
                and _proper(predicate, *match.span("school"))
            ):
                yield Fact("school", *match.span("school"))
            return


def _role_there(predicate: Predicate, match: re.Match[str]) -> Iterator[Fact]:
    """ "works for Siemens as a test engineer", "works as a test engineer at Siemens"."""
    if match["role"]:
        yield Fact("role", *match.span("role"))
        return
    after = _as_role().match(predicate.text, match.end("v"))
    if after:
        yield Fact("role", *_trimmed(predicate.text, *after.span("v")))


def _act_fits(k: str, predicate: Predicate, match: re.Match[str]) -> bool:
    start, end = match.span("v")
    if k in ("home", "hometown"):
        return _proper(predicate, start, end) or (predicate.casual and not _no_place().match(predicate.text[start:end]))
    if k in ("employer", "school"):
        return _proper(predicate, start, end) or (predicate.casual and not _no_org().match(predicate.text[start:end]))
    if k == "age":
        return 0 < int(match["v"]) < 120
    if k == "role":
        return not _no_role().search(predicate.text[:end])
    return True


_OFTEN = (
    r"(?:every|on (?:\w+ )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends|at weekends|at the weekend|"
    r"once a|twice a|three times a|\w+ (?:days|times|nights|mornings|evenings) a (?:week|month)|most (?:days|"
    r"weekends|mornings|evenings|nights|sundays|saturdays)|regularly|in my (?:spare|free) time|as a hobby|"
    r"for fun|since (?:i was|childhood|\d{4})|for (?:\w+ )?years|in (?:a|the|an) (?:\w+ )?(?:choir|band|"
    r"orchestra|league|club|team)|weekly|daily|semi-professionally|competitively|each)"
)
_WEB = r"(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
_ACT_TABLE = (
    (
        "home",
        r"(?:(?:'ve|have|has|'s|currently|now|still|both|all|actually|just|also|recently|only|since)\s+)*"
        r"(?:lives?|lived(?=.*\b(?:for|since)\b)|living|resides?|been living) (?:(?:alone|together|full-time|"
        r"permanently|happily|with \w+ \w+) )?(?:in|on|near|outside|just outside|out in|down in|up in|over in|"
        r"at) (?P<v>(?!fear|hope|denial|a (?:dream|bubble|world|lie|flat|house|shared|small flat|studio|"
        r"fantasy)|the (?:past|moment|now|future|present|same)|my\b|his\b|her\b|their\b|an? \w+ (?:house|flat|"
        r"apartment)|that\b|this\b|harmony|peace|sin|constant|interesting|house|flat)[\w'.-]+(?:,? (?!because|"
        r"so|but|since|and|which|where|with|now|these|right|currently|for|at the moment|again|too|though|if|"
        r"when|while|who|that)[\w'.-]+){0,4})",
    ),
    (
        "home",
        r"(?:'ve |have |has |'s |just |recently |finally |'ve just |have just |'ve recently |have recently |"
        r"'ve finally )+(?:moved|relocated|moved back) (?:back )?to (?P<v>[\w'.-]+(?:,? (?!because|so|but|"
        r"since|and|which|where|with|now|these|last|this|for|from|in|on|a|an|after|to)[\w'.-]+){0,3})",
    ),
    (
        "hometown",
        r"(?:(?:was|were|'s)\s+)?(?:born and raised in|born and bred in|grew up in|raised in|born in(?! \d)|"
        r"comes? from|hails? from|am from) (?P<v>[\w'.-]+(?:,? (?!because|so|but|and|which|where|with|in|on|at|"
        r"during|surrounded|when|as|then)[\w'.-]+){0,4})",
    ),
    (
        "birthday",
        r"(?:was|were) born (?:on|in) (?P<v>[\w' ,]{0,24}\d{1,4}(?:st|nd|rd|th)?(?: of [a-z]+)?(?:,? \d{4})?)",
    ),
    (
        "age",
        r"(?:'s |has |have |just |'ve just |will be |'s just |has just |finally )*(?:turned|turns?(?= \d+ "
        r"(?:today|this|next|on))|turn(?=s? \d+ (?:today))) (?P<v>\d{1,3})(?![\w%-]|\s+(?:pages|minutes|km))",
    ),
    (
        "employer",
        r"(?:(?:currently|now|still|both|actually|just|also|'ve|have|has|been|part-time|full-time)\s+)*"
        r"(?:works?|working|worked(?=.*\b(?:for|since)\b.*\byears\b)) (?:(?:part-time|full-time|nights|"
        r"remotely|days|shifts|mostly nights) )?(?:as (?:an? |the )?(?P<role>[\w' /-]{2,40}?) )?(?:at|for|"
        r"with) (?P<v>(?!the (?:moment|weekend|same)|home\b|night|nights|a\b|an\b|my\b|myself\b|free\b|hours|"
        r"me\b|us\b|years|it\b|you\b|them\b|him\b|her\b|\d|people\b|kids\b|children\b|clients\b|patients\b|"
        r"students\b|and\b|this\b|that\b|food\b|weeks\b|months\b|two\b|three\b|wood\b|clay\b|animals\b)"
        r"(?:the )?[\w'.&-]+(?: (?!and|as|so|but|in|on|which|where|because|since|now|for|these|full|part|who|"
        r"too|with|doing|from|until|at)[\w'.&-]+){0,4})",
    ),
    (
        "role",
        rf"(?:(?:currently|now|still|also|mostly|mainly|have|'ve|has|been|retrained|trained)\s+)*(?:works?|"
        rf"working|worked|freelances?|earn (?:my|a) living|retrained|volunteers?) as (?:an?\s+|the\s+)?(?P<v>"
        rf"(?:[\w'/&.-]+\s+){{0,4}}?(?:{words.OCCUPATIONS}|[a-z]+(?:er|or|ist|ian|ant|man|woman)))(?![\w-])",
    ),
    ("role", r"(?:do|does) (?P<v>[\w' -]{3,40}?) for a living"),
    ("role", rf"(?:currently |now |still |mostly |also )*works? in (?P<v>{words.FIELDS})(?![\w-])"),
    (
        "role",
        r"(?:currently |now |still |mostly |also )*(?:runs?|owns?|manages?) (?P<v>(?:an? |the |my (?:own )?|"
        r"our |his |her )(?:(?:small|little|family|own|tiny|busy|local|independent)\s+)*(?:[\w-]+ )?(?:bakery|"
        r"shop|store|restaurant|caf[eé]|bar|pub|farm|salon|studio|bookshop|bookstore|agency|clinic|practice|"
        r"garage|hotel|hostel|b&b|guesthouse|nursery|dairy|vineyard|brewery|company|business|startup|gallery|"
        r"food truck|butcher's|pharmacy|gym|orchard|workshop))(?![\w-])",
    ),
    (
        "role",
        r"(?:currently |now |still |mostly |also )*(?P<v>teach(?:es)? (?!me\b|you\b|him\b|her\b|them\b|"
        r"myself\b|us\b|my\b|your\b|a\b|people\b|how\b)[\w' -]{3,30}?)(?=\s+(?:at|to|in|part|for|and|so)\b|$)",
    ),
    (
        "major",
        r"(?:currently |now |also )*(?:study|studied|studies|studying|am studying|'m studying|'s studying|"
        r"is studying|majored in|majors? in) (?!for\b|hard\b|all\b|at\b|in\b|a lot\b|to\b|with\b|until\b|"
        r"every\b|by\b|late\b|too\b|the\b|this\b|these\b)(?P<v>[\w&' -]{3,40}?)(?=\s+(?P<where>at|in)\s+"
        r"(?P<school>[\w'. -]{2,40})|$|,|\s+(?:and|but|so|because|now|these|part-time|full-time)\b)",
    ),
    (
        "school",
        r"(?:currently |now |'m |am |'s |is )*(?:goes? to|go to|attends?|attending|enrolled at|study at|"
        r"studying at|studies at|a student at|in school at) (?P<v>(?!the (?:gym|doctor|dentist|shop|store|"
        r"beach|park|pub|church|cinema|office|same)|work\b|bed\b|church\b|school\b|sleep\b|town\b|hell\b|"
        r"great\b|a\b|an\b|my\b|see\b|therapy\b|night\b|home\b)(?:the )?[\w'.&-]+(?: (?!and|so|but|in|on|which|"
        r"where|because|since|now|for|every|with|to|this|as|when|at)[\w'.&-]+){0,4})",
    ),
    (
        "languages",
        rf"(?:(?:also|only|mostly|fluently|still|both|'m|am|can|natively|mainly|actually|just|barely|now|"
        rf"grew up|fluent in|learned to)\s+)*(?:speaks?|speaking|fluent in|native in|bilingual in) (?:"
        rf"(?:fluent|some|a bit of|a little|native|good|basic|decent|conversational|broken|rusty|both|passable|"
        rf"only|okay|ok)\s+)*(?P<v>(?:{words.LANGUAGES})(?:(?:,|,? and|,? but| or|,? plus| &|,? as well as)?"
        rf"(?: (?:also|a bit of|some|a little|basic|rusty|fluent|decent|only|broken|conversational|passable|"
        rf"bits of|good))* (?:{words.LANGUAGES}))*)(?![\w-])",
    ),
    (
        "medication",
        rf"(?:(?:currently|also|already|have to|now|do|just)\s+)*(?:takes?|taking|take|on|prescribed|started"
        rf"(?: on| taking)?) (?P<v>(?:\d+ ?mg (?:of )?)?(?:{words.MEDICINES}))(?![\w-])",
    ),
    (
        "hobby",
        rf"(?:(?:also|still|sometimes|usually|do|'ve been|have been|been|has been)\s+)*(?:plays?|playing) (?:"
        rf"(?:the|a bit of|some|amateur|club|competitive|local|a lot of|five-a-side)\s+)*(?P<v>"
        rf"(?:{words.INSTRUMENTS}|{words.SPORTS_AND_GAMES}))(?![\w-])(?!\s+(?:today|tonight|tomorrow|this|with "
        rf"(?:him|her)|later|last))",
    ),
    (
        "hobby",
        rf"(?:(?:also|usually|'ve been|have been|been|still|always)\s+)*(?:goes?|do|does|doing|going|"
        rf"practi[cs]es?|attends?|take|takes) (?P<v>(?:\w+ )?(?!anything|everything|nothing|something|going|"
        rf"doing|being|working|shopping|having|getting|sleeping|walking around|the dishes|the laundry)"
        rf"(?:[a-z]+ing|yoga|pilates|crossfit|karate|judo|taekwondo|aikido|tai chi|ballet|salsa|tango|parkour|"
        rf"ceramics|pottery|embroidery|calligraphy|origami|aerobics|zumba|dance|capoeira|martial arts|太极))"
        rf"(?: \w+){{0,3}}? {_OFTEN}\b",
    ),
    (
        "hobby",
        rf"(?P<v>(?:sings?|swims?|runs?|bakes?|knits?|paints?|draws?|climbs?|fish(?:es)?|sails?|rows?|cycles?|"
        rf"garden(?:s)?|surfs?|skis?|skates?|dances?|hikes?|writes? (?:poetry|poems|fiction)|"
        rf"collects? [\w -]{{3,30}}?|brews? (?:\w+ )?(?:beer|cider|kombucha)|keeps? (?:bees|chickens)|"
        rf"restores? [\w -]{{3,30}}?|builds? [\w -]{{3,30}}?|boulders?|volunteers?(?: at [\w' -]{{3,30}}?|"
        rf" in [\w' -]{{3,30}}?)?))(?: \w+){{0,3}}? {_OFTEN}\b",
    ),
    (
        "hobby",
        r"(?P<v>collects? (?!my|the|data|her|his|him|you|it|money|information)[\w -]{3,30}|keeps? bees)(?=$|,|"
        r"\s+(?:and|as|since)\b)",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?:don't|do not|doesn't|does not|dont|never|no longer|"
        r"can't|cannot|won't) (?:(?:really|ever)\s+)*(?:eat|touch|have)(?: any)? (?P<v>meat|pork|beef|red meat|"
        r"fish|seafood|shellfish|dairy|gluten|eggs?|sugar|carbs|wheat|lamb|animal products|bread|lactose|"
        r"poultry|chicken|nuts)(?![\w-])",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?:don't|do not|doesn't|does not|dont|never|"
        r"no longer) drink(?: any)? ?(?P<v>alcohol|caffeine|booze|milk|coffee)(?![\w-])",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?P<v>(?:don't|do not|doesn't|does not|dont|"
        r"never) drink)(?:$|\s+(?:at all|any ?more|myself|either|so))",
    ),
    (
        "diet",
        r"(?:(?:only|mostly|strictly|also)\s+)*(?:eats?|keeps?|follows?|am on|'m on|is on|stick to|went|gone|"
        r"go) (?:an? |the )?(?:(?:strict|mostly|only|fully)\s+)*(?P<v>"
        + words.DIETS
        + r"|mediterranean|fodmap)(?: diet| food)?(?![\w-])",
    ),
    (
        "vehicle",
        r"(?:(?:currently|now|still|mostly)\s+)*(?:drives?|rides?|own) (?:an? |my |the )(?:old |new |used |"
        r"little |beat-up )*(?P<v>(?!bus\b|lot\b|car\b|bike to\b|hard\b|few\b|tractor all\b|taxi\b|truck for\b|"
        r"house\b|home\b|dog\b|cat\b|flat\b|small\b|business\b|shop\b)[\w-]+(?: (?!to|in|on|for|and|because|so|"
        r"from|every|that|which|with|around)[\w-]+){0,2})",
    ),
    (
        "weight",
        r"(?:currently |now |about |only )*weighs? (?:about |around |in at )?(?P<v>\d{2,3}(?:\.\d)? ?(?:kg|"
        r"kilos|kilograms|lbs?|pounds|stone))",
    ),
    ("height", r"(?:stands?|measures?) (?P<v>\d(?:'|ft| foot| feet)\s?\d{0,2}(?:\"|''|in)?|\d{3} ?cm|1[.,]\d\d? ?m)"),
    (
        "size",
        r"(?:usually |normally |always )*(?:wears?|takes?) (?:an? )?(?P<v>(?:eu |uk |us )?(?:size )?(?:\d{1,2}"
        r"(?:\.5)?|x{0,3}[sml]|extra (?:small|large)|small|medium|large)(?: (?:shoes?|shirts?|dress(?:es)?|"
        r"jeans|trousers|boots|in (?:shoes|shirts|dresses|jeans)))?)(?=$|,|\.|\s+(?:and|so)\b)",
    ),
    ("nickname", r"(?:go|goes) by (?P<v>[\w'-]{2,20})(?=$|,|\s+(?:and|but|not|at|instead|these))"),
    (
        "education",
        r"(?:'m |am |is |'s |currently |still |finishing |just )*(?:doing|finishing|pursuing|working on|"
        r"starting) (?:an? |my |his |her )(?P<v>(?:master'?s?|bachelor'?s?|ph\.?d|doctorate|mba|degree|"
        r"apprenticeship)(?: (?:in|of|as) [\w' -]{2,40}?)?)(?=$|,|\s+(?:at|from|and|so|in \d)\b)",
    ),
    (
        "education",
        r"(?:'ve |have |has |just )*(?:got|earned|did|completed|graduated with|hold|holds) (?:an? |my |his |"
        r"her )?(?P<v>(?:master'?s?|bachelor'?s?|ph\.?d|doctorate|mba|degree)(?: (?:in|of) [\w' -]{2,40}?)?)"
        r"(?=$|,|\s+(?:at|from|and|in \d)\b)",
    ),
    (
        "marital",
        r"(?:'re |are |got |'ve been |have been )(?:happily |both |now |recently |finally )*(?P<v>divorced|"
        r"married for [\w ]{2,20})",
    ),
)


@cache
def _act_table() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((k, re.compile(pattern, re.IGNORECASE)) for k, pattern in _ACT_TABLE)


# --- what has ended ----------------------------------------------------------------------------------------------


def _ended(predicate: Predicate) -> Iterator[Fact]:
    for k, pattern in _ended_table():
        match = pattern.match(predicate.text)
        if match:
            group = next((g for g in ("v", "v2") if match.groupdict().get(g)), None)
            if group and k in ("employer", "home") and not (_proper(predicate, *match.span(group)) or predicate.casual):
                continue
            start, end = match.span(group) if group else match.span()
            yield Fact(k, start, end, ended=True)
            return


_MORE = r"(?:any\s?more|any longer|now)\b"
_NOT = (
    r"(?:(?:don't|do not|dont|doesn't|does not) (?:actually |even )?|no longer |stopped |'m not |am not |"
    r"'ve stopped )"
)
_ENDED_TABLE = (
    (
        "employer",
        r"(?:'m |am |is |'s )?(?:no longer|not) (?:at|with|employed (?:at|by)) (?P<v>(?-i:[A-Z])[\w'.&-]*"
        r"(?: [\w'.&-]+){0,3})",
    ),
    (
        "employer",
        rf"{_NOT}work(?:ing|s)? (?:at|for|with|there)\b.*{_MORE}|(?:no longer|stopped|'ve stopped) work(?:ing|"
        rf"s)? (?:at|for|with) (?P<v>[\w'.& -]{{2,40}})",
    ),
    (
        "employer",
        r"(?:'ve |have |just |finally |has |'s )*(?:left|quit|resigned from|been laid off from|"
        r"got laid off from|retired from|parted ways with) (?:my (?:job|position|role|post)(?: at "
        r"(?P<v>[\w'.& -]{2,40}))?|(?P<v2>(?=(?-i:[A-Z]))[\w'.&-]+(?: [\w'.&-]+){0,3}))(?=$|\s|,|\.)",
    ),
    ("home", rf"{_NOT}liv(?:e|ing|es) (?:in|at|on|there)\b.*{_MORE}|(?:no longer) lives? in (?P<v>[\w'. -]{{2,40}})"),
    (
        "diet",
        rf"(?:'m |am |is |'s )?(?:no longer|not) (?:an? )?(?:{words.DIETS})(?:.*{_MORE}|$)|"
        rf"(?:'ve )?stopped being (?:an? )?(?:{words.DIETS})",
    ),
    ("marital", r"(?:'m |am |'re |are )?no longer (?:married|together|single|engaged)"),
    ("pet", rf"(?:don't|do not|no longer) have (?:the |a |our |any )?(?:{words.PETS})(?:\b.*{_MORE}|$)"),
    (
        "medication",
        rf"(?:'m |am )?(?:no longer (?:take|taking|on)|not taking|not on|stopped taking|came off|off) (?:the |"
        rf"my )?(?:{words.MEDICINES})\b",
    ),
    (
        "allergy",
        rf"(?:'m |am |is |'s )?(?:no longer allergic to|not allergic to .*{_MORE}|"
        rf"(?:'ve )?outgrew my \w+ allergy|outgrown (?:my|the|his|her) \w+ allergy)",
    ),
    (
        "hobby",
        rf"(?:don't|do not|no longer|gave up|have given up|'ve given up|quit|stopped) (?:play(?:ing)?|going to|"
        rf"doing) (?:the )?(?:{words.INSTRUMENTS}|{words.SPORTS_AND_GAMES}|yoga|climbing|karate)(?:\b.*{_MORE}|"
        rf"(?<=\w)$|.*)",
    ),
    ("role", r"(?:'m |am )(?:no longer|not) (?:an? |the )?(?:" + words.OCCUPATIONS + rf")(?:.*{_MORE}|$)"),
    (
        "vehicle",
        rf"(?:don't|do not|no longer) (?:have|drive|own) (?:the |a |my )?(?:car|van|motorbike|truck|"
        rf"bike)\b.*{_MORE}|sold (?:the|my|our) (?:car|van|motorbike|truck)\b",
    ),
)


@cache
def _ended_table() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((k, re.compile(pattern, re.IGNORECASE)) for k, pattern in _ENDED_TABLE)


# --- small change ------------------------------------------------------------------------------------------------


def _several(k: str, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The values a run of words names, for facts that may hold several; closing words fall away."""
    start, end = _trimmed(text, start, end)
    if k == "languages":
        yield from (match.span() for match in _language().finditer(text, start, end))
        return
    if k in ("allergy", "pet"):
        for match in _listed().finditer(text, start, end):
            piece = _trimmed(text, *match.span())
            if piece[1] > piece[0]:
                yield piece
        return
    yield start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    stop = _value_end().search(text, start, end)
    if stop and stop.start() > start:
        end = stop.start()
    while end > start and text[end - 1] in " ,.;:!?'\"-":
        end -= 1
    return start, end


def _proper(predicate: Predicate, start: int, end: int) -> bool:
    """Whether the words are a name: one of the first three begins with a capital."""
    return any(word[:1].isupper() or word[:1].isdigit() for word in predicate.typed[start:end].split()[:4])


@cache
def _value_end() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:so|because|since|but|which|who|that|and (?:i|it|my|he|she|we|they|have|had|has|live|work|"
        r"love|the)|these days|right now|now|currently|at the moment|anyway|though|too|as well|if|when|"
        r"where|while|lol|haha|btw|by the way|any\s?more|for (?:the (?:last|past)|about|over|almost|nearly|"
        r"\w+ years|years|a (?:few|couple|while|year|decade|month)|now)|until|after|before|again|instead|"
        r"like|or anything|etc|in case|with (?:my|his|her|our|two|three)|please|last|this|ever|hence|and "
        r"(?=\w+ing\b)|since)\b|\s+[^\w\s'\"&(/]",
        re.IGNORECASE,
    )


@cache
def _listed() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:all|any|most|some|certain|both|the)\s+)?\b(?P<v>[^\s,&/](?:[^,&/]*?))(?=\s*(?:,|&|/)|\s+(?:and|"
        r"or|plus)\s|\s*$)(?:\s+(?:and|or|plus)\s+)?",
        re.IGNORECASE,
    )


@cache
def _language() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words.LANGUAGES})\b", re.IGNORECASE)


@cache
def _to_be() -> re.Pattern[str]:
    adverbs = (
        r"(?:(?:also|actually|currently|still|now|only|just|basically|already|both|officially|finally|proudly|"
        r"sadly|technically|in fact|really|, like,)\s+)*"
    )
    return re.compile(rf"(?:'?m|am|is|'s|are|'re|'ve been|has been|have been)\s+{adverbs}", re.IGNORECASE)


@cache
def _to_have() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:also|actually|currently|still|now|only|just|both|do|already)\s+)*(?:have|has|'ve got|"
        r"'s got|ve got|got(?! (?:an? (?:new|call|email|message)))|'ve had|have had|has had|'ve|"
        r"suffers? from|live with|lives with(?= (?:diabetes|asthma|chronic|epilepsy|hiv|ms))|was (?:just |"
        r"recently )?diagnosed with|were diagnosed with|'ve been diagnosed with|have been diagnosed with|"
        r"has been diagnosed with|struggle with)\s+(?:(?:also|always|this|really|got|just|only)\s+)*",
        re.IGNORECASE,
    )


@cache
def _at_place() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:at|for|with) (?P<v>(?:the )?[\w'.&-]+(?: (?!and|as|so|but|in|on|which|where|because|since|now|"
        r"for|who|until|by)[\w'.&-]+){0,4})",
        re.IGNORECASE,
    )


@cache
def _as_role() -> re.Pattern[str]:
    return re.compile(r"\s*,?\s+as (?:an? |the |their )(?P<v>[\w' /-]{2,40})", re.IGNORECASE)


@cache
def _and_also() -> re.Pattern[str]:
    return re.compile(r"\s+and\s+(?:also\s+|i'm\s+|have\s+)?", re.IGNORECASE)


@cache
def _is_school() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:university|college|school|uni|academy|polytechnic|mit|ucla|nyu|conservatory|institute)\b", re.IGNORECASE
    )


@cache
def _no_role() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|no|n't|never|like an?|such a|better|terrible|bad|good|great|awful|huge|big fan|worst|best|"
        r"hopeless|control freak|bit of|kind of|sort of|more of|future|aspiring|wannabe|would-be|seeing|see|"
        r"saw|called|calling|meeting|with my|at the|to the|my own)\b",
        re.IGNORECASE,
    )


@cache
def _no_allergy() -> re.Pattern[str]:
    return re.compile(
        r"(?:mornings?|mondays?|bad\b|code\b|stupid|other people|commitment|work|exercise|people|bullshit|"
        r"stupidity|drama|meetings|nonsense|fun|small talk|bs\b|spam|effort|idiots|math|maths|cardio|adulting|"
        r"failure|change|it\b|that\b|this\b|them\b|him\b|her\b|you\b|hard work|paperwork|excel|powerpoint|"
        r"early|deadlines|anything\b(?! with)|everything|something|what)",
        re.IGNORECASE,
    )


@cache
def _no_place() -> re.Pattern[str]:
    return re.compile(
        r"(?:the|a|an|my|your|his|her|their|this|that|it|work|home|here|there|love|trouble|pain|charge|touch|"
        r"bed|town|and|so|now|class|marketing|sales|school|with|where|what|one)\b",
        re.IGNORECASE,
    )


@cache
def _no_org() -> re.Pattern[str]:
    return re.compile(
        r"(?:the|a|an|my|your|his|her|their|this|that|it|home|night|least|first|work|some|one|big|small|two|"
        r"local|public|private|free|fun|school|money|different|several|various)\b",
        re.IGNORECASE,
    )
