"""The labelled utterances: reading them, and one way to say whether what was kept is what was expected.

Tests take the ``labels`` fixture. The format and the rules of counting are in ``extraction/README.md``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from smartbrain.model import TYPE_RULES
from smartbrain.text.folding import fold

FOLDER = Path(__file__).parent / "extraction"
KEY_SCHEME = Path(__file__).parents[2] / "docs" / "memory-keys.md"
FILES = ("dev_en", "dev_zh", "spent_en", "spent_zh", "test_en", "test_zh")
TYPE_OF = {rule.prefix: rule.name for rule in TYPE_RULES.values()}

Unit = dict[str, Any]
"""One thing to count: a label or a kept item; a profile is one unit per fact, with ``k`` and ``v``."""


def load(name: str) -> list[dict[str, Any]]:
    """The items of one file of ``FILES``, in order."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


def closed_list(first: str) -> tuple[str, ...]:
    """The words of the list in the key scheme that begins with ``first``: the document is the only copy."""
    found = re.search(rf"`({re.escape(first)} [a-z_\s]+)`", KEY_SCHEME.read_text("utf-8"))
    assert found, f"docs/memory-keys.md holds no list that begins with {first!r}"
    return tuple(found[1].split())


def slots() -> dict[str, frozenset[str]]:
    """The closed slots of each scope of preferences."""
    rows = re.findall(r"^\| `(writing|coding|tools|ui|other)`[^|]*\| (.+) \|$", KEY_SCHEME.read_text("utf-8"), re.M)
    return {scope: frozenset(re.findall(r"`([a-z_]+)`", cells)) for scope, cells in rows}


@dataclass(frozen=True)
class Score:
    """What became of one item: labels that were met, labels that were missed, kept units nobody asked for."""

    hits: tuple[Unit, ...]
    missed: tuple[Unit, ...]
    junk: tuple[Unit, ...]


def units(entries: Iterable[Mapping[str, Any]]) -> list[Unit]:
    """Labels, one unit per fact."""
    found: list[Unit] = []
    for entry in entries:
        rest = {name: value for name, value in entry.items() if name != "facts"}
        found += [{**rest, **fact} for fact in entry.get("facts", ())] if entry["type"] == "profile" else [rest]
    return found


def kept_units(kept: Iterable[Mapping[str, Any]]) -> list[Unit]:
    """Kept things ``{type, key, value?, retract?}``, one unit per fact; a fact without a value is a closed one."""
    found: list[Unit] = []
    for item in kept:
        value = item.get("value") or {}
        unit: Unit = {"type": item["type"], "key": item["key"], "retract": bool(item.get("retract"))}
        if item["type"] == "profile" and value.get("facts"):
            for fact in value["facts"]:
                closed = fact.get("v") is None
                found.append({**unit, "k": fact["k"], "v": fact.get("v"), "retract": unit["retract"] or closed})
        else:
            found.append({**unit, "fields": value})
    return found


def _alike(label: object, kept: object, room: int = 40) -> bool:
    """One holds the other: what is kept is at least half of the label and at most ``room`` characters more."""
    a, b = (" ".join(fold(str(text)).split()) for text in (label, kept))
    return bool(a and b) and ((a in b and len(b) <= len(a) + room) or (b in a and 2 * len(b) >= len(a)))


def _event(key: str) -> tuple[str, str] | None:
    """(date, kind) of an event key whose title begins with a kind of the closed list."""
    date, _, what = key.removeprefix("event:default:").partition(":")
    kinds = closed_list("release")
    found = [kind for kind in kinds if what == kind or what.startswith(f"{kind}_")]
    return (date, max(found, key=len)) if key.startswith("event:") and found else None


def _same_key(label: Unit, key: str) -> bool:
    keys = [label["key"], *label.get("accept", ())]
    if key in keys:
        return True
    event = _event(key)
    return event is not None and event in [_event(known) for known in keys]


def meets(label: Unit, kept: Unit) -> bool:
    """Whether a kept unit is what the label asks for."""
    if bool(label.get("retract")) != kept["retract"] or not _same_key(label, kept["key"]):
        return False
    if TYPE_OF[kept["key"].partition(":")[0]] != label["type"]:
        return True  # an accepted key of another type: its fields are not those of the label
    if label["type"] == "profile":
        return label["k"] == kept.get("k") and (kept["retract"] or _alike(label["v"], kept.get("v")))
    fields = kept.get("fields", {})
    if any(fields.get(name) != label[name] for name in ("polarity", "status", "due") if name in label):
        return False
    if "value" in label and not (
        _alike(label["value"], fields.get("decision"), room=300)  # a decision may be told in a whole sentence
        if label["type"] == "decisions"
        else _alike(label["value"], fields.get("value"))
    ):
        return False
    names = [str(name) for name in fields.get("aliases", ())]
    return all(any(_alike(alias, name) for name in names) for alias in label.get("aliases", ()))


def _beside_the_point(unit: Unit, labels: Sequence[Unit]) -> bool:
    """Counts neither way: who a labelled person is, and entities that are a part of a task or decision."""
    if unit["type"] == "profile" and unit["key"] != "profile:user" and unit.get("k") in ("name", "relation"):
        return any(_same_key(label, unit["key"]) for label in labels)
    return unit["type"] == "entities" and any(label["type"] in ("tasks", "decisions") for label in labels)


def score(expect: Sequence[Mapping[str, Any]], kept: Iterable[Mapping[str, Any]]) -> Score:
    """Compare what a fresh store would keep with the labels of one item.

    ``kept`` are mappings ``{type, key, value?, retract?}``. Optional labels are never missed and what meets them is no
    junk; the same thing kept twice is counted once.
    """
    labels, got = units(expect), kept_units(kept)
    met = [any(meets(label, unit) for unit in got) for label in labels]
    counted = [(label, hit) for label, hit in zip(labels, met, strict=True) if not label.get("optional")]
    return Score(
        tuple(label for label, hit in counted if hit),
        tuple(label for label, hit in counted if not hit),
        tuple(u for u in got if not any(meets(label, u) for label in labels) and not _beside_the_point(u, labels)),
    )


@pytest.fixture(scope="session")
def labels() -> SimpleNamespace:
    """``load(name)``, ``score(expect, kept)`` and the closed lists of the key scheme."""
    return SimpleNamespace(load=load, score=score, units=units, files=FILES, closed_list=closed_list, slots=slots)
