"""How the slots of a ``ContextPackage`` become text and messages.

What was remembered is data: it is escaped, marked with who said it, and stands inside the fence of ``text.fence``.
The application's own rules (developer blocks) are trusted and stand outside. A slot that is empty renders to nothing.

The order keeps prompt caches warm: first what changes only with pinned memory (``stable_text``), then the recent turns
verbatim, then what depends on the question (``volatile_text``), as late as the user message allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Literal

from smartbrain.contracts.context import ContextEvidence, ContextPackage, RecentMessage, SystemBlock
from smartbrain.model import Message, Trust, message_text
from smartbrain.text.clean import dumps
from smartbrain.text.fence import fence

Placement = Literal["system", "user"]

_ORIGIN: dict[Trust, str] = {
    "user": "said by user",
    "assistant": "said by assistant",
    "tool": "from tool",
    "resource": "from resource",
    "system": "from system",
}
_GAP = "\n\n"


def prompt_variables(package: ContextPackage, messages: bool = False) -> dict[str, str | list[dict[str, Any]]]:
    """One entry per slot, an empty string (or list) for an empty one.

    With ``messages`` the recent turns are a message list, verbatim; else they are fenced text like all other memory.
    """
    turns = package.recent_turns
    return {
        "system_blocks": fence(system_lines(package.system_blocks)),
        "developer_blocks": _developer_text(package),
        "working_summary": fence(summary_lines(package.working_summary)),
        "recent_turns": [message_dict(turn.message) for turn in turns] if messages else fence(_turn_lines(turns)),
        "evidence": fence(_evidence_lines(package.evidence)),
        "user_message": message_text(package.user_message.content),
    }


def package_messages(package: ContextPackage, placement: Placement = "system") -> list[dict[str, Any]]:
    """The package as neutral messages: ``role`` and ``content``, for tools ``tool_calls``, ``tool_call_id``, ``name``.

    ``placement`` says where the volatile part goes: a system message of its own just before the user message
    (``"system"``), or in front of the user message's own words (``"user"``). Block contents keep their blocks.
    """
    stable, volatile = stable_text(package), volatile_text(package)
    content = deepcopy(package.user_message.content)
    messages = [_said("system", stable)] if stable else []
    messages += [message_dict(turn.message) for turn in package.recent_turns]
    if volatile and placement == "system":
        messages.append(_said("system", volatile))
    elif volatile:
        content = _in_front(volatile, content)
    return [*messages, _said("user", content)] if content else messages


def package_text(package: ContextPackage) -> str:
    """The whole package as one text; the user message stands last, as it is."""
    parts = (
        stable_text(package),
        fence(_turn_lines(package.recent_turns)),
        volatile_text(package),
        message_text(package.user_message.content),
    )
    return _GAP.join(part for part in parts if part)


def memory_text(package: ContextPackage) -> str:
    """System blocks, summary and evidence in one fence: for a framework that holds the recent turns itself."""
    parts = (
        system_lines(package.system_blocks),
        summary_lines(package.working_summary),
        _evidence_lines(package.evidence),
    )
    return fence("\n".join(part for part in parts if part))


def stable_text(package: ContextPackage) -> str:
    """System and developer blocks: the part that stays the same, byte for byte, until pinned memory changes."""
    parts = (fence(system_lines(package.system_blocks)), _developer_text(package))
    return _GAP.join(part for part in parts if part)


def volatile_text(package: ContextPackage) -> str:
    """Summary and evidence in one fence: the part that depends on the question."""
    parts = (summary_lines(package.working_summary), _evidence_lines(package.evidence))
    return fence("\n".join(part for part in parts if part))


def message_dict(message: Message) -> dict[str, Any]:
    """One message, verbatim, as a neutral mapping of its own; only what is set is in it."""
    calls = [{"id": call.id, "name": call.name, "args": deepcopy(call.args)} for call in message.tool_calls]
    content = deepcopy(message.content)
    if content is None and not calls:
        content = ""
    extras = {
        "name": message.name,
        "tool_calls": calls,
        "tool_call_id": message.tool_call_id,
        "blocks": [deepcopy(block) for block in message.blocks],
    }
    return {"role": message.role, "content": content} | {name: value for name, value in extras.items() if value}


def system_lines(blocks: Sequence[SystemBlock]) -> str:
    """The pinned memory, block by block, without its times: the text must change with the content only."""
    return "\n".join(f"- [{block.type}] {_indented(block.text)} ({_ORIGIN[block.trust]})" for block in blocks)


def evidence_entry(number: int, evidence: ContextEvidence) -> str:
    """One piece of evidence: its name, where it is from, the snippet, and how it was found and said."""
    title, uri = _one_line(evidence.title), _one_line(evidence.source_uri)
    head = f"- [E{number}] {f'{title} — {uri}' if title else uri}{' (superseded)' if evidence.stale else ''}"
    notes = [f"mode={evidence.mode}", f"score={evidence.score:.2f}", _ORIGIN[evidence.trust]]
    if evidence.occurred_at:
        notes.append(evidence.occurred_at.date().isoformat())
    lines = [head, f"  {_indented(evidence.snippet)}", f"  ({', '.join(notes)})"]
    return "\n".join(line for line in lines if line.strip())


def _developer_text(package: ContextPackage) -> str:
    return "\n".join(block.text for block in package.developer_blocks)


def summary_lines(summary: str | None) -> str:
    """The rolling summary under its heading."""
    return f"Summary of the conversation so far:\n  {_indented(summary)}" if summary and summary.strip() else ""


def _evidence_lines(evidence: Sequence[ContextEvidence]) -> str:
    return "\n".join(["Evidence:", *(evidence_entry(n, e) for n, e in enumerate(evidence, 1))]) if evidence else ""


def _turn_lines(turns: Sequence[RecentMessage]) -> str:
    return "\n".join(["Recent turns:", *(message_line(turn.message) for turn in turns)]) if turns else ""


def message_line(message: Message) -> str:
    """A message as one paragraph: who, the words, and the tools it called."""
    calls = [f"{call.name}({_json(call.args)})" for call in message.tool_calls]
    said = " ".join(part for part in (message.text, *(f"[calls {call}]" for call in calls)) if part)
    who = f"{message.role} {message.name}" if message.name else message.role
    return f"{_one_line(who)}: {_indented(said)}"


def _json(value: Any) -> str:
    """JSON where the value has one, else its ``repr``: what a tool was called with may be any Python value."""
    try:
        return dumps(value)
    except (TypeError, ValueError):
        return repr(value)


def _said(role: str, content: str | list[dict[str, Any]] | None) -> dict[str, Any]:
    return {"role": role, "content": content}


def _in_front(text: str, content: str | list[dict[str, Any]] | None) -> str | list[dict[str, Any]]:
    if isinstance(content, list):
        return [{"type": "text", "text": text}, *content]
    return f"{text}{_GAP}{content}" if content else text


def _indented(text: str) -> str:
    """Lines after the first stand further in, so that no remembered text can look like an entry of the list."""
    return "\n  ".join(text.strip().splitlines())


def _one_line(text: str) -> str:
    return " ".join(text.split())
