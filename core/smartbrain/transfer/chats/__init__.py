"""Chats that people have, of other programs: values of their files in, neutral chats out. Pure; no framework is needed.

A parser keeps what was said, by whom and when, tool calls with their results, and the ids it finds. What it does not
know it leaves out and counts, by reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from smartbrain.errors import InputError
from smartbrain.transfer.chats import chatgpt, claude, langchain, llamaindex, mem0, openai
from smartbrain.transfer.chats.values import Chat, Skipped

FORMATS: Mapping[str, Callable[[Any, Skipped], Iterator[Chat]]] = {
    "chatgpt": chatgpt.chats,
    "claude": claude.chats,
    "langchain": langchain.chats,
    "llamaindex": llamaindex.chats,
    "mem0": mem0.chats,
    "openai": openai.chats,
}
"""The parsers by the name of their format. Each takes the JSON value of a file (of JSON lines: their list)."""

_SIGNS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("chatgpt", chatgpt.is_one),
    ("claude", claude.is_one),
    ("llamaindex", llamaindex.is_one),
    ("langchain", langchain.is_one),
    ("mem0", mem0.is_one),
    ("openai", openai.is_one),
)


def detect(value: Any) -> str:
    """The format of a file by what stands in it. Raises InputError, naming those that are known."""
    for name, is_one in _SIGNS:
        if is_one(value):
            return name
    raise InputError(f"its format is not known; the known ones are {', '.join(FORMATS)}; say which with format")


def parse(value: Any, format: str) -> tuple[list[Chat], Skipped]:
    """The chats of a file's JSON value, and what was left out. Raises InputError for a format that is not known."""
    if format not in FORMATS:
        raise InputError(f"no format {format!r}; the known ones are {', '.join(FORMATS)}")
    skipped = Skipped()
    return list(FORMATS[format](value, skipped)), skipped
