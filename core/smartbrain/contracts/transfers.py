"""What exporting, importing and backing up answer."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from smartbrain.contracts.base import Contract
from smartbrain.model import Text


class ExportReport(Contract):
    """What an export holds: how many records of each kind, of how many scopes, in how many bytes."""

    path: Text
    scopes: int = 0
    counts: dict[str, int] = Field(default_factory=dict)
    bytes: int = 0


class ImportReport(Contract):
    """What an import did: the file's records by kind, how many of them were ``new`` here, how many were here already
    with the same content, and how many were ``left_out`` because the call does not name their scope."""

    path: Text
    counts: dict[str, int] = Field(default_factory=dict)
    new: dict[str, int] = Field(default_factory=dict)
    unchanged: int = 0
    left_out: int = 0


class ChatImportReport(Contract):
    """What an import of chats did. ``turns`` are all in the file: ``new`` here, ``revised`` (here with other content
    until now) or ``unchanged``. ``untimed``: the file tells no time for so many turns, they got the import's own.
    ``skipped`` says what was left out, how often, and why."""

    path: Text
    format: Text
    chats: int = 0
    turns: int = 0
    messages: int = 0
    new: int = 0
    revised: int = 0
    unchanged: int = 0
    memories_written: int = 0
    untimed: int = 0
    skipped: dict[str, int] = Field(default_factory=dict)


class BackupReport(Contract):
    """A backup that was made: a ``store`` that can be opened as it is, or an ``export`` that can be imported."""

    path: Text
    kind: Literal["store", "export"]
    bytes: int = 0
