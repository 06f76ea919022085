"""What the clause classifier adds to the rules' hits of a sentence, and which of them it stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from smartbrain.extraction.hits import QUOTED, Hit, Sentence
from smartbrain.extraction.learned import model as models
from smartbrain.extraction.learned.features import Said
from smartbrain.extraction.learned.makers import Told, clean, label_of, made, type_of
from smartbrain.extraction.learned.model import NOTHING, Asked, ClauseModel, Guess
from smartbrain.extraction.learned.people import subject_of
from smartbrain.extraction.learned.pieces import Piece, pieces
from smartbrain.extraction.learned.sanity import personal
from smartbrain.extraction.suspicion import RULE as CUE

Doubt = Callable[[Sentence, tuple[int, int], str], str]
TYPES: Final = ("preferences", "profile", "tasks", "goals", "decisions", "events")
"""The types that the classifier knows; what rules find of others it leaves alone."""


@dataclass(frozen=True, slots=True)
class Bars:
    """The probability from which a class is kept (``tastes``: preferences), stands instead of what a rule found, and
    from which "nothing to keep" stops a rule's hit of a type in ``vetoed``.

    Clauses of fewer than ``words`` words must reach ``sure``.
    """

    keep: float = 0.9
    tastes: float = 0.85
    instead: float = 0.9
    veto: float = 0.97
    vetoed: frozenset[str] = frozenset(("tasks",))
    words: int = 4
    sure: float = 0.9


BARS: Final = Bars()


@dataclass(frozen=True, slots=True)
class _Clause:
    """One clause with what the model says of it."""

    sentence: Sentence
    piece: Piece
    before: str
    said: Said
    guess: Guess


def judged(
    read: Sequence[tuple[Sentence, Sequence[Hit]]],
    doubt: Doubt,
    *,
    model: ClauseModel | None = None,
    bars: Bars = BARS,
) -> list[list[Hit]]:
    """The hits of each sentence of a message after the classifier (default: the bundled one) has read its clauses."""
    model = model or models.bundled()
    looked = [(at, *one) for at, (sentence, hits) in enumerate(read) for one in _worth_a_look(sentence, hits, model)]
    guesses = model.guesses([Asked(said, piece.text, piece.asks, piece.capitals) for _, piece, _, said in looked])
    found = [list(hits) for _, hits in read]
    for (at, piece, before, said), guess in zip(looked, guesses, strict=True):
        clause = _Clause(read[at][0], piece, before, said, guess)
        found[at] = _of_clause(clause, found[at], model, doubt, bars)
    return found


def _worth_a_look(sentence: Sentence, hits: Sequence[Hit], model: ClauseModel) -> Iterator[tuple[Piece, str, Said]]:
    """The clauses that the classifier may have something to say of, each with the words before it and its own."""
    kept = [hit for hit in hits if not hit.skipped]
    before = ""
    for piece in pieces(sentence):
        said = model.read(piece.text)
        if said and (model.worth(said) or any(hit.span[0] < piece.end and piece.start < hit.span[1] for hit in kept)):
            yield piece, before, said
        before = piece.text


def _of_clause(clause: _Clause, hits: list[Hit], model: ClauseModel, doubt: Doubt, bars: Bars) -> list[Hit]:
    piece = clause.piece
    here = [hit for hit in hits if hit.span[0] < piece.end and piece.start < hit.span[1]]
    if any(hit.back or (hit.skipped and hit.rule != CUE) for hit in here):
        return hits
    kept = [hit for hit in here if not hit.skipped]
    if not kept:
        bar = bars.tastes if type_of(clause.guess.label) == "preferences" else bars.keep
        new = _new(clause, model, doubt, bars, bar)
        return hits if new is None else [*(hit for hit in hits if hit not in here), new]
    mine = [hit for hit in kept if hit.type in TYPES]
    if not mine:
        return hits
    if clause.guess.none >= bars.veto and all(hit.type in bars.vetoed for hit in mine):
        why = f"the classifier finds nothing to keep, p={clause.guess.none:.2f}"
        return [replace(hit, skipped=why) if hit in mine else hit for hit in hits]
    if any(hit.retract or label_of(hit) == clause.guess.label or label_of(hit).startswith("x.") for hit in mine):
        return hits
    new = _new(clause, model, doubt, bars, bars.instead)
    if new is None or new.retract or label_of(new).startswith("x."):
        return hits  # to take back what a rule would keep is more than a guess may do
    # To have moved is an event, and where to is a fact: neither unsays the other.
    gone = [hit for hit in mine if not (new.type == "events" and hit.type == "profile")]
    return [*(hit for hit in hits if hit not in gone), new]


def _new(clause: _Clause, model: ClauseModel, doubt: Doubt, bars: Bars, bar: float) -> Hit | None:
    sentence, piece, guess = clause.sentence, clause.piece, clause.guess
    if guess.label == NOTHING or guess.p < (max(bar, bars.sure) if len(clause.said) < bars.words else bar):
        return None
    span = (piece.start, piece.end)
    if QUOTED in sentence.plain[slice(*span)] or doubt(sentence, span, type_of(guess.label)):
        return None
    if not personal(type_of(guess.label), guess.label, piece.text, sentence.message.text):
        return None
    subject = subject_of(sentence, piece)
    if not subject:
        return None
    start, end = model.value(clause.said, piece.text, guess.label)
    value = clean(sentence.text[piece.start + start : piece.start + end])
    hit = made(Told(sentence, piece, guess.label, guess.against >= 0.5, value, subject, clause.before, guess.p))
    if hit is None:
        return None
    words = model.grounds(clause.said, guess.label)
    because = f"the classifier reads {guess.label}, p={guess.p:.2f}" + (f", by “{words}”" if words else "")
    return replace(hit, because=because)
