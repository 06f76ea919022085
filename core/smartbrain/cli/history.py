"""``smartbrain changes`` and ``smartbrain undo``: what became of memory, and taking back what one turn did to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time
from typing import Any

from smartbrain.cli.owners import chosen_owners, moment, one_owner, shown, writing_place
from smartbrain.cli.terminal import Screen, count, one_line
from smartbrain.cli.turn_view import show_items, show_verdict, words_of
from smartbrain.contracts.history import ChangeKind, MemoryChange, MemoryChanges, UndoResult
from smartbrain.errors import InputError, NotFoundError
from smartbrain.model import MemoryItem
from smartbrain.ports import Storage
from smartbrain.runtime import SmartBrain

_HEADINGS: dict[ChangeKind, tuple[str, str]] = {
    "gained": ("+", "green"),
    "lost": ("-", "red"),
    "changed": ("~", "yellow"),
    "said_again": ("=", "dim"),
}


def changes_for(
    brain: SmartBrain,
    storage: Storage,
    *,
    since: str,
    until: str | None,
    user: str | None,
    session: str | None,
    type_name: str | None,
) -> MemoryChanges:
    """What became of one owner's memory. Raises InputError, NotFoundError when it is not clear whose."""
    owner = one_owner(storage, user, session)
    first = moment(since, "--since", of_day=time.min)
    assert first is not None
    return brain.changes(first, moment(until, "--until"), type=type_name, **owner.place)


def show_changes(found: MemoryChanges) -> None:
    """For people: each key with what it was, what it is, and why."""
    screen = Screen()
    screen.rule("Memory", f"{shown(found.since)} .. {shown(found.until)}")
    if not found.changes:
        screen.block("nothing changed", indent=2)
    for change in found.changes:
        _change(screen, change, several=len(found.scopes) > 1)
    told = [f"{len(found.of(kind))} {kind.replace('_', ' ')}" for kind in _HEADINGS if found.of(kind)]
    if told:
        screen.line()
        screen.block(", ".join(told), indent=2, style="dim")


def _change(screen: Screen, change: MemoryChange, *, several: bool) -> None:
    mark, style = _HEADINGS[change.kind]
    item = change.after or change.before
    assert item is not None
    label = f"{mark} {change.type}"
    screen.block(one_line(words_of(item)), indent=2, label=label, column=14, label_style=style)
    scope = f" in {change.scope}" if several else ""
    screen.block(one_line(change.key) + scope, indent=16, style="dim", tail=one_line(change.reason))
    if change.kind == "changed":
        for name, (old, new) in change.fields.items():
            screen.block(f"{name}: {_said(old)} -> {_said(new)}", indent=16)


def _said(value: Any) -> str:
    return "(none)" if value is None else one_line(str(value))


def undo_for(
    brain: SmartBrain, storage: Storage, turn: str, *, user: str | None, session: str | None, reason: str | None
) -> UndoResult:
    """Undoes a turn, which ``--session`` names more closely when several sessions have it."""
    places = []
    with storage.read() as reader:
        for owner in chosen_owners(storage, user, session):
            found = reader.turns(owner.scopes, session_id=session, turn_ids=[turn])
            places += [(owner, one.session_id) for one in found]
    if not places:
        raise NotFoundError(f"no turn {turn!r} in this store; smartbrain why and show name the turns")
    if len(places) > 1:
        some = ", ".join(f"{owner.option} --session {name}" for owner, name in places[:3])
        raise InputError(f"{turn} is a turn of {len(places)} sessions; say which: {some}")
    owner, session_id = places[0]
    return brain.undo(session_id, turn, reason=reason, **writing_place(owner))


def show_undo(told: UndoResult) -> None:
    """For people."""
    screen = Screen()
    screen.rule(f"Turn {one_line(told.turn_id)} of {one_line(told.session_id)} is undone", one_line(told.undone_by))
    _list(screen, "taken back", told.retracted)
    _list(screen, "in force again", told.restored)
    _list(screen, "without it", told.written)
    _list(screen, "said elsewhere, too", told.unseen)
    for item_id, why in told.left.items():
        screen.block(one_line(f"{item_id}: {why}"), indent=2, label="left alone", column=14)
    if not told.verdicts and not told.left:
        screen.block("it had changed nothing in memory", indent=2)
    for verdict in told.verdicts:
        show_verdict(screen, verdict, indent=2)


def _list(screen: Screen, title: str, items: Sequence[MemoryItem]) -> None:
    if items:
        screen.block(f"{title}: {count(len(items), 'memory', 'memories')}", indent=2, style="bold")
        show_items(screen, items)
