"""What .gitignore leaves out of a folder is left out of a library, as Git would, and is told."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from smartbrain.resources import Library

RULES = {
    ".gitignore": "# made\nsite/\n*.tmp.md\n!keep.tmp.md\n/top.md\nlogs/**/debug.md\n\\#odd.md\n草稿/\nwhole/*\n!whole/one.md\n",
    "guide/.gitignore": "draft-*.md\n!site/\n/here.md\n",
    "guide/deep/.gitignore": "!draft-kept.md\n",
}
FILES = (
    *("readme.md", "top.md", "guide/top.md", "a.tmp.md", "keep.tmp.md", "guide/keep.tmp.md", "#odd.md"),
    *("site/index.md", "site/sub/page.md", "guide/site/page.md", "guide/here.md", "guide/deep/here.md"),
    *("logs/debug.md", "logs/a/b/debug.md", "logs/a/other.md", "guide/draft-1.md", "guide/deep/draft-2.md"),
    *("guide/deep/draft-kept.md", "草稿/一.md", "文档/二.md", "whole/one.md", "whole/two.md"),
)


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "repo"
    for name, rules in RULES.items():
        write(folder / name, rules)
    for name in FILES:
        write(folder / name, f"# {name}\n\nA page.\n")
    return folder


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def paths(library: Library) -> set[str]:
    return {document.path for document in library.documents()}


def test_what_git_passes_over_is_passed_over_and_told(tree):
    with Library.open() as library:
        report = library.add(tree, under="")
        assert paths(library) == {
            *("readme.md", "guide/top.md", "keep.tmp.md", "guide/keep.tmp.md", "guide/site/page.md"),
            *("guide/deep/here.md", "logs/a/other.md", "guide/deep/draft-kept.md", "文档/二.md", "whole/one.md"),
        }
        assert report.ignored == (
            *("#odd.md", "a.tmp.md", "guide/deep/draft-2.md", "guide/draft-1.md", "guide/here.md"),
            *("logs/a/b/debug.md", "logs/debug.md", "site/", "top.md", "whole/two.md", "草稿/"),
        )
        assert report.refused == ()


@pytest.mark.skipif(shutil.which("git") is None, reason="Git itself is not there to be asked")
def test_git_itself_says_the_same(tree):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    settings = {**clean, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=tree, env=settings, check=True, capture_output=True, text=True
        ).stdout

    git("init", "-q")
    listed = git("-c", "core.quotePath=false", "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    with Library.open() as library:
        library.add(tree, under="")
        assert paths(library) == {path for path in listed if path.endswith(".md")}


def test_the_rules_of_the_repository_hold_in_its_folders(tree):
    (tree / ".git").mkdir()
    with Library.open() as library:
        report = library.add(tree / "logs", under="logs")
        assert (paths(library), report.ignored) == ({"logs/a/other.md"}, ("logs/a/b/debug.md", "logs/debug.md"))
    with Library.open() as library:
        library.add(tree / "guide" / "deep", under="")
        assert paths(library) == {"here.md", "draft-kept.md"}


def test_without_a_repository_no_folder_above_is_asked(tree):
    with Library.open() as library:
        library.add(tree / "logs", under="logs")
        assert paths(library) == {"logs/debug.md", "logs/a/b/debug.md", "logs/a/other.md"}


def test_a_folder_or_file_that_is_named_is_taken_whatever_rules_say_of_it(tree):
    (tree / ".git").mkdir()
    with Library.open() as library:
        library.add(tree / "site", under="site")
        library.add(tree / "top.md", under="")
        assert paths(library) == {"site/index.md", "site/sub/page.md", "top.md"}


def test_the_rules_may_be_set_aside(tree):
    with Library.open() as library:
        report = library.add(tree, under="", gitignore=False)
        assert paths(library) == set(FILES)
        assert report.ignored == ()


def test_what_comes_under_a_rule_later_is_taken_out(tree):
    with Library.open() as library:
        library.add(tree, under="")
        write(tree / ".gitignore", f"{RULES['.gitignore']}readme.md\n")
        report = library.add(tree, under="")
        assert report.removed == ("readme.md",)
        assert "readme.md" in report.ignored
        write(tree / ".gitignore", RULES[".gitignore"])
        assert library.add(tree, under="").added == ("readme.md",)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("*a*a*a*a*b\n*.tmp.md\n", "'*a*a*a*a*b' is not followed: it has too many stars"),
        ("**/a/**/a/**/a/**/b\n*.tmp.md\n", "is not followed: it has too many stars"),
        ("x\n" * 40_000, "its rules are not followed: it has 80,000 bytes"),
    ],
)
def test_rules_that_would_take_too_long_are_told_and_the_rest_holds(tree, rules, reason):
    write(tree / ".gitignore", rules)
    with Library.open() as library:
        report = library.add(tree, under="")
        [refused] = report.refused
        assert (refused.path, reason in refused.reason) == (".gitignore", True)
        assert ("a.tmp.md" in paths(library)) is ("bytes" in reason)


def test_lines_that_are_no_rules_are_passed_over(tree):
    write(tree / ".gitignore", "!\n[\n\\\n\n   \n\ufeff\nsite/\r\nreadme.md")
    with Library.open() as library:
        report = library.add(tree, under="")
        assert report.refused == ()
        assert {"readme.md", "site/"} <= set(report.ignored)


def test_a_link_or_a_pipe_in_place_of_rules_is_no_way_in(tree, tmp_path):
    write(tmp_path / "elsewhere", "readme.md\n")
    (tree / ".gitignore").unlink()
    (tree / ".gitignore").symlink_to(tmp_path / "elsewhere")
    (tree / "guide" / ".gitignore").unlink()
    os.mkfifo(tree / "guide" / ".gitignore")
    with Library.open() as library:
        report = library.add(tree, under="")
        assert "readme.md" in paths(library)
        assert [one.path for one in report.refused] == [".gitignore"]
