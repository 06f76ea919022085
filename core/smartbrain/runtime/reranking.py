"""A plugged-in reranker over the best fused candidates; whatever it does, the answer does not depend on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from smartbrain.config import RerankPolicy
from smartbrain.contracts.evidence import Evidence
from smartbrain.contracts.plan import Rerank
from smartbrain.observability import Tracker
from smartbrain.ports import Reranker
from smartbrain.runtime.deadline import Deadline, LateError


@dataclass(frozen=True, slots=True)
class Reranked:
    """The candidates in their new order, what was done for ``explain.rerank``, and what went wrong."""

    evidences: list[Evidence]
    explain: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class RerankPath:
    """Asks the reranker, within its deadline."""

    def __init__(self, reranker: Reranker | None, tracker: Tracker) -> None:
        self._reranker = reranker
        self._tracker = tracker
        self._deadline = Deadline("smartbrain-rerank", most=4)

    @property
    def name(self) -> str | None:
        """The reranker's model, None without one."""
        return None if self._reranker is None else self._reranker.model

    def apply(self, query: str, ranked: Sequence[Evidence], asked: Rerank, policy: RerankPolicy) -> Reranked:
        """The first ``asked.top_n`` in the reranker's order, the rest behind them.

        Its scores may have any range, so they stand in ``signals.rerank_score``; ``signals.score`` stays what the
        place was worth before, so that all scores of a package remain comparable.
        """
        kept = list(ranked)
        if not asked.enabled or not kept:
            return Reranked(kept, {"enabled": asked.enabled})
        if self._reranker is None:
            return self._without(kept, asked, "reranking is asked for, and no reranker is plugged in")
        reranker, head = self._reranker, kept[: asked.top_n]
        texts = [evidence.snippet for evidence in head]
        started = perf_counter()
        try:
            given = self._deadline.call(lambda: reranker.rerank(query, texts), policy.timeout_ms / 1000)
            scores = [float(score) for score in given]
        except LateError:
            self._tracker.count("reranker_timeouts")
            told = f"the reranker {self.name} did not answer within {policy.timeout_ms / 1000:g} s"
            return self._without(kept, asked, told)
        except Exception as error:  # noqa: BLE001 - a plugged-in model may raise anything; it costs a warning
            self._tracker.count("reranker_failures")
            told = f"the reranker {self.name} failed: {type(error).__name__}: {error}"
            return self._without(kept, asked, told)
        if len(scores) != len(head) or not all(map(math.isfinite, scores)):
            self._tracker.count("reranker_failures")
            told = f"the reranker {self.name} gave no {len(head)} finite scores"
            return self._without(kept, asked, told)
        explain = {**_told(asked, self.name), "applied": True, "took_ms": round((perf_counter() - started) * 1000, 3)}
        return Reranked([*_in_order(head, scores), *kept[len(head) :]], explain)

    def _without(self, kept: list[Evidence], asked: Rerank, warning: str) -> Reranked:
        return Reranked(kept, {**_told(asked, self.name), "applied": False}, (f"{warning}; left in the fused order",))


def _told(asked: Rerank, name: str | None) -> dict[str, Any]:
    return {"enabled": True, "model": name, "top_n": asked.top_n}


def _in_order(head: Sequence[Evidence], scores: Sequence[float]) -> list[Evidence]:
    order = sorted(range(len(head)), key=lambda place: -scores[place])
    return [
        head[old].model_copy(
            update={
                "signals": head[old].signals.model_copy(
                    update={"rerank_score": scores[old], "score": head[new].signals.score}
                )
            }
        )
        for new, old in enumerate(order)
    ]
