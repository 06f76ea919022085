"""What is said under load: endless turns and questions of any number of tenants, the same in every run."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol

from smartbrain.evaluation.datasets import as_turns
from smartbrain.evaluation.questions import load_dataset
from smartbrain.model import Message

Said = Sequence[Mapping[str, Any]]
"""The messages of a turn, as ``commit_turn`` takes them."""


class Talk(Protocol):
    """Turns and questions by number. The same tenant and number give the same words in every process."""

    def messages(self, tenant: int, number: int) -> Said:
        """The messages of a tenant's turn; ``number`` counts from 0."""

    def question(self, tenant: int, number: int) -> str:
        """A question of a tenant, about anything."""

    def messages_before(self, tenant: int, number: int) -> int:
        """How many messages the turns before this one have together."""

    def turns_for(self, tenant: int, messages: int) -> int:
        """How many turns it takes to say at least so many messages."""


class MadeUpTalk:
    """Zipf-like talk, two messages a turn: the n-th word of a vocabulary is about 1/n as common as the first.

    A message is 20 words, about 120 characters; one half of them is English, one half Chinese, all words made up, or
    drawn from ``words`` (English, Chinese; the most common first).
    """

    def __init__(
        self, seed: int = 0, vocabulary: int = 60_000, words: tuple[Sequence[str], Sequence[str]] | None = None
    ) -> None:
        self._seed = seed
        chance = random.Random(seed)
        letters = "bcdfghjklmnpqrstvwzaeiou"
        made_up = ["".join(chance.choices(letters, k=4 + n % 7)) for n in range(vocabulary)]
        pairs = ["".join(chr(0x4E00 + chance.randrange(6000)) for _ in range(2)) for _ in range(vocabulary)]
        self._english, self._chinese = words or (made_up, pairs)

    def messages(self, tenant: int, number: int) -> Said:
        chance = random.Random(f"{self._seed}/{tenant}/{number}")
        return [{"role": role, "content": self._words(chance, 20, end="。")} for role in ("user", "assistant")]

    def question(self, tenant: int, number: int) -> str:
        chance = random.Random(f"{self._seed}/{tenant}/{number}?")
        return self._words(chance, 7, least=0.35, end="?")

    def messages_before(self, tenant: int, number: int) -> int:  # noqa: ARG002 - all tenants alike
        return 2 * number

    def turns_for(self, tenant: int, messages: int) -> int:  # noqa: ARG002 - all tenants alike
        return -(-messages // 2)

    def _words(self, chance: random.Random, count: int, *, end: str, least: float = 0.0) -> str:
        """Words drawn by rank; ``least`` (0..1) leaves the most common ones out, by the logarithm of the rank."""
        words, joiner = (self._english, " ") if chance.random() < 0.5 else (self._chinese, "")
        ranks = (int(len(words) ** (least + (1 - least) * chance.random())) for _ in range(count))
        return joiner.join(words[rank - 1] for rank in ranks) + end


class RecordedTalk:
    """The turns and questions of an evaluation set, over and over; each tenant begins at a place of its own."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError for a folder that holds no set."""
        dataset = load_dataset(folder)
        self._turns = [[_plain(message) for message in turn.messages] for turn in as_turns(dataset.lines)]
        self._questions = [question.question for question in dataset.questions]

    @cached_property
    def _before(self) -> list[int]:
        return [0, *accumulate(len(turn) for turn in self._turns)]

    def messages(self, tenant: int, number: int) -> Said:
        return self._turns[(self._first(tenant) + number) % len(self._turns)]

    def question(self, tenant: int, number: int) -> str:
        return self._questions[(tenant + number) % len(self._questions)]

    def messages_before(self, tenant: int, number: int) -> int:
        first = self._first(tenant)
        return self._up_to(first + number) - self._up_to(first)

    def turns_for(self, tenant: int, messages: int) -> int:
        laps, rest = divmod(messages, self._before[-1])
        start = laps * len(self._turns)
        missing = range(len(self._turns) + 1)
        return start + bisect_left(missing, rest, key=lambda n: self.messages_before(tenant, n))

    def _first(self, tenant: int) -> int:
        return tenant * _STRIDE % len(self._turns)

    def _up_to(self, number: int) -> int:
        laps, rest = divmod(number, len(self._turns))
        return laps * self._before[-1] + self._before[rest]


def talk_of(folder: Path | None, seed: int) -> Talk:
    """The talk of a set's folder, else one that is made up."""
    return MadeUpTalk(seed) if folder is None else RecordedTalk(folder)


_STRIDE = 7919  # a prime, so that neighbours begin far apart


def _plain(message: Message) -> dict[str, Any]:
    """Without its id: the same words come again in other turns."""
    return message.model_dump(mode="json", exclude={"id", "meta"}, exclude_none=True)
