"""Which turns of a session a chat still shows: all, until it is reset or goes on from an earlier point.

Neither deletes anything. A turn of a fixed id holds where the window begins, so every process sees the same one; being
a turn, each change of it stays in the log as a revision.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from smartbrain import SmartBrain, ToolCall, Turn
from smartbrain.contracts.scopes import resolve_access
from smartbrain.ports import OpenTurn
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


def session_turns(brain: SmartBrain, owner: Owner, limit: int = _ALL) -> list[Turn]:
    """The newest turns of the session in which something was said, in the order of their numbers."""
    turns = brain.recall_history(owner.session_id, around=0, limit=limit, **owner.scopes())
    return sorted((turn for turn in turns if turn.messages), key=lambda turn: turn.seq)


def open_turns(brain: SmartBrain, owner: Owner) -> list[OpenTurn]:
    """The turns of the session that were begun and not committed, by any process, oldest first."""
    access = resolve_access(owner.session_id, **owner.scopes())
    # The brain has no call that only looks at open turns; opening or sweeping them would change them.
    with brain._shop.storage.read() as reader:
        return [turn for turn in reader.open_turns([access.default_write], owner.session_id) if turn.staged]


def newest_shown(brain: SmartBrain, owner: Owner, window: Window, most: int) -> list[Turn]:
    """The newest turns that the window shows, at most so many, oldest first."""
    for limit in (8 * most, _ALL):
        turns = session_turns(brain, owner, limit)
        shown = [turn for turn in turns if window.shows(turn.seq)]
        if len(shown) >= most or len(turns) < limit:
            break
    return shown[-most:]


def _ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
