"""Which memory items a message may name: all that share a word with it, ranked only where they are too many."""

from __future__ import annotations

import numpy as np
import pytest

from smartbrain.ports import LexicalView, Postings
from smartbrain.runtime import entities


def view_of(**holding: range) -> LexicalView:
    n_docs = 1 + max(max(ords) for ords in holding.values())
    postings = {
        term: Postings(np.array(ords, np.uint32), np.ones(len(ords), np.uint16)) for term, ords in holding.items()
    }
    return LexicalView(n_docs, n_docs, postings, None)  # type: ignore[arg-type] # nothing here looks at the columns


def test_a_few_items_are_all_looked_at_and_not_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entities, "rank_items", None)
    assert entities._nearest(view_of(kettle=range(3), blue=range(2, 6)), ["kettle", "blue"]) == set(range(6))
    assert entities._nearest(view_of(kettle=range(50)), ["kettle"]) == set(range(50))


@pytest.mark.parametrize("holding", [{"kettle": range(51)}, {"kettle": range(30), "blue": range(30, 60)}])
def test_of_many_the_best_are_looked_at(monkeypatch: pytest.MonkeyPatch, holding: dict[str, range]) -> None:
    class Best:
        ords = (7, 3)

    monkeypatch.setattr(entities, "rank_items", lambda *given: Best if given[-1] == 50 else None)
    assert entities._nearest(view_of(**holding), list(holding)) == (7, 3)
