"""Patterns that are quick to search for: they find what they always did, where they always did."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.extraction import rules_en, rules_zh
from smartbrain.extraction._en_clauses import _joint
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._zh_text import ZH
from smartbrain.extraction.literals import Sifter
from smartbrain.extraction.starts import searched
from smartbrain.extraction.tables import Table

PATTERNS = sorted({(one.pattern, one.flags) for one in (make() for make in (*ZH._makers, *EN._makers))})
WORDS = "i|I'm|我|妈|住|在|以后|请|用|not|never|we|decided|to,|.|?|!|\n|-|12|K|\u212a|ſ|İ|😀|always|my| "


def finds(pattern: re.Pattern[str], text: str) -> list[tuple[tuple[int, int], dict[str, str]]]:
    return [(match.span(), match.groupdict()) for match in pattern.finditer(text)]


def test_most_patterns_of_both_languages_have_a_known_start() -> None:
    assert rules_en.find is not rules_zh.find
    known = [pattern for pattern, flags in PATTERNS if searched(pattern, flags).pattern != pattern]
    assert len(known) > 0.8 * len(PATTERNS)


@given(st.data(), st.sampled_from(PATTERNS))
def test_a_pattern_finds_the_same_with_its_start_in_front(data: st.DataObject, one: tuple[str, int]) -> None:
    pattern, flags = one
    plain = re.compile(pattern, flags)
    text = "".join(
        data.draw(st.lists(st.one_of(st.sampled_from(WORDS.split("|")), st.just(" "), st.text(max_size=3)), max_size=8))
    )
    with suppress(ValueError, NotImplementedError):  # a look-around that cannot be drawn from
        text += data.draw(st.from_regex(plain))
    assert finds(searched(pattern, flags), text) == finds(plain, text)


@pytest.mark.parametrize(
    ("pattern", "flags", "text"),
    [
        (r"(?i)ab|cd", 0, "xCD"),
        (r"(?i:kilo)|x", 0, "\u212aILO"),
        ("kilo", re.IGNORECASE, "\u212aILO"),
        ("a b # not c\n", re.VERBOSE, "xab"),
        (r"x*(?<=a)b", 0, "ab"),
        (r"(?:x|)y?z", 0, "z"),
        (r"\d+岁|\s[\w-]", 0, "３岁 -"),
        (r"[]^-]a|[\[]b", 0, "^a]a-a[b"),
        (r"(?P<a>a)(?P=a)|(b)?(?(2)c|d)", 0, "aabcd"),
        (r"(?>ab|a)c|d++e", 0, "abcdde"),
        (r"[^a]b|.c", 0, "cb\nxc"),
        (r"[\u3400-\u9fff]x", 0, "我x"),
        ("", 0, "ab"),
    ],
)
def test_every_way_to_begin_is_let_through(pattern: str, flags: int, text: str) -> None:
    plain = re.compile(pattern, flags)
    assert plain.search(text)
    assert [match.span() for match in searched(pattern, flags).finditer(text)] == [
        match.span() for match in plain.finditer(text)
    ]


def test_where_clauses_are_joined_only_a_few_characters_are_looked_at() -> None:
    assert _joint().pattern.startswith("(?=[")


def test_of_a_table_only_the_rows_that_may_match_are_tried_and_in_order() -> None:
    sifter = Sifter(range(3, 4))
    table = Table(sifter, [("drink", "(?P<v>coffee|tea) please"), ("any", ".*"), ("food", "bread|Salt")])
    assert [told for told, _ in table.within("no SALT in my coffee")] == ["any", "food"]
    assert next(told for told, _ in table.within("tea please")) == "drink"
    assert all(pattern.flags & re.IGNORECASE for _, pattern in table.within("tea please"))
