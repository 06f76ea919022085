"""Rules for Chinese, simplified and traditional: what a sentence tells, asks to keep, decides, plans and takes back."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.extraction import _zh_corrections, _zh_events, _zh_guards, _zh_preferences, _zh_profile, _zh_work
from smartbrain.extraction._zh_text import View, fold_in_place, softly_cut, view_of
from smartbrain.extraction.hits import Hit, Sentence

_LONGEST_CLAUSE = 80


def find(sentence: Sentence) -> list[Hit]:
    """The hits of one sentence, guard-stopped ones included, in order."""
    view = view_of(sentence)
    if any(len(clause.text) > _LONGEST_CLAUSE for clause in view.clauses):
        view = View(sentence, view.text, [clause for clause in view.clauses if len(clause.text) <= _LONGEST_CLAUSE])
    if not view.clauses:
        return []
    backward = _zh_corrections.corrections(view)
    hits = [*_told(view), *_zh_corrections.aliases(view)]
    hits += _unpunctuated(view, hits)
    if not hits and _zh_corrections.asks_to_remember(view):
        hits = _zh_corrections.remembered(view)
    if not view.sentence.before and any(hit.back == "corrected" for hit in backward):
        hits = [
            hit for hit in hits if hit.type != "profile"
        ]  # "no, fourth grade": of whom is said in the message before
    said = [hit.span[1] for hit in hits if not hit.skipped]
    if said:  # "I live in Hangzhou, no, in Huzhou": what is put right stands before the words that do so
        backward = [hit for hit in backward if hit.back != "corrected" or hit.span[0] >= max(said)]
    return sorted(hits, key=lambda hit: hit.span) + backward


def _unpunctuated(view: View, hits: list[Hit]) -> list[Hit]:
    """What clauses tell that nothing was found in, once they are cut where a writer in a hurry left out the comma."""
    found = frozenset(hit.span for hit in hits)
    pieces = softly_cut(view, found)
    if pieces is None:
        return []
    known = {hit.key for hit in hits}
    return [hit for hit in _told(pieces) if not hit.skipped and (hit.type == "profile" or hit.key not in known)]


def _told(view: View) -> list[Hit]:
    """Facts, preferences, events and work; what one of them tells of a clause no later one tells again."""
    preferences = _zh_preferences.find(view)
    facts = [hit for hit in _zh_profile.find(view) if not (hit.skipped and _kept_at(hit, preferences))]
    events = [hit for hit in _zh_events.find(view) if not _kept_at(hit, preferences)]
    settled = {hit.span for hit in facts if not hit.skipped}
    events = [hit for hit in events if not (hit.span in settled and hit.rule in _TOLD_BY_FACTS)]
    said = [*preferences, *facts, *events]
    taken = frozenset(
        index
        for index, clause in enumerate(view.clauses)
        if clause.span in view.read
        or any(not hit.skipped and hit.span == clause.span and hit.rule not in _LEAVE_ROOM for hit in said)
    )
    hits = [*said, *_zh_work.find(view, taken)]
    return _without_echoes(hits)


# Where the new home or employer itself is told, the change is no more than that.
_TOLD_BY_FACTS = frozenset(("event_new_job", "event_move"))
_LEAVE_ROOM = frozenset(("age", "age_bare"))


def _kept_at(hit: Hit, others: list[Hit]) -> bool:
    return any(not other.skipped and other.span == hit.span for other in others)


def _without_echoes(hits: list[Hit]) -> list[Hit]:
    """A stopped reading of a clause says nothing where another reading of it stands; one reason is enough."""
    kept = {hit.span for hit in hits if not hit.skipped}
    seen: set[tuple[int, int]] = set()
    found = []
    for hit in hits:
        if hit.skipped:
            if hit.span in kept or hit.span in seen:
                continue
            seen.add(hit.span)
        found.append(hit)
    return found


def doubt(sentence: Sentence, span: tuple[int, int], kind: str) -> str:
    """Why the words at a span of the sentence may not be kept, whoever found them ("" when nothing speaks against)."""
    view = view_of(sentence)
    for index, clause in enumerate(view.clauses):
        start, end = max(span[0] - clause.start, 0), min(span[1] - clause.start, len(clause.text))
        if start < end:
            reason = _zh_guards.stopped(view, index, start, end, kind)
            if reason:
                return reason
    return ""


def opens_material(sentence: Sentence) -> str:
    """Why what follows in this message is not the user's own words ("" when it is)."""
    return _zh_guards.opens(view_of(sentence).text, sentence.after)


def confirms(text: str) -> bool:
    """Whether a message plainly says yes to the assistant's guess before it."""
    said = fold_in_place(text[:60]).strip()
    match = _yes().match(said)
    # What follows an English "yes" is for the English rules to read: "yes, but not before June".
    return match is not None and (not said.isascii() or match.end() == len(said.rstrip(" .!")))


def as_first_person(text: str) -> str:
    """An assistant's guess about the user in the user's own voice; "" when it is none."""
    folded = fold_in_place(text)
    match = _guess().search(folded)
    if match is None:
        return ""
    rest = _hedges().sub("", text[match.start("rest") : match.end("rest")], count=1)
    return "我" + rest.replace("您", "我").replace("你", "我")


@cache
def _yes() -> re.Pattern[str]:
    return re.compile(
        r"(?:嗯+|哈+|啊|哦|欸|诶)?[,!\s]*(?:对(?![了方不面吗比象于这那你我])(?:的|啊|呀|对|"
        r"没错)*|没错|是的|是啊|是呀|就是(?:这样|的)|正是|确实(?:如此|是)?|完全(?:正确|同意)|"
        r"说(?:得|的)对|你说(?:得|的)(?:很)?对|正确|正解|猜(?:得|的)?(?:对|中)了?|说中了|是这样(?:的|"
        r"子)?|可以这么说|没毛病|嗯嗯+|是(?=[,，])|yes\b|yep\b|exactly|correct|right\b|系啊|"
        r"啱)(?:[,.!。~\s]|$)(?!\s*(?:但|不过|可是|吗|才怪))"
    )


@cache
def _guess() -> re.Pattern[str]:
    return re.compile(
        r"(?:^|[,:。])\s*(?:听(?:起来|上去)|看(?:来|起来|样子|得出来)|感觉|所以|原来|这么说|"
        r"我猜|那|似乎|好像|我理解|也就是说|我注意到|我记得|想必|说明|那么|,)*\s*[你您](?!可以|"
        r"需要|要不要|应该|能|想要我|不妨|试|觉得|说|看|问|提到)(?P<rest>[^?!]{2,60}?)(?:,"
        r"?\s*(?:对吗|对吧|是吗|是吧|对不对|是不是|没错吧|是这样(?:吗|吧|的吗)|这样对吗|要我记(?:住|"
        r"下来?)吗|需要我记(?:住|下来?)吗|我(?:说|理解|猜)(?:得|的)?对吗|吧|吗)?)[?!。.]*$"
    )


@cache
def _hedges() -> re.Pattern[str]:
    return re.compile("^(?:好像|似乎|应该|可能|大概|是不是|也许|看起来|或许|好像是|大概是)+")
