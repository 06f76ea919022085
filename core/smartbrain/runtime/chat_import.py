"""Chats of other programs become turns, with their own times and ids, as if they had been committed then."""

from __future__ import annotations

import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from smartbrain.contracts.results import CommitResult
from smartbrain.contracts.transfers import ChatImportReport
from smartbrain.errors import InputError
from smartbrain.model import Access
from smartbrain.runtime.writing import Incoming, WritePath
from smartbrain.transfer.chats import detect, parse
from smartbrain.transfer.chats.turns import ChatTurn, turns
from smartbrain.transfer.chats.values import Chat
from smartbrain.transfer.export_file import header

_CHUNK = 256
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_CONVERSATIONS = re.compile(r"(?:^|/)conversations(?:-\d+)?\.json$")
_SOME = 5


class ChatImport:
    """Imports files of chats."""

    def __init__(self, writing: WritePath) -> None:
        self._writing = writing

    def run(
        self,
        path: Path,
        access: Access,
        *,
        format: str | None,
        owner: str | None,
        on_progress: Callable[[int, int], None] | None,
    ) -> ChatImportReport:
        """See ``SmartBrain.import_chats``."""
        value = _read(path)
        try:
            known = format or detect(value)
            chats, skipped = parse(value, known)
            chats = _owned(chats, owner)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        chats = [chat for chat in chats if chat.said]
        ordered = _by_time([list(turns(chat, known)) for chat in chats])
        incoming = [self._incoming(turn, access) for turn in ordered]
        tally = _Tally()
        for start in range(0, len(incoming), _CHUNK):
            for result in self._writing.commit_many(incoming[start : start + _CHUNK]):
                tally.count(result)
            if on_progress:
                on_progress(min(start + _CHUNK, len(incoming)), len(incoming))
        return ChatImportReport(
            path=str(path),
            format=known,
            chats=len(chats),
            turns=len(ordered),
            messages=sum(len(turn.events["messages"]) for turn in ordered),
            new=tally.statuses["committed"],
            revised=tally.statuses["revised"],
            unchanged=tally.statuses["replayed"],
            memories_written=tally.memories,
            untimed=sum(turn.occurred_at is None for turn in ordered),
            skipped=dict(sorted(skipped.items())),
        )

    def _incoming(self, turn: ChatTurn, access: Access) -> Incoming:
        return self._writing.incoming(
            turn.session_id, turn.events, access=access, turn_id=turn.turn_id, occurred_at=turn.occurred_at
        )


class _Tally:
    """What the commits did."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.memories = 0

    def count(self, result: CommitResult) -> None:
        self.statuses[result.status] += 1
        self.memories += result.memory_written.count


def _by_time(chats: Sequence[Sequence[ChatTurn]]) -> list[ChatTurn]:
    """All turns in the order in which they were said; each chat keeps its own order. What has no time comes last."""
    placed = []
    for number, chat in enumerate(chats):
        at = _EARLIEST
        for place, turn in enumerate(chat):
            at = max(at, turn.occurred_at or at)
            placed.append(((at == _EARLIEST, at, number, place), turn))
    return [turn for _, turn in sorted(placed, key=lambda one: one[0])]


def _owned(chats: list[Chat], owner: str | None) -> list[Chat]:
    """The chats of one person. Several people's may not become one user's by mistake."""
    owners = sorted({chat.owner for chat in chats if chat.owner is not None})
    if owner is not None:
        if owner not in owners:
            raise InputError(f"it holds nothing of {owner!r}; it has {', '.join(owners[:_SOME]) or 'no names'}")
        return [chat for chat in chats if chat.owner == owner]
    if len(owners) > 1:
        names = ", ".join(owners[:_SOME])
        raise InputError(f"it holds what belongs to {len(owners)} people ({names}); say whose is meant with owner")
    return chats


def _read(path: Path) -> Any:
    """The JSON value of a file, of JSON lines a list, of a zip archive the lists of its ``conversations.json``."""
    try:
        if zipfile.is_zipfile(path):
            return _unzipped(path)
        data = path.read_bytes()
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    if header(data[:4096].partition(b"\n")[0]) is not None:
        raise InputError(f"{path} is an export of SmartBrain, not chats; import it with import_()")
    return _value(data, path)


def _unzipped(path: Path) -> Any:
    found: list[Any] = []
    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if _CONVERSATIONS.search(name))
        if not names:
            raise InputError(f"{path} holds no conversations.json")
        for name in names:
            value = _value(archive.read(name), Path(f"{path}/{name}"))
            found += value if isinstance(value, list) else [value]
    return found


def _value(data: bytes, path: Path) -> Any:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start})") from error
    if not text.strip():
        raise InputError(f"{path} is empty")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if not isinstance(error, json.JSONDecodeError) or not error.msg.startswith("Extra data"):
            raise InputError(f"{path} is not JSON: {error}") from error
    return [_line(line, path, number) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _line(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}, line {number}: not JSON: {error}") from error
