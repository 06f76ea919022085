"""A picture of a load test: how long calls take and how many there are a second, as the store grows."""

from __future__ import annotations

from pathlib import Path

from smartbrain.errors import InputError
from smartbrain.evaluation.load.report import CALLS, LoadReport
from smartbrain.evaluation.plot import require_plotting

_STYLES = {"p50": "-", "p95": "--", "p99": ":"}


def plot_load(report: LoadReport, path: Path) -> None:
    """Draws into an image file, its kind by its suffix.

    Raises MissingExtraError without matplotlib, InputError for a file that cannot be written.
    """
    require_plotting()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    times, rates = figure.subplots(1, 2)
    for place, kind in enumerate(CALLS):
        for name, style in _STYLES.items():
            known = [(s.messages, ms) for s in report.steps if (ms := s.calls[kind].wall_ms[name]) is not None]
            label = f"{kind} {name}"
            times.plot(*_axes(known), style, color=f"C{place}", marker="o", label=label)
        rates.plot(
            *_axes([(step.messages, step.calls[kind].per_second) for step in report.steps]),
            color=f"C{place}",
            marker="o",
            label=kind,
        )
    times.set(xlabel="messages in the store", ylabel="milliseconds a call", xscale="log", yscale="log")
    rates.set(xlabel="messages in the store", ylabel="calls a second, mixed", xscale="log", ylim=(0, None))
    for axes in (times, rates):
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    plan = report.plan
    kind = "processes" if plan.processes else "threads"
    figure.suptitle(f"SmartBrain under load: {plan.tenants} tenants, {plan.workers} {kind}")
    try:
        figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write the plot {path}: {error}") from error


def _axes(points: list[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [at for at, _ in points], [value for _, value in points]
