"""Which messages make a turn. Pure: LlamaIndex says nothing about turns, so they are read off the messages.

A user message opens a turn; an assistant message without tool calls closes it. System messages before the user's belong
to the turn they open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from smartbrain import ContextPackage, Message
from smartbrain.model import media_kinds
from smartbrain_li._messages import with_ids

_INSTRUCTING = frozenset({"system", "developer"})


@dataclass(slots=True, eq=False)
class LiveTurn:
    """A turn of this process: its messages so far, how many of them are staged, and the package it was asked with.

    ``done`` when its answer stands in it. ``asked`` when it was read back before that, as agents do who put first.
    """

    turn_id: str
    messages: list[Message] = field(default_factory=list)
    opened: bool = False
    staged: int = 0
    done: bool = False
    asked: bool = False
    package: ContextPackage | None = None
    package_limit: int = 0
    unanswered: list[tuple[str, str]] = field(default_factory=list)

    def add(self, message: Message) -> None:
        """One more message, under the next id; calls and results get ids that are their own within the turn."""
        message = self._paired(message.model_copy(update={"id": f"{self.turn_id}#{len(self.messages)}"}))
        self.messages.append(message)
        self.done = closes(message) or (self.done and message.role != "user")

    @property
    def waits_for_user(self) -> bool:
        """Whether only instructions stand in it so far."""
        return all(message.role in _INSTRUCTING for message in self.messages)

    @property
    def user_message(self) -> Message | None:
        """The newest words of the user."""
        return next((message for message in reversed(self.messages) if message.role == "user"), None)

    def _paired(self, message: Message) -> Message:
        used = {call.id for known in self.messages for call in known.tool_calls if call.id}
        names: dict[str, str] = {}
        for n, call in enumerate(message.tool_calls):
            new = call.id if call.id and call.id not in used else f"{call.id or 'call'}~{len(self.messages)}.{n}"
            used.add(new)
            names[new] = call.id
            self.unanswered.append((call.id, new))
        result_of = self._answered(message) if message.role == "tool" else None
        renamed = names if any(new != old for new, old in names.items()) else {}
        return with_ids(message, renamed, result_of) if renamed or result_of is not None else message

    def _answered(self, message: Message) -> str | None:
        """The new name of the call that a result answers, None when it has kept its own."""
        pair = next((pair for pair in self.unanswered if pair[0] == (message.tool_call_id or "")), None)
        if pair is None:
            return None
        self.unanswered.remove(pair)
        return pair[1] if pair[1] != pair[0] else None


def closes(message: Message) -> bool:
    """Whether a message ends its turn."""
    return message.role == "assistant" and not message.tool_calls


def opens(message: Message) -> bool:
    """Whether a message begins the next turn."""
    return message.role == "user"


def split_turns(messages: Iterable[Message]) -> list[list[Message]]:
    """A history cut into turns."""
    parts: list[list[Message]] = []
    for message in messages:
        current = parts[-1] if parts else None
        begun = current is not None and any(m.role not in _INSTRUCTING for m in current)
        instructing = message.role in _INSTRUCTING and begun and current is not None and closes(current[-1])
        if current is None or (opens(message) and begun) or instructing:
            parts.append([message])
        else:
            current.append(message)
    return parts


def leading_instructions(messages: Sequence[Message]) -> int:
    """How many system messages a history begins with."""
    return next((n for n, message in enumerate(messages) if message.role not in _INSTRUCTING), len(messages))


def same_turn(stored: Sequence[Message], given: Sequence[Message]) -> bool:
    """Whether a client's copy of a turn is the turn: the same words of the user and the same answer.

    Clients keep what they showed, without tool messages, thoughts and system messages; so that is what is compared.
    """
    return _visible(stored) == _visible(given)


def _visible(messages: Sequence[Message]) -> list[tuple[str, str, int]]:
    asked = [_shown(message) for message in messages if message.role == "user"]
    answers = [_shown(message) for message in messages if closes(message)]
    return asked + answers[-1:]


def _shown(message: Message) -> tuple[str, str, int]:
    return message.role, message.text.strip(), len(media_kinds(message))
