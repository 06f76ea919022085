"""The brains of this process by name, so that a memory that was serialised finds its own again.

A LlamaIndex ``Context`` carries a memory as plain fields only. What it is attached to is looked up here: first by name,
then by the path of its store, which any process may open.
"""

from __future__ import annotations

import threading
import uuid
from urllib.parse import urlsplit, urlunsplit
from weakref import WeakValueDictionary

from smartbrain import SmartBrain
from smartbrain.aio import AsyncSmartBrain
from smartbrain.errors import ClosedError, ConflictError, NotFoundError
from smartbrain.tool_texts import Owner
from smartbrain_li._session import Session

_lock = threading.RLock()
_brains: dict[str, SmartBrain] = {}
_sessions: WeakValueDictionary[tuple[str, str], Session] = WeakValueDictionary()


def attach(brain: SmartBrain | AsyncSmartBrain, name: str | None = None) -> str:
    """Makes a brain known to this process under a name, and returns the name; memories find it again by it.

    Give the same ``name`` in every process that restores a ``Context``; without one the brain gets a name that holds in
    this process only. Attaching a brain twice returns its first name. Raises ConflictError when another open brain has
    the name.
    """
    sync = brain.sync if isinstance(brain, AsyncSmartBrain) else brain
    with _lock:
        known = next((n for n, other in _brains.items() if other is sync and name in {None, n}), None)
        if known is not None:
            return known
        name = name or f"brain-{uuid.uuid4().hex}"
        other = _brains.get(name)
        if other is not None and other is not sync and _is_open(other):
            raise ConflictError(f"another open brain is attached as {name!r}; detach it first or choose another name")
        _brains[name] = sync
        return name


def detach(name: str) -> None:
    """Forgets the name; the brain stays open and is the caller's to close."""
    with _lock:
        _brains.pop(name, None)


def close_all() -> None:
    """Closes every brain that is attached, those opened by path too, and forgets them."""
    with _lock:
        brains = list(_brains.values())
        _brains.clear()
        _sessions.clear()
    for brain in brains:
        brain.close()


def open_path(path: str) -> str:
    """The name of the brain over the store at ``path``, which is opened when this process has not done so yet."""
    name = without_secrets(path)
    with _lock:
        brain = _brains.get(name)
        if brain is None or not _is_open(brain):
            _brains[name] = SmartBrain.open(path)
    return name


def find_brain(name: str, path: str | None) -> SmartBrain:
    """The brain attached as ``name``, else the one over ``path``. Raises NotFoundError that says what to do."""
    with _lock:
        brain = _brains.get(name)
        if brain is not None and _is_open(brain):
            return brain
        if path is not None and path == without_secrets(path) and not path.startswith(":memory:"):
            return _brains[open_path(path)]
    gone = "was closed" if brain is not None else "is not attached in this process"
    raise NotFoundError(
        f"the brain {name!r} of this SmartBrainMemory {gone}. Before restoring a Context, open it and call "
        f"smartbrain_li.attach(brain, name={name!r}); or make the memory with path=…, which every process can open"
    )


def find_session(name: str, brain: SmartBrain, owner: Owner) -> Session:
    """The state of one session in this process: all memories of the session share it."""
    key = (name, repr(owner))
    with _lock:
        session = _sessions.get(key)
        if session is None or session.brain is not brain:
            session = _sessions[key] = Session(brain, owner)
        return session


def sessions_like(session: Session) -> list[Session]:
    """This process' sessions of the same brain whose memory lies in the same scopes, that one included."""
    with _lock:
        known = list(_sessions.values())
    scopes = session.owner.scopes()
    return [one for one in known if one is session or (scopes and _like(one, session))]


def _like(one: Session, other: Session) -> bool:
    return one.brain is other.brain and one.owner.scopes() == other.owner.scopes()


def without_secrets(path: str) -> str:
    """A store's address without the password in it."""
    if "://" not in path:
        return path
    parts = urlsplit(path)
    if parts.password is None:
        return path
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{parts.username or ''}@{host}"))


def _is_open(brain: SmartBrain) -> bool:
    try:
        brain.sessions("-")
    except ClosedError:
        return False
    return True
