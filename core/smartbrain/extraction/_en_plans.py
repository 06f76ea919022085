"""English goals and decisions: what the user aims at, and what they or their group have settled."""

from __future__ import annotations

from collections.abc import Iterator

from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_decisions import decisions_of
from smartbrain.extraction._en_goals import given_up, goals_of, reached
from smartbrain.extraction.hits import Hit


def find(clause: Clause) -> Iterator[Hit]:
    """The goals and decisions of one clause; at most one rule fires."""
    for rule in (given_up, reached, goals_of, decisions_of):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return
