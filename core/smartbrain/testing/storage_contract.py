"""The behaviours that every ``Storage`` must have, as tests for the authors of stores.

::

    class TestMyStorage(StorageContract):
        @pytest.fixture
        def storage(self) -> Iterator[Storage]:
            with closing(MyStorage()) as storage:
                yield storage

A store that cannot keep one of them overrides that test with a visible skip and the reason.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from smartbrain.ports import Storage

# Before the import, so that a failing assert shows its values.
_PARTS = (
    "_storage_events",
    "_storage_forgetting",
    "_storage_history",
    "_storage_memory",
    "_storage_records",
    "_storage_transactions",
    "_storage_vectors",
)
pytest.register_assert_rewrite(*(f"smartbrain.testing.{part}" for part in _PARTS))

from smartbrain.testing._storage_events import EventSearchContract, OpenTurnsContract, TurnsContract  # noqa: E402
from smartbrain.testing._storage_forgetting import ForgettingContract  # noqa: E402
from smartbrain.testing._storage_history import HistoryContract  # noqa: E402
from smartbrain.testing._storage_memory import DerivedContract, ItemsContract  # noqa: E402
from smartbrain.testing._storage_records import RecordsContract  # noqa: E402
from smartbrain.testing._storage_transactions import (  # noqa: E402
    READS,
    ScopesContract,
    TransactionsContract,
    fill,
    use_everything,
)
from smartbrain.testing._storage_vectors import VectorsContract  # noqa: E402

__all__ = ["READS", "StorageContract", "fill", "use_everything"]


class StorageContract(
    TurnsContract,
    OpenTurnsContract,
    EventSearchContract,
    ItemsContract,
    DerivedContract,
    VectorsContract,
    ForgettingContract,
    HistoryContract,
    RecordsContract,
    ScopesContract,
    TransactionsContract,
):
    """Derive a test class from it and give it a ``storage`` fixture."""

    @pytest.fixture
    def storage(self) -> Iterator[Storage]:
        """An open, empty store for one test; the fixture closes it."""
        raise NotImplementedError("override the storage fixture")
