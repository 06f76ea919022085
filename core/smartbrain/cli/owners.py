"""Whose memory a store holds, seen by its administrator: the person at the command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from smartbrain.config import BrainConfig
from smartbrain.errors import InputError, NotFoundError, StoreOpenError
from smartbrain.model import Scope
from smartbrain.ports import Reader, SessionInfo, Storage
from smartbrain.runtime import SmartBrain
from smartbrain.stores import open_storage

_SOME = 5


@dataclass(frozen=True, slots=True)
class Owner:
    """A user (or another domain) with all its scopes, or one session that was committed without a user."""

    name: str
    scopes: tuple[Scope, ...]
    lone: bool = False

    @property
    def place(self) -> dict[str, Any]:
        """How the calls of ``SmartBrain`` name everything this owner has."""
        if self.lone:
            return {"session_id": self.name}
        read = [{"type": scope.type, "id": scope.id} for scope in self.scopes]
        return {"domain_id": self.name, "scope_context": {"read": read}}

    @property
    def option(self) -> str:
        """The option that names this owner on the command line."""
        return f"--session {self.name}" if self.lone else f"--user {self.name}"


def writing_place(owner: Owner) -> dict[str, Any]:
    """How calls that change something name everything the owner has; a lone session is named by its id alone."""
    if owner.lone:
        return {}
    scopes = [{"type": scope.type, "id": scope.id} for scope in owner.scopes]
    return {
        "domain_id": owner.name,
        "scope_context": {"read": scopes, "write": scopes, "default_write": scopes[0]},
    }


@contextmanager
def opened(target: str, config: Path | None = None) -> Iterator[tuple[SmartBrain, Storage]]:
    """A brain over a store that is there already; a path that is not there is an error, never a new store."""
    settings = BrainConfig.load(config)
    if "://" not in target and not Path(target).exists():
        raise StoreOpenError(f"there is no store at {target}")
    storage = open_storage(target, settings.store)
    with SmartBrain(storage, config=settings) as brain:
        yield brain, storage


def owners(storage: Storage) -> list[Owner]:
    """Everybody the store holds something of, by name; sessions without a user come last."""
    domains: dict[str, list[Scope]] = {}
    lone: list[Owner] = []
    for scope in sorted(storage.scopes()):
        if (scope.domain, scope.type) == ("legacy", "session"):
            lone.append(Owner(scope.id, (scope,), lone=True))
        else:
            domains.setdefault(scope.domain, []).append(scope)
    return [*(Owner(name, tuple(scopes)) for name, scopes in domains.items()), *lone]


def chosen_owners(storage: Storage, user: str | None, session: str | None = None) -> list[Owner]:
    """The owners that ``--user`` and ``--session`` leave; raises NotFoundError when they leave none."""
    everybody = owners(storage)
    if not everybody:
        raise NotFoundError("the store is empty: nothing was committed to it yet")
    found = [owner for owner in everybody if user is None or (owner.name == user and not owner.lone)]
    if not found:
        names = [owner.name for owner in everybody if not owner.lone]
        near = difflib.get_close_matches(str(user), names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it holds {_some(everybody)}"
        raise NotFoundError(f"no user {user!r} in this store; {hint}")
    if session is None:
        return found
    with storage.read() as reader:
        having = [owner for owner in found if any(s.session_id == session for s in reader.sessions(owner.scopes))]
        if not having:
            names = [s.session_id for owner in found[:_SOME] for s in reader.sessions(owner.scopes)]
            near = difflib.get_close_matches(session, names, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(names[:_SOME])}"
            raise NotFoundError(f"no session {session!r}{f' of user {user!r}' if user else ''}; {hint}")
    return having


def one_owner(storage: Storage, user: str | None, session: str | None) -> Owner:
    """The one owner that is meant; raises InputError, naming some, when there are several."""
    found = chosen_owners(storage, user, session)
    if len(found) > 1:
        what = f"session {session!r} belongs to {len(found)} users" if session else f"the store holds {_some(found)}"
        raise InputError(f"{what}; say whose memory is meant, for example {found[0].option}")
    return found[0]


def newest_session(reader: Reader, owner: Owner, as_of: datetime | None) -> SessionInfo | None:
    """The session in which the owner spoke last, up to ``as_of``."""
    begun = [s for s in reader.sessions(owner.scopes) if as_of is None or s.first_at <= as_of]
    return max(begun, key=lambda s: s.last_at if as_of is None else min(s.last_at, as_of), default=None)


def moment(given: str | None, option: str = "--as-of", *, of_day: time = time.max) -> datetime | None:
    """What ``--as-of`` says: a time is UTC without an offset, and a date alone means the end of that day, or another
    time ``of_day``."""
    if given is None:
        return None
    try:
        parsed = datetime.fromisoformat(given)
    except ValueError as error:
        raise InputError(
            f"{option} must be an ISO-8601 date or time (2026-03-05, 2026-03-05T18:00), got {given!r}"
        ) from (error)
    if len(given) <= len("2026-03-05"):
        parsed = datetime.combine(parsed.date(), of_day)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def shown(at: datetime) -> str:
    """A moment in a column: the date, and the time when there is one."""
    return at.strftime("%Y-%m-%d" if (at.hour, at.minute) == (0, 0) else "%Y-%m-%d %H:%M")


def _some(found: list[Owner]) -> str:
    names = ", ".join(owner.name for owner in found[:_SOME])
    more = f" and {len(found) - _SOME} more" if len(found) > _SOME else ""
    users = "users" if any(not owner.lone for owner in found) else "sessions"
    return f"{len(found)} {users} ({names}{more})"
