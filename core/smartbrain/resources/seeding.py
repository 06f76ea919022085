"""Documents that a plan names, looked up before anything is searched (seed 002, section 11)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from posixpath import basename, splitext

from smartbrain.contracts.plan import Layer, RetrievalPlan
from smartbrain.model import Scope
from smartbrain.resources.filtering import admits, like
from smartbrain.resources.layers import Entry, LayeredIndex

_MOST_HINTS = 16
_MOST_ENTRIES = 24
_SHORTEST = 3


EXACT, FILE, PART = 1.5, 1.0, 0.5
"""What a document gains for being named by its path, by its file name, or by a part of its path."""

SUGGESTED = 0.3
"""What a document gains for fitting a wished pattern, where suggestions are made."""

_MOST_SUGGESTED = 4


@dataclass(frozen=True, slots=True)
class Seeds:
    """What the hints led to: what each named document gains, one entry for each, and the hints that fit none.

    The entry is the one that stands for its document: of the first planned layer that has one.
    """

    gain: Mapping[str, float]
    entries: tuple[Entry, ...]
    missing: tuple[str, ...]


def seeds_of(plan: RetrievalPlan, index: LayeredIndex, *, scopes: Sequence[Scope], layers: Sequence[Layer]) -> Seeds:
    """The documents of a plan's ``target_doc_hints``, within its hard filters; at most 16 hints are looked up."""
    hints = [hint for hint in dict.fromkeys(plan.preferences.target_doc_hints) if hint.strip()][:_MOST_HINTS]
    if not hints or not layers:
        return Seeds({}, (), ())
    filters = plan.global_filters
    paths = {hint: _path(hint) for hint in hints}
    named = index.at(list(paths.values()), scopes=scopes, layers=layers, filters=filters)
    found = [entry for entry in named if admits(filters, entry)]
    gain = {entry.document_id: EXACT for entry in found}
    there = {entry.path.lower() for entry in found}
    catalogue = [layer for layer in layers if layer == "D1_DOCUMENT_CATALOG"] or layers
    missing: list[str] = []
    for hint, path in paths.items():
        if path.lower() in there:
            continue
        fragments = _fragments(path)
        holding = index.containing(fragments, scopes=scopes, layers=catalogue, filters=filters, limit=_MOST_ENTRIES)
        fitting = [entry for entry in holding[:_MOST_ENTRIES] if admits(filters, entry)] if fragments else []
        for entry in fitting:
            whole = basename(entry.path).lower() == basename(path).lower()
            gain[entry.document_id] = max(gain.get(entry.document_id, 0.0), FILE if whole else PART)
        found += fitting
        missing += [] if fitting else [hint]
    return Seeds(gain, _one_each(found, layers), tuple(missing))


def suggestions_of(
    plan: RetrievalPlan, index: LayeredIndex, *, scopes: Sequence[Scope], layers: Sequence[Layer]
) -> tuple[Entry, ...]:
    """The beginnings of at most four documents whose path fits a wished pattern, those nearest to the root first."""
    patterns = plan.preferences.like_patterns
    literal = [max(re.split(r"[%_]", pattern.lower()), key=len) for pattern in patterns]
    wanted = [part for part in dict.fromkeys(literal) if len(part) >= _SHORTEST]
    if not wanted or not layers:
        return ()
    filters = plan.global_filters
    found = index.containing(wanted, scopes=scopes, layers=layers[-1:], filters=filters, limit=_MOST_ENTRIES)
    first: dict[str, Entry] = {}
    for entry in found[:_MOST_ENTRIES]:
        fits = admits(filters, entry) and any(like(pattern, entry.path.lower()) for pattern in patterns)
        before = first.get(entry.document_id)
        if fits and (before is None or entry.start < before.start):
            first[entry.document_id] = entry
    nearest = sorted(first.values(), key=lambda entry: (entry.path.count("/"), entry.path))
    return tuple(nearest[:_MOST_SUGGESTED])


def _one_each(entries: Sequence[Entry], layers: Sequence[Layer]) -> tuple[Entry, ...]:
    order = {layer: place for place, layer in enumerate(layers)}
    best: dict[str, Entry] = {}
    for entry in entries:
        if entry.layer not in order:
            continue
        before = best.get(entry.document_id)
        if before is None or (order[entry.layer], entry.start) < (order[before.layer], before.start):
            best[entry.document_id] = entry
    return tuple(best.values())


def _path(hint: str) -> str:
    path = hint.strip().replace("\\", "/").lstrip("/")
    return path[2:] if path.startswith("./") else path


def _fragments(path: str) -> list[str]:
    """What of a hint may stand in a path: its last part, and a title as file names spell it."""
    name = basename(path.rstrip("/"))
    stem, ending = splitext(name)
    words = stem if re.fullmatch(r"\.[A-Za-z0-9]{1,5}", ending) else name
    spellings = [name, *(re.sub(r"[\s_-]+", dash, words.strip()) for dash in "-_")]
    return [s for s in dict.fromkeys(s.lower() for s in spellings) if len(s) >= (_SHORTEST if s.isascii() else 2)]
