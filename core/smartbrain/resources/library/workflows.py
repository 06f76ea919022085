"""Workflows: numbered steps, as a list or as headings that are numbered, each with what introduces it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from smartbrain.resources.library.chunking import Placed
from smartbrain.resources.library.drafts import Draft
from smartbrain.resources.library.inline import plain
from smartbrain.resources.library.structure import STEP
from smartbrain.resources.library.values import Parsed
from smartbrain.text.spans import clip

_MOST_CHARS = 2_000
_MOST_INTRO = 300
_NUMBERED = re.compile(
    r"(?:[Ss]tep|STEP|Phase|Stage)\s*\d{1,3}\b|\d{1,2}[.)、]\s*\S|第[一二三四五六七八九十\d]{1,3}步|步骤\s*[一二三四五六七八九十\d]"
)


def workflows(parsed: Parsed, blocks: Sequence[Placed]) -> Iterator[Draft]:
    """The workflows of a document: at least two steps each."""
    number = 0
    for place, item in enumerate(blocks):
        if item.block.kind == "steps" and _count(item) >= 2:
            yield _listed(parsed.text, number, blocks, place)
            number += 1
    for run in _runs_of_headings(blocks):
        yield _headed(number, run)
        number += 1


def _count(item: Placed) -> int:
    return sum(STEP.match(line.text) is not None for line in item.lines)


def _listed(text: str, number: int, blocks: Sequence[Placed], place: int) -> Draft:
    item = blocks[place]
    before = blocks[place - 1] if place else None
    introduced = before is not None and before.block.kind == "text" and before.section == item.section
    start = before.block if before is not None and introduced else item.block
    intro = plain(text[start.start : start.end])[-_MOST_INTRO:] if introduced else ""
    steps = plain(text[item.block.start : item.block.end])
    return Draft(
        layer=4,
        name=f"d4:{number}",
        text=clip("\n".join(part for part in (intro, steps) if part), _MOST_CHARS),
        start=start.start,
        end=item.block.end,
        line=start.line,
        last_line=item.block.last_line,
        heading=item.heading,
    )


def _runs_of_headings(blocks: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Headings of one level that follow each other and are numbered, under the same heading."""
    run: list[Placed] = []
    for item in blocks:
        if item.block.kind != "heading" or (run and item.block.level > run[0].block.level):
            continue
        numbered = _NUMBERED.match(item.block.title) is not None
        goes_on = run and run[0].block.level == item.block.level and run[0].heading[:-1] == item.heading[:-1]
        if run and not (numbered and goes_on):
            if len(run) >= 2:
                yield run
            run = []
        if numbered:
            run.append(item)
    if len(run) >= 2:
        yield run


def _headed(number: int, run: Sequence[Placed]) -> Draft:
    first, last = run[0].block, run[-1].block
    return Draft(
        layer=4,
        name=f"d4:{number}",
        text=clip("\n".join(plain(item.block.title) for item in run), _MOST_CHARS),
        start=first.start,
        end=last.end,
        line=first.line,
        last_line=last.last_line,
        heading=run[0].heading[:-1],
    )
