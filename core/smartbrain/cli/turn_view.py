"""Turns, commits and memory items on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from smartbrain.cli.owners import shown
from smartbrain.cli.terminal import Screen, one_line
from smartbrain.contracts.rendering import message_line
from smartbrain.contracts.results import CommitResult
from smartbrain.model import Action, MemoryItem, Message, Turn, Verdict, media_kinds
from smartbrain.policies.conflict import newest_versions
from smartbrain.policies.wording import headline

_MARKS: dict[Action, tuple[str, str]] = {
    "written": ("+", "green"),
    "merged": ("=", "cyan"),
    "superseded": ("~", "yellow"),
    "retracted": ("-", "red"),
    "skipped": (".", "dim"),
    "replayed": ("=", "dim"),
    "masked": ("#", "yellow"),
    "restored": ("+", "cyan"),
    "unseen": ("~", "cyan"),
    "expired": ("x", "yellow"),
}


def media_note(message: Message) -> str:
    """``[image] `` before the words of a message that carries more than words."""
    media = media_kinds(message)
    return f"[{'/'.join(media)}] " if media else ""


def spoken(message: Message) -> tuple[str, str]:
    """Who says a message, by name if there is one, and the words: with media named and tool calls written out."""
    role = one_line(f"{message.role} {message.name or ''}")
    words = message_line(message)[len(role) + 1 :].strip()
    return one_line(message.name or message.role), f"{media_note(message)}{words}".strip() or "(no text)"


def show_messages(screen: Screen, messages: Sequence[Message], *, indent: int, most: int | None) -> None:
    """Who said what, one paragraph each, cut to ``most`` lines."""
    for message in messages:
        who, words = spoken(message)
        style = "" if message.role == "user" else "dim"
        text = one_line(words) if most else words
        screen.block(text, indent=indent, label=who, column=11, style=style, most=most)


def show_commit(screen: Screen, result: CommitResult, *, indent: int) -> None:
    """What a commit wrote, skipped or took back, each with its reason."""
    for verdict in result.explain.retention:
        show_verdict(screen, verdict, indent=indent)
    if not result.explain.retention:
        screen.block("nothing to remember; the turn itself is kept", indent=indent, label=".", style="dim")
    if result.explain.summary.triggered:
        note = result.explain.summary
        turns = f"turns {note.turn_range[0]}-{note.turn_range[1]}" if note.turn_range else ""
        words = f"version {note.version}, {turns}"
        why = f"trigger: {note.trigger_reason}"
        screen.block(words, indent=indent, label="* summary", column=14, label_style="magenta", tail=why)
    for warning in result.warnings:
        screen.block(warning, indent=indent, label="!", label_style="yellow")


def show_verdict(screen: Screen, verdict: Verdict, *, indent: int, closely: bool = False) -> None:
    """One verdict: what became of it, of what, and why; looked at ``closely`` also by which rule, how sure, where."""
    mark, style = _MARKS[verdict.action]
    screen.block(
        one_line(verdict.subject),
        indent=indent,
        label=f"{mark} {verdict.type}",
        column=14,
        label_style=style,
        style="dim" if verdict.action == "skipped" else "",
        tail=f"{verdict.action}: {one_line(verdict.reason)}",
    )
    if closely:
        screen.block(_closely(verdict), indent=indent + 14, style="dim")


def _closely(verdict: Verdict) -> str:
    """``rule profile_said, found by rules.home, confidence 0.85, at 0-9 “I live in…”``."""
    found_by = verdict.found_by if verdict.found_by not in ("", verdict.rule) else ""
    words = one_line(verdict.quote or "")
    parts = [
        f"rule {verdict.rule}",
        f"found by {found_by}" if found_by else "",
        f"confidence {verdict.confidence:.2f}" if verdict.confidence else "",
        f"at {verdict.span[0]}-{verdict.span[1]} of {verdict.message_id}" if verdict.span else "",
    ]
    return ", ".join(part for part in parts if part) + (f": “{words}”" if words else "")


def show_items(screen: Screen, items: Sequence[MemoryItem]) -> None:
    """Memory items as a list: what, its key, whether it still holds, since when, how sure, the id.

    Of several active versions of a key only the newest holds; the others are marked as older versions.
    """
    newest = {item.id for item in newest_versions([item for item in items if item.status == "active"])}
    for item in items:
        status = "older version" if item.status == "active" and item.id not in newest else item.status
        screen.block(one_line(words_of(item)), indent=2, label=item.type, column=12, label_style="cyan")
        screen.block(one_line(item.key), indent=14, style="dim", tail="" if status == "active" else status)
        seen = f", said {item.seen}x" if item.seen > 1 else ""
        screen.block(
            item.id, indent=14, style="dim", tail=f"{shown(item.valid_from)}, confidence {item.confidence:.2f}{seen}"
        )


def show_turn(screen: Screen, turn: Turn) -> None:
    """A turn, whole and verbatim."""
    show_messages(screen, turn.messages, indent=2, most=None)
    answered = {message.tool_call_id for message in turn.messages if message.tool_call_id}
    for call in (call for call in turn.tool_calls if call.id not in answered):
        screen.block(f"{call.name} {call.args} -> {call.result} ({call.status})", indent=2, label="tool", column=11)
    for ref in turn.refs:
        said = " - ".join(part for part in (ref.title, ref.uri, ref.summary) if part)
        screen.block(said, indent=2, label=ref.type, column=11)


def words_of(item: MemoryItem) -> str:
    """An item in one line, in its own language."""
    return headline(item.type, item.value, item.language) or item.key
