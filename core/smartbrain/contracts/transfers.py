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


class BackupReport(Contract):
    """A backup that was made: a ``store`` that can be opened as it is, or an ``export`` that can be imported."""

    path: Text
    kind: Literal["store", "export"]
    bytes: int = 0
