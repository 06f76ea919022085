"""``smartbrain forget``: what would be deleted is counted first; ``--yes`` deletes it."""

from __future__ import annotations

from typing import Any

from smartbrain.cli.owners import one_owner, writing_place
from smartbrain.cli.terminal import Screen, count
from smartbrain.contracts.results import ForgetReceipt
from smartbrain.errors import InputError
from smartbrain.ports import Storage
from smartbrain.runtime import SmartBrain

_NAMES = {
    "open_turns": "open turn",
    "staged": "staged record",
    "item_sources": "source",
    "item_states": "earlier state of a memory",
    "items": "memory",
    "summaries": "summary",
    "speakers": "speaker's name",
}
_PLURALS = {
    "item_states": "earlier states of memories",
    "items": "memories",
    "summaries": "summaries",
    "speakers": "speakers' names",
}


def forget_for(
    brain: SmartBrain,
    storage: Storage,
    *,
    user: str | None,
    session: str | None,
    item: str | None,
    query: str | None,
    yes: bool,
) -> ForgetReceipt:
    """Deletes, or counts what would be deleted. Raises InputError, NotFoundError when it is not clear whose."""
    if item is not None and query is not None:
        raise InputError("give --item or --query, not both")
    if user is None and session is None:
        raise InputError("say whose memory is meant: --user NAME, or --session ID for a session without a user")
    owner = one_owner(storage, user, session)
    wish: dict[str, Any] = {"item_id": item, "query": query}
    wish["everything"] = item is None and query is None and session is None
    if session is not None:
        wish["session_id"] = session
    return brain.forget(**writing_place(owner), **wish, dry_run=not yes)


_ADVICE = "Nothing was deleted. The same command with --yes deletes it; there is no way back."


def show_receipt(receipt: ForgetReceipt, advice: str = _ADVICE) -> None:
    """The receipt for people; ``advice`` follows one of a dry run."""
    screen = Screen()
    gone = [(name, rows) for name, rows in receipt.counts.items() if rows]
    if not gone:
        screen.block("There is nothing to forget.")
        return
    screen.rule("This would be deleted" if receipt.dry_run else "Deleted")
    for name, rows in gone:
        single = _NAMES.get(name, name.removesuffix("s"))
        screen.block(count(rows, single, _PLURALS.get(name, "")), indent=3)
    for item_id, why in receipt.kept.items():
        screen.block(f"{item_id} stays: {why}", indent=3, style="dim")
    for warning in receipt.warnings:
        screen.block(warning, label="!", label_style="yellow")
    screen.line()
    if receipt.dry_run:
        screen.block(advice)
