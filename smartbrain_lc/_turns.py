"""Which messages of a graph's state are the turn being answered.

The state is the authority while it still holds what the user said. Middleware may remove that (summarising), and the
run may stop and go on elsewhere; so a small plain mark, persisted with the state, says which turn it is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage

from smartbrain.policies.planning import asked_part
from smartbrain.tool_texts import Owner
from smartbrain_lc._identity import owner_data, owner_of
from smartbrain_lc._messages import spoken

_BARE_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Mark:
    """The turn being answered: its id, its user messages' ids, what was asked, whose memory it is."""

    turn_id: str
    user_ids: tuple[str, ...]
    asked: str
    owner: Owner
    recorded: bool = True

    def to_state(self) -> dict[str, Any]:
        """Plain values for the state; no text beyond what retrieval reads of the question."""
        return {
            "turn_id": self.turn_id,
            "user_ids": list(self.user_ids),
            "asked": self.asked,
            "owner": owner_data(self.owner),
            "recorded": self.recorded,
        }

    @classmethod
    def from_state(cls, data: Mapping[str, Any] | None) -> Self | None:
        """The mark in a state, if there is one."""
        if not data:
            return None
        return cls(data["turn_id"], tuple(data["user_ids"]), data["asked"], owner_of(data["owner"]), data["recorded"])


def is_summary(message: BaseMessage) -> bool:
    """Whether SummarizationMiddleware wrote it in place of older messages."""
    return message.additional_kwargs.get("lc_source") == "summarization"


def user_messages(messages: Sequence[BaseMessage], before: Mark | None) -> list[HumanMessage]:
    """What the user said last: the trailing user messages; when an answer follows already, the last user message.

    Those of the turn before (``before``) that were never answered are not said again by what follows them.
    """
    said: list[HumanMessage] = []
    for message in reversed(messages):
        if isinstance(message, HumanMessage) and not is_summary(message):
            said.insert(0, message)
        elif not isinstance(message, SystemMessage):
            break
    if not said:
        said = [m for m in messages if isinstance(m, HumanMessage) and not is_summary(m)][-1:]
    if before and said and said[-1].id not in before.user_ids:
        said = [m for m in said if m.id not in before.user_ids]
    return said


def make_mark(messages: Sequence[BaseMessage], said: Sequence[HumanMessage], owner: Owner, *, recorded: bool) -> Mark:
    """The mark of the turn in which the user said ``said``."""
    return Mark(_turn_id(messages, said, owner), tuple(m.id or "" for m in said), asked_in(said), owner, recorded)


def asked_in(said: Sequence[BaseMessage]) -> str:
    """What retrieval reads of the user's messages."""
    return asked_part("\n".join(spoken(m) for m in said))


def turn_messages(messages: Sequence[BaseMessage], mark: Mark) -> list[BaseMessage] | None:
    """The turn's messages from what the user said on, or None when the state no longer holds that."""
    start = next((n for n, m in enumerate(messages) if m.id and m.id in mark.user_ids), None)
    return None if start is None else kept(messages[start:])


def tail(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The last answer of the model and what followed it: all that can be new since the last look.

    Always a scan: a human's rejection may have put tool messages behind the answer already.
    """
    last = next((n for n in range(len(messages) - 1, -1, -1) if isinstance(messages[n], AIMessage)), None)
    user = next((n for n in range(len(messages) - 1, -1, -1) if isinstance(messages[n], HumanMessage)), -1)
    return [] if last is None or last < user else kept(messages[last:])


def kept(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The messages that are said in a conversation: no prompts, no summaries, no orders to the state."""
    return [m for m in messages if not isinstance(m, (SystemMessage, RemoveMessage)) and not is_summary(m)]


def _turn_id(messages: Sequence[BaseMessage], said: Sequence[HumanMessage], owner: Owner) -> str:
    """The last user message's id; a digest of the whole history for a caller that rebuilds it for every call.

    Such a caller's messages get new random ids each time, which shows in its answers: a model's own ids are no bare
    UUIDs. The whole history counts, so that a second "yes" is a turn of its own.
    """
    first = messages.index(said[0])
    answers = [m for m in messages[:first] if isinstance(m, AIMessage)]
    own_id = said[-1].id or ""
    if own_id and not (answers and _BARE_UUID.fullmatch(own_id) and _BARE_UUID.fullmatch(answers[-1].id or "")):
        return own_id
    digest = hashlib.sha256(owner.session_id.encode("utf-8", "surrogatepass"))
    for message in [*messages[:first], *said]:
        digest.update(f"\x1e{message.type}\x1f{message.content!r}".encode("utf-8", "surrogatepass"))
        if isinstance(message, ToolMessage):
            digest.update(f"\x1f{message.tool_call_id}".encode("utf-8", "surrogatepass"))
    return f"turn-{digest.hexdigest()[:32]}"
