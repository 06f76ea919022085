"""The Chinese segmenter: jieba's cuts without jieba's start-up."""

from __future__ import annotations

import json
import logging
import random
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from smartbrain.text import han

EVAL = Path(__file__).parents[3] / "shared" / "eval" / "dev"


@pytest.fixture(scope="module")
def pure() -> han.PureSegmenter:
    return han.PureSegmenter(han.jieba_folder())


@pytest.fixture(scope="module")
def words(pure: han.PureSegmenter) -> list[str]:
    lines = (han.jieba_folder() / "dict.txt").read_text("utf-8").splitlines()
    return [word for word in (line.split(" ")[0] for line in lines) if re.fullmatch("[\u4e00-\u9fd5]+", word)]


@pytest.fixture(scope="module")
def runs(words: list[str]) -> list[str]:
    """Runs of every difficulty: words in a row, first characters of words, and characters by chance."""
    chance = random.Random(4711)
    makers: list[Callable[[], str]] = [
        lambda: "".join(chance.choices(words, k=chance.randint(1, 8))),
        lambda: "".join(word[0] for word in chance.choices(words, k=chance.randint(1, 14))),
        lambda: "".join(chr(chance.randint(0x4E00, 0x9FD5)) for _ in range(chance.randint(1, 14))),
    ]
    return [maker() for maker in makers for _ in range(2_000)]


@pytest.fixture(scope="module")
def jieba(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in its source, pkg_resources
        import jieba as package
    package.setLogLevel(logging.CRITICAL)
    tokenizer = package.Tokenizer()
    tokenizer.tmp_dir = str(tmp_path_factory.mktemp("jieba"))
    tokenizer.initialize()
    return tokenizer


def _search(segmenter: han.Segmenter, run: str) -> list[str]:
    return [form for word in segmenter.cut(run) for form in han.search_forms(word)]


@pytest.mark.slow
def test_the_cuts_are_those_of_jieba(pure: han.PureSegmenter, jieba: object, runs: list[str]) -> None:
    different = [run for run in runs if pure.cut(run) != jieba.lcut(run)]  # type: ignore[attr-defined]
    assert different == []


@pytest.mark.slow
def test_the_search_mode_is_that_of_jieba(
    pure: han.PureSegmenter, jieba: object, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(han, "_segmenter", pure)
    for run in runs[::3]:
        ours: list[str] = _search(pure, run)
        assert ours == jieba.lcut_for_search(run)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_conversations_are_cut_as_jieba_cuts_them(pure: han.PureSegmenter, jieba: object) -> None:
    files = sorted(EVAL.glob("*zh*/conversations.jsonl"))
    if not files:
        pytest.skip("the evaluation sets are not beside the repository")
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            for run in re.findall("[\u4e00-\u9fd5]+", json.loads(line)["text"]):
                assert pure.cut(run) == jieba.lcut(run)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_every_word_of_the_dictionary_weighs_as_in_jieba(
    pure: han.PureSegmenter, jieba: object, words: list[str]
) -> None:
    counts: dict[str, int] = jieba.FREQ  # type: ignore[attr-defined]
    assert all(pure.has_word(word) == bool(counts[word]) for word in words)
    prefixes = {word[:-1] for word in words if len(word) > 1}
    assert all(pure.has_word(prefix) == bool(counts[prefix]) for prefix in prefixes)


def test_rjieba_cuts_the_same(pure: han.PureSegmenter, runs: list[str], words: list[str]) -> None:
    pytest.importorskip("rjieba")
    rust = han.RustSegmenter()
    assert [pure.cut(run) for run in runs] == [rust.cut(run) for run in runs]
    assert all(rust.has_word(word) for word in words[::50])
    assert not rust.has_word("华人民")
    assert not pure.has_word("华人民")


def test_search_forms_hold_the_words_inside_a_word() -> None:
    assert han.search_forms("中华人民共和国") == ["中华", "华人", "人民", "共和", "共和国", "中华人民共和国"]


def test_characters_that_jieba_does_not_know_stand_alone() -> None:
    assert han.cut("𠮷野家〇") == ["𠮷", *han.cut("野家"), "〇"]


def test_nothing_is_lost_in_a_cut(runs: list[str]) -> None:
    assert all("".join(han.cut(run)) == run for run in runs)


def test_a_dictionary_that_is_out_of_order_or_repeats_itself_is_read_right() -> None:
    data = "中国 5 ns\n甲 1 n\n中国人 7 n\n中 3 f\n中国 9 ns\n乙 1 n\n中华民族 2 n\n".encode()
    list_ = han.WordList(data)
    assert list_.weight("中国") == pytest.approx(-1.134980)  # ln(9 / 28): the last line counts, the sum has both
    assert list_.weight("中华") == han.PREFIX
    assert list_.weight("中国人民") == han.ABSENT
    assert list_.weight("中") < list_.weight("中国人") < list_.weight("中国") < han.PREFIX
    assert list_.weight("丙") == han.ABSENT


def test_forgetting_what_was_asked_changes_no_cut(
    pure: han.PureSegmenter, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(han, "_ASKED_LIMIT", 50)
    forgetful = han.PureSegmenter(han.jieba_folder())
    assert [forgetful.cut(run) for run in runs[:300]] == [pure.cut(run) for run in runs[:300]]


def test_threads_may_share_a_segmenter_from_its_first_cut(pure: han.PureSegmenter, runs: list[str]) -> None:
    fresh = han.PureSegmenter(han.jieba_folder())
    expected = [pure.cut(run) for run in runs[:500]]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: [fresh.cut(run) for run in runs[:500]], range(8)))
    assert all(answer == expected for answer in answers)


def test_all_threads_get_the_same_segmenter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(han, "_segmenter", None)
    with ThreadPoolExecutor(8) as pool:
        assert len({id(one) for one in pool.map(lambda _: han.segmenter(), range(16))}) == 1


@pytest.mark.parametrize("rust", [True, False], ids=["rjieba if there", "pure"])
def test_loading_is_silent_and_importing_loads_nothing(rust: bool) -> None:
    program = f"""
import importlib.util, sys
import smartbrain.text.terms as terms, smartbrain.text.han as han
assert han._segmenter is None and not {{"jieba", "rjieba", "snowballstemmer", "Stemmer", "numpy"}} & set(sys.modules)
if not {rust}:
    find = han.find_spec
    han.find_spec = lambda name: None if name == "rjieba" else find(name)
print(terms.terms("他来到了网易杭研大厦"))
assert "jieba" not in sys.modules
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-X", "utf8", "-c", program], capture_output=True, encoding="utf-8", check=False
    )
    assert done.stderr == ""
    assert "'网易'" in done.stdout
    assert "'杭研'" in done.stdout
