"""``smartbrain ask``: the context for one question, from a store."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from time import perf_counter

from smartbrain.cli.context_view import show_context, show_when
from smartbrain.cli.owners import Owner, moment, newest_session, one_owner
from smartbrain.cli.terminal import Screen, one_line
from smartbrain.contracts.context import ContextPackage
from smartbrain.ports import Storage
from smartbrain.runtime import SmartBrain


@dataclass(frozen=True, slots=True)
class Answer:
    """A composed context, whose it is, and how long composing took."""

    owner: Owner
    package: ContextPackage
    milliseconds: float


def compose_for(
    brain: SmartBrain,
    storage: Storage,
    question: str,
    *,
    user: str | None,
    session: str | None,
    token_limit: int | None,
    as_of: str | None,
) -> Answer:
    """Composes for the one owner that is meant, in the named session or the one that spoke last."""
    owner = one_owner(storage, user, session)
    then = moment(as_of)
    if session is None:
        with storage.read() as reader:
            newest = newest_session(reader, owner, then)
        session = newest.session_id if newest else "ask"
    place = {**owner.place, "session_id": session}
    started = perf_counter()
    package = brain.compose_context(
        session_id=place.pop("session_id"), user_message=question, token_limit=token_limit, as_of=then, **place
    )
    return Answer(owner, package, (perf_counter() - started) * 1000)


def show_answer(answer: Answer, db: str) -> None:
    """The package for people, and where to look next."""
    screen, package = Screen(), answer.package
    name, session = one_line(answer.owner.name), one_line(package.session_id)
    whose = f"session {session}" if answer.owner.lone else f"{name}, session {session}"
    when = show_when(package)
    screen.rule("Context", whose + (f", {when}" if when else ""))
    show_context(screen, package)
    screen.line()
    planner = package.debug.planner
    if planner is not None:
        screen.block(
            " | ".join(one_line(query) for query in planner.queries), label="looked for", column=11, style="dim"
        )
        if planner.documents:
            screen.block(one_line(planner.documents), label="documents", column=11, style="dim")
    screen.line((f"composed in {answer.milliseconds:.0f} ms, loading the dictionaries included", "dim"))
    if package.evidence:
        option = [] if answer.owner.lone else ["--user", answer.owner.name]
        command = shlex.join(["smartbrain", "why", package.evidence[0].id, "--db", db, *option])
        screen.line(("explain    ", "dim"), (one_line(command), "dim"))
