"""The one way to cut a text into terms."""

from __future__ import annotations

import hashlib
import random
import re
import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from smartbrain.text import han, words
from smartbrain.text import terms as module
from smartbrain.text.folding import fold, tidy
from smartbrain.text.stopwords import ENGLISH, HAN
from smartbrain.text.terms import ANALYZER_ID, asked_terms, query_terms, term_counts, terms, warm_up

WRITTEN = (
    "Caroline PR-4711 snake_case getUserName HTTPServer user@host.com v1.2.3 src/app/main.py C++ C# node.js #12 1,000 "
    "１，０００ 3.14 don't 王小明 記憶體 北京大学图书馆 用Python写API接口 コンピューター 책을 привет สวัสดี नमस्ते مرحبا 😀 🇨🇳 "
    "https://www.a.com/b_c?d=1). the 的 不 İstanbul ß ﬁ ² ... -- ' \" ( : \n \t \x00 \ud800 \u200d e\u0301"
)
FRAGMENTS = WRITTEN.split(" ")
HUMP = re.compile("[a-z][A-Z]|[A-Z]{2}[a-z]")
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=4))).map("".join),
    st.lists(st.sampled_from(FRAGMENTS)).map(" ".join),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PR-4711", ["pr-4711", "pr", "4711"]),
        ("snake_case", ["snake_case", "snake", "case"]),
        ("camelCase", ["camelcas", "camel", "case"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("PRs and APIs", ["prs", "api"]),
        ("user@host.com", ["user@host.com", "host.com", "user", "host", "com"]),
        ("v1.2.3", ["v1.2.3", "1.2.3"]),
        ("python3.11", ["python3.11", "python3", "python", "11"]),
        ("src/app/main.py", ["src/app/main.py", "main.py", "src", "app", "main", "py"]),
        ("C:\\Users\\a.txt", ["c:\\users\\a.txt", "a.txt", "user", "txt"]),
        ("C++, C# and node.js", ["c++", "c#", "node.js", "node", "js"]),
        (".NET", [".net", "net"]),
        ("#123 #1", ["#123", "123", "#1", "1"]),
        ("@bob", ["@bob", "bob"]),
        ("3f2a9c1d7e", ["3f2a9c1d7e"]),
        ("std::vector", ["std::vector", "std", "vector"]),
        ("O'Brien", ["o'brien"]),
        ("well-known", ["well-known", "well", "known"]),
        ("2023-05-08", ["2023-05-08", "20230508", "2023", "05", "08"]),
        (
            "https://www.github.com/a/b_c/pull/12?x=1.",
            ["github.com/a/b_c/pull/12?x=1", "github.com", "github", "com", "b_c", "pull", "12", "x", "1"],
        ),
    ],
)
def test_identifiers_are_kept_whole_and_in_parts(text: str, expected: list[str]) -> None:
    got = terms(text)
    assert [term for term in got if term in expected] == expected
    assert len(got) <= len(expected) + 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1000"),
        ("１，０００", "1000"),
        ("1,234,567.5", "1234567.5"),
        ("記憶體", "记忆体"),
        ("running runs", "run run"),
        ("Caroline's", "caroline"),
        ("don’t", "don't"),
        ("❤️ 👍🏽", "❤ 👍"),
        ("ﬁle", "file"),
    ],
)
def test_two_ways_to_write_the_same_give_the_same_terms(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("13800138000", "+86 138-0013-8000"),
        ("13800138000", "138 0013 8000"),
        ("138-0013-8000", "13800138000"),
        ("555-123-4567", "(555) 123-4567"),
        ("2023/5/8", "on 2023-05-08"),
        ("1.2.3", "v1.2.3"),
        ("github.com/a/b", "https://github.com/a/b"),
        ("main.py", "src/app/main.py"),
        ("user name", "getUserName"),
        ("책", "책을 읽다"),
        ("图书馆", "北京大学图书馆"),
        ("馆", "北京大学图书馆"),
    ],
)
def test_a_question_meets_a_text_that_spells_it_otherwise(asked: str, stored: str) -> None:
    assert set(query_terms(asked)) & set(terms(stored))


def test_mixed_chinese_and_english_is_cut_at_the_script() -> None:
    assert terms("用Python写API接口") == ["用", "python", "写", "api", "接口", "接", "口"]


def test_a_run_of_han_is_cut_into_words_and_characters() -> None:
    assert terms("我在图书馆写代码") == ["图书", "书馆", "图书馆", "图", "书", "馆", "写", "代码", "代", "码"]


def test_chinese_numerals_are_left_as_they_are() -> None:
    assert {"三", "百"} <= set(terms("三百"))
    assert "300" not in terms("三百")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("カタカナ", ["カタ", "タカ", "カナ"]),
        ("학교에", ["학", "학교", "교에"]),
        ("สวัส", ["สว", "วั", "ัส"]),
        ("привет мир", ["привет", "мир"]),
        ("नमस्ते", ["नमस्ते"]),
        ("مرحبا", ["مرحبا"]),
        ("a😀b 🇨🇳", ["a", "😀", "b", "🇨🇳"]),
    ],
)
def test_other_scripts_are_cut_as_they_are_written(text: str, expected: list[str]) -> None:
    assert set(expected) - ENGLISH <= set(terms(text))


@pytest.mark.parametrize("text", ["to be of the", "who are you", "的", "我们的", "的 the"])
def test_a_text_of_stop_words_only_can_still_be_found(text: str) -> None:
    assert terms(text)
    assert set(query_terms(text)) <= set(terms(text))


def test_stop_words_are_out_and_negations_are_in() -> None:
    assert terms("What did she say about the dog?") == ["say", "dog"]
    assert "not" in terms("I don't eat meat")
    assert "不" in terms("我不吃肉")
    assert not {"我", "的", "什么"} & set(terms("我的猫叫什么"))


def test_stop_words_are_written_as_the_cut_sees_them() -> None:
    assert all(fold(word) == word for word in ENGLISH | HAN)


def test_long_identifiers_are_shortened_so_that_equal_stays_equal() -> None:
    one, other = "x" * 100, "x" * 99 + "y"
    assert terms(one) == terms(one.upper())
    assert terms(one) != terms(other)
    assert [len(term) for term in terms(one)] == [64]


def test_counts_hold_every_repeat() -> None:
    assert term_counts("dogs and a dog, 狗") == {"dog": 2, "狗": 1}
    assert term_counts("") == {}


def test_query_terms_are_distinct_and_in_order() -> None:
    assert query_terms("dogs cats dog") == ["dog", "cat"]


def test_warming_up_loads_the_segmenter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(han, "_segmenter", None)
    warm_up()
    assert han._segmenter is not None


@given(TEXTS)
def test_terms_never_raise_and_are_safe_for_any_store(text: str) -> None:
    for term in terms(text):
        assert 1 <= len(term) <= 64
        term.encode()
        assert not any(char.isspace() or unicodedata.category(char) in {"Cc", "Cf", "Cs"} for char in term)


SPACED = [
    *FRAGMENTS,
    "+86",
    "138",
    "1234",
    "5678",
    "(555)",
    "123-4567",
    "a(12)",
    "9)",
    "(9",
    "x" * 65,
    "\x1c",
    "\xa0",
    "\u3000",
]


@given(st.lists(st.one_of(st.sampled_from(SPACED), st.text(max_size=3))).map(" ".join))
def test_a_text_cut_piece_by_piece_gives_what_one_pass_over_it_gives(text: str) -> None:
    whole = [module._scanned(tidy(text), keep_stop_words=keep) for keep in (False, True)]
    assert terms(text) == (whole[0] or whole[1])


def test_a_telephone_number_is_one_whatever_stands_between_its_groups() -> None:
    assert "13812345678" in terms("call 138 1234 5678") == terms("call 138\xa01234\xa05678")
    assert "8613812345678" in terms("call +86 138 1234 5678")


@given(TEXTS)
def test_question_and_text_are_cut_alike(text: str) -> None:
    assert set(query_terms(text)) == set(terms(text)) == set(term_counts(text))


@given(TEXTS)
def test_folding_a_text_first_changes_no_term_unless_its_humps_matter(text: str) -> None:
    assume(not HUMP.search(tidy(text)))
    assert terms(fold(text)) == terms(text)


@pytest.mark.parametrize(
    "text",
    ["ß0", "ẞ0", "#ß", ".ßx", "a#ß", "ß1.2", "http://aß/b", "ß://x", "ß\u0301", "x/İ.b", "İ0", "I\u03070", "straße12"],
)
def test_a_letter_that_is_two_in_lower_case_is_cut_as_the_two(text: str) -> None:
    assert terms(text) == terms(fold(text)) != []


def test_a_street_with_a_sharp_s_is_found_by_either_spelling() -> None:
    assert terms("STRASSE12") == terms("straße12") == ["strasse12", "strass", "12"]


@given(st.text("ßẞİaB0.#/:@'-\u0301\u0307 "))
def test_letters_that_grow_in_lower_case_change_no_term(text: str) -> None:
    assume(not HUMP.search(tidy(text)))
    assert terms(fold(text)) == terms(text)


@given(st.lists(st.sampled_from(["getUserName", "HTTPServer", "iPhone", "PR-4711", "GitHub"])).map(" ".join))
def test_folding_camel_case_first_loses_only_its_parts(text: str) -> None:
    assert set(terms(fold(text))) <= set(terms(text))


def test_no_letter_digit_or_emoji_vanishes() -> None:
    characters = (chr(code) for code in range(sys.maxunicode + 1))
    readable = [char for char in characters if any(map(str.isalnum, fold(char)))]
    assert len(readable) > 100_000
    assert [char for char in readable if not terms(char)] == []
    changed = [char for char in readable if terms(fold(char)) != terms(char)]
    assert [char for char in changed if not HUMP.search(tidy(char))] == []  # ㎑ is kHz
    assert all(terms(emoji) for emoji in "😀🚀❤☀⏰⭐✅🧠🥑")


@given(
    st.lists(st.sampled_from(["記憶體", "臺灣", "圖書館", "後來", "發現", "這個", "讀書", "abc", "，"])).map("".join)
)
def test_traditional_and_simplified_give_the_same_terms(text: str) -> None:
    assert terms(text) == terms(tidy(text))


SAMPLES = (
    "Caroline said she's moving to New York on 2023-05-08; see PR-4711, src/app/main.py and https://a.com/b?c=1.",
    "他来到了网易杭研大厦，讨論記憶體的設計，用Python3.11写API接口，电话138-0013-8000。",
    "コンピューターの本 책을 읽다 привет мир สวัสดี नमस्ते 😀🇨🇳 C++ C# .NET #12 user@host.com v1.2.3 1,000 HTTPServer",
    "Geologists added an interval of evenings; skis, internationally, emergencies. To be or not to be. 不是我的错",
    "你最喜欢什么颜色？他买了什锦菜。",
)


def test_a_stop_word_leaves_no_characters_behind() -> None:
    assert "什" not in terms("你最喜欢什么颜色")
    assert "什" in terms("他买了什锦菜")
    assert terms("什么") != []  # a text of nothing else keeps it


def _digest() -> str:
    return hashlib.sha256("\n".join(" ".join(terms(text)) for text in SAMPLES).encode()).hexdigest()[:16]


def test_a_change_of_the_cut_needs_a_new_analyzer_id() -> None:
    """When this fails and the change is wanted, raise ANALYZER_ID, for stores must be indexed anew."""
    assert (ANALYZER_ID, _digest()) == ("sb-3", "8b7f5e85d126c0d4")


def test_the_cut_does_not_depend_on_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    with_extras = _digest()
    monkeypatch.setattr(han, "_segmenter", han.PureSegmenter(han.jieba_folder()))
    monkeypatch.setattr(words, "_c_stemmer", lambda: None)
    for cached in (words._stemmer, words._remembered_chunk_terms, module._han_terms):
        cached.cache_clear()
    try:
        assert _digest() == with_extras
    finally:
        words._stemmer.cache_clear()


def test_a_c_stemmer_of_another_version_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("Stemmer")
    monkeypatch.setitem(words._PROBE, "added", "ad")
    assert words._c_stemmer() is None


def test_threads_may_cut_at_the_same_time() -> None:
    texts = [f"{sample} running{number} geologists" for sample in SAMPLES for number in range(50)]
    expected = [terms(text) for text in texts]
    words._remembered_chunk_terms.cache_clear()
    words._stemmer.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(terms, texts)) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    ["a", "1", "a.", "ab/", "1,", "1,111", ".", " ", "+1", "(1", "a://", "a'", "aB", "_", "😀", "カ", "한", "ก", "नम्",
     "a\u0301", '"a', "a?", "\n", "a@", "123 ", "\ud800", "\u200d", "的", "鸜", "他来到了网易杭研大厦。"],
)  # fmt: skip
def test_a_hundred_kilobytes_of_anything_take_linear_time(unit: str) -> None:
    size = 100_000 // len(unit.encode("utf-8", "surrogatepass"))
    text = (unit * size) + "!"
    began = time.process_time()
    terms(text)
    assert time.process_time() - began < 5  # quadratic time would be minutes


def test_a_megabyte_of_random_han_is_cut() -> None:
    chance = random.Random(1)
    text = "".join(
        chance.choices("的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生", k=333_000)
    )
    assert len(terms(text)) > 100_000


def test_a_question_drops_the_words_that_only_frame_it() -> None:
    assert asked_terms("Do you remember what I told you about Lisbon?") == query_terms("Lisbon")
    assert asked_terms("你还记得我们聊过里斯本吗") == query_terms("里斯本")
    assert asked_terms("What did we talk about?") == []
