"""The ways of searching that can be compared, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from smartbrain.config import BrainConfig
from smartbrain.contracts.plan import Mode
from smartbrain.errors import InputError, MissingExtraError
from smartbrain.ports import Embedder
from smartbrain.semantic import bundled


@dataclass(frozen=True, slots=True)
class EvalMode:
    """``search`` is the mode asked for, None for the plan's own; ``settings`` are laid over the configuration.

    With ``meaning`` an embedder takes part: the bundled one, where the extra ``semantic`` is installed.
    """

    about: str
    search: Mode | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    meaning: bool = False

    def configured(self, config: BrainConfig) -> BrainConfig:
        """The configuration with the mode's settings."""
        return BrainConfig.load(_merged(config.model_dump(), self.settings)) if self.settings else config

    def embedder(self) -> Embedder | None:
        """The embedder the mode takes part with; None for a mode of words, and where the extra is missing."""
        if not self.meaning:
            return None
        try:
            return bundled()
        except MissingExtraError:
            return None


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for name, value in over.items():
        below = merged.get(name)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        merged[name] = _merged(below, value) if both else value  # type: ignore[arg-type]
    return merged


_PLAIN = {
    "neighbours": False,
    "segment_weight": 0.0,
    "speaker_weight": 0.0,
    "date_weight": 0.0,
    "question_penalty": 0.0,
    "brief_penalty": 0.0,
    "name_weight": 1.0,
}

_WORDS = {"policies": {"retrieval": {"static": {"enabled": False}}}}

MODES: Mapping[str, EvalMode] = {
    "default": EvalMode("planned as compose_context plans it"),
    "lexical": EvalMode("the same, by words alone", settings=_WORDS),
    "bm25": EvalMode(
        "words by BM25 and nothing beside it: a yardstick",
        settings=_merged(
            _WORDS, {"policies": {"retrieval": {"lexical": _PLAIN, "query_expansion": {"enabled": False}}}}
        ),
    ),
    "exact": EvalMode("the mode exact alone", "exact"),
    "static": EvalMode("the mode semantic alone, with the static embedder", "semantic"),
    "semantic": EvalMode("the mode semantic alone, with the bundled embedder", "semantic", meaning=True),
    "hybrid": EvalMode("planned as compose_context plans it, with the bundled embedder", meaning=True),
    "relational": EvalMode("the mode relational alone", "relational"),
    "associative": EvalMode("the mode associative alone", "associative"),
}


def mode_named(name: str) -> EvalMode:
    """The mode of a name; raises InputError that lists the known ones."""
    if name not in MODES:
        raise InputError(f"no mode {name!r}; the modes are {', '.join(MODES)}")
    return MODES[name]
