"""A reader that shows what is past its time as expired, and so offers it no more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, cast

from smartbrain.config import TtlRule
from smartbrain.model import ItemStatus, MemoryItem, Scope
from smartbrain.policies.expiry import as_seen
from smartbrain.ports import Reader


class LivingReader:
    """A ``Reader`` at a moment: ``now``, or the ``as_of`` of a call. Everything but items passes through."""

    def __init__(self, reader: Reader, rules: Sequence[TtlRule], now: datetime) -> None:
        self._reader = reader
        self._rules = rules
        self._now = now
        #: What search found and was not offered, in the order in which it was found.
        self.withheld: dict[str, None] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def items(
        self,
        scopes: Sequence[Scope],
        *,
        ids: Collection[str] | None = None,
        type: str | None = None,
        key: str | Collection[str] | None = None,
        status: ItemStatus | None = "active",
        as_of: datetime | None = None,
        limit: int | None = None,
        shared: bool = False,
    ) -> list[MemoryItem]:
        """See ``Reader.items``; ``expired`` is a status here."""
        aged = status in ("active", "expired")
        found = self._reader.items(
            scopes,
            ids=ids,
            type=type,
            key=key,
            status="active" if aged else status,
            as_of=as_of,
            limit=None if aged else limit,
            shared=shared,
        )
        shown = [as_seen(item, self._rules, as_of or self._now) for item in found]
        kept = [item for item in shown if status in (None, item.status)]
        return kept if limit is None else kept[len(kept) - min(max(limit, 0), len(kept)) :]

    def versions(
        self, scope: Scope, slots: Collection[tuple[str, str]], as_of: datetime | None = None
    ) -> list[MemoryItem]:
        """See ``Reader.versions``."""
        found = self._reader.versions(scope, slots, as_of)
        return [as_seen(item, self._rules, as_of or self._now) for item in found]

    def item_docs(self, scope: Scope, ords: Collection[int], as_of: datetime | None = None) -> dict[int, MemoryItem]:
        """See ``Reader.item_docs``."""
        found = self._reader.item_docs(scope, ords, as_of)
        shown = {ord_: as_seen(item, self._rules, as_of or self._now) for ord_, item in found.items()}
        self.withheld |= {item.id: None for item in shown.values() if item.status == "expired"}
        return shown


def living(reader: Reader, rules: Sequence[TtlRule], now: datetime) -> Reader:
    """The reader as it is where nothing ages, else one that knows what is past its time."""
    return cast("Reader", LivingReader(reader, rules, now)) if rules else reader


def withheld(reader: Reader) -> tuple[str, ...]:
    """The ids of what search found through a reader and did not offer, because it is past its time."""
    return tuple(reader.withheld) if isinstance(reader, LivingReader) else ()
