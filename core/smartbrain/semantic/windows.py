"""Long texts in overlapping windows, so that one vector need not stand for everything."""

from __future__ import annotations

_EAST = "\u2e80"
_SEAMS = frozenset(" \t\r\n.,;:!?。，；：！？、…")


def windows(text: str, size: int, overlap: int, most: int) -> list[str]:
    """The text in stretches of at most ``size``, each beginning ``overlap`` before the end of the one before it.

    Both are counted in characters, those of the East double: a model sees about as much in one as in two letters.
    A stretch ends between words where it can. Of a very long text the first ``most`` windows are given; of an empty
    one none.
    """
    text = text.strip()
    found: list[str] = []
    start = 0
    while start < len(text) and len(found) < most:
        end = _seam(text, start, _reach(text, start, size))
        found.append(text[start:end])
        if end == len(text):
            break
        start = max(start + 1, _back(text, end, min(overlap, size // 2)))
    return found


def _reach(text: str, start: int, size: int) -> int:
    """Where a window that begins at ``start`` must end."""
    if len(text) - start <= size // 2:
        return len(text)
    used = 0
    for place in range(start, min(len(text), start + size)):
        used += _width(text[place])
        if used > size:
            return place
    return min(len(text), start + size)


def _seam(text: str, start: int, end: int) -> int:
    """The last end of a word in the second half of the window, else its end."""
    if end == len(text):
        return end
    for place in range(end, start + (end - start) // 2, -1):
        if text[place - 1] in _SEAMS:
            return place
    return end


def _back(text: str, end: int, overlap: int) -> int:
    used, place = 0, end
    while place > 0 and used + _width(text[place - 1]) <= overlap:
        used += _width(text[place - 1])
        place -= 1
    return place


def _width(character: str) -> int:
    return 2 if character >= _EAST else 1
