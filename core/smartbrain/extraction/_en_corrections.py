"""English words that point back, "remember that …", and other names of things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause, straight
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction.hits import Hit, Sentence, back, entity, looked_like
from smartbrain.extraction.keys import part


def backward(sentence: Sentence) -> Hit | None:
    """What a sentence says about the one before it: a joke, taken back, or corrected."""
    text = straight(sentence.plain)
    match = _joke.search(text)
    if match:
        return back("joke", "joke", match.span())
    match = _take_back.match(text)
    if match and not _something_else().match(text[match.end() :]):
        return back("taken_back", "taken_back", match.span())
    match = _not_but.match(text) or _but_not.match(text)
    if match and _has_value(match["new"]):
        new = sentence.text[slice(*match.span("new"))]
        return back("corrected", "corrected", match.span(), old=_clean(match["old"]), new=_clean(new))
    match = _rather.match(text)
    if match and _has_value(match["new"]):
        return back("corrected", "corrected", match.span(), new=_clean(sentence.text[slice(*match.span("new"))]))
    return None


def remembered(sentence: Sentence) -> Iterator[Hit]:
    """ "Remember that the gate code is 4471": kept as an entity when no other rule knows what it is."""
    text = straight(sentence.plain)
    match = _remember.search(text)
    if not match:
        return
    body = _subject().match(text, match.end()) or _subject_s().match(text, match.end())
    span = (match.start(), len(sentence.text))
    if sentence.plain.rstrip().endswith("?") and not _polite().match(text):
        yield looked_like("entities", "remember", span, "question")
        return
    if body is None:
        yield looked_like("entities", "remember", span, "no subject")
        return
    name = sentence.text[slice(*body.span("subject"))]
    canonical = part(name)
    if not canonical or _no_subject().fullmatch(name.strip().lower()):
        yield looked_like("entities", "remember", span, "no subject")
        return
    said = sentence.text[body.end("subject") :].strip(" .,;:!")
    if len(said) < _SOMETHING:
        yield looked_like("entities", "remember", span, "nothing said of it")
        return
    yield entity("remember", span, kind="other", name=_bare(name), canonical=canonical, attrs={"note": said})


def aliases(clause: Clause) -> Iterator[Hit]:
    """ "Stockpile, also known as SP", "K8s is short for Kubernetes", "the SLA (short for …)"."""
    if not _alias_words.search(clause.whole):
        return
    for pattern, fuller_first in ((_also_known(), True), (_for_short(), True), (_short_for(), False)):
        match = pattern.search(clause.onward())
        if match is None:
            continue
        start, end = clause.start + match.start(), clause.start + match.end()
        reason = guards.stopped(clause)
        if reason:
            yield looked_like("entities", "alias", (start, end), reason)
            return
        shift = clause.start
        text = clause.sentence.text
        one = text[shift + match.start("one") : shift + match.end("one")].strip(" ,\"'“”")
        other = text[shift + match.start("other") : shift + match.end("other")].strip(" ,.\"'“”")
        name, alias = (one, other) if fuller_first else (other, one)
        name = _bare(name)
        if part(name) and part(alias) and part(name) != part(alias):
            yield entity("alias", (start, end), kind="other", name=name, aliases=[alias])
        return


_SOMETHING = 3


def _bare(name: str) -> str:
    return re.sub(r"^(?:the|my|our|a|an|that|this)\s+", "", name.strip(" ,\"'“”"), flags=re.IGNORECASE)


def _clean(text: str | None) -> str:
    cleaned = (text or "").strip(" .,;:!?\"'“”-")
    return re.sub(r"^(?:on|at|in|the|to|it's|its|it is|is)\s+(?=\w)", "", cleaned, flags=re.IGNORECASE)


def _has_value(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= 6 and not _no_value().match(text)


@EN.sifted
def _joke() -> re.Pattern[str]:
    return re.compile(
        r"(?:^|[\s,.!])(?:(?:i'm |im |i am )?(?:just |only )(?:kidding|joking)|jk\b(?! rowling)|"
        r"i kid\b|(?:^|haha,? |lol,? )kidding\b|not really,? lol)",
        re.IGNORECASE,
    )


@EN.sifted
def _take_back() -> re.Pattern[str]:
    lead = (
        r"\W*(?:(?:hm+|oh|ok|okay|no|wait|actually|sorry|ah|um+|er+|well|ugh|and|but|so|"
        r"please|on second thought|you know what|nah|yeah)[\s,.!-]+)*"
    )
    return re.compile(
        rf"{lead}(?:(?:scratch|forget|strike|ignore|disregard|drop|undo|delete|cancel)(?: about)? "
        rf"(?:that|it|what i (?:just )?said|my last (?:message|sentence|point)|the last (?:bit|"
        rf"one|message)|all (?:of )?that)(?: last (?:one|bit|message|part))?|never ?mind|nvm|"
        rf"nevermind|i take (?:that|it) back|that(?:'s| was| is) (?:wrong|not true|a lie|incorrect)|"
        rf"that (?:is|was)n't (?:true|right)|(?:please )?don't (?:save|remember|keep|store) "
        rf"that)\b",
        re.IGNORECASE,
    )


@cache
def _something_else() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?!(?:please|now|i|it|we|lol|sorry|actually|for now|then|ok|okay|haha|thanks|"
        r"and|but|too|btw|just|what|let|let's|do|can|could|again|bit|part|one)\b)\w",
        re.IGNORECASE,
    )


@EN.sifted
def _not_but() -> re.Pattern[str]:
    lead = (
        r"\W*(?:(?:hm+|oh|ok|no|wait|actually|sorry|ah|um+|er+|oops|ugh|my bad|correction|"
        r"typo|and|but|nope|argh|whoops|i mean|hang on|hold on)[\s,:.!-]+)*"
    )
    return re.compile(
        rf"{lead}(?:it's |it is |that's |i'm |that was |it was )?not (?:on |at |in |the )?(?P<old>[\w' "
        rf"-]{{1,30}}?)\s*[,;—–-]+\s*(?:but |it's |it is |it was |rather |make (?:it|that) "
        rf"|i meant |i mean )*(?P<new>[\w'/:. -]{{1,40}}?)[.!]*$",
        re.IGNORECASE,
    )


@EN.sifted
def _but_not() -> re.Pattern[str]:
    """ "Wait, it's Friday, not Thursday": taken only where the words before named the Thursday."""
    lead = (
        r"\W*(?:(?:hm+|oh|ok|no|wait|actually|sorry|ah|um+|er+|oops|ugh|my bad|correction|typo|argh|whoops|hang on|"
        r"hold on)[\s,:.!-]+)*"
    )
    return re.compile(
        rf"{lead}(?:it's|it is|that's|make (?:it|that)|i meant) (?:on |at |in )?(?P<new>[\w'/:. "
        rf"-]{{1,40}}?)\s*[,;—–-]+\s*"
        rf"not (?:on |at |in |the )?(?P<old>[\w' -]{{1,30}}?)[.!]*$",
        re.IGNORECASE,
    )


@EN.sifted
def _rather() -> re.Pattern[str]:
    lead = (
        r"\W*(?:(?:hm+|oh|ok|no|wait|sorry|ah|um+|er+|oops|ugh|my bad|typo|argh|whoops|hang "
        r"on|hold on|actually)[\s,:.!-]+)*"
    )
    return re.compile(
        rf"{lead}(?:(?:i meant(?: to (?:say|write|type))?|i mean|correction:?|make (?:that|"
        rf"it)|should (?:be|have been|read|say)|that should (?:be|have been|read|say)|it should "
        rf"be|i should have said)\s+)(?P<new>(?!to (?!(?-i:[A-Z]))|that\b|it\b|what\b|well\b|business\b|you\b|"
        rf"no\b|every\b|how\b|come\b|i\b|he\b|she\b|we\b|they\b|if\b|there\b|look\b|so\b|who\b|"
        rf"why\b|really\b|seriously\b|don't\b|a (?:lot|bit|few)\b|the (?:world|most)\b)[\w'/:. "
        rf"-]{{1,40}}?)[.!]*$",
        re.IGNORECASE,
    )


@cache
def _no_value() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|you|we|they|he|she|that|this|what|how|why|just|so|really|sure|too|only|because|"
        r"if|a (?:lot|bit)|bad|good|great|fun|nice|true|right|wrong|yet|now|at all|anymore|"
        r"again|even|always|exactly|necessarily|much|very|there|here)\b",
        re.IGNORECASE,
    )


@EN.sifted
def _remember() -> re.Pattern[str]:
    return re.compile(
        r"(?:^|[:;]\s)\W*(?:(?:ok|okay|please|pls|also|and|can you|could you|will you|just|oh|hey|so|"
        r"btw|for (?:next time|later|the record|future reference)|one (?:more )?thing|for "
        r"me)[\s,:-]+)*(?:remember(?: (?:this|for me|for later|for next time))?(?:\s*[:,-]\s*|"
        r"\s+)(?:that\s+)?|(?:make a )?note(?: down)?(?: that|:|(?=\s(?:the|my|our) ))\s+|keep in mind(?: that)?:?\s+|"
        r"don't forget(?: that)\s+|(?:please )?(?:save|store|memori[sz]e)(?: this| that)?\s*[:,"
        r"-]\s*|fyi for (?:later|next time):?\s+|bear in mind(?: that)?\s+)",
        re.IGNORECASE,
    )


@cache
def _subject() -> re.Pattern[str]:
    return re.compile(
        r"(?P<subject>(?!(?:when|how|to|me|us|him|what|who|why|where|if|whether|last|back|"
        r"every|all|no|each|nobody|those|the (?:time|days?|good|old)|you said|your)\b)[\w'’./&# "
        r"-]{2,50}?)\s*(?:\b(?:is|are|was|were|has|have|lives?|needs?|goes|go|opens?|closes?|"
        r"stands?|costs?|runs?|works?|starts?|ends?|belongs?|expires?|must|can|can't|should|"
        r"only|always|never|starts|comes|sits|takes|means|contains|uses|gets?|stays?|doesn't|"
        r"don't|isn't|aren't|will)\b|=|:)"
    )


@cache
def _subject_s() -> re.Pattern[str]:
    """ "The code's 4471": only where no other verb stands, or "Lena's present is …" would be about Lena."""
    return re.compile(
        r"(?P<subject>(?!(?:when|how|to|me|what|who|why|where|it|that|he|she|there|let|here)\b)[\w./&# "
        r"-]{2,40}?)'s\s"
    )


@cache
def _no_subject() -> re.Pattern[str]:
    return re.compile(
        r"i|we|you|he|she|it|they|this|that|there|these|those|i'm|we're|it's|my|the|everything|"
        r"nothing|something|everyone|people|life|one|what|which"
    )


@cache
def _polite() -> re.Pattern[str]:
    return re.compile(r"^\W*(?:please |hey |ok )?(?:can|could|will|would) you\b", re.IGNORECASE)


@EN.sifted
def _alias_words() -> re.Pattern[str]:
    return re.compile(
        r"\baka\b|a\.k\.a|a/k/a|known as|also called|nicknamed|for short|short for|st(?:ands|"
        r"anding) for|(?:abbreviation|acronym) (?:of|for)",
        re.IGNORECASE,
    )


@cache
def _also_known() -> re.Pattern[str]:
    name = r"(?:[A-Za-z0-9][\w.-]*(?: [A-Z][\w.-]*){0,3})"
    common = r"(?:[Tt]he|[Oo]ur|[Mm]y) (?:[\w-]+ ){0,3}?[\w-]+"
    return re.compile(
        rf"(?<![\w-])(?P<one>{common}(?<!called)(?<!named)|(?!(?:called|named|is|the|our|my)\b){name})(?:\s+(?:is|"
        rf"was|are|gets|got|being))?(?:\s*,\s*|\s+|\s*\(|\s*,?\s*\()(?:also known as|aka(?= "
        rf")|a\.k\.a\.?|also called|a/k/a|otherwise known as|better known as|or (?=[A-Z]{{2,"
        rf"6}} for short)|nicknamed)\s+(?:the )?(?P<other>[\w.'-]+(?: [A-Z][\w.-]*){{0,3}})",
        0,
    )


@cache
def _for_short() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w-])(?P<one>(?:[Tt]he |[Oo]ur )?[A-Za-z][\w'-]*(?: (?>(?:of |and |the )?[\w'-]+)){1,4}?),"
        r"? \(?(?:or )?(?P<other>[A-Z][\w.-]{0,12})\)? for short\b",
        0,
    )


@cache
def _short_for() -> re.Pattern[str]:
    return re.compile(
        r"\b(?P<one>(?!(?:it|this|that|he|she|they|which|what)\b)(?:(?=[\w.&-]*(?-i:[A-Z0-9]))[A-Za-z0-9][\w.&-]{0,12}"
        r"|(?<=[\"'])[a-z]{1,8}))[\"']?\s*,?\s*\(?(?:(?:is|'s|being|which is|it's|just)\s+)*(?:short "
        r"for|an abbreviation (?:of|for)|stands for|standing for|an acronym for)\s+(?P<other>(?:the "
        r")?[\w'-]+(?: (?!(?:and|but|so|in|at|which|where|that|is|here|there|by|around|btw|fyi)\b)[\w'-]+){0,4})",
        re.IGNORECASE,
    )
