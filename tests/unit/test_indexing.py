"""What the index is told of a message or an item."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.model import Message
from smartbrain.ports import FLAG_ASSISTANT, FLAG_DELETED, FLAG_HAN, FLAG_QUESTION, FLAG_TOOL
from smartbrain.stores.indexing import (
    SEGMENT_CHARS,
    Place,
    Placed,
    day_number,
    deleted_doc,
    is_question,
    item_doc,
    message_docs,
    message_flags,
    message_terms,
    message_words,
)
from smartbrain.testing.storage_values import EPOCH, make_item, said

NOWHERE = Place()


def placed(*messages: Message, place: Place = NOWHERE, first_ord: int = 0, next_segment: int = 0) -> Placed:
    return message_docs(messages, EPOCH, place=place, first_ord=first_ord, next_segment=next_segment, speaker=len)


@pytest.mark.parametrize(
    "text",
    [
        "Is it?",
        'He said "is it?"',
        "真的？",
        "你好吗",
        "他还没来呢。",
        "今天吃什么",
        "谁去买菜",
        "多少錢",
        "为什么不行。",
        "**why?** ",
    ],
)
def test_a_question_is_seen(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    ["", "It is.", "why", "几乎完成了", "哪怕下雨也去", "没什么", "什么都可以", "a?" + " " + "b" * 5, "x" * 300 + "?",
     "他昨天问了我一个关于为什么天空是蓝色的以及海水为什么是咸的而河水不是的问题"],
)  # fmt: skip
def test_a_statement_is_no_question(text: str) -> None:
    assert not is_question(text)


def test_a_speaker_is_among_the_words() -> None:
    assert set(message_terms(said("sails", name="Marco"))) == {"sail", "marco"}
    assert placed(said("x", name="Marco"), said("x")).docs[0].speaker == 5
    assert placed(said("x")).docs[0].speaker == 0


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"type": "image", "caption": "two cats"}, "two cats"),
        ({"type": "image", "alt": "a dog", "url": "https://a.example/b.png"}, "a dog"),
        ({"type": "image_url", "image_url": {"url": "https://a.example/b/cat.png?w=1#x"}}, "cat.png"),
        ({"type": "file", "file": {"filename": "C:\\docs\\plan.pdf", "data": "…"}}, "plan.pdf"),
        ({"type": "image", "url": "data:image/png;base64,AAAA"}, ""),
        ({"type": "audio"}, ""),
    ],
)
def test_media_without_text_is_found_by_caption_or_file_name(block: dict[str, Any], words: str) -> None:
    assert message_words(Message(role="user", content=[block])) == words
    assert message_words(Message(role="user", content="text", blocks=(block,))) == "text"


def test_a_message_without_words_has_a_document() -> None:
    (doc,) = placed(Message(role="assistant", content=None)).docs
    assert (dict(doc.terms), doc.length, doc.chars) == ({}, 0, 0)


def test_flags_tell_who_and_what() -> None:
    assert message_flags(Message(role="assistant", content="好吗")) == FLAG_ASSISTANT | FLAG_HAN | FLAG_QUESTION
    assert message_flags(Message(role="tool", content="ok")) == FLAG_TOOL
    assert message_flags(Message(role="function", content="ok")) == FLAG_TOOL
    assert message_flags(said("\ud800 豈 café")) == FLAG_HAN
    assert message_flags(said("\ud800 café ひらがな")) == 0


def test_a_message_follows_the_one_before() -> None:
    result = placed(said("a"), said("b"), place=Place(7, 3, 10), first_ord=20, next_segment=9)
    assert [doc.prev for doc in result.docs] == [7, 20]
    assert result.place == Place(21, 3, 12)
    assert result.next_segment == 9


def test_a_segment_ends_before_it_grows_too_long() -> None:
    half = "x" * (SEGMENT_CHARS // 2)
    result = placed(said(half), said(half), said("y"), said("z" * 9_999), said("w"))
    assert [doc.segment for doc in result.docs] == [0, 0, 1, 2, 3]
    assert result.next_segment == 4


@given(st.lists(st.integers(0, 6_000), max_size=30), st.data())
def test_segments_do_not_depend_on_where_turns_end(lengths: list[int], data: st.DataObject) -> None:
    messages = [Message(role="user", content="\n" * length) for length in lengths]
    whole = placed(*messages)
    cut = data.draw(st.integers(0, len(messages)))
    head = placed(*messages[:cut])
    tail = placed(*messages[cut:], place=head.place, first_ord=cut, next_segment=head.next_segment)
    assert head.docs + tail.docs == whole.docs
    assert (tail.place, tail.next_segment) == (whole.place, whole.next_segment)
    chars: dict[int, list[int]] = {}
    for doc in whole.docs:
        chars.setdefault(doc.segment, []).append(doc.chars)
    assert all(
        sum(sizes) <= SEGMENT_CHARS or [s > SEGMENT_CHARS for s in sizes].count(True) for sizes in chars.values()
    )


def test_the_day_is_that_of_the_place_where_it_was_said() -> None:
    east = timezone(timedelta(hours=8))
    assert day_number(datetime(1970, 1, 2, 0, 30, tzinfo=east)) == 1
    assert day_number(datetime(1970, 1, 1, 16, 30, tzinfo=UTC)) == 0
    assert day_number(datetime(1900, 1, 1, tzinfo=UTC)) == 0
    assert day_number(datetime(9999, 1, 1, tzinfo=UTC)) == 65_535


def test_a_message_has_its_own_day_if_it_has_one() -> None:
    own = said("x", created_at=EPOCH + timedelta(days=2))
    first, second = placed(own, said("y")).docs
    assert first.day == second.day + 2 == day_number(EPOCH) + 2


def test_an_item_stands_alone() -> None:
    doc = item_doc(make_item(text="[preferences:k] 喜欢 tea"), 5)
    assert (doc.prev, doc.segment, doc.speaker, doc.flags) == (-1, 5, 0, FLAG_HAN)
    assert doc.terms["tea"] == 1
    assert doc.length == sum(doc.terms.values())


def test_a_deleted_place_holds_nothing() -> None:
    doc = deleted_doc()
    assert (dict(doc.terms), doc.length, doc.flags) == ({}, 0, FLAG_DELETED)
