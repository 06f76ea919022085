"""The files of a folder: bounded, never out of the folder, and each thing that is passed over with its reason."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from smartbrain.errors import InputError
from smartbrain.resources.library.ignoring import Ignoring, around
from smartbrain.resources.library.values import Limits, Refused

IGNORED_FOLDERS = frozenset(("node_modules", "__pycache__", "venv", "site-packages", "dist", "build", "target"))
"""Folders that are passed over without a word, as are all whose name begins with a dot."""

_UNFIT = re.compile("[\x00-\x1f\x7f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Walk:
    """The files found: (path inside the folder, where it is), and what was refused. ``unread`` are the folders (with a
    closing slash) that could not be listed: nothing is known of what is in them. ``ignored`` are the files, and with a
    closing slash the folders, that a ``.gitignore`` leaves out."""

    files: list[tuple[str, Path]] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


def walk(root: Path, limits: Limits, wanted: frozenset[str], *, gitignore: bool = False) -> Walk:
    """The files under ``root`` that may be documents, by path. ``wanted`` are the endings that are read at all;
    ``gitignore`` says that rules for Git hold here, too.

    Links to folders are not followed, so that there is no loop; a link to a file is read only where the file lies in
    the folder itself. Raises InputError for more files than a folder may hold.
    """
    found = Walk()
    inside = os.path.realpath(root)
    waiting = [("", root, 0, around(root, found.refused) if gitignore else Ignoring())]
    while waiting:
        prefix, folder, depth, ignoring = waiting.pop()
        if gitignore:
            ignoring = ignoring.inside(folder, prefix, found.refused)
        for entry in _listed(found, prefix, folder):
            path = f"{prefix}{entry.name}"
            if _UNFIT.search(entry.name):
                found.refused.append(Refused(printable_name(path), "its name holds a character that cannot be shown"))
            elif (
                not entry.is_dir(follow_symlinks=False) and _is_wanted(entry.name, wanted) and ignoring.leaves_out(path)
            ):
                found.ignored.append(path)
            elif entry.is_symlink():
                _link(found, path, entry, inside, wanted)
            elif entry.is_dir(follow_symlinks=False):
                if entry.name.startswith(".") or entry.name in IGNORED_FOLDERS:
                    continue
                if ignoring.leaves_out(f"{path}/"):
                    found.ignored.append(f"{path}/")
                elif depth >= limits.depth:
                    found.refused.append(Refused(path, f"it lies more than {limits.depth} folders deep"))
                else:
                    waiting.append((f"{path}/", Path(entry.path), depth + 1, ignoring))
            elif _is_wanted(entry.name, wanted) and entry.is_file(follow_symlinks=False):
                found.files.append((path, Path(entry.path)))
            if len(found.files) > limits.files:
                raise InputError(f"{root} holds more than {limits.files:,} documents; add its folders one by one")
    found.files.sort()
    found.ignored.sort()
    found.refused.sort(key=lambda one: one.path)
    return found


def _listed(found: Walk, prefix: str, folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from list(entries)
    except OSError as error:
        found.refused.append(Refused(prefix or ".", f"the folder cannot be read: {error.strerror}"))
        found.unread.append(prefix)


def _is_wanted(name: str, wanted: frozenset[str]) -> bool:
    return not name.startswith(".") and os.path.splitext(name)[1].lower() in wanted


def _link(found: Walk, path: str, entry: os.DirEntry[str], inside: str, wanted: frozenset[str]) -> None:
    if not _is_wanted(entry.name, wanted) and not os.path.isdir(entry.path):
        return
    target = os.path.realpath(entry.path)
    if os.path.isdir(target):
        found.refused.append(Refused(path, "it is a link to a folder, which is not followed"))
    elif not os.path.isfile(target):
        found.refused.append(Refused(path, "it is a link to nothing that can be read"))
    elif os.path.commonpath((inside, target)) != inside:
        found.refused.append(Refused(path, "it is a link that leads out of the folder"))
    else:
        found.files.append((path, Path(target)))


def printable_name(path: str) -> str:
    """A name as it may be shown."""
    return _UNFIT.sub("\ufffd", path)


def checked_path(path: str) -> str:
    """A path as documents have it: POSIX, relative, without ``..``. Raises InputError for another one."""
    parts = path.replace("\\", "/").split("/")
    if not path.strip() or path.startswith(("/", "\\")) or re.match("[A-Za-z]:", path):
        raise InputError(f"the path of a document is relative, like notes/plan.md; got {path!r}")
    if any(part in {"", ".", ".."} for part in parts) or _UNFIT.search(path) or len(path) > _MOST_PATH:
        raise InputError(f"the path of a document is made of plain names, like notes/plan.md; got {path[:200]!r}")
    return "/".join(parts)


_MOST_PATH = 1_000
