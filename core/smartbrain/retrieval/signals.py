"""What a question says besides its words: whose turns it means, which days, which end of a series."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import numpy as np

from smartbrain.contracts.plan import Query, RetrievalPlan, TimeRange
from smartbrain.model import Scope
from smartbrain.ports import DocColumns, Reader
from smartbrain.retrieval.lexical import QuerySignals
from smartbrain.text.asking import names_in
from smartbrain.text.folding import fold
from smartbrain.text.terms import query_terms

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC).date()


def signals_of(reader: Reader, scope: Scope, query: Query, plan: RetrievalPlan, columns: DocColumns) -> QuerySignals:
    """What a query says besides its words, in the codes of one scope."""
    bounds = plan.global_filters.time_range
    last = plan.as_of or (bounds.end if bounds else None)
    return QuerySignals(
        speakers=named_speakers(query.text, reader.speakers(scope, plan.as_of)),
        days=_days(query, plan, columns),
        named_day=bool(query.hints.get("named_day")),
        order=query.hints.get("order", ""),
        tells=bool(query.hints.get("tells")),
        names=frozenset(term for name in names_in(query.text) for term in query_terms(name)),
        today=today_of(plan),
        # The columns hold the day in the speaker's own time zone: one day of slack, the exact moment is checked later.
        first_day=_day(bounds.start) - 1 if bounds and bounds.start else None,
        last_day=_day(last) + 1 if last else None,
    )


def _days(query: Query, plan: RetrievalPlan, columns: DocColumns) -> dict[int, float]:
    """The asked days; without a year named, those of the newest year in which anything was said on them."""
    days = asked_days(plan.preferences.time_range)
    if not days or not query.hints.get("any_year"):
        return days
    said = np.zeros(1 << 16, dtype=np.bool_)
    said[columns.day] = True
    for back in range(_YEARS_BACK):
        moved = {day - round(365.25 * back): weight for day, weight in days.items()}
        if any(weight >= _ON_THE_DAY and 0 <= day < len(said) and said[day] for day, weight in moved.items()):
            return moved
    return days


_YEARS_BACK = 30
_ON_THE_DAY = 0.7


def named_speakers(text: str, speakers: Mapping[int, str]) -> frozenset[int]:
    """The codes of the one speaker the question names; naming two says nothing about whose turn is meant."""
    folded = fold(text)
    words = set(query_terms(text))
    named = {
        code
        for code, name in speakers.items()
        if name and (fold(name) in folded if not name.isascii() else set(query_terms(name)) <= words)
    }
    names = {fold(speakers[code]) for code in named}
    return frozenset(named) if len(names) == 1 else frozenset()


def asked_days(asked: TimeRange | None) -> dict[int, float]:
    """How well each day fits the time the question speaks of.

    What happens on a day is told on it or soon after: the day weighs 1, the two after it 0.85, a week on 0.6; in a
    month 0.7, in the month after 0.25; in a longer range 0.3.
    """
    if asked is None or asked.start is None:
        return {}
    first = _day(asked.start)
    last = _day(asked.end - timedelta(microseconds=1)) if asked.end else first + 366
    last = min(last, first + 3660)
    span = last - first + 1
    if span <= 7:
        later = dict.fromkeys(range(last + 3, last + 11), 0.6)
        soon = dict.fromkeys(range(last + 1, last + 3), 0.85)
        return later | soon | dict.fromkeys(range(first, last + 1), 1.0)
    if span <= 31:
        after = dict.fromkeys(range(last + 1, last + 32), 0.25)
        return {**after, **dict.fromkeys(range(first, last + 1), 0.7)}
    return dict.fromkeys(range(first, last + 1), 0.3)


def today_of(plan: RetrievalPlan) -> int | None:
    """The day it is asked on, or as of."""
    asked_at = plan.as_of or plan.planned_at
    return _day(asked_at) if asked_at else None


def _day(moment: datetime) -> int:
    return (moment.date() - _EPOCH).days


def visible(occurred_at: datetime, plan: RetrievalPlan) -> bool:
    """Whether what was said at a moment is within the plan's filters; what is later than ``as_of`` no view holds."""
    bounds = plan.global_filters.time_range
    if bounds is None:
        return True
    return (bounds.start is None or occurred_at >= bounds.start) and (bounds.end is None or occurred_at < bounds.end)
