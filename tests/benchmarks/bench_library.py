"""A library's speed: taking in pages, and asking 50,000 chunks. Run: pytest -m benchmark -s tests/benchmarks/bench_library.py

Pages are made of the words of this repository's own documentation and of Chinese sentences, by a fixed seed. CPU seconds
of the process are shown beside wall time: the machine may be busy with others.
"""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from smartbrain.resources import Library
from smartbrain.resources.library.library import LOCAL

ROOT = Path(__file__).resolve().parents[2]
PAGES = 2_000
CHUNKS = 50_000
QUESTIONS = 200
ZH = [
    "部署",
    "回滚",
    "数据库",
    "迁移",
    "订单",
    "退款",
    "用户",
    "记忆",
    "检索",
    "向量",
    "索引",
    "配置",
    "日志",
    "监控",
    "值班",
    "同事",
    "接口",
    "认证",
    "缓存",
    "队列",
    "消息",
    "任务",
    "计划",
    "文档",
    "测试",
]


def page(rng: random.Random, words: list[str], number: int) -> str:
    """A page of 2 to 4 kB: front matter, headings, prose, a list, a table, steps, code, links."""

    def sentence() -> str:
        if number % 5 == 0:
            return "".join(rng.choices(ZH, k=rng.randint(6, 14))) + "。"
        return " ".join(rng.choices(words, k=rng.randint(8, 18))).capitalize() + "."

    def prose(n: int) -> str:
        return " ".join(sentence() for _ in range(n))

    name = rng.choice(words)
    return "\n\n".join(
        (
            f"---\ntitle: {name} {number}\ndomain: {rng.choice(words)}\ntags: [{rng.choice(words)}, guide]\n---",
            f"# {name.capitalize()} {number}",
            prose(rng.randint(3, 5)),
            f"## {rng.choice(words)} {rng.choice(words)}",
            prose(rng.randint(3, 5)),
            "\n".join(f"- **{rng.choice(words)}**: {sentence()}" for _ in range(4)),
            f"## Configure {rng.choice(words)}",
            "| key | default | what it does |\n|---|---|---|\n"
            + "\n".join(
                f"| `{rng.choice(words)}_{rng.choice(words)}` | {rng.randint(1, 99)} | {sentence()} |" for _ in range(4)
            ),
            f"### Steps\n\nTo {rng.choice(words)}:\n\n" + "\n".join(f"{n}. {sentence()}" for n in range(1, 4)),
            f"```python\ndef {rng.choice(words)}():\n    return {rng.randint(1, 9)}\n```",
            f"See [{rng.choice(words)}](page-{rng.randint(0, 1999):05}.md). `GET /{rng.choice(words)}/{{id}}` {sentence()}",
            prose(rng.randint(2, 4)),
        )
    )


def write_pages(folder: Path, count: int) -> int:
    """Writes pages; their size in bytes."""
    rng = random.Random(7)
    text = "".join(path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md")))
    words = sorted({word.lower() for word in re.findall(r"\b[A-Za-z]{3,12}\b", text)})
    size = 0
    for number in range(count):
        if number % 500 == 0:
            (folder / f"part-{number // 500}").mkdir()
        data = page(rng, words, number).encode()
        (folder / f"part-{number // 500}" / f"page-{number:05}.md").write_bytes(data)
        size += len(data)
    return size


@pytest.mark.benchmark
def test_taking_in_pages(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    size = write_pages(tmp_path / "docs", PAGES)
    print(f"\n{PAGES} pages of {size / PAGES / 1000:.1f} kB")
    print("| what | pages/s of CPU | pages/s of wall time |\n|---|---:|---:|")
    with Library.open(tmp_path / "library.db") as library:
        for what in ("first", "again, nothing changed"):
            cpu, wall = time.process_time(), time.perf_counter()
            report = library.add(tmp_path / "docs")
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            print(f"| {what} | {PAGES / cpu:.0f} | {PAGES / wall:.0f} |")
            assert len(report.added or report.unchanged) == PAGES
    print(f"file: {(tmp_path / 'library.db').stat().st_size / size:.2f} x the pages")


@pytest.mark.benchmark
def test_asking_fifty_thousand_chunks(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    rng = random.Random(11)
    with Library.open(tmp_path / "library.db") as library:
        write_pages(tmp_path / "docs", 9_600)
        library.add(tmp_path / "docs")
        with library.snapshot() as index:
            chunks = index.count(LOCAL, "D0_DOC_CHUNKS")
        words = [
            w
            for path in list((tmp_path / "docs").rglob("*.md"))[:50]
            for w in re.findall(r"\w{4,}", path.read_text("utf-8"))
        ]
        questions = [" ".join(rng.choices(words, k=rng.randint(3, 8))) for _ in range(QUESTIONS)]
        print(f"\n{chunks:,} chunks, {QUESTIONS} questions of 3 to 8 words, 10 results")
        print("| what | CPU ms p50 | CPU ms p95 | wall ms p95 |\n|---|---:|---:|---:|")
        for what, layers in (
            ("chunks", ["D0_DOC_CHUNKS"]),
            ("chunks and catalogue", ["D1_DOCUMENT_CATALOG", "D0_DOC_CHUNKS"]),
        ):
            for round_ in ("first", "second"):
                cpus, walls = [], []
                for question in questions:
                    cpu, wall = time.process_time(), time.perf_counter()
                    library.search(question, scopes=[LOCAL], layers=layers)
                    cpus.append((time.process_time() - cpu) * 1000)
                    walls.append((time.perf_counter() - wall) * 1000)
                cpus.sort()
                walls.sort()
                at = int(0.95 * QUESTIONS)
                print(f"| {what}, {round_} time | {cpus[QUESTIONS // 2]:.1f} | {cpus[at]:.1f} | {walls[at]:.1f} |")
