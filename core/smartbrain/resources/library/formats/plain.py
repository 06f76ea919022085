"""Plain text: paragraphs, lists, and chapters where they are marked as such."""

from __future__ import annotations

from smartbrain.resources.library.structure import scan
from smartbrain.resources.library.values import Parsed


def parse(text: str) -> Parsed:
    """The blocks of the text; its title is that of its file."""
    return Parsed(text, "text", scan(text, style="plain"))
