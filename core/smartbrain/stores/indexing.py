"""What the lexical index is told of a message or a memory item; the same for every store."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from smartbrain.model import MemoryItem, Message
from smartbrain.ports import (
    FLAG_ASSISTANT,
    FLAG_DELETED,
    FLAG_HAN,
    FLAG_QUESTION,
    FLAG_TOOL,
    IndexedDoc,
)
from smartbrain.text.scanner import HAN

SEGMENT_CHARS = 4000
"""A stretch of a session ends before it grows beyond so many characters; a longer message is one by itself."""

QUESTION_CHARS = 300
"""A longer text is no question, even if it ends with one."""

_SHORT_SENTENCE = 30
LAST_DAY = 0xFFFF
_LAST_SPEAKER = 0xFFFF
_ROLE_FLAGS = {"assistant": FLAG_ASSISTANT, "tool": FLAG_TOOL, "function": FLAG_TOOL}
_HAN = re.compile(f"[{HAN}]")
_CLOSING = " \t\r\n\"'”’」』)）]】*_~～"
_ASKS = re.compile("什么|什麼|甚麼|谁|誰|哪|几|幾|多少|多久|为什么|為什麼|怎么|怎麼|怎样|怎樣|为何|為何|如何")
# Words that hold a question word and ask nothing: "almost", "even if", "nothing", "everybody".
_ASKS_NOT = re.compile("几乎|幾乎|哪怕|好几|好幾|没什么|沒什麼|什么都|什麼都|谁都|誰都|怎么都|怎麼都|无论|無論|不管")
_FILE_FIELDS = ("filename", "file_name", "name", "path", "uri", "url")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session stands: the ordinal of its last message and that message's segment with its characters.

    ``prev`` and ``segment`` are -1 before the first message.
    """

    prev: int = -1
    segment: int = -1
    chars: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """Messages ready for the index, where the session stands after them, and the scope's next free segment."""

    docs: tuple[IndexedDoc, ...]
    place: Place
    next_segment: int


def message_docs(
    messages: Sequence[Message],
    occurred_at: datetime,
    *,
    place: Place,
    first_ord: int,
    next_segment: int,
    speaker: Callable[[str], int],
) -> Placed:
    """The documents of a turn's messages, which get the ordinals ``first_ord`` and following.

    ``speaker`` gives the code of a name; a message without a name has the code 0.
    """
    docs = []
    for ordinal, message in enumerate(messages, first_ord):
        chars = len(message.text)
        segment, filled = place.segment, place.chars + chars
        if segment < 0 or (place.chars and filled > SEGMENT_CHARS):
            segment, filled, next_segment = next_segment, chars, next_segment + 1
        terms = message_terms(message)
        docs.append(
            IndexedDoc(
                terms=terms,
                length=sum(terms.values()),
                chars=chars,
                prev=place.prev,
                segment=segment,
                day=day_number(message.created_at or occurred_at),
                speaker=min(speaker(message.name), _LAST_SPEAKER) if message.name else 0,
                flags=message_flags(message),
            )
        )
        place = Place(ordinal, segment, filled)
    return Placed(tuple(docs), place, next_segment)


def item_doc(item: MemoryItem, ordinal: int) -> IndexedDoc:
    """The document of a memory item; it stands alone, in a segment of its own."""
    terms = item_terms(item)
    return IndexedDoc(
        terms=terms,
        length=sum(terms.values()),
        chars=len(item.text),
        prev=-1,
        segment=ordinal,
        day=day_number(item.occurred_at),
        speaker=0,
        flags=FLAG_HAN if _HAN.search(item.text) else 0,
    )


def deleted_doc() -> IndexedDoc:
    """Holds the place of a document that is not to be found, so that the ordinals after it stay."""
    return IndexedDoc(terms={}, length=0, chars=0, prev=-1, segment=0, day=0, speaker=0, flags=FLAG_DELETED)


def message_terms(message: Message) -> Mapping[str, int]:
    """The words a message is found by: those of its text and of its speaker's name, with their counts."""
    from smartbrain.text.terms import term_counts

    return term_counts("\n".join(part for part in (message.name, message_words(message)) if part))


def item_terms(item: MemoryItem) -> Mapping[str, int]:
    """The words a memory item is found by, with their counts."""
    from smartbrain.text.terms import term_counts

    return term_counts(item.text)


def message_words(message: Message) -> str:
    """A message's text; without any, the names of the files it carries."""
    return message.text or "\n".join(file_names(message))


def file_names(message: Message) -> Iterator[str]:
    """The names of the files in a message's blocks, without folders, hosts and queries."""
    blocks: Iterable[Mapping[str, Any]] = message.content if isinstance(message.content, list) else message.blocks
    for block in blocks:
        inner = (value for value in block.values() if isinstance(value, Mapping))
        for fields in (block, *inner):
            name = next((_base_name(fields[field]) for field in _FILE_FIELDS if _names_a_file(fields.get(field))), "")
            if name:
                yield name


def _names_a_file(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and not value.startswith("data:")


def _base_name(address: str) -> str:
    path = re.split(r"[?#]", address, maxsplit=1)[0] if "://" in address else address
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1]


def message_flags(message: Message) -> int:
    """The ``FLAG_*`` bits of a message."""
    text = message.text
    flags = _ROLE_FLAGS.get(message.role, 0)
    if is_question(text):
        flags |= FLAG_QUESTION
    if _HAN.search(text):
        flags |= FLAG_HAN
    return flags


def is_question(text: str) -> bool:
    """Whether a text of at most 300 characters ends with a question, by its mark or by Chinese question words."""
    if len(text) > QUESTION_CHARS:
        return False
    said = text.rstrip(_CLOSING)
    if said.endswith(("?", "？")):
        return True
    sentence = re.split("[。！？!?；;\n]", said.rstrip("。.!！…~～ "))[-1]
    if not _HAN.search(sentence):
        return False
    if sentence.endswith(("吗", "嗎", "呢")):
        return True
    return len(sentence) <= _SHORT_SENTENCE and bool(_ASKS.search(_ASKS_NOT.sub("", sentence)))


def day_number(moment: datetime) -> int:
    """Days since 1970-01-01 by the calendar where it was said; 0 before 1970, 65,535 (in 2149) and later the last."""
    return min(max((moment.date() - date(1970, 1, 1)).days, 0), LAST_DAY)
