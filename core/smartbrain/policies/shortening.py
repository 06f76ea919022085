"""Making text shorter without losing what matters most in it: the beginning, the end, or the words that were asked for.

Every function takes a test (``fits``) in place of a token count, so that it works with any counter.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection
from typing import Any

ELLIPSIS = "…"
Content = str | list[dict[str, Any]] | None


def longest(top: int, fits: Callable[[int], bool]) -> int:
    """The largest length in ``0..top`` that fits, to within about 2 %; 0 when none does. ``fits`` should be monotone.

    It starts small and doubles: a text of a megabyte is never measured whole to find that a page of it fits.
    """
    low, high = 0, min(top, 256)
    while high < top and fits(high):
        low, high = high, min(top, high * 4)
    if high == top and fits(top):
        return top
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def cut_middle(text: str, keep: int) -> str:
    """The first and last ``keep / 2`` characters with a line between that says how many are missing."""
    tail = keep // 2
    mark = f"\n[{ELLIPSIS} {len(text) - keep} characters left out {ELLIPSIS}]\n"
    return f"{text[: keep - tail]}{mark}{text[len(text) - tail :]}" if keep + len(mark) < len(text) else text


def cut_end(text: str, keep: int) -> str:
    """The first lines that ``keep`` characters hold, or the first words when not even one line is held."""
    if keep >= len(text):
        return text
    head = text[:keep]
    for mark in ("\n", " "):
        at = head.rfind(mark)
        if at >= keep // 2:
            head = head[:at]
            break
    return f"{head.rstrip()}{ELLIPSIS}"


def cut_lines(text: str, keep: int) -> str:
    """The first whole lines that ``keep`` characters hold; no heading is left without a line of its own."""
    if keep >= len(text):
        return text
    lines = text[:keep].split("\n")[:-1]
    while lines and lines[-1].rstrip().endswith((":", "：")):
        lines.pop()
    return "\n".join([*lines, ELLIPSIS]) if lines else cut_end(text, keep)


def cut_snippet(text: str, most: int, terms: Collection[str] = ()) -> tuple[str, int, int]:
    """At most ``most`` characters of ``text``, around the first of ``terms`` when the beginning holds none of them.

    Returns the cut text and the span of ``text`` that it shows.
    """
    if len(text) <= most:
        return text, 0, len(text)
    start = _window_start(text, most, terms)
    room = most - bool(start)
    end = len(text) if len(text) - start <= room else start + max(0, room - 1)
    shown = f"{ELLIPSIS if start else ''}{text[start:end]}{ELLIPSIS if end < len(text) else ''}"
    return shown[:most], start, end


def _window_start(text: str, most: int, terms: Collection[str]) -> int:
    folded = text.casefold()
    if len(folded) != len(text):
        return 0
    places = [at for term in terms if term and (at := folded.find(term.casefold())) >= 0]
    if not places or min(places) < most * 3 // 4:
        return 0
    return min(min(places) - most // 3, len(text) - most + 1)


def fit_content(content: Content, fits: Callable[[Content], bool]) -> tuple[Content, str]:
    """The user message's content made to fit, and what was done to it (empty when nothing was).

    Text loses its middle. Of blocks, the text is shortened first; media give way to a short mark only if they must.
    """
    if not content or fits(content):
        return content, ""
    if isinstance(content, str):
        return _fit_text(content, fits), "the user message was longer than the limit; its middle was left out"
    note = "the user message was longer than the limit; its text blocks were shortened"
    media = sorted(
        (n for n, block in enumerate(content) if _text_of(block) is None),
        key=lambda n: len(repr(content[n])),
        reverse=True,
    )

    def marked(count: int) -> list[dict[str, Any]]:
        gone = set(media[:count])
        return [_mark(block) if n in gone else block for n, block in enumerate(content)]

    few = bisect_left(range(len(media) + 1), True, key=lambda count: fits(_cut_blocks(marked(count), 0)))
    if few <= len(media):
        note += " and media were replaced by marks" if few else ""
        return _fit_blocks(marked(few), fits), note
    whole = "\n".join(text for block in content if (text := _text_of(block)))
    return _fit_text(whole, fits), f"{note} and joined, and media were left out"


def _fit_text(text: str, fits: Callable[[Content], bool]) -> str:
    keep = longest(len(text), lambda length: fits(cut_middle(text, length)))
    cut = cut_middle(text, keep)
    return cut if fits(cut) else text[: longest(len(text), lambda length: fits(text[:length]))]


def _fit_blocks(blocks: list[dict[str, Any]], fits: Callable[[Content], bool]) -> list[dict[str, Any]]:
    top = max((len(_text_of(block) or "") for block in blocks), default=0)
    return _cut_blocks(blocks, longest(top, lambda keep: fits(_cut_blocks(blocks, keep))))


def _cut_blocks(blocks: list[dict[str, Any]], keep: int) -> list[dict[str, Any]]:
    """The blocks with the text of each cut to ``keep`` characters."""
    return [
        {**block, "text": cut_middle(text, keep)} if (text := _text_of(block)) and len(text) > keep else block
        for block in blocks
    ]


def _mark(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": f"[{_kind(block)} left out]"}


def _text_of(block: dict[str, Any]) -> str | None:
    text = block.get("text")
    return text if isinstance(text, str) and _kind(block) in {"text", "input_text"} else None


def _kind(block: dict[str, Any]) -> str:
    return str(block.get("type") or block.get("block_type") or "text").removesuffix("_url")
