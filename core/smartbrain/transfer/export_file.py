"""The export file: JSON lines with checksums, written and read piece by piece.

The first line is the header: format, version, when and by what it was made, and its own digest. Then come records,
and after every 256 of them, or a MiB, a line with the SHA-256 over the digest before it and the bytes since, so that
nothing can be changed, lost, added or moved unnoticed. The last line counts the records, under a digest of the same
chain. Equal contents give equal bytes from the second line on.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO

from pydantic import ValidationError

from smartbrain.contracts.base import contract_error
from smartbrain.errors import InputError
from smartbrain.model import Scope
from smartbrain.records import Record, decode, encode
from smartbrain.text.clean import dumps

FORMAT = "smartbrain-export"
VERSION = 1

_RECORDS = 256
_BYTES = 1 << 20
_CHUNK, _END = b'{"kind":"chunk"', b'{"kind":"end"'
_START = hashlib.sha256(f"{FORMAT} {VERSION}".encode()).hexdigest()


class ExportWriter:
    """Writes records to a stream. Without ``finish`` the file counts as truncated."""

    def __init__(self, stream: BinaryIO, *, exported_at: datetime, producer: str) -> None:
        self._stream = stream
        self._digest = _START
        self._lines: list[bytes] = []
        self._size = 0
        self.counts: Counter[str] = Counter()
        head = {"format": FORMAT, "version": VERSION, "exported_at": exported_at.isoformat(), "producer": producer}
        stream.write(_header_line(head))

    def add(self, record: Record) -> None:
        """One more record."""
        line = encode(record).encode() + b"\n"
        self._lines.append(line)
        self._size += len(line)
        self.counts[record.kind] += 1
        if len(self._lines) >= _RECORDS or self._size >= _BYTES:
            self._end_chunk()

    def finish(self) -> None:
        """Writes the last line."""
        self._end_chunk()
        self._stream.write(_end_line(self.counts, self._digest))

    def _end_chunk(self) -> None:
        if not self._lines:
            return
        chunk = b"".join(self._lines)
        self._digest = _chained(self._digest, chunk)
        self._stream.write(chunk)
        self._stream.write(_chunk_line(len(self._lines), self._digest))
        self._lines, self._size = [], 0


@dataclass
class ExportReader:
    """Reads an export chunk by chunk; a chunk comes out only when its checksum holds. ``name`` is for errors.

    ``done`` is how many bytes were read.
    """

    stream: BinaryIO
    name: str
    done: int = 0
    header: Mapping[str, Any] = field(default_factory=dict)
    _number: int = 0

    def chunks(self) -> Iterator[list[Record]]:
        """The records in their order. Raises InputError for a file that is damaged, truncated, or no export."""
        self.header = self._read_header()
        digest, counts = _START, Counter[str]()
        lines: list[bytes] = []
        while line := self._next():
            if line.startswith(_CHUNK):
                chunk = b"".join(lines)
                digest = _chained(digest, chunk)
                if line != _chunk_line(len(lines), digest):
                    raise self._damaged("a checksum does not hold")
                records = [self._record(text, self._number - len(lines) + at) for at, text in enumerate(lines)]
                counts.update(record.kind for record in records)
                lines = []
                yield records
            elif line.startswith(_END) and line.endswith(b"\n"):
                if lines or line != _end_line(counts, digest):
                    raise self._damaged("a checksum does not hold")
                if self._next():
                    raise self._damaged("something stands after its last line")
                return
            else:
                lines.append(line)
                if len(lines) > _RECORDS:
                    raise self._damaged("a line that ends a chunk is missing")
        raise InputError(
            f"{self.name} is truncated: it ends after line {self._number}, without its last line; nothing of it was"
            " imported. Get the whole file, or export again"
        )

    def _read_header(self) -> Mapping[str, Any]:
        line = self._next()
        head = header(line)
        if head is None:
            raise InputError(f"{self.name} is no export of SmartBrain")
        if head.get("version") != VERSION:
            raise InputError(
                f"{self.name} has the format's version {head.get('version')!r}, this SmartBrain reads {VERSION};"
                " upgrade smartbrain"
            )
        said = {name: value for name, value in head.items() if name != "sha256"}
        if line != _header_line(said):
            raise self._damaged("a checksum does not hold")
        return said

    def _next(self) -> bytes:
        line = self.stream.readline()
        self.done += len(line)
        self._number += bool(line)
        return line

    def _damaged(self, why: str) -> InputError:
        return InputError(
            f"{self.name} is damaged near line {self._number}: {why}; nothing of it was imported. Get the file again,"
            " or export again"
        )

    def _record(self, line: bytes, number: int) -> Record:
        try:
            record = decode(json.loads(line))
        except ValidationError as error:
            raise InputError(f"{self.name}, line {number}: {contract_error('record', error)}") from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.name}, line {number}: not a record: {error}") from error
        if encode(record).encode() + b"\n" != line:
            raise InputError(
                f"{self.name}, line {number}: holds something that this SmartBrain does not know and would lose;"
                " upgrade smartbrain"
            )
        return record


def scopes_of(stream: BinaryIO, name: str) -> set[Scope]:
    """The scopes an export has something of. Raises InputError as ``ExportReader`` does."""
    return {record.scope for chunk in ExportReader(stream, name).chunks() for record in chunk}


def header(line: bytes) -> Mapping[str, Any] | None:
    """The header that a file's first line holds; None for a file that is no export."""
    if FORMAT.encode() not in line[:200]:
        return None
    try:
        head = json.loads(line)
    except ValueError:
        return None
    return head if isinstance(head, dict) and head.get("format") == FORMAT else None


def _header_line(head: Mapping[str, Any]) -> bytes:
    return _line({**head, "sha256": _digest(dumps(head).encode())})


def _chunk_line(records: int, digest: str) -> bytes:
    return _line({"kind": "chunk", "records": records, "sha256": digest})


def _end_line(counts: Mapping[str, int], digest: str) -> bytes:
    counts = dict(sorted(counts.items()))
    return _line({"kind": "end", "counts": counts, "sha256": _digest(f"{digest} {dumps(counts)}".encode())})


def _line(value: Mapping[str, Any]) -> bytes:
    return dumps(value).encode() + b"\n"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _chained(digest: str, chunk: bytes) -> str:
    return _digest(digest.encode() + chunk)
