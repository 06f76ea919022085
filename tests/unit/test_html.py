"""What a notebook shows of a package."""

from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from smartbrain.contracts.context import (
    SLOTS,
    Constraints,
    ContextDebug,
    ContextEvidence,
    ContextPackage,
    RecentMessage,
    Selected,
    SystemBlock,
    TokenBudget,
    Trace,
    Truncation,
    UserMessage,
)
from smartbrain.contracts.evidence import Dropped, Provenance
from smartbrain.model import Message

NOW = datetime(2024, 3, 5, tzinfo=UTC)
TAGS = {"div", "span", "b", "details", "summary", "table", "tr", "th", "td", "ul", "li"}


class Reader(HTMLParser):
    """Collects tags, attributes and text, and checks that what is opened is closed."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.words = ""
        self.open: list[str] = []
        self.feed(markup)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def package(text: str = "hello", copies: int = 1, **fields: Any) -> ContextPackage:
    evidence = ContextEvidence(
        id="e1",
        source="memory",
        source_uri=text,
        title=text,
        snippet=text,
        mode="exact",
        score=0.5,
        provenance=Provenance(mode="exact"),
    )
    return ContextPackage(
        **{
            "context_id": text,
            "session_id": text,
            "created_at": NOW,
            "system_blocks": (SystemBlock(type="other", text=text),) * copies,
            "recent_turns": (RecentMessage(turn_id="t", message=Message(role="user", content=text)),) * copies,
            "evidence": (evidence,) * copies,
            "user_message": UserMessage(content=text),
            "constraints": Constraints(
                token_budget=TokenBudget(limit=200, used_estimate=50, by_slot={"evidence": 50}, counter=text),
                truncation=Truncation(snippets_max_chars=1, recent_turns_max=1),
            ),
            "debug": ContextDebug(
                trace=Trace(request_id="r", plan_id="p", context_id="c"),
                why_selected=(Selected(id="e1", score=0.5, source="memory", mode="exact", reason=text),) * copies,
                dropped=(Dropped(id="e2", reason="duplicate", detail=text),) * copies,
                warnings=(text,),
            ),
            **fields,
        }
    )


def test_it_shows_slots_tokens_reasons_and_what_was_left_out() -> None:
    markup = package()._repr_html_()
    words = Reader(markup).words
    assert all(slot in words for slot in SLOTS)
    assert "50 of 200 tokens" in words
    assert all(part in words for part in ("Why selected", "Dropped", "e2", "duplicate", "Warnings"))
    assert "width:25.0%" in markup
    assert "working_summary empty" in words


def test_remembered_text_cannot_become_markup() -> None:
    attack = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'><a href='javascript:x'>&amp;</details>"
    reader = Reader(package(attack)._repr_html_())
    assert set(reader.tags) <= TAGS
    assert reader.attributes <= {"style", "open"}
    assert "<script>alert(1)</script>" in reader.words


def test_it_loads_nothing_from_outside() -> None:
    markup = package()._repr_html_()
    assert not any(part in markup for part in ("http", "url(", "src=", "href=", "@import", "<style"))


def test_a_package_without_anything_is_shown_too() -> None:
    reader = Reader(package(system_blocks=(), recent_turns=(), evidence=(), user_message=UserMessage())._repr_html_())
    assert "user_message empty" in reader.words


def test_long_texts_and_lists_are_cut_in_the_view() -> None:
    markup = package("x" * 50_000, copies=500)._repr_html_()
    assert "(50000 characters)" in markup
    assert markup.count("and 400 more") == 5


@given(st.text(st.characters(exclude_categories=()), min_size=1).filter(str.strip))
def test_any_text_gives_whole_markup_that_can_be_encoded(text: str) -> None:
    markup = package(text)._repr_html_()
    markup.encode()
    assert set(Reader(markup).tags) <= TAGS
    assert "\x00" not in markup
