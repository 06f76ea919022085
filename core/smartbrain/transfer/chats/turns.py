"""Chats as turns: a user's message with all that came of it, at its own time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from smartbrain.model import Message
from smartbrain.transfer.chats.values import Chat, Said, with_results


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One turn as ``commit_turn`` takes it. ``occurred_at`` is None where the file tells no time."""

    session_id: str
    turn_id: str
    events: dict[str, Any]
    occurred_at: datetime | None


def turns(chat: Chat, format: str) -> Iterator[ChatTurn]:
    """The turns of a chat, in its session ``format:id``. A turn has the id of its first message, or its number.

    One without a time of its own happened a microsecond after the one before it, so that the order stays.
    """
    session_id = f"{format}:{chat.id}"
    last = chat.started_at
    for number, said in enumerate(_exchanges(chat), start=1):
        messages = tuple(one.message for one in said)
        at = next((message.created_at for message in messages if message.created_at), None)
        if at is None and last is not None:
            at = last if number == 1 else last + timedelta(microseconds=1)
        last = at or last
        events: dict[str, Any] = {"messages": messages, "meta": {"imported_from": format}}
        if chat.title:
            events["meta"]["title"] = chat.title
        calls = with_results(messages)
        if calls:
            events["tool_calls"] = calls
        refs = [ref for one in said for ref in one.refs]
        if refs:
            events["refs"] = refs
        yield ChatTurn(session_id, messages[0].id or f"{session_id}#{number}", events, at)


def _exchanges(chat: Chat) -> Iterator[list[Said]]:
    """What belongs together. What stands before the first question belongs to it."""
    turn: list[Said] = []
    asked = False
    for one in _own_ids(chat.said):
        if turn and (chat.each or (one.message.role == "user" and (asked or _spoken(turn)))):
            yield turn
            turn, asked = [], False
        turn.append(one)
        asked = asked or one.message.role == "user"
    if turn:
        yield turn


def _spoken(turn: Sequence[Said]) -> bool:
    """Whether anybody but the system has said something."""
    return any(one.message.role not in {"system", "developer"} for one in turn)


def _own_ids(said: Sequence[Said]) -> Iterator[Said]:
    """The messages with ids that are given once in the chat; a second use loses it."""
    seen: set[str] = set()
    for one in said:
        message: Message = one.message
        if message.id and message.id in seen:
            message = message.model_copy(update={"id": ""})
        seen.add(message.id)
        yield Said(message, one.refs)
