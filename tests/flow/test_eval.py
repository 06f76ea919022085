"""``smartbrain eval`` over a made-up set, end to end: the real runtime, the figures, the files, what goes wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer", reason="the command line is an extra, cli")

from click.testing import Result
from rich.cells import cell_len
from typer.testing import CliRunner

from smartbrain.cli.app import app
from smartbrain.config import BrainConfig
from smartbrain.contracts.evidence import Evidence, EvidencePack, Provenance, Signals
from smartbrain.evaluation.questions import Dataset, load_dataset
from smartbrain.evaluation.report import SetReport, config_summary
from smartbrain.evaluation.runner import evaluate, standard_brain, strength

SAID = [
    ("garden", "spring", "2024-04-02", "Ada", "I planted a quince tree behind the shed."),
    ("garden", "spring", "2024-04-02", "Ben", "Lovely. My own plot is full of weeds again."),
    ("garden", "summer", "2024-07-09", "Ada", "The hedgehog sleeps under the rhubarb now."),
    ("garden", "summer", "2024-07-09", "Ben", "I sold the old lawnmower for forty euros."),
    ("garden", "autumn", "2024-10-20", "Ada", "The quince tree carried eleven fruits."),
    ("厨房", "一", "2024-05-01", "user", "我买了一台意大利咖啡机。"),
    ("厨房", "二", "2024-05-08", "user", "今天学会了做红烧排骨。"),
]
ASKED: list[dict[str, Any]] = [
    {
        "of": "garden",
        "q": "Where did Ada plant the quince tree?",
        "gold": [0],
        "answer": "behind the shed",
        "cat": "one",
    },
    {"of": "garden", "q": "Who sold the lawnmower, and where sleeps the hedgehog?", "gold": [2, 3], "cat": "two"},
    {"of": "garden", "q": "What did Ada do in the fog?", "gold": [1], "cat": "adversarial"},
    {"of": "garden", "q": "Which submarine did Ben repair?", "gold": [], "cat": "one"},
    {"of": "厨房", "q": "咖啡机是哪国的？", "gold": [5], "answer": "意大利", "cat": "one"},
    {"of": "厨房", "q": "学会了做什么菜？", "gold": [6], "cat": "one", "question_time": "2024-05-03"},
]


def write(folder: Path, asked: list[dict[str, Any]] = ASKED, **more: list[dict[str, Any]]) -> Path:
    names = ("conversation_id", "session_id", "session_time", "speaker", "text")
    rows = [{**dict(zip(names, line, strict=True)), "turn_id": f"t{n}"} for n, line in enumerate(SAID)]
    questions = [
        {
            "conversation_id": one["of"],
            "question_id": f"q{n}",
            "question": one["q"],
            "answer": one.get("answer"),
            "category": one["cat"],
            "evidence_turn_ids": [f"t{g}" for g in one["gold"]],
            "evidence_session_ids": list(dict.fromkeys(SAID[g][1] for g in one["gold"])),
            "question_time": one.get("question_time"),
        }
        for n, one in enumerate(asked)
    ]
    for name, content in {"conversations": rows, "questions": questions, **more}.items():
        text = "\n".join(json.dumps(row, ensure_ascii=False) for row in content)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "made-up"
    made.mkdir()
    return write(made)


def report_of(folder: Path, **options: Any) -> SetReport:
    return evaluate(load_dataset(folder), standard_brain(BrainConfig()), **options)


def run(*arguments: object, columns: int = 80) -> Result:
    return CliRunner().invoke(app, ["eval", *(str(a) for a in arguments)], env={"COLUMNS": str(columns)})


def failed(*arguments: object) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_figures_are_means_over_the_questions_that_have_gold_and_are_not_apart(folder: Path) -> None:
    report = report_of(folder)
    by_name = {one.question.question_id: one for one in report.answered}
    assert (report.asked, report.n) == (6, 4)
    assert by_name["q0"].ranked[0] == "t0"
    assert set(by_name["q1"].ranked[:3]) >= {"t2", "t3"}
    assert by_name["q4"].ranked[0] == "t5"
    # q5 asks on 3 May for what was said on 8 May: three of four questions are answered.
    assert report.figures["recall_at_3"] == 0.75
    assert report.figures["recall_within_tokens"]["250"] == 0.75
    assert report.figures["session_any_at_3"] == 0.75
    assert report.figures["ndcg_at_10"] > 0.6
    assert report.out_of_reach == 1
    assert {name: figures["n"] for name, figures in report.by_category.items()} == {"one": 3, "two": 1}
    assert {name: figures["n"] for name, figures in report.apart.items()} == {"adversarial": 1}
    assert {name: figures["n"] for name, figures in report.by_language.items()} == {"en": 2, "zh": 2}
    assert [one.question.question_id for one in report.misses(9)] == ["q5"]


def test_what_was_said_after_the_question_is_not_found(folder: Path) -> None:
    last = report_of(folder).answered[-1]
    assert last.question.question_id == "q5"
    assert "t6" not in last.ranked
    assert last.rank_of("t6") is None


def test_with_all_time_what_was_said_after_the_question_is_found_too(folder: Path) -> None:
    report = report_of(folder, all_time=True)
    assert report.answered[-1].ranked[0] == "t6"
    assert (report.out_of_reach, report.figures["recall_at_3"]) == (0, 1.0)


def test_the_words_of_the_answer_are_looked_for_in_what_memory_gave_not_in_the_question(folder: Path) -> None:
    asked = [
        {"of": "garden", "q": "Where did Ada plant the quince tree?", "gold": [0], "answer": "shed", "cat": "one"},
        {"of": "garden", "q": "Is the hedgehog a porcupine?", "gold": [2], "answer": "porcupine", "cat": "one"},
        {"of": "garden", "q": "Was a submarine ever there?", "gold": [], "answer": "shed", "cat": "one"},
    ]
    report = report_of(write(folder, asked))
    assert [one.measures.get("answer_in_context") for one in report.answered] == [1.0, 0.0, None]
    assert report.figures["answer_in_context"] == 0.5


def test_without_composing_there_is_no_answer_in_context(folder: Path) -> None:
    report = report_of(folder, compose=False)
    assert report.figures["answer_in_context"] is None
    assert report.compose_latency_ms == {"p50": None, "p95": None}


def test_questions_without_gold_show_how_well_strength_tells_them_apart(folder: Path) -> None:
    found = report_of(folder).no_gold
    assert found is not None
    assert (found["n"], found["score"]) == (1, "support")
    assert found["without_gold"]["max"] < found["with_gold"]["max"]
    assert 0.5 < found["auc"] <= 1.0
    # Only q5, which has gold, has a time.
    assert found["comparable"] is False
    everything = report_of(folder, all_time=True).no_gold
    assert everything is not None
    assert everything["comparable"] is True


def test_strength_is_support_where_a_pack_has_it_and_else_one_retrievers_best_score() -> None:
    def piece(name: str, **scores: float) -> Evidence:
        provenance = Provenance(mode="exact")
        return Evidence(id=name, source_uri="x:y", snippet="s", signals=Signals(**scores), provenance=provenance)

    pack = EvidencePack(evidences=(piece("a", score=1.0, fts_score=0.4), piece("b", score=0.9, fts_score=0.7)))
    assert strength(pack) == ("fts_score", 0.7)
    assert strength(EvidencePack()) == ("", 0.0)

    class Supported(EvidencePack):
        support: float | None = None

    assert strength(Supported(evidences=pack.evidences, support=0.25)) == ("support", 0.25)
    assert strength(Supported(evidences=pack.evidences)) == ("fts_score", 0.7)


def test_sessions_that_come_too_late_are_taken_off_the_list(folder: Path) -> None:
    dataset = load_dataset(folder)
    seq = {"spring": 2, "summer": 1, "autumn": 0}
    lines = tuple(
        type(line)(
            **{**{f: getattr(line, f) for f in line.__slots__}, "more": {"session_seq": seq.get(line.session_id)}}
        )
        for line in dataset.lines
    )
    question = dataset.questions[0].model_copy(update={"as_of_session_seq": 2})
    report = evaluate(Dataset("d", lines, (question,)), standard_brain(BrainConfig()))
    # "spring" has the number 2 but the oldest date: only the number keeps it out.
    assert report.answered[0].ranked[0] == "t4"
    assert not {"t0", "t1"} & set(report.answered[0].ranked)


def test_a_run_gives_the_same_figures_again(folder: Path) -> None:
    def figures() -> dict[str, Any]:
        told = report_of(folder).as_json()
        return {name: value for name, value in told.items() if "latency" not in name and not name.endswith("_seconds")}

    assert figures() == figures()


def test_a_smaller_k_leaves_out_what_it_cannot_measure(folder: Path) -> None:
    figures = report_of(folder, k=5, compose=False).figures
    assert "recall_at_5" in figures
    assert not {"recall_at_10", "ndcg_at_10", "session_any_at_10"} & set(figures)


def test_progress_is_told_from_the_first_turn_to_the_last_question(folder: Path) -> None:
    told: list[tuple[str, int, int]] = []
    report_of(folder, compose=False, on_progress=lambda *step: told.append(step))
    turns, asked = [s for s in told if s[0] == "commit"], [s for s in told if s[0] == "ask"]
    assert turns == [("commit", n, 7) for n in range(1, 8)]
    assert asked == [("ask", n, 6) for n in range(1, 7)]


def test_the_command_prints_a_table_that_fits_and_writes_json(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    result = run(folder, folder, "--json", out, "--misses", "2")
    assert result.exit_code == 0, result.output
    assert all(cell_len(line) <= 80 for line in result.stdout.splitlines())
    assert result.stdout.index("made-up") < result.stdout.index("All sets")
    for words in ("all but apart", "adversarial, apart", "1 miss to read", "not found  t6", "no gold", "all defaults"):
        assert words in result.stdout
    told = json.loads(out.read_text("utf-8"))
    assert [one["dataset"] for one in told] == ["made-up", "made-up"]
    one = told[0]
    assert (one["mode"], one["n"], one["recall_at_3"]) == ("default", 4, 0.75)
    assert set(one["recall_within_tokens"]) == {"250", "500", "1000", "2000"}
    assert set(one["by_category"]) == {"one", "two", "adversarial"}
    assert set(one["latency_ms"]) == {"p50", "p95"}
    measures = ["recall_at_5", "recall_at_10", "hit_at_10", "ndcg_at_10", "session_any_at_5", "session_all_at_5"]
    assert all(isinstance(one[name], float) for name in (*measures, "answer_in_context"))
    assert all(one["by_category"]["two"][name] is not None for name in measures)


def test_the_configuration_is_told_with_what_was_changed(folder: Path, tmp_path: Path) -> None:
    yml, out = tmp_path / "brain.yml", tmp_path / "figures.json"
    yml.write_text("policies: {retrieval: {lexical: {k1: 2.0}}}", encoding="utf-8")
    result = run(folder, "--config", yml, "--mode", "bm25", "--no-compose", "--json", out)
    assert result.exit_code == 0, result.output
    config = json.loads(out.read_text("utf-8"))[0]["config"]
    assert config["settings"]["policies.retrieval.lexical.k1"] == 2.0
    assert config["settings"]["policies.retrieval.lexical.neighbours"] is False
    assert config["digest"] != config_summary(BrainConfig())["digest"]
    assert config_summary(BrainConfig()) == {"digest": config_summary(BrainConfig())["digest"], "settings": {}}


def test_noise_and_samples_are_said_in_the_output(folder: Path, tmp_path: Path) -> None:
    write(folder, noise_pool=[{"text": f"Unrelated remark number {n}."} for n in range(200)])
    out = tmp_path / "figures.json"
    result = run(folder, "--noise", "--limit", "2", "--noise-seed", "3", "--no-compose", "--json", out)
    assert result.exit_code == 0, result.output
    assert "made-up + 200 noise" in result.stdout
    assert "2 questions of 6, sampled" in " ".join(result.stdout.split())
    told = json.loads(out.read_text("utf-8"))[0]
    assert (told["noise"], told["noise_seed"], told["asked"], told["sampled_from"]) == (200, 3, 2, 6)
    assert told["messages"] >= 200


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--mode", "magic"), "no mode 'magic'"),
        (("--noise",), "noise_pool.jsonl"),
        (("--json", "missing/figures.json"), "folder does not exist"),
        (("--config", "missing.yml"), "cannot read the configuration"),
    ],
)
def test_a_wrong_option_is_one_line_before_anything_runs(folder: Path, options: tuple[str, ...], told: str) -> None:
    assert told in failed(folder, *options)


def test_a_folder_that_is_no_set_is_named(tmp_path: Path) -> None:
    assert "cannot read" in failed(tmp_path)
    assert "is not a folder" in failed(tmp_path / "missing")


def test_a_plot_without_matplotlib_is_refused_before_anything_runs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "smartbrain[eval]" in failed(folder, "--plot", tmp_path / "recall.png")


def test_a_plot_is_drawn_into_a_file(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots are an extra, eval")
    assert run(folder, folder, "--plot", tmp_path / "recall.png").exit_code == 0
    assert (tmp_path / "recall.png").read_bytes().startswith(b"\x89PNG")
    assert "cannot write the plot" in run(folder, "--plot", tmp_path / "recall.nothing").stderr


@pytest.fixture
def slice_of(shared_eval: Path) -> Callable[[str, int], SetReport]:
    def made(name: str, questions: int) -> SetReport:
        dataset = load_dataset(shared_eval / name)
        return evaluate(dataset.sample(questions), standard_brain(BrainConfig()), compose=False)

    return made


@pytest.mark.slow
def test_a_slice_of_real_sets_is_answered_far_better_than_by_chance(slice_of: Callable[[str, int], SetReport]) -> None:
    report = slice_of("memorybank_zh", 20)
    assert report.n == 20
    assert report.figures["recall_at_10"] > 0.7
    assert report.figures["session_any_at_5"] > 0.8
    dated = slice_of("memdaily_zh_dev", 20)
    assert dated.out_of_reach == 0
    assert dated.figures["recall_at_10"] > 0.7
