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
            if k in ("role", "grade"):
                studies = k == "grade" or _studies().search(match["v"]) is not None
                for one in _employer(predicate, end):
                    end = one.end
                    yield one._replace(k="school") if studies else one
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
            r"\s*(?:minutes?|hours?|days?|weeks?|months?|miles?|km|%|percent|pages?|steps?|years? "
            r"(?:in|into|sober|clean|late|ahead)|kg|cm|points?|euros?|dollars?|degrees|th\b|of\b|"
            r"and (?:counting|a half)|[-/:.]\d)",
            after,
        )
    if k == "allergy":
        return not _no_allergy().match(predicate.text[start:end]) and not _laughs().search(predicate.text)
    if k == "name":
        return (
            predicate.own
            and not re.search(r"-[a-z]", predicate.typed[start:end])  # "Polish-born"
            and predicate.typed[start].isupper()
            and predicate.typed[start:end].split()[0].lower() not in _NO_NAME
        )
    if k == "nationality":
        return not re.match(r"\s+(?!and\b|but\b|by\b|from\b|living\b|so\b|on\b|in\b|who\b|originally\b)\w", after)
    if k == "marital":
        return not re.match(r"\s+(?:about|to (?:my|the|this) (?:job|work|game|sea|idea))\b", after)
    if k in ("gender", "religion", "diet"):
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
        r"(?:(?:severely|very|really|badly|highly|deathly|slightly|mildly|super|quite|also|"
        r"a bit|seriously|terribly|incredibly|so|apparently)\s+)*allergic to (?P<v>[^.;!?]{2,60})",
    ),
    (
        "allergy",
        r"(?:(?:severely|very|really|badly|highly|slightly|mildly|also|a bit|seriously)\s+)*(?P<v>lactose|"
        r"gluten|fructose|histamine|dairy|egg|nut)[- ]intolerant",
    ),
    (
        "height",
        r"(?:about |around |almost )?(?P<v>\d(?:'|ft| foot| feet)\s?\d{0,2}(?:\"|''|in)?|(?:five|six|seven) "
        r"(?:foot|feet)(?: (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven))?|\d{3} ?cm|"
        r"1[.,]\d\d? ?m(?:et(?:er|re)s)?)(?: tall)?(?![\w'])",
    ),
    (
        "weight",
        r"(?:about |around |almost )?(?P<v>\d{2,3}(?:\.\d)? ?(?:kg|kilos|lbs?|pounds|stone))(?=$|[,.;!]| and\b| now\b)",
    ),
    (
        "siblings",
        r"(?:the |an? )?(?P<v>(?:youngest|oldest|eldest|middle(?: child)?|second|third) of (?:two|three|four|"
        r"five|six|seven"
        r"|eight|nine|ten|\d{1,2})|only child|(?:identical )?twin)(?=$|[,.;!]|\s+(?:and|so|but|kids|children|siblings|"
        r"brothers|sisters)\b)",
    ),
    ("age", r"(?P<v>\d{1,3})(?:[- ]years?[- ]olds?| yrs? old| y/?o\b)?"),
    (
        "diet",
        rf"(?:(?:a|an|fully|strictly|strict|mostly|completely|100%|been|now|also|both|raised|"
        rf"going|gone)\s+)*(?P<v>{words.DIETS})s?(?=$|[,.;!?)]|\s+(?:and|so|since|for|but|now|"
        rf"because|these|at|in|too|by|as|myself|who|with|or|if|when|[^\w\s]|\d))",
    ),
    (
        "health",
        rf"(?:(?:also|now|a bit|slightly|profoundly|partially|severely|mildly|completely|a "
        rf"type (?:1|2|one|two)|type (?:1|2|one|"
        rf"two))\s+)*(?P<v>{words.HEALTH_ADJECTIVES})(?![\w-])(?!\s+(?:to|about|without|with (?:rage|"
        rf"excitement)|spot))",
    ),
    (
        "marital",
        r"(?:(?:happily|recently|newly|currently|now|still|a|been|long)\s+)*(?P<v>married|"
        r"single|divorced|widowed|separated|a widow|a widower|a divorcee)(?![\w-])(?! (?:handed|minded|"
        r"player|dad|mum|mom|mother|father|parent))",
    ),
    (
        "child",
        r"(?:an? )?(?:single |proud |working |stay-at-home |expectant )?(?:mother|mom|mum|"
        r"father|dad|parent|mama|papa) (?:of|to) (?P<v>(?:one|two|three|four|five|six|seven|"
        r"\d|a|twin)[\w' -]{0,30})",
    ),
    (
        "role",
        rf"(?:(?:also|now|currently|actually|just|still|working as|by trade|by profession|specifically|"
        rf"mainly)\s+)*(?:an?\s+|the\s+|our\s+|one of the\s+)?(?P<v>(?!not\b|no\b|going\b|looking\b|"
        rf"trying\b|like\b|such\b|better\b|my\b|your\b|his\b|her\b|in\b|at\b|on\b|with\b|seeing\b|"
        rf"meeting\b|waiting\b|married\b|dating\b|\w+ing (?:on|the|a|an|my|for|to|in|with)\b|"
        rf"from\b|about\b|worried\b)(?:[\w'/&.+#-]+\s+){{0,4}}?(?:{words.OCCUPATIONS})(?:\s+by "
        rf"(?:trade|training|profession))?)(?=$|[,.;!?)]|\s+(?:at|for|in|with|and|by|from|who|"
        rf"of|on|but|so|now|here|too|as|to|based|working|speciali|near|outside|up|down|with|"
        rf"living|myself|turned|these|since|because|not|nowadays|again|doing|[^\w\s])|\s*/)",
    ),
    (
        "role",
        r"(?:(?:now|also|currently|finally|fully|officially|happily|semi-)\s*)*(?P<v>retired|"
        r"self-employed|unemployed|semi-retired|freelance|between jobs)(?![\w-])",
    ),
    (
        "role",
        r"(?:the\s+|an?\s+)?(?P<v>(?:head|vp|vice president|director|chief|chair|dean|president|"
        r"captain|leader|lead|team lead|treasurer) (?:of|for) (?:the )?[\w&' -]{2,40}?)(?=\s+(?:at|"
        r"for|and|so|in|here)\b|$|,)",
    ),
    ("major", r"(?:(?:currently|now|double)\s+)*majoring in (?P<v>[\w&' -]{2,40})"),
    (
        "grade",
        r"(?:now |currently )?an? (?P<v>(?:high school |college )?(?:freshman|sophomore)|(?:high school |"
        r"college )(?:junior|senior)|"
        r"(?:junior|senior)(?= (?:at|in high|in college)))(?![\w-])",
    ),
    (
        "grade",
        r"(?:currently )?in (?P<v>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|"
        r"fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth) (?:grade|year(?: of (?:\w+ "
        r")?(?:school|college|university|uni|med school|law school))?)|year \d{1,2}|kindergarten|"
        r"(?:my |his |her )?(?:second|third|fourth|fifth|freshman|sophomore|junior|senior|"
        r"final|last) year(?: of [\w ]{3,24}?(?:school|college|university|uni|degree|phd|medicine|"
        r"law|nursing))?)(?! (?:here|at this|in this|as))",
    ),
    (
        "hometown",
        r"(?:(?:originally|actually|also)\s+)*from (?P<v>(?!the (?:generation|school|future|"
        r"same|old|team|company|office)|a (?:time|family|place|long)|here\b|there\b|now\b|"
        r"work\b)[\w'.-]+(?:,? [\w'.-]+){0,4})",
    ),
    (
        "home",
        r"(?:an? [\w-]+ )?(?:(?:currently|now|still|permanently|mostly)\s+)*(?:based|living|"
        r"settled|located|residing) (?:in|on|near|out of|outside|just outside) (?P<v>[\w'.-]+(?:,"
        r"? [\w'.-]+){0,5})",
    ),
    ("nationality", rf"(?:(?:originally|half|part|also|actually|an?)\s+)*(?P<v>{words.NATIONALITIES})(?![\w-])"),
    ("religion", rf"(?:(?:a|an|practising|practicing|devout|also|raised)\s+)*(?P<v>{words.RELIGIONS})(?![\w-])"),
    (
        "gender",
        r"(?:a )?(?P<v>(?:trans )?(?:male|female|woman|man|non-?binary|guy))(?=$|\s+(?:and|"
        r"in my|in her|in his|so|who)\b)",
    ),
    (
        "medication",
        rf"on (?P<v>\d+ ?mg (?:of )?[a-z]{{4,}}|(?:\d+ ?mg (?:of )?)?(?:{words.MEDICINES})"
        rf"(?:(?:,| and|, and) (?:{words.MEDICINES}))*)(?![\w-])",
    ),
    (
        "employer",
        r"(?:currently |now )?(?:working|employed) (?:at|for|by|with) (?P<v>(?!one\b|two\b|"
        r"over\b|about\b|almost\b|nearly\b|the moment|home|night|nights|a\b|an\b|my\b)[\w'.&-]+(?: "
        r"[\w'.&-]+){0,4})",
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
        r"(?:an? )?(?:severe |bad |serious |mild |nasty )?(?P<v>(?:tree )?nuts?|peanut|shellfish|"
        r"pollen|dairy|milk|egg|wheat|gluten|soy|latex|penicillin|cat|dog|bee|wasp|fish|sesame|"
        r"dust(?: mite)?|lactose|mango|strawberry|kiwi) (?:allerg(?:y|ies)|intolerance)",
    ),
    (
        "health",
        rf"(?:(?:been )?(?:diagnosed with|suffering from)\s+)?(?:(?:really|very|some|mild|severe|"
        rf"bad|early|chronic|quite|terrible|slight|pretty|advanced)\s+)*(?P<v>{words.CONDITIONS})(?![\w-])(?! "
        rf"(?:about|attack|of (?:ideas|choice)))",
    ),
    (
        "child",
        rf"(?P<v>{_NUMBER} (?:(?:small|little|young|grown|grown-up|teenage|adult|beautiful|"
        rf"lovely|wonderful|older|school-age)\s+)*(?:kids?|children|boys|girls|sons?|daughters?|"
        rf"toddlers?|teenagers|twins|grandchildren|grandkids))",
    ),
    (
        "child",
        r"(?P<v>twins|an? (?:(?:newborn|baby|little|teenage|new|\w+-(?:year|month|week)s?-old|"
        r"\d+ (?:year|month|week)s? old)\s+)*(?:son|daughter|baby|toddler|kid|boy|girl|newborn))(?! "
        r"(?:of|in mind|brother|sister|dinosaur|goat))",
    ),
    (
        "siblings",
        rf"(?P<v>(?:{_NUMBER}|an?|no) (?:(?:older|younger|big|little|twin|half|elder|step)[ "
        rf"-])*(?:siblings?|brothers?|sisters?)(?: and (?:{_NUMBER}|an?) (?:(?:older|younger|"
        rf"big|little|twin|half) )*(?:brothers?|sisters?))?)",
    ),
    (
        "pet",
        rf"(?:{_NUMBER}|an?)(?: (?:old|big|small|little|lovely|rescue|new|black|white|ginger|"
        rf"grumpy|elderly|young|fluffy|tabby|\w+-year-old))* (?:{words.PETS})(?:,? (?:named|"
        rf"called|whose name is) )(?P<v>[\w'-]+(?:(?:,| and|, and) (?-i:[A-Z])[\w'-]+)*)",
    ),
    (
        "pet",
        rf"(?P<v>(?:{_NUMBER}|an?)(?: (?:old|big|small|little|lovely|rescue|new|black|white|"
        rf"ginger|grumpy|elderly|young|fluffy|tabby|\w+-year-old))* (?:{words.PETS}))(?![\w-])(?! "
        rf"(?:to (?:walk|feed)|food|person|bed|allergy|at the|in the (?:street|yard)))",
    ),
    (
        "education",
        r"(?:an? |my )?(?P<v>(?:(?:master'?s?|bachelor'?s?|ph\.?d|doctorate|mba|law|medical|"
        r"nursing|engineering|associate'?s?|history|english|honours)(?: degree)?|degree)(?: "
        r"(?:in|of|from) [\w' -]{2,40}?(?=$|[,.;!?]|\s+(?:from|at|and|so|but|with)\b))?)(?![\w-])",
    ),
    (
        "vehicle",
        r"(?:an? )(?:old |new |used |beat-up )?(?P<v>(?:toyota|honda|ford|tesla|bmw|vw|volkswagen|"
        r"volvo|audi|mazda|nissan|subaru|skoda|fiat|renault|peugeot|citroen|kia|hyundai|mercedes|"
        r"mini|seat|dacia|harley|vespa|land rover|jeep|chevy|chevrolet|suzuki|yamaha|ducati|"
        r"camper ?van|motorhome|motorbike|motorcycle)(?: [\w-]+)?)",
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
        return (
            _proper(predicate, start, end)
            or _public(match["v"])
            or (predicate.casual and not _no_org().match(predicate.text[start:end]))
        )
    if k == "age":
        return 0 < int(match["v"]) < 120
    if k == "role":
        return not _no_role().search(predicate.text[:end])
    return True


_OFTEN = (
    r"(?:every|on (?:\w+ )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends|at "
    r"weekends|at the weekend|once a|twice a|three times a|\w+ (?:days|times|nights|mornings|"
    r"evenings) a (?:week|month)|most (?:days|weekends|mornings|evenings|nights|sundays|"
    r"saturdays)|regularly|in my (?:spare|free) time|as a hobby|for fun|since (?:i was|"
    r"childhood|\d{4})|for (?:\w+ )?years|in (?:a|the|an) (?:\w+ )?(?:choir|band|orchestra|"
    r"league|club|team)|weekly|daily|semi-professionally|competitively|each)"
)
_WEB = r"(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
_ACT_TABLE = (
    (
        "gender",
        r"identif(?:y|ies) as (?:an? )?(?P<v>non-?binary|(?:trans )?(?:man|woman)|female|male|genderqueer|agender)",
    ),
    (
        "role",
        rf"(?:currently |now |still )*works? (?:at|for|in) (?:an?|the) (?:[\w'-]+ ){{1,5}}?as (?:an? |the )?"
        rf"(?P<v>(?:[\w-]+ ){{0,2}}?(?:{words.OCCUPATIONS}))(?![\w-])",
    ),
    (
        "role",
        r"(?P<v>drives? (?:an? |the )?(?:[\w-]+ )?(?:tram|bus|train|lorry|taxi|cab|ambulance|forklift|"
        r"crane)s?)(?! (?:to|home|every|into))",
    ),
    ("address", r"(?:lives?|living) at (?P<v>\d+[a-z]? (?-i:[A-Z])[\w'. -]{2,40})"),
    ("role", r"(?:have |'ve )?(?P<v>retired)(?= (?:in \d|from|last|after|at \d|two|three|\d+ years|early|this))"),
    (
        "hobby",
        r"(?:also |still )?plays? in (?:an? |the |our |my )(?P<v>(?:[\w-]+ ){0,3}(?:band|orchestra|quartet|"
        r"ensemble|league|team))(?![\w-])",
    ),
    (
        "team",
        r"(?:(?:have )?always |'ve always )?supports?(?:ed)? (?P<v>(?-i:[A-Z])\w+ (?-i:United|City|Rovers|"
        r"Town|Albion|Wanderers|Villa|"
        r"FC|Rangers|County|Athletic|Hotspur))(?![\w-])",
    ),
    (
        "home",
        r"(?:(?:'ve|have|has|'s|currently|now|still|both|all|actually|just|also|recently|only|"
        r"since)\s+)*(?:lives?|lived(?=.*\b(?:for|since)\b)|living|resides?|been living) (?:(?:alone|"
        r"together|full-time|permanently|happily|with \w+ \w+) )?(?:in|on|near|outside|just "
        r"outside|out in|down in|up in|over in|at) (?P<v>(?!fear|hope|denial|a (?:dream|bubble|"
        r"world|lie|flat|house|shared|small flat|studio|fantasy)|the (?:past|moment|now|future|"
        r"present|same)|my\b|his\b|her\b|their\b|an? \w+ (?:house|flat|apartment)|that\b|this\b|"
        r"harmony|peace|sin|constant|interesting|house|flat)[\w'.-]+(?:,? (?!because|so|but|"
        r"since|and|which|where|with|now|these|right|currently|for|at the moment|again|too|"
        r"though|if|when|while|who|that)[\w'.-]+){0,4})",
    ),
    (
        "home",
        r"(?:'ve |have |has |'s |just |recently |finally |both |all )*(?:moved|relocated)(?: "
        r"back| here| over)?(?: from [\w' ]{2,24}?)? to (?P<v>[\w'.-]+(?:,? (?!because|so|"
        r"but|since|and|which|where|with|now|these|last|this|for|from|in|on|a|an|after|to)[\w'.-]+){0,3})",
    ),
    (
        "hometown",
        r"(?:(?:was|were|'s)\s+)?(?:born and raised in|born and bred in|grew up in|raised "
        r"in|born in(?! \d)|comes? from|hails? from|am from) (?P<v>[\w'.-]+(?:,? (?!because|"
        r"so|but|and|which|where|with|in|on|at|during|surrounded|when|as|then)[\w'.-]+){0,4})",
    ),
    (
        "birthday",
        r"(?:was|were) born (?:on|in) (?P<v>[\w' ,]{0,24}\d{1,4}(?:st|nd|rd|th)?(?: of [a-z]+)?(?:,"
        r"? \d{4})?)",
    ),
    (
        "age",
        r"(?:'s |has |have |just |'ve just |will be |'s just |has just |finally )*(?:turned|"
        r"turns?(?= \d+ today)) (?P<v>\d{1,3})(?![\w%-]|"
        r"\s+(?:pages|minutes|km))",
    ),
    (
        "employer",
        r"(?:(?:currently|now|still|both|actually|just|also|'ve|have|has|been|part-time|full-time)\s+)*(?:works?|"
        r"working|worked(?=.*\b(?:for|since)\b.*\byears\b)) (?:(?:part-time|full-time|nights|"
        r"remotely|days|shifts|mostly nights) )?(?:as (?:an? |the )?(?P<role>[\w' /-]{2,40}?) "
        r")?(?:at|for|with) (?P<v>(?!the (?:moment|weekend|same)|home\b|night|nights|a\b|an\b|"
        r"my\b|myself\b|free\b|hours|me\b|us\b|years|it\b|you\b|them\b|him\b|her\b|\d|people\b|"
        r"kids\b|children\b|clients\b|patients\b|students\b|and\b|this\b|that\b|food\b|weeks\b|"
        r"months\b|two\b|three\b|wood\b|clay\b|animals\b)(?:the )?[\w'.&-]+(?: (?!and|as|so|"
        r"but|in|on|which|where|because|since|now|for|these|full|part|who|too|with|doing|from|"
        r"until|at)[\w'.&-]+){0,4})",
    ),
    (
        "employer",
        r"(?:(?:'ve|have|has|'s) been|'m|am|is|'s) (?:with|at) (?:the )?(?P<v>(?!the (?:moment|"
        r"same)|home\b|work\b|my\b|a\b|an\b|you\b|her\b|him\b|them\b|it\b)[\w'.&-]+(?: (?!and|"
        r"as|so|but|for|since|now|today|tonight|on|at|until)[\w'.&-]+){0,3})(?= as an? | fire "
        r")(?P<role>$^)?",
    ),
    (
        "employer",
        r"(?:'ve |have |just |recently )*(?:joined|started (?:work(?:ing)? )?at) (?P<v>(?!the "
        r"(?:gym|club)|a\b|my\b|us\b|in\b)(?:the )?[\w'.&-]+(?: (?!last|in|on|this|as|and|"
        r"so|but|two|three|a|for|today|yesterday|about)[\w'.&-]+){0,3})(?P<role>$^)?",
    ),
    (
        "role",
        rf"(?:(?:currently|now|still|also|mostly|mainly|have|'ve|has|been|retrained|trained)\s+)*(?:works?|"
        rf"working|worked|freelances?|earn (?:my|a) living|retrained|volunteers?) as (?:an?\s+|"
        rf"the\s+)?(?P<v>(?:[\w'/&.-]+\s+){{0,4}}?(?:{words.OCCUPATIONS}|[a-z]+(?:er|or|ist|"
        rf"ian|ant|man|woman)))(?![\w-])",
    ),
    ("role", r"(?!do\b|does\b|what\b|have\b)(?P<v>[a-z][\w' -]{3,40}?) for a living"),
    ("role", r"(?:do|does) (?P<v>[\w' -]{3,40}?) for a living"),
    ("role", rf"(?:currently |now |still |mostly |also )*works? in (?P<v>{words.FIELDS})(?![\w-])"),
    (
        "role",
        r"(?:currently |now |still |mostly |also )*(?:runs?|owns?|manages?) (?P<v>(?:an? |"
        r"the |my (?:own )?|our |his |her )(?:(?:small|little|family|own|tiny|busy|local|independent)\s+)*(?:[\w-]"
        r"+ )?(?:bakery|shop|store|restaurant|caf[eé]|bar|pub|farm|salon|studio|bookshop|bookstore|"
        r"agency|clinic|practice|garage|hotel|hostel|b&b|guesthouse|nursery|dairy|vineyard|"
        r"brewery|company|business|startup|gallery|food truck|butcher's|pharmacy|gym|orchard|"
        r"workshop))(?![\w-])",
    ),
    (
        "role",
        r"(?:currently |now |still |mostly |also )*(?P<v>teach(?:es)? (?!me\b|you\b|him\b|"
        r"her\b|them\b|myself\b|us\b|my\b|your\b|a\b|people\b|how\b)[\w' -]{3,30}?)(?=\s+(?:at|"
        r"to|in|part|for|and|so)\b|$)",
    ),
    (
        "major",
        r"(?:currently |now |also )*(?:study|studied|studies|studying|am studying|'m studying|"
        r"'s studying|is studying|majored in|majors? in) (?!for\b|hard\b|all\b|at\b|in\b|a "
        r"lot\b|to\b|with\b|until\b|every\b|by\b|late\b|too\b|the\b|this\b|these\b|people\b|it\b|that\b|"
        r"how\b|what\b)(?P<v>[\w&' "
        r"-]{3,40}?)(?=\s+(?P<where>at|in)\s+(?P<school>[\w'. -]{2,40})|$|,|\s+(?:and|but|"
        r"so|because|now|these|part-time|full-time)\b)",
    ),
    (
        "school",
        r"(?:currently |now |'m |am |'s |is )*(?:goes? to|go to|attends?|attending|enrolled "
        r"at|study at|studying at|studies at|a student at|in school at) (?P<v>(?!the (?:gym|"
        r"doctor|dentist|shop|store|beach|park|pub|church|cinema|office|same)|work\b|bed\b|"
        r"church\b|school\b|sleep\b|town\b|hell\b|great\b|a\b|an\b|my\b|see\b|therapy\b|night\b|"
        r"home\b|[\w-]+ (?:classes|class|lessons|meetings|sessions|conferences)\b)(?:the )?[\w'.&-]+(?: "
        r"(?!and|so|but|in|on|which|where|because|since|now|for|every|with|to|this|as|when|"
        r"at)[\w'.&-]+){0,4})",
    ),
    (
        "languages",
        rf"(?:(?:also|only|mostly|fluently|still|both|'m|am|can|natively|mainly|actually|just|"
        rf"barely|now|grew up|fluent in|learned to)\s+)*(?:speaks?|speaking|fluent in|native "
        rf"in|bilingual in) (?:(?:fluent|some|a bit of|a little|native|good|basic|decent|conversational|"
        rf"broken|rusty|both|passable|only|okay|ok)\s+)*(?P<v>(?:{words.LANGUAGES})(?:(?:,|"
        rf",? and|,? but| or|,? plus| &|,? as well as)?(?: at (?:home|work|school) and)?(?: (?:also|a bit of|"
        rf"some|a little|basic|"
        rf"rusty|fluent|decent|only|broken|conversational|passable|bits of|good))* (?:{words.LANGUAGES}))*)(?![\w-]"
        rf")",
    ),
    (
        "medication",
        rf"(?:(?:currently|also|already|have to|now|do|just)\s+)*(?:takes?|taking|take|on|prescribed|"
        rf"started(?: on| taking)?) (?P<v>(?:\d+ ?mg (?:of )?)?(?:{words.MEDICINES})(?:(?:,| and|, and) "
        rf"(?:{words.MEDICINES}))*)(?![\w-])",
    ),
    (
        "hobby",
        rf"(?:(?:also|still|sometimes|usually|do|'ve been|have been|been|has been)\s+)*(?:plays?|"
        rf"playing) (?:(?:the|a bit of|some|amateur|club|competitive|local|a lot of|five-a-side)\s+)*"
        rf"(?P<v>(?:{words.INSTRUMENTS}"
        rf"|{words.SPORTS_AND_GAMES}))(?![\w-])(?!\s+(?:today|tonight|tomorrow|this|with (?:him|"
        rf"her)|later|last))",
    ),
    (
        "hobby",
        rf"(?:(?:also|usually|'ve been|have been|been|still|always)\s+)*(?:go(?:es)?|do|does|"
        rf"doing|going|practi[cs]es?|attends?|take|takes) (?P<v>(?:\w+ )?(?!anything|everything|"
        rf"nothing|something|going|doing|being|working|shopping|having|getting|sleeping|walking "
        rf"around|the dishes|the laundry)(?:[a-z]+ing|yoga|pilates|crossfit|karate|judo|taekwondo|"
        rf"aikido|tai chi|ballet|salsa|tango|parkour|ceramics|pottery|embroidery|calligraphy|"
        rf"origami|aerobics|zumba|dance|capoeira|martial arts|太极))(?: \w+){{0,3}}? {_OFTEN}\b",
    ),
    (
        "hobby",
        rf"(?P<v>(?:sings?|swims?|runs?|bakes?|knits?|paints?|draws?|climbs?|fish(?:es)?|sails?|"
        rf"rows?|cycles?|garden(?:s)?|surfs?|skis?|skates?|dances?|hikes?|writes? (?:poetry|"
        rf"poems|fiction)|collects? [\w -]{{3,30}}?|brews? (?:\w+ )?(?:beer|cider|kombucha)|"
        rf"keeps? (?:bees|chickens)|builds? [\w -]{{3,30}}?|boulders?|"
        rf"volunteers?(?: at [\w' -]{{3,30}}?| in [\w' -]{{3,30}}?)?))(?: \w+){{0,3}}? {_OFTEN}\b",
    ),
    (
        "hobby",
        rf"(?P<v>(?:restores?|coach(?:es)?|repairs?|refurbish(?:es)?) (?!my|the|his|her|him|them|it|you)[\w "
        rf"-]{{3,30}}?) {_OFTEN}\b",
    ),
    (
        "hobby",
        r"(?P<v>collects? (?!my|the|data|her|his|him|you|it|money|information)[\w -]{3,30}|"
        r"keeps? bees)(?=$|,|\s+(?:and|as|since)\b)",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?:don't|do not|doesn't|does not|dont|"
        r"never|no longer|can't|cannot|won't) (?:(?:really|ever)\s+)*(?:eat|touch|have)(?: "
        r"any(?:thing with)?)? (?P<v>meat|pork|beef|red meat|fish|seafood|shellfish|dairy|"
        r"gluten|eggs?|sugar|carbs|wheat|lamb|animal products|bread|lactose|poultry|chicken|"
        r"nuts)(?![\w-])",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?:don't|do not|doesn't|does not|dont|"
        r"never|no longer) drink(?: any)? ?(?P<v>alcohol|caffeine|booze|milk|coffee)(?![\w-])",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?P<v>(?:don't|do not|doesn't|does "
        r"not|dont|never) drink)(?:$|\s+(?:at all|any ?more|myself|either|so))",
    ),
    (
        "diet",
        r"(?:(?:only|mostly|strictly|also)\s+)*(?:eats?|keeps?|follows?|am on|'m on|is on|"
        r"stick to|went|gone|go) (?:an? |the )?(?:(?:strict|mostly|only|fully)\s+)*(?P<v>"
        + words.DIETS
        + r"|mediterranean|fodmap)(?: diet| food)?(?![\w-])",
    ),
    (
        "diet",
        r"(?:'ve |have |has )?(?:stopped|quit|gave up|given up|cut out) (?:(?:eating|drinking|"
        r"all)\s+)*(?P<v>meat|pork|beef|red meat|fish|seafood|dairy|gluten|eggs?|sugar|carbs|"
        r"alcohol|booze|caffeine)(?![\w-])",
    ),
    (
        "vehicle",
        r"(?:(?:currently|now|still|mostly)\s+)*(?:drives?|rides?|own) (?:an? |my |the )(?:old "
        r"|new |used |little |beat-up )*(?P<v>(?!(?:[\w-]+ )?(?:tram|bus|train|lorry|taxi|cab|forklift|"
        r"ambulance|crane)\b|lot\b|car\b|bike to\b|hard\b|few\b|"
        r"tractor all\b|taxi\b|truck for\b|house\b|forklift|truck\b|lorry|tractor|train\b|"
        r"tram\b|van for|motor\b|home\b|dog\b|cat\b|flat\b|small\b|business\b|shop\b)[\w-]+(?: "
        r"(?!to|in|on|at|for|and|because|so|from|every|that|which|with|around|the)[\w-]+){0,2})",
    ),
    (
        "weight",
        r"(?:currently |now |about |only )*weighs? (?:about |around |in at )?(?P<v>\d{2,3}(?:\.\d)? "
        r"?(?:kg|kilos|kilograms|lbs?|pounds|stone))",
    ),
    ("height", r"(?:stands?|measures?) (?P<v>\d(?:'|ft| foot| feet)\s?\d{0,2}(?:\"|''|in)?|\d{3} ?cm|1[.,]\d\d? ?m)"),
    (
        "size",
        r"(?:usually |normally |always )*(?:wears?|takes?) (?:an? )?(?P<v>(?:eu |uk |us )?(?:size "
        r")?(?:\d{1,2}(?:\.5)?|x{0,3}[sml]|extra (?:small|large)|small|medium|large)(?: (?:shoes?|"
        r"shirts?|dress(?:es)?|jeans|trousers|boots|in (?:shoes|shirts|dresses|jeans)))?)(?=$|"
        r",|\.|\s+(?:and|so)\b)",
    ),
    ("nickname", r"(?:go|goes) by (?P<v>[\w'-]{2,20})(?=$|,|\s+(?:and|but|not|at|instead|these))"),
    (
        "education",
        r"(?:'m |am |is |'s |currently |still |finishing |just )*(?:doing|finishing|pursuing|"
        r"working on|starting) (?:an? |my |his |her )(?P<v>(?:master'?s?|bachelor'?s?|ph\.?d|"
        r"doctorate|mba|degree|apprenticeship)(?: (?:in|of|as) [\w' -]{2,40}?)?)(?=$|,|\s+(?:at|"
        r"from|and|so|in \d)\b)",
    ),
    (
        "education",
        r"(?:'ve |have |has |just )*(?:got|earned|did|completed|graduated with|hold|holds) "
        r"(?:an? |my |his |her )?(?P<v>(?:master'?s?|bachelor'?s?|ph\.?d|doctorate|mba|degree)(?: "
        r"(?:in|of) [\w' -]{2,40}?)?)(?=$|,|\s+(?:at|from|and|in \d)\b)",
    ),
    (
        "marital",
        r"(?:'re |are |got |'ve been |have been )(?:happily |both |now |recently |finally "
        r")*(?P<v>divorced|married for [\w ]{2,20})",
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
    r"(?:(?:don't|do not|dont|doesn't|does not) (?:actually |even )?|no longer |stopped "
    r"|'m not |am not |'ve stopped )"
)
_ENDED_TABLE = (
    (
        "employer",
        r"(?:'m |am |is |'s )?(?:no longer|not) (?:at|with|employed (?:at|by)) (?P<v>(?-i:[A-Z])[\w'.&-]*(?: "
        r"[\w'.&-]+){0,3})",
    ),
    (
        "employer",
        rf"{_NOT}work(?:ing|s)? (?:at|for|with|there)\b.*{_MORE}|(?:no longer|stopped|'ve stopped) "
        rf"work(?:ing|s)? (?:at|for|with) (?P<v>[\w'.& -]{{2,40}})",
    ),
    (
        "employer",
        r"(?:'ve |have |just |finally |has |'s )*(?:left|quit|resigned from|been laid off "
        r"from|got laid off from|retired from|parted ways with) (?:my (?:job|position|role|"
        r"post)(?: at (?P<v>[\w'.& -]{2,40}))?|(?P<v2>(?=(?-i:[A-Z]))[\w'.&-]+(?: [\w'.&-]+){0,3}))(?=$|"
        r"\s|,|\.)",
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
        rf"(?:'m |am )?(?:no longer (?:take|taking|on)|not taking|not on|stopped taking|don't "
        rf"take|do not take|came off|off) (?:the |my )?(?:{words.MEDICINES})\b",
    ),
    (
        "allergy",
        rf"(?:'m |am |is |'s )?(?:no longer allergic to|not allergic to .*{_MORE}|(?:'ve )?outgrew "
        rf"my \w+ allergy|outgrown (?:my|the|his|her) \w+ allergy)",
    ),
    (
        "hobby",
        rf"(?:don't|do not|no longer|gave up|have given up|'ve given up|quit|stopped) (?:play(?:ing)?|"
        rf"going to|doing) (?:the )?(?:{words.INSTRUMENTS}|{words.SPORTS_AND_GAMES}|yoga|climbing|"
        rf"karate)(?:\b.*{_MORE}|(?<=\w)$|.*)",
    ),
    ("role", r"(?:'m |am )(?:no longer|not) (?:an? |the )?(?:" + words.OCCUPATIONS + rf")(?:.*{_MORE}|$)"),
    (
        "vehicle",
        rf"(?:don't|do not|no longer) (?:have|drive|own) (?:the |a |my )?(?:car|van|motorbike|"
        rf"truck|bike)\b.*{_MORE}|sold (?:the|my|our) (?:car|van|motorbike|truck)\b",
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
    if k in ("allergy", "pet", "medication"):
        for match in _listed().finditer(text, start, end):
            piece = _trimmed(text, *match.span("v"))
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


def _public(text: str) -> bool:
    return _public_body().match(text) is not None


def _proper(predicate: Predicate, start: int, end: int) -> bool:
    """Whether the words are a name: one of the first three begins with a capital."""
    return any(
        word[:1].isupper() or (word[:1].isdigit() and word[-1:].isalpha())
        for word in predicate.typed[start:end].split()[:4]
    )


@cache
def _value_end() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:so|because|since|but|which|who|that|and (?:i|it|my|he|she|we|they|have|had|"
        r"has|live|work|love|the)|these days|originally|right now|now|currently|at the moment|anyway|"
        r"though|too|as well|if|when|where|while|lol|haha|btw|by the way|any\s?more|for (?:the "
        r"(?:last|past)|about|over|almost|nearly|\w+ years|years|a (?:few|couple|while|year|"
        r"decade|month)|now)|for (?:a|an|\d+|over|about|some|many|the)\b|until|after|before|"
        r"again|instead|like|or anything|etc|in case|with (?:my|his|her|our|two|three|an?|"
        r"the)|please|last|this|ever|hence|and (?=\w+ing\b)|since)\b|\s+[^\w\s'\"&(/]",
        re.IGNORECASE,
    )


@cache
def _listed() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:all|any|most|some|certain|both|the)\s+)?\b(?P<v>[^\s,&/](?:[^,&/]*?))(?=\s*(?:,"
        r"|&|/)|\s+(?:and|or|plus)\s|\s*$)(?:\s+(?:and|or|plus)\s+)?",
        re.IGNORECASE,
    )


@cache
def _language() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words.LANGUAGES})\b", re.IGNORECASE)


@cache
def _to_be() -> re.Pattern[str]:
    adverbs = (
        r"(?:(?:also|actually|currently|still|now|only|just|basically|already|both|officially|"
        r"finally|proudly|sadly|technically|in fact|really|, like,)\s+)*"
    )
    return re.compile(rf"(?:'?m|am|is|'s|are|'re|been|'ve been|has been|have been)\s+{adverbs}", re.IGNORECASE)


@cache
def _to_have() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:also|actually|currently|still|now|only|just|both|do|already)\s+)*(?:have|has|"
        r"'ve got|'s got|ve got|got(?! (?:an? (?:new|call|email|message)))|'ve had|have had|"
        r"has had|'ve|suffers? from|live with|lives with(?= (?:diabetes|asthma|chronic|epilepsy|"
        r"hiv|ms))|was (?:just |recently )?diagnosed with|were diagnosed with|'ve been diagnosed "
        r"with|have been diagnosed with|has been diagnosed with|struggle with)\s+(?:(?:also|"
        r"always|this|really|got|just|only)\s+)*",
        re.IGNORECASE,
    )


@cache
def _at_place() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:at|for|with) (?P<v>(?:the )?[\w'.&-]+(?: (?!and|as|so|but|in|on|which|where|majoring|studying|doing|"
        r"because|since|now|for|who|until|by)[\w'.&-]+){0,4})",
        re.IGNORECASE,
    )


@cache
def _as_role() -> re.Pattern[str]:
    return re.compile(r"\s*,?\s+as (?:an? |the |their )(?P<v>[\w' /-]{2,40})", re.IGNORECASE)


@cache
def _and_also() -> re.Pattern[str]:
    return re.compile(r"\s+and\s+(?:also\s+|i'm\s+|have\s+)?", re.IGNORECASE)


@cache
def _studies() -> re.Pattern[str]:
    return re.compile(r"\b(?:student|undergrad(?:uate)?)$", re.IGNORECASE)


@cache
def _is_school() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:university|college|school|uni|academy|polytechnic|mit|ucla|nyu|conservatory|"
        r"institute)\b",
        re.IGNORECASE,
    )


@cache
def _no_role() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|no|n't|never|like an?|such a|better|terrible|bad|good|great|awful|huge|"
        r"big fan|worst|best|hopeless|control freak|bit of|kind of|sort of|more of|future|"
        r"aspiring|wannabe|would-be|seeing|see|saw|called|calling|meeting|with my|at the|to "
        r"the|my own|we|i|you|they|he|she|it|that|this|glad|sure|so|on|than|wants?|hopes?|"
        r"to be|to become|dreams?)\b|\b(?:hybrid|scale|new|3d|car|role|data) model\b",
        re.IGNORECASE,
    )


@cache
def _no_allergy() -> re.Pattern[str]:
    return re.compile(
        r"(?:mornings?|mondays?|bad\b|code\b|stupid|feedback|advice|responsibility|criticism|"
        r"change|other people|commitment|work|exercise|people|bullshit|stupidity|drama|meetings|"
        r"nonsense|fun|small talk|bs\b|spam|effort|idiots|math|maths|cardio|adulting|failure|"
        r"change|it\b|that\b|this\b|them\b|him\b|her\b|you\b|hard work|paperwork|excel|powerpoint|"
        r"early|deadlines|anything\b(?! with)|everything|something|what)",
        re.IGNORECASE,
    )


@cache
def _laughs() -> re.Pattern[str]:
    return re.compile(r"\b(?:haha\w*|lol|lmao|hehe)\b|[😂🤣😅😜]", re.IGNORECASE)


@cache
def _no_place() -> re.Pattern[str]:
    return re.compile(
        r"(?:the|a|an|my|your|his|her|their|this|that|it|work|home|here|there|love|trouble|"
        r"pain|charge|touch|bed|town|and|so|now|class|marketing|sales|school|with|where|what|"
        r"one)\b",
        re.IGNORECASE,
    )


@cache
def _no_org() -> re.Pattern[str]:
    return re.compile(
        r"(?:the|a|an|my|your|his|her|their|this|that|it|home|night|least|first|work|some|"
        r"one|big|small|two|local|public|private|free|fun|school|money|different|several|various)\b",
        re.IGNORECASE,
    )


@cache
def _public_body() -> re.Pattern[str]:
    """Employers without a name of their own: "the ministry of health"."""
    return re.compile(
        r"(?:the )?(?:ministry|department|city|university|council|government|police|army|navy|"
        r"church|state|railways?|post office|county|red cross|un\b"
        r"|nhs|town hall|fire (?:brigade|service|department)|coast guard|civil service)",
        re.IGNORECASE,
    )
