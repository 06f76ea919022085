"""A library that lives: any history of changes ends as if it had begun there; crashes, rebuilt indexes, many at once."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.errors import StoreError
from smartbrain.resources import Library
from smartbrain.resources.library import compacting
from smartbrain.resources.library.drafts import LAYERS
from smartbrain.resources.library.library import LOCAL
from smartbrain.resources.library.stacking import ShelfWriter

TEXTS = (
    "# Orders\n\nOrders are paid within a week.\n\n- **Limit**: 500\n\n1. Pay.\n2. Wait.\n",
    "# Penguins\n\nPenguins eat fish. See [orders](b.md).\n\n## Chicks\n\nThey are grey.\n",
    "# 部署\n\n发布失败时执行回滚脚本。\n\n## 回滚\n\n先通知值班的同事。\n",
    "One line about orders and penguins.\n",
    "",
)
QUESTIONS = ("orders paid", "penguins fish", "回滚脚本", "limit", "line")


def all_of(library: Library) -> dict[str, list[object]]:
    """Everything that can be found, without what tells when or in which order it came."""
    found: dict[str, list[object]] = {"documents": [(d.path, d.title, d.labels) for d in library.documents()]}
    for layer in LAYERS:
        found[layer] = library.containing(["."], scopes=[LOCAL], layers=[layer], limit=10_000)
        for question in QUESTIONS:
            hits = library.search(question, scopes=[LOCAL], layers=[layer], limit=50)
            found[f"{layer} {question}"] = sorted((one.entry.id, round(one.score, 4), one.matched) for one in hits)
    return found


@settings(max_examples=25)
@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(0, len(TEXTS) - 1)), min_size=1, max_size=5))
def test_any_history_of_a_folder_ends_as_if_it_had_begun_there(tmp_path_factory, states):
    folder = tmp_path_factory.mktemp("history") / "docs"
    with Library.open() as lived, Library.open() as fresh:
        for state in states:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name, text in state.items():
                (folder / f"{name}.md").write_text(TEXTS[text], "utf-8")
            report = lived.add(folder)
            kept = {*report.added, *report.updated, *report.unchanged}
            assert kept == {f"docs/{name}.md" for name, text in state.items() if TEXTS[text]}
        fresh.add(folder)
        # Ranking counts over all places of an index, those of dead entries too, until they are cleared away.
        with lived._writing() as writer:
            scope_id = writer.scope_id(LOCAL)
            if scope_id is not None:
                writer.compact(scope_id)
        assert all_of(lived) == all_of(fresh)


def filled(folder: Path, count: int = 12) -> Path:
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / f"{number:02}.md").write_text(f"# Page {number}\n\nThe word is word{number}x.\n", "utf-8")
    return folder


def words_of(library: Library) -> set[str]:
    return {one.entry.text.split()[-1] for one in library.search("word", scopes=[LOCAL], limit=1_000)}


def test_dead_places_are_cleared_away_when_they_are_most(tmp_path, monkeypatch):
    monkeypatch.setattr(compacting, "_WORTH_IT", 5)
    docs = filled(tmp_path / "docs")
    with Library.open(tmp_path / "l.db") as library:
        library.add(docs)
        for turn in range(3):
            for number in range(12):
                (docs / f"{number:02}.md").write_text(f"# Page {number}\n\nThe word is word{number}x{turn}.\n", "utf-8")
            assert len(library.add(docs).updated) == 12
        assert words_of(library) == {f"word{number}x2." for number in range(12)}
        assert library.search("word3x2", scopes=[LOCAL], mode="semantic") is not None
    with closing(sqlite3.connect(tmp_path / "l.db")) as db:
        assert db.execute("SELECT n_docs FROM index_heads WHERE space = 0").fetchone()[0] <= 24
        assert db.execute("SELECT count(*) FROM vectors WHERE space = 0").fetchone() == (12,)
        assert db.execute("SELECT min(ord), max(ord) FROM entries WHERE layer = 0").fetchone()[0] >= 0


def test_an_index_that_was_cut_otherwise_is_made_anew_when_it_is_opened(tmp_path, monkeypatch):
    docs = filled(tmp_path / "docs", 3)
    with Library.open(tmp_path / "l.db") as library:
        library.add(docs)
        before = all_of(library)
    with closing(sqlite3.connect(tmp_path / "l.db")) as db:
        db.execute("DELETE FROM index_postings")
        db.execute("DELETE FROM index_tail")
        db.execute("UPDATE meta SET value = 'older' WHERE name = 'cut_by'")
        db.commit()
    with Library.open(tmp_path / "l.db") as library:
        assert all_of(library) == before
        assert library.add(docs).unchanged


def test_a_batch_is_written_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    docs = filled(tmp_path / "docs")
    with Library.open(tmp_path / "l.db") as library:
        library.add(docs / "00.md", under="docs")
        put = ShelfWriter._put_layer

        def fails(self, scope_id, layer, documents):
            put(self, scope_id, layer, documents)
            if layer == 3:
                raise StoreError("the disk is full")

        monkeypatch.setattr(ShelfWriter, "_put_layer", fails)
        with pytest.raises(StoreError, match="disk"):
            library.add(docs)
        monkeypatch.undo()
        assert words_of(library) == {"word0x."}
        assert len(library.documents()) == 1
        library.add(docs)
        assert len(words_of(library)) == 12


KILLED = """
import sys
from pathlib import Path
from smartbrain.resources import Library
from smartbrain.resources.library import adding
adding._BATCH_DOCUMENTS = 3
library = Library.open(sys.argv[1])
def told(done, total):
    print(done, flush=True)
library.add(sys.argv[2], progress=told)
"""


@pytest.mark.slow
@pytest.mark.parametrize("after", [4, 7, 11, 19])
def test_a_process_that_is_killed_leaves_whole_documents_and_the_next_goes_on(tmp_path, after):
    docs = filled(tmp_path / "docs", 40)
    command = [sys.executable, "-c", KILLED, str(tmp_path / "l.db"), str(docs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= after:
                process.kill()
                break
    with Library.open(tmp_path / "l.db") as library:
        there = library.documents()
        assert len(there) >= (after - 1) // 3 * 3
        assert len(words_of(library)) == len(there)
        for document in there:
            assert len(library.at([document.path], scopes=[LOCAL])) == 1
            assert len(library.at([document.path], scopes=[LOCAL], layers=["D1_DOCUMENT_CATALOG"])) == 1
        report = library.add(docs)
        assert len(report.unchanged) == len(there)
        assert len(words_of(library)) == 40


def test_several_threads_add_and_search_at_once(tmp_path):
    folders = [filled(tmp_path / f"part{n}", 6) for n in range(3)]
    with Library.open(tmp_path / "l.db") as library, ThreadPoolExecutor(3) as pool:

        def work(folder: Path) -> int:
            library.add(folder)
            return len(library.search("word", scopes=[LOCAL]))

        assert all(pool.map(work, folders))
        assert len(library.documents()) == 18


@pytest.mark.slow
def test_two_processes_fill_one_library(tmp_path):
    one, other = filled(tmp_path / "one", 30), filled(tmp_path / "two", 30)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path / "l.db"), str(folder)],
            stdout=subprocess.DEVNULL,
            env=os.environ,
        )
        for folder in (one, other)
    ]
    assert [process.wait() for process in processes] == [0, 0]
    with Library.open(tmp_path / "l.db") as library:
        assert len(library.documents()) == 60
        assert len(library.search("word", scopes=[LOCAL], limit=1_000)) == 60
