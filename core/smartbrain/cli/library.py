"""``smartbrain library``: documents taken in, listed, searched and removed."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from smartbrain.cli.terminal import Screen, count, one_line, print_json, safe
from smartbrain.errors import InputError, StoreOpenError

library = typer.Typer(
    name="library",
    help="Documents beside memory: take in folders, list, search, remove.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_LAYERS = ("chunks", "catalog", "facts", "entities", "workflows", "relations")
_MOST_IGNORED = 10
_MODES = ("hybrid", "exact", "semantic")

Db = Annotated[Path, typer.Option("--db", metavar="PATH", help="The library's file.")]
User = Annotated[str | None, typer.Option("--user", metavar="NAME", help="Whose documents; without it, everybody's.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a machine.")]


@library.command()
def add(
    sources: Annotated[list[str], typer.Argument(metavar="DIR|FILE|-…", help="What to take in; - reads a text.")],
    db: Db,
    user: User = None,
    under: Annotated[
        str | None, typer.Option("--under", metavar="FOLDER", help="What the documents' paths begin with.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="PATH", help="The path of the text that - reads: notes/plan.md.")
    ] = None,
    gitignore: Annotated[
        bool,
        typer.Option("--gitignore/--no-gitignore", help="Leave out of folders what their .gitignore files leave out."),
    ] = True,
    as_json: Json = False,
) -> None:
    """Take in folders and files; done again, it reads only what is new or changed, and removes what is gone."""
    if "-" in sources and name is None:
        raise InputError("a text needs a path: --name notes/plan.md")
    for source in sources:
        if source != "-" and not Path(source).exists():  # before a library is made for nothing
            raise InputError(f"there is no file or folder at {source}")
    reports = []
    with _opened(db, new=True) as held:
        for source in sources:
            if source == "-" and name is not None:
                reports.append(held.add_text(sys.stdin.read(), name, scope=_scope(user)))
                continue
            with _bar(source) as progress:
                reports.append(
                    held.add(source, under=under, scope=_scope(user), gitignore=gitignore, progress=progress)
                )
    whole = {
        field.name: [one for report in reports for one in getattr(report, field.name)]
        for field in dataclasses.fields(reports[0])
    }
    if as_json:
        print_json({**whole, "refused": [dataclasses.asdict(one) for one in whole["refused"]]})
    else:
        _show_report(whole)


@library.command("list")
def list_(db: Db, user: User = None, as_json: Json = False) -> None:
    """List the documents by path."""
    with _opened(db) as held:
        documents = held.documents(scope=_scope(user))
    if as_json:
        print_json([_plain(document) for document in documents])
        return
    screen = Screen()
    for document in documents:
        labels = f"[{', '.join(document.labels)}] " if document.labels else ""
        about = f"{document.title}, {document.format}, {count(document.chars, 'character')}"
        screen.block(one_line(document.path), style="cyan", tail=one_line(f"{labels}{about}"))
    screen.block(count(len(documents), "document"), style="dim")


@library.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words or a question, in English or Chinese.")],
    db: Db,
    user: User = None,
    layer: Annotated[
        list[str] | None, typer.Option("--layer", metavar="LAYER", help=f"{', '.join(_LAYERS)}; several in turn.")
    ] = None,
    mode: Annotated[
        str, typer.Option("--mode", metavar="MODE", help="hybrid, exact (every word) or semantic.")
    ] = "hybrid",
    path: Annotated[list[str] | None, typer.Option("--path", metavar="PREFIX", help="Only below these paths.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="At most N results.")] = 5,
    as_json: Json = False,
) -> None:
    """Search one layer or several; each result says its file and lines."""
    from smartbrain.contracts.plan import Filters, Mode
    from smartbrain.resources.library.drafts import LAYERS

    if mode not in _MODES:
        raise InputError(f"no mode {mode!r}; the modes are {', '.join(_MODES)}")
    layers = [LAYERS[_place(one)] for one in layer or ("chunks",)]
    with _opened(db) as held:
        found = held.search(
            query,
            scopes=[_scope(user)],
            layers=layers,
            filters=Filters(path_prefixes=tuple(path or ())),
            mode=cast("Mode", mode),
            limit=limit,
        )
    if as_json:
        print_json([_plain(one) for one in found])
        return
    screen = Screen()
    for number, one in enumerate(found, 1):
        entry = one.entry
        lines = f"{entry.line}" if entry.line == entry.last_line else f"{entry.line}-{entry.last_line}"
        labels = f" [{', '.join(entry.labels)}]" if entry.labels else ""
        screen.rule(f"{number}  {one_line(entry.path)}:{lines}{labels}", f"{one.score:.2f}")
        if entry.heading:
            screen.block(one_line(" › ".join(entry.heading)), indent=3, style="dim")
        screen.block(safe(entry.text), indent=3, most=8)
    if not found:
        screen.block("Nothing was found.")


@library.command()
def remove(
    paths: Annotated[list[str], typer.Argument(metavar="PATH…", help="Documents, or folders of them, by path.")],
    db: Db,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Take documents out of the library; the files stay as they are."""
    with _opened(db) as held:
        gone = [one for path in paths for one in held.remove(path, scope=_scope(user))]
    if as_json:
        print_json({"removed": gone})
    else:
        _show_report({"removed": gone})


def _place(layer: str) -> int:
    if layer not in _LAYERS:
        raise InputError(f"no layer {layer!r}; the layers are {', '.join(_LAYERS)}")
    return _LAYERS.index(layer)


@contextmanager
def _opened(db: Path, *, new: bool = False) -> Iterator[Any]:
    """The library in a file; only ``add`` makes one that is not there."""
    from smartbrain.resources import Library

    if not new and not db.exists():
        raise StoreOpenError(f"there is no library at {db}")
    with Library.open(db) as held:
        yield held


def _scope(user: str | None) -> Any:
    from smartbrain.contracts.scopes import resolve_access
    from smartbrain.resources.library.library import LOCAL

    return LOCAL if user is None else resolve_access("library", user_id=user).default_write


@contextmanager
def _bar(source: str) -> Iterator[Any]:
    """A bar on standard error, where that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = Screen(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen.console, disable=not screen.console.is_terminal, transient=True) as bar:
        task = bar.add_task(one_line(source), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _show_report(whole: dict[str, list[Any]]) -> None:
    screen = Screen()
    counted = ("added", "updated", "unchanged", "removed", "ignored")
    said = [f"{len(whole[name]):,} {name}" for name in counted if whole.get(name)]
    screen.block(", ".join(said) or "Nothing to take in.")
    for path in whole.get("labelled", ()):
        screen.block(one_line(path), label="labelled", column=10, label_style="yellow", tail="see: library list")
    ignored = whole.get("ignored", ())
    for path in ignored[:_MOST_IGNORED]:
        screen.block(one_line(path), label="ignored", column=10, label_style="dim", tail="by .gitignore")
    if len(ignored) > _MOST_IGNORED:
        screen.block(f"… and {len(ignored) - _MOST_IGNORED:,} more", label="ignored", column=10, label_style="dim")
    for refused in whole.get("refused", ()):
        screen.block(one_line(f"{refused.path}: {refused.reason}"), label="refused", column=10, label_style="yellow")


def _plain(value: Any) -> Any:
    """A frozen value as JSON has it; moments as ISO-8601."""
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value.isoformat() if hasattr(value, "isoformat") else value
