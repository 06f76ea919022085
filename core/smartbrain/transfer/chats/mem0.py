"""Memories of mem0 (``get_all``, or an export of its platform): sentences that a model wrote down about somebody.

They have no key and no words of the user to rest on, so they do not become memory items. Each becomes a turn of its
own, said by ``mem0`` when it was last written: search finds it, and another wording in a later file is a new revision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smartbrain.model import Message
from smartbrain.transfer.chats.values import Chat, Said, Skipped, moment, objects, text_of

_KEPT = (
    "categories",
    "metadata",
    "agent_id",
    "app_id",
    "run_id",
    "hash",
    "created_at",
    "updated_at",
    "expiration_date",
)
_LISTS = ("results", "memories")


def is_one(value: Any) -> bool:
    """Whether the value looks like one."""
    found = _memories(value)
    return isinstance(found, Sequence) and any(
        isinstance(one, Mapping) and text_of(one.get("memory")) and "role" not in one for one in found[:20]
    )


def chats(value: Any, skipped: Skipped) -> Iterator[Chat]:
    """One chat for each user and run that the memories name."""
    found: dict[tuple[str | None, str], list[Said]] = {}
    for one in objects(_memories(value), skipped, "memory"):
        text, name = text_of(one.get("memory")) or text_of(one.get("text")), text_of(one.get("id"))
        if text is None or name is None:
            skipped["memory without text or id"] += 1
            continue
        message = Message(
            id=name,
            role="assistant",
            name="mem0",
            content=text,
            created_at=moment(one.get("updated_at")) or moment(one.get("created_at")),
            meta={"mem0": {key: one[key] for key in _KEPT if one.get(key)}},
        )
        place = (text_of(one.get("user_id")), text_of(one.get("run_id")) or "memories")
        found.setdefault(place, []).append(Said(message))
    for (owner, run), said in found.items():
        yield Chat(id=f"{owner}/{run}" if owner else run, said=tuple(said), owner=owner, each=True)


def _memories(value: Any) -> Any:
    if isinstance(value, Mapping):
        return next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    return value
