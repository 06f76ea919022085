"""JSON that carries every text a user can send, lone surrogates included, and comes back equal."""

from __future__ import annotations

import json
import unicodedata
from typing import Any


def dumps(value: Any) -> str:
    """Compact JSON as readable UTF-8; ASCII escapes only where a lone surrogate could not be encoded."""
    packed = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        packed.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return packed


def searchable(text: str) -> str:
    """The text as it is looked for: letter case and compatibility forms (NFKC) do not count."""
    return unicodedata.normalize("NFKC", text).casefold()


def printable(text: str) -> str:
    """The text with lone surrogates shown as U+FFFD, for consoles and wires that cannot carry them."""
    if not _has_surrogate(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _has_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
