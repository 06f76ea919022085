"""Past turns brought back verbatim, in their original order, and what they pointed at."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from smartbrain.contracts.results import RefInfo
from smartbrain.errors import InputError
from smartbrain.model import Access, Turn
from smartbrain.ports import Reader
from smartbrain.runtime.context import Workshop
from smartbrain.runtime.reading import ReadPath


def recall(
    shop: Workshop,
    reading: ReadPath,
    access: Access,
    *,
    session_id: str | None,
    query: str | None,
    turn_ids: Collection[str] | None,
    since: datetime | None,
    until: datetime | None,
    around: int,
    limit: int,
    as_of: datetime | None,
) -> list[Turn]:
    """The turns a query finds, or those named, or those of a time; each with ``around`` neighbours of its session."""
    if around < 0 or limit < 1:
        raise InputError(f"around must be >= 0 and limit >= 1, got around={around}, limit={limit}")
    with shop.read() as reader:
        if query is not None:
            wanted = _found(reading, reader, access, query, limit, as_of)
            turns = [t for sid, tid in wanted for t in _as_it_was(reader, access, sid, tid, as_of)]
            turns = [t for t in turns if (since is None or t.occurred_at >= since)]
            turns = [t for t in turns if (until is None or t.occurred_at < until)]
        else:
            turns = reader.turns(
                access.read,
                session_id=session_id,
                turn_ids=turn_ids,
                since=since,
                until=until,
                as_of=as_of,
                last=None if turn_ids is not None else limit,
            )
        kept = {(t.session_id, t.turn_id): t for t in turns}
        if around and (query is not None or turn_ids is not None):
            for turn in turns:
                near = reader.turns(
                    access.read,
                    session_id=turn.session_id,
                    seqs=(turn.seq - around, turn.seq + around),
                    as_of=as_of,
                )
                kept.update({(t.session_id, t.turn_id): t for t in near})
    spoken = [t for t in kept.values() if t.messages or t.tool_calls]
    return sorted(spoken, key=lambda t: (t.occurred_at, t.session_id, t.seq))


def _as_it_was(reader: Reader, access: Access, session_id: str, turn_id: str, as_of: datetime | None) -> list[Turn]:
    return reader.turns(access.read, session_id=session_id, turn_ids=[turn_id], as_of=as_of)


def refs_of(
    shop: Workshop, access: Access, *, session_id: str | None, limit: int, as_of: datetime | None
) -> list[RefInfo]:
    """What turns pointed at, newest first, each with its document if the resource client holds one."""
    if limit < 1:
        raise InputError(f"limit must be >= 1, got {limit}")
    with shop.storage.read() as reader:
        hits = reader.refs(access.read, session_id=session_id, as_of=as_of, limit=limit)
    seconds = shop.config.policies.retrieval.resource_timeout_ms / 1000
    held = shop.resources.document_ids(list(dict.fromkeys(hit.ref.uri for hit in hits)), access, seconds)
    return [
        RefInfo(
            ref=hit.ref,
            session_id=hit.session_id,
            turn_id=hit.turn_id,
            occurred_at=hit.occurred_at,
            document_id=held.get(hit.ref.uri),
        )
        for hit in hits
    ]


def _found(
    reading: ReadPath,
    reader: Reader,
    access: Access,
    query: str,
    limit: int,
    as_of: datetime | None,
) -> list[tuple[str, str]]:
    pack = reading.search_memory(reader, access, query, limit * 2, as_of)
    wanted: dict[tuple[str, str], None] = {}
    for evidence in pack.evidences:
        if evidence.ref.turn_id and evidence.ref.session_id:
            wanted.setdefault((evidence.ref.session_id, evidence.ref.turn_id), None)
    return list(wanted)[:limit]
