"""A layered index in memory, for tests of plans and of what executes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.plan import Filters, Layer, Mode, RetrievalPlan
from smartbrain.errors import InputError
from smartbrain.model import Ref, Scope
from smartbrain.ports import KnownNames
from smartbrain.resources.executing import execute
from smartbrain.resources.filtering import admits
from smartbrain.resources.layers import Entry, Scored
from smartbrain.resources.naming import names_in
from smartbrain.text.terms import query_terms, term_counts


class MemoryIndex:
    """Entries by scope; a search scores an entry by how many of the asked terms it holds, each the more the rarer.

    Also a resource client, so that a brain can be given it. Keeps what it was asked (``asked``).
    """

    def __init__(self, entries: Mapping[Scope, Sequence[Entry]]) -> None:
        self.entries = {scope: tuple(each) for scope, each in entries.items()}
        self.asked: list[tuple[str, tuple[Layer, ...], Mode | None]] = []

    def search(
        self, text: str, *, scopes: Sequence[Scope], layers: Sequence[Layer], filters: Filters, mode: Mode, limit: int
    ) -> list[Scored]:
        """See ``LayeredIndex``."""
        self.asked.append((text, tuple(layers), mode))
        asked = query_terms(text)
        seen = self._seen(scopes, layers, filters)
        held = {e.id: term_counts(" ".join((e.title, *e.heading, e.text))) for e in seen}
        rare = {term: sum(term in terms for terms in held.values()) for term in asked}
        hits = [
            Scored(entry, round(score, 9), tuple(term for term in asked if term in held[entry.id]))
            for entry in seen
            if (score := sum(1 / rare[term] for term in asked if term in held[entry.id])) > 0
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.entry.id))[:limit]

    def at(
        self, paths: Sequence[str], *, scopes: Sequence[Scope], layers: Sequence[Layer], filters: Filters
    ) -> list[Entry]:
        """See ``LayeredIndex``."""
        seen = self._seen(scopes, layers, filters)
        return [entry for path in paths for entry in seen if entry.path.lower() == path.lower()]

    def containing(
        self,
        fragments: Sequence[str],
        *,
        scopes: Sequence[Scope],
        layers: Sequence[Layer],
        filters: Filters,
        limit: int,
    ) -> list[Entry]:
        """See ``LayeredIndex``."""
        wanted = [fragment.lower() for fragment in fragments]
        seen = self._seen(scopes, layers, filters)
        return [entry for entry in seen if any(part in entry.path.lower() for part in wanted)][:limit]

    def retrieve(self, plan: RetrievalPlan, *, scopes: Sequence[Scope], timeout: float) -> EvidencePack:  # noqa: ARG002
        """The plan, executed."""
        return execute(plan, self, scopes=scopes, timer=lambda: 0.0)

    def names(self, text: str, *, scopes: Sequence[Scope]) -> KnownNames:
        """What of its documents a text may speak of."""
        return names_in(text, self, scopes=scopes)

    def offer(self, refs: Sequence[Ref], *, scope: Scope) -> None:
        """Takes no refs."""

    def _seen(self, scopes: Sequence[Scope], layers: Sequence[Layer], filters: Filters) -> list[Entry]:
        if not scopes:
            raise InputError("a search of documents needs a scope")
        return [
            entry
            for scope in scopes
            for entry in self.entries.get(scope, ())
            if entry.layer in layers and admits(filters, entry)
        ]
