"""Rules for English: from a sentence to hits, with a guard on every one of them."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.extraction import (
    _en_corrections,
    _en_events,
    _en_plans,
    _en_preferences,
    _en_profile,
    _en_tasks,
    guards,
)
from smartbrain.extraction._en_clauses import clauses, straight
from smartbrain.extraction._en_subjects import Subject
from smartbrain.extraction.hits import Hit, Sentence
from smartbrain.extraction.starts import searched


def find(sentence: Sentence) -> list[Hit]:
    """The hits of one sentence, guard-stopped ones included, in order."""
    pointing = _en_corrections.backward(sentence)
    hits = [] if pointing is None else [pointing]
    known: list[Subject] = []
    was: Subject | None = None
    for clause in clauses(sentence):
        found = list(_en_preferences.find(clause))
        about, was = _en_profile.find(clause, known, was)
        # A goal is no task, an event none either: who speaks first is more particular.
        work = list(_en_plans.find(clause))
        work = work if _any_kept(work) else [*work, *_en_events.find(clause)]
        work = work if _any_kept(work) else [*work, *_en_tasks.find(clause)]
        if _any_kept(about) and not _any_kept(found):
            found = []
        if any(hit.retract and not hit.skipped for hit in found):
            work = []  # "no need to answer in German any more" is a wish taken back, no task
        if any(hit.rule == "home" and not hit.skipped for hit in about):
            work = [hit for hit in work if hit.type != "decisions"]  # "we moved from Porto to Ghent"
        hits += [*found, *about, *work, *_en_corrections.aliases(clause)]
    hits = _settled(hits)
    if not any(_any_kept([hit]) for hit in hits if not hit.back):
        hits += list(_en_corrections.remembered(sentence))
    if pointing is not None and pointing.back == "joke":
        return [pointing, *(hit for hit in hits if hit.skipped)]
    return hits


def doubt(sentence: Sentence, span: tuple[int, int], kind: str) -> str:
    """Why the words at a span of the sentence may not be kept, whoever found them ("" when nothing speaks against)."""
    said = straight(sentence.plain)
    if kind == "preferences" and _asks_for_good().match(said[span[0] :]) and not guards.for_once(said):
        return guards.material(straight(sentence.before))
    for clause in clauses(sentence):
        if clause.start < span[1] and span[0] < clause.start + len(clause.text):
            reason = guards.stopped(clause) or guards.frame(clause.text[: max(span[0] - clause.start, 0)])
            if reason:
                return reason
    return guards.material(straight(sentence.before))


def opens_material(sentence: Sentence) -> str:
    """Why what follows in this message is not the user's own words ("" when it is)."""
    return guards.material(straight(sentence.plain))


def cites(sentence: Sentence) -> bool:
    """Whether an English sentence only cites the Chinese in it: "what does 以后 mean", "he wrote …"."""
    return _citation().search(straight(sentence.plain)) is not None


def confirms(text: str) -> bool:
    """Whether a message plainly says yes to the assistant's guess before it."""
    return _yes().match(straight(text).strip()) is not None


def as_first_person(text: str) -> str:
    """An assistant's guess about the user in the user's own voice; "" when it is none."""
    plain = straight(text)
    match = _guess().search(plain)
    offered = _offer().search(plain)
    if offered:
        return f"{offered['always'] or 'from now on'} {offered['what'] or offered['what2']}"
    asked = _did().search(plain)
    if asked:
        return f"I {_PAST[' '.join(asked['verb'].lower().split())]} {asked['what']}"
    if not match:
        return ""
    said = _end_of_guess().split(plain[match.end() :], maxsplit=1)[0].strip(" .,?!")
    if match["your"]:
        return f"my {said}"
    subject = match["subject"].lower()
    being = {"you're": "I'm", "you are": "I am", "you've": "I've"}.get(subject, "I")
    return f"{being} {said}"


def _any_kept(hits: list[Hit]) -> bool:
    return any(not hit.skipped for hit in hits)


def _settled(hits: list[Hit]) -> list[Hit]:
    """Without verdicts on words that another rule kept."""
    kept = [hit for hit in hits if not hit.skipped and not hit.back]
    chosen = {hit.key for hit in kept if hit.type == "preferences" and hit.value["polarity"] == "like"}
    # "Four spaces, never tabs": what is refused in a slot only says again what was chosen for it.
    hits = [hit for hit in hits if hit.key not in chosen or hit.value["polarity"] == "like"]
    return [
        hit
        for hit in hits
        if not hit.skipped or not any(hit.span[0] < one.span[1] and one.span[0] < hit.span[1] for one in kept)
    ]


@cache
def _asks_for_good() -> re.Pattern[str]:
    """ "Could you always answer in Dutch?": a standing wish, as politely as a question."""
    return re.compile(
        r"\W*(?:(?:please|hey|and|so|also|but) )*(?:can|could|will|would|may) (?:you|u|we|i have|i get|"
        r"everything|it all|"
        r"(?:the|my|your|all|all my|all your) \w+) (?:please |maybe |possibly |kindly |just )*"
        r"(?:(?:stop|quit|not) \w+|(?=[^.!?]*\b(?:always|from (?:now|here|today) on|by default|default to|whenever|"
        r"every time|each time|everything|never|in future|for good|stick to|going forward|permanently|"
        r"all the time)\b))",
        re.IGNORECASE,
    )


@cache
def _citation() -> re.Pattern[str]:
    return searched(
        r"\b(?:wrote|writes|says|said|texted|texts|texting|means?|mean|translate|translation|"
        r"phrase|word for|in english|pronounce[ds]?|sign|lyrics|"
        r"proverb|saying|character|sentence)\b",
        re.IGNORECASE,
    )


@cache
def _yes() -> re.Pattern[str]:
    yes = (
        r"yes|yeah|yep|yup|yea|exactly|correct|right|indeed|absolutely|definitely|precisely|"
        r"that's (?:right|correct|true|it|me)|you're right|true|spot on|you "
        r"got it|sure|of course|(?:we|i) (?:did|do|am|are|have)(?=\s*(?:$|[,.!]))"
    )
    return re.compile(
        rf"\W*(?:(?:{yes})\b[\s,.!]*)+(?:(?:please|thanks|thank you|always|never|remember (?:that|"
        rf"it)|please remember|do|that's (?:right|correct|true|exactly it)|it is|i do|i am|"
        rf"it's true|note that|save that|and|since|because|as|with|after|before|at|in)\b.*|"
        rf"(?<=[,.!] )(?!.*(?:\b(?:but|no|not|actually|except|only|wrong|though|almost|maybe|perhaps)\b|n't\b)).*|"
        rf")$(?<!\?)",
        re.IGNORECASE | re.DOTALL,
    )


@cache
def _guess() -> re.Pattern[str]:
    lead = (
        r"(?:(?>it (?:sounds|seems|looks|appears) (?:like|that|as if|as though)?\s*)|so,?\s+|i "
        r"(?:understand|see|gather|assume|take it|get the (?:sense|feeling|impression)|noticed|"
        r"think|believe|guess)(?: that)?\s+|sounds like\s+|looks like\s+|if i (?:understand|"
        r"remember)(?: you)?(?: right| correctly)?,?\s+|(?:since|because|as)\s+|am i right "
        r"that\s+|noted(?:,|:| that)\s+|got it(?:,|:)\s+|to confirm(?:,|:)?\s+|just to confirm(?:,"
        r"|:)?\s+|and\s+|would it be right (?:to say )?that\s+)*"
    )
    verbs = (
        r"prefer|like|love|hate|enjoy|dislike|live|work|can't stand|don't (?:like|eat|drink)|"
        r"use|want|need|speak|drive|play|have|always|never|decided|moved|are (?:allergic|vegan|"
        r"vegetarian|a|an|from|based)|grew up"
    )
    return re.compile(
        rf"(?:^|[,:;]\s*|\b(?:that|because|since|like|as if|as though)\s+){lead}(?:(?P<subject>you're|you are|"
        rf"you've|you)\s+(?:(?:seem|appear|tend) to (?:be )?|(?:clearly|obviously|probably|"
        rf"also|really|generally|usually|apparently|must)\s+)*(?={verbs}|allergic|vegan|vegetarian|"
        rf"an?\s|from\s|based)|(?P<your>your)\s+(?=(?:name|favou?rite|birthday|goal|wife|husband|"
        rf"daughter|son|mother|father|mum|mom|dad|partner|brother|sister|boss|dog|cat|job)\b))",
        re.IGNORECASE,
    )


@cache
def _offer() -> re.Pattern[str]:
    """ "Shall I always answer in French?": a standing wish, if the user says yes."""
    return re.compile(
        r"\b(?:shall i|should i|do you want me to|would you like me to|you'd like me to|you want me to) "
        r"(?P<always>always|from now on) (?P<what>[^,;.?!]{3,60})"
        r"|\b(?P<ahead>going forward|from now on|in future|by default),? (?:shall i|should i|do you want me to|"
        r"would you "
        r"like me to|you'd like me to|you want me to) (?P<what2>[^,;.?!]{3,60})",
        re.IGNORECASE,
    )


_PAST = {
    "decide on": "decided on",
    "decide to": "decided to",
    "settle on": "settled on",
    "go with": "went with",
    "choose": "chose",
    "pick": "picked",
    "pay": "paid",
    "send": "sent",
    "finish": "finished",
    "submit": "submitted",
    "hand in": "handed in",
    "book": "booked",
    "order": "ordered",
}


@cache
def _did() -> re.Pattern[str]:
    """ "Did you decide on the studio?": done, if the user says yes."""
    return re.compile(
        rf"\bdid you (?:(?:really|finally|already|actually|in the end|ever) )*(?P<verb>{'|'.join(_PAST)}) "
        r"(?P<what>[^,;.?!]{3,60})\?",
        re.IGNORECASE,
    )


@cache
def _end_of_guess() -> re.Pattern[str]:
    return re.compile(
        r"[,;.?!](?:\s|$)|\s+(?:so|right|is that|shall i|should i|because|and (?:you|would|"
        r"i|he|she|should))\b",
        re.IGNORECASE,
    )
