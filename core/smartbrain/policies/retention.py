"""What becomes long-term memory: every candidate gets a verdict, with the rule that fired and why (contracts.md §3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from smartbrain.config import Confidence, RetentionPolicy
from smartbrain.model import Candidate, Verdict
from smartbrain.policies.entities import MentionIndex, names_of
from smartbrain.policies.wording import headline
from smartbrain.text.folding import fold

_SUBJECT_LIMIT = 120
# Types whose items tell the model how to behave or who the user is: only the user may write them.
_INSTRUCTIVE = frozenset({"preferences", "patterns", "profile"})
_STAGES = ("milestone", "failure", "release", "meeting", "trip")
_STAGE_WORDS = {
    "里程碑": "milestone",
    "失败": "failure",
    "故障": "failure",
    "事故": "failure",
    "异常": "failure",
    "incident": "failure",
    "发布": "release",
    "上线": "release",
    "launch": "release",
    "会议": "meeting",
    "旅行": "trip",
    "出差": "trip",
}
_CONTENT = {
    "preferences": "value",
    "goals": "description",
    "decisions": "decision",
    "entities": "name",
    "events": "title",
    "cases": "problem",
    "patterns": "rule",
}


class _Ruling(NamedTuple):
    keep: bool
    rule: str
    reason: str


def decide(
    candidates: Sequence[Candidate], *, policy: RetentionPolicy, gate: Mapping[str, int]
) -> list[tuple[Candidate, Verdict]]:
    """Each candidate in order with its verdict: "written" (worth keeping) or "skipped".

    ``gate`` says for each entity key in how many of the session's last ``policy.entity_gate.window_turns`` turns,
    this one included, it was named. A kept verdict carries the confidence the item gets.
    """
    structural = _named_in_work(candidates)
    decided = []
    for candidate in candidates:
        ruling = _rule(candidate, policy, gate, structural)
        confidence = _confidence(candidate, policy.confidence) if ruling.keep else candidate.confidence
        decided.append((candidate, _verdict(candidate, ruling, confidence)))
    return decided


def subject_of(candidate: Candidate) -> str:
    """What a verdict is about, in one readable line of at most 120 characters."""
    line = headline(candidate.type, candidate.value, candidate.language) or candidate.key
    return line if len(line) <= _SUBJECT_LIMIT else line[: _SUBJECT_LIMIT - 1].rstrip() + "…"


def _verdict(candidate: Candidate, ruling: _Ruling, confidence: float) -> Verdict:
    return Verdict(
        subject=subject_of(candidate),
        action="written" if ruling.keep else "skipped",
        rule=ruling.rule,
        reason="; ".join(filter(None, (ruling.reason, candidate.because))),
        type=candidate.type,
        key=candidate.key,
        confidence=confidence,
        trust=candidate.trust,
        message_id=candidate.message_id,
        span=candidate.span,
        quote=candidate.quote,
        found_by=candidate.rule,
    )


def _rule(
    candidate: Candidate, policy: RetentionPolicy, gate: Mapping[str, int], structural: frozenset[str]
) -> _Ruling:
    refused = _never(candidate)
    if refused:
        return refused
    if candidate.type in {"tasks", "decisions"}:
        return _Ruling(True, f"{candidate.type}_always", "tasks and decisions are always kept")
    if candidate.type == "entities":
        return _entity(candidate, policy, gate.get(candidate.key, 0), structural)
    if candidate.type == "events":
        return _event(candidate)
    if candidate.type in {"cases", "patterns"}:
        return _reusable(candidate)
    return _plainly_said(candidate, policy.confidence.inferred)


def _never(candidate: Candidate) -> _Ruling | None:
    if candidate.trust == "system":
        return _Ruling(False, "system_text", "the system prompt is not something the user said")
    if _is_empty(candidate):
        return _Ruling(False, "empty_value", "there is nothing to keep")
    if candidate.confirmed:
        return None
    if "supposition" in candidate.hints:
        return _Ruling(False, "supposition", "a guess that nobody confirmed")
    if candidate.trust == "assistant":
        return _Ruling(False, "assistant_text", "the assistant said it and the user did not confirm it")
    if candidate.trust in {"tool", "resource"}:
        if candidate.type in _INSTRUCTIVE:
            return _Ruling(False, "untrusted_source", f"text of a {candidate.trust} makes no {candidate.type}")
        if candidate.type not in {"events", "entities", "cases"} and not candidate.explicit:
            return _Ruling(False, "untrusted_source", f"text of a {candidate.trust} gives no orders")
        if candidate.trust == "resource" and candidate.type != "entities":
            return _Ruling(False, "untrusted_source", "a document is evidence, not memory")
    return None


def _is_empty(candidate: Candidate) -> bool:
    field = _CONTENT.get(candidate.type)
    return field is not None and candidate.value.get(field) in (None, "", [], {})


def _inferred(candidate: Candidate, limit: float) -> bool:
    doubtful = "inferred" in candidate.hints or candidate.confidence <= limit
    return doubtful and not (candidate.explicit or candidate.confirmed)


def _plainly_said(candidate: Candidate, limit: float) -> _Ruling:
    if candidate.type == "preferences" and candidate.confirmed:
        return _Ruling(True, "preferences_confirmed", "the user confirmed it")
    if candidate.explicit and candidate.type == "preferences":
        return _Ruling(False, "preferences_unconfirmed", "a preference entry needs confirmed: true")
    if candidate.explicit:
        return _Ruling(True, f"{candidate.type}_given", "given as a structured entry")
    if _inferred(candidate, limit):
        return _Ruling(False, f"{candidate.type}_inferred", "inferred, and the user did not confirm it")
    return _Ruling(True, f"{candidate.type}_said", "the user said it plainly")


def _event(candidate: Candidate) -> _Ruling:
    if candidate.explicit:
        return _Ruling(True, "events_given", "given as a structured entry")
    if candidate.trust == "tool":
        return _Ruling(True, "events_tool_result", "a tool made something or changed a status")
    stage = _stage(candidate)
    if stage:
        return _Ruling(True, f"events_{stage}", f"a {stage} matters later")
    if candidate.confirmed or "remember" in candidate.hints:
        return _Ruling(True, "events_remember", "the user asked to remember it")
    return _Ruling(False, "events_ordinary", "no milestone, failure or release, and nobody asked to remember it")


def _stage(candidate: Candidate) -> str:
    marks = {*candidate.hints, fold(str(candidate.value.get("impact") or "")).strip()}
    marks |= {_STAGE_WORDS[mark] for mark in marks if mark in _STAGE_WORDS}
    return next((stage for stage in _STAGES if stage in marks), "")


def _reusable(candidate: Candidate) -> _Ruling:
    if candidate.explicit:
        return _Ruling(True, f"{candidate.type}_given", "given as a structured entry")
    if candidate.trust == "tool":
        shaped = bool(candidate.value.get("problem") and candidate.value.get("solution"))
        return _Ruling(shaped, f"{candidate.type}_tool_result", "a problem with its solution" if shaped else "no case")
    if candidate.confirmed or "remember" in candidate.hints:
        return _Ruling(True, f"{candidate.type}_said", "the user said it plainly")
    return _Ruling(False, f"{candidate.type}_not_given", "kept only when given, confirmed or shaped like one")


def _entity(candidate: Candidate, policy: RetentionPolicy, seen: int, structural: frozenset[str]) -> _Ruling:
    window, threshold = policy.entity_gate.window_turns, policy.entity_gate.freq_threshold
    if "remember" in candidate.hints or candidate.confirmed:
        return _Ruling(True, "entities_remember", "the user asked to remember it")
    if "pointed_at" in candidate.hints:
        return _Ruling(True, "entities_pointed_at", "the user pointed at it to go on with it")
    if "structural" in candidate.hints or candidate.key in structural:
        return _Ruling(True, "entities_structural", "it stands in a URL, repository or path, or in a task or decision")
    if seen >= threshold:
        return _Ruling(True, "entities_frequency", f"named in {seen} of the last {window} turns")
    return _Ruling(False, "entities_gate", f"named in {seen} of the last {window} turns, {threshold} are needed")


def _named_in_work(candidates: Iterable[Candidate]) -> frozenset[str]:
    """Keys of the entities that this batch's tasks and decisions name."""
    entities = [(c.key, names_of(c.value)) for c in candidates if c.type == "entities"]
    work = [c for c in candidates if c.type in {"tasks", "decisions"} and _never(c) is None]
    if not entities or not work:
        return frozenset()
    index = MentionIndex(entities)
    return frozenset(found.key for c in work for text in _texts(c.value) for found in index.find(text))


def _texts(value: Mapping[str, Any]) -> list[str]:
    return [text for text in value.values() if isinstance(text, str)]


def _confidence(candidate: Candidate, floors: Confidence) -> float:
    """Raised to the floor of who said it, lowered to the ceiling of what was inferred (policies of seed 000 §1.4)."""
    if candidate.trust == "tool" or candidate.explicit:
        return max(candidate.confidence, floors.tool_derived)
    if candidate.trust == "user" and not _inferred(candidate, floors.inferred):
        return max(candidate.confidence, floors.user_asserted)
    if candidate.confirmed:
        return max(candidate.confidence, floors.user_asserted)
    return min(candidate.confidence, floors.inferred)
