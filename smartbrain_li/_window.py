"""Which turns of a session a chat still shows: all, until it is reset or goes on from an earlier point.

Neither deletes anything. A turn of a fixed id holds where the window begins, so every process sees the same one; being
a turn, each change of it stays in the log as a revision.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from smartbrain import SmartBrain, ToolCall, Turn
from smartbrain.tool_texts import Owner

WINDOW_TURN = "smartbrain_li:window"
_CALL = "chat_window"
_ALL = 10**9


@dataclass(frozen=True, slots=True)
class Window:
    """The turns numbered beyond ``after``, and the earlier ones in the ranges ``kept`` (both ends included)."""

    after: int = 0
    kept: tuple[tuple[int, int], ...] = ()

    def shows(self, seq: int) -> bool:
        """Whether the turn of this number is in the window."""
        return seq > self.after or any(first <= seq <= last for first, last in self.kept)


def read_window(brain: SmartBrain, owner: Owner) -> Window | None:
    """The window of a session, None while it shows everything."""
    found = brain.recall_history(owner.session_id, turn_ids=[WINDOW_TURN], around=0, **owner.scopes())
    for turn in found:
        if turn.session_id == owner.session_id and turn.tool_calls:
            args = turn.tool_calls[0].args
            return Window(int(args["after"]), tuple((int(a), int(b)) for a, b in args["kept"]))
    return None


def write_window(brain: SmartBrain, owner: Owner, after: int, kept: Collection[int]) -> None:
    """Moves the window: turns up to ``after`` leave it, those numbered in ``kept`` stay."""
    args: dict[str, Any] = {"after": after, "kept": [list(pair) for pair in _ranges(sorted(kept))]}
    call = ToolCall(id=WINDOW_TURN, name=_CALL, args=args)
    brain.commit_turn(owner.session_id, {"tool_calls": [call]}, turn_id=WINDOW_TURN, **owner.scopes())


def session_turns(brain: SmartBrain, owner: Owner) -> list[Turn]:
    """Every turn of the session in which something was said, in the order of their numbers."""
    turns = brain.recall_history(owner.session_id, around=0, limit=_ALL, **owner.scopes())
    return sorted((turn for turn in turns if turn.messages), key=lambda turn: turn.seq)


def hidden_turns(brain: SmartBrain, owner: Owner, window: Window, turn_ids: Collection[str]) -> set[str]:
    """Those of these turns that the window does not show."""
    if not turn_ids:
        return set()
    turns = brain.recall_history(owner.session_id, turn_ids=turn_ids, around=0, **owner.scopes())
    return {turn.turn_id for turn in turns if not window.shows(turn.seq)}


def _ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
