"""What the manner of a turn takes from its score or gives to it: asking, saying little, being the assistant's, its age.

It is known of a turn by itself, and takes more than it gives: so it is worked out only where it may decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smartbrain.config import LexicalPolicy
from smartbrain.ports import FLAG_ASSISTANT, DocColumns
from smartbrain.retrieval.scoring import Ords, Scores, asks, brevity, recency


@dataclass(frozen=True, slots=True)
class Manner:
    """The manner of the turns of a space; ``today`` is the day it is asked on, None where age counts nothing."""

    columns: DocColumns
    policy: LexicalPolicy
    today: int | None

    def parts(self, found: Ords) -> dict[str, Scores]:
        """What each part of it gives to some turns; what the policy has switched off is not among them."""
        columns, policy = self.columns, self.policy
        parts: dict[str, Scores] = {}
        if policy.question_penalty:
            parts["question"] = -np.float32(policy.question_penalty) * asks(columns, found, policy.question_chars)
        if policy.brief_penalty:
            parts["brief"] = -np.float32(policy.brief_penalty) * brevity(columns.length.take(found), policy.brief_terms)
        if policy.assistant_penalty:
            spoken = (columns.flags.take(found) & FLAG_ASSISTANT) > 0
            parts["assistant"] = -np.float32(policy.assistant_penalty) * spoken.astype(np.float32)
        if policy.recency_weight and self.today is not None:
            age = recency(columns.day.take(found), self.today, policy.recency_days)
            parts["recency"] = np.float32(policy.recency_weight) * age
        return parts

    @property
    def most(self) -> float:
        """The most that it can give to a turn."""
        return self.policy.recency_weight if self.today is not None else 0.0
