"""What the ``.gitignore`` files of a folder leave out, as Git reads them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from smartbrain.errors import InputError
from smartbrain.resources.library.files import read_bytes
from smartbrain.resources.library.values import Refused

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_NAME = ".gitignore"
_MOST_BYTES = 64 << 10
_MOST_STARS = 3
"""Time to match grows with the power of the stars: so many may stand in one name, and so many ``**`` in a rule."""


class _Level(NamedTuple):
    """The rules of one file: they see a path of the walk without its first ``cut`` characters, behind ``before``."""

    spec: GitIgnoreSpec
    cut: int
    before: str


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The rules that hold in one folder, the outermost first."""

    levels: tuple[_Level, ...] = ()

    def inside(self, folder: Path, prefix: str, refused: list[Refused]) -> Ignoring:
        """The rules in a folder below, whose paths begin with ``prefix``. Rules that cannot be used are ``refused``."""
        spec = _rules(folder, f"{prefix}{_NAME}", refused)
        return self if spec is None else Ignoring((*self.levels, _Level(spec, len(prefix), "")))

    def leaves_out(self, path: str) -> bool:
        """Whether the file at a path inside the folder is left out; or the folder, with a closing slash."""
        for spec, cut, before in reversed(self.levels):
            said = spec.check_file(f"{before}{path[cut:]}").include
            if said is not None:
                return said
        return False


def around(root: Path, refused: list[Refused]) -> Ignoring:
    """The rules that its repository has for a folder, in the folders above; none if these leave out the folder itself,
    which was named all the same."""
    levels = []
    for folder in _above(root):
        spec = _rules(folder, os.path.relpath(folder / _NAME, root), refused)
        if spec is not None:
            levels.append(_Level(spec, 0, f"{root.relative_to(folder).as_posix()}/"))
    found = Ignoring(tuple(levels))
    return Ignoring() if found.leaves_out("") else found


def _above(root: Path) -> Sequence[Path]:
    """The folders from the top of the repository down to the one that holds ``root``; none outside of a repository."""
    parents = list(root.parents)
    top = next((at for at, folder in enumerate((root, *parents)) if os.path.exists(folder / ".git")), 0)
    return parents[:top][::-1]


def _rules(folder: Path, name: str, refused: list[Refused]) -> GitIgnoreSpec | None:
    file = folder / _NAME
    if not os.path.isfile(file):
        return None
    from pathspec import GitIgnoreSpec

    try:
        data, _ = read_bytes(file, _MOST_BYTES)
    except InputError as error:
        refused.append(Refused(name, f"its rules are not followed: {error}"))
        return None
    patterns: list[GitIgnoreSpecPattern] = []
    for line in data.decode("utf-8-sig", "replace").splitlines():
        parts = line.split("/")
        if parts.count("**") > _MOST_STARS or any(part.count("*") > _MOST_STARS for part in parts):
            refused.append(Refused(name, f"its rule {line[:60]!r} is not followed: it has too many stars"))
            continue
        try:
            patterns += GitIgnoreSpec.from_lines([line], backend="simple").patterns
        except ValueError:  # Git, too, passes over a rule that is none
            continue
    return GitIgnoreSpec(patterns, backend="simple")
