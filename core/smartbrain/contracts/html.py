"""A ``ContextPackage`` as a notebook shows it: slots, tokens, why each piece is in, what was left out and why.

One self-contained fragment: no script, no link, no outside resource. Colours are the page's own with transparency, so
it reads on light and dark. Every text is escaped; remembered text cannot become markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from smartbrain.contracts.context import SLOTS, ContextPackage, SlotName
from smartbrain.contracts.rendering import evidence_entry, message_line
from smartbrain.model import message_text
from smartbrain.text.clean import printable

MOST_CHARS = 600
"""A longer text is cut in the view only; the package holds it whole."""
MOST_ROWS = 100

_BORDER = "1px solid rgba(128,128,128,.35)"
_STYLE = {
    "box": f"font:13px/1.45 system-ui,sans-serif;border:{_BORDER};border-radius:6px;padding:10px 12px;max-width:60rem",
    "bar": "display:inline-block;width:9rem;height:.6em;background:rgba(128,128,128,.22);overflow:hidden",
    "fill": "display:block;height:100%;background:rgba(70,130,200,.85)",
    "cell": f"text-align:left;vertical-align:top;padding:2px 10px 2px 0;border-top:{_BORDER};background:none",
    "table": "border-collapse:collapse;font:inherit;color:inherit",
    "text": "white-space:pre-wrap;overflow-wrap:anywhere;margin:2px 0 6px",
    "dim": "opacity:.7",
}


def package_html(package: ContextPackage) -> str:
    """The fragment for ``_repr_html_``."""
    budget = package.constraints.token_budget
    counter = f" by {budget.counter}" if budget.counter else ""
    head = f"<b>ContextPackage</b> {_dim(f'{package.context_id}, session {package.session_id}')}"
    used = f"{budget.used_estimate} of {budget.limit} tokens{counter}"
    parts = [
        f"<div>{head}</div>",
        f"<div>{_bar(budget.used_estimate, budget.limit)} {_safe(used)}</div>",
        *(_slot(package, slot) for slot in SLOTS),
        _selected(package),
        _dropped(package),
        _notes("Warnings", package.debug.warnings),
        _notes("Ignored fields", package.debug.ignored),
    ]
    return f'<div style="{_STYLE["box"]}">{"".join(parts)}</div>'


def _slot(package: ContextPackage, slot: SlotName) -> str:
    budget = package.constraints.token_budget
    tokens = budget.by_slot.get(slot, 0)
    rows = _rows(package)[slot]
    count = (
        "empty"
        if not rows
        else f"{tokens} of {budget.limit} tokens, {len(rows)} {'entry' if len(rows) == 1 else 'entries'}"
    )
    summary = f"{_bar(tokens, budget.limit)} <b>{slot}</b> {_dim(count)}"
    if not rows:
        return f"<div>{summary}</div>"
    body = "".join(f'<div style="{_STYLE["text"]}">{_safe(_cut(row))}</div>' for row in rows[:MOST_ROWS]) + _more(rows)
    opened = " open" if slot in {"evidence", "user_message"} else ""
    return f'<details{opened}><summary style="cursor:pointer">{summary}</summary>{body}</details>'


def _rows(package: ContextPackage) -> dict[SlotName, list[str]]:
    evidence = [evidence_entry(number, piece) for number, piece in enumerate(package.evidence, 1)]
    user = message_text(package.user_message.content)
    return {
        "system_blocks": [f"[{block.type}] {block.text}" for block in package.system_blocks],
        "developer_blocks": [f"[{block.type}] {block.text}" for block in package.developer_blocks],
        "working_summary": [package.working_summary] if package.working_summary else [],
        "recent_turns": [message_line(turn.message) for turn in package.recent_turns],
        "evidence": evidence,
        "user_message": [user] if user else [],
    }


def _selected(package: ContextPackage) -> str:
    rows = [(f"E{n}", s.source, s.id, s.reason) for n, s in enumerate(package.debug.why_selected, 1)]
    return _table("Why selected", ("", "source", "id", "reason"), rows)


def _dropped(package: ContextPackage) -> str:
    rows = [(d.id, d.reason, d.detail) for d in package.debug.dropped]
    return _table("Dropped", ("id", "reason", "detail"), rows)


def _table(title: str, heads: Iterable[str], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    cell = _STYLE["cell"]
    top = "".join(f'<th style="{cell}">{_safe(head)}</th>' for head in heads)
    body = "".join(
        "<tr>" + "".join(f'<td style="{cell}">{_safe(_cut(value))}</td>' for value in row) + "</tr>"
        for row in rows[:MOST_ROWS]
    )
    return (
        f'<details><summary style="cursor:pointer"><b>{title}</b> {_dim(str(len(rows)))}</summary>'
        f'<table style="{_STYLE["table"]}"><tr>{top}</tr>{body}</table>{_more(rows)}</details>'
    )


def _more(rows: Sequence[object]) -> str:
    return _dim(f"and {len(rows) - MOST_ROWS} more") if len(rows) > MOST_ROWS else ""


def _notes(title: str, notes: tuple[str, ...]) -> str:
    if not notes:
        return ""
    lines = "".join(f"<li>{_safe(_cut(note))}</li>" for note in notes[:MOST_ROWS])
    return f'<div><b>{title}</b></div><ul style="margin:2px 0">{lines}</ul>'


def _bar(part: int, whole: int) -> str:
    share = min(100.0, 100.0 * part / max(1, whole))
    return f'<span style="{_STYLE["bar"]}"><span style="{_STYLE["fill"]};width:{share:.1f}%"></span></span>'


def _dim(text: str) -> str:
    return f'<span style="{_STYLE["dim"]}">{_safe(text)}</span>'


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}… ({len(text)} characters)"


def _safe(text: str) -> str:
    # Control characters have no place in HTML; a NUL would end the text for some readers.
    kept = "".join(char if char >= " " or char in "\n\t" else "�" for char in printable(text))
    return escape(kept)
