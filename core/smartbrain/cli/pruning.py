"""``smartbrain prune``: what is past its time by the rules of a ``brain.yml``, counted or deleted for good."""

from __future__ import annotations

from pathlib import Path

from smartbrain.cli.forgetting import show_receipt
from smartbrain.cli.owners import Owner, chosen_owners, opened, writing_place
from smartbrain.cli.terminal import Screen, count, one_line
from smartbrain.contracts.results import ForgetReceipt
from smartbrain.errors import ConfigError

_MOST = 20


def prune_for(
    db: str, config: Path, *, user: str | None, session: str | None, dry_run: bool
) -> list[tuple[Owner, ForgetReceipt]]:
    """Prunes the memory of one owner, or of everybody. Raises ConfigError when the configuration has no rule of age."""
    with opened(db, config) as (brain, storage):
        if not brain.config.policies.retention.ttl:
            raise ConfigError(f"{config} says of nothing how long it is kept; add rules under policies.retention.ttl")
        told = []
        for owner in chosen_owners(storage, user, session):
            place = writing_place(owner) or {"session_id": owner.name}
            told.append((owner, brain.prune(**place, dry_run=dry_run)))
    return told


def show_pruned(told: list[tuple[Owner, ForgetReceipt]]) -> None:
    """The receipts for people, of those who had anything past its time."""
    screen = Screen()
    gone = [(owner, receipt) for owner, receipt in told if any(receipt.counts.values())]
    for owner, receipt in gone:
        screen.rule(one_line(owner.name), count(len(receipt.expired), "thing") + " past its time")
        for name, why in list(receipt.expired.items())[:_MOST]:
            screen.block(one_line(name), indent=2, tail=one_line(why))
        if len(receipt.expired) > _MOST:
            screen.block(f"and {len(receipt.expired) - _MOST} more; --json lists all", indent=2, style="dim")
        show_receipt(receipt, advice="Nothing was deleted. The same command without --dry-run deletes it for good.")
    if not gone:
        screen.block("Nothing is past its time.")
