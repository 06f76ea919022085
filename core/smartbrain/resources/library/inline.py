"""Markdown inside a line."""

from __future__ import annotations

import re

_MARKUP = re.compile(
    r"!\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)|\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)|\[\[([^\]\n|]{0,200})(?:\|[^\]\n]{0,200})?\]\]"
    r"|[*`]{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|<[^>\n]{0,200}>"
)


def plain(text: str) -> str:
    """The text without markup: of a link its words."""
    return _MARKUP.sub(lambda found: found[1] or found[2] or found[3] or "", text).strip()
