"""What the library takes, refuses and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Format = Literal["markdown", "text", "code", "html", "json", "notebook", "pdf"]

LABEL_INSTRUCTIONS = "instructions"
"""The text holds words that are addressed to a model ("ignore previous instructions"); they are data all the same."""

LABEL_ENCODING = "encoding"
"""Some bytes belonged to no character of the file's encoding and stand as U+FFFD."""

LABEL_CUT = "cut"
"""The document was longer than a document may be; its end is missing."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is too much. Beyond a limit a file is refused with its reason, and the rest is taken.

    ``file_bytes`` of one file; ``document_chars`` of one text (longer ones are cut and labelled); ``files`` and
    ``depth`` of one folder; ``entries`` of one document in one layer other than the chunks; ``pages`` of a PDF.
    """

    file_bytes: int = 16 << 20
    document_chars: int = 2_000_000
    files: int = 200_000
    depth: int = 40
    entries: int = 200
    pages: int = 2_000


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that was not taken, and the one reason."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class AddReport:
    """What one ``add`` did, by path. ``labelled`` are those taken with a label, which ``documents()`` shows.

    ``ignored`` are those that a ``.gitignore`` left out, and the folders, with a closing slash.
    """

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    labelled: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document of the library. ``chars`` of its text; ``labels`` say what to know before trusting it."""

    document_id: str
    path: str
    title: str
    uri: str
    format: str
    language: str
    chars: int
    modified_at: datetime
    added_at: datetime
    abstract: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document's structure: ``text[start:end]``, on the lines ``line`` to ``last_line`` (from 1).

    ``level`` and ``title`` are those of a heading, or of a definition in code.
    """

    kind: Literal["heading", "text", "code", "table", "steps", "bullets"]
    start: int
    end: int
    line: int
    last_line: int
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file as text with its blocks in order. ``pages`` are the offsets at which pages begin, of formats with pages.

    ``relations`` are (relation, target) that stand in the front matter.
    """

    text: str
    format: Format
    blocks: Sequence[Block]
    title: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that a format says by itself (a scalar of JSON, a key of front matter), and where it stands."""

    text: str
    start: int
    end: int
    line: int
