"""``smartbrain bench load``: many tenants talk to one store at once, and the figures as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from smartbrain.cli.terminal import Screen, check_files, count, progress, write_json
from smartbrain.config import BrainConfig
from smartbrain.errors import InputError
from smartbrain.evaluation.load.plan import LoadPlan
from smartbrain.evaluation.load.plot import plot_load
from smartbrain.evaluation.load.report import CALLS, SHARES, Calls, LoadReport, Step
from smartbrain.evaluation.load.runner import run_load
from smartbrain.evaluation.modes import mode_named
from smartbrain.evaluation.plot import require_plotting

_STAGES = {"fill": "filling", "load": "measuring"}
_MOST_TOLD = 10


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What the command line asks for."""

    url: str
    tenants: int
    workers: int
    processes: bool
    sizes: str
    rounds: int
    seed: int
    folder: Path | None
    mode: str
    config: Path | None
    json_file: Path | None
    plot_file: Path | None


def run_bench(options: LoadOptions) -> bool:
    """Runs and shows a load test and writes its files; whether nothing failed and nothing leaked."""
    if options.plot_file is not None:
        require_plotting()
    check_files(options.json_file, options.plot_file)
    mode = mode_named(options.mode)
    if mode.meaning or mode.search:
        raise InputError(f"--mode {options.mode}: a load test composes as planned; give default, lexical or bm25")
    plan = LoadPlan(
        url=options.url,
        tenants=options.tenants,
        workers=options.workers,
        processes=options.processes,
        sizes=_sizes(options.sizes),
        rounds=options.rounds,
        seed=options.seed,
        folder=options.folder,
        config=mode.configured(BrainConfig.load(options.config)),
    )
    with progress("load", _STAGES) as tell:
        report = run_load(plan, on_progress=tell)
    show_load(report)
    if options.json_file is not None:
        write_json(report.as_json(), options.json_file)
    if options.plot_file is not None:
        plot_load(report, options.plot_file)
    return report.sound


def show_load(report: LoadReport) -> None:
    """The table of each size, what went wrong, and what grew."""
    screen = Screen()
    plan = report.plan
    workers = count(plan.workers, "process", "processes") if plan.processes else count(plan.workers, "thread")
    for step in report.steps:
        screen.rule(count(step.messages, "message"), f"{count(plan.tenants, 'tenant')}, {workers}")
        _table(screen, step)
        _tell(screen, "filled", _filled(step))
        _tell(screen, "size", _size(step))
        _tell(screen, "canaries", f"{step.seen:,} of {step.probes:,} answers held their tenant's own")
        for label, found in (("error", step.errors), ("leak", step.leaks)):
            _most(screen, label, found)
    if len(report.steps) > 1:
        screen.rule("Growth", "p95 at the largest size by p95 at the smallest")
        _tell(screen, "clock", _growth(report, "wall_ms"))
        _tell(screen, "cpu", _growth(report, "cpu_ms"))
    screen.line()
    _tell(screen, "verdict", _verdict(report))


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part.replace("_", "")) for part in text.split(","))
    except ValueError as error:
        raise InputError(f"--sizes must be numbers with commas between, as 10000,100000, got {text!r}") from error


def _table(screen: Screen, step: Step) -> None:
    heads = "".join(f"{name:>9}" for name in (*SHARES, *(f"cpu {name}" for name in SHARES)))
    screen.line((f"{'':<10}{'n':>6}{'a second':>10}{heads}", "dim"))
    for kind in CALLS:
        calls = step.calls[kind]
        cells = "".join(f"{_ms(value):>9}" for value in _figures(calls))
        screen.line(f"{kind:<10}{calls.count:>6}{calls.per_second:>10.1f}{cells}")


def _figures(calls: Calls) -> list[float | None]:
    return [part[name] for part in (calls.wall_ms, calls.cpu_ms) for name in SHARES]


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _tell(screen: Screen, label: str, words: str) -> None:
    if words:
        screen.block(words, label=label, column=10)


def _filled(step: Step) -> str:
    filled = step.filled
    if filled is None:
        return "the store held so many already"
    rate, cost = filled.turns / max(filled.seconds, 1e-9), filled.cpu / max(filled.messages, 1) * 1000
    return f"{count(filled.turns, 'turn')}, {rate:,.0f} a second, {cost:.2f} ms of processor time a message"


def _size(step: Step) -> str:
    parts = ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in step.bytes.items())
    share = f"; the index is {step.index_share:.0%} of the text" if step.index_share is not None else ""
    return f"{parts}{share}"


def _most(screen: Screen, label: str, found: Mapping[str, int]) -> None:
    ordered = sorted(found.items(), key=lambda one: -one[1])
    for words, times in ordered[:_MOST_TOLD]:
        screen.block(f"{times:,} times: {words}", label=label, column=10, label_style="red")
    if len(ordered) > _MOST_TOLD:
        screen.block(f"and {len(ordered) - _MOST_TOLD:,} others", indent=10, style="dim")


def _growth(report: LoadReport, part: str) -> str:
    told = []
    for kind in CALLS:
        first, last = (getattr(step.calls[kind], part)["p95"] for step in (report.steps[0], report.steps[-1]))
        if first and last:
            told.append(f"{kind} {last / first:.1f} times")
    return ", ".join(told)


def _verdict(report: LoadReport) -> str:
    if report.blind:
        return "no tenant was shown its own canary, so the check for leaks saw nothing"
    if report.errors or report.leaks:
        return f"{count(report.errors, 'call')} failed, {count(report.leaks, 'answer')} showed another tenant's canary"
    return "no call failed, and no tenant saw another's canary"
