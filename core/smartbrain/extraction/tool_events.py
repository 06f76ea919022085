"""Tool results that matter later: an artifact that was made, a status that changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from smartbrain.contracts.turn_events import TurnEvents
from smartbrain.memory_types import BUILTIN_TYPES, keyed
from smartbrain.model import Candidate, Scope, ToolCall
from smartbrain.text.folding import fold

_MADE = ("artifact", "uri", "path", "url")
# A result that carries what it names was read, not made; nor does a tool make anything whose name says it reads.
_READ_FIELDS = frozenset({"content", "contents", "text", "body", "html", "snippet", "results", "matches"})
_READ_NAME = re.compile(
    r"(?:^|[_\-.\s])(?:read|get|fetch|list|search|find|view|open|load|lookup|query|browse)(?:$|[_\-.\s])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STATUS: Mapping[str, str] = {
    **dict.fromkeys(("done", "complete", "completed", "finished", "resolved", "closed", "merged"), "milestone"),
    **dict.fromkeys(("完成", "已完成", "已解决", "已关闭", "已合并"), "milestone"),
    **dict.fromkeys(("released", "deployed", "published", "shipped", "已发布", "已部署", "已上线"), "release"),
    **dict.fromkeys(("failed", "failure", "blocked", "cancelled", "canceled", "aborted", "timeout"), "failure"),
    **dict.fromkeys(("失败", "阻塞", "受阻", "已取消", "超时"), "failure"),
    **dict.fromkeys(("started", "doing", "in_progress", "running", "进行中", "已开始"), "progress"),
}
_SUBJECT = ("title", "name", "task", "task_id", "id", "job", "version")
_TITLE_LIMIT = 160
_PARSE_LIMIT = 100_000


def tool_candidates(events: TurnEvents, *, scope: Scope, occurred_at: datetime, language: str) -> list[Candidate]:
    """One event candidate, trust "tool", for each tool call that produced an artifact or changed a status.

    Only the names of things are kept, never the tool's output; text in a result becomes no instruction.
    """
    return [
        _event(call, title, impact, scope, occurred_at, language)
        for call in _calls(events)
        for title, impact in _outcomes(call)
    ]


def _calls(events: TurnEvents) -> Iterator[ToolCall]:
    seen: set[str] = set()
    for call in (*events.tool_calls, *(call for message in events.messages for call in message.tool_calls)):
        if call.result is not None and call.id not in seen:
            seen.add(call.id)
            yield call


def _outcomes(call: ToolCall) -> Iterator[tuple[str, str]]:
    result = _mapping(call.result)
    made = _artifact(call, result)
    if made:
        yield _clip(f"{call.name}: {made}"), "artifact"
    status = result.get("status")
    impact = _STATUS.get(fold(status).strip()) if isinstance(status, str) else None
    if impact:
        subject = next((str(result[name]) for name in _SUBJECT if isinstance(result.get(name), (str, int))), "")
        yield _clip(" ".join(part for part in (f"{call.name}:", subject, str(status)) if part)), impact


def _mapping(result: Any) -> Mapping[str, Any]:
    if isinstance(result, Mapping):
        return result
    if isinstance(result, str) and result.lstrip().startswith("{") and len(result) <= _PARSE_LIMIT:
        try:
            parsed = json.loads(result)
        except (ValueError, RecursionError):
            return {}
        return parsed if isinstance(parsed, Mapping) else {}
    return {}


def _artifact(call: ToolCall, result: Mapping[str, Any]) -> str:
    artifact = result.get("artifact")
    if isinstance(artifact, Mapping):
        artifact = next(
            (artifact[name] for name in ("uri", "url", "path", "name", "title") if artifact.get(name)), None
        )
    if isinstance(artifact, str) and artifact.strip():
        return artifact
    if _READ_FIELDS & result.keys() or _READ_NAME.search(_CAMEL.sub("_", call.name).lower()):
        return ""
    return next((made for name in _MADE[1:] if isinstance(made := result.get(name), str) and made.strip()), "")


def _clip(title: str) -> str:
    line = " ".join(title.split())
    return line if len(line) <= _TITLE_LIMIT else line[: _TITLE_LIMIT - 1].rstrip() + "…"


def _event(call: ToolCall, title: str, impact: str, scope: Scope, occurred_at: datetime, language: str) -> Candidate:
    moment = call.ended_at or occurred_at
    kind = BUILTIN_TYPES["events"]
    value = {"scope": "tools", "date": moment.date().isoformat(), "title": title, "impact": impact}
    key, full = keyed(kind, value)
    return Candidate(
        type=kind.name,
        key=key,
        value=full,
        confidence=0.9,
        rule="tool_result",
        trust="tool",
        hints=(impact,),
        language=language,
        evidence_refs=(call.id,) if call.id else (),
        scope=scope,
        occurred_at=occurred_at,
    )
