"""Finding the names of entities in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.memory_types import HISTORY_LIMIT, build_entity
from smartbrain.policies.entities import find_mentions, names_of


def found(text: str, *names: str) -> list[str]:
    return [hit.surface for hit in find_mentions(text, [("k", names)])]


@pytest.mark.parametrize(
    ("text", "name", "surface"),
    [
        ("Ask Li Ming today", "li ming", "Ask Li Ming today"[4:11]),
        ("请问李明在吗", "李明", "李明"),
        ("用Go语言写", "Go", "Go"),
        ("deploy ＳｍａｒｔＲＡＧ now", "smartrag", "ＳｍａｒｔＲＡＧ"),
        ("臺灣的專案", "台湾", "臺灣"),
        ("Straße 5", "STRASSE", "Straße"),
        ("see https://a.example/x.", "https://a.example/x", "https://a.example/x"),
    ],
)
def test_a_name_is_found_whatever_its_case_width_or_script_variant(text: str, name: str, surface: str) -> None:
    assert found(text, name) == [surface]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Going home", "Go"),
        ("cargo", "go"),
        ("my_go", "go"),
        ("C++ is hard", "C"),
        ("F++", "F+"),
        ("明天", "明"),
        ("", "x1"),
    ],
)
def test_a_part_of_a_word_and_a_single_character_are_no_mention(text: str, name: str) -> None:
    assert found(text, name) == []


def test_the_longest_name_wins_and_mentions_do_not_overlap() -> None:
    hits = find_mentions("the smart rag server, smart rag", [("short", ["smart rag"]), ("long", ["smart rag server"])])
    assert [(hit.key, hit.start, hit.end) for hit in hits] == [("long", 4, 20), ("short", 22, 31)]


def test_two_entities_of_one_name_are_both_found() -> None:
    assert [hit.key for hit in find_mentions("李明来了", [("a", ["李明"]), ("b", ["李明"])])] == ["a", "b"]


def test_of_many_names_the_one_that_stands_in_a_text_is_found() -> None:
    assert found("I had lunch with Li Ming today", "Ann", "Li Ming", "王五") == ["Li Ming"]
    assert found("I had lunch with somebody else today", "Ann", "Li Ming", "王五") == []


def test_the_names_of_an_entity_come_once_each() -> None:
    value = {"name": "Li Ming", "canonical": "li ming", "aliases": ["李明", "LI MING", ""]}
    assert names_of(value) == ["Li Ming", "李明"]


def test_the_history_of_an_entity_is_bounded() -> None:
    value = {"name": "x", "attrs": {"n": -1}}
    for n in range(HISTORY_LIMIT + 5):
        value = build_entity(value, {"name": "x", "attrs": {"n": n}})
    assert len(value["history"]) == HISTORY_LIMIT
    assert value["history"][-1] == {"k": "n", "v": HISTORY_LIMIT + 3}


NAMES = st.lists(st.text("ab李明 ßİ", min_size=1, max_size=5), max_size=6)


@given(st.text("ab李明 ßİ.+", max_size=40), NAMES)
def test_every_mention_is_a_span_of_the_text_in_order(text: str, names: list[str]) -> None:
    end = 0
    for hit in find_mentions(text, [(name, [name]) for name in dict.fromkeys(names)]):
        assert text[hit.start : hit.end] == hit.surface
        assert hit.start >= end or hit.end == end
        end = hit.end
