"""Putting a context package into one model request, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from smartbrain.contracts.context import ContextPackage, RecentMessage
from smartbrain.contracts.rendering import stable_text, volatile_text
from smartbrain.text.fence import NAME as FENCE
from smartbrain.text.fence import OPEN
from smartbrain_lc._messages import from_neutral, spoken

Placement = Literal["system", "user"]
M = TypeVar("M", bound=BaseMessage)


@dataclass(frozen=True, slots=True)
class Injection:
    """What is put in: text that stays the same from turn to turn, text that depends on the question, recent turns."""

    stable: str
    volatile: str
    recent: tuple[BaseMessage, ...]


def make_injection(package: ContextPackage, messages: Sequence[BaseMessage], guide: str) -> Injection:
    """What of a package the request's ``messages`` do not hold themselves.

    Evidence that quotes one of them is left out, and so is evidence that quotes what memory itself brought back
    earlier: a tool's answer must not come round as news. Recent turns that are not among them (no checkpointer, or
    trimmed away) are put back.
    """
    shown = {message.id for message in messages if message.id}
    evidence = tuple(
        e
        for e in package.evidence
        if not (e.ref.session_id == package.session_id and e.ref.message_id in shown) and not is_echo(e.snippet)
    )
    rest = package.model_copy(update={"evidence": evidence})
    stable = "\n\n".join(part for part in (guide, stable_text(rest)) if part)
    return Injection(stable, volatile_text(rest), tuple(_missing(package.recent_turns, messages)))


def is_echo(snippet: str) -> bool:
    """Whether a snippet quotes what memory itself once put into a prompt or a tool's answer."""
    return OPEN in snippet or f"[{FENCE}" in snippet


def inject(request: Any, injection: Injection, placement: Placement) -> Any:
    """A new ``ModelRequest``; the one given, and the state it came from, stay as they are."""
    messages = [*injection.recent, *request.messages]
    volatile = injection.volatile
    if volatile and placement == "user":
        place = next((n for n in range(len(messages) - 1, -1, -1) if isinstance(messages[n], HumanMessage)), None)
        if place is not None:
            messages[place] = _with_text(messages[place], volatile, front=True)
            volatile = ""
    system = request.system_message
    for text in (injection.stable, volatile):
        if text:
            system = SystemMessage(text) if system is None else _with_text(system, text, front=False)
    return request.override(system_message=system, messages=messages)


def _with_text(message: M, text: str, *, front: bool) -> M:
    """A copy with one more text: joined to text, a block of its own beside blocks, whose marks stay."""
    content: Any = message.content
    if isinstance(content, str):
        joined: Any = "\n\n".join(part for part in ((text, content) if front else (content, text)) if part)
    else:
        block = {"type": "text", "text": text}
        joined = [block, *content] if front else [*content, block]
    return message.model_copy(update={"content": joined})


def _missing(recent: Sequence[RecentMessage], messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The recent turns of which the request shows nothing, whole, from the first thing a user said."""
    ids = {message.id for message in messages if message.id}
    words = {spoken(message) for message in messages if isinstance(message, HumanMessage)}
    shown = {
        part.turn_id
        for part in recent
        if part.message.id in ids or (part.role == "user" and part.message.text in words)
    }
    missing = [part.message for part in recent if part.turn_id not in shown]
    start = next((n for n, message in enumerate(missing) if message.role == "user"), len(missing))
    return [from_neutral(message) for message in missing[start:]]
