"""Memory grows by what is new: the same thing again, however it is spelt, adds a source to its item and no item."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain import SmartBrain
from smartbrain.evaluation.datasets import RecordedTurn, as_turns, read_conversations
from smartbrain.model import MemoryItem
from smartbrain.testing.fakes import CounterIds, ManualClock

BEGIN = datetime.fromisoformat("2026-02-20T09:00:00+00:00")
# Each of them makes one item, none contradicts another.
SAID = [
    "I prefer Rust over Go.",
    "I'm allergic to nuts.",
    "I live in Lisbon.",
    "Remind me to call the plumber on Friday.",
    "My goal is to run a marathon.",
    "I can't stand cilantro.",
    "From now on keep your answers short.",
    "My sister works at Siemens.",
    "以后都用繁体字回答我。",
    "我们决定改用 MySQL。",
    "下周五之前把报告写完。",
    "我的目标是学会游泳。",
    "我不吃香菜。",
    "我叫张曼婷。",
    "提醒我给奶奶打电话。",
]


def wide(text: str) -> str:
    """As a Chinese keyboard in full-width mode types it."""
    return "".join(chr(ord(ch) + 0xFEE0) if "!" <= ch <= "~" else ch for ch in text)


def traditional(text: str) -> str:
    pairs = zip("后繁体复决定报写标学会游饮张娴给电话", "後繁體復決定報寫標學會游飲張嫻給電話", strict=True)
    return text.translate(str.maketrans(dict(pairs)))


SPELLINGS: dict[str, Callable[[str], str]] = {
    "shouted": str.upper,
    "lower case": str.lower,
    "no stop": lambda text: text.rstrip(".。"),
    "excited": lambda text: f"{text.rstrip('.。')}!!",
    "full width": wide,
    "traditional": traditional,
    "the other article": lambda text: text.replace(" a ", " the "),
    "indented": lambda text: f"\n  {text}\n",
}


def fresh() -> SmartBrain:
    return SmartBrain.open(":memory:", clock=ManualClock(), new_id=CounterIds())


def tell(brain: SmartBrain, chat: list[str], session: str, *, later: int = 0, prefix: str = "t") -> list[Any]:
    return [
        brain.commit_turn(
            session,
            messages=[{"role": "user", "content": text}],
            turn_id=f"{prefix}{number}",
            user_id="u",
            occurred_at=BEGIN + timedelta(minutes=later + number),
        )
        for number, text in enumerate(chat)
    ]


def held(brain: SmartBrain) -> list[dict[str, Any]]:
    return [item.model_dump() for item in brain.memories(user_id="u", status=None)]


def seen(items: list[MemoryItem], key: str) -> int:
    return sum(item.seen for item in items if item.key == key)


chats = st.lists(st.sampled_from(SAID), min_size=1, max_size=5)


@given(chats)
def test_a_chat_committed_again_under_its_turn_ids_changes_nothing(chat: list[str]) -> None:
    with fresh() as brain:
        tell(brain, chat, "s")
        before = held(brain)
        again = tell(brain, chat, "s", later=60)
        assert before
        assert [verdict.action for result in again for verdict in result.explain.retention] == ["replayed"] * len(chat)
        assert held(brain) == before


@given(chats, st.booleans())
def test_a_chat_told_again_is_seen_again_and_adds_no_item(chat: list[str], same_session: bool) -> None:
    with fresh() as brain:
        tell(brain, chat, "s")
        before = brain.memories(user_id="u", status=None)
        again = tell(brain, chat, "s" if same_session else "other", later=60, prefix="again")
        after = brain.memories(user_id="u", status=None)
        assert [(item.id, item.value, item.status) for item in after] == [
            (item.id, item.value, item.status) for item in before
        ]
        assert {verdict.action for result in again for verdict in result.explain.retention} == {"merged"}
        # Of several versions of a profile the newest holds the older facts, too: it is the one that is seen again.
        for key in {item.key for item in before}:
            assert seen(after, key) == 2 * seen(before, key)
            last = max(source.occurred_at for item in after if item.key == key for source in item.sources)
            assert last >= BEGIN + timedelta(minutes=60)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("text", SAID)
def test_another_spelling_of_the_same_thing_adds_a_source_and_no_item(text: str, spelling: str) -> None:
    other = SPELLINGS[spelling](text)
    with fresh() as brain:
        tell(brain, [text], "s")
        (before,) = brain.memories(user_id="u", status=None)
        tell(brain, [other], "other", later=60)
        (after,) = brain.memories(user_id="u", status=None)
        assert (after.id, after.value, after.seen) == (before.id, before.value, 2)


@given(st.lists(st.tuples(st.sampled_from(SAID), st.sampled_from(list(SPELLINGS))), min_size=1, max_size=6))
def test_in_whatever_spellings_and_order_each_thing_is_one_item(told: list[tuple[str, str]]) -> None:
    with fresh() as brain:
        tell(brain, [SPELLINGS[spelling](text) for text, spelling in told], "s")
        facts = [fact["k"] for item in brain.memories(user_id="u") for fact in item.value.get("facts", ())]
        others = [item.key for item in brain.memories(user_id="u") if item.type != "profile"]
        assert len(facts) == len(set(facts))
        assert len(others) == len(set(others)) <= len({text for text, _ in told})


def first_conversation(folder: Path, most: int) -> list[RecordedTurn]:
    turns = list(as_turns(read_conversations(folder / "conversations.jsonl")))
    return [turn for turn in turns if turn.conversation_id == turns[0].conversation_id][:most]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["locomo_dev", "memorybank_zh", "realmem"])
def test_a_real_chat_does_not_multiply_however_often_it_is_told(shared_eval: Path, name: str) -> None:
    turns = first_conversation(shared_eval / name, 200)
    user = turns[0].conversation_id
    with fresh() as brain:
        brain.commit_turns([turn.arguments() for turn in turns])
        once = brain.memories(user_id=user)
        everything = len(brain.memories(user_id=user, status=None))
        brain.commit_turns([turn.arguments() for turn in turns])
        assert len(brain.memories(user_id=user, status=None)) == everything
        for time in ("second", "third"):
            brain.commit_turns([{**turn.arguments(), "session_id": f"{turn.session_id}, {time}"} for turn in turns])
        often = brain.memories(user_id=user)
        assert once
        assert {item.key for item in often} == {item.key for item in once}
        # A chat that changes its mind changes it at every telling; what is only said again adds nothing.
        assert len(often) <= 1.1 * len(once)
        assert len(brain.memories(user_id=user, status=None)) <= 1.2 * everything
