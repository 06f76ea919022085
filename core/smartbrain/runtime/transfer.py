"""Memory out of a store and into another: exports, imports of them, and backups."""

from __future__ import annotations

import importlib
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from smartbrain.contracts.transfers import BackupReport, ExportReport, ImportReport
from smartbrain.errors import ConflictError, InputError, StoreError
from smartbrain.model import Scope
from smartbrain.ports import Reader
from smartbrain.records import OpenTurnRecord, Record, described, encode
from smartbrain.runtime.context import Workshop
from smartbrain.transfer.export_file import ExportReader, ExportWriter

Progress = Callable[[int, int], None]
"""Is told how much is done, and of how much."""

_WHAT_TO_DO = "nothing was imported. To have it as it is in the file, forget that scope here first"


class TransferPath:
    """Exports, imports, backs up."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop

    # -- out -----------------------------------------------------------------------------------------------------

    def export(
        self, path: Path, scopes: Sequence[Scope] | None, *, overwrite: bool, on_progress: Progress | None
    ) -> ExportReport:
        """See ``SmartBrain.export``; without ``scopes`` everything."""
        with _new_file(path, overwrite=overwrite) as part, self._nothing_forgotten(), part.open("wb") as stream:
            report = self._export_to(stream, path, scopes, on_progress)
            _settle(stream)
        return report

    @contextmanager
    def _nothing_forgotten(self) -> Iterator[None]:
        """Raises ConflictError if anything was forgotten while the block ran: what it wrote may still hold it."""
        erasures = self._shop.storage.erasures()
        yield
        if self._shop.storage.erasures() != erasures:
            raise ConflictError("something was forgotten while the file was written, so it was thrown away; try again")

    def _export_to(
        self, stream: BinaryIO, path: Path, scopes: Sequence[Scope] | None, on_progress: Progress | None
    ) -> ExportReport:
        writer = ExportWriter(stream, exported_at=self._shop.clock.now(), producer=_producer())
        count, last = 0, None
        with self._shop.storage.read() as reader:
            total = self._turns(reader, scopes) if on_progress else 0
            for record in reader.records(scopes):
                writer.add(record)
                count, last = count + (record.scope != last), record.scope
                if on_progress and record.kind == "turn":
                    on_progress(min(writer.counts["turn"], total), total)
        writer.finish()
        return ExportReport(path=str(path), scopes=count, counts=dict(writer.counts), bytes=stream.tell())

    def _turns(self, reader: Reader, scopes: Sequence[Scope] | None) -> int:
        return reader.turn_count(self._shop.storage.scopes() if scopes is None else scopes)

    def backup(self, path: Path, *, overwrite: bool, on_progress: Progress | None) -> BackupReport:
        """See ``SmartBrain.backup``."""
        with _new_file(path, overwrite=overwrite) as part, self._nothing_forgotten():
            copied = self._shop.storage.backup(part, on_progress or _unwatched)
            with part.open("r+b") as stream:
                if not copied:
                    self._export_to(stream, path, None, on_progress)
                _settle(stream)
            size = part.stat().st_size
        return BackupReport(path=str(path), kind="store" if copied else "export", bytes=size)

    # -- in ------------------------------------------------------------------------------------------------------

    def import_(self, path: Path, wanted: Callable[[Scope], bool], on_progress: Progress | None) -> ImportReport:
        """See ``SmartBrain.import_``. The whole file is read twice: nothing is written before all of it was checked."""
        with _opened(path) as stream:
            total = 2 * os.fstat(stream.fileno()).st_size
            for chunk, done in _chunks(stream, path):
                self._check([record for record in chunk if wanted(record.scope)])
                if on_progress:
                    on_progress(done, total)
            stream.seek(0)
            counts, new = Counter[str](), Counter[str]()
            left_out = 0
            for chunk, done in _chunks(stream, path):
                mine = [record for record in chunk if wanted(record.scope)]
                counts.update(record.kind for record in mine)
                new += self._restore(mine)
                left_out += len(chunk) - len(mine)
                if on_progress:
                    on_progress(total // 2 + done, total)
        return ImportReport(
            path=str(path),
            counts=dict(counts),
            new=dict(new),
            unchanged=counts.total() - new.total(),
            left_out=left_out,
        )

    def _check(self, records: Sequence[Record]) -> None:
        """Raises ConflictError for what this store holds otherwise."""
        with self._shop.storage.read() as reader:
            for record in records:
                there = reader.stored(record.scope, record.name)
                if there is not None and encode(there) != encode(record):
                    raise ConflictError(f"{described(record)} is here already, with other content; {_WHAT_TO_DO}")
                if isinstance(record, OpenTurnRecord) and there is None:
                    turn = reader.turn([record.scope], record.session_id, record.turn_id)
                    if turn is not None and turn.status != "open":
                        raise ConflictError(f"{described(record)} was committed here meanwhile; {_WHAT_TO_DO}")

    def _restore(self, records: Sequence[Record]) -> Counter[str]:
        """Writes records in one transaction, with their vectors; returns how many of each kind were new."""
        new = Counter[str]()
        scopes = sorted({record.scope for record in records})
        if not scopes:
            return new
        with self._shop.storage.write() as writer:
            writer.generation(scopes)  # where a store locks by tenant, tenants are locked in one order everywhere
            for record in records:
                new[record.kind] += writer.restore(record)
            if new.total():
                self._shop.vectors.within(writer, scopes)
        if new.total():
            self._shop.vectors.committed(scopes)
        return new


def _chunks(stream: BinaryIO, path: Path) -> Iterator[tuple[list[Record], int]]:
    """The file's records, chunk by chunk, and how many bytes were read."""
    reader = ExportReader(stream, str(path))
    for chunk in reader.chunks():
        yield chunk, reader.done


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        stream = path.open("rb")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    with stream:
        yield stream


@contextmanager
def _new_file(path: Path, *, overwrite: bool) -> Iterator[Path]:
    """A file beside ``path``, for its owner only, that takes its place when the block ends well, and goes if not."""
    if path.is_dir() or (path.exists() and not overwrite):
        raise InputError(f"{path} is there already; give another name{'' if path.is_dir() else ', or overwrite it'}")
    try:
        number, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.absolute().parent)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    os.close(number)
    try:
        yield Path(name)
        Path(name).replace(path)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            Path(name).unlink()


def _settle(stream: BinaryIO) -> None:
    """Makes what was written outlive a crash of the machine."""
    stream.flush()
    os.fsync(stream.fileno())


def _producer() -> str:
    return f"smartbrain {importlib.import_module('smartbrain').__version__}"


def _unwatched(_done: int, _total: int) -> None:
    """Nobody looks on."""
