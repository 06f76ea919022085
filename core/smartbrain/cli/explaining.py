"""``smartbrain why``: where a memory, a piece of evidence or a context comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from smartbrain.cli.context_view import show_context, show_when
from smartbrain.cli.owners import Owner, chosen_owners, shown
from smartbrain.cli.terminal import Screen, count, one_line, print_json
from smartbrain.cli.turn_view import show_items, show_messages, show_turn, show_verdict, words_of
from smartbrain.contracts.context import ContextPackage
from smartbrain.contracts.results import Explanation
from smartbrain.errors import InputError, NotFoundError
from smartbrain.model import MemoryItem, Turn, Verdict
from smartbrain.ports import ContextRecord, Reader, Storage
from smartbrain.runtime import SmartBrain

_TURN_URI = "smartbrain://turn/"
_MEMORY_URI = "smartbrain://memory/"


@dataclass(frozen=True, slots=True)
class Explained:
    """What an id stands for: a memory with its versions and the turn it came from, a turn, or a stored context.

    ``verdicts`` are those on a turn: what was kept of it, and what was not and why.
    """

    owner: Owner
    memory: Explanation | None = None
    versions: tuple[MemoryItem, ...] = ()
    turn: Turn | None = None
    verdicts: tuple[Verdict, ...] = ()
    context: ContextRecord | None = None


def explain(brain: SmartBrain, storage: Storage, name: str, user: str | None) -> Explained:
    """Finds an id in all scopes of a store, or in those of one user.

    ``name`` is a memory id, the id of a piece of evidence (``event:session/turn/index``), a context id or a
    ``smartbrain://`` address. Raises NotFoundError, and InputError when several users have such a turn.
    """
    everybody = chosen_owners(storage, user)
    wanted = unquote(name.removeprefix(_MEMORY_URI)) if name.startswith(_MEMORY_URI) else name
    with storage.read() as reader:
        for owner in everybody:
            found = reader.items(owner.scopes, ids=[wanted], status=None)
            if found:
                item = found[0]
                versions = reader.items([item.scope], type=item.type, key=item.key, status=None)
                told = reader.turn(owner.scopes, item.source_session_id, item.source_turn_id)
                return Explained(owner, memory=brain.why(item.id, **owner.place), versions=tuple(versions), turn=told)
            record = reader.context(owner.scopes, wanted)
            if record is not None:
                return Explained(owner, context=record)
        turns = [
            Explained(owner, turn=turn, verdicts=_verdicts(reader, owner, turn))
            for owner in everybody
            for turn in _turns(reader, owner, name)
        ]
    if len(turns) > 1:
        names = ", ".join(found.owner.name for found in turns[:5])
        raise InputError(f"{name} is a turn of {len(turns)} users ({names}…); say which with --user")
    if not turns:
        raise NotFoundError(f"nothing is called {name!r} in this store: no memory, no evidence, no context")
    return turns[0]


def _verdicts(reader: Reader, owner: Owner, turn: Turn) -> tuple[Verdict, ...]:
    return tuple(reader.turn_verdicts(owner.scopes, turn.session_id, turn.turn_id))


def _turns(reader: Reader, owner: Owner, name: str) -> Iterator[Turn]:
    for session_id, turn_id in _places(name):
        turn = reader.turn(owner.scopes, session_id, turn_id)
        if turn is not None:
            yield turn
            return


def _places(name: str) -> Iterator[tuple[str, str]]:
    """The (session, turn) pairs an id may mean: ids are the caller's own and may hold slashes themselves."""
    if name.startswith(_TURN_URI):
        session_id, _, turn_id = name.removeprefix(_TURN_URI).partition("/")
        yield unquote(session_id), unquote(turn_id)
    elif name.startswith("event:"):
        parts = name.removeprefix("event:").split("/")[:-1]
        for cut in range(1, len(parts)):
            yield "/".join(parts[:cut]), "/".join(parts[cut:])


def show_explained(found: Explained) -> None:
    """For people."""
    screen = Screen()
    if found.memory is not None:
        _memory(screen, found, found.memory)
    elif found.turn is not None:
        turn = found.turn
        undone = f", undone {shown(turn.undone_at)}" if turn.undone_at else ""
        aside = f"{one_line(found.owner.name)}, {shown(turn.occurred_at)}, {turn.status}{undone}"
        screen.rule(f"Turn {one_line(turn.turn_id)} of {one_line(turn.session_id)}", aside)
        show_turn(screen, turn)
        screen.rule("Verdicts", "what was kept of it, what was not, and why")
        if not found.verdicts:
            screen.block("nothing in it looked like something to keep", indent=2, style="dim")
        for verdict in found.verdicts:
            show_verdict(screen, verdict, indent=2, closely=True)
    elif found.context is not None:
        _context(screen, found.context)


def print_explained(found: Explained) -> None:
    """For machines; ``kind`` says what was found."""
    shape: dict[str, Any]
    if found.memory is not None:
        turn = found.turn.model_dump(mode="json") if found.turn else None
        versions = [item.model_dump(mode="json") for item in found.versions]
        shape = {
            "kind": "memory",
            "explanation": found.memory.model_dump(mode="json"),
            "history": versions,
            "turn": turn,
        }
    elif found.turn is not None:
        verdicts = [verdict.model_dump(mode="json") for verdict in found.verdicts]
        shape = {"kind": "turn", "turn": found.turn.model_dump(mode="json"), "verdicts": verdicts}
    else:
        record = found.context
        assert record is not None
        shape = {"kind": "context", "request": record.request, "plan": record.plan, "package": record.package}
    print_json(shape)


def _memory(screen: Screen, found: Explained, explained: Explanation) -> None:
    item = explained.item
    screen.rule(f"Memory {item.id}", f"{one_line(found.owner.name)}, {item.status}")
    screen.block(words_of(item), indent=2, style="bold")
    facts = {
        "type": item.type,
        "key": item.key,
        "since": shown(item.valid_from),
        "until": f"{shown(item.valid_to)}: {item.reason or item.status}" if item.valid_to else "",
        "confidence": f"{item.confidence:.2f}, said by {item.trust}",
        "source": f"turn {item.source_turn_id} of session {item.source_session_id}",
        "rule": item.rule,
    }
    for name, value in facts.items():
        if value:
            screen.block(one_line(value), indent=2, label=name, column=12)
    screen.rule("Where it was said", count(len(item.sources), "time"))
    for quote in explained.quotes:
        screen.block(f"“{one_line(quote)}”", indent=2)
    for source in item.sources:
        at = f"{shown(source.occurred_at)}  turn {source.turn_id} of {source.session_id}"
        screen.block(one_line(at), indent=2, tail=f"by {source.trust}")
    if found.turn is not None:
        screen.rule("The turn it came from")
        show_messages(screen, found.turn.messages, indent=2, most=4)
    screen.rule("Verdicts", "oldest first")
    for verdict in explained.verdicts:
        show_verdict(screen, verdict, indent=2, closely=True)
    screen.rule("History of the key", "oldest first")
    show_items(screen, found.versions)


def _context(screen: Screen, record: ContextRecord) -> None:
    screen.rule(f"Context {record.context_id}", f"session {one_line(record.session_id)}, {shown(record.created_at)}")
    for query in record.plan.get("queries", ()):
        screen.block(f"{query['text']} ({query['mode']}, weight {query['weight']:.2f})", indent=2, label="query")
    if record.package is None:
        screen.block("the package itself was not kept (observability.store_contexts is off)", indent=2)
        return
    package, _ = ContextPackage.read(dict(record.package))
    if show_when(package):
        screen.block(show_when(package), indent=2)
    show_context(screen, package)
