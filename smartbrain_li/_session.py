"""One session of one brain in this process: its turn in progress, what is read back, where its window begins.

Everything durable is in the store: the turn in progress is staged there, the window is a turn of its own. What is kept
here only saves reading, and can be made again.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from smartbrain import CommitResult, ContextPackage, ForgetReceipt, Message, SmartBrain, Turn
from smartbrain.contracts.rendering import message_dict
from smartbrain.errors import ConflictError, InputError, NotFoundError
from smartbrain.text.tokens import HeuristicTokenCounter, count_message
from smartbrain.tool_texts import Owner
from smartbrain_li._messages import tool_records
from smartbrain_li._shown import shown_package, without_recent
from smartbrain_li._turns import (
    LiveTurn,
    closes,
    leading_instructions,
    opens,
    same_turn,
    split_turns,
)
from smartbrain_li._window import (
    WINDOW_TURN,
    open_turns,
    read_window,
    session_turns,
    write_window,
)

_REMEMBERED_TURNS = 32
_LEAST_TOKENS = 64
"""With less room than this memory is left out: its frame alone takes about so much."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What one ``get`` found: instructions, the package, and the turn in progress, all for the caller to render."""

    instructions: tuple[Message, ...]
    package: ContextPackage | None
    turn: tuple[Message, ...]
    cached: bool


class Session:
    """Shared by all memories of one session; safe to share between threads."""

    def __init__(self, brain: SmartBrain, owner: Owner) -> None:
        self.brain = brain
        self.owner = owner
        self._lock = threading.RLock()
        self._current: LiveTurn | None = None
        self._turns: OrderedDict[str, LiveTurn] = OrderedDict()
        self._runs: OrderedDict[str, LiveTurn] = OrderedDict()
        self._unsaved: OrderedDict[str, LiveTurn] = OrderedDict()
        self._instructions: list[Message] = []
        self._told: list[Message] = []
        self._left_open = False

    # -- putting -------------------------------------------------------------------------------------------------

    def put(
        self, messages: Sequence[Message], *, run_id: str | None, answering: str | None
    ) -> tuple[str | None, list[CommitResult]]:
        """Adds messages to their turns, durably; returns the newest turn's id and what was committed.

        ``run_id`` names the agent run they come from, ``answering`` the turn that the caller's context belongs to, if
        they are known. Raises what the store raises; the messages are kept then and saved with the next call.
        """
        with self._lock:
            if not all(opens(message) for message in messages[:1]):
                self._in_progress()
            touched: OrderedDict[str, LiveTurn] = OrderedDict(self._unsaved)
            turn = None
            for message in messages:
                turn = self._turn_for(message, run_id, answering)
                turn.add(message)
                touched[turn.turn_id] = turn
                if opens(message):
                    answering = turn.turn_id  # what follows in this call answers this, whatever the context says
                if message.role in {"system", "developer"}:
                    self._told.append(turn.messages[-1])
            return (turn.turn_id if turn else None), self._save_all(touched.values())

    def _turn_for(self, message: Message, run_id: str | None, answering: str | None) -> LiveTurn:
        current = self._current
        if opens(message):
            found = current if current is not None and not current.done and current.waits_for_user else None
        else:
            late = self._turns.get(answering or "")
            found = self._runs.get(run_id or "") or (late if late is not None and not late.done else None)
            found = found or (current if current is not None and not current.done else None)
        if found is None:
            self._left_open = self._left_open or (current is not None and current.opened and not current.done)
            found = self._current = self._live(LiveTurn(uuid.uuid4().hex))
        if run_id:
            _keep(self._runs, run_id, found)
        return found

    def _live(self, turn: LiveTurn) -> LiveTurn:
        _keep(self._turns, turn.turn_id, turn)
        return turn

    def _save_all(self, turns: Any) -> list[CommitResult]:
        results: list[CommitResult] = []
        failure: Exception | None = None
        for turn in list(turns):
            try:
                saved = self._save(turn)
                self._unsaved.pop(turn.turn_id, None)
            except InputError:
                self._unsaved.pop(turn.turn_id, None)  # it would be refused again
                raise
            except Exception as error:  # noqa: BLE001 - whatever the store raised, the turn must not be lost
                self._unsaved[turn.turn_id] = turn
                failure = failure or error
            else:
                results += [saved] if saved else []
        if failure is not None:
            raise failure
        return results

    def _save(self, turn: LiveTurn) -> CommitResult | None:
        if turn.done or turn is not self._current:
            if self._left_open:
                self.brain.sweep(self.owner.session_id, **self.owner.scopes())
                self._left_open = False
            return self._commit(turn)
        try:
            self._stage(turn)
        except (NotFoundError, ConflictError):
            # Somebody closed it in the meantime: another process went on, or a sweep. All of it becomes a revision.
            return self._commit(turn)
        return None

    def _stage(self, turn: LiveTurn) -> None:
        if not turn.opened:
            self.brain.open_turn(self.owner.session_id, turn_id=turn.turn_id, **self.owner.scopes())
            turn.opened = True
            self._left_open = False  # opening a turn sweeps what was left
        fresh = turn.messages[turn.staged :]
        self.brain.stage(self.owner.session_id, turn.turn_id, messages=fresh, **self.owner.scopes())
        turn.staged = len(turn.messages)

    def _commit(self, turn: LiveTurn) -> CommitResult:
        return self.brain.commit_turn(
            self.owner.session_id, _events(turn.messages), turn_id=turn.turn_id, **self.owner.scopes()
        )

    # -- getting -------------------------------------------------------------------------------------------------

    def recall(self, query: str | None, *, token_limit: int, compose: bool = True) -> Recalled:
        """What to show the model: for ``query`` when it is not put yet, else for the turn in progress.

        ``token_limit`` bounds everything that is returned except the current turn itself, which is always whole.
        Without ``compose`` the store is not asked: only what this process holds is returned.
        """
        with self._lock:
            turn = self._turn_asked(query, self._in_progress() if compose else self._current)
            told = [] if turn is None else turn.messages
            own = {message.id for message in told}
            instructions = (*self._instructions, *(message for message in self._told if message.id not in own))
        if not compose:
            return Recalled(instructions, None, tuple(told), cached=False)
        if turn is None:
            limit = token_limit - self._tokens(instructions)
            package = self._composed(query, limit, None) if limit >= _LEAST_TOKENS else None
            return Recalled(instructions, package, (), cached=False)
        package, cached = self._turn_package(turn, token_limit - self._tokens(instructions))
        return Recalled(instructions, package, tuple(turn.messages), cached)

    def remembered(self, content: Any, *, token_limit: int) -> ContextPackage:
        """A package for a caller who shows its own recent messages: without recent turns, their words as evidence."""
        package = self.brain.compose_context(
            self.owner.session_id, content, token_limit=token_limit, **self.owner.scopes()
        )
        return without_recent(self.brain, self.owner, package)

    def _turn_asked(self, query: str | None, turn: LiveTurn | None) -> LiveTurn | None:
        if turn is None or query is None:
            if turn is not None and not turn.done:
                turn.asked = True
            return turn
        # Agents ask again with the user's words; engines that put later ask with words that are in no turn yet.
        asked = turn.user_message
        mine = turn.asked and not turn.done and asked is not None and asked.text == query
        return turn if mine else None

    def _turn_package(self, turn: LiveTurn, token_limit: int) -> tuple[ContextPackage | None, bool]:
        asked = turn.user_message
        rest = self._tokens([message for message in turn.messages if message is not asked])
        limit = token_limit - rest
        kept = turn.package
        if kept is not None and (
            limit == turn.package_limit or kept.constraints.token_budget.used_estimate <= limit <= turn.package_limit
        ):
            return kept, True
        if limit < _LEAST_TOKENS:
            return None, False
        package = self._composed(asked.content if asked else None, limit, turn.turn_id)
        turn.package, turn.package_limit = package, limit
        return package, False

    def _composed(self, content: Any, token_limit: int, turn_id: str | None) -> ContextPackage:
        package = self.brain.compose_context(
            self.owner.session_id, content, token_limit=token_limit, turn_id=turn_id, **self.owner.scopes()
        )
        window = read_window(self.brain, self.owner) if package.recent_turns else None
        return shown_package(self.brain, self.owner, package, window, turn_id) if window else package

    def _tokens(self, messages: Sequence[Message]) -> int:
        counter = HeuristicTokenCounter(self.brain.config.policies.composition.token_profile)
        return sum(count_message(counter, message_dict(message)) for message in messages)

    # -- the whole history ---------------------------------------------------------------------------------------

    def history(self) -> list[Message]:
        """Every message of the window, as it was put, the turn in progress last."""
        with self._lock:
            turns = self._shown_turns()
            current = self._in_progress()
            waiting = [*self._unsaved.values(), *([current] if current is not None else [])]
            stored = {turn.turn_id for turn in turns}
            # Of a turn that is not committed yet, or was continued since, this process knows more than the log.
            live = {turn.turn_id: turn.messages for turn in waiting if turn.turn_id in self._turns}
            found = [m for turn in turns for m in live.get(turn.turn_id, turn.messages)]
            found += [m for turn_id, messages in live.items() if turn_id not in stored for m in messages]
            return [*self._instructions, *found]

    def replace(self, messages: Sequence[Message], *, run_id: str | None) -> list[CommitResult]:
        """Makes ``messages`` the history: what is known stays, what is new is learnt, what is gone leaves the window.

        Nothing is deleted: turns that the history no longer holds stay in the log and may be found.
        """
        with self._lock:
            first = leading_instructions(messages)
            given = split_turns(messages[first:])
            known = self._shown_turns()
            matched = _matched(known, given)
            live = self._in_progress()
            went_on = matched == len(known) and matched == len(given) - 1 and live is not None and not live.done
            if went_on and live is not None and same_turn(live.messages, given[-1]):
                self._instructions, self._told = list(messages[:first]), []
                self._name_run(run_id)
                return []
            self._close_open_turn()
            if matched < len(known):
                self._move_window([turn.seq for turn in known[:matched]])
            self._instructions, self._told = list(messages[:first]), []
            if matched == len(given):
                self._current = self._restored(known[matched - 1]) if matched else None
                self._name_run(run_id)
                return []
            return self._learn(given[matched:], run_id)

    def reset(self) -> int:
        """Starts an empty window; returns how many turns left it. The log keeps them all."""
        with self._lock:
            self._close_open_turn()
            known = self._shown_turns()
            if known:
                self._move_window([])
            self._instructions, self._told = [], []
            return len(known)

    def forget(self, *, dry_run: bool, **wish: Any) -> ForgetReceipt:
        """Deletes for good from the store; without a wish the whole session."""
        scopes = self.owner.scopes()
        wide = wish.get("everything") or wish.get("query") or wish.get("item_id")
        session_id = None if wide and scopes else self.owner.session_id
        with self._lock:
            return self.brain.forget(session_id=session_id, **scopes, **wish, dry_run=dry_run)

    def drop(self, turn_ids: Collection[str] | None, *, instructions: bool = False) -> None:
        """Lets go of what this process holds of forgotten turns; None: of all of them."""
        with self._lock:
            for held in (self._turns, self._runs, self._unsaved):
                for name in [name for name, turn in held.items() if turn_ids is None or turn.turn_id in turn_ids]:
                    del held[name]
            if self._current is not None and (turn_ids is None or self._current.turn_id in turn_ids):
                self._current = None
            if instructions:
                self._instructions, self._told = [], []

    def _learn(self, parts: Sequence[Sequence[Message]], run_id: str | None) -> list[CommitResult]:
        turns = []
        for part in parts:
            turn = self._live(LiveTurn(uuid.uuid4().hex))
            for message in part:
                turn.add(message)
            turns.append(turn)
        self._current = turns[-1]
        self._name_run(run_id)
        whole = [turn for turn in turns if turn is not self._current or turn.done]
        entries = [
            {"session_id": self.owner.session_id, "turn_id": turn.turn_id, "turn_events": _events(turn.messages)}
            for turn in whole
        ]
        results = self.brain.commit_turns(entries, **self.owner.scopes()) if entries else []
        return results + ([] if self._current.done else self._save_all([self._current]))

    def _name_run(self, run_id: str | None) -> None:
        if run_id and self._current is not None:
            _keep(self._runs, run_id, self._current)

    def _close_open_turn(self) -> None:
        """What is in progress ends here, before the window moves: so it is among the turns that leave it."""
        if self._current is None or not self._current.done:
            self.brain.sweep(self.owner.session_id, **self.owner.scopes())
        self._current = None

    def _move_window(self, kept: Sequence[int]) -> None:
        last = max((turn.seq for turn in session_turns(self.brain, self.owner)), default=0)
        write_window(self.brain, self.owner, last, kept)

    def _shown_turns(self) -> list[Turn]:
        turns = session_turns(self.brain, self.owner)
        window = read_window(self.brain, self.owner) if turns else None
        return [t for t in turns if t.turn_id != WINDOW_TURN and (window is None or window.shows(t.seq))]

    # -- another life --------------------------------------------------------------------------------------------

    def _in_progress(self) -> LiveTurn | None:
        """The current turn; when this process has none, the one that is open in the store: begun in another process."""
        if self._current is None:
            left = open_turns(self.brain, self.owner)
            if left:
                messages = [Message.model_validate(r.payload) for r in left[-1].staged if r.kind == "message"]
                turn = LiveTurn(left[-1].turn_id, messages, opened=True, staged=len(messages))
                self._current = self._live(turn)
        return self._current

    def _restored(self, turn: Turn) -> LiveTurn:
        messages = list(turn.messages)
        done = bool(messages) and closes(messages[-1])
        return self._live(LiveTurn(turn.turn_id, messages, opened=True, staged=len(messages), done=done))


def _matched(known: Sequence[Turn], given: Sequence[Sequence[Message]]) -> int:
    count = 0
    for turn, part in zip(known, given, strict=False):
        if not same_turn(turn.messages, part):
            break
        count += 1
    return count


def _events(messages: Sequence[Message]) -> dict[str, Any]:
    return {"messages": list(messages), "tool_calls": tool_records(messages)}


def _keep(held: OrderedDict[str, LiveTurn], name: str, turn: LiveTurn) -> None:
    held[name] = turn
    held.move_to_end(name)
    while len(held) > _REMEMBERED_TURNS:
        held.popitem(last=False)
