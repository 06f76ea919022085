"""Taking in files: what is new or changed is read and written in batches, what is gone is taken out."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from smartbrain.errors import InputError, MissingExtraError
from smartbrain.model import Scope
from smartbrain.resources.library.building import build
from smartbrain.resources.library.drafts import BUILDER_ID, LAYERS
from smartbrain.resources.library.embedding import Embedding
from smartbrain.resources.library.files import read_bytes
from smartbrain.resources.library.reading import ENDINGS, read
from smartbrain.resources.library.records import Known
from smartbrain.resources.library.shelf import Shelf
from smartbrain.resources.library.stacking import Incoming, ShelfWriter
from smartbrain.resources.library.values import AddReport, Limits, Parsed, Refused
from smartbrain.resources.library.walking import Walk, checked_path, printable_name, walk

Progress = Callable[[int, int], None]
"""Is told how many files are done, of how many."""

_BATCH_DOCUMENTS = 1024
_BATCH_CHARS = 4 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """What was named to be added: a folder or one file, where it is, and what its documents' paths begin with; whether
    a folder's rules for Git hold."""

    root: Path
    under: str
    folder: bool
    gitignore: bool = True


def place_of(source: Path, under: str | None, *, gitignore: bool = True) -> Place:
    """What a path names. Raises InputError when there is nothing, or it is neither a file nor a folder."""
    if not source.exists():
        raise InputError(f"there is no file or folder at {source}")
    if not (source.is_dir() or source.is_file()):
        raise InputError(f"{source} is neither a file nor a folder")
    if under is None:
        folder = source if source.is_dir() else source.parent
        as_named = not folder.is_absolute() and ".." not in folder.parts
        name = folder.as_posix() if as_named else folder.absolute().resolve().name if source.is_dir() else ""
        under = "" if name == "." else name
    under = under.strip("/")
    if under:
        checked_path(under)
    return Place(source.absolute(), f"{under}/" if under else "", source.is_dir(), gitignore)


def document_id(scope: Scope, path: str) -> str:
    """The id of the document at a path: the same whatever is in it, and another one in another scope."""
    return hashlib.blake2b("\0".join((*scope, path)).encode("utf-8", "replace"), digest_size=9).hexdigest()


def digest_of(data: bytes, metadata: Mapping[str, str]) -> str:
    """Changes whenever a document must be read anew: its bytes, what is said about it, or the way it is read."""
    about = json.dumps([BUILDER_ID, sorted(metadata.items())])
    return hashlib.blake2b(about.encode() + b"\0" + data, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Making:
    """What every document of a run is made with."""

    scope: Scope
    limits: Limits
    metadata: Mapping[str, str]
    added_us: int
    embedding: Embedding | None

    def __post_init__(self) -> None:
        for name, value in self.metadata.items():
            if not (isinstance(name, str) and isinstance(value, str)):
                raise InputError(f"metadata holds texts by name, got {name!r}: {value!r}")

    def document(self, parsed: Parsed, known: Known, modified_us: int) -> Incoming:
        """A document ready to be written; ``metadata`` goes before what it says of itself."""
        if self.metadata:
            parsed = replace(parsed, metadata={**parsed.metadata, **self.metadata})
        built = build(parsed, known.path, self.limits)
        embedding = self.embedding
        return Incoming(
            document_id=document_id(self.scope, known.path),
            path=known.path,
            root=known.root,
            uri=known.uri,
            digest=known.digest,
            modified_us=modified_us,
            added_us=self.added_us,
            built=built,
            terms=[draft.terms() for draft in built.drafts],
            model=None if embedding is None else embedding.model,
            vectors=() if embedding is None else embedding.blocks([draft.text for draft in built.drafts]),
        )


@dataclass(slots=True)
class _Report:
    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    labelled: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)

    def frozen(self) -> AddReport:
        return AddReport(
            tuple(self.added),
            tuple(self.updated),
            tuple(self.unchanged),
            tuple(self.removed),
            tuple(self.labelled),
            tuple(self.refused),
            tuple(self.ignored),
        )


class Adding:
    """One run over a place. Texts are read and cut with no transaction open; each batch is written in one."""

    def __init__(
        self,
        place: Place,
        making: Making,
        reading: Callable[[], AbstractContextManager[Shelf]],
        writing: Callable[[], AbstractContextManager[ShelfWriter]],
    ) -> None:
        self._place = place
        self._making = making
        self._scope = making.scope
        self._limits = making.limits
        self._reading = reading
        self._writing = writing
        self._report = _Report()
        self._known: dict[str, Known] = {}

    def run(self, progress: Progress | None) -> AddReport:
        """Does it."""
        walked = self._walked()
        with self._reading() as shelf:
            scope_id = shelf.scope_id(self._scope)
            self._known = {} if scope_id is None else shelf.every(scope_id)
        under = self._place.under
        self._report.refused += [Refused(f"{under}{one.path}", one.reason) for one in walked.refused]
        self._report.ignored += [f"{under}{path}" for path in walked.ignored]
        seen: set[str] = set()
        for batch in self._batches(walked.files, seen, progress):
            with self._writing() as writer:
                writer.put(self._scope, batch)
            for document in batch:
                (self._report.updated if document.path in self._known else self._report.added).append(document.path)
                if document.built.labels:
                    self._report.labelled.append(document.path)
        self._remove_gone(seen, walked)
        self._embed_rest()
        self._tidy()
        return self._report.frozen()

    def _walked(self) -> Walk:
        place = self._place
        if not place.folder:
            return Walk(files=[(place.root.name, Path(os.path.realpath(place.root)))])
        return walk(place.root, self._limits, ENDINGS, gitignore=place.gitignore)

    def _batches(
        self, files: Sequence[tuple[str, Path]], seen: set[str], progress: Progress | None
    ) -> Iterator[list[Incoming]]:
        batch: list[Incoming] = []
        chars = 0
        for done, (name, file) in enumerate(files, 1):
            path = f"{self._place.under}{name}"
            try:
                document = self._read(path, file)
            except (InputError, MissingExtraError) as error:
                self._report.refused.append(Refused(printable_name(path), str(error)))
            else:
                seen.add(path)
                if document is not None:
                    batch.append(document)
                    chars += len(document.built.parsed.text)
            if len(batch) >= _BATCH_DOCUMENTS or chars >= _BATCH_CHARS:
                yield batch
                batch, chars = [], 0
            if progress is not None:
                progress(done, len(files))
        if batch:
            yield batch

    def _read(self, path: str, file: Path) -> Incoming | None:
        """The document at a path; None when it is there as it is. Raises InputError when it cannot be taken."""
        data, modified_us = read_bytes(file, self._limits.file_bytes)
        known = Known(checked_path(path), str(self._place.root), file.as_uri(), digest_of(data, self._making.metadata))
        before = self._known.get(path)
        if before is not None and before.uri != known.uri:
            raise InputError(f"the library holds {before.uri} under this path; name another one (under=…)")
        if before is not None and before.digest == known.digest:
            self._report.unchanged.append(path)
            return None
        parsed = read(data, path, self._limits)
        return self._making.document(parsed, known, modified_us)

    def _vanished(self, path: str, known: Known) -> bool:
        """Whether a document of this place that was added by itself, or with another folder, has lost its file."""
        if not (self._place.folder and path.startswith(self._place.under)):
            return False
        file = self._place.root / path[len(self._place.under) :]
        return known.uri == file.as_uri() and not file.exists()

    def _remove_gone(self, seen: set[str], walked: Walk) -> None:
        """What was added with this place before and is not there any more, or cannot be taken any more."""
        unread = tuple(f"{self._place.under}{folder}" for folder in walked.unread)
        root = str(self._place.root)
        gone = [
            path
            for path, known in self._known.items()
            if (known.root == root or self._vanished(path, known)) and path not in seen
            if not (unread and path.startswith(unread))
        ]
        for start in range(0, len(gone), _BATCH_DOCUMENTS):
            with self._writing() as writer:
                scope_id = writer.scope_id(self._scope)
                if scope_id is not None:
                    self._report.removed += writer.take_out(scope_id, gone[start : start + _BATCH_DOCUMENTS])

    def _embed_rest(self) -> None:
        """Vectors for what was taken in without any, or by another model."""
        embedding = self._making.embedding
        for layer in range(len(LAYERS)) if embedding is not None else ():
            while embedding is not None:
                with self._reading() as shelf:
                    scope_id = shelf.scope_id(self._scope)
                    if scope_id is None:
                        return
                    waiting = shelf.without_vectors(scope_id, layer, embedding.model, _BATCH_DOCUMENTS)
                if not waiting:
                    break
                blocks = embedding.blocks([text for _, _, text in waiting])
                with self._writing() as writer:
                    # What was taken out meanwhile has none to keep.
                    there = writer.entries(scope_id, layer, [ord_ for ord_, _, _ in waiting])
                    made = [
                        (ord_, language, block)
                        for (ord_, language, _), block in zip(waiting, blocks, strict=True)
                        if ord_ in there
                    ]
                    writer.put_vectors(scope_id, layer, embedding.model, made, 0)

    def _tidy(self) -> None:
        with self._reading() as shelf:
            scope_id = shelf.scope_id(self._scope)
        if scope_id is not None:
            with self._writing() as writer:
                writer.compact_if_worth_it(scope_id)
