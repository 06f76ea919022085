"""What of a turn's score is worked out only where it may bring the turn among the best: its manner and its nearness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smartbrain.retrieval.manner import Manner
from smartbrain.retrieval.scoring import Ords, Scores, sum_of
from smartbrain.retrieval.semantic import Glance, Meaning

_WORTH_NARROWING = 2_500
"""Of fewer turns all are sooner worked out than those are found that matter."""


@dataclass(frozen=True, slots=True)
class More:
    """What is worked out only for those candidates that it may bring among the best: ``manner`` and ``meaning`` (None:
    there is nothing of it to work out). ``glance`` is what ``meaning`` says of the candidates beforehand."""

    found: Ords
    manner: Manner | None
    meaning: Meaning | None
    glance: Glance | None

    def most(self) -> Scores | None:
        """The most that it will give to each of them; None where it takes less to work it out for all."""
        manner = 0.0 if self.manner is None else self.manner.most
        if self.glance is not None:
            return None if self.glance.most is None else self.glance.most + np.float32(manner)
        return np.full(len(self.found), manner, dtype=np.float32) if len(self.found) >= _WORTH_NARROWING else None

    def parts(self, places: Ords) -> dict[str, Scores]:
        """The parts of it for some of them."""
        found = self.found if len(places) == len(self.found) else self.found[places]
        parts = {} if self.manner is None else self.manner.parts(found)
        return parts if self.meaning is None else {**parts, "meaning": self.meaning.scores(found)}

    def scores(self, places: Ords) -> Scores:
        """What all of it gives to some of them, below 0 for what it takes."""
        parts = self.parts(places)
        return sum_of(parts) if parts else np.zeros(len(places), dtype=np.float32)
