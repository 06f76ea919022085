"""Whether a pattern can be read in exponentially many ways: then a text that fails hangs ``re`` for ever.

Source: A. Weber, H. Seidl, On the degree of ambiguity of finite automata, Theoretical Computer Science 88 (1991). An
automaton is exponentially ambiguous if and only if some state comes back to itself over one text in two ways (their
criterion EDA). The automaton is Glushkov's: a state is a place of the pattern where one character is read; what may
follow a place is kept with the number of ways, so that ``(?:a?|b?)*``, which passes over nothing in two ways, counts.

States that come back to themselves stand in a repeat without bound, so each outermost one is looked at alone; one with
more than three turns counts as without bound. Where more is read than ``re`` reads, the answer errs towards "ambiguous":

- look-arounds, word boundaries and the starts of lines forbid nothing; what a look-around holds is analysed by itself;
- a reference to a group reads any text;
- of each class stand the characters that the patterns name, the ends of their ranges, and one of each common kind.

An atomic group or possessive repeat has one way at most through each text, from where it begins: two ways that enter it
together do not part before both are past it, nor may they part in whether they leave it. So two ways of the repeat
around it must part outside of it, and ``(?>ab|a|b)*`` has one way: each turn is certain. They may still come together
within it, having entered it apart. What an atomic group holds is analysed by itself, too, as it is tried by itself.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from re import _compiler, _parser  # type: ignore[attr-defined] # those that make the patterns
from typing import Any, Final, TypeVar

_KINDS: Final = "a0 _,.!中Zé\n\t'-😀。、"
"""One character at least of each kind that patterns tell apart without naming it."""
_REPEATED_GROUP: Final = re.compile(r"\)\s*[*+{]")
"""A repeat of one character has one way through each text."""
_VERY_FEW: Final = 3
_FEW: Final = 5
_SHORT: Final = 10
_NAMED_RANGE: Final = 128
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_READS: Final = ("LITERAL", "NOT_LITERAL", "ANY", "IN", "GROUPREF", "GROUPREF_IGNORE")
_ATOMIC: Final = ("ATOMIC_GROUP", "POSSESSIVE_REPEAT")
_UNKNOWN: Final = "?"

Parts = Sequence[tuple[Any, Any]]
_Key = TypeVar("_Key")
_First = Counter[tuple[int, int]]
"""Places that may be read first, each with the atomic group that is entered by it (0: none), and in how many ways."""
_Net = tuple[int, _First, Counter[int]]
"""In how many ways (0, 1, 2: more) a part reads nothing, what it may read first, and what last."""


def pump(pattern: str | bytes, flags: int = 0) -> str | None:
    """A text that at each repetition multiplies the ways in which the pattern reads it; None where there is none."""
    if not _REPEATED_GROUP.search(pattern if isinstance(pattern, str) else pattern.decode("latin-1")):
        return None
    tree = _parser.parse(pattern, flags)
    for loop, its_flags in _loops(tree, tree.state.flags):
        key = repr(loop), its_flags  # the patterns of a room share many loops
        if key not in _known_pumps:
            _known_pumps[key] = _Automaton(loop, its_flags).pump()
        if _known_pumps[key] is not None:
            return _known_pumps[key]
    return None


_known_pumps: Final[dict[tuple[str, int], str | None]] = {}
_known_reads: Final[dict[tuple[str, str, int], re.Pattern[str]]] = {}


def _loops(parts: Parts, flags: int) -> Iterator[tuple[Parts, int]]:
    """The bodies of the outermost repeats without bound, and of those in what is tried by itself; with their flags."""
    for operation, argument in parts:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT") and _endless(argument):
            if len(argument[2]) > 1 or str(argument[2][0][0]) not in _READS:
                yield argument[2], flags
                yield from _loops_alone(argument[2], flags)
        else:
            for inner, its_flags in _inner(name, argument, flags):
                yield from _loops(inner, its_flags)


def _loops_alone(parts: Parts, flags: int) -> Iterator[tuple[Parts, int]]:
    """The loops in the look-arounds, atomic groups and possessive repeats of a loop."""
    for operation, argument in parts:
        name = str(operation)
        deeper = _loops if name in (*_ATOMIC, "ASSERT", "ASSERT_NOT") else _loops_alone
        for inner, its_flags in _inner(name, argument, flags):
            yield from deeper(inner, its_flags)


def _inner(name: str, argument: Any, flags: int) -> Iterator[tuple[Parts, int]]:
    """The sequences that a part is made of."""
    if name in _REPEATS:
        yield argument[2], flags
    elif name == "SUBPATTERN":
        yield argument[3], (flags | argument[1]) & ~argument[2]
    elif name == "BRANCH":
        for branch in argument[1]:
            yield branch, flags
    elif name in ("ASSERT", "ASSERT_NOT"):
        yield argument[1], flags
    elif name == "ATOMIC_GROUP":
        yield argument, flags
    elif name == "GROUPREF_EXISTS":
        for branch in argument[1:]:
            if branch is not None:
                yield branch, flags


def _endless(repeat: Any) -> bool:
    """Whether a repeat counts as without bound: what has few turns, and short ones unless very few, is written out."""
    _, most, body = repeat
    return most is _parser.MAXREPEAT or most > (_FEW if body.getwidth()[1] <= _SHORT else _VERY_FEW)


class _Automaton:
    """The places of a repeat without bound, and what may follow each, in how many ways."""

    def __init__(self, body: Parts, flags: int) -> None:
        self._letters: list[frozenset[str]] = []
        self._follow: defaultdict[int, _First] = defaultdict(Counter)
        self._choices: defaultdict[int, _First] = defaultdict(Counter)
        self._depth = self._groups = 0
        self._alphabet = set(_KINDS).union(_named(body))
        self._repeated(self._sequence(body, flags), 0)

    def _sequence(self, parts: Parts, flags: int) -> _Net:
        null, first, last = 1, _First(), Counter[int]()
        for operation, argument in parts:
            more = self._part(str(operation), argument, flags)
            null, first, last = self._joined((null, first, last), more)
        return null, first, last

    def _joined(self, one: _Net, other: _Net) -> _Net:
        self._link(one[2], other[1])
        first = one[1] + _times(other[1], one[0])
        return min(one[0] * other[0], 2), first, _times(one[2], other[0]) + other[2]

    def _link(self, last: Counter[int], first: _First) -> None:
        for place, ways in last.items():
            follow = self._follow[place]
            for entry, more in first.items():
                follow[entry] += ways * more
                if not self._depth:
                    self._choices[place][entry] += ways * more

    def _part(self, name: str, argument: Any, flags: int) -> _Net:
        if name in _READS:
            return self._read(name, argument, flags)
        if name == "ATOMIC_GROUP":
            return self._atomic([(_parser.SUBPATTERN, (None, 0, 0, argument))], flags)
        if name == "POSSESSIVE_REPEAT":
            return self._atomic([(_parser.MAX_REPEAT, argument)], flags)
        if name in _REPEATS:
            return self._repeat(argument, flags)
        if name == "AT":
            ends = argument is _parser.AT_END_STRING or (argument is _parser.AT_END and not flags & re.MULTILINE)
            return (0 if ends else 1), _First(), Counter()
        if name in ("ASSERT", "ASSERT_NOT"):
            return 1, _First(), Counter()
        null, first, last = int(name == "GROUPREF_EXISTS" and argument[2] is None), _First(), Counter[int]()
        for inner, its_flags in _inner(name, argument, flags):
            more = self._sequence(inner, its_flags)
            null, first, last = min(null + more[0], 2), first + more[1], last + more[2]
        return null, first, last

    def _read(self, name: str, argument: Any, flags: int) -> _Net:
        place = len(self._letters)
        self._letters.append(self._characters(name, argument, flags))
        reads = 0, _First({(place, 0): 1}), Counter({place: 1})
        return self._repeated(reads, 0) if name.startswith("GROUPREF") else reads

    def _repeat(self, argument: Any, flags: int) -> _Net:
        least, most, body = argument
        if _endless(argument):
            return self._repeated(self._sequence(body, flags), least)
        whole: _Net = (1, _First(), Counter())
        for turn in reversed(range(most)):  # each turn may be taken only after the one before: (?:b(?:b(?:b)?)?)?
            null, first, last = self._joined(self._sequence(body, flags), whole)
            whole = (1 if turn >= least else null), first, last
        return whole

    def _repeated(self, turn: _Net, least: int) -> _Net:
        self._link(turn[2], turn[1])
        return (min(turn[0], 1) if least else 1), turn[1], turn[2]

    def _atomic(self, body: Parts, flags: int) -> _Net:
        """One way at most: the ways within are no choice, and those of entering it are one."""
        self._depth += 1
        null, first, last = self._sequence(body, flags)
        self._depth -= 1
        if self._depth:
            return min(null, 1), first, last
        self._groups += 1
        return min(null, 1), _First({(place, self._groups): 1 for place, _ in first}), Counter(dict.fromkeys(last, 1))

    def _characters(self, name: str, argument: Any, flags: int) -> frozenset[str]:
        if name.startswith("GROUPREF"):
            return frozenset(self._alphabet)
        key = name, repr(argument), flags
        if key not in _known_reads:
            state = _parser.State()
            state.flags = flags
            _known_reads[key] = _compiler.compile(_parser.SubPattern(state, [(getattr(_parser, name), argument)]))
        return frozenset(filter(_known_reads[key].fullmatch, self._alphabet))

    def pump(self) -> str | None:
        """A text that comes back from a place to it in two ways."""
        for places in self._circles():
            found = self._pump_within(frozenset(places))
            if found is not None:
                return found
        return None

    def _circles(self) -> Iterator[list[int]]:
        """The strongly connected components (R. Tarjan, 1972) that have a way from a place to itself."""
        order: dict[int, int] = {}
        low: dict[int, int] = {}
        open_places: list[int] = []
        done: set[int] = set()
        for root in range(len(self._letters)):
            work = [(root, iter(list(self._follow[root])))] if root not in order else []
            if work:
                order[root] = low[root] = len(order)
                open_places.append(root)
            while work:
                place, left = work[-1]
                for after, _ in left:
                    if after not in order:
                        order[after] = low[after] = len(order)
                        open_places.append(after)
                        work.append((after, iter(list(self._follow[after]))))
                        break
                    if after not in done:
                        low[place] = min(low[place], low[after])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[place])
                    if low[place] == order[place]:
                        at = open_places.index(place)
                        circle = open_places[at:]
                        del open_places[at:]
                        done.update(circle)
                        if len(circle) > 1 or any(after == place for after, _ in self._follow[place]):
                            yield circle

    def _pump_within(self, inside: frozenset[int]) -> str | None:
        """Two ways that part at a place and come together at one, all among places that come back to themselves."""
        after = {
            place: [follower for follower in dict.fromkeys(one for one, _ in self._follow[place]) if follower in inside]
            for place in inside
        }
        came: dict[tuple[int, int], tuple[int, int]] = {}
        parted: dict[tuple[int, int], int] = {}
        todo: list[tuple[int, int]] = []
        choices: dict[frozenset[tuple[tuple[int, int], int]], int] = {}
        for place in sorted(inside):  # most places that end a turn have one choice in common
            entries = frozenset((entry, ways) for entry, ways in self._choices[place].items() if entry[0] in inside)
            choices.setdefault(entries, place)
        for entries, place in choices.items():
            for one, other in self._parting(sorted(entries)):
                if one == other:
                    return self._spelled([(one, one)]) + self._way(after, one, place)
                if (one, other) not in parted:
                    parted[one, other] = place
                    todo.append((one, other))
        for pair in todo:
            for one in after[pair[0]]:
                letters = self._letters[one]
                for other in after[pair[1]]:
                    step = one, other
                    if letters.isdisjoint(self._letters[other]):
                        continue
                    if one == other:
                        steps = [step, pair]
                        while steps[-1] in came:
                            steps.append(came[steps[-1]])
                        return self._spelled(reversed(steps)) + self._way(after, one, parted[steps[-1]])
                    if step not in parted and step not in came:
                        came[step] = pair
                        todo.append(step)
        return None

    def _parting(self, entries: Iterable[tuple[tuple[int, int], int]]) -> Iterator[tuple[int, int]]:
        """The pairs of places that may be read next in two ways, over one character."""
        by_letter: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for (place, group), ways in entries:
            if ways > 1:
                yield place, place
            for letter in self._letters[place]:
                for other, its_group in by_letter[letter]:
                    if not group or group != its_group:
                        yield other, place
                by_letter[letter].append((place, group))

    def _spelled(self, steps: Iterable[tuple[int, int]]) -> str:
        return "".join(min(self._letters[one] & self._letters[other], default=_UNKNOWN) for one, other in steps)

    def _way(self, after: dict[int, list[int]], start: int, end: int) -> str:
        """A text that leads from a place to another."""
        came = {start: start}
        for place in (todo := [start]):
            for follower in after[place]:
                if follower not in came and self._letters[follower]:
                    came[follower] = place
                    todo.append(follower)
        steps = []
        while end != start:
            if end not in came:
                return _UNKNOWN
            steps.append((end, end))
            end = came[end]
        return self._spelled(reversed(steps))


def _times(ways: Counter[_Key], factor: int) -> Counter[_Key]:
    return Counter({key: count * factor for key, count in ways.items()}) if factor else Counter()


def _named(parts: Parts) -> Iterator[str]:
    """The characters that a pattern names."""
    for operation, argument in parts:
        name = str(operation)
        if name in ("LITERAL", "NOT_LITERAL"):
            yield chr(argument)
        elif name == "RANGE":
            start, end = argument
            yield from map(chr, range(start, end + 1) if end - start < _NAMED_RANGE else (start, end))
        elif name == "IN":
            yield from _named(argument)
        else:
            for inner, _ in _inner(name, argument, 0):
                yield from _named(inner)
