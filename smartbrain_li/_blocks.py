"""Content blocks of LlamaIndex as neutral blocks, and back.

A neutral block has LangChain's standard form (``type``, ``base64``, ``url``, ``mime_type`` …), so that either framework
reads what the other wrote. Fields that form has no name for stand in ``extras["llama_index"]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from llama_index.core.base.llms.types import (
    AudioBlock,
    CachePoint,
    CitableBlock,
    CitationBlock,
    ContentBlock,
    DocumentBlock,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VideoBlock,
)
from pydantic import BaseModel, ValidationError

from smartbrain.model import block_text

OWN = "llama_index"


class _Form(NamedTuple):
    """How one kind of block is written: its class, the neutral type, and which field goes where."""

    made: type[BaseModel]
    type: str
    fields: Mapping[str, str]


_FORMS: Mapping[str, _Form] = {
    "text": _Form(TextBlock, "text", {"text": "text"}),
    "image": _Form(ImageBlock, "image", {"image": "base64", "url": "url", "image_mimetype": "mime_type"}),
    "audio": _Form(AudioBlock, "audio", {"audio": "base64", "url": "url"}),
    "video": _Form(VideoBlock, "video", {"video": "base64", "url": "url", "video_mimetype": "mime_type"}),
    "document": _Form(
        DocumentBlock, "file", {"data": "base64", "url": "url", "document_mimetype": "mime_type", "title": "title"}
    ),
    "thinking": _Form(ThinkingBlock, "reasoning", {"content": "reasoning"}),
    "tool_call": _Form(ToolCallBlock, "tool_call", {"tool_call_id": "id", "tool_name": "name", "tool_kwargs": "args"}),
    "citation": _Form(CitationBlock, "citation", {"title": "title"}),
    "citable": _Form(CitableBlock, "citable", {"title": "title"}),
    "cache": _Form(CachePoint, "cache", {}),
}
_KINDS = {form.type: kind for kind, form in _FORMS.items()}
_CALLS = frozenset({"tool_use", "tool_call", "function_call", "tool_call_chunk", "server_tool_call"})


def to_block(block: BaseModel) -> dict[str, Any]:
    """The neutral form of one block; an unknown kind keeps its fields under ``extras``."""
    dump = block.model_dump(mode="json", exclude_none=True)
    kind = str(dump.pop("block_type", "text"))
    form = _FORMS.get(kind)
    if form is None:
        return {"type": kind, "extras": {OWN: dump}}
    named = {neutral: dump.pop(field) for field, neutral in form.fields.items() if field in dump}
    # What a provider signed belongs where LangChain looks for it.
    extras = dict(dump.pop("additional_information", {})) if kind == "thinking" else {}
    if dump:
        extras[OWN] = dump
    return {"type": form.type, **named, **({"extras": extras} if extras else {})}


def from_block(block: Mapping[str, Any]) -> ContentBlock | None:
    """The LlamaIndex block of a neutral one, or of a common provider's form; None for what has no place in LlamaIndex.

    A tool call gives None: calls stand in the message's ``tool_calls``.
    """
    kind = str(block.get("type") or block.get("block_type") or "text")
    if kind in _CALLS:
        return None
    known = _KINDS.get(kind)
    fields = _own_fields(known, block) if known else None
    if fields is None:
        return _foreign(kind, block)
    return cast("ContentBlock", made(_FORMS[known or "text"].made, fields))


def made(cls: type[BaseModel], fields: Mapping[str, Any]) -> BaseModel:
    """A block of these fields, also when one of them no longer holds: the file behind a path may be gone."""
    # None is every field's default; llama-index-core 0.14.6 refuses it for a URL when it is given.
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        return cls.model_validate(given)
    except ValidationError:
        return cls.model_construct(**given)


def block_class(kind: str) -> type[BaseModel] | None:
    """The class of a ``block_type``."""
    form = _FORMS.get(kind)
    return form.made if form else None


def _own_fields(kind: str, block: Mapping[str, Any]) -> dict[str, Any] | None:
    form = _FORMS[kind]
    extras = block.get("extras")
    extras = dict(extras) if isinstance(extras, Mapping) else {}
    own = extras.pop(OWN, {})
    fields = {field: block[neutral] for field, neutral in form.fields.items() if block.get(neutral) is not None}
    if not fields and not own and kind not in {"thinking", "cache"}:
        return None
    if kind == "thinking":
        fields["additional_information"] = extras
    return {**fields, **(own if isinstance(own, Mapping) else {})}


def _foreign(kind: str, block: Mapping[str, Any]) -> ContentBlock | None:
    """Blocks as OpenAI and Anthropic write them; of any other kind the words that a reader would see."""
    if kind in {"image_url", "input_image"}:
        url = block.get("image_url")
        url = url.get("url") if isinstance(url, Mapping) else url
        return ImageBlock(url=url) if isinstance(url, str) and url else None
    if kind == "thinking" and isinstance(block.get("thinking"), str):
        signed = {"signature": block["signature"]} if block.get("signature") else {}
        return ThinkingBlock(content=block["thinking"], additional_information=signed)
    if kind == "input_audio" and isinstance(block.get("input_audio"), Mapping):
        sound = block["input_audio"]
        return cast("ContentBlock", made(AudioBlock, {"audio": sound.get("data"), "format": sound.get("format")}))
    words = block_text(block)
    return TextBlock(text=words) if words else None
