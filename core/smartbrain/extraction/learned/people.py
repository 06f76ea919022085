"""Of whom a clause is: the user, somebody of theirs, or nobody whose facts are kept."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from smartbrain.extraction import _en_subjects, _zh_people
from smartbrain.extraction._en_clauses import Clause, clauses
from smartbrain.extraction._en_words import RELATION
from smartbrain.extraction._zh_text import View, view_of
from smartbrain.extraction.hits import Sentence
from smartbrain.extraction.keys import part
from smartbrain.extraction.learned.pieces import Piece, is_chinese


def subject_of(sentence: Sentence, piece: Piece, label: str = "") -> str:
    """The subject of a clause as in ``profile:<subject>``; "" for nobody known. ``label``: the class it is read as."""
    if is_chinese(sentence):
        return _in_chinese(view_of(sentence), piece, label)
    return _in_english(clauses(sentence), piece)


def _in_chinese(view: View, piece: Piece, label: str) -> str:
    index = next((at for at, one in enumerate(view.clauses) if one.start == piece.start), None)
    if index is None:
        return ""
    who = _zh_people.opening(view, index)
    if who == _zh_people.NOBODY and _of_me(piece.text, label):
        return "user"
    if who is None:
        who = _zh_people.subject(view, index, 0)
        if who == _zh_people.NOBODY and _told_to_you(view, index):
            return "user"
    return who.key if who is not None else ""


def _of_me(text: str, label: str) -> bool:
    """Whether a clause that begins with 你, 大家 or a thing is the user's all the same: 你先说结论, 那个展板在弄了."""
    if label[:2] in ("w.", "c.", "t.", "u.", "o."):
        return _to_you().match(text) is not None
    if label == "nickname":
        return _calls_me().search(text) is not None
    return label in _WORK and _my_work().search(text) is not None


_WORK: Final = ("task", "doing", "done", "blocked", "cancel")


def _told_to_you(view: View, index: int) -> bool:
    """Whether the last somebody before a clause is only the one spoken to: 你帮我盯着点, 十五号要交费."""
    before = (at for at in range(index - 1, -1, -1) if _zh_people.opening(view, at) is not None)
    at = next(before, None)
    text = view.clauses[at].text if at is not None else view.sentence.before
    return _to_you().match(text) is not None


def _in_english(said: list[Clause], piece: Piece) -> str:
    known: list[_en_subjects.Subject] = []
    for at, clause in enumerate(said):
        who = _en_subjects.subject_of(clause, known)
        if clause.start == piece.start:
            if at and _goes_on().match(clause.text):
                return _of_before(said[:at], known)
            if _and_i().match(clause.text) or (who is not None and who.key not in ("user",) and _no_name(clause, who)):
                return "user"
            return who.key if who is not None else _unnamed(clause)
        if who is not None:
            known.append(who)
    return ""


def _of_before(before: list[Clause], known: list[_en_subjects.Subject]) -> str:
    """Of whom a clause without a subject goes on: "my aunt was a codebreaker and | lives in Bletchley", and
    "Theo, | my eldest, | is in year 3"."""
    name = _only_a_name().fullmatch(before[0].text)
    if name and len(before) > 1 and _kin_only().fullmatch(before[1].text):
        return part(name[0])
    if known and known[-1].key != "user":
        return known[-1].key
    return _unnamed(before[-1])


def _no_name(clause: Clause, who: _en_subjects.Subject) -> bool:
    """Whether a word in capitals only begins the sentence: nothing is said of it ("Handed in my notice")."""
    return not who.relation and _says_of().match(clause.text, who.rest) is None


def _unnamed(clause: Clause) -> str:
    if _person_of_mine().match(clause.text):
        return ""
    other = _others().match(clause.text)
    return "" if other is not None and not _me().search(clause.text) else "user"


@cache
def _to_you() -> re.Pattern[str]:
    return re.compile("[^,我他她]{0,8}?[你您]")


@cache
def _calls_me() -> re.Pattern[str]:
    return re.compile("(?:[叫喊称唤]|称呼)我|管我叫")


@cache
def _my_work() -> re.Pattern[str]:
    """ "The client's contract I am still at": a thing comes first, then whose it is."""
    return re.compile("^[那这][个份张篇本件封批套]|我(?:这边|还|已|刚|早|正|都|给|又|也|得|要)")


@cache
def _others() -> re.Pattern[str]:
    """Words with which a clause begins that is of somebody or something else."""
    return re.compile(
        r"(?:he|she|they|you|your|his|her|their|its?|everyone|everybody|people|some(?:one|body)?|a friend|who|"
        r"nobody|most|many|all)\b(?!')|(?:he|she|they)'\w|[A-Z][a-z]+ (?:is|was|has|says?|said|wants?)\b",
    )


@cache
def _person_of_mine() -> re.Pattern[str]:
    """Somebody near the user who is no relation that is kept."""
    return re.compile(
        r"(?:my|our|the) (?:\w+ ){0,2}?(?:lodger|tenant|apprentice|trainee|intern|coach|trainer|carer|cleaner|plumber|"
        r"builder|accountant|lawyer|therapist|dentist|vet|postman|babysitter|nanny|au pair|godson|goddaughter|stepson|"
        r"stepdaughter|ex|ex-wife|ex-husband|captain|guide|driver|vicar|priest|guest|visitor|employee|receptionist)s?"
        r"\b(?: who\b|'s\b| is\b| has\b| was\b| lives?\b| works?\b| can't\b| loves?\b| hates?\b)",
        re.IGNORECASE,
    )


@cache
def _goes_on() -> re.Pattern[str]:
    """A verb in the third person with which a clause begins: it has the subject of the one before."""
    return re.compile(
        r"(?:is|was|has|lives|works|plays|speaks|loves|hates|drives|studies|teaches|runs|owns|collects|keeps|sings|swims)"
        r"\b(?! (?:i|we|it|there|that|this)\b)"
    )


@cache
def _only_a_name() -> re.Pattern[str]:
    return re.compile(r"[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?")


@cache
def _kin_only() -> re.Pattern[str]:
    return re.compile(rf"(?:my|our) (?:\w+ )?(?:eldest|oldest|youngest|{RELATION})", re.IGNORECASE)


@cache
def _me() -> re.Pattern[str]:
    return re.compile(r"\b(?:i|i'm|i've|me|my|we|our|us)\b", re.IGNORECASE)


@cache
def _says_of() -> re.Pattern[str]:
    return re.compile(
        r"(?:is|was|has|had|can't|can|doesn't|isn't|won't|will|got|moved|turned|grew|died|and|'s|"
        r"(?:live|work|love|like|hate|play|speak|studie|teache|drive|take|eat|own|run|need|want|know|come|use)s)\b",
        re.IGNORECASE,
    )


@cache
def _and_i() -> re.Pattern[str]:
    return re.compile(
        r"my [\w ]{2,20} and (?:i|me)\b|(?:mum|mom|dad|mother|father|parents?) (?:of|to)\b", re.IGNORECASE
    )
