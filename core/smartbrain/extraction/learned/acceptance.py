"""Whether what rules and classifier found is worth keeping: the odds of a find, weighed by its surroundings.

A rule and the classifier read one clause. What they cannot see there (that the message is an exercise, that two
readings contradict each other, that the value was cut short) is weighed here: a logistic regression over signs that are
either there or not. It learned from finds in labelled utterances of which the classifier had not learned.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from smartbrain.errors import StoreError
from smartbrain.extraction.hits import Hit, Sentence, value_of
from smartbrain.extraction.learned.features import Memo
from smartbrain.extraction.learned.makers import RULE, label_of, type_of
from smartbrain.extraction.learned.signs import meant, talk

_FLOOR: Final = 0.002
_SURE: Final = 0.97
_DOUBT: Final = 0.4
_LONGEST: Final = 8
_ROUNDING: Final = 1e-9
"""More than sums differ by when they are added up in another order."""


class Find(NamedTuple):
    """A hit to be weighed.

    ``share`` is the probability that the classifier gives its class, ``none`` that there is nothing to keep, ``rank``
    the place of its class; ``read`` whether the classifier knows its class and read its clause at all. ``others`` are
    the other hits of its clause, ``clause`` is its folded text. ``near`` is how likely the other clauses of the
    message say something of the same type; ``whole`` whether the value begins and ends where a word does.
    """

    hit: Hit
    sentence: Sentence
    clause: str
    share: float
    none: float
    rank: int
    read: bool
    others: Sequence[Hit] = ()
    near: float = 0.0
    whole: tuple[bool, bool] = (True, True)


class Likely(NamedTuple):
    """A class that the classifier reads in a clause, before its value is read; all else as in ``Find``.

    Of ``others`` none is of this class.
    """

    sentence: Sentence
    clause: str
    label: str
    share: float
    none: float
    rank: int
    near: float
    others: Sequence[Hit] = ()


Part = tuple[Callable[..., list[str]], *tuple[Any, ...]]
"""Some of the signs of a find: what names them, and of what."""


def signs(find: Find) -> list[str]:
    """What is to be seen of a find, as names."""
    return [name for make, *seen in _parts(find) for name in make(*seen)]


def _parts(find: Find) -> list[Part]:
    """What is to be seen of a find, in parts that come again and again, so that most are weighed only once."""
    hit = find.hit
    learned = hit.rule.startswith(f"{RULE}.")
    by = "learned" if learned else "rule"
    label = label_of(hit)
    kind = type_of(label) if learned else hit.type
    return [
        (_of_label, by, label),
        *_of_surroundings(find.sentence, find.clause, by, kind, find.share, find.none),
        (_of_place, find.rank, find.read, _step(find.near) // 2, by),
        (_of_cut, find.whole, by),
        (_of_rule, "" if learned else hit.rule, hit.confidence),
        *_of_value(find, kind),
        (_of_others, tuple(_beside(other, find, label) for other in find.others), by),
    ]


def _of_surroundings(sentence: Sentence, clause: str, by: str, kind: str, share: float, none: float) -> list[Part]:
    message = sentence.message.text
    return [
        (_of_kind, by, kind, "zh" if _han().search(clause) else "en"),
        (_of_share, _step(share), _step(none), by, kind),
        (_of_meanings, _meanings(clause), kind),
        (_of_talk, _kinds_of_talk(message), by, kind),
        (_of_length, min(len(message) // 60, 8), min(message.count("\n"), 3)),
        (_of_neighbours, *(one and _kinds_of_talk(one) for one in (sentence.before, sentence.after))),
    ]


def _step(p: float) -> int:
    p = min(max(p, _FLOOR), 1 - _FLOOR)
    return round(math.log(p / (1 - p)))


def _of_kind(by: str, kind: str, lang: str) -> list[str]:
    return ["bias", by, f"{by} {kind}", f"{by} {lang}", f"{kind} {lang}"]


def _of_label(by: str, label: str) -> list[str]:
    return [f"{by} {label}", f"label {label}"]


def _of_share(share: int, none: int, by: str, kind: str) -> list[str]:
    # Steps add up: a find at p = 0.9 has the signs of all lower ones, so that neighbours share what they learned.
    found = [f"share>{at} {by}" for at in range(-6, share + 1)]
    found += [f"none>{at} {by}" for at in range(-6, none + 1)]
    return [*found, f"share {share} {kind} {by}", f"none {none} {kind} {by}"]


def _of_place(rank: int, read: bool, near: int, by: str) -> list[str]:
    return [f"rank {rank} {by}", f"read {read} {by}", f"near {near} {by}"]


def _of_cut(whole: tuple[bool, bool], by: str) -> list[str]:
    return [f"cut {side} {by}" for side, is_whole in zip(("left", "right"), whole, strict=True) if not is_whole]


def _of_rule(rule: str, confidence: float) -> list[str]:
    return [f"of {rule}", f"of {rule} {confidence:.2f}"] if rule else []


def _of_value(find: Find, kind: str) -> list[Part]:
    hit = find.hit
    value = value_of(hit)
    size = len(value.split()) if value.isascii() else len(value) // 2
    folded = value.casefold()
    seen = (
        folded != "" and find.clause.rstrip(" .!").endswith(folded),
        folded != "" and find.clause.startswith(folded),
        _digit().search(value) is not None,
    )
    parts: list[Part] = [(_of_words, min(size, _LONGEST), hit.retract, kind, *seen)]
    if hit.type == "events":
        parts.append((_as_told, "undated" if ":undated:" in hit.key else "dated"))
    if hit.type == "tasks":
        parts.append((_as_told, f"status {hit.value.get('status')} {'due' if hit.value.get('due') else ''}"))
    if hit.type == "profile":
        subject = hit.key.removeprefix("profile:")
        parts.append(
            (_as_told, f"of {'user' if subject == 'user' else 'kin' if subject.startswith('user_') else 'named'}")
        )
    return parts


def _of_words(size: int, retract: bool, kind: str, ends: bool, starts: bool, digit: bool) -> list[str]:
    found = [f"size {size} {kind}", f"retract {retract} {kind}"]
    seen = (("to the end", ends), ("from the start", starts), ("digit", digit))
    return found + [f"{name} {kind}" for name, is_so in seen if is_so]


def _as_told(name: str) -> list[str]:
    return [name]


def _beside(other: Hit, find: Find, label: str) -> tuple[str, ...]:
    """What another hit of the clause is to a find."""
    if other.skipped:
        return ("skipped",)
    if label_of(other) == label:
        return "same", f"same key {other.key == find.hit.key}"
    return "learned" if other.rule.startswith(RULE) else "rule", f"type {other.type == find.hit.type}"


_OTHER: Final = ("rule",)
"""What a rule's hit of another class is to a find of the classifier, whatever its type."""


def _of_others(others: tuple[tuple[str, ...], ...], by: str) -> list[str]:
    return [f"beside {name} {by}" for names in others for name in names] or [f"alone {by}"]


def _of_meanings(names: Sequence[str], kind: str) -> list[str]:
    return [sign for name in names for sign in (f"c {name}", f"c {name} {kind}")]


def _of_talk(names: Sequence[str], by: str, kind: str) -> list[str]:
    return [sign for name in names for sign in (f"m {name}", f"m {name} {by}", f"m {name} {kind}")]


def _of_length(long: int, lines: int) -> list[str]:
    return [f"long {long}", f"lines {lines}"]


def _of_neighbours(before: tuple[str, ...] | str, after: tuple[str, ...] | str) -> list[str]:
    """The kinds of talk before and after a sentence; "" where there is none."""
    found = ["first"] if before == "" else [f"before {name}" for name in before]
    return found + (["last"] if after == "" else [f"after {name}" for name in after])


@lru_cache(maxsize=64)  # asked again for each likely class of a clause
def _meanings(clause: str) -> tuple[str, ...]:
    return tuple(meant().found_in(clause))


@lru_cache(maxsize=64)  # asked again for each find of a message
def _kinds_of_talk(text: str) -> tuple[str, ...]:
    return tuple(talk().found_in(text.lower()))


@cache
def _han() -> re.Pattern[str]:
    return re.compile("[\u3400-\u9fff]")


@cache
def _digit() -> re.Pattern[str]:
    return re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Weights of signs; the odds from which a find of the classifier is kept (``keep``; ``sure`` where it is all but
    certain), and one of a rule (``stand``)."""

    weights: Mapping[str, float]
    keep: float
    sure: float
    stand: float
    _known: Memo[Part, float] = field(init=False, repr=False, compare=False)
    _most: Memo[str, float] = field(init=False, repr=False, compare=False)
    _beside: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", Memo(self._weigh))
        object.__setattr__(self, "_most", Memo(self._best))
        alike = (self.weights.get(f"beside type {alike} learned", 0.0) for alike in (False, True))
        object.__setattr__(self, "_beside", max(alike))

    def odds(self, find: Find) -> float:
        """The probability that a find is worth keeping."""
        return 1 / (1 + math.exp(-sum(map(self._known.__getitem__, _parts(find)))))

    def _weigh(self, part: Part) -> float:
        make, *seen = part
        return sum(self.weights.get(name, 0.0) for name in make(*seen))

    def ceiling(self, likely: Likely) -> float:
        """What the odds of a class can be at most, whatever its value is.

        To read a value costs far more than to see that most classes could not be kept with any.
        """
        kind = type_of(likely.label)
        parts: list[Part] = [
            (_of_label, "learned", likely.label),
            *_of_surroundings(likely.sentence, likely.clause, "learned", kind, likely.share, likely.none),
            (_of_place, likely.rank, True, _step(likely.near) // 2, "learned"),
            (_of_others, tuple(("skipped",) if other.skipped else _OTHER for other in likely.others), "learned"),
        ]
        most = self._most[kind] + sum(self._beside for other in likely.others if not other.skipped)
        return _ROUNDING + 1 / (1 + math.exp(-sum(map(self._known.__getitem__, parts)) - most))

    def _best(self, kind: str) -> float:
        """The most that the value of a find of the classifier can add to what speaks for it."""
        told = [*(name for name in self.weights if name.startswith("status "))]
        either = [
            [f"size {size} {kind}" for size in range(_LONGEST + 1)],
            [f"retract {retract} {kind}" for retract in (False, True)],
            *([name] for name in _of_words(0, False, kind, True, True, True)[2:]),
            *([name] for name in _of_cut((False, False), "learned")),
            ["dated", "undated"],
            told,
            ["of user", "of kin", "of named"],
        ]
        return sum(max(0.0, *(self.weights.get(name, 0.0) for name in names), 0.0) for names in either)

    def bar_of_class(self, share: float) -> float:
        """The odds from which what the classifier alone found is kept."""
        return self.sure if share >= _SURE else self.keep

    def bar(self, hit: Hit, *, share: float, none: float) -> float:
        """The odds from which a find is kept; ``share`` and ``none`` as in ``Find``.

        Where the classifier is all but certain less has to speak for it, and a rule's find stands unless the classifier
        doubts that there is anything to keep; of tasks nothing stands where it is certain that there is none.
        """
        if hit.rule.startswith(f"{RULE}."):
            return self.bar_of_class(share)
        if none < _DOUBT:
            return 0.0
        if hit.type == "tasks" and none >= _SURE:
            return 1.0
        if label_of(hit) in ("like", "dislike"):
            return 0.0  # "I like it" is meant in talk; labelled utterances hold far more irony than people do
        return self.stand

    @classmethod
    def load(cls, path: Path) -> Acceptance:
        """The weights of a file. Raises StoreError if there are none."""
        try:
            told = json.loads(path.read_text("utf-8"))
            return cls(
                {str(name): float(weight) for name, weight in told["weights"].items()},
                float(told["keep"]),
                float(told["sure"]),
                float(told["stand"]),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"cannot read the weights of acceptance {path}: {error}") from error


@cache
def bundled() -> Acceptance:
    """The weights that are shipped; read once."""
    return Acceptance.load(Path(__file__).with_name("data") / "acceptance.json")
