"""What the runtime asks of the outside: storage, models, clocks. Protocols and the values they exchange."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term occurs in one space.

    ``ords`` are ascending document ordinals (uint32), ``tfs`` the term's count in each (uint16, capped at 65535).
    """

    ords: NDArray[np.uint32]
    tfs: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class DocColumns:
    """What ranking must know of every document of a space, one array entry per ordinal.

    length: terms in the document (uint16, capped). chars: characters of its text (uint16, capped).
    prev: ordinal of the document before it in its session, -1 for none (int32).
    segment: running number of the stretch of its session it belongs to, <= 4,000 characters each (uint32).
    day: days since 1970-01-01 of the moment it was said, 0 unknown (uint16). speaker: code of who said it (uint16).
    flags: bit set, see ``FLAG_*`` (uint8). A deleted document keeps its ordinal with FLAG_DELETED set.
    """

    length: NDArray[np.uint16]
    chars: NDArray[np.uint16]
    prev: NDArray[np.int32]
    segment: NDArray[np.uint32]
    day: NDArray[np.uint16]
    speaker: NDArray[np.uint16]
    flags: NDArray[np.uint8]


FLAG_QUESTION = 1
FLAG_ASSISTANT = 2
FLAG_TOOL = 4
FLAG_HAN = 8
FLAG_DELETED = 128


@dataclass(frozen=True, slots=True)
class LexicalView:
    """One space as the lexical ranking sees it: how many documents, how long, and the asked terms' postings."""

    n_docs: int
    total_length: int
    postings: Mapping[str, Postings]
    columns: DocColumns


@dataclass(frozen=True, slots=True)
class IndexedDoc:
    """One document on its way into the index of a space; see ``DocColumns`` for the fields."""

    terms: Mapping[str, int]
    length: int
    chars: int
    prev: int
    segment: int
    day: int
    speaker: int
    flags: int


JsonValue = Any
