"""HTML as Markdown: what a reader would see of a page, with its headings, lists, tables, code and links.

The page is read as a stream of events (lxml), no tree is built: time and memory grow with the length of the page alone,
however deeply it is nested. What is hidden from a reader is left out, for it is where words for a model are put.
"""

from __future__ import annotations

import re
from typing import Any

from smartbrain.errors import InputError, MissingExtraError
from smartbrain.resources.library.structure import scan
from smartbrain.resources.library.values import LABEL_CUT, Limits, Parsed

_PIECE = 1 << 16
_UNSEEN = frozenset(
    ("script", "style", "noscript", "template", "svg", "math", "canvas", "iframe", "object", "embed", "nav", "footer",
     "button", "select", "option", "textarea", "input", "audio", "video", "map")
)  # fmt: skip
_BLOCKS = frozenset(
    ("p", "div", "section", "article", "main", "header", "aside", "blockquote", "figure", "figcaption", "hr", "address",
     "details", "summary", "form", "fieldset", "body", "html", "dl", "tbody", "thead", "tfoot", "caption")
)  # fmt: skip
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)|font-size\s*:\s*0", re.IGNORECASE
)
_BLANKS = re.compile(r"\s+")
_DEEPEST_LIST = 6
_META = {"description": "description", "keywords": "keywords", "author": "author", "og:description": "description"}


def parse(text: str, limits: Limits) -> Parsed:
    """The page. Raises MissingExtraError without lxml, InputError for a page without text."""
    try:
        from lxml import etree
    except ImportError as error:
        raise MissingExtraError("reading HTML", "library") from error
    reader = _Reader(limits.document_chars)
    parser = etree.HTMLParser(target=reader, recover=True, no_network=True, remove_comments=True, remove_pis=True)
    try:
        for start in range(0, len(text), _PIECE):
            parser.feed(text[start : start + _PIECE])
            if reader.full:
                break
        parser.close()
    except Exception as error:  # the parser is another's, and the page may be anything
        raise InputError(f"the page cannot be read as HTML: {type(error).__name__}: {error}") from error
    shown = reader.text()
    if not shown:
        raise InputError("the page holds no text")
    labels = (LABEL_CUT,) if reader.full else ()
    return Parsed(shown, "html", scan(shown), reader.title, reader.metadata, labels)


class _Reader:
    """Writes down what a reader of the page would see."""

    def __init__(self, most: int) -> None:
        self.title = ""
        self.metadata: dict[str, str] = {}
        self.full = False
        self._most = most
        self._size = 0
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._unseen = 0
        self._in_title = 0
        self._pre = 0
        self._lists: list[int] = []
        self._new_list = False
        self._links: list[tuple[int, str]] = []
        self._tables = 0
        self._cells: list[str] = []
        self._rows = 0

    # --- what the parser calls -----------------------------------------------------------------------------------

    def start(self, tag: Any, attributes: Any) -> None:
        """An element begins."""
        if self._unseen or tag in _UNSEEN or _is_hidden(attributes):
            self._unseen += 1
        elif tag in _BLOCKS:
            self._end_block()
        else:
            self._begin(str(tag), attributes)

    def end(self, tag: Any) -> None:
        """An element ends."""
        if self._unseen:
            self._unseen -= 1
        elif tag in _BLOCKS:
            self._end_block()
        else:
            self._finish(str(tag))

    def data(self, data: str) -> None:
        """Text."""
        if self._unseen or self.full:
            return
        if self._in_title:
            self.title = f"{self.title}{data}"[:500]
        else:
            self._inline.append(data)
            self._size += len(data)
            self.full = self._size > self._most

    def close(self) -> None:
        """The page ends."""
        self._end_block()

    # --- what it makes of it -------------------------------------------------------------------------------------

    def text(self) -> str:
        """The page as Markdown."""
        self.title = _BLANKS.sub(" ", self.title).strip()
        return "\n\n".join(self._blocks)[: self._most]

    def _begin(self, tag: str, attributes: Any) -> None:
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self._end_block()
            self._inline.append("#" * min(max(int(tag[1]), 1), 6) + " ")
        elif tag in {"ul", "ol"}:
            self._end_block()
            self._new_list = self._new_list or not self._lists
            self._lists.append(0 if tag == "ol" else -1)
        elif tag == "li":
            self._item()
        elif tag == "dt":
            self._end_block()
            self._inline.append("- **")
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "pre":
            self._end_block()
            self._pre += 1
        elif tag == "table":
            self._end_block()
            self._tables += 1
            self._rows = self._rows if self._tables > 1 else 0
        elif tag in {"td", "th", "tr"}:
            self._cell()
        elif tag in {"b", "strong"} and not self._pre:
            self._inline.append("**")
        elif tag in {"code", "kbd", "samp"} and not self._pre:
            self._inline.append("`")
        elif tag == "a":
            self._links.append((len(self._inline), str(attributes.get("href") or "")))
        elif tag == "title":
            self._in_title += 1
        elif tag == "meta":
            self._said(attributes)

    def _finish(self, tag: str) -> None:
        if tag in {"ul", "ol"}:
            self._end_block()
            if self._lists:
                self._lists.pop()
        elif tag == "dt":
            self._inline.append("**: ")
        elif tag == "pre":
            self._fence()
        elif tag == "table":
            self._end_block()
            self._tables -= 1
        elif tag == "tr":
            self._row()
        elif tag in {"b", "strong"} and not self._pre:
            self._inline.append("**")
        elif tag in {"code", "kbd", "samp"} and not self._pre:
            self._inline.append("`")
        elif tag == "a":
            self._link()
        elif tag == "title":
            self._in_title -= 1
        elif tag in {"li", "dd"} or (len(tag) == 2 and tag[0] == "h"):
            self._end_block()

    def _item(self) -> None:
        self._end_block()
        depth = min(len(self._lists), _DEEPEST_LIST)
        sign = "- "
        if self._lists and self._lists[-1] >= 0:
            self._lists[-1] += 1
            sign = f"{self._lists[-1]}. "
        self._inline.append("  " * max(0, depth - 1) + sign)

    def _link(self) -> None:
        start, address = self._links.pop() if self._links else (0, "")
        if start > len(self._inline):  # its beginning went with a block that ended inside it
            return
        words = _BLANKS.sub(" ", "".join(self._inline[start:])).strip()
        if words and address and not re.search(r"[\s()<>]", address) and "[" not in words and "]" not in words:
            self._inline[start:] = [f"[{words}]({address})"]

    def _said(self, attributes: Any) -> None:
        name = str(attributes.get("name") or attributes.get("property") or "").lower()
        content = _BLANKS.sub(" ", str(attributes.get("content") or "")).strip()[:500]
        if name in _META and content:
            self.metadata.setdefault(_META[name], content)

    def _fence(self) -> None:
        self._pre = max(0, self._pre - 1)
        code = "".join(self._inline).strip("\n").rstrip()
        self._inline.clear()
        if code.strip() and not self._tables:
            fence = "```"
            while fence in code:
                fence += "`"
            self._blocks.append(f"{fence}\n{code}\n{fence}")
        elif code.strip():
            self._inline.append(code)

    def _cell(self) -> None:
        """What came before belongs to the cell before."""
        if self._tables == 1:
            self._keep_cell()
        else:
            self._inline.append(" ")

    def _keep_cell(self) -> None:
        words = _BLANKS.sub(" ", "".join(self._inline)).strip()
        self._inline.clear()
        if words:
            self._cells.append(words.replace("|", "\\|"))

    def _row(self) -> None:
        if self._tables > 1:
            self._inline.append(" ")
            return
        self._keep_cell()
        if not self._cells:
            return
        line = f"| {' | '.join(self._cells)} |"
        if self._rows == 0:
            self._blocks.append(f"{line}\n{'|---' * len(self._cells)}|")
        else:
            self._blocks[-1] += f"\n{line}"
        self._rows += 1
        self._cells = []

    def _end_block(self) -> None:
        if self._pre:
            return
        if self._tables:
            self._inline.append(" ")
            return
        words = "\n".join(_BLANKS.sub(" ", line).strip() for line in "".join(self._inline).split("\n"))
        indent = len(self._inline[0]) - len(self._inline[0].lstrip(" ")) if self._inline else 0
        self._inline.clear()
        bare = words.strip().replace("****", "").replace("``", "")
        if bare.strip("#-* ") and not re.fullmatch(r"\d+\.", bare):
            self._add(" " * min(indent, 2 * _DEEPEST_LIST) + bare)

    def _add(self, block: str) -> None:
        """Items of one list stand on lines one after the other."""
        item = re.match(r" *(?:- |\d+\. )", block)
        if (
            item
            and self._lists
            and not self._new_list
            and self._blocks
            and re.match(r" *(?:- |\d+\. )", self._blocks[-1])
        ):
            self._blocks[-1] += f"\n{block}"
        else:
            self._blocks.append(block)
        self._new_list = False


def _is_hidden(attributes: Any) -> bool:
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return bool(style) and _HIDDEN_STYLE.search(style) is not None
