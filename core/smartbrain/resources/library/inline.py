"""Markdown inside a line."""

from __future__ import annotations

import re

# Each alternative begins with a character of its own, which the engine looks for before it tries any.
_MARKUP = re.compile(
    r"!\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)|\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)|\[\[([^\]\n|]{0,200})(?:\|[^\]\n]{0,200})?\]\]"
    r"|\*|`|_(?<!\w_)_{0,2}(?=\w)|_(?<=\w_)_{0,2}(?!\w)|<[^>\n]{0,200}>"
)


def plain(text: str) -> str:
    """The text without markup: of a link its words."""
    return _MARKUP.sub(lambda found: found[1] or found[2] or found[3] or "", text).strip()
