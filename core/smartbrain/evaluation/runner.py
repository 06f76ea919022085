"""Runs a set through the real runtime: commits its conversations, asks its questions, measures what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from time import perf_counter
from typing import Any, Literal

from smartbrain.config import BrainConfig
from smartbrain.contracts.context import ContextPackage, UserMessage
from smartbrain.contracts.evidence import Evidence, EvidencePack
from smartbrain.contracts.plan import Mode
from smartbrain.errors import InputError, PluginError
from smartbrain.evaluation import metrics
from smartbrain.evaluation.datasets import RecordedTurn, as_turns
from smartbrain.evaluation.modes import mode_named
from smartbrain.evaluation.questions import Dataset, Question
from smartbrain.evaluation.report import (
    CUTOFFS,
    SESSION_CUTOFFS,
    TOKEN_BUDGETS,
    WITHIN,
    Answered,
    SetReport,
    make_report,
)
from smartbrain.evaluation.timeline import Bounds, Timeline
from smartbrain.ports import Clock, TokenCounter
from smartbrain.runtime import SmartBrain
from smartbrain.text.terms import terms
from smartbrain.text.tokens import HeuristicTokenCounter

BrainFactory = Callable[[Clock], SmartBrain]
"""Opens a fresh brain with the clock of the evaluation, which stands still at the newest moment of the set."""
OnProgress = Callable[[Literal["commit", "embed", "ask"], int, int], None]
"""Is told the stage, how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class StandingClock:
    """A clock that always shows one moment: figures must not depend on the day they are made."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment


def standard_brain(config: BrainConfig, embedder: Any = None) -> BrainFactory:
    """Brains in memory, with ids that are the same in every run; with an embedder, if one is given."""

    def make(clock: Clock) -> SmartBrain:
        numbers = count(1)
        return SmartBrain.open(
            ":memory:", config=config, clock=clock, new_id=lambda: f"eval-{next(numbers):08d}", embedder=embedder
        )

    return make


def evaluate(
    dataset: Dataset,
    brain_factory: BrainFactory,
    *,
    mode: str = "default",
    k: int = 50,
    compose: bool = True,
    all_time: bool = False,
    on_progress: OnProgress | None = None,
) -> SetReport:
    """Every question of the set, asked over its own conversation; the figures are means over questions.

    The ranked turns of a question are the distinct messages its first ``k`` pieces of evidence lead to, in that
    order: a memory item stands for the message it rests on, and one that rests on none takes a place of its own.
    ``mode`` is a name of ``MODES``; its settings are the factory's business (``EvalMode.configured``). With
    ``compose``, a context is composed for each question in a session of its own, so nothing of its recent turns helps.
    With ``all_time``, a question finds what was said after it, too: published figures are often made so, and where
    other people's later talk is mixed in, the two ways are far apart. ``as_of_session_seq`` is obeyed either way.
    Raises InputError for an unknown mode, a ``k`` below 1, or a set without turns or questions.
    """
    search_mode = mode_named(mode).search
    if k < 1:
        raise InputError(f"k must be at least 1, got {k}")
    turns = list(as_turns(dataset.lines))
    if not turns or not dataset.questions:
        raise InputError(f"{dataset.name} holds no {'questions' if turns else 'turns'}")
    tell: OnProgress = on_progress or (lambda _stage, _done, _of: None)
    timeline = Timeline(dataset.lines, turns, all_time=all_time)
    with brain_factory(StandingClock(timeline.end)) as brain:
        asker = _Asker(brain, dataset, search_mode, k, compose)
        committing = _Committing(brain, tell, len(turns))
        answered: list[Answered] = []
        beyond = 0
        for told, questions in timeline.steps(dataset.questions):
            committing.commit(told)
            for question in questions:
                bounds = timeline.bounds(question)
                beyond += timeline.out_of_reach(question, bounds)
                answered.append(asker.ask(question, bounds))
                tell("ask", len(answered), len(dataset.questions))
        places = {id(question): place for place, question in enumerate(dataset.questions)}
        answered.sort(key=lambda one: places[id(one.question)])
        config, signal = brain.config, asker.signal
    return make_report(
        dataset,
        answered,
        config,
        mode=mode,
        k=k,
        signal=signal,
        out_of_reach=beyond,
        all_time=all_time,
        commit_seconds=committing.seconds,
        embed_seconds=committing.embed_seconds,
        embedder=committing.embedder,
    )


class _Committing:
    """Commits turns and makes their vectors, so that no question is asked before; ``embed_seconds`` and ``embedder``
    are None without one."""

    def __init__(self, brain: SmartBrain, tell: OnProgress, turns: int) -> None:
        self._brain = brain
        self._tell = tell
        self._turns = turns
        self._done = count(1)
        self.seconds = 0.0
        self.embed_seconds: float | None = None
        self.embedder: str | None = None

    def commit(self, turns: Sequence[RecordedTurn]) -> None:
        """Raises PluginError if vectors cannot be made: figures of half of them would be of nothing."""
        started = perf_counter()
        self._brain.commit_turns(
            [turn.arguments() for turn in turns],
            on_progress=lambda _: self._tell("commit", next(self._done), self._turns),
        )
        self.seconds += perf_counter() - started
        if self._brain.diagnostics()["semantic"] is not None:
            self._embed()

    def _embed(self) -> None:
        started, done = perf_counter(), 0
        while True:
            made = self._brain.catch_up(limit=_EMBED_STEP)
            done += made
            state = self._brain.diagnostics()["semantic"]
            if state["backlog"] == 0:
                self.embed_seconds = (self.embed_seconds or 0.0) + perf_counter() - started
                self.embedder = state["model"]
                return
            if not made:
                raise PluginError(f"the embedder {state['model']} left texts without vectors")
            self._tell("embed", done, done + state["backlog"])


_EMBED_STEP = 64


class _Asker:
    """Asks one question after the other."""

    def __init__(self, brain: SmartBrain, dataset: Dataset, mode: Mode | None, k: int, compose: bool) -> None:
        self._brain = brain
        self._dataset = dataset
        self._mode: Mode | None = mode
        self._k = k
        self._compose = compose
        self._counter = HeuristicTokenCounter(brain.config.policies.composition.token_profile)
        self.signal = "none"

    def ask(self, question: Question, bounds: Bounds) -> Answered:
        started = perf_counter()
        pack = self._brain.search(
            None,
            question.question,
            mode=self._mode,
            k=self._k,
            user_id=question.conversation_id,
            as_of=bounds.as_of,
        )
        search_ms = (perf_counter() - started) * 1000
        found = pack.evidences[: self._k]
        gold_sessions = self._dataset.gold_sessions(question)
        ranked = tuple(dict.fromkeys(_leads_to(e) for e in found))
        sessions = tuple(dict.fromkeys(e.ref.session_id for e in found if e.ref.session_id))
        measures = {
            **_turn_measures(ranked, question.gold_turns, self._k),
            **_session_measures(sessions, gold_sessions, self._k),
            **_token_measures(found, question.gold_turns, self._counter),
        }
        package, compose_ms = self._composed(question, bounds) if self._compose else (None, None)
        if package is not None and (question.gold_turns or gold_sessions):
            measures |= _answer_measure(package, question.expected)
        signal, score = strength(pack)
        self.signal = signal or self.signal
        return Answered(
            question=question,
            gold_sessions=gold_sessions,
            as_of=bounds.as_of,
            ranked=ranked,
            sessions=sessions,
            measures=measures,
            score=score,
            first=found[0].snippet if found else "",
            search_ms=search_ms,
            compose_ms=compose_ms,
        )

    def _composed(self, question: Question, bounds: Bounds) -> tuple[ContextPackage, float]:
        started = perf_counter()
        package = self._brain.compose_context(
            f"ask:{question.question_id}", question.question, user_id=question.conversation_id, as_of=bounds.as_of
        )
        return package, (perf_counter() - started) * 1000


def strength(pack: EvidencePack) -> tuple[str, float]:
    """How strong the evidence of a pack looks, and the name of the score that says so: ``("", 0.0)`` of nothing.

    The pack's own ``support`` where it has one; else its best score of one retriever, since a fused score is made
    of ranks and says nothing about strength.
    """
    support = getattr(pack, "support", None)
    if support is not None:
        return "support", float(support)
    for name in ("rerank_score", "fts_score", "vector_score", "score"):
        values = [v for e in pack.evidences if (v := getattr(e.signals, name)) is not None]
        if values:
            return name, max(values)
    return "", 0.0


def _leads_to(evidence: Evidence) -> str:
    return evidence.ref.message_id or evidence.id


def _turn_measures(ranked: Sequence[str], gold: Sequence[str], k: int) -> dict[str, float]:
    if not gold:
        return {}
    cuts = [cut for cut in CUTOFFS if cut <= k]
    found = {f"recall_at_{cut}": metrics.recall_at(ranked, gold, cut) for cut in cuts}
    found |= {f"hit_at_{cut}": metrics.hit_at(ranked, gold, cut) for cut in cuts}
    return found | ({"ndcg_at_10": metrics.ndcg_at(ranked, gold, 10)} if k >= 10 else {})


def _session_measures(sessions: Sequence[str], gold: Sequence[str], k: int) -> dict[str, float]:
    if not gold:
        return {}
    cuts = [cut for cut in SESSION_CUTOFFS if cut <= k]
    found = {f"session_any_at_{cut}": metrics.hit_at(sessions, gold, cut) for cut in cuts}
    return found | {f"session_all_at_{cut}": metrics.all_at(sessions, gold, cut) for cut in cuts}


def _token_measures(found: Sequence[Evidence], gold: Sequence[str], counter: TokenCounter) -> dict[str, float]:
    if not gold:
        return {}
    pieces = list(_pieces(found, counter))
    return {f"{WITHIN}.{tokens}": metrics.recall_within(pieces, gold, tokens) for tokens in TOKEN_BUDGETS}


def _pieces(found: Sequence[Evidence], counter: TokenCounter) -> Iterator[tuple[str, int]]:
    """Evidence and its tokens, as far as the largest budget reaches."""
    used = 0
    for evidence in found:
        size = counter.count(evidence.snippet)
        yield _leads_to(evidence), size
        used += size
        if used > max(TOKEN_BUDGETS):
            return


def _answer_measure(package: ContextPackage, answer: str) -> dict[str, float]:
    """The share of the answer's words in what memory gave; the question's own words in the package do not count."""
    wanted = set(terms(answer))
    if not wanted:
        return {}
    remembered = package.model_copy(update={"user_message": UserMessage()}).to_text()
    return {"answer_in_context": metrics.share_of(wanted, set(terms(remembered)))}
