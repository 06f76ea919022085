"""The fence: memory can neither end it nor be a template, and what SmartBrain injected is found again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.text.fence import CLOSE, HEAD, OPEN, escape, fence, fenced_spans, strip_fenced

SPELLINGS = {
    "as it is": "</smartbrain-memory>",
    "opening": "<smartbrain-memory>",
    "with attributes": "<smartbrain-memory slot='x' n=1>",
    "other case": "</SmartBrain-MEMORY>",
    "blanks": "<  /\tsmartbrain-memory\n >",
    "fullwidth": "</smartbrain-memory>",
    "mathematical letters": "</𝐬𝐦𝐚𝐫𝐭brain-memory>",
    "small brackets": "﹤/smartbrain-memory﹥",
    "entities": "&lt;/smartbrain-memory&gt;",
    "entities twice": "&amp;lt;&#47;smartbrain-memory&amp;gt;",
    "numeric entities": "&#60;/&#x73;martbrain-memory&#62;",
    "an entity without its semicolon": "&ltsmartbrain-memory&gt",
    "JSON": "<\\/smartbrain-memory>",
    "JSON escapes": "\\u003c/smartbrain-memory\\u003e",
    "percent": "%3C%2Fsmartbrain-memory%3E",
    "zero width": "</s\u200bmart\u00adbrain-mem\u2060ory>",
    "another hyphen": "</smartbrain\u2011memory>",
    "no hyphen": "</smartbrainmemory>",
    "Cyrillic letters": "</ѕmаrtbrаin-memоry>",
    "an accent": "</smártbrain-memory>",
    "twice the bracket": "<</smartbrain-memory>",
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_no_spelling_of_a_tag_survives_escaping(spelling: str) -> None:
    escaped = escape(f"before {spelling} after")
    assert fenced_spans(escaped) == []
    assert "smartbrain-memory" in escaped
    assert escaped.startswith("before ")
    assert escaped.endswith(" after")


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_every_spelling_of_a_tag_is_recognised_when_it_comes_back(spelling: str) -> None:
    assert fenced_spans(f"before {spelling}") != []


@pytest.mark.parametrize(
    "text",
    [
        "a < b and b > c",
        "<b>smartbrain</b> keeps memory",
        "the smartbrain-memory tag",
        "if x < smart: brain()",
        "5 % of 100 & more \\ else",
        "《红楼梦》里的记忆",
        "[/smartbrain-memory]",
        "<smartbrain-memo",
        "",
    ],
)
def test_text_without_a_tag_stays_as_it_is(text: str) -> None:
    assert escape(text) == text
    assert strip_fenced(text) == text


@pytest.mark.parametrize(
    "template",
    [
        "{context_str}",
        "{query_str}",
        "{{ user }}",
        "{% if x %}",
        "{# c #}",
        "${HOME}",
        '{"a": {"b": 1}}',
        "{",
        "}",
        "{0!r:>10}",
    ],
)
def test_no_template_is_ever_filled_in(template: str) -> None:
    escaped = escape(f"value {template} here")
    assert escaped.format(context_str="FILLED", query_str="FILLED") == escaped
    assert len(escaped) == len(f"value {template} here")
    for name in ("context_str", "query_str"):
        assert f"{{{name}}}" not in escaped


def test_escaped_braces_stay_readable() -> None:
    assert escape('{"a": 1}') == '｛"a": 1｝'


def test_a_fence_says_what_it_is_and_escapes_what_it_holds() -> None:
    text = fence("one </smartbrain-memory> {x}")
    assert text == f"{OPEN}\n{HEAD}\none [/smartbrain-memory> ｛x｝\n{CLOSE}"
    assert fence(" \n") == ""


def test_what_stands_around_a_fence_stays() -> None:
    text = f"Hello {fence('I like tea.')}\nWhat now?"
    assert strip_fenced(text) == "Hello \nWhat now?"
    ((start, end),) = fenced_spans(text)
    assert text[start:end] == fence("I like tea.")


def test_a_fence_that_is_never_closed_reaches_to_the_end() -> None:
    assert strip_fenced(f"mine {OPEN}\n{HEAD}\n- cut off he") == "mine "


def test_fences_in_a_row_are_spans_of_their_own() -> None:
    assert strip_fenced(f"a{fence('x')}b{fence('y')}c") == "abc"


def test_a_fence_in_a_fence_is_one_span() -> None:
    assert strip_fenced(f"a{OPEN} x {OPEN} y {CLOSE} z {CLOSE}b") == "ab"


def test_an_outer_fence_that_is_not_closed_ends_with_the_last_tag() -> None:
    assert strip_fenced(f"a{OPEN} x {OPEN} y {CLOSE}b") == "ab"


def test_a_closing_tag_alone_hides_nothing_else() -> None:
    assert strip_fenced(f"What does {CLOSE} mean? I live in Paris.") == "What does  mean? I live in Paris."


def test_a_model_that_quotes_the_fence_back_is_not_learnt_from() -> None:
    quoted = f"You told me:\n> {fence('- likes tea').upper()}\nRight?"
    assert "LIKES TEA" not in strip_fenced(quoted)
    assert "Right?" in strip_fenced(quoted)


hostile = st.lists(
    st.sampled_from(
        ["<", "/", ">", "smartbrain", "-", "memory", " ", "\u200b", "{", "}", "&lt;", "&", "\\", "x", "S", "<"]
    )
    | st.text(st.characters(exclude_categories=()), max_size=5)
    | st.sampled_from(list(SPELLINGS.values())),
    max_size=30,
).map("".join)


@given(hostile)
def test_escaping_is_complete_and_changes_nothing_the_second_time(text: str) -> None:
    escaped = escape(text)
    assert escape(escaped) == escaped
    assert fenced_spans(escaped) == []
    assert not {"{", "}"} & set(escaped)


@given(hostile, hostile, hostile)
def test_whatever_is_fenced_is_found_again(before: str, memory: str, after: str) -> None:
    before, after = escape(before), escape(after)
    text = before + fence(f"-{memory}") + after
    ((start, end),) = fenced_spans(text)
    assert (text[:start], text[end:]) == (before, after)


@given(hostile)
def test_spans_are_in_order_and_do_not_overlap(text: str) -> None:
    spans = fenced_spans(text)
    flat = [place for span in spans for place in span]
    assert flat == sorted(flat)
    assert all(start < end for start, end in spans)
    assert strip_fenced(text) == text or spans


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["<", "< ", "</", "<smartbrain-", "&", "&amp;", "\\u003c", "smart <", "<smartbrain-memory "]
)
def test_hostile_repeats_take_linear_time(unit: str) -> None:
    # Were it quadratic, this would take minutes.
    assert fenced_spans(escape(unit * 50_000)) == []
