"""Precision and recall of the rules on the labelled utterances, by type and language.

The aim for every file is a precision of 0.95 and a recall of 0.80. ``BARS`` holds what must not get worse: the aim
where it is reached, and else what was measured, rounded down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from smartbrain.config import RetentionPolicy
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn
from smartbrain.policies.retention import decide

BARS = {
    "dev_en": (0.93, 0.88),
    "spent_en": (0.95, 0.88),
    "test_en": (0.86, 0.76),
    "dev_zh": (0.89, 0.83),
    "spent_zh": (0.95, 0.93),
    "test_zh": (0.74, 0.76),
}


def turn_of(item: Mapping[str, Any]) -> Turn:
    said_at = datetime.fromisoformat(item["said_at"])
    messages = tuple(Message(id=f"m{place}", **said) for place, said in enumerate(item["messages"]))
    return Turn(
        session_id="s",
        turn_id=item["id"],
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=messages,
        occurred_at=said_at,
        recorded_at=said_at,
    )


def kept_of(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a fresh store would hold or take back after the item, as ``labels.score`` takes it."""
    found = RulesExtractor().extract(turn_of(item), ())
    decided = decide(found.candidates, policy=RetentionPolicy(), gate={})
    kept: list[dict[str, Any]] = [
        {"type": candidate.type, "key": candidate.key, "value": candidate.value}
        for candidate, verdict in decided
        if verdict.action == "written"
    ]
    return kept + [{"type": r.type, "key": r.key, "retract": True} for r in found.retractions]


class Counts:
    """Hits, missed and junk, in total and by type."""

    def __init__(self, labels: SimpleNamespace, items: Iterable[Mapping[str, Any]]) -> None:
        self.by_type: dict[str, Counter[str]] = {}
        for item in items:
            score = labels.score(item["expect"], kept_of(item))
            for what in ("hits", "missed", "junk"):
                for unit in getattr(score, what):
                    self.by_type.setdefault(unit["type"], Counter())[what] += 1

    def shares(self, *types: str) -> tuple[float, float]:
        total: Counter[str] = Counter()
        for name in types or tuple(self.by_type):
            total += self.by_type[name]
        got, wanted = total["hits"] + total["junk"], total["hits"] + total["missed"]
        return total["hits"] / got if got else 1.0, total["hits"] / wanted if wanted else 1.0

    def table(self, title: str) -> str:
        lines = [f"{title:14} {'precision':>9} {'recall':>7} {'hits':>5} {'missed':>6} {'junk':>5}"]
        for name in (*sorted(self.by_type), ""):
            counted = self.by_type[name] if name else sum(self.by_type.values(), Counter())
            precision, recall = self.shares(*([name] if name else []))
            figures = f"{counted['hits']:5} {counted['missed']:6} {counted['junk']:5}"
            lines.append(f"{name or 'total':14} {precision:9.3f} {recall:7.3f} {figures}")
        return "\n".join(lines)


@pytest.mark.parametrize("name", BARS)
def test_the_rules_keep_what_a_careful_person_would_keep(labels: SimpleNamespace, name: str) -> None:
    counts = Counts(labels, labels.load(name))
    print("\n" + counts.table(name))
    precision, recall = counts.shares()
    assert precision >= BARS[name][0]
    assert recall >= BARS[name][1]
