"""Which language a text is in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.text.language import _language, _letters_in, detect, detect_all


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我喜欢爬山", "zh"),
        ("繁體中文", "zh"),
        ("用Python写API接口", "zh"),
        ("What does 你好 mean?", "en"),
        ("hello", "en"),
        ("Caroline went to NYC", "en"),
        ("これはペンです", "ja"),
        ("東京タワーに行きました", "ja"),
        ("优の良品很好吃的零食品牌吗对", "zh"),
        ("안녕하세요", "ko"),
        ("Привет, мир", "other"),
        ("¿Dónde está la biblioteca?", "other"),
        ("Ich bin nicht hier", "other"),
        ("مرحبا", "other"),
        ("", ""),
        ("123 !? 😀", ""),
        ("\ud800\x00", ""),
    ],
)
def test_the_larger_share_decides(text: str, language: str) -> None:
    assert detect(text) == language


@given(st.text(st.characters(exclude_categories=())))
def test_detection_never_raises(text: str) -> None:
    assert detect(text) in {"zh", "en", "ja", "ko", "other", ""}


@given(st.lists(st.text(st.sampled_from("abe éñ我喜のアㅎ안日1,.\u0301ß ")), max_size=6))
def test_several_texts_have_the_language_of_all_of_them_together(texts: list[str]) -> None:
    assert detect_all(texts) == detect(" ".join(texts))


def test_of_several_long_texts_no_more_is_read_than_of_one() -> None:
    texts = ["why not " * 300, "我们" * 900, "Ich bin nicht hier. " * 900]
    assert detect_all(texts) == detect(" ".join(texts)) == "zh"


@given(st.text(st.sampled_from("记憶体一龥〇カの한aé5 ，。？“”\n\tñ-ﬁ①"), max_size=12))
def test_a_text_is_chinese_at_a_glance_only_where_its_letters_say_so(text: str) -> None:
    assert detect(text) == _language(_letters_in(text))


@pytest.mark.parametrize("text", ["我住在杭州。", "2026年3月，搬到成都！", "“好”", "……（三）"])
def test_letters_of_plain_chinese_are_counted_as_those_of_any_text(text: str) -> None:
    alone, beside = _letters_in(text), _letters_in(f"{text} ab")
    assert alone == beside._replace(latin=0, english=0, foreign=0)
    assert detect_all([text, "hello there my friend"]) == detect(f"{text} hello there my friend")
