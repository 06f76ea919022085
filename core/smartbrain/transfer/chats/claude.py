"""The data export of Claude: ``conversations.json``, each with its ``chat_messages``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smartbrain.model import Message, Ref, Role
from smartbrain.transfer.chats import blocks
from smartbrain.transfer.chats.values import ROLES, Chat, Said, Skipped, moment, objects, text_of


def is_one(value: Any) -> bool:
    """Whether the value looks like one."""
    found = _conversations(value)
    return isinstance(found, Sequence) and any(
        isinstance(one, Mapping) and isinstance(one.get("chat_messages"), list) for one in found[:20]
    )


def chats(value: Any, skipped: Skipped) -> Iterator[Chat]:
    """The conversations, each by its newest branch; messages of other branches are counted."""
    for one in objects(_conversations(value), skipped, "conversation"):
        name = text_of(one.get("uuid"))
        if name is None or not isinstance(one.get("chat_messages"), list):
            skipped["conversation without uuid or chat_messages"] += 1
            continue
        given = list(objects(one["chat_messages"], skipped, "message"))
        branch = _branch(given, one.get("current_leaf_message_uuid"))
        if len(given) > len(branch):
            skipped["message of another branch"] += len(given) - len(branch)
        account = one.get("account")
        yield Chat(
            id=name,
            said=tuple(said for message in branch for said in _said(message, skipped)),
            started_at=moment(one.get("created_at")),
            title=text_of(one.get("name")),
            owner=text_of(account.get("uuid")) if isinstance(account, Mapping) else None,
        )


def _conversations(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value["conversations"] if isinstance(value.get("conversations"), list) else [value]
    return value


def _branch(given: Sequence[Mapping[str, Any]], leaf: Any) -> list[Mapping[str, Any]]:
    """The messages up to the leaf, by their parents; all of them where they name none."""
    by_id = {message["uuid"]: message for message in given if isinstance(message.get("uuid"), str)}
    parents = [message.get("parent_message_uuid") for message in given]
    if not any(parent in by_id for parent in parents if isinstance(parent, str)):
        return list(given)
    at = leaf if isinstance(leaf, str) and leaf in by_id else given[-1].get("uuid")
    branch: list[Mapping[str, Any]] = []
    while isinstance(at, str) and at in by_id:
        message = by_id.pop(at)  # taken out, so that a circle ends
        branch.append(message)
        at = message.get("parent_message_uuid")
    return branch[::-1]


def _said(given: Mapping[str, Any], skipped: Skipped) -> Iterator[Said]:
    role = ROLES.get(str(given.get("sender")))
    if role is None:
        skipped[f"message of sender {given.get('sender')!r}"] += 1
        return
    found = list(_messages(given, role, skipped))
    refs = tuple(_refs(given))
    attached = _attached(given)
    if not found and (attached or refs):
        found = [Message(id=text_of(given.get("uuid")) or "", role=role, created_at=moment(given.get("created_at")))]
    if not found:
        skipped["empty message"] += 1
    if found and attached:
        found[0] = found[0].model_copy(update={"blocks": (*found[0].blocks, *attached)})
    for number, message in enumerate(found):
        yield Said(message, refs if number == 0 else ())


def _messages(given: Mapping[str, Any], role: Role, skipped: Skipped) -> Iterator[Message]:
    message_id, at = text_of(given.get("uuid")) or "", moment(given.get("created_at"))
    content = given.get("content")
    if isinstance(content, list) and content:
        yield from blocks.messages(content, role, message_id, at, skipped)
    elif text_of(given.get("text")):
        yield Message(id=message_id, role=role, content=given["text"], created_at=at)


def _attached(given: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Texts that were handed over with a message, whole."""
    found = given.get("attachments")
    return tuple(
        {"type": "document", "title": one.get("file_name") or "", "content": one["extracted_content"]}
        for one in (found if isinstance(found, list) else ())
        if isinstance(one, Mapping) and text_of(one.get("extracted_content"))
    )


def _refs(given: Mapping[str, Any]) -> Iterator[Ref]:
    names: set[str] = set()
    for place in ("attachments", "files", "files_v2"):
        found = given.get(place)
        for one in found if isinstance(found, list) else ():
            name = text_of(one.get("file_name")) if isinstance(one, Mapping) else None
            if name and name not in names:
                names.add(name)
                kept = {key: one[key] for key in ("file_uuid", "file_type", "file_size") if one.get(key) is not None}
                yield Ref(type="file", uri=name, title=name, meta=kept)
