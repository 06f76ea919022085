"""The data export of ChatGPT: ``conversations.json``, each conversation a tree of which one branch was last shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smartbrain.model import Message, Ref, Role, ToolCall
from smartbrain.transfer.chats.values import ROLES, Chat, Said, Skipped, arguments, mapping, moment, objects, text_of

# Texts of the account or the model that nobody said in the conversation.
_CONTEXT = frozenset({"user_editable_context", "model_editable_context", "app_pairing_content"})
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_ONE_TEXT = frozenset(
    {"code", "execution_output", "tether_quote", "tether_browsing_code", "system_error", "super_widget"}
)


def is_one(value: Any) -> bool:
    """Whether the value looks like one."""
    found = _conversations(value)
    return isinstance(found, Sequence) and any(
        isinstance(one, Mapping) and isinstance(one.get("mapping"), Mapping) for one in found[:20]
    )


def chats(value: Any, skipped: Skipped) -> Iterator[Chat]:
    """The conversations, each as it was last shown; messages of other branches (what was edited, or answered anew) are
    counted."""
    for one in objects(_conversations(value), skipped, "conversation"):
        tree = one.get("mapping")
        if not isinstance(tree, Mapping) or not tree:
            skipped["conversation without messages"] += 1
            continue
        name = text_of(one.get("conversation_id")) or text_of(one.get("id")) or _first_message(tree)
        nodes = _branch(tree, one.get("current_node"))
        spoken = sum(1 for node in tree.values() if isinstance(node, Mapping) and node.get("message"))
        on_branch = sum(1 for node in nodes if node.get("message"))
        if spoken > on_branch:
            skipped["message of another branch"] += spoken - on_branch
        yield Chat(
            id=name,
            said=tuple(_said(nodes, skipped)),
            started_at=moment(one.get("create_time")),
            title=text_of(one.get("title")),
        )


def _conversations(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value["conversations"] if isinstance(value.get("conversations"), list) else [value]
    return value


def _first_message(tree: Mapping[str, Any]) -> str:
    """The id of the first node with a message: every conversation's root may have the same."""
    spoken = (name for name, node in tree.items() if isinstance(node, Mapping) and node.get("message"))
    return str(next(spoken, next(iter(tree))))


def _branch(tree: Mapping[str, Any], current: Any) -> list[Mapping[str, Any]]:
    """The nodes from the root to the current one; without one that is there, to the newest leaf."""
    at = current if isinstance(current, str) and current in tree else _newest_leaf(tree)
    nodes: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while isinstance(at, str) and at not in seen and isinstance(tree.get(at), Mapping):
        seen.add(at)
        nodes.append(tree[at])
        at = tree[at].get("parent")
    return nodes[::-1]


def _newest_leaf(tree: Mapping[str, Any]) -> str | None:
    leaves = [name for name, node in tree.items() if isinstance(node, Mapping) and not node.get("children")]

    def told(name: str) -> float:
        message = tree[name].get("message")
        at = message.get("create_time") if isinstance(message, Mapping) else None
        return float(at) if isinstance(at, (int, float)) else 0.0

    return max(leaves, key=told, default=None)


def _said(nodes: Sequence[Mapping[str, Any]], skipped: Skipped) -> Iterator[Said]:
    waiting: list[ToolCall] = []
    for node in nodes:
        given = node.get("message")
        if not isinstance(given, Mapping):
            continue  # the root
        author = mapping(given.get("author"))
        role = ROLES.get(str(author.get("role")))
        content = mapping(given.get("content"))
        kind = str(content.get("content_type"))
        meta = mapping(given.get("metadata"))
        if role is None:
            skipped[f"message of role {author.get('role')!r}"] += 1
        elif kind in _CONTEXT or meta.get("is_user_system_message"):
            skipped["custom instructions and account context"] += 1
        elif meta.get("is_visually_hidden_from_conversation") and role in {"system", "user", "assistant"}:
            skipped[f"hidden {role} message"] += 1
        else:
            made = _message(given, role, author, content, kind, waiting, skipped)
            if made is not None:
                yield Said(made, tuple(_refs(meta)))


def _message(
    given: Mapping[str, Any],
    role: Role,
    author: Mapping[str, Any],
    content: Mapping[str, Any],
    kind: str,
    waiting: list[ToolCall],
    skipped: Skipped,
) -> Message | None:
    message_id = text_of(given.get("id")) or ""
    said: str | list[dict[str, Any]] | None = _content(content, kind, skipped)
    fields: dict[str, Any] = {"id": message_id, "role": role, "created_at": moment(given.get("create_time"))}
    recipient = text_of(given.get("recipient")) or "all"
    if role == "assistant" and recipient not in {"all", "assistant"}:
        call = ToolCall(id=message_id or f"call-{len(waiting)}", name=recipient, args=_input(said))
        waiting.append(call)
        return Message(**fields, tool_calls=(call,))
    if role == "tool":
        name = text_of(author.get("name"))
        fields |= {"name": name, "tool_call_id": _answered(waiting, name)}
        fields["meta"] = {"is_error": True} if kind == "system_error" else {}
    if kind in _THOUGHTS:
        return Message(**fields, blocks=({"type": "thinking", "thinking": said},)) if said else None
    if not said and not fields.get("tool_call_id"):  # a tool may have had nothing to say
        skipped["empty message"] += 1
        return None
    return Message(**fields, content=said or "")


def _content(content: Mapping[str, Any], kind: str, skipped: Skipped) -> str | list[dict[str, Any]] | None:
    if kind in _ONE_TEXT:
        heading = content.get("title") if kind == "tether_quote" else content.get("name")
        said = [heading, content.get("url"), content.get("text")]
        return "\n".join(part for part in said if isinstance(part, str) and part) or None
    if kind == "thoughts":
        thoughts = [thought for thought in content.get("thoughts") or () if isinstance(thought, Mapping)]
        return "\n\n".join(str(t.get("content") or t.get("summary") or "") for t in thoughts) or None
    if kind == "reasoning_recap":
        return text_of(content.get("content"))
    if kind == "tether_browsing_display":
        return text_of(content.get("result")) or text_of(content.get("summary"))
    if not isinstance(content.get("parts"), Sequence):
        skipped[f"content of type {kind!r}"] += 1
        return None
    return _parts(content["parts"], skipped)


def _parts(parts: Sequence[Any], skipped: Skipped) -> str | list[dict[str, Any]] | None:
    """Text where all parts are text, else blocks."""
    blocks: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, str):
            blocks += [{"type": "text", "text": part}] if part.strip() else []
        elif isinstance(part, Mapping) and part.get("content_type") == "audio_transcription":
            blocks.append({"type": "text", "text": str(part.get("text") or "")})
        elif isinstance(part, Mapping) and str(part.get("content_type")).endswith("_pointer"):
            kind = "audio" if "audio" in str(part["content_type"]) else "image"
            blocks.append({**part, "type": kind})
        elif isinstance(part, Mapping) and isinstance(part.get("text"), str):
            blocks.append({"type": "text", "text": part["text"]})
        else:
            skipped["part of a message that is not known"] += 1
    if all(block["type"] == "text" for block in blocks):
        return "\n".join(block["text"] for block in blocks) or None
    return blocks


def _input(said: str | list[dict[str, Any]] | None) -> Any:
    """What a tool was given: JSON, or the code or text under ``input``."""
    if not isinstance(said, str):
        return {} if said is None else {"input": said}
    given = arguments(said)
    return given if isinstance(given, dict) else {"input": said}


def _answered(waiting: Sequence[ToolCall], name: str | None) -> str | None:
    """The call that a tool's message answers: the newest to that tool, else the newest."""
    tool = (name or "").partition(".")[0]
    for call in reversed(waiting):
        if tool and call.name.partition(".")[0] == tool:
            return call.id
    return waiting[-1].id if waiting else None


def _refs(meta: Mapping[str, Any]) -> Iterator[Ref]:
    attached = meta.get("attachments")
    for one in attached if isinstance(attached, list) else ():
        name = text_of(one.get("name")) if isinstance(one, Mapping) else None
        if name:
            kept = {key: one[key] for key in ("id", "mime_type", "mimeType", "size") if one.get(key) is not None}
            yield Ref(type="file", uri=name, title=name, meta=kept)
