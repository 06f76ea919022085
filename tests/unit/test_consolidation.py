"""The rolling summary and the core blocks, from the template."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import ConsolidationPolicy, RetentionPolicy
from smartbrain.memory_types import BUILTIN_TYPES, keyed
from smartbrain.model import Changes, MemoryItem, Message, Ref, Role, Scope, Summary, ToolCall, Trust, Turn, TurnStatus
from smartbrain.policies.consolidation import anticipate, build_summary, core_memory_blocks, should_summarize

START = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = Scope("u", "global", "d")


class Chars:
    """A counter that counts characters, so that a budget can be checked by hand."""

    def count(self, text: str) -> int:
        return len(text)


def item(type_: str, value: dict[str, Any], n: int = 1, **fields: Any) -> MemoryItem:
    key, full = keyed(BUILTIN_TYPES[type_], value)
    at = START + timedelta(days=n)
    return MemoryItem(
        id=f"{type_}-{n}",
        type=type_,
        key=key,
        value=full,
        text="",
        confidence=0.9,
        scope=SCOPE,
        source_turn_id=f"t{n}",
        source_session_id="s",
        occurred_at=at,
        recorded_at=at,
        valid_from=at,
        last_seen_at=at,
        **fields,
    )


def turn(n: int, *messages: tuple[Role, str], status: TurnStatus = "committed") -> Turn:
    at = START + timedelta(days=n)
    said = tuple(Message(id=f"t{n}#{i}", role=role, content=text) for i, (role, text) in enumerate(messages))
    return Turn(
        session_id="s",
        turn_id=f"t{n}",
        scope=SCOPE,
        seq=n,
        occurred_at=at,
        recorded_at=at,
        messages=said,
        status=status,
    )


def summary_of(text: str) -> Summary:
    return Summary(
        session_id="s",
        scope=SCOPE,
        version=1,
        text=text,
        turn_from=1,
        turn_to=2,
        generated_at=START,
        trigger="turn_count",
    )


def build(
    items: list[MemoryItem] | None = None,
    turns: list[Turn] | None = None,
    refs: list[Ref] | None = None,
    language: str = "en",
    max_tokens: int = 5000,
    previous: Summary | None = None,
) -> str:
    draft = build_summary(
        items or [],
        turns or [],
        refs or [],
        language=language,
        max_tokens=max_tokens,
        counter=Chars(),
        previous=previous,
    )
    return draft.text


WORK = [
    item("goals", {"project": "p", "description": "Ship the MVP"}),
    item("decisions", {"project": "p", "topic": "db", "decision": "PostgreSQL", "rationale": "ACID"}, 2),
    item("tasks", {"project": "p", "title": "Write docs", "status": "doing", "due": "Friday"}, 3),
    item("tasks", {"project": "p", "title": "Buy a domain", "status": "blocked", "notes": "no budget"}, 4),
    item("preferences", {"scope": "writing", "name": "tone", "value": "concise"}, 5),
]
GUIDE = Ref(type="url", uri="https://a.example/guide", title="The guide", summary="how to deploy")


def test_the_summary_holds_the_content_section_by_section() -> None:
    assert build(WORK, [turn(1, ("user", "Which region?"))], [GUIDE]) == (
        "Goals:\n- Ship the MVP\n"
        "Decisions:\n- p/db: PostgreSQL (rationale: ACID)\n"
        "Tasks:\n- [blocked] Buy a domain\n- [doing] Write docs (due Friday)\n"
        "Key References:\n- The guide — https://a.example/guide: how to deploy\n"
        "Open Questions:\n- Which region?\n- Blocked: Buy a domain — no budget"
    )


def test_a_chinese_summary_has_chinese_headings() -> None:
    text = build(WORK, [turn(1, ("user", "部署在哪个区域？"))], [GUIDE], language="zh")
    assert [line for line in text.split("\n") if not line.startswith("- ")] == [
        "目标：",
        "决策：",
        "任务：",
        "关键资料：",
        "未决问题：",
    ]
    assert "- [进行中] Write docs（截止 Friday）" in text


def test_preferences_and_tool_output_stay_out() -> None:
    dump = "RAW OUTPUT " * 50
    turns = [turn(1, ("user", "Run it."), ("tool", dump), ("assistant", "Done."))]
    turns[0] = turns[0].model_copy(update={"tool_calls": (ToolCall(id="c", name="run", result=dump),)})
    for items in ([], WORK):
        text = build(items, turns)
        assert "RAW" not in text
        assert "concise" not in text


def test_only_the_newest_version_that_is_in_force_is_told() -> None:
    old = item("decisions", {"project": "p", "topic": "db", "decision": "MySQL"}, 1)
    gone = item("decisions", {"project": "p", "topic": "ui", "decision": "React"}, 1, status="retracted")
    text = build([old, WORK[1], gone])
    assert "PostgreSQL" in text
    assert "MySQL" not in text
    assert "React" not in text


def test_open_tasks_come_before_done_ones_and_the_newest_first() -> None:
    tasks = [item("tasks", {"title": f"T{n}", "status": s}, n) for n, s in enumerate(["done", "todo", "todo", "doing"])]
    assert build(tasks).split("\n")[1:] == ["- [doing] T3", "- [todo] T2", "- [todo] T1", "- [done] T0"]


def test_a_question_that_was_answered_is_not_open() -> None:
    turns = [
        turn(1, ("user", "Hi. Which region?"), ("assistant", "Frankfurt.")),
        turn(2, ("user", "预算是多少呢"), ("assistant", "")),
        turn(3, ("user", "Thanks."), ("user", "And who pays?")),
    ]
    text = build(WORK[:1], turns)
    assert text.split("Open Questions:\n")[1] == "- And who pays?\n- 预算是多少呢"


def test_a_plain_chat_is_summed_up_by_what_the_user_spoke_about() -> None:
    turns = [
        turn(1, ("user", "My dog is called Rex. He is three."), ("assistant", "Nice!")),
        turn(2, ("user", "  \n!!! 我们去了北海道。很冷。"), ("assistant", "好")),
        turn(3, ("user", "bright wooden lantern " * 20), ("assistant", "ok")),
        turn(4, ("user", "Absolutely! Thanks!"), ("assistant", "ok")),
    ]
    lines = build([], turns).split("\n")
    assert lines[0] == "Recent topics:"
    assert lines[1].startswith("- bright wooden")
    assert lines[1].endswith("…")
    assert len(lines[1]) <= 102
    assert lines[2:] == ["- 我们去了北海道。", "- My dog is called Rex."]
    assert build([], turns, language="zh").startswith("近期话题：")


def test_topics_and_open_questions_of_the_summary_before_are_carried_on() -> None:
    before = summary_of("Open Questions:\n- Who pays?\n- Where?\n- Blocked: X\nRecent topics:\n- My dog Rex.\n- Hello")
    turns = [turn(9, ("user", "Who pays?"), ("assistant", "Li.")), turn(10, ("user", "hello"), ("assistant", "hi"))]
    assert build([], turns, previous=before).split("\n") == [
        "Open Questions:",
        "- Where?",
        "Recent topics:",
        "- My dog Rex.",
        "- Hello",
    ]


def test_a_summary_in_free_words_is_no_hindrance() -> None:
    assert build(WORK[:1], previous=summary_of("We spoke about dogs.")) == "Goals:\n- Ship the MVP"


def test_with_nothing_to_say_the_draft_is_empty() -> None:
    assert build([], []) == ""
    assert build([], [turn(1, ("assistant", "hello"))]) == ""
    assert build(WORK, max_tokens=3) == ""


def test_the_draft_names_the_items_and_turns_it_rests_on() -> None:
    draft = build_summary(WORK, [turn(1, ("user", "hi")), turn(2)], [], language="en", max_tokens=45, counter=Chars())
    assert draft.text == "Tasks:\n- [blocked] Buy a domain"
    assert draft.item_ids == ("tasks-4",)
    assert draft.turn_ids == ("t1", "t2")


def test_a_ref_that_came_twice_is_told_once() -> None:
    assert build(WORK[:1], refs=[GUIDE, GUIDE]).count("guide — ") == 1


@given(st.integers(0, 400), st.sampled_from(["en", "zh"]))
def test_ruby_fault_5_the_summary_never_exceeds_its_budget(max_tokens: int, language: str) -> None:
    turns = [turn(1, ("user", "Which region? " * 20))]
    assert len(build(WORK, turns, [GUIDE], language, max_tokens)) <= max_tokens


def test_the_first_thing_in_a_small_budget_is_the_open_work() -> None:
    assert build(WORK, max_tokens=32) == "Tasks:\n- [blocked] Buy a domain"


# -- triggers --------------------------------------------------------------------------------------------------------


def trigger(turns_since: int = 1, tokens: int = 0, *inserts: MemoryItem, stages: bool = True, **fields: Any) -> str:
    return should_summarize(
        turns_since=turns_since,
        tokens_since=tokens,
        token_limit=1000,
        changes=Changes(inserts=inserts),
        turn=turn(1, **fields),
        retention=RetentionPolicy(),
        consolidation=ConsolidationPolicy(stage_events=stages),
    )


def test_a_summary_is_due_after_enough_turns_or_tokens() -> None:
    assert (trigger(11), trigger(12)) == ("", "turn_count")
    assert (trigger(1, 700), trigger(1, 701)) == ("", "token_pressure")


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (item("tasks", {"title": "x", "status": "done"}), "task_done"),
        (item("tasks", {"title": "x", "status": "doing"}), ""),
        (item("decisions", {"decision": "x"}), "decision_made"),
        (item("decisions", {"decision": "x"}, status="superseded"), ""),
        (item("events", {"title": "x", "date": "2026-01-01"}, trust="tool"), "tool_result"),
        (item("preferences", {"value": "x"}), ""),
    ],
)
def test_a_stage_event_asks_for_a_summary_unless_switched_off(made: MemoryItem, expected: str) -> None:
    assert trigger(1, 0, made) == expected
    assert trigger(1, 0, made, stages=False) == ""


def test_an_aborted_turn_asks_for_none() -> None:
    assert trigger(99, status="aborted") == ""


# -- core blocks -----------------------------------------------------------------------------------------------------

CORE = [
    item("patterns", {"domain": "code", "name": "tests", "rule": "Always test"}, 1),
    item("goals", {"description": "Ship"}, 2),
    item("goals", {"description": "Learn Rust", "status": "done"}, 3),
    item("preferences", {"scope": "writing", "name": "tone", "value": "concise"}, 4),
    item("preferences", {"scope": "coding", "name": "indent", "value": "4 spaces"}, 5),
    item("profile", {"subject": "user", "facts": [{"k": "city", "v": "Rome"}]}, 6),
    item("profile", {"subject": "user", "facts": [{"k": "city", "v": "Bern"}]}, 7),
    item("tasks", {"title": "x"}, 8),
]


def texts(items: list[MemoryItem], max_tokens: int = 1000) -> list[tuple[str, str]]:
    blocks = core_memory_blocks(items, language="en", max_tokens=max_tokens, counter=Chars())
    return [(block.type, block.text) for block in blocks]


def test_core_blocks_are_profile_preferences_open_goals_and_rules() -> None:
    assert texts(CORE) == [
        ("core_profile", "User: city: Bern"),
        ("preferences", "Prefers (coding/indent): 4 spaces"),
        ("preferences", "Prefers (writing/tone): concise"),
        ("goals", "Ship"),
        ("policies", "Rule (code/tests): Always test"),
    ]


def test_a_changed_preference_keeps_its_place_among_the_blocks() -> None:
    changed = item("preferences", {"scope": "writing", "name": "tone", "value": "detailed"}, 50)
    assert [text for kind, text in texts([*CORE[:3], *CORE[4:], changed]) if kind == "preferences"] == [
        "Prefers (coding/indent): 4 spaces",
        "Prefers (writing/tone): detailed",
    ]


def test_every_core_block_names_its_item() -> None:
    blocks = core_memory_blocks(CORE, language="en", max_tokens=1000, counter=Chars())
    assert [b.source.memory_item_id for b in blocks][:2] == ["profile-7", "preferences-5"]
    assert blocks[0].updated_at == CORE[6].valid_from


@pytest.mark.parametrize("trust", ["tool", "resource", "assistant"])
def test_only_the_users_own_words_become_a_core_block(trust: Trust) -> None:
    assert texts([one.model_copy(update={"trust": trust}) for one in CORE]) == []


def test_what_matters_most_to_the_user_stays_when_there_is_little_room() -> None:
    first = item("preferences", {"scope": "ui", "name": "theme", "value": "dark", "priority": 9}, 1)
    assert texts([*CORE, first], max_tokens=46)[1:] == [("preferences", "Prefers (ui/theme): dark")]


@given(st.permutations(CORE), st.integers(0, 200))
def test_core_blocks_are_the_same_byte_for_byte_in_any_order_and_after_sightings(
    items: list[MemoryItem], max_tokens: int
) -> None:
    seen = [one.model_copy(update={"seen": 9, "last_seen_at": START + timedelta(days=99)}) for one in items]
    assert texts(seen, max_tokens) == texts(CORE, max_tokens)
    assert sum(len(text) for _, text in texts(CORE, max_tokens)) <= max_tokens


class Noting:
    """A counter that notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def count(self, text: str) -> int:
        self.asked.append(text)
        return len(text)


def test_a_turn_that_is_read_ahead_has_its_lines_counted_as_the_summary_will_show_them() -> None:
    counter = Noting()
    said = turn(1, ("user", "The garden needs new soil. Where can I buy some?"))
    anticipate(said, counter)
    shown = build(turns=[said]).splitlines()
    assert [f"- {line}\n" for line in ("Where can I buy some?", "The garden needs new soil.")] == counter.asked
    assert {line.strip() for line in counter.asked} <= set(shown)


def test_no_topic_is_looked_for_ahead_while_the_summary_has_more_to_tell() -> None:
    counter = Noting()
    anticipate(turn(1, ("user", "The garden needs new soil.")), counter, summary_of("Goals:\n- a greener garden"))
    assert counter.asked == []
    anticipate(turn(1, ("user", "The garden needs new soil.")), counter, summary_of("Recent topics:\n- the cellar"))
    assert counter.asked == ["- The garden needs new soil.\n"]
