"""Items in words, in the user's own language."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.model import TYPE_RULES
from smartbrain.policies.wording import headline, render_item
from smartbrain.text.sameness import same

TONE_ZH = {"scope": "writing", "name": "语气", "value": "简洁"}
TASK = {"project": "p", "task_id": "t1", "title": "Ship the MVP", "status": "doing", "due": "2026-02-01"}


@pytest.mark.parametrize(
    ("type_", "value", "language", "expected"),
    [
        ("preferences", TONE_ZH, "zh", "用户偏好 写作/语气：简洁"),
        (
            "preferences",
            {"scope": "writing", "name": "tone", "value": "concise"},
            "en",
            "Prefers (writing/tone): concise",
        ),
        ("preferences", {"scope": "other", "name": "no_emoji", "value": "No emoji!"}, "en", "Prefers: No emoji!"),
        ("tasks", TASK, "en", "[doing] Ship the MVP (due 2026-02-01)"),
        ("tasks", TASK, "zh-CN", "[进行中] Ship the MVP（截止 2026-02-01）"),
        ("tasks", {"task_id": "t1", "status": "done"}, "en", "[done] t1"),
        ("goals", {"project": "p", "name": "mvp", "description": "Ship"}, "en", "Ship"),
        ("decisions", {"topic": "db", "decision": "PG", "rationale": "ACID"}, "en", "db: PG (rationale: ACID)"),
        ("decisions", {"topic": "数据库", "decision": "用 PG"}, "zh", "数据库：用 PG"),
        (
            "profile",
            {"subject": "user", "facts": [{"k": "雇主", "v": "Acme", "since": "2024"}]},
            "zh",
            "用户：雇主：Acme（自 2024）",
        ),
        ("entities", {"kind": "repo", "name": "rag", "aliases": ["SR"]}, "en", "rag (repo): also known as: SR"),
        ("events", {"date": "2026-01-01", "title": "v1", "impact": "release"}, "en", "2026-01-01 v1 (release)"),
        ("cases", {"problem": "OOM", "solution": "more RAM"}, "en", "OOM → more RAM"),
        (
            "patterns",
            {"domain": "code", "name": "tests", "rule": "Always test"},
            "en",
            "Rule (code/tests): Always test",
        ),
        ("moods", {"name": "work", "good": True}, "en", "name: work; good: yes"),
        ("preferences", {"value": "olives", "polarity": "dislike"}, "en", "Dislikes: olives"),
        ("preferences", {"value": "olives", "polarity": "like"}, "en", "Prefers: olives"),
        ("preferences", {"value": "香菜", "polarity": "dislike"}, "zh", "用户不喜欢：香菜"),
        (
            "preferences",
            {"scope": "writing", "name": "emoji", "value": "emojis", "polarity": "dislike"},
            "en",
            "Dislikes (writing/emoji): emojis",
        ),
        ("profile", {"facts": [{"k": "employer", "v": None}]}, "en", "User: employer: no longer"),
        ("profile", {"facts": [{"k": "pet", "v": None, "was": "Rex"}]}, "en", "User: pet: no longer Rex"),
        ("profile", {"facts": [{"k": "diet", "v": None, "was": "吃素"}]}, "zh", "用户：饮食：已不再吃素"),
        ("profile", {"facts": [{"k": "home", "v": None}]}, "zh", "用户：住在：已不再"),
    ],
)
def test_a_headline_is_one_readable_line(type_: str, value: dict[str, Any], language: str, expected: str) -> None:
    assert headline(type_, value, language) == expected


def test_the_text_of_an_item_begins_with_its_type_and_key() -> None:
    first, second = render_item("preferences", "pref:writing:语气", TONE_ZH, "zh").split("\n")
    assert first == "[preferences:pref:writing:语气]"
    assert second == "用户偏好 写作/语气：简洁"


def test_a_task_shows_status_due_and_notes_on_lines_of_their_own() -> None:
    text = render_item("tasks", "task:p:t1", {**TASK, "notes": "first\nsecond"}, "en")
    assert text.split("\n") == [
        "[tasks:task:p:t1]",
        "Task (p): Ship the MVP",
        "status: doing",
        "due: 2026-02-01",
        "notes: first",
        "second",
    ]


def test_without_a_language_the_values_own_script_decides() -> None:
    assert headline("preferences", TONE_ZH, "") == "用户偏好 写作/语气：简洁"
    assert headline("preferences", {"value": "short"}, "") == "Prefers: short"


def test_the_users_words_are_never_translated() -> None:
    text = render_item("decisions", "decision:p:db", {"topic": "db", "decision": "Use PostgreSQL"}, "zh")
    assert "Use PostgreSQL" in text
    assert "决定" in text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(["preferences", "moods"]), JSON, st.sampled_from(["zh", "en", ""]))
def test_any_value_can_be_worded_and_always_in_the_same_words(type_: str, value: Any, language: str) -> None:
    text = render_item(type_, "k:v", {"value": value}, language)
    assert text == render_item(type_, "k:v", {"value": value}, language)
    assert text.startswith(f"[{type_}:k:v]")
    assert "\n" not in headline(type_, {"value": value}, language)


@pytest.mark.parametrize("type_", list(TYPE_RULES))
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_value_with_nothing_in_it_is_worded_without_an_error(type_: str, language: str) -> None:
    assert render_item(type_, "k", {}, language).startswith(f"[{type_}:k]")
    headline(type_, {}, language)


@given(st.text(max_size=30), st.text(max_size=30))
def test_sameness_is_symmetric_and_every_text_is_the_same_as_itself(one: str, other: str) -> None:
    assert same(one, one)
    assert same(one, other) == same(other, one)
    assert same({"v": [one]}, {"v": (one,)})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (2, "2"),
        (2.0, 2),
        (True, "true"),
        ("re-rank", "re rank"),
        ("簡潔", "简洁"),
        ("run a marathon", "Run the marathon."),
    ],
)
def test_what_only_looks_different_is_the_same(one: Any, other: Any) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("", "!"), ("a/b", "ab"), ("f()", "f"), ("12:30", "1230"), (None, "none"), ("vitamin A", "vitamin")],
)
def test_what_means_something_else_is_not_the_same(one: Any, other: Any) -> None:
    assert not same(one, other)


def test_every_slot_and_topic_of_the_key_scheme_reads_naturally() -> None:
    from smartbrain.extraction.lexicon import SLOTS, TOPICS

    for scope, names in SLOTS.items():
        for name in names:
            value = {"scope": scope, "name": name, "value": "甲"}
            assert not any(ch.isascii() and ch.isalpha() for ch in headline("preferences", value, "zh"))
            assert "_" not in headline("preferences", value, "en")
            assert name.replace("_", " ") in headline("preferences", value, "en")
    for name in TOPICS:
        value = {"topic": name, "decision": "甲"}
        assert not any(ch.isascii() and ch.isalpha() for ch in headline("decisions", value, "zh"))
        assert headline("decisions", value, "en") == f"{name}: 甲"


def test_a_name_of_the_callers_own_is_never_translated() -> None:
    mine = {"scope": "ui", "name": "my_theme", "value": "蓝"}
    assert headline("preferences", mine, "zh") == "用户偏好 界面/my_theme：蓝"
    decided = {"project": "database", "topic": "database", "decision": "用 PG"}
    assert headline("decisions", decided, "zh") == "database/数据库：用 PG"


def test_every_fact_and_relation_of_the_key_scheme_reads_naturally() -> None:
    from smartbrain.extraction.lexicon import FACTS, RELATIONS

    for name in FACTS:
        value = {"facts": [{"k": name, "v": "x"}]}
        assert f"{name.replace('_', ' ')}: x" in headline("profile", value, "en")
        assert not any(ch.isascii() and ch.isalpha() for ch in headline("profile", value, "zh").replace("x", ""))
    for name in RELATIONS:
        value = {"subject": f"user_{name}", "facts": [{"k": "role", "v": "医生"}]}
        assert headline("profile", value, "en").startswith(f"User's {name.replace('_', ' ')}: role")
        assert not any(ch.isascii() and ch.isalpha() for ch in headline("profile", value, "zh"))
    assert (
        headline("profile", {"subject": "bo_sister", "facts": [{"k": "role", "v": "vet"}]}, "en")
        == "Bo's sister: role: vet"
    )
    assert headline("profile", {"subject": "张伟", "facts": [{"k": "role", "v": "司机"}]}, "zh") == "张伟：职业：司机"
