from __future__ import annotations

import pytest

from smartbrain.model import MemoryItem
from smartbrain.stores.items import ItemCache
from smartbrain.testing.storage_values import make_item


def test_an_item_is_made_once_and_given_out_as_equal_values() -> None:
    cache, made = ItemCache(1 << 20), []

    def make() -> MemoryItem:
        made.append(1)
        return make_item("a")

    first, second = (cache.of("row", 10, make) for _ in range(2))
    assert first == second == make_item("a")
    assert first.value is not second.value
    assert len(made) == 1


@pytest.mark.parametrize("most", [0, 6_000, 40_000])
def test_the_least_recently_used_items_go_when_the_bytes_are_used_up(most: int) -> None:
    cache = ItemCache(most)
    for number in range(20):
        cache.of(number, 100, lambda number=number: make_item(str(number)))  # type: ignore[misc]
        assert cache.nbytes <= most
    made = []
    cache.of(19, 100, lambda: made.append(1) or make_item("19"))  # type: ignore[func-returns-value]
    assert bool(made) == (most == 0)
    cache.clear()
    assert cache.nbytes == 0
