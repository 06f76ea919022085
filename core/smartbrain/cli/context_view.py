"""A ``ContextPackage`` on the screen: slot by slot, what each costs, why each piece is in, what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from smartbrain.cli.owners import shown
from smartbrain.cli.terminal import Screen, count, one_line
from smartbrain.cli.turn_view import spoken
from smartbrain.contracts.context import SLOTS, ContextPackage, SlotName
from smartbrain.model import message_text

_BAR = 24
_SLOT_BAR = 12
_BRIEF = 4
_DROPS_NAMED = 3


def show_context(screen: Screen, package: ContextPackage, *, brief: bool = False) -> None:
    """The whole package; long recent messages are cut to two lines, snippets to eight, or three when ``brief``."""
    budget = package.constraints.token_budget
    screen.line(
        ("tokens    ", "bold"),
        *screen.bar(budget.used_estimate, budget.limit, _BAR),
        f" {budget.used_estimate:,} of {budget.limit:,}",
        (f"  estimated for {budget.counter}" if budget.counter else "", "dim"),
    )
    for slot in SLOTS:
        _heading(screen, package, slot)
        _SHOWS[slot](screen, package, brief)
    _left_out(screen, package, 1 if brief else _DROPS_NAMED)


def _system(screen: Screen, package: ContextPackage, _: bool) -> None:
    for block in package.system_blocks:
        screen.block(one_line(block.text), indent=4, label=f"{block.type}:")


def _developer(screen: Screen, package: ContextPackage, _: bool) -> None:
    for rule in package.developer_blocks:
        screen.block(rule.text, indent=4, label=f"{rule.type}:")


def _summary(screen: Screen, package: ContextPackage, brief: bool) -> None:
    lines = (package.working_summary or "").splitlines()
    screen.listing("\n".join(lines[:_BRIEF] if brief else lines), indent=4)
    if brief:
        _more(screen, len(lines) - _BRIEF, "more line")


def _recent(screen: Screen, package: ContextPackage, brief: bool) -> None:
    messages = package.recent_turns
    if brief:
        _more(screen, len(messages) - _BRIEF, "earlier message")
        messages = messages[-_BRIEF:]
    for recent in messages:
        who, words = spoken(recent.message)
        at = f"{recent.occurred_at:%m-%d} " if recent.occurred_at else ""
        screen.block(one_line(words), indent=4, label=f"{at}{who}", column=17, most=2)


def _evidence(screen: Screen, package: ContextPackage, brief: bool) -> None:
    reasons = {chosen.id: chosen.reason for chosen in package.debug.why_selected}
    pieces = package.evidence[:_BRIEF] if brief else package.evidence
    for number, piece in enumerate(pieces, start=1):
        stale = ", superseded" if piece.stale else ""
        screen.block(
            one_line(piece.title),
            indent=4,
            label=f"E{number:<3}{piece.score:.2f}",
            column=10,
            label_style="green",
            style="bold",
            tail=f"{piece.source}, said by {piece.trust}{stale}",
        )
        screen.block(piece.snippet, indent=8, most=3 if brief else 8)
        if piece.id in reasons:
            screen.block(one_line(reasons[piece.id]), indent=8, label="why", style="dim", label_style="green")
        screen.block(piece.id, indent=8, label="id", column=4, style="dim")
    if brief:
        _more(screen, len(package.evidence) - _BRIEF, "more piece")


def _question(screen: Screen, package: ContextPackage, _: bool) -> None:
    screen.block(message_text(package.user_message.content) or "(no text)", indent=4, most=4)


_SHOWS: Mapping[SlotName, Callable[[Screen, ContextPackage, bool], None]] = {
    "system_blocks": _system,
    "developer_blocks": _developer,
    "working_summary": _summary,
    "recent_turns": _recent,
    "evidence": _evidence,
    "user_message": _question,
}


def _more(screen: Screen, number: int, what: str) -> None:
    if number > 0:
        screen.block(f"({count(number, what)} not shown here)", indent=4, style="dim")


def _heading(screen: Screen, package: ContextPackage, slot: SlotName) -> None:
    budget = package.constraints.token_budget
    tokens = budget.by_slot.get(slot, 0)
    held = getattr(package, slot)
    if not held:
        screen.line(("  " + slot, "bold"), ("  (empty)", "dim"))
        return
    notes = {
        "recent_turns": f"  {count(len({m.turn_id for m in package.recent_turns}), 'turn')}, newest last",
        "evidence": f"  {count(len(package.evidence), 'piece')}, best first",
    }
    bar = screen.bar(tokens, budget.used_estimate, _SLOT_BAR)
    screen.line((f"  {slot:<18}", "bold"), *bar, f" {tokens:,}", (notes.get(slot, ""), "dim"))


def _left_out(screen: Screen, package: ContextPackage, most: int) -> None:
    reasons = Counter(drop.reason for drop in package.debug.dropped)
    if reasons:
        counts = ", ".join(f"{number} {reason}" for reason, number in reasons.most_common())
        screen.line((f"  {'left out':<18}", "bold"), counts)
    for reason in reasons:
        for drop in [drop for drop in package.debug.dropped if drop.reason == reason][:most]:
            screen.block(drop.id, indent=4, label=f"{reason}:", style="dim", tail=drop.detail)
    for warning in package.debug.warnings:
        screen.block(warning, indent=2, label="warning:", label_style="yellow")
    for ignored in package.debug.ignored:
        screen.block(ignored, indent=2, label="not obeyed:", label_style="yellow")


def show_when(package: ContextPackage) -> str:
    """What the heading says about the moment of a context."""
    return f"as of {shown(package.as_of)}" if package.as_of else ""
