"""Which documents a call may see: the application's scopes as the backend's filters, or nothing (contracts.md §9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

from smartbrain.contracts.evidence import EvidencePack, PackExplain
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.contracts.scopes import asks_for_scope
from smartbrain.errors import ScopeError
from smartbrain.model import Scope
from smartbrain.policies.admission import SCOPE_FIELD

ScopeMapper = Callable[[str, Sequence[Scope]], Mapping[str, Any]]
"""``scope_mapper(domain_id, scopes) -> {"filters": {field: value or list of values}}``.

The filters say which documents belong to these scopes, in the backend's own terms. A document must match every field,
and of a list any value."""

Filters = Mapping[str, Any]
_PLAIN = (str, int, float)


@dataclass(frozen=True, slots=True)
class Clearance:
    """What a call may ask for. ``filters`` None: no scope has to be confirmed. A ``problem``: nothing may be asked."""

    filters: Filters | None = None
    problem: str = ""


class Scoping:
    """Makes filters of scopes. One of the two: a ``scope_mapper``, or ``shared`` documents that are for everybody."""

    def __init__(self, scope_mapper: ScopeMapper | None, *, shared: bool) -> None:
        """Raises ScopeError when both are given: then it is not clear which one is meant."""
        if shared and scope_mapper is not None:
            raise ScopeError("shared=True says that every tenant may read these documents; a scope_mapper says who may")
        self._mapper = scope_mapper
        self.shared = shared

    def clear(self, scopes: Sequence[Scope]) -> Clearance:
        """The filters for these scopes; a problem instead where they cannot be told. Raises ScopeError for none."""
        if not asks_for_scope(scopes) or self.shared:
            return Clearance()
        if self._mapper is None:
            return Clearance(
                problem="there is no scope_mapper to tell whose documents these are"
                " (give one, or shared=True if every user may read them all)"
            )
        domains = {scope.domain for scope in scopes}
        if len(domains) > 1:
            return Clearance(problem=f"the scopes are of {len(domains)} domains at once")
        try:
            answer = self._mapper(domains.pop(), tuple(scopes))
        except Exception as error:  # noqa: BLE001 - the application's code: whatever it raises, nothing is asked for
            return Clearance(problem=f"the scope_mapper failed: {type(error).__name__}: {error}")
        return _cleared(answer)


def _cleared(answer: object) -> Clearance:
    filters = answer.get("filters") if isinstance(answer, Mapping) else None
    if not isinstance(filters, Mapping):
        return Clearance(problem='the scope_mapper must give {"filters": {field: value or list of values}}')
    if not filters:
        return Clearance(problem="the scope_mapper gave no filter, and no filter lets every document through")
    for field, value in filters.items():
        values = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
        if not isinstance(field, str) or not values or not all(isinstance(v, _PLAIN) for v in values):
            return Clearance(problem=f"the scope_mapper's filter {field!r} is neither a value nor a list of values")
    return Clearance(filters={f: list(v) if isinstance(v, (tuple, set, frozenset)) else v for f, v in filters.items()})


def refused(plan: RetrievalPlan, problem: str) -> EvidencePack:
    """The answer to a call that may not be made: nothing, and why."""
    return EvidencePack(
        plan_id=plan.plan_id,
        request_id=plan.request_id,
        explain=PackExplain(ignored_fields=(SCOPE_FIELD,)),
        warnings=(f"resources were not asked: {problem}",),
    )


def matches(metadata: Mapping[str, Any], filters: Filters) -> bool:
    """Whether a document's own metadata says that it is what every filter asks for; what it does not say is a no."""
    return all(_meets(metadata.get(field), wanted) for field, wanted in filters.items())


def _meets(value: object, wanted: object) -> bool:
    given = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    allowed = wanted if isinstance(wanted, (list, tuple, set, frozenset)) else [wanted]
    return any(_same(one, other) for one in given for other in allowed)


def _same(one: object, other: object) -> bool:
    # True is 1 to Python and not to whoever wrote the filter; what is no plain value is equal to nothing.
    plain = isinstance(one, (str, Number)) and isinstance(other, (str, Number))
    return plain and isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
