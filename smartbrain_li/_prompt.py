"""What ``get`` returns: remembered text, recent turns and the turn in progress as LlamaIndex messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock

from smartbrain.contracts.rendering import memory_text
from smartbrain_li._messages import from_neutral
from smartbrain_li._session import Recalled

Placement = Literal["auto", "system", "user"]

_TEMPLATE_NAMES = ("context_str", "query_str")


def prompt_messages(recalled: Recalled, placement: Placement) -> list[ChatMessage]:
    """The messages of one ``get``, all of them new objects."""
    package = recalled.package
    recent = [from_neutral(entry.message) for entry in package.recent_turns] if package else []
    turn = [from_neutral(message) for message in recalled.turn]
    if not turn:
        # Engines that put later make a prompt template of what they get.
        recent = [_without_names(message) for message in recent]
    before = [from_neutral(message) for message in recalled.instructions]
    remembered = memory_text(package) if package else ""
    if not remembered:
        return [*before, *recent, *turn]
    if placement == "system" or (placement == "auto" and not turn):
        return [*before, ChatMessage(role=MessageRole.SYSTEM, content=remembered), *recent, *turn]
    if not _in_front(remembered, turn[::-1] or recent):
        recent = [ChatMessage(role=MessageRole.USER, content=remembered), *recent]
    return [*before, *recent, *turn]


def _in_front(text: str, messages: Sequence[ChatMessage]) -> bool:
    """Puts ``text`` before the words of the first user message of ``messages``; False when there is none."""
    message = next((message for message in messages if message.role == MessageRole.USER), None)
    if message is None:
        return False
    first = message.blocks[0] if message.blocks else None
    if isinstance(first, TextBlock):
        # One block stays one: ``content`` of a message with several may not be set.
        message.blocks = [TextBlock(text=f"{text}\n\n{first.text}"), *message.blocks[1:]]
    else:
        message.blocks = [TextBlock(text=text), *message.blocks]
    return True


def _without_names(message: ChatMessage) -> ChatMessage:
    """The message with the two names of LlamaIndex's templates in other braces, so that nothing is filled in there."""
    for block in message.blocks:
        if isinstance(block, TextBlock):
            for name in _TEMPLATE_NAMES:
                block.text = block.text.replace(f"{{{name}}}", f"｛{name}｝")
    return message
