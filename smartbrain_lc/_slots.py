"""A context package as prompt variables."""

from __future__ import annotations

from typing import Any, Literal, get_args

from langchain_core.messages import BaseMessage, SystemMessage

from smartbrain.contracts.context import ContextPackage
from smartbrain.contracts.rendering import memory_text
from smartbrain_lc._messages import from_neutral

Slot = Literal["system_blocks", "developer_blocks", "working_summary", "recent_turns", "evidence", "memory", "all"]
SLOTS: tuple[Slot, ...] = get_args(Slot)


def slot_value(package: ContextPackage | None, slot: Slot, messages: bool) -> str | list[BaseMessage]:
    """One slot's value; empty for no package.

    Five slots are the package's own. ``"memory"`` is pinned memory, summary and evidence in one text, ``"all"`` that
    and the recent turns. With ``messages``, recent turns are LangChain messages, and ``"all"`` is a system message
    with the memory and then those.
    """
    as_list = messages and slot in ("recent_turns", "all")
    if package is None:
        return [] if as_list else ""
    if as_list:
        said = [from_neutral(part.message) for part in package.recent_turns]
        text = memory_text(package) if slot == "all" else ""
        return [SystemMessage(text), *said] if text else said
    if slot == "memory":
        return memory_text(package)
    variables: dict[str, Any] = package.to_prompt_variables()
    if slot == "all":
        return "\n\n".join(text for text in (memory_text(package), variables["recent_turns"]) if text)
    return str(variables[slot])
