"""What an evaluation found, question by question and in sum, as values and as JSON."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from smartbrain.config import BrainConfig, differences
from smartbrain.evaluation.metrics import auc, best_rank, means, percentile
from smartbrain.evaluation.questions import Dataset, Question

CUTOFFS = (3, 5, 10, 25, 50)
SESSION_CUTOFFS = (3, 5, 10)
TOKEN_BUDGETS = (250, 500, 1000, 2000)
APART = frozenset({"adversarial"})
"""Categories that are left out of the headline: their questions ask about the wrong person, on purpose."""
WITHIN = "recall_within_tokens"

Figures = dict[str, Any]
"""Measures by name, 0..1, None where no question has one; ``n`` counts the questions with gold."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question asked. ``ranked`` are turns, ``sessions`` sessions, best first; ``measures`` holds those it has.

    ``score`` is how strong the evidence looks (see ``strength``). ``first`` is the text that stood first.
    """

    question: Question
    gold_sessions: tuple[str, ...]
    as_of: datetime | None
    ranked: tuple[str, ...]
    sessions: tuple[str, ...]
    measures: Mapping[str, float]
    score: float
    first: str
    search_ms: float
    compose_ms: float | None

    @property
    def has_gold(self) -> bool:
        """Whether anything in the set answers it."""
        return bool(self.question.gold_turns or self.gold_sessions)

    @property
    def apart(self) -> bool:
        """Whether it stays out of the headline."""
        return self.question.category in APART

    @property
    def missed(self) -> bool:
        """Whether a gold turn is not among the first ten; without gold turns, no gold session among the first five."""
        if self.question.gold_turns:
            return not set(self.question.gold_turns) <= set(self.ranked[:10])
        return self.has_gold and set(self.gold_sessions).isdisjoint(self.sessions[:5])

    def rank_of(self, gold: str) -> int | None:
        """The rank of a gold turn, or of a gold session where the question has no gold turns; None if not found."""
        return best_rank(self.ranked if self.question.gold_turns else self.sessions, gold)


@dataclass(frozen=True)
class SetReport:
    """All figures of one set. ``n`` questions have gold and are in the headline; ``asked`` counts all that were asked.

    ``out_of_reach`` counts gold turns that are later than their question and so could not be found.
    """

    dataset: str
    mode: str
    k: int
    n: int
    asked: int
    sampled_from: int | None
    noise: int
    noise_seed: int | None
    all_time: bool
    messages: int
    figures: Figures
    apart: dict[str, Figures]
    by_category: dict[str, Figures]
    by_language: dict[str, Figures]
    no_gold: dict[str, Any] | None
    out_of_reach: int
    latency_ms: dict[str, float | None]
    compose_latency_ms: dict[str, float | None]
    commit_seconds: float
    embed_seconds: float | None
    embedder: str | None
    config: dict[str, Any]
    version: str
    answered: tuple[Answered, ...]

    @property
    def title(self) -> str:
        """The set's name and what was mixed into it."""
        return f"{self.dataset} + {self.noise} noise" if self.noise else self.dataset

    def misses(self, count: int, seed: int = 0) -> list[Answered]:
        """At most ``count`` missed questions of the headline, a seeded sample in the set's order."""
        missed = [one for one in self.answered if one.missed and not one.apart]
        chosen = random.Random(f"misses-{seed}-{self.dataset}").sample(range(len(missed)), min(count, len(missed)))
        return [missed[place] for place in sorted(chosen)]

    def as_json(self) -> dict[str, Any]:
        """For machines; ``by_category`` holds the categories that are apart, too, the headline does not."""
        return {
            "dataset": self.dataset,
            "mode": self.mode,
            "n": self.n,
            **{name: value for name, value in self.figures.items() if name != "n"},
            "by_category": {**self.by_category, **self.apart},
            "by_language": self.by_language,
            "apart": sorted(self.apart),
            "no_gold": self.no_gold,
            "latency_ms": self.latency_ms,
            "compose_latency_ms": self.compose_latency_ms,
            "commit_seconds": self.commit_seconds,
            "embed_seconds": self.embed_seconds,
            "embedder": self.embedder,
            "messages": self.messages,
            "asked": self.asked,
            "sampled_from": self.sampled_from,
            "noise": self.noise,
            "noise_seed": self.noise_seed,
            "all_time": self.all_time,
            "gold_out_of_reach": self.out_of_reach,
            "k": self.k,
            "config": self.config,
            "version": self.version,
        }


def measure_names(k: int) -> tuple[str, ...]:
    """The measures of an evaluation that looks at the first ``k``, in the order they are told."""
    return (
        *(f"recall_at_{cut}" for cut in CUTOFFS if cut <= k),
        *(f"hit_at_{cut}" for cut in CUTOFFS if cut <= k),
        *(("ndcg_at_10",) if k >= 10 else ()),
        *(f"session_any_at_{cut}" for cut in SESSION_CUTOFFS if cut <= k),
        *(f"session_all_at_{cut}" for cut in SESSION_CUTOFFS if cut <= k),
        "answer_in_context",
    )


def make_report(
    dataset: Dataset,
    answered: Sequence[Answered],
    config: BrainConfig,
    *,
    mode: str,
    k: int,
    signal: str,
    out_of_reach: int,
    all_time: bool,
    commit_seconds: float,
    embed_seconds: float | None = None,
    embedder: str | None = None,
) -> SetReport:
    """Sums up the questions of one set. ``signal`` names the score by which evidence looks strong or weak."""
    from smartbrain import __version__

    told = [one for one in answered if one.has_gold]
    headline = [one for one in told if not one.apart]
    by_category = {name: _figures(rows, k) for name, rows in _groups(told, category=True).items()}
    return SetReport(
        dataset=dataset.name,
        mode=mode,
        k=k,
        n=len(headline),
        asked=len(answered),
        sampled_from=dataset.sampled_from,
        noise=dataset.noise,
        noise_seed=dataset.noise_seed,
        all_time=all_time,
        messages=len(dataset.lines),
        figures=_figures(headline, k),
        apart={name: figures for name, figures in by_category.items() if name in APART},
        by_category={name: figures for name, figures in by_category.items() if name not in APART},
        by_language={name: _figures(rows, k) for name, rows in _groups(headline, category=False).items()},
        no_gold=_no_gold(headline, [one for one in answered if not one.has_gold and not one.apart], signal),
        out_of_reach=out_of_reach,
        latency_ms=_latency(one.search_ms for one in answered),
        compose_latency_ms=_latency(one.compose_ms for one in answered if one.compose_ms is not None),
        commit_seconds=round(commit_seconds, 3),
        embed_seconds=None if embed_seconds is None else round(embed_seconds, 3),
        embedder=embedder,
        config=config_summary(config),
        version=__version__,
        answered=tuple(answered),
    )


def config_summary(config: BrainConfig) -> dict[str, Any]:
    """The settings that are not the defaults, and a digest of all of them: equal digests, equal configurations."""
    plain = json.dumps(config.model_dump(mode="json"), sort_keys=True)
    changed = differences(BrainConfig(), config)
    return {
        "digest": hashlib.sha256(plain.encode()).hexdigest()[:12],
        "settings": {path: new for path, (_, new) in sorted(changed.items())},
    }


def _figures(rows: Sequence[Answered], k: int) -> Figures:
    found = {name: round(value, 4) for name, value in means(one.measures for one in rows).items()}
    figures: Figures = {"n": len(rows), **{name: found.get(name) for name in measure_names(k)}}
    figures[WITHIN] = {str(tokens): found.get(f"{WITHIN}.{tokens}") for tokens in TOKEN_BUDGETS}
    return figures


def _groups(rows: Iterable[Answered], *, category: bool) -> dict[str, list[Answered]]:
    groups: dict[str, list[Answered]] = {}
    for one in rows:
        name = one.question.category if category else one.question.language
        groups.setdefault(name or "-", []).append(one)
    return dict(sorted(groups.items()))


def _no_gold(told: Sequence[Answered], untold: Sequence[Answered], signal: str) -> dict[str, Any] | None:
    """How strong the evidence looks for questions about things never said, beside the others.

    ``comparable`` is false when only one side was asked as of a moment: a smaller past alone changes the scores.
    """
    if not untold:
        return None
    with_gold, without = [one.score for one in told], [one.score for one in untold]
    area = auc(with_gold, without)
    return {
        "n": len(untold),
        "score": signal,
        "without_gold": _spread(without),
        "with_gold": _spread(with_gold),
        "auc": None if area is None else round(area, 4),
        "comparable": any(one.as_of for one in told) == any(one.as_of for one in untold),
    }


def _spread(values: Sequence[float]) -> dict[str, float | None]:
    shares = {"min": 0.0, "p25": 0.25, "p50": 0.5, "p75": 0.75, "max": 1.0}
    return {name: percentile(values, share) for name, share in shares.items()}


def _latency(values: Iterable[float]) -> dict[str, float | None]:
    taken = list(values)
    found = {"p50": percentile(taken, 0.5), "p95": percentile(taken, 0.95)}
    return {name: None if value is None else round(value, 2) for name, value in found.items()}
