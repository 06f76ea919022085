"""Several humans in one conversation: what a named one says is theirs, not the user's."""

from __future__ import annotations

from dataclasses import replace

from smartbrain.extraction.hits import Hit, fact
from smartbrain.extraction.reasons import OTHERS_ANSWERS
from smartbrain.model import Message, slug
from smartbrain.text.folding import fold

_THE_USER = frozenset(("user", "me", "human", "用户", ""))
_MINE = ("goals", "tasks", "decisions", "events")


def speaker_of(message: Message) -> str:
    """The profile subject of who speaks: ``user``, or the slug of a name that was given."""
    name = fold(message.name or "").strip()
    return "user" if name in _THE_USER else slug(name)


def as_said_by(speaker: str, hit: Hit) -> Hit:
    """The hit as a statement of ``speaker``: facts go to their profile, work to their own place."""
    if speaker == "user" or not hit.key:
        return hit
    if hit.type == "preferences":
        return _taste(speaker, hit)
    if hit.type == "profile":
        subject = hit.key.removeprefix("profile:")
        theirs = speaker if subject == "user" else subject.replace("user_", f"{speaker}_", 1)
        return replace(hit, key=f"profile:{theirs}", value={**hit.value, "subject": theirs})
    if hit.type in _MINE:
        field = "scope" if hit.type == "events" else "project"
        prefix, _, rest = hit.key.split(":", 2)
        return replace(hit, key=f"{prefix}:{speaker}:{rest}", value={**hit.value, field: speaker})
    return hit


def _taste(speaker: str, hit: Hit) -> Hit:
    """What another person likes is a fact about them; how they want to be answered is theirs to say elsewhere."""
    if hit.skipped:
        return hit
    if hit.value.get("scope") == "writing":
        return replace(hit, skipped=OTHERS_ANSWERS)
    k = "likes" if hit.value.get("polarity") == "like" else "dislikes"
    said = str(hit.value.get("value", ""))
    told = None if hit.retract else said
    made = fact(hit.rule, hit.span, k=k, v=told, was=said, subject=speaker, confidence=hit.confidence)
    return replace(made, language=hit.language)
