"""Why an English clause that looks like a statement is none: a question, a condition, a joke, somebody else's words."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.extraction._en_clauses import Clause, straight
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction.hits import QUOTED
from smartbrain.extraction.starts import searched


def stopped(clause: Clause, end: int | None = None) -> str:
    """The reason why what the clause says up to ``end`` must not be kept, "" when nothing speaks against it."""
    said = clause.text if end is None else clause.text[:end]
    whole = clause.whole
    if _is_question(clause):
        return "question"
    if any(_compares().match(other.strip()) for other in clause.earlier):
        return "question"
    if clause.later and _said_after().match(clause.later[0].strip()):
        return "reported"
    if any(_opens_condition().match(other.strip()) for other in clause.earlier):
        return "condition"
    if _unreal().search(_no_wish().sub("", said)):
        return "hypothesis"
    if any(_wishes().search(other) for other in clause.earlier[-1:]):
        return "hypothesis"
    if any(_mail_header().fullmatch(other.strip()) for other in clause.earlier[:2]):
        return "reported"
    if any(_reports().search(other) for other in clause.earlier) or QUOTED in said:
        return "reported"
    if _ironic().search(whole) or _ironic_after().match(straight(clause.sentence.after).lstrip(" .-")):
        return "irony"
    if any(_negates_frame().search(other) for other in (*clause.earlier[-1:], said)):
        return "negated"
    return ""


def frame(before: str) -> str:
    """Why words behind ``before`` in their clause are not meant, where nobody looks for where a statement begins."""
    if _opens_condition().match(before.strip()):
        return "condition"
    return "reported" if _has_somebody_say().search(f"{before} ") else ""


def mocks(clause: Clause) -> bool:
    """Whether a message begins with a sigh over something else, after which what is loved is not: "Oh great, …"."""
    return _sighs().match(clause.sentence.message.text) is not None and clause.sentence.start > 0


def for_once(text: str) -> bool:
    """Whether a wish is for one answer or one time only."""
    return _once().search(text) is not None


def material(text: str) -> str:
    """Why what follows a sentence in its message is material to work on: "" when it is the user's own words."""
    if _handles_text.search(text) or _letter().match(text) or _order_with_text().search(text):
        return "text to work on"
    if _fiction.search(text):
        return "fiction"
    return ""


def _is_question(clause: Clause) -> bool:
    if _asks.match(clause.text) and not (_cleft().match(clause.text) and "?" not in clause.sentence.plain):
        return True
    if clause.later and _tag().match(clause.later[0].strip()):
        return True
    return clause.last and clause.sentence.plain.rstrip(" \"'”)").endswith("?")


@EN.sifted
def _asks() -> re.Pattern[str]:
    return re.compile(
        r"(?:have|has|had)\s+(?:i|we|you|he|she|it|they|anyone|anybody)\b"
        r"|(?:do|does|did|am|is|are|was|were|will|would|shall|should|what|which|"
        r"who|whom|whose|why|how"
        r"|isn't|aren't|don't|didn't|doesn't)\s+(?:i|we|you|he|she|it|they|my|our|the|this|"
        r"that|there|anyone|anybody|else)\b"
        r"|(?:what|why|how|when|where)\s+(?:do|does|did|will|would|can|could|should)\s+(?:i|we|you|he|she|it|they|"
        r"the|my|your|people)\b",
        re.IGNORECASE,
    )


@cache
def _cleft() -> re.Pattern[str]:
    """ "What I can't stand is fireworks", "when you write for me keep it formal": they only open like questions."""
    return re.compile(
        r"what (?:i|we)\b[\w' ]{3,40}?(?:\b(?:is|was|are)|'s)\b(?! (?:it|he|she|there|that|this|wrong|up)\b)"
        r"|when you (?:write|draft|answer|reply|explain|give|show|send|quote|list|talk|translate|summari[sz]e)\b",
        re.IGNORECASE,
    )


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(
        r"(?:right|correct|(?:is|are|do|does|did|was|were|would|could|can|have|has|am|will)(?:n't)?\s+(?:i|"
        r"we|it|he|she|they|that))"
        r"\s*\?",
        re.IGNORECASE,
    )


@cache
def _compares() -> re.Pattern[str]:
    """ "Which is better, Sublime or Zed": what stands behind it is asked about, with or without the sign."""
    return re.compile(
        r"(?:which|what)(?:'s| is| are) (?:the )?(?:better|best|nicer|cheaper|safer|easier|faster)\b", re.IGNORECASE
    )


@cache
def _said_after() -> re.Pattern[str]:
    """ "The meeting is on hold, says the mail"."""
    return re.compile(r"(?:says|said|wrote|reckons|insists) (?!i\b|we\b)\w", re.IGNORECASE)


@cache
def _opens_condition() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:and|but|so|even|only|what|as|like|or|maybe|ok|well)\s+)?(?:if|unless|suppose|"
        r"supposing|assuming|imagine|pretend|say"
        r"|in case|had i|were i|provided|let's say|what if|in another life|in a perfect world|"
        r"hypothetically|in theory|(?:for (?:the (?:purposes?|sake) of )?|in )(?:this|the|an?) (?:exercise|scenario|"
        r"example|role[- ]?play|argument|case study|simulation|game)|for the purposes? of)\b",
        re.IGNORECASE,
    )


@cache
def _unreal() -> re.Pattern[str]:
    return searched(
        r"\b(?:would|wouldn't|could|couldn't|might|(?-i:may)|maybe|perhaps|possibly|wish|hopefully|"
        r"if only|were i|thinking (?:of|about)|"
        r"considering|tempted|not sure|unsure|no idea|suppose|supposedly|allegedly|probably|almost|nearly|i guess|"
        r"toying|pretend|imagine|as if|"
        r"in theory|hypothetically|(?:i'd|we'd)(?! better\b)|kind of want|wonder(?:ed|ing)?|doubt|debating)\b",
        re.IGNORECASE,
    )


@cache
def _no_wish() -> re.Pattern[str]:
    """Ways to speak that only sound unreal: "I could live on cheese", "I promised Lena I'd call"."""
    return re.compile(
        r"\b(?:(?:could|can) (?:live on|kill me|do without)|could (?:eat|drink|watch|listen to|talk about|read|play)"
        r"(?= .*\b(?:every day|all day|for ever|forever|any day|till the cows))|couldn't (?:live|do|be) without|"
        r"(?:never could|could never) (?:stand|bear|stomach|abide|get into|face)|"
        r"(?:promised|told|said)(?: [\w']+){0,3}? (?:i'd|we'd|i would|we would)|i'd (?:sooner|rather) (?!not\b))",
        re.IGNORECASE,
    )


@cache
def _wishes() -> re.Pattern[str]:
    return searched(
        r"\b(?:wish|if only|maybe|perhaps|hopefully|what if|not sure|as if|wonder(?:ing)? "
        r"(?:if|whether))\b",
        re.I,
    )


@cache
def _mail_header() -> re.Pattern[str]:
    return re.compile(r"(?:subject|re|fwd?|betreff)", re.IGNORECASE)


@cache
def _reports() -> re.Pattern[str]:
    verbs = (
        r"said|says|saying|told|tells|asked|asks|thinks|thought|wrote|writes|claims|claimed|"
        r"insists|insisted|goes|texted|reckons|swears|reads|read"
    )
    who = r"he|she|they|it|you|people|everyone|everybody|someone|somebody|who|[a-z]+"
    return searched(
        rf"(?<!i )(?<!we )\b(?:{verbs})(?: (?:me|us|that|to me))?\s*$|\baccording to\b|\bhoroscope\b|"
        rf"\bsurvey\b|\blyrics?\b"
        r"|\bthe song\b|\bin my head\b|\bfor example\b|\be\.g\b|\bhis (?:words|message)\b|\bbe like\b"
        rf"|^\s*(?:(?:and|but|so)\s+)?(?:{who}) (?:{verbs})(?: (?:me|us|that|to me))?\b(?=.*\bthat\s*$)",
        re.IGNORECASE,
    )


@cache
def _has_somebody_say() -> re.Pattern[str]:
    return re.compile(
        r"(?<!i )(?<!we )\b(?:said|says|told|tells|thinks|thought|claims|claimed|insists|insisted|wrote|texted|reckons|"
        r"swears)(?: (?:me|us))?(?: that)? +(?:(?:i|i'm|i've|we|we're|my|our|to)\b|$)",
        re.IGNORECASE,
    )


@cache
def _ironic() -> re.Pattern[str]:
    return searched(
        r"^\W*(?:oh,? (?:sure|yeah|great|joy|of course|yes because)|yeah,? right|sure,? because|"
        r"lol,? (?:yeah|sure))\b|\byeah,? right\b"
        r"|\bjust kidding\b|\bonly kidding\b|\b(?:i'm|im|am) (?:just )?(?:kidding|joking)\b|"
        r"\bjk\b|\bnot!|\bsaid no one\b|\bin my dreams\b"
        r"|\b(?:truly|clearly|obviously|apparently) (?:my|a|the) (?:true )?(?:passion|calling|dream|joy|blessing|"
        r"highlight)\b"
        r"|\bpigs (?:have|might|can|will)\b|(?<!\w)/s\b|\bhaha,? no\b|\bas if\b|\bwhat a joy\b|🙄|🙃",
        re.IGNORECASE,
    )


@cache
def _ironic_after() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:ok|haha+|lol|nah|no|hah|sorry|ha|well|and)[\s,.!]+)*(?:(?:i'm |im )?(?:just "
        r"|only )?(?:kidding|joking)|jk\b|not!|as if\b|yeah,? right"
        r"|said no one|in my dreams|i wish\b)",
        re.IGNORECASE,
    )


@cache
def _sighs() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:oh,? (?:great|joy|sure|yes|lovely|wonderful|fantastic|brilliant|perfect|goody)\b(?![,!.]* (?:thanks|"
        r"thank|to|news))|"
        r"(?:great|brilliant|fantastic|wonderful|lovely),? (?:another|more|yet another)\b|just what i (?:needed|"
        r"wanted)\b)",
        re.IGNORECASE,
    )


@cache
def _negates_frame() -> re.Pattern[str]:
    return searched(
        r"\b(?:not that|it's not (?:that|like|as)|it isn't that|not to say|i'm not saying|"
        r"im not saying|nobody said|never said|didn't say|"
        r"not because|wouldn't say|no one said|don't think|doesn't mean|stop saying)\b",
        re.IGNORECASE,
    )


@cache
def _once() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:this (?:one|time|email|mail|text|letter|message|answer|reply|question|once|"
        r"document|paragraph|file|piece|case|"
        r"chat|conversation|session|task|part|section|essay|post|story|poem|report|list|card)|"
        r"these ones?|just (?:this )?once|for now|"
        r"right now|at the moment|for today|tonight|(?<!from )(?<!as of )today|just now|for "
        r"once|the following|below|above|for (?:this|that|my|his|her|the)\b"
        r"(?! (?:record|most part|best))|that one|the next one|in this|on this|of (?:that|this|it)|"
        r"in the (?:poster|leaflet|flyer|letter|mail|email|report|text|document|essay|card|speech|title|ad|post|list|"
        r"table|file|story|paragraph|answer|message|headline|invitation))\b",
        re.IGNORECASE,
    )


@EN.sifted
def _handles_text() -> re.Pattern[str]:
    verbs = (
        "translate|proofread|polish|rewrite|rephrase|reword|paraphrase|correct|fix|edit|improve|"
        "check|summari[sz]e|transcribe|"
        "analy[sz]e|shorten|parse|classify|annotate|punctuate"
    )
    what = (
        "grammar|spelling|typos?|sentence|text|paragraph|passage|letter|email|mail|message|"
        "essay|draft|following|wording|"
        "punctuation|note|post|caption|bio|quote|line|statement|intro(?:duction)?|translation|this"
    )
    return re.compile(
        rf"^\W*(?:(?:please|can you|could you|would you|hey|ok|pls|now|quick|kindly|just|help "
        rf"me(?: to)?)[\s,]+)*(?:{verbs})\b[^\n]{{0,60}}?"
        rf"(?:\b(?:in)?to [A-Z]\w+|\b(?:{what})\b)[^\n]{{0,60}}[:：]|^\W*translate\b|\b(?:please|"
        rf"can you|could you|pls)\s+(?:rewrite|rephrase|amend|proofread|polish|translate|reword|"
        rf"paraphrase)\b|\bhow (?:do|would) (?:you|i) say\b|\bwhat does\b.{{1,80}}\bmean\b"
        r"|\b(?:here's|here is|below is) (?:the|an?|his|her|their|my) (?:example of an? |sample "
        r")?(?:template|text|email|letter|"
        r"transcript|article|essay|draft|message|excerpt|story"
        r"|cover letter|bio|script|lyrics)\b",
        re.IGNORECASE,
    )


@cache
def _letter() -> re.Pattern[str]:
    """The salutation of a letter: what follows is its text, whoever signs it."""
    return re.compile(
        r"\W*dear (?:sirs?|madam|editors?|hiring|committee|councillors?|customers?|colleagues|team|all|residents?|"
        r"neighbou?rs?|parents|friends|diary|santa|mr|mrs|ms|dr|prof(?:essor)?)\b",
        re.IGNORECASE,
    )


@EN.sifted
def _order_with_text() -> re.Pattern[str]:
    """ "Here's the page, summarise it:", "make this CV sound less stiff:": an order, and its text behind the colon."""
    return re.compile(
        r"\b(?:translate|proofread|polish|rewrite|rephrase|reword|paraphrase|correct|edit|improve|check|"
        r"summari[sz]e|shorten|tidy|grade|mark|review|punctuate|format|reply to|answer)\s+(?:it|this|that|them|these|"
        r"the|my|his|her|their|our|for|up)\b[^\n:]{0,40}:\s*$"
        r"|\bmake (?:this|it|that|the|my|his|her|their|our)\b[^\n:]{0,30}\b(?:sound|read|look|shorter|longer|simpler|"
        r"better|nicer|clearer|friendlier|formal)\b[^\n:]{0,30}:",
        re.IGNORECASE,
    )


@EN.sifted
def _fiction() -> re.Pattern[str]:
    kinds = (
        "story|poem|novel|scene|script|song|lyrics|haiku|dialogue|monologue|fairy ?tale|short "
        "story|opening|limerick|sketch|"
        "screenplay|character|fan ?fic\\w*|fictional|persona|sonnet|tale|rap|backstory|diary entry|speech|"
        "dating profile|joke|riddle|advert|testimonial|fable|parody|villain"
    )
    return re.compile(
        rf"^\W*(?:(?:please|can you|could you|ok|help me|now|pls)[\s,]+)*(?:write|compose|continue|"
        rf"draft|create|generate|give me|make up|invent|tell me)\b"
        rf"[^\n]{{0,60}}\b(?:{kinds})\b|\brole[- ]?play\b|^\W*(?:(?:let's|ok|now|please)[\s,"
        rf"]+)*(?:pretend|imagine|act as|you are now|suppose|"
        r"assume|picture this|let's say|word problem|hypothetically|you're the \w+ and)\b|"
        r"\bmy character\b|\bin (?:my|the) (?:novel|story|game|campaign)\b"
        r"|^\W*(?:for )?examples?\s*:|\bfor example\b:|\bsample (?:sentence|text|data)\b",
        re.IGNORECASE,
    )
