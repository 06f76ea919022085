"""The steps of a schema, as numbered SQL files in the package of the store that runs them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema; ``version`` counts from 1 without a gap."""

    version: int
    name: str
    sql: str


@cache
def steps_of(package: str) -> tuple[Migration, ...]:
    """The steps in a package's ``migrations`` folder, in order."""
    folder = files(package) / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple(
        Migration(int(name[:4]), name.removesuffix(".sql"), (folder / name).read_text("utf-8")) for name in names
    )
