"""Why an item is there, mending one by hand, and composing a stored context again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from smartbrain.config import BrainConfig, differences
from smartbrain.contracts.base import validate
from smartbrain.contracts.context import SLOTS, ContextPackage, DeveloperBlock, UserMessage
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.contracts.results import ContextDiff, Explanation
from smartbrain.contracts.turn_events import TurnEvents
from smartbrain.errors import ConflictError, InputError, NotFoundError
from smartbrain.model import Access, MemoryItem, Scope, Verdict
from smartbrain.policies.wording import headline
from smartbrain.ports import ContextRecord, Reader
from smartbrain.runtime.context import Workshop, filled
from smartbrain.runtime.reading import ReadPath, Request
from smartbrain.runtime.writing import WritePath


@dataclass(frozen=True, slots=True)
class Replay:
    """A stored context composed again. ``before`` is what was stored (None if contexts are not kept)."""

    package: ContextPackage
    before: ContextPackage | None
    diff: ContextDiff | None

    @property
    def same(self) -> bool:
        """Whether the package came out equal to the stored one."""
        return self.diff is not None and self.diff.same


class Insight:
    """Explains, mends and replays."""

    def __init__(self, shop: Workshop, writing: WritePath, reading: ReadPath) -> None:
        self._shop = shop
        self._writing = writing
        self._reading = reading

    # -- why -----------------------------------------------------------------------------------------------------

    def why(self, memory_id: str, access: Access) -> Explanation:
        """See ``SmartBrain.why``."""
        with self._shop.read() as reader:
            item = _item(reader, access, memory_id)
            by = reader.items(access.read, ids=[item.superseded_by], status=None) if item.superseded_by else []
            replaced = reader.items(access.read, ids=item.supersedes, status=None) if item.supersedes else []
            verdicts = reader.verdicts(access.read, memory_id)
        if item.status == "expired":
            verdicts.append(_expired(item))
        return Explanation(
            item=item,
            quotes=tuple(dict.fromkeys(s.quote for s in item.sources if s.quote)),
            verdicts=tuple(verdicts),
            supersedes=tuple(replaced),
            superseded_by=by[0] if by else None,
        )

    # -- mending -------------------------------------------------------------------------------------------------

    def edit(self, memory_id: str, value: Mapping[str, Any], reason: str, access: Access) -> MemoryItem:
        """See ``SmartBrain.edit``."""
        if not isinstance(value, Mapping) or not value:
            raise InputError("value must be a non-empty mapping of the fields to change")
        item = self._current(memory_id, access)
        operation = {"op": "edit", "item_id": memory_id, "value": dict(value), "reason": filled(reason, "reason")}
        return self._operate(item, operation, access)

    def retract(self, memory_id: str, reason: str, access: Access) -> MemoryItem:
        """See ``SmartBrain.retract``."""
        item = self._current(memory_id, access)
        operation = {"op": "retract", "item_id": memory_id, "reason": filled(reason, "reason")}
        return self._operate(item, operation, access)

    def _current(self, memory_id: str, access: Access) -> MemoryItem:
        with self._shop.read() as reader:
            item = _item(reader, access, memory_id)
        if item.status not in ("active", "expired"):
            raise ConflictError(f"memory {memory_id} is {item.status}; only an active one can be changed")
        if item.scope not in access.write:
            raise InputError(f"memory {memory_id} belongs to scope {item.scope}, which this call may not write")
        return item

    def _operate(self, item: MemoryItem, operation: dict[str, Any], access: Access) -> MemoryItem:
        """An edit is a turn without messages: the log stays the truth, and a rebuild makes the edit again."""
        incoming = self._writing.incoming(
            item.source_session_id,
            TurnEvents(meta={"operations": [operation]}),
            access=access._replace(default_write=item.scope),
            turn_id=f"{operation['op']}:{self._shop.new_id()}",
            occurred_at=None,
        )
        result = self._writing.commit(incoming)
        if result.memory_written.items:
            return result.memory_written.items[0]
        with self._shop.read() as reader:
            return _item(reader, access, item.id)

    # -- again ---------------------------------------------------------------------------------------------------

    def replay(self, context_id: str, config: BrainConfig | None, access: Access) -> Replay:
        """See ``SmartBrain.replay``."""
        record = self._shop.waiting.get(context_id)
        if record is not None and record.scope not in access.read:
            record = None
        if record is None:
            with self._shop.read() as reader:
                record = reader.context(access.read, context_id)
        if record is None:
            raise NotFoundError(f"no stored context {context_id!r} in the scopes of this call")
        request = _request(record)
        stored, _ = RetrievalPlan.read(dict(record.plan))
        settings = config or self._shop.config
        # What was recorded after the context was made must not leak into its replay.
        bounded = request if request.as_of else _at(request, request.now)
        plan = stored if config is None else self._reading.plan_for(bounded, settings)
        package = self._reading.run_again(bounded, plan.model_copy(update={"as_of": bounded.as_of}), settings)
        package = package.model_copy(update={"as_of": request.as_of})
        if record.package is None:
            return Replay(package, None, None)
        before, _ = ContextPackage.read(dict(record.package))
        changed = differences(self._shop.config, settings) if config is not None else {}
        planned = differences(stored, plan.model_copy(update={"as_of": stored.as_of}))
        return Replay(package, before, self.diff(before, package, config=changed, plan=planned))

    def diff(
        self,
        before: ContextPackage,
        after: ContextPackage,
        *,
        config: Mapping[str, Any] | None = None,
        plan: Mapping[str, Any] | None = None,
    ) -> ContextDiff:
        """See ``SmartBrain.diff``."""
        slots: dict[str, dict[str, Any]] = {}
        for slot in SLOTS:
            old, new = getattr(before, slot), getattr(after, slot)
            if old == new:
                continue
            if isinstance(old, tuple) and isinstance(new, tuple):
                olds, news = {_name(o): o for o in old}, {_name(n): n for n in new}
                slots[slot] = {
                    "removed": [n for n in olds if n not in news],
                    "added": [n for n in news if n not in olds],
                    "changed": [n for n in news if n in olds and olds[n] != news[n]],
                }
            else:
                slots[slot] = {"before": _shown(old), "after": _shown(new)}
        budget_before, budget_after = before.constraints.token_budget, after.constraints.token_budget
        if budget_before != budget_after:
            slots["token_budget"] = {
                name: list(pair) for name, pair in differences(budget_before, budget_after).items()
            }
        return ContextDiff(
            before_id=before.context_id,
            after_id=after.context_id,
            same=not slots,
            config=dict(config or {}),
            plan=dict(plan or {}),
            slots=slots,
        )


def _expired(item: MemoryItem) -> Verdict:
    return Verdict(
        subject=headline(item.type, item.value, item.language) or item.key,
        action="expired",
        rule="ttl",
        reason=item.reason or "",
        type=item.type,
        key=item.key,
        confidence=item.confidence,
        trust=item.trust,
        item_id=item.id,
    )


def _item(reader: Reader, access: Access, memory_id: str) -> MemoryItem:
    found = reader.items(access.read, ids=[memory_id], status=None)
    if not found:
        raise NotFoundError(f"no memory {memory_id!r} in the scopes of this call")
    return found[0]


def _request(record: ContextRecord) -> Request:
    data = record.request
    return Request(
        context_id=record.context_id,
        request_id=str(data["request_id"]),
        plan_id=str(data["plan_id"]),
        session_id=record.session_id,
        access=Access(
            tuple(Scope(*s) for s in data["read"]),
            tuple(Scope(*s) for s in data["write"]),
            Scope(*data["default_write"]),
        ),
        user_message=validate(UserMessage, data["user_message"]),
        developer_blocks=tuple(validate(DeveloperBlock, b) for b in data["developer_blocks"]),
        agent_state={},
        token_limit=int(data["token_limit"]),
        as_of=datetime.fromisoformat(data["as_of"]) if data["as_of"] else None,
        now=datetime.fromisoformat(data["now"]),
        turn_id=data["turn_id"],
    )


def _at(request: Request, moment: datetime) -> Request:
    from dataclasses import replace

    return replace(request, as_of=moment, bounded=True)


def _name(entry: Any) -> str:
    for field in ("id", "turn_id"):
        value = getattr(entry, field, None)
        if value:
            message = getattr(entry, "message", None)
            return f"{value}/{message.id}" if message is not None else str(value)
    return str(getattr(entry, "text", entry))[:80]


def _shown(value: Any) -> Any:
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value
