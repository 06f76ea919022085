"""``smartbrain export``, ``import`` and ``backup``: memory into files, and out of them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from smartbrain.cli.owners import one_owner
from smartbrain.cli.terminal import Screen, count, one_line, progress
from smartbrain.contracts.transfers import BackupReport, ChatImportReport, ExportReport, ImportReport
from smartbrain.errors import InputError, NotFoundError
from smartbrain.model import Scope
from smartbrain.ports import Storage
from smartbrain.runtime import SmartBrain
from smartbrain.transfer.export_file import header, scopes_of

_NAMES = {"turn": ("turn", "turns"), "item": ("memory", "memories"), "summary": ("summary", "summaries")}
_NAMES["open_turn"] = ("open turn", "open turns")
_SOME = 5


def export_to(
    brain: SmartBrain, storage: Storage, file: Path, *, user: str | None, scopes: Sequence[str], overwrite: bool
) -> ExportReport:
    """Exports a user, some scopes, or everything. Raises NotFoundError for what the store does not hold."""
    place = _place(storage.scopes(), user, scopes)
    if user is not None and not place:
        one_owner(storage, user, None)  # says who is there
    with _watched(file, "exporting turns") as tell:
        return brain.export(file, **(place or {"everything": True}), overwrite=overwrite, on_progress=tell)


def import_from(
    db: str, file: Path, *, user: str | None, scopes: Sequence[str], format: str | None, owner: str | None
) -> ImportReport | ChatImportReport:
    """Imports an export (what it has of a user or of some scopes, or everything), or chats as a user's."""
    try:
        with file.open("rb") as stream:
            exported = format is None and header(stream.readline(4096)) is not None
            stream.seek(0)
            found = scopes_of(stream, str(file)) if exported and (user is not None or scopes) else set()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    if exported and owner is not None:
        raise InputError("--owner is for chats; of an export of SmartBrain take --user or --scope")
    if exported:
        return _import_export(db, file, _place(found, user, scopes), user, found)
    if user is None or scopes:
        raise InputError("say whose memory the chats become: --user NAME (an export of SmartBrain needs none)")
    with SmartBrain.open(db) as brain, _watched(file, "importing turns") as tell:
        return brain.import_chats(file, format=format, owner=owner, user_id=user, on_progress=tell)


def _import_export(db: str, file: Path, place: dict[str, Any], user: str | None, found: set[Scope]) -> ImportReport:
    if user is not None and not place:
        raise NotFoundError(f"{file} holds nothing of the user {user!r}; it has {_some(found)}")
    with SmartBrain.open(db) as brain, _watched(file, "importing bytes") as tell:
        return brain.import_(file, **(place or {"everything": True}), on_progress=tell)


def backup_to(brain: SmartBrain, file: Path, *, overwrite: bool) -> BackupReport:
    """Copies the store."""
    with _watched(file, "copying") as tell:
        return brain.backup(file, overwrite=overwrite, on_progress=tell)


def show_export(report: ExportReport) -> None:
    """The summary for people."""
    screen = Screen()
    screen.block(f"{report.path}: {_counted(report.counts)} of {count(report.scopes, 'scope')}, {_size(report.bytes)}")


def show_import(report: ImportReport) -> None:
    """The summary for people."""
    screen = Screen()
    screen.block(f"{report.path}: {_counted(report.counts)}")
    screen.block(f"{sum(report.new.values()):,} new, {report.unchanged:,} already there", indent=2)
    if report.left_out:
        screen.block(f"{count(report.left_out, 'record')} of other scopes left out", indent=2)


def show_chats(report: ChatImportReport, db: str, user: str) -> None:
    """The summary for people, and everything that was left out."""
    screen = Screen()
    parts = (count(report.chats, "chat"), count(report.turns, "turn"), count(report.messages, "message"))
    screen.block(f"{report.path} ({report.format}): {', '.join(parts)}")
    done = f"{report.new:,} new, {report.revised:,} revised, {report.unchanged:,} already there"
    screen.block(f"{done}; {count(report.memories_written, 'memory', 'memories')} written", indent=2)
    if report.untimed:
        screen.block(f"{count(report.untimed, 'turn')} without a time got the time of the import", indent=2)
    for reason, often in report.skipped.items():
        screen.block(f"left out: {often:,} × {reason}", indent=2, label="!", label_style="yellow")
    command = shlex.join(["smartbrain", "ask", "--db", db, "--user", user])
    screen.line(f'  now ask: {one_line(command)} "…"')


def show_backup(report: BackupReport) -> None:
    """The summary for people, with the way back."""
    screen = Screen()
    kind = "a copy of the store" if report.kind == "store" else "an export of everything"
    screen.block(f"{report.path}: {kind}, {_size(report.bytes)}")
    how = f"use it as --db {report.path}" if report.kind == "store" else f"smartbrain import {report.path} --db …"
    screen.block(f"the way back: {how}", indent=2, style="dim")


@contextmanager
def _watched(file: Path, doing: str) -> Iterator[Callable[[int, int], None]]:
    with progress(file.name, {doing: doing}) as tell:
        yield lambda done, of: tell(doing, done, of)


def _place(known: Iterable[Scope], user: str | None, named: Sequence[str]) -> dict[str, Any]:
    """How the calls of ``SmartBrain`` name the scopes that are meant; empty for none."""
    scopes = sorted(known)
    if user is not None and named:
        raise InputError("give --user or --scope, not both")
    if user is not None:
        return _together([scope for scope in scopes if scope.domain == user])
    meant = []
    for name in named:
        found = [scope for scope in scopes if str(scope) == name]
        if len(found) != 1:
            raise NotFoundError(f"no scope {name!r}; a scope is DOMAIN/TYPE:ID, and there is {_some(scopes)}")
        meant += found
    return _together(meant)


def _together(scopes: Sequence[Scope]) -> dict[str, Any]:
    if not scopes:
        return {}
    if len({scope.domain for scope in scopes}) > 1:
        raise InputError("the scopes of one user (domain) at a time; name others in a call of their own")
    if (scopes[0].domain, scopes[0].type) == ("legacy", "session"):
        if len(scopes) > 1:
            raise InputError("one session without a user at a time; name others in a call of their own")
        return {"session_id": scopes[0].id}
    refs = [{"type": scope.type, "id": scope.id} for scope in scopes]
    context = {"read": refs, "write": refs, "default_write": refs[0]}
    return {"domain_id": scopes[0].domain, "scope_context": context}


def _some(scopes: Iterable[Scope]) -> str:
    names = sorted(map(str, scopes))
    more = f" and {len(names) - _SOME} more" if len(names) > _SOME else ""
    return f"{', '.join(names[:_SOME])}{more}" if names else "nothing"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(count(counts[kind], *_NAMES[kind]) for kind in _NAMES if counts.get(kind)) or "nothing"


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size:,} bytes"
