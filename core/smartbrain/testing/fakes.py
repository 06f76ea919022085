"""Stand-ins for what the outside gives: a clock that a test moves, ids it can predict, models that follow a script."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import InputError
from smartbrain.model import MemoryItem, Ref, Scope, Turn
from smartbrain.ports import Extraction


class ManualClock:
    """A clock that stands still until it is told to move.

    ``start`` must be timezone-aware (else ``InputError``); it is kept in UTC.
    """

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self.set(start)

    def now(self) -> datetime:
        """The moment the clock shows, in UTC."""
        return self._now

    def advance(self, seconds: float) -> datetime:
        """Move on by ``seconds`` (negative: back, as real clocks sometimes step) and return the new moment."""
        self._now += timedelta(seconds=seconds)
        return self._now

    def set(self, moment: datetime) -> None:
        """Show ``moment``; raises ``InputError`` when it has no timezone."""
        if moment.utcoffset() is None:
            raise InputError(f"a clock needs a timezone-aware moment, got {moment!r}")
        self._now = moment.astimezone(UTC)


class CounterIds:
    """An id factory that counts: ``ids()`` gives ``id-000001``, ``ids("turn")`` gives ``turn-000001``.

    Every kind counts for itself, so an id does not depend on what else was made in between. The padding makes the
    order of the text the order of making, up to 999,999 ids of a kind.
    """

    def __init__(self) -> None:
        self._counters: dict[str, count[int]] = {}

    def __call__(self, kind: str = "id") -> str:
        """The next id of this kind."""
        return f"{kind}-{next(self._counters.setdefault(kind, count(1))):06d}"


class WordCounter:
    """A token counter that counts words, for tests that reckon by hand."""

    name = "words"

    def count(self, text: str) -> int:
        """How many runs of non-space the text has."""
        return len(text.split())


class ScriptedExtractor:
    """An extractor that gives the answers it was told, one a turn; an exception among them is raised."""

    name = "scripted"

    def __init__(self, *answers: Extraction | Exception) -> None:
        self.answers = list(answers)
        self.seen: list[str] = []

    def extract(self, turn: Turn, known: Sequence[MemoryItem]) -> Extraction:  # noqa: ARG002
        """The next answer; nothing once they have run out."""
        self.seen.append(turn.turn_id)
        answer = self.answers.pop(0) if self.answers else Extraction()
        if isinstance(answer, Exception):
            raise answer
        return answer


class ScriptedSummarizer:
    """A summariser that gives the answers it was told; an exception among them is raised. Keeps what it was given."""

    name = "scripted"

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.given: list[tuple[str | None, list[str]]] = []

    def summarize(
        self,
        previous: str | None,
        turns: Sequence[Turn],
        items: Sequence[MemoryItem],  # noqa: ARG002
        max_tokens: int,  # noqa: ARG002
    ) -> str:
        """The next answer."""
        self.given.append((previous, [t.turn_id for t in turns]))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class LetterEmbedder:
    """An embedder without meaning: counts of the 26 letters, scaled to length 1. Equal texts have equal vectors."""

    model = "letters-1"
    dimension = 26

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The text's vector; of a text without letters all zeros."""
        counts = [float(text.lower().count(chr(ord("a") + n))) for n in range(self.dimension)]
        length = sum(c * c for c in counts) ** 0.5 or 1.0
        return [c / length for c in counts]


class OverlapReranker:
    """A reranker that scores a text by the share of the query's words it holds."""

    model = "overlap-1"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores in 0..1, one a text."""
        asked = set(query.lower().split())
        return [len(asked & set(text.lower().split())) / (len(asked) or 1) for text in texts]


class ScriptedResources:
    """A resource client that gives one pack for every plan and keeps what it was asked and offered."""

    def __init__(self, pack: EvidencePack | Exception) -> None:
        self.pack = pack
        self.asked: list[RetrievalPlan] = []
        self.offered: list[Ref] = []

    def retrieve(self, plan: RetrievalPlan, *, scopes: Sequence[Scope], timeout: float) -> EvidencePack:  # noqa: ARG002
        """The pack, or the error it was told to raise."""
        self.asked.append(plan)
        if isinstance(self.pack, Exception):
            raise self.pack
        return self.pack

    def offer(self, refs: Sequence[Ref], *, scope: Scope) -> None:  # noqa: ARG002
        """Keeps the refs."""
        self.offered += refs
