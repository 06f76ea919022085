"""Composing: never over the limit, tool groups whole, the newest turns, and a reason for all that is left out."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import CompositionPolicy
from smartbrain.contracts.context import (
    SLOTS,
    BlockSource,
    ContextPackage,
    DeveloperBlock,
    SystemBlock,
    UserMessage,
)
from smartbrain.contracts.evidence import Dropped, Evidence, EvidenceRef, Provenance, Signals
from smartbrain.contracts.plan import Query, RetrievalPlan
from smartbrain.contracts.rendering import volatile_text
from smartbrain.model import Message, Scope, ToolCall, Turn
from smartbrain.policies.composition import Ingredients, compose
from smartbrain.policies.evidence_slot import _stands_in
from smartbrain.policies.shortening import cut_end, cut_middle, cut_snippet, longest
from smartbrain.policies.toolgroups import segments
from smartbrain.text.tokens import HeuristicTokenCounter, count_messages

NOW = datetime(2024, 3, 5, tzinfo=UTC)
POLICY = CompositionPolicy()


class Characters:
    """Four characters are a token."""

    name = "characters"

    def count(self, text: str) -> int:
        return (len(text) + 3) // 4


class PerText:
    """Every text costs the same."""

    name = "per text"

    def count(self, text: str) -> int:
        return 30


class Growing:
    """A whole costs more than its parts, which no piece-wise count can see."""

    name = "growing"

    def count(self, text: str) -> int:
        return int(len(text) ** 1.2)


COUNTERS = [Characters(), HeuristicTokenCounter(), PerText(), Growing()]


def turn(number: int, *messages: Message, **fields: Any) -> Turn:
    said = messages or (
        Message(id=f"u{number}", role="user", content=f"question {number}"),
        Message(id=f"a{number}", role="assistant", content=f"answer {number}"),
    )
    at = NOW + timedelta(hours=number)
    return Turn(
        session_id="s",
        turn_id=f"t{number}",
        scope=Scope("d", "global", "g"),
        seq=number,
        messages=said,
        occurred_at=at,
        recorded_at=at,
        **fields,
    )


def evidence(name: str, snippet: str = "a fact", score: float = 0.5, **fields: Any) -> Evidence:
    values: dict[str, Any] = {
        "kind": "memory_chunk",
        "source_uri": f"smartbrain://memory/{name}",
        "trust": "user",
        "signals": Signals(score=score),
        "provenance": Provenance(mode="hybrid"),
    }
    return Evidence(id=name, snippet=snippet, **{**values, **fields})


def ingredients(**fields: Any) -> Ingredients:
    values: dict[str, Any] = {
        "session_id": "s",
        "context_id": "ctx",
        "request_id": "r",
        "created_at": NOW,
        "as_of": None,
        "plan": RetrievalPlan(plan_id="p", queries=(Query(text="q"),)),
        "system_blocks": (),
        "developer_blocks": (),
        "summary": None,
        "turns": (),
        "evidence": (),
        "user_message": UserMessage(content="What now?"),
    }
    return Ingredients(**{**values, **fields})


def composed(limit: int = 8192, policy: CompositionPolicy = POLICY, **fields: Any) -> ContextPackage:
    return compose(ingredients(**fields), policy, Characters(), token_limit=limit)


def shown_turns(package: ContextPackage) -> list[str]:
    return list(dict.fromkeys(message.turn_id for message in package.recent_turns))


def reasons(package: ContextPackage) -> dict[str, str]:
    return {dropped.id: dropped.reason for dropped in package.debug.dropped}


def call(number: int, *ids: str, text: str | None = None) -> Message:
    calls = tuple(ToolCall(id=name, name="f", args={"n": number}) for name in ids)
    return Message(id=f"c{number}", role="assistant", content=text, tool_calls=calls)


def result(name: str, text: str = "done") -> Message:
    return Message(id=f"r-{name}", role="tool", tool_call_id=name, content=text)


def user(number: int, text: str = "do it") -> Message:
    return Message(id=f"u{number}", role="user", content=text)


def answer(number: int, text: str = "it is done") -> Message:
    return Message(id=f"a{number}", role="assistant", content=text)


def check_order(messages: list[dict[str, Any]]) -> None:
    """What OpenAI, Anthropic and Gemini all ask of a request."""
    pending: list[str] = []
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            assert message["tool_call_id"] in pending, "a result without its call"
            pending.remove(message["tool_call_id"])
            continue
        assert not pending, "a call without its result"
        assert message["role"] != "system" or place in {0, len(messages) - 1, len(messages) - 2}
        pending = [c["id"] for c in message.get("tool_calls", ())]
    assert not pending, "a call without its result"


# --- the budget ---------------------------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=()), max_size=60)
huge = st.builds(lambda text, times: text * times, texts, st.sampled_from([1, 1, 1, 20, 400]))
blocks = st.lists(
    st.one_of(
        st.builds(lambda text: {"type": "text", "text": text}, huge),
        st.just({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}),
        st.builds(lambda text: {"type": "odd", "data": {"deep": [text, None]}}, huge),
        st.just({"type": "text"}),
    ),
    max_size=4,
)
contents = st.one_of(st.none(), huge, blocks)
names = st.sampled_from(["c1", "c2", "c3"])
messages_of_a_turn = st.lists(
    st.one_of(
        st.builds(lambda content: Message(role="user", content=content), contents),
        st.builds(lambda content: Message(role="assistant", content=content), contents),
        st.builds(lambda content: Message(role="system", content=content), contents),
        st.builds(
            lambda content, ids: Message(
                role="assistant", content=content, tool_calls=tuple(ToolCall(id=i, name="f") for i in ids)
            ),
            contents,
            st.lists(names, min_size=1, max_size=3, unique=True),
        ),
        st.builds(lambda content, name: Message(role="tool", content=content, tool_call_id=name), contents, names),
        st.builds(lambda text: Message(role="function", content=text, name="f"), huge),
    ),
    max_size=8,
)


@st.composite
def histories(draw: st.DrawFn) -> list[Turn]:
    turns = []
    for number, messages in enumerate(draw(st.lists(messages_of_a_turn, max_size=5)), 1):
        named = [message.model_copy(update={"id": f"{number}.{n}"}) for n, message in enumerate(messages)]
        recorded = draw(st.lists(names, max_size=1))
        calls = tuple(ToolCall(id=name, name="f", result={"ok": True}) for name in recorded)
        turns.append(turn(number, *(named or [user(number)]), tool_calls=calls))
    return turns


@st.composite
def evidences(draw: st.DrawFn) -> list[Evidence]:
    return [
        evidence(
            f"e{draw(st.integers(0, 9))}",
            draw(huge),
            draw(st.floats(0, 1)),
            title=draw(huge),
            stale=draw(st.booleans()),
            ref=EvidenceRef(
                session_id=draw(st.sampled_from([None, "s", "other"])),
                turn_id=draw(st.sampled_from([None, "t1", "t2", "t5"])),
                message_id=draw(st.sampled_from([None, "1.0", "2.1"])),
            ),
        )
        for _ in range(draw(st.integers(0, 8)))
    ]


@st.composite
def anything(draw: st.DrawFn) -> Ingredients:
    filled = huge.filter(str.strip)
    return ingredients(
        system_blocks=[SystemBlock(type="other", text=draw(filled)) for _ in range(draw(st.integers(0, 3)))],
        developer_blocks=[DeveloperBlock(text=draw(filled)) for _ in range(draw(st.integers(0, 2)))],
        summary=draw(st.none() | huge),
        turns=draw(histories()),
        evidence=draw(evidences()),
        user_message=UserMessage(content=draw(contents)),
        main_terms=draw(st.lists(texts, max_size=2)),
    )


limits = st.one_of(st.integers(64, 600), st.integers(600, 9000), st.sampled_from([20_000, 200_000]))


@given(anything(), limits, st.sampled_from(COUNTERS))
def test_the_limit_holds_for_any_history_and_any_counter(given_: Ingredients, limit: int, counter: Any) -> None:
    package = compose(given_, POLICY, counter, token_limit=limit)
    budget = package.constraints.token_budget
    rendered = package.to_messages()
    assert budget.used_estimate == (count_messages(counter, rendered) if rendered else 0) <= limit
    assert sum(budget.by_slot.values()) == budget.used_estimate
    assert list(budget.by_slot) == list(SLOTS)
    assert min(budget.by_slot.values()) >= 0
    assert (budget.limit, budget.counter) == (limit, counter.name)


@given(anything(), limits)
def test_the_order_of_messages_is_valid_for_every_provider(given_: Ingredients, limit: int) -> None:
    package = compose(given_, POLICY, Characters(), token_limit=limit)
    check_order(package.to_messages())
    check_order(package.to_messages("user"))


@given(anything(), limits)
def test_recent_turns_are_the_newest_and_only_the_oldest_shown_is_cut(given_: Ingredients, limit: int) -> None:
    package = compose(given_, POLICY, Characters(), token_limit=limit)
    sayable = [t for t in given_.turns if segments(t)[0]]
    shown = shown_turns(package)
    assert shown == [t.turn_id for t in sayable[len(sayable) - len(shown) :]]
    for one in sayable[len(sayable) - len(shown) + 1 :]:
        whole = [m for segment in segments(one)[0] for m in segment.messages]
        assert [m.message for m in package.recent_turns if m.turn_id == one.turn_id] == whole


@given(anything(), limits)
def test_every_piece_of_evidence_is_shown_or_dropped_with_a_reason(given_: Ingredients, limit: int) -> None:
    package = compose(given_, POLICY, Characters(), token_limit=limit)
    known = {e.id for e in package.evidence} | {d.id for d in package.debug.dropped}
    assert {e.id for e in given_.evidence} <= known
    assert [s.id for s in package.debug.why_selected] == [e.id for e in package.evidence]
    assert all(len(e.snippet) <= POLICY.max_snippet_chars for e in package.evidence)


@given(anything(), limits)
def test_nothing_is_lost_from_both_evidence_and_recent_turns(given_: Ingredients, limit: int) -> None:
    package = compose(given_, POLICY, Characters(), token_limit=limit)
    shown = set(shown_turns(package))
    twice = {d.id for d in package.debug.dropped if d.detail == "stands in the recent turns"}
    for piece in given_.evidence:
        if piece.id in twice and piece.id not in {e.id for e in package.evidence}:
            same = [e for e in given_.evidence if e.id == piece.id]
            assert any(e.ref.turn_id in shown for e in same)


@given(anything(), limits)
def test_composing_twice_gives_the_same_package(given_: Ingredients, limit: int) -> None:
    first, second = (compose(given_, POLICY, Characters(), token_limit=limit) for _ in range(2))
    assert first == second
    assert ContextPackage.read(first.to_json()) == (first, [])


@pytest.mark.parametrize("counter", COUNTERS, ids=lambda counter: counter.name)
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 64, 200_000])
def test_even_an_absurd_limit_is_kept(counter: Any, limit: int) -> None:
    given_ = ingredients(
        turns=[turn(1)], evidence=[evidence("e")], summary="long " * 99, user_message=UserMessage(content="x " * 9999)
    )
    assert compose(given_, POLICY, counter, token_limit=limit).constraints.token_budget.used_estimate <= limit


# --- the user message and the application's rules -----------------------------------------------------------------


def test_a_user_message_over_the_limit_loses_its_middle_and_that_is_said() -> None:
    package = composed(limit=100, user_message=UserMessage(content="HEAD " + "x" * 5000 + " TAIL"))
    content = package.user_message.content
    assert isinstance(content, str)
    assert content.startswith("HEAD ")
    assert content.endswith(" TAIL")
    assert "characters left out" in content
    assert any("user message" in warning for warning in package.debug.warnings)
    assert package.constraints.token_budget.used_estimate > 90


def test_text_blocks_are_shortened_before_media_are_touched() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    content = [{"type": "text", "text": "long " * 3000}, image]
    kept = composed(limit=1000, user_message=UserMessage(content=content))
    assert kept.user_message.content[1] == image  # type: ignore[index]
    assert len(kept.user_message.content[0]["text"]) < 1500  # type: ignore[index]
    marked = composed(limit=100, user_message=UserMessage(content=content))
    assert marked.user_message.content[1] == {"type": "text", "text": "[image left out]"}  # type: ignore[index]
    assert "media" in marked.debug.warnings[0]


def test_a_user_message_that_fits_is_not_touched() -> None:
    content = [{"type": "text", "text": "look"}, {"type": "image", "url": "x"}]
    assert composed(user_message=UserMessage(content=content)).user_message.content == content


def test_developer_blocks_come_before_memory_and_are_dropped_whole_with_a_warning() -> None:
    rules = [DeveloperBlock(text="rule " * 20), DeveloperBlock(type="safety_rules", text="no " * 900)]
    package = composed(limit=100, developer_blocks=rules, turns=[turn(n) for n in range(1, 9)], summary="s " * 500)
    assert [block.text for block in package.developer_blocks] == ["rule " * 20]
    assert reasons(package)["developer_blocks[1]"] == "budget"
    assert any("safety_rules" in warning for warning in package.debug.warnings)


# --- priorities ---------------------------------------------------------------------------------------------------


def test_with_little_room_the_slots_are_given_up_in_order_of_priority() -> None:
    everything: dict[str, Any] = {
        "system_blocks": [SystemBlock(type="goals", text="ship " * 20)],
        "evidence": [evidence("best", "best " * 30, 0.9), *(evidence(f"tail{n}", "tail " * 30) for n in range(8))],
        "summary": "summary " * 30,
        "turns": [turn(n, user(n, "question " * 10), answer(n, "answer " * 10)) for n in range(1, 9)],
    }
    last: dict[str, bool] = {}
    for limit in range(64, 1500, 8):
        package = composed(limit=limit, **everything)
        now = {
            "system": bool(package.system_blocks),
            "best": "best" in {e.id for e in package.evidence},
            "summary": bool(package.working_summary),
            "all turns": len(shown_turns(package)) == 8,
            "tail": len(package.evidence) > 1,
        }
        assert sorted(now.values(), reverse=True) == list(now.values()) or limit < 200, (limit, now)
        last = now
    assert all(last.values())


def test_one_piece_that_covers_the_main_term_is_in_even_when_the_tail_is_not() -> None:
    ranked = [*(evidence(f"e{n}", "other words " * 20) for n in range(6)), evidence("cover", "the Kafka topic " * 10)]
    package = composed(limit=270, evidence=ranked, main_terms=["kafka"], turns=[turn(n) for n in range(1, 9)])
    assert [e.id for e in package.evidence] == ["e0", "cover"]
    assert package.debug.why_selected[1].reason.startswith("covers what was asked about")


def test_a_short_term_inside_another_word_does_not_cover() -> None:
    ranked = [evidence("no", "Mumbai aid, he said " * 10), evidence("yes", "the AI plan " * 15), evidence("x")]
    package = composed(limit=220, evidence=ranked, main_terms=["ai"])
    assert package.debug.why_selected[1].reason.startswith("covers")
    chinese = composed(evidence=[evidence("a"), evidence("b"), evidence("c", "把AI部署好")], main_terms=["ai"])
    assert chinese.debug.why_selected[2].reason.startswith("covers")


def test_the_best_evidence_is_shortened_rather_than_lost() -> None:
    package = composed(limit=120, evidence=[evidence("e", "word " * 150)])
    assert len(package.evidence) == 1
    assert 40 <= len(package.evidence[0].snippet) < 300


def test_evidence_in_the_recent_turns_shown_is_a_duplicate() -> None:
    turns = [turn(n) for n in range(1, 5)]
    pieces = [
        evidence("message", ref=EvidenceRef(session_id="s", turn_id="t4", message_id="u4")),
        evidence("whole turn", ref=EvidenceRef(turn_id="t3")),
        evidence("other session", ref=EvidenceRef(session_id="x", turn_id="t4", message_id="u4")),
        evidence("older", ref=EvidenceRef(session_id="s", turn_id="t0")),
    ]
    package = composed(turns=turns, evidence=pieces)
    assert [e.id for e in package.evidence] == ["other session", "older"]
    assert reasons(package) == {"message": "duplicate", "whole turn": "duplicate"}


def test_evidence_stays_when_its_turn_did_not_fit() -> None:
    turns = [turn(1, user(1, "long " * 900)), turn(2)]
    piece = evidence("e", "long long", ref=EvidenceRef(session_id="s", turn_id="t1", message_id="u1"))
    package = composed(limit=400, turns=turns, evidence=[piece])
    assert shown_turns(package) == ["t2"]
    assert [e.id for e in package.evidence] == ["e"]


def test_the_next_best_takes_the_place_of_evidence_that_stands_in_the_window() -> None:
    turns = [turn(n, user(n, "words " * 30), answer(n, "words " * 30)) for n in range(1, 9)]
    twice = evidence("twice", "words " * 30, 0.9, ref=EvidenceRef(session_id="s", turn_id="t8", message_id="u8"))
    package = composed(limit=400, turns=turns, evidence=[twice, evidence("next", "needed " * 20, 0.8)])
    assert [e.id for e in package.evidence] == ["next"]
    assert "t8" in shown_turns(package)


def test_evidence_of_a_pinned_item_is_a_duplicate() -> None:
    block = SystemBlock(type="goals", text="ship", source=BlockSource(memory_item_id="m1"))
    package = composed(system_blocks=[block], evidence=[evidence("e", ref=EvidenceRef(memory_item_id="m1"))])
    assert reasons(package) == {"e": "duplicate"}


def test_every_reason_for_dropping_evidence_is_given() -> None:
    pieces = [evidence("one", score=0.9), evidence("one", score=0.8), evidence("weak", score=0.01), evidence("two")]
    policy = CompositionPolicy(evidence_max_items=1, min_score=0.1)
    earlier = Dropped(id="x", reason="diversity")
    package = composed(policy=policy, evidence=pieces, dropped=[earlier])
    assert [(d.id, d.reason) for d in package.debug.dropped] == [
        ("x", "diversity"),
        ("one", "duplicate"),
        ("weak", "below_threshold"),
        ("two", "budget"),
    ]


def test_a_turn_that_only_acknowledges_is_no_evidence() -> None:
    told = evidence("told", "I moved to Lisbon", 0.9, ref=EvidenceRef(session_id="s", turn_id="t1", message_id="u1"))
    noted = evidence("noted", "Got it, thanks!", 0.4, ref=EvidenceRef(session_id="s", turn_id="t1", message_id="a1"))
    package = composed(evidence=[told, noted])
    assert [e.id for e in package.evidence] == ["told"]
    assert reasons(package) == {"noted": "below_threshold"}


def test_an_acknowledgement_that_answers_a_question_that_was_found_stays_with_it() -> None:
    asked = evidence("asked", "周五能来吗？", 0.9, ref=EvidenceRef(session_id="s", turn_id="t1", message_id="u1"))
    agreed = evidence("agreed", "好的", 0.4, ref=EvidenceRef(session_id="s", turn_id="t1", message_id="a1"))
    package = composed(evidence=[asked, agreed])
    assert [e.id for e in package.evidence] == ["asked", "agreed"]


def test_the_policy_can_switch_every_slot_off() -> None:
    off = CompositionPolicy(system_blocks_max_tokens=0, summary_max_tokens=0, recent_turns_max=0, evidence_max_items=0)
    package = composed(
        policy=off,
        system_blocks=[SystemBlock(type="goals", text="x")],
        summary="s",
        turns=[turn(1)],
        evidence=[evidence("e")],
    )
    assert [m["role"] for m in package.to_messages()] == ["user"]


def test_a_long_summary_and_a_long_block_are_cut_at_their_own_limits() -> None:
    lines = "\n".join(f"line {n} of what was decided" for n in range(900))
    package = composed(system_blocks=[SystemBlock(type="goals", text=lines)], summary=lines)
    by_slot = package.constraints.token_budget.by_slot
    assert 700 < by_slot["system_blocks"] <= 800
    assert 500 < by_slot["working_summary"] <= 640
    assert package.working_summary is not None
    assert package.working_summary.endswith("decided\n…")
    assert len(package.debug.warnings) == 2


def test_why_selected_says_only_what_the_signals_say() -> None:
    words = evidence("w", signals=Signals(score=0.88, matched=("kafka", "部署"), parts={"bm25": 0.6, "recency": 0.1}))
    close = evidence("v", signals=Signals(score=0.5, vector_score=0.7), provenance=Provenance(mode="semantic"))
    package = composed(evidence=[words, close])
    assert [s.reason for s in package.debug.why_selected] == [
        'best: matches "kafka", "部署" (hybrid, score 0.88, place 1; bm25 0.60, recency 0.10)',
        "close in meaning (semantic, score 0.50, place 2)",
    ]


def test_without_trace_only_ids_warnings_and_ignored_fields_stay() -> None:
    given_ = ingredients(evidence=[evidence("e")], warnings=["w"], ignored=["i"])
    debug = compose(given_, POLICY, Characters(), token_limit=500, trace=False).debug
    assert (debug.planner, debug.why_selected, debug.dropped) == (None, (), ())
    assert (debug.warnings, debug.ignored, debug.trace.plan_id) == (("w",), ("i",), "p")


def test_the_prefix_is_stable_from_question_to_question() -> None:
    fixed: dict[str, Any] = {
        "system_blocks": [SystemBlock(type="goals", text="ship")],
        "developer_blocks": [DeveloperBlock(text="be brief")],
        "turns": [turn(n) for n in range(1, 12)],
    }
    first = composed(**fixed, evidence=[evidence("a", "x" * 700)], user_message=UserMessage(content="one?"))
    second = composed(**fixed, summary="new", evidence=[evidence("b")], user_message=UserMessage(content="two?"))
    assert first.to_messages()[:-2] == second.to_messages()[:-2]
    assert len(first.to_messages()) == 1 + 16 + 2
    assert volatile_text(first) != volatile_text(second)


# --- turns and tool groups ----------------------------------------------------------------------------------------


def test_the_newest_turns_are_shown_oldest_first() -> None:
    package = composed(turns=[turn(n) for n in range(1, 31)])
    assert shown_turns(package) == [f"t{n}" for n in range(23, 31)]


def test_no_older_turn_is_shown_without_the_newer_one() -> None:
    package = composed(limit=200, turns=[turn(1), turn(2, user(2, "long " * 900)), turn(3)])
    assert shown_turns(package) == ["t3"]
    assert reasons(package) == {"t2": "budget", "t1": "budget"}


def test_a_turn_is_cut_between_tool_groups_and_keeps_what_the_user_said() -> None:
    long = "data " * 200
    work = turn(
        1,
        user(1),
        call(1, "c1", "c2"),
        result("c2", long),
        result("c1", long),
        call(2, "c3"),
        result("c3"),
        answer(1),
    )
    package = composed(limit=200, turns=[work])
    assert [m.message.id for m in package.recent_turns] == ["u1", "c2", "r-c3", "a1"]
    assert reasons(package) == {"c1": "budget"}
    whole = composed(limit=2000, turns=[work])
    assert [m.message for m in whole.recent_turns] == list(work.messages)


@pytest.mark.parametrize(
    ("messages", "kept", "left_out"),
    [
        ([user(1), result("x"), answer(1)], ["u1", "a1"], ["r-x"]),
        ([user(1), call(1, "x"), answer(1)], ["u1", "a1"], ["c1"]),
        ([user(1), call(1, "x", "y"), result("x"), answer(1)], ["u1", "a1"], ["c1", "r-x"]),
        ([user(1), call(1, "x"), user(2), result("x")], ["u1", "u2"], ["c1", "r-x"]),
        ([user(1), call(1, "x"), result("x"), result("x")], ["u1", "c1", "r-x"], ["r-x"]),
        ([user(1), Message(id="s", role="system", content="be good"), answer(1)], ["u1", "a1"], ["s"]),
        ([user(1), Message(id="e", role="assistant")], ["u1"], ["e"]),
        ([call(1, "x")], [], ["c1"]),
    ],
    ids=["orphan result", "no result", "one of two", "interrupted", "answered twice", "system", "empty", "only a call"],
)
def test_what_no_request_can_hold_is_left_out_with_a_reason(
    messages: list[Message], kept: list[str], left_out: list[str]
) -> None:
    package = composed(turns=[turn(1, *messages)])
    assert [m.message.id for m in package.recent_turns] == kept
    assert [d.id for d in package.debug.dropped] == left_out
    assert {d.reason for d in package.debug.dropped} == {"filter"}


def test_a_result_recorded_with_its_call_becomes_a_tool_message() -> None:
    inline = Message(id="c", role="assistant", tool_calls=(ToolCall(id="x", name="f", result={"n": 1}),))
    apart = (ToolCall(id="y", name="f", result="fine"),)
    package = composed(turns=[turn(1, user(1), inline, call(2, "y"), tool_calls=apart)])
    assert package.to_messages()[2] == {"role": "tool", "content": '{"n":1}', "name": "f", "tool_call_id": "x"}
    assert package.to_messages()[4]["content"] == "fine"
    check_order(package.to_messages())


def test_calls_and_results_in_blocks_are_a_group_too() -> None:
    use = Message(id="c", role="assistant", content=[{"type": "tool_use", "id": "x", "name": "f", "input": {}}])
    done = Message(id="r", role="user", content=[{"type": "tool_result", "tool_use_id": "x", "content": "ok"}])
    groups, left_out = segments(turn(1, user(1), use, done, answer(1)))
    assert [[m.id for m in group.messages] for group in groups] == [["u1"], ["c", "r"], ["a1"]]
    assert not left_out
    assert [left.id for left in segments(turn(1, user(1), done))[1]] == ["r"]
    assert [left.id for left in segments(turn(1, user(1), use))[1]] == ["c"]


def test_calls_without_ids_are_matched_by_name_and_order() -> None:
    calls = Message(id="c", role="assistant", tool_calls=(ToolCall(id="", name="f"), ToolCall(id="", name="g")))
    done = [Message(id=name, role="tool", name=name, content="ok") for name in ("g", "f")]
    groups, left_out = segments(turn(1, calls, *done))
    assert [m.id for m in groups[0].messages] == ["c", "g", "f"]
    assert not left_out


# --- shortening ---------------------------------------------------------------------------------------------------


def test_a_snippet_is_cut_around_the_words_that_were_asked_for() -> None:
    text = "x" * 2000 + " the Kafka topic " + "y" * 5000
    shown, start, end = cut_snippet(text, 800, ["kafka"])
    assert "Kafka" in shown
    assert len(shown) == 800
    assert shown == f"…{text[start:end]}…"
    assert cut_snippet(text, 800)[0].startswith("xxx")


@given(texts, st.integers(1, 70), st.lists(texts, max_size=2))
def test_a_snippet_is_never_too_long_and_its_span_is_true(text: str, most: int, terms: list[str]) -> None:
    shown, start, end = cut_snippet(text, most, terms)
    assert len(shown) <= most
    assert shown.strip("…") == text[start:end].strip("…") or most < 3


def test_a_cut_snippet_keeps_a_true_span() -> None:
    piece = evidence("e", "x" * 1000, ref=EvidenceRef(document_id="d", span=(50, 1050)))
    assert composed(evidence=[piece]).evidence[0].ref.span == (50, 849)


@given(texts, st.integers(0, 80))
def test_cutting_never_makes_a_text_longer_than_it_was_allowed(text: str, keep: int) -> None:
    assert len(cut_end(text, keep)) <= max(keep + 1, 1)
    assert len(cut_middle(text, keep)) <= max(len(text), keep)


@given(st.integers(0, 10_000), st.integers(0, 12_000))
def test_the_longest_length_that_fits_is_found_to_within_two_per_cent(top: int, room: int) -> None:
    found = longest(top, lambda length: length <= room)
    assert found <= min(top, room)
    assert found >= min(top, room) * 0.98 - 1


@given(
    st.text(st.sampled_from("aib9 é部，"), min_size=1, max_size=3).filter(str.strip),
    st.text(st.sampled_from("aib9 é部，"), max_size=10),
)
def test_a_word_stands_in_a_text_unless_it_is_part_of_a_longer_one(word: str, text: str) -> None:
    word = word.strip()
    before = "(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    after = "(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    assert _stands_in(word, text) == bool(re.search(f"{before}{re.escape(word)}{after}", text))
