"""One spelling for what means the same."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.text.folding import fold, lower, tidy

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Ｈｅｌｌｏ　Ｗｏｒｌｄ", "hello world"),
        ("１２３", "123"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("Straße", "strasse"),
        ("e\u0301", "é"),
        ("記憶體與臺灣", "记忆体与台湾"),
        ("妳", "你"),
        ("don’t", "don't"),
        ("2020–2023", "2020-2023"),
        ("a\x00b\u200bc\ufeff", "abc"),
        ("❤️", "❤"),
    ],
)
def test_spellings_of_the_same_text_fold_together(written: str, folded: str) -> None:
    assert fold(written) == folded


def test_simplified_characters_that_are_also_traditional_ones_stay() -> None:
    assert fold("著名 覆盖 瞭望") == "著名 覆盖 瞭望"


def test_lone_surrogates_are_dropped_and_the_result_can_be_stored() -> None:
    assert fold("a\ud800b").encode() == b"ab"


def test_tidying_keeps_case_and_line_breaks() -> None:
    assert tidy("CamelCase\nＡ") == "CamelCase\nA"


def test_folding_each_character_twice_changes_nothing() -> None:
    changed = [code for code in range(sys.maxunicode + 1) if fold(fold(chr(code))) != fold(chr(code))]
    assert changed == []


@given(ANY_TEXT)
def test_folding_never_raises_and_is_stable(text: str) -> None:
    once = fold(text)
    assert fold(once) == once
    assert lower(tidy(text)) == once
    once.encode()


def test_the_table_is_what_its_script_builds() -> None:
    root = Path(__file__).parents[2]
    namespace: dict[str, object] = {"__name__": "script", "__file__": str(root / "scripts/x.py")}
    exec((root / "scripts/build_simplified_table.py").read_text("utf-8"), namespace)
    build = namespace["build"]
    assert callable(build)
    assert build("薴\t苧 苎\n苧\t苎\n乾\t干 乾\n覆\t覆 复\n") == "乾苧薴\n干苎苎\n"
    with pytest.raises(ValueError, match="circle"):
        build("甲\t乙\n乙\t甲\n")
    shipped = resources.files("smartbrain.text").joinpath("data/simplified.txt")
    traditional, simplified = shipped.read_text("utf-8").splitlines()
    assert build("".join(f"{a}\t{b}\n" for a, b in zip(traditional, simplified, strict=True))).split() == [
        traditional,
        simplified,
    ]
