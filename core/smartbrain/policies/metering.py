"""Counting while composing: pieces before they are placed, and the whole package as it is rendered."""

from __future__ import annotations

from typing import Any

from smartbrain.contracts.context import ContextPackage, SlotName
from smartbrain.contracts.rendering import message_dict, stable_text, summary_lines, system_lines, volatile_text
from smartbrain.model import Message
from smartbrain.policies.shortening import Content
from smartbrain.ports import TokenCounter
from smartbrain.text.fence import escape, fence
from smartbrain.text.tokens import count_message, count_messages


class Meter:
    """Counts with one counter and remembers what a message costs, because the same messages are asked for again.

    Messages are remembered by identity: a meter lives for one composition, which holds on to its messages.
    """

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self._messages: dict[int, int] = {}
        self.primer = count_messages(counter, [])
        self.envelope = self._said("system", "")
        self.fence = self._said("system", fence("-\n")) - self.envelope

    def line(self, text: str) -> int:
        """Tokens of a line (or several) that will stand among others, escaped if it is memory."""
        return self._counter.count(f"{text}\n")

    def memory(self, text: str) -> int:
        """Tokens of a line of memory, as it stands inside the fence."""
        return self.line(escape(text))

    def message(self, message: Message) -> int:
        """Tokens of one message of the recent window."""
        known = self._messages.get(id(message))
        if known is None:
            known = self._messages[id(message)] = count_message(self._counter, message_dict(message))
        return known

    def user(self, content: Content) -> int:
        """Tokens of the user message."""
        return self._said("user", content) if content else 0

    def package(self, package: ContextPackage) -> dict[SlotName, int]:
        """Tokens of the package by slot; they add up to ``count_messages`` of what ``to_messages`` renders.

        What belongs to no slot, the opening of the model's answer, is counted with the user message. All zero for a
        package that renders to nothing.
        """
        recent = [self.message(turn.message) for turn in package.recent_turns]
        # The messages around the recent turns, of which each was counted before, as ``to_messages`` renders them.
        texts = stable_text(package), volatile_text(package)
        stable, volatile = (self._said("system", text) if text else 0 for text in texts)
        user = self.user(package.user_message.content)
        system = self._alone(fence(system_lines(package.system_blocks)), bool(package.developer_blocks), stable)
        summary = self._alone(fence(summary_lines(package.working_summary)), bool(package.evidence), volatile)
        return {
            "system_blocks": system,
            "developer_blocks": stable - system,
            "working_summary": summary,
            "recent_turns": sum(recent),
            "evidence": volatile - summary,
            "user_message": user + (self.primer if stable or recent or volatile or user else 0),
        }

    def _alone(self, text: str, shared: bool, whole: int) -> int:
        """What of a message's ``whole`` is due to ``text``: all of it, unless it is shared with another slot."""
        if not text:
            return 0
        return min(whole, self._said("system", text)) if shared else whole

    def _said(self, role: str, content: Any) -> int:
        return count_message(self._counter, {"role": role, "content": content})
