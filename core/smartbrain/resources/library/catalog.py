"""The catalogue: what a document is called, what it is about, and its outline, as one entry."""

from __future__ import annotations

from pathlib import PurePosixPath

from smartbrain.resources.library.drafts import Draft
from smartbrain.resources.library.inline import plain
from smartbrain.resources.library.values import Block, Parsed
from smartbrain.text.spans import clip, sentences

ABSTRACT_CHARS = 300
_SUMMARY_KEYS = ("description", "summary", "abstract", "摘要", "简介", "描述")
_SHOWN_KEYS = ("domain", "subdomain", "type", "kind", "entity", "tags", "keywords", "aliases", "owner", "status")
_MOST_HEADINGS = 40
_ENOUGH = 40


def title_of(parsed: Parsed, path: str) -> str:
    """What the document calls itself: in its front matter, in its first heading of the highest level, else its file's
    name."""
    if parsed.title:
        return one_line(parsed.title)
    headings = [block for block in parsed.blocks[:_MOST_HEADINGS] if block.kind == "heading" and block.title]
    if headings and parsed.format != "code":
        best = min(headings, key=lambda block: block.level)
        return one_line(plain(best.title))
    return PurePosixPath(path).name


def abstract_of(parsed: Parsed) -> str:
    """What it says of itself in its front matter, else its first paragraph of some length, at most 300 characters."""
    for key in _SUMMARY_KEYS:
        if parsed.metadata.get(key):
            return clip(parsed.metadata[key], ABSTRACT_CHARS)
    for block in _opening(parsed):
        text = plain(parsed.text[block.start : min(block.end, block.start + 2_000)])
        text = " ".join(text.split())
        if len(text) >= _ENOUGH or (len(text) >= _ENOUGH // 2 and not text.isascii()):
            return _first_sentences(text)
    return ""


def _opening(parsed: Parsed) -> list[Block]:
    return [block for block in parsed.blocks[:30] if block.kind in {"text", "bullets", "steps"}]


def _first_sentences(text: str) -> str:
    """Whole sentences that fit, at least one, which is cut if it must be."""
    spans = sentences(text[: ABSTRACT_CHARS * 2])
    end = 0
    for span in spans:
        if span.end > ABSTRACT_CHARS:
            break
        end = span.end
    return text[:end] if end else clip(text, ABSTRACT_CHARS)


def catalog_entry(parsed: Parsed, path: str, title: str, abstract: str, language: str) -> Draft:
    """The document's one entry: title, path, abstract, what the front matter says, and the headings."""
    headings = [plain(block.title) for block in parsed.blocks if block.level and block.title][:_MOST_HEADINGS]
    said = [f"{key}: {parsed.metadata[key]}" for key in _SHOWN_KEYS if parsed.metadata.get(key)]
    outline = "; ".join(dict.fromkeys(heading for heading in headings if heading != title))
    lines = [title, path, abstract, *said, outline]
    first = parsed.blocks[0] if parsed.blocks else Block("text", 0, 0, 1, 1)
    return Draft(
        layer=1,
        name="d1:0",
        text="\n".join(line for line in lines if line),
        start=first.start,
        end=first.end,
        line=first.line,
        last_line=first.last_line,
        language=language,
    )


def one_line(text: str) -> str:
    """The text on one line, at most 200 characters."""
    return clip(" ".join(text.split()), 200)
