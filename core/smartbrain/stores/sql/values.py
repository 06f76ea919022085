"""Values as the columns of their rows, and back."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, TypeVar

from pydantic_core import PydanticSerializationError, to_json

from smartbrain.errors import InputError
from smartbrain.model import MemoryItem, Message, Scope, Source, Turn, Value
from smartbrain.stores.sql.connection import Row
from smartbrain.text.clean import dumps

V = TypeVar("V", bound=Value)

_EPOCH = datetime(1970, 1, 1)
_EPOCH_UTC = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

#: Fields that stand in columns of their own or in other tables; every other field stands in the payload.
_TURN_COLUMNS = frozenset(
    {
        "session_id",
        "turn_id",
        "scope",
        "seq",
        "revision",
        "status",
        "messages",
        "occurred_at",
        "recorded_at",
        "superseded_at",
        "undone_at",
    }
)
_ITEM_COLUMNS = frozenset({"id", "type", "key", "status", "scope", "occurred_at", "recorded_at", "sources"})
_SOURCE_COLUMNS = frozenset({"turn_id", "session_id", "message_id", "span"})

TURN = (
    "t.turn_pk, s.session_id, t.turn_id, t.seq, t.revision, t.status, t.occurred_us, t.occurred_offset,"
    " t.recorded_us, t.recorded_offset, t.superseded_us, t.superseded_offset, t.first_ord, t.message_count, t.payload,"
    " t.undone_us"
)
ITEM = (
    "item_pk, ord, id, type, key, status, occurred_us, occurred_offset, recorded_us, recorded_offset,"
    " closed_from_us, payload"
)
SOURCE = "item_pk, session_id, turn_id, message_id, span_start, span_end, payload"


def micros(moment: datetime) -> int:
    """Microseconds since 1970-01-01 UTC, exact; naive datetimes are refused."""
    if moment.utcoffset() is None:
        raise InputError(f"a moment needs a timezone, got {moment!r}")
    return (moment - _EPOCH_UTC) // _MICROSECOND


def stamp(moment: datetime) -> tuple[int, int]:
    """A moment as its two columns: UTC microseconds, and the minutes east of UTC it was given with."""
    return micros(moment), _minutes(moment)


def moment(us: int, offset: int) -> datetime:
    """The moment of two columns."""
    if not offset:
        return _EPOCH_UTC + timedelta(microseconds=us)
    zone = timezone(timedelta(minutes=offset))
    return (_EPOCH + timedelta(microseconds=us, minutes=offset)).replace(tzinfo=zone)


def _minutes(moment: datetime) -> int:
    return (moment.utcoffset() or timedelta()) // timedelta(minutes=1)


def pack(value: Value, exclude: Collection[str] = ()) -> str:
    """The fields of a value as JSON, defaults left out. Raises InputError for what JSON cannot carry."""
    whole, left_out = _whole(value), set(exclude)
    with suppress(ValueError, RecursionError):  # what only ``dumps`` can carry (lone surrogates), and what nothing can
        return whole.model_dump_json(exclude=left_out, exclude_defaults=True)
    try:
        return dumps(whole.model_dump(mode="json", exclude=left_out, exclude_defaults=True))
    except (PydanticSerializationError, TypeError, ValueError, RecursionError) as error:
        raise InputError(f"a {type(value).__name__} holds a value that JSON cannot carry: {error}") from error


def pack_json(value: Any) -> str:
    """A JSON value as text. Raises InputError for what JSON cannot carry."""
    with suppress(ValueError, RecursionError):  # as in ``pack``
        return to_json(value).decode()
    try:
        return dumps(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"a value cannot be carried by JSON: {error}") from error


def _whole(value: V) -> V:
    """The same moments with offsets of whole minutes: ISO 8601 has no room for the seconds of old local times."""
    odd: dict[str, Any] = {}
    for name, field in value:
        if isinstance(field, datetime) and (field.utcoffset() or timedelta()) % timedelta(minutes=1):
            odd[name] = moment(*stamp(field))
    return value.model_copy(update=odd) if odd else value


def turn_payload(turn: Turn) -> str:
    """Everything of a turn that has no column and is no message."""
    return pack(turn, _TURN_COLUMNS)


def turn_from(row: Row, scope: Scope, messages: Iterable[str], as_of: datetime | None = None) -> Turn:
    """The turn of a row of ``TURN`` and the payloads of its messages, in order; what befell it after ``as_of`` is not
    told."""
    _, session_id, turn_id, seq, revision, status, *times, _, _, payload, undone = row
    return Turn.model_validate(
        {
            **json.loads(payload),
            "session_id": session_id,
            "turn_id": turn_id,
            "scope": scope,
            "seq": seq,
            "revision": revision,
            "status": status,
            "messages": [json.loads(message) for message in messages],
            "occurred_at": moment(times[0], times[1]),
            "recorded_at": moment(times[2], times[3]),
            "superseded_at": moment(times[4], times[5]) if told(times[4], as_of) else None,
            "undone_at": moment(undone, 0) if told(undone, as_of) else None,
        }
    )


def told(us: int | None, as_of: datetime | None) -> bool:
    """Whether something that befell at a moment, if it did at all, is known at another."""
    return us is not None and (as_of is None or us <= micros(as_of))


def message_from(payload: str) -> Message:
    """The message of a payload."""
    return Message.model_validate(json.loads(payload))


def item_columns(item: MemoryItem) -> tuple[Any, ...]:
    """The columns of an item from ``id`` on, in the order of ``ITEM``."""
    closed = item.valid_to or item.closed_at or item.occurred_at
    closed_from = None if item.status == "active" else micros(closed)
    times = (*stamp(item.occurred_at), *stamp(item.recorded_at))
    return (item.id, item.type, item.key, item.status, *times, closed_from, pack(item, _ITEM_COLUMNS))


def item_from(row: Row, scope: Scope, sources: Iterable[Source], as_of: int | None = None) -> MemoryItem:
    """The item of a row of ``ITEM``; with ``as_of`` (microseconds) as it stood then."""
    _, _, item_id, kind, key, status, *times, closed_from, payload = row
    fields = json.loads(payload)
    shown = list(sources)
    if as_of is not None:
        shown = [_counting_then(source, as_of) for source in shown]
        if closed_from is not None and closed_from > as_of:
            status = "active"
            for name in ("valid_to", "closed_at", "superseded_by", "reason"):
                fields.pop(name, None)
        said = [source for source in shown if micros(source.occurred_at) <= as_of]
        if said and len(said) < len(shown):
            fields |= seen_by(said)
            shown = said
    return MemoryItem.model_validate(
        {
            **fields,
            "id": item_id,
            "type": kind,
            "key": key,
            "status": status,
            "scope": scope,
            "occurred_at": moment(times[0], times[1]),
            "recorded_at": moment(times[2], times[3]),
            "sources": shown,
        }
    )


def as_it_stood(row: Row, ord_: int, status: str, closed_from: int | None, payload: str) -> Row:
    """A row of ``ITEM`` with what one of its states says otherwise."""
    return (row[0], ord_, *row[2:5], status, *row[6:10], closed_from, payload)


def seen_by(sources: Collection[Source]) -> dict[str, Any]:
    """How often an item was said, and when last, by those of its sources that count."""
    counting = [source for source in sources if source.undone_at is None] or sources
    return {"seen": len(counting), "last_seen_at": max(source.occurred_at for source in counting)}


def _counting_then(source: Source, as_of: int) -> Source:
    if source.undone_at is None or micros(source.undone_at) <= as_of:
        return source
    return source.model_copy(update={"undone_at": None})


def source_columns(source: Source) -> tuple[Any, ...]:
    """The columns of a source from ``session_id`` on, in the order of ``SOURCE``."""
    start, end = source.span or (None, None)
    return source.session_id, source.turn_id, source.message_id, start, end, pack(source, _SOURCE_COLUMNS)


def source_from(row: Row) -> Source:
    """The source of a row of ``SOURCE``."""
    _, session_id, turn_id, message_id, start, end, payload = row
    span = None if start is None else (start, end)
    columns = {"session_id": session_id, "turn_id": turn_id, "message_id": message_id, "span": span}
    return Source.model_validate(json.loads(payload) | columns)
