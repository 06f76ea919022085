"""Which memories are past their time: pure, by the rules of ``retention.ttl``, at a given moment.

Age never changes what is stored: an item is *shown* as expired. It counts from when the item was last said, so saying
it again keeps it. (How recent something is also steers its rank, ``retrieval.lexical.recency_weight``; that hides
nothing.)
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from smartbrain.config import TtlRule
from smartbrain.errors import ConfigError
from smartbrain.model import MemoryItem, Scope

TURNS = "turns"


def check_rules(rules: Sequence[TtlRule], types: Collection[str]) -> None:
    """Raises ConfigError for a rule about a type that there is not: it would keep for ever what should go."""
    for place, rule in enumerate(rules):
        if rule.type is not None and rule.type not in {*types, TURNS}:
            near = difflib.get_close_matches(rule.type, [*types, TURNS], n=1, cutoff=0.0)[0]
            where = f"policies.retention.ttl.{place}.type"
            raise ConfigError(f"configuration key {where!r}: no memory type {rule.type!r}; did you mean {near!r}?")


def rule_for(rules: Sequence[TtlRule], type: str, scope: Scope) -> TtlRule | None:
    """The first rule that fits a memory type (or ``turns``) in a scope."""
    return next((rule for rule in rules if _fits(rule, type, scope)), None)


def _fits(rule: TtlRule, type: str, scope: Scope) -> bool:
    named = rule.type == type if type == TURNS else rule.type in (None, type)
    return named and rule.domain in (None, scope.domain) and rule.scope in (None, f"{scope.type}:{scope.id}")


def expires_at(item: MemoryItem, rules: Sequence[TtlRule]) -> datetime | None:
    """When an item is past its time; None for never."""
    rule = rule_for(rules, item.type, item.scope)
    return None if rule is None or rule.days is None else item.last_seen_at + timedelta(days=rule.days)


def cutoff(scope: Scope, rules: Sequence[TtlRule], now: datetime) -> datetime | None:
    """Turns of a scope that were said up to this moment are past their time; None: none ever are."""
    rule = rule_for(rules, TURNS, scope)
    return None if rule is None or rule.days is None else now - timedelta(days=rule.days)


def why_expired(type: str, scope: Scope, rules: Sequence[TtlRule]) -> str:
    """The reason, in one line: ``expired: tasks are kept 90 days (retention.ttl[0])``."""
    rule = rule_for(rules, type, scope)
    if rule is None or rule.days is None:
        return ""
    return f"expired: {type} are kept {rule.days:g} days (retention.ttl[{rules.index(rule)}])"


def as_seen(item: MemoryItem, rules: Sequence[TtlRule], now: datetime) -> MemoryItem:
    """The item as it is to be shown at a moment: one in force that is past its time is ``expired``, with the reason."""
    end = expires_at(item, rules) if item.status == "active" else None
    if end is None or end > now:
        return item
    reason = why_expired(item.type, item.scope, rules)
    return item.model_copy(update={"status": "expired", "valid_to": end, "reason": reason})
