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
from smartbrain.text.terms import warm_up

ROOT = Path(__file__).resolve().parents[2]
PAGES = 2_000
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


def meter(pages: int, work) -> str:
    """Pages a second, by the processor time of this process and by the clock on the wall."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return f"{pages / cpu:.0f} | {pages / wall:.0f}"


@pytest.mark.benchmark
def test_taking_in_pages(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    size = write_pages(docs, PAGES)
    warm_up()
    print(f"\n{PAGES} pages of {size / PAGES / 1000:.1f} kB, six layers")
    print("| what | pages/s of processor time | pages/s of wall time |\n|---|---:|---:|")
    for what, words_only in (("words", True), ("words and meaning", False)):
        file = tmp_path / f"{words_only}.db"
        with Library.open(file, words_only=words_only) as library:
            print(f"| {what}, first time | {meter(PAGES, lambda: library.add(docs))} |")
            print(f"| {what}, nothing changed | {meter(PAGES, lambda: library.add(docs))} |")
            assert len(library.documents()) == PAGES
        print(f"| {what}: the file, times the pages | {file.stat().st_size / size:.2f} | |")


@pytest.mark.benchmark
def test_asking_fifty_thousand_chunks(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    pages = 12_400
    write_pages(docs, pages)
    rng = random.Random(11)
    some = "".join(path.read_text("utf-8") for path in sorted(docs.rglob("*.md"))[:60])
    words = re.findall(r"[A-Za-z]{4,}|[\u4e00-\u9fff]{2}", some)
    questions = [" ".join(rng.choices(words, k=rng.randint(3, 8))) for _ in range(QUESTIONS)]
    for what, words_only in (("words", True), ("words and meaning", False)):
        with Library.open(tmp_path / f"{words_only}.db", words_only=words_only) as library:
            print(f"\ntaken in: {meter(pages, lambda: library.add(docs))} pages/s (processor, wall)")
            with library.snapshot() as index:
                print(
                    f"{index.count(LOCAL, 'D0_DOC_CHUNKS'):,} chunks; {QUESTIONS} questions of 3 to 8 words, 10 results"
                )
            print(f"| {what} | processor ms p50 | p95 | wall ms p95 |\n|---|---:|---:|---:|")
            for layers in (["D0_DOC_CHUNKS"], ["D1_DOCUMENT_CATALOG", "D0_DOC_CHUNKS"]):
                for time_ in ("first", "second"):
                    ask(library, questions, layers, f"{' + '.join(layer[:2] for layer in layers)}, {time_} time")


def ask(library: Library, questions: list[str], layers: list[str], what: str) -> None:
    """Asks all questions and prints a row."""
    cpus, walls = [], []
    for question in questions:
        cpu, wall = time.process_time(), time.perf_counter()
        library.search(question, scopes=[LOCAL], layers=layers)
        cpus.append((time.process_time() - cpu) * 1000)
        walls.append((time.perf_counter() - wall) * 1000)
    cpus.sort()
    walls.sort()
    late = int(0.95 * len(questions))
    print(f"| {what} | {cpus[len(cpus) // 2]:.1f} | {cpus[late]:.1f} | {walls[late]:.1f} |")
