"""A backend's answer, which was written elsewhere, as an ``EvidencePack``: what fits is kept, what does not is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smartbrain.contracts.base import validate
from smartbrain.contracts.evidence import Evidence, EvidencePack
from smartbrain.errors import ContractError

MOST_EVIDENCES = 1000
"""So many of an answer are looked at."""


def read_answer(answer: object) -> EvidencePack:
    """The pack in an answer. A malformed piece of evidence costs itself and a warning, naming entry and field.

    Fields that no contract knows are named in ``explain.ignored_fields``, as ``answer.field``.
    Raises ContractError when the answer as a whole is no pack.
    """
    if isinstance(answer, EvidencePack):
        return answer
    if not isinstance(answer, Mapping):
        raise ContractError(f"the answer must be an EvidencePack as a mapping, not {type(answer).__name__}")
    given = answer.get("evidences", ())
    if isinstance(given, (str, bytes, Mapping)) or not hasattr(given, "__iter__"):
        raise ContractError("EvidencePack: evidences: must be a list", field="evidences")
    top = {str(name): value for name, value in answer.items() if name not in {"evidences", "plan"}}
    pack, unknown = EvidencePack.read({"version": "0.1", **top})
    kept: list[Evidence] = []
    problems: list[str] = []
    for place, entry in zip(range(MOST_EVIDENCES), given, strict=False):
        try:
            kept.append(validate(Evidence, _scored(entry)))
        except ContractError as error:
            problems.append(f"evidences[{place}] was dropped: {error}")
    more = len(problems) - 3
    said = [*problems[:3], *([f"… and {more} more malformed"] if more > 0 else [])]
    ignored = (*pack.explain.ignored_fields, *(f"answer.{name}" for name in unknown[:20]))
    return pack.model_copy(
        update={
            "evidences": tuple(kept),
            "warnings": (*said, *pack.warnings),
            "explain": pack.explain.model_copy(update={"ignored_fields": ignored}),
        }
    )


def _scored(entry: Any) -> Any:
    """A bare ``score`` beside the snippet, as many services give it, stands for the one in ``signals``."""
    if isinstance(entry, Mapping) and "score" in entry and "signals" not in entry:
        return {**entry, "signals": {"score": entry["score"]}}
    return entry
