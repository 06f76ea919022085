"""Messages whose content is a list of blocks with calls and results among them, as Anthropic's are: taken apart, so
that each result is a message of its own behind the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from smartbrain.model import Message, Role, ToolCall
from smartbrain.transfer.chats.values import Skipped, arguments, moment

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use", "tool_call"})
_RESULTS = frozenset({"tool_result", "web_search_tool_result", "mcp_tool_result", "code_execution_tool_result"})
_TEXTS = frozenset({"text", "input_text", "output_text"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning"})
# Marks of the program's own page, which nobody said.
_SILENT = frozenset({"token_budget", "flag"})


def has_tools(content: Sequence[Any]) -> bool:
    """Whether there are calls or results among the blocks."""
    return any(isinstance(block, Mapping) and str(block.get("type")) in _CALLS | _RESULTS for block in content)


def messages(
    content: Sequence[Any], role: Role, message_id: str, at: datetime | None, skipped: Skipped
) -> Iterator[Message]:
    """The blocks as messages in their order; the first has the id, the others the id with a number."""
    parts = _Parts(role, message_id, at)
    for block in content:
        kind = str(block.get("type")) if isinstance(block, Mapping) else ""
        if isinstance(block, str):
            parts.text(block)
        elif kind in _TEXTS:
            parts.text(str(block.get("text") or ""))
        elif kind in _THOUGHTS:
            parts.blocks.append(dict(block))
        elif kind in _CALLS:
            parts.call(block)
        elif kind in _RESULTS:
            yield from parts.result(block)
        elif kind in _SILENT or not isinstance(block, Mapping):
            skipped[f"block of type {kind!r}"] += 1
        else:
            parts.blocks.append(dict(block))
    yield from parts.rest()


class _Parts:
    """What was read of a message since its last result."""

    def __init__(self, role: Role, message_id: str, at: datetime | None) -> None:
        self._role = role
        self._id = message_id
        self._at = at
        self._count = 0
        self._texts: list[str] = []
        self._calls: list[ToolCall] = []
        self.blocks: list[dict[str, Any]] = []

    def text(self, text: str) -> None:
        if text.strip():
            self._texts.append(text)

    def call(self, block: Mapping[str, Any]) -> None:
        name = str(block.get("name") or block.get("tool_name") or "tool")
        call_id = str(block.get("id") or block.get("tool_call_id") or f"{self._id}/call-{len(self._calls)}")
        given: Any = next((block[key] for key in ("input", "args", "arguments", "tool_kwargs") if key in block), {})
        self._calls.append(ToolCall(id=call_id, name=name, args=arguments(given)))

    def result(self, block: Mapping[str, Any]) -> Iterator[Message]:
        yield from self.rest()
        content = block.get("content")
        meta: dict[str, Any] = {} if content is None or isinstance(content, str) else {"result": content}
        if block.get("is_error"):
            meta["is_error"] = True
        yield Message(
            id=self._next_id(),
            role="tool",
            name=str(block["name"]) if block.get("name") else None,
            tool_call_id=str(block.get("tool_use_id") or block.get("tool_call_id") or ""),
            content=result_text(content),
            created_at=moment(block.get("stop_timestamp")) or self._at,
            meta=meta,
        )

    def rest(self) -> Iterator[Message]:
        if self._texts or self._calls or self.blocks:
            yield Message(
                id=self._next_id(),
                role=self._role,
                content="\n\n".join(self._texts) or None,
                tool_calls=tuple(self._calls),
                blocks=tuple(self.blocks),
                created_at=self._at,
            )
        self._texts, self._calls, self.blocks = [], [], []

    def _next_id(self) -> str:
        self._count += 1
        return self._id if self._count == 1 or not self._id else f"{self._id}/{self._count}"


def result_text(content: Any) -> str:
    """The words of a tool's result."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, Sequence):
        return "" if content is None else str(content)
    found = []
    for block in content:
        if isinstance(block, str):
            found.append(block)
        elif isinstance(block, Mapping):
            said = [block.get("title"), block.get("url"), block.get("text")]
            found.append("\n".join(part for part in said if isinstance(part, str) and part))
    return "\n\n".join(part for part in found if part)
