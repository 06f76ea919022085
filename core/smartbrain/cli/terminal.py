"""What the commands print with: a screen that lays out Chinese and English, in colour or piped, and JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from smartbrain.errors import InputError
from smartbrain.text.clean import printable

Part = str | tuple[str, str]
"""Words, or words and their style."""

MOST_COLUMNS = 120
_WIDE = (
    "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffe6\U00020000-\U0003fffd"
)
_OPEN = "（《「『“‘【〈〔(\\[{"
_CLOSE = "。，、；：？！）》」』”’】〉〕…—～·,.;:?!)\\]}"
# What may not be torn apart: a word, or one wide character, with the brackets and stops that cling to it.
_ATOM = re.compile(
    rf"\s+|[{_OPEN}]*(?:[{_WIDE}]|[^\s{_WIDE}{_OPEN}{_CLOSE}](?:(?!,\")[^\s{_WIDE}])*)[{_CLOSE}]*|[{_OPEN}{_CLOSE}]+"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_STRETCH = re.compile(r"\s+")


def safe(text: str) -> str:
    """The text as a terminal may show it: no lone surrogate, and no control character that could steer it."""
    return _CONTROL.sub("�", printable(text.replace("\r\n", "\n")).replace("\t", " "))


def one_line(text: str) -> str:
    """The text with every stretch of white space as one blank."""
    return _STRETCH.sub(" ", safe(text)).strip()


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` terminal cells, broken at blanks and between wide characters."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _wrapped(paragraph, max(4, width))
    return lines


def _wrapped(paragraph: str, width: int) -> Iterator[str]:
    line, used = "", 0
    for atom in _ATOM.findall(paragraph):
        size = cell_len(atom)
        if used + size <= width or atom.isspace():
            if line or not atom.isspace():
                line, used = line + atom, used + size
            continue
        if line.strip():
            yield line.rstrip()
        *full, line = chop_cells(atom, width)
        yield from full
        used = cell_len(line)
    if line.strip() or not paragraph.strip():
        yield line.rstrip()


def clipped(text: str, width: int, most: int | None) -> list[str]:
    """``wrap``, and of more than ``most`` lines only the first, the last of them ending in an ellipsis."""
    lines = wrap(text, width)
    if most is None or len(lines) <= most:
        return lines
    last = lines[most - 1]
    while cell_len(last) > width - 1:
        last = last[:-1]
    return [*lines[: most - 1], f"{last.rstrip()}…"]


class Screen:
    """Prints lines that are never wrapped by anybody else. Without a terminal: no colour, 80 columns."""

    def __init__(self, *, stderr: bool = False) -> None:
        self.console = Console(highlight=False, markup=False, emoji=False, stderr=stderr)
        self.width = min(self.console.width, MOST_COLUMNS)
        self.unicode = (self.console.encoding or "").lower().startswith("utf")

    def line(self, *parts: Part) -> None:
        """One line of parts; a pair is text and style."""
        text = Text()
        for part in parts:
            words, style = part if isinstance(part, tuple) else (part, "")
            text.append(words, style=style or None)
        text.rstrip()
        self.console.print(text, soft_wrap=True)

    def block(
        self,
        words: str,
        *,
        indent: int = 0,
        label: str = "",
        column: int = 0,
        style: str = "",
        label_style: str = "dim",
        most: int | None = None,
        tail: str = "",
    ) -> None:
        """A paragraph with a label before it; its lines hang ``column`` cells right of the indent.

        ``tail`` is an aside, dimmed: behind the words if there is room, else in lines of its own.
        """
        column = max(column, cell_len(label) + 1 if label else 0)
        width = self.width - indent - column
        lines = [[(line, style)] for line in clipped(safe(words), width, most)]
        if tail and cell_len(lines[-1][0][0]) + 2 + cell_len(tail) <= width:
            lines[-1].append((f"  {tail}", "dim"))
        elif tail:
            lines += [[(line, "dim")] for line in wrap(safe(tail), width)]
        for number, line in enumerate(lines):
            head = label if number == 0 else ""
            self.line(" " * indent, (head, label_style), " " * (column - cell_len(head)), *line)

    def listing(self, words: str, *, indent: int) -> None:
        """Text whose lines may be list entries; an entry's lines hang behind its dash."""
        for line in words.splitlines():
            entry = line.startswith("- ")
            self.block(line[2:] if entry else line, indent=indent, label="-" if entry else "", label_style="")

    def rule(self, title: str, aside: str = "") -> None:
        """A heading with a line to the right edge."""
        stroke = "─" if self.unicode else "-"
        rest = self.width - cell_len(title) - cell_len(aside) - 5
        self.line()
        if not aside or rest < 2:
            self.line((f"{stroke * 2} ", "dim"), (title, "bold"), (f" {stroke * max(2, rest)}", "dim"))
            if aside:
                self.block(aside, indent=3, style="dim")
            return
        self.line((f"{stroke * 2} ", "dim"), (title, "bold"), (f" {stroke * rest} {aside}", "dim"))

    def bar(self, part: int, whole: int, cells: int) -> list[Part]:
        """``part`` of ``whole`` as a bar of ``cells`` cells; anything above nothing shows at least one."""
        full, empty = ("█", "░") if self.unicode else ("#", ".")
        filled = min(cells, round(cells * part / whole)) if whole else 0
        if part and not filled:
            filled = 1
        return [(full * filled, "cyan"), (empty * (cells - filled), "dim")]


def print_json(value: Any) -> None:
    """JSON on standard output, indented, readable where the terminal can show it and plain ASCII where not."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    sys.stdout.write(f"{text}\n")


def count(number: int, name: str, plural: str = "") -> str:
    """``3 turns``, ``1 turn``, ``12,000 turns``."""
    return f"{number:,} {name if number == 1 else plural or name + 's'}"


def check_files(*files: Path | None) -> None:
    """Raises InputError for a file whose folder does not exist: better before a long run than after it."""
    for file in files:
        if file is not None and not file.absolute().parent.is_dir():
            raise InputError(f"cannot write {file}: its folder does not exist")


def write_json(value: Any, path: Path) -> None:
    """JSON into a file, indented. Raises InputError for a file that cannot be written."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        path.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


@contextmanager
def progress(title: str, stages: Mapping[str, str]) -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error, none when nobody watches; is told a stage's name, how many are done, and of how many."""
    console = Screen(stderr=True).console
    bar = Progress(
        TextColumn(f"{title}, {{task.description}}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task(next(iter(stages.values())), total=None)
        yield lambda stage, done, of: bar.update(task, description=stages[stage], completed=done, total=of)
