"""A picture of evaluations: recall by the number of turns, and by the tokens they take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from smartbrain.errors import InputError, MissingExtraError
from smartbrain.evaluation.report import CUTOFFS, SESSION_CUTOFFS, TOKEN_BUDGETS, WITHIN, SetReport


def require_plotting() -> None:
    """Raises MissingExtraError when matplotlib is not installed: better before a long run than after it."""
    try:
        import matplotlib as _  # noqa: F401 - only whether it can be had
    except ImportError as error:
        raise MissingExtraError("--plot", "eval") from error


def plot_reports(reports: Sequence[SetReport], path: Path) -> None:
    """Draws one line a set into an image file, its kind by its suffix.

    A set whose gold are sessions is drawn dashed, as session any@k. Raises MissingExtraError, and InputError for a
    file that cannot be written.
    """
    require_plotting()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    turns, tokens = figure.subplots(1, 2, sharey=True)
    for place, report in enumerate(reports):
        within, colour = report.figures[WITHIN], f"C{place % 10}"
        if report.figures.get("recall_at_5") is not None:
            _line(turns, report, colour, [(cut, report.figures.get(f"recall_at_{cut}")) for cut in CUTOFFS])
            _line(tokens, report, colour, [(budget, within[str(budget)]) for budget in TOKEN_BUDGETS])
        else:
            points = [(cut, report.figures.get(f"session_any_at_{cut}")) for cut in SESSION_CUTOFFS]
            _line(turns, report, colour, points, dashed=True)
    turns.set(
        xlabel="turns (dashed: sessions)", ylabel="recall (dashed: any gold session)", xticks=CUTOFFS, ylim=(0, 1.02)
    )
    tokens.set(xlabel="tokens of evidence", xticks=TOKEN_BUDGETS)
    for axes in (turns, tokens):
        axes.grid(alpha=0.3)
    turns.legend(fontsize="small", loc="lower right")
    figure.suptitle(f"SmartBrain {reports[0].version}, mode {reports[0].mode}" if reports else "SmartBrain")
    try:
        figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write the plot {path}: {error}") from error


def _line(
    axes: Any, report: SetReport, colour: str, points: Sequence[tuple[int, float | None]], *, dashed: bool = False
) -> None:
    known = [(at, value) for at, value in points if value is not None]
    style = "--" if dashed else "-"
    xs, ys = [at for at, _ in known], [value for _, value in known]
    axes.plot(xs, ys, style, color=colour, marker="o", label=report.title)
