"""``smartbrain show``: who is in a store, their sessions, what is remembered of them, the newest summary."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len, set_cell_size

from smartbrain.cli.owners import Owner, chosen_owners, newest_session, shown
from smartbrain.cli.terminal import Screen, count, one_line, print_json
from smartbrain.cli.turn_view import show_items
from smartbrain.errors import InputError
from smartbrain.memory_types import BUILTIN_TYPES
from smartbrain.model import MemoryItem, Summary
from smartbrain.ports import Reader, SessionInfo, Storage
from smartbrain.runtime import SmartBrain
from smartbrain.runtime.context import SystemClock
from smartbrain.runtime.living import living

_MOST_OWNERS = 20
_MOST_SESSIONS = 10
_MOST_ITEMS = 100


@dataclass(frozen=True, slots=True)
class View:
    """What is shown of one owner."""

    owner: Owner
    sessions: list[SessionInfo]
    items: list[MemoryItem]
    summary: Summary | None

    @property
    def turns(self) -> int:
        return sum(session.turns for session in self.sessions)

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {
            "session" if self.owner.lone else "user": self.owner.name,
            "turns": self.turns,
            "sessions": [
                {
                    "session_id": session.session_id,
                    "turns": session.turns,
                    "first_at": session.first_at.isoformat(),
                    "last_at": session.last_at.isoformat(),
                }
                for session in self.sessions
            ],
            "memories": [item.model_dump(mode="json") for item in self.items],
            "summary": self.summary.model_dump(mode="json") if self.summary else None,
        }


def look(
    brain: SmartBrain, storage: Storage, user: str | None, session: str | None, type_name: str | None, *, history: bool
) -> list[View]:
    """What the options leave of a store. Raises NotFoundError for a user or session that is not there."""
    views = []
    with storage.read() as raw:
        reader = living(raw, brain.config.policies.retention.ttl, SystemClock().now())
        for owner in chosen_owners(storage, user, session):
            views.append(_view(reader, owner, session, type_name, history))
    if type_name and type_name not in BUILTIN_TYPES and not any(view.items for view in views):
        raise InputError(f"unknown memory type {type_name!r}; the types are {', '.join(BUILTIN_TYPES)}")
    return views


def _view(reader: Reader, owner: Owner, session: str | None, type_name: str | None, history: bool) -> View:
    sessions = [s for s in reader.sessions(owner.scopes) if session in (None, s.session_id)]
    items = reader.items(owner.scopes, type=type_name, status=None if history else "active")
    if session is not None:
        items = [item for item in items if item.source_session_id == session]
    newest = session or (last.session_id if (last := newest_session(reader, owner, None)) else None)
    summary = reader.summary(owner.scopes, newest) if newest else None
    return View(owner, sessions, sorted(items, key=lambda item: (item.type, item.key)), summary)


def show_views(views: list[View], target: str) -> None:
    """For people: one owner in full, several as a list."""
    screen = Screen()
    if len(views) == 1:
        _one(screen, views[0], target)
    else:
        _several(screen, views, target)


def print_views(views: list[View]) -> None:
    """For machines: a list, whatever its length."""
    print_json([view.as_json() for view in views])


def _several(screen: Screen, views: list[View], target: str) -> None:
    totals = (
        count(len(views), "user" if any(not v.owner.lone for v in views) else "session"),
        count(sum(view.turns for view in views), "turn"),
        count(sum(len(view.items) for view in views), "memory", "memories"),
    )
    screen.block(f"{target}: {', '.join(totals)}")
    screen.line()
    names = [one_line(view.owner.name) for view in views[:_MOST_OWNERS]]
    column = min(28, max(8, *(cell_len(name) for name in names)) + 2)
    screen.line((f"{'user':<{column}}{'sessions':>8} {'turns':>8} {'memories':>9}  first .. last", "bold"))
    for name, view in zip(names, views, strict=False):
        ends = f"{view.sessions[0].first_at:%Y-%m-%d} .. {max(s.last_at for s in view.sessions):%Y-%m-%d}"
        numbers = f"{len(view.sessions):>8} {view.turns:>8,} {len(view.items):>9,}  "
        shown_name = set_cell_size(name, column - 1) + " "
        screen.line((shown_name, "cyan"), numbers, (ends, "dim"))
    if len(views) > _MOST_OWNERS:
        screen.block(f"and {len(views) - _MOST_OWNERS} more; --json lists all, --user NAME shows one", style="dim")


def _one(screen: Screen, view: View, target: str) -> None:
    kind = "session" if view.owner.lone else "user"
    parts = (
        count(len(view.sessions), "session"),
        count(view.turns, "turn"),
        count(len(view.items), "memory", "memories"),
    )
    screen.block(f"{target}: {kind} {one_line(view.owner.name)}, {', '.join(parts)}")
    screen.rule("Sessions", "oldest first")
    hidden = len(view.sessions) - _MOST_SESSIONS
    for session in view.sessions[-_MOST_SESSIONS:]:
        when = f"{count(session.turns, 'turn'):>11}  {shown(session.first_at)} .. {shown(session.last_at)}"
        screen.block(when, indent=2, label=one_line(session.session_id), column=28, label_style="cyan")
    if hidden > 0:
        screen.block(f"and {count(hidden, 'older session')} (--json lists all)", indent=2, style="dim")
    by_type = Counter(item.type for item in view.items)
    screen.rule("Memories", ", ".join(f"{name} {number}" for name, number in by_type.items()))
    if not view.items:
        screen.block("none", indent=2, style="dim")
    show_items(screen, view.items[:_MOST_ITEMS])
    if len(view.items) > _MOST_ITEMS:
        rest = f"and {len(view.items) - _MOST_ITEMS} more; --type TYPE shows fewer, --json lists all"
        screen.block(rest, indent=2, style="dim")
    if view.summary:
        summary = view.summary
        aside = f"version {summary.version}, turns {summary.turn_from}-{summary.turn_to}, {summary.trigger}"
        screen.rule(f"Summary of {one_line(summary.session_id)}", aside)
        screen.block(summary.text, indent=2)
