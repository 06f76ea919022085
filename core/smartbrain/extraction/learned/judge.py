"""What the clause classifier adds to the rules' hits of a message, and which of both are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from smartbrain.extraction._zh_text import fold_in_place
from smartbrain.extraction.hits import QUOTED, Hit, Sentence, value_of
from smartbrain.extraction.learned import acceptance as acceptances
from smartbrain.extraction.learned import model as models
from smartbrain.extraction.learned.acceptance import Acceptance, Find, Likely
from smartbrain.extraction.learned.features import Said
from smartbrain.extraction.learned.makers import RULE, Told, clean, label_of, made, type_of
from smartbrain.extraction.learned.model import NOTHING, ClauseModel, Guess
from smartbrain.extraction.learned.numbering import Asked
from smartbrain.extraction.learned.people import subject_of
from smartbrain.extraction.learned.personal import personal
from smartbrain.extraction.learned.pieces import Piece, pieces
from smartbrain.extraction.mending import mended, one_choice
from smartbrain.extraction.reasons import UNDECIDED, UNNAMED
from smartbrain.extraction.suspicion import RULE as CUE

Doubt = Callable[[Sentence, tuple[int, int], str], str]
Read = Sequence[tuple[Sentence, Sequence[Hit]]]
"""The sentences of a message, each with the rules' hits."""
_LIKELY: Final = 0.5
"""The probability from which a class that is not kept is told with its reason."""
_CERTAIN: Final = 0.9
"""The probability from which a class stands instead of what a rule read as another of the same type."""


_UNKNOWN: Final = 9
"""The rank of a class that the classifier does not know."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """One clause of the ``at``-th sentence with what the model says of it."""

    at: int
    sentence: Sentence
    piece: Piece
    before: str
    said: Said
    guess: Guess


def judged(
    read: Read, doubt: Doubt, *, model: ClauseModel | None = None, accept: Acceptance | None = None
) -> list[list[Hit]]:
    """The hits of each sentence of a message after the classifier (default: the bundled one) has read its clauses."""
    accept, model = accept or acceptances.bundled(), model or models.bundled()
    found = [list(hits) for _, hits in read]
    for at, find in finds(read, doubt, model=model, accept=accept):
        odds = accept.odds(find)
        if odds < accept.bar(find.hit, share=find.share, none=find.none):
            why = f"too little speaks for it, p={odds:.2f}"
            if not _learned(find.hit):
                found[at] = [replace(hit, skipped=why) if hit is find.hit else hit for hit in found[at]]
            elif find.share >= _LIKELY and not found[at]:
                found[at] = [replace(find.hit, confidence=round(find.share, 3), skipped=why)]
        elif _learned(find.hit) and not _told(find.hit, found[at]):
            found[at] = [hit for hit in found[at] if not _open(hit) and not _unsaid(hit, find)]
            because = f"{_grounds(find, model)}; with what stands around it p={odds:.2f}"
            found[at].append(replace(find.hit, confidence=round(max(odds, find.share), 3), because=because))
    return one_choice(found)


def finds(
    read: Read, doubt: Doubt, *, model: ClauseModel | None = None, accept: Acceptance | None = None
) -> list[tuple[int, Find]]:
    """What rules and classifier found in a message, rules first, each with the place of its sentence.

    With ``accept`` only what can still be judged otherwise: a rule's find that stands whatever is seen around it, as
    most do, is left out, because to look around costs more than all else.
    """
    model = model or models.bundled()
    clauses = _clauses(read, model)
    seen: list[Hit] = []
    found: list[tuple[int, Find]] = []
    for clause in clauses:
        here = [hit for hit in read[clause.at][1] if _overlap(hit, clause.piece)]
        if any(hit.back or (hit.skipped and not _open(hit)) for hit in here):
            continue
        kept = [hit for hit in here if not hit.skipped]
        likely = _likely(clause, kept)
        if accept is not None and all(_stands(hit, clause.guess, accept) for hit in kept):
            told = _LIKELY if not read[clause.at][1] else 2.0  # from where it would get a verdict
            likely = [one for one in likely if one[1] >= told or not _hopeless(clause, one[0], here, clauses, accept)]
        mine = list(_proposed(clause, likely, model, doubt, kept))
        for hit in (*kept, *mine):
            if not any(hit is one for one in seen):
                seen.append(hit)
                if accept is None or _learned(hit) or not _stands(hit, clause.guess, accept):
                    likeliest = [] if _learned(hit) else mine[:1]
                    others = [other for other in (*here, *likeliest) if other is not hit]
                    found.append((clause.at, _find(clause, hit, others, clauses)))
    return sorted(found, key=lambda one: _learned(one[1].hit))


def _stands(hit: Hit, guess: Guess, accept: Acceptance) -> bool:
    """Whether a rule's hit is kept, whatever is to be seen of it."""
    return accept.bar(hit, share=0.0, none=guess.none) <= 0


def _hopeless(clause: _Clause, label: str, here: Sequence[Hit], clauses: Sequence[_Clause], accept: Acceptance) -> bool:
    """Whether a class of a clause could not be kept beside the rules' hits ``here``, whatever its value is."""
    guess = clause.guess
    share = guess.share(label) or 0.0
    rank = guess.rank(share)
    kinds = {type_of(label)} | ({"profile"} if label in ("like", "dislike") else set())  # of somebody else
    return all(
        accept.ceiling(Likely(clause.sentence, clause.piece.text, label, share, guess.none, rank, near, here))
        < accept.bar_of_class(share)
        for near in {_near(clause, kind, clauses) for kind in kinds}
    )


def _clauses(read: Read, model: ClauseModel) -> list[_Clause]:
    looked = [(at, *one) for at, (sentence, hits) in enumerate(read) for one in _worth_a_look(sentence, hits, model)]
    guesses = model.guesses([Asked(said, piece.text, piece.asks, piece.capitals) for _, piece, _, said in looked])
    return [
        _Clause(at, read[at][0], piece, before, said, guess)
        for (at, piece, before, said), guess in zip(looked, guesses, strict=True)
    ]


def _worth_a_look(sentence: Sentence, hits: Sequence[Hit], model: ClauseModel) -> Iterator[tuple[Piece, str, Said]]:
    """The clauses that the classifier may have something to say of, each with the words before it and its own."""
    kept = [hit for hit in hits if not hit.skipped]
    before = ""
    for piece in pieces(sentence):
        said = model.read(piece.text)
        if said and (model.worth(said) or any(_overlap(hit, piece) for hit in kept)):
            yield piece, before, said
        before = piece.text


def _overlap(hit: Hit, piece: Piece) -> bool:
    return hit.span[0] < piece.end and piece.start < hit.span[1]


def _open(hit: Hit) -> bool:
    """Whether a rule only had nothing to say: nothing speaks against what the classifier reads."""
    return bool(hit.skipped) and (hit.rule == CUE or hit.skipped in (UNNAMED, UNDECIDED))


def _learned(hit: Hit) -> bool:
    return hit.rule.startswith(f"{RULE}.")


def _told(new: Hit, found: Sequence[Hit]) -> bool:
    """Whether something that stands says as much; of one sentence an event of a kind is told once."""
    return any(_same_choice(hit, new) for hit in found) or any(
        (hit.key == new.key or hit.type == "events")
        and label_of(hit) == label_of(new)
        and (hit.value.get("polarity") == new.value.get("polarity") or hit.value.get("polarity") == "like")
        and not hit.skipped
        for hit in found
    )


def _same_choice(hit: Hit, new: Hit) -> bool:
    """Whether a rule reads the same words as the choice of another slot: pnpm is no framework beside that."""
    return (
        hit.type == new.type == "preferences"
        and not hit.skipped
        and not _learned(hit)
        and _overlaps(hit.span, new.span)
        and hit.value.get("value") == new.value.get("value")
    )


def _overlaps(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _grounds(find: Find, model: ClauseModel) -> str:
    label = find.hit.rule.removeprefix(f"{RULE}.")
    words = model.grounds(model.read(find.clause), label)
    return f"the classifier reads {label}, p={find.share:.2f}" + (f", by “{words}”" if words else "")


def _unsaid(hit: Hit, find: Find) -> bool:
    """Whether a rule's hit is another reading of the words of which the classifier is certain."""
    if hit.skipped or _learned(hit) or not any(hit is other for other in find.others):
        return False
    return find.share >= _CERTAIN and hit.type == find.hit.type and not find.hit.retract


_NAMING: Final = frozenset(("role", "name", "nickname", "home", "hometown", "employer", "school", "age", "pet", "dec"))


@cache
def _not_so() -> re.Pattern[str]:
    """ "… , not a pastry chef": what is said not to be so."""
    return re.compile(r"not (?:an?|the|in|at|from|on|my|our)\b")


def _whoever(label: str, piece: Piece) -> str:
    """ "You can skip the disclaimer" is the user's wish, and what "they" stole was the user's."""
    wish = label.startswith(("w.", "u.")) and _you().match(piece.text)
    return "user" if wish or (label in _DONE_TO_ONE and _somebody().match(piece.text)) else ""


_DONE_TO_ONE: Final = frozenset(("e.engagement", "e.breakup", "e.theft", "e.layoff", "e.promotion"))


@cache
def _you() -> re.Pattern[str]:
    return re.compile(r"you(?:r| can| may| should| needn't| don't have to)\b")


@cache
def _somebody() -> re.Pattern[str]:
    return re.compile(r"(?:he|she|they|someone|somebody)\b")


def _find(clause: _Clause, hit: Hit, others: Sequence[Hit], clauses: Sequence[_Clause]) -> Find:
    known = clause.guess.share(label_of(hit))
    share = known or 0.0
    return Find(
        hit=hit,
        sentence=clause.sentence,
        clause=clause.piece.text,
        share=share,
        none=clause.guess.none,
        rank=clause.guess.rank(share) if known is not None else _UNKNOWN,
        read=known is not None,
        others=others,
        near=_near(clause, hit.type, clauses),
        whole=_whole(clause, value_of(hit)),
    )


def _near(clause: _Clause, kind: str, clauses: Sequence[_Clause]) -> float:
    return max((_of_type(one, kind) for one in clauses if one is not clause), default=0.0)


def _of_type(clause: _Clause, kind: str) -> float:
    return clause.guess.p if clause.guess.label != NOTHING and type_of(clause.guess.label) == kind else 0.0


def _whole(clause: _Clause, value: str) -> tuple[bool, bool]:
    """Whether a value begins and ends where a word of its clause does; said to be so where it does not stand there."""
    start = clause.piece.text.find(fold_in_place(value)) if value else -1
    if start < 0:
        return True, True
    end = start + len(value)
    words = list(zip(clause.said.starts, clause.said.ends, strict=True))
    return not any(a < start < b for a, b in words), not any(a < end < b for a, b in words)


def _likely(clause: _Clause, kept: Sequence[Hit]) -> list[tuple[str, float]]:
    """The likely classes that no rule reads here, the likeliest first: one clause may tell two things."""
    if not clause.guess.likely:
        return []
    told = {label_of(hit) for hit in kept}
    return [(label, p) for label, p in clause.guess.likely if label not in told]


def _proposed(
    clause: _Clause, likely: Sequence[tuple[str, float]], model: ClauseModel, doubt: Doubt, kept: Sequence[Hit]
) -> Iterator[Hit]:
    """The hits of likely classes."""
    for label, p in likely:
        new = _new(clause, label, p, model, doubt)
        if new is not None and not (kept and (new.retract or label_of(new).startswith("x."))):
            yield new  # to take back what a rule would keep is more than a guess may do


def _kind(label: str) -> str:
    """What the guards know a class as: how one is called others may say."""
    return label if label == "nickname" else type_of(label)


def _new(clause: _Clause, label: str, p: float, model: ClauseModel, doubt: Doubt) -> Hit | None:
    sentence, piece, guess = clause.sentence, clause.piece, clause.guess
    span = (piece.start, piece.end)
    if QUOTED in sentence.plain[slice(*span)] or doubt(sentence, span, _kind(label)):
        return None
    if label in _NAMING and _not_so().match(piece.text):
        return None
    if not personal(type_of(label), label, piece.text, sentence.message.text):
        return None
    subject = subject_of(sentence, piece, label) or _whoever(label, piece)
    if not subject:
        return None
    start, end = model.value(clause.said, piece.text, label)
    value = clean(sentence.text[piece.start + start : piece.start + end])
    hit = made(Told(sentence, piece, label, guess.against >= 0.5, value, subject, clause.before, p))
    if hit is None:
        return None
    (hit,) = mended(sentence, [hit])
    return None if hit.skipped else hit
