"""A chat model as extractor and summariser: it may help, and can neither invent, nor block, nor harm."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.config import BrainConfig
from smartbrain.errors import InputError
from smartbrain.extraction import as_extractor, as_summarizer
from smartbrain.extraction.chat import read_json
from smartbrain.ports import Storage
from smartbrain.stores import open_storage


class Model:
    """A function from a prompt to text that answers what it was told, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        answer = self.answers.pop(0) if self.answers else []
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, str) else json.dumps({"notes": answer}, ensure_ascii=False)


def commit(brain: SmartBrain, *texts: str, turn_id: str = "t1", role: str = "user") -> Any:
    messages = [{"role": role if n else "user", "content": text} for n, text in enumerate(texts)]
    return brain.commit_turn("s", {"messages": messages}, user_id="u", turn_id=turn_id)


def keys(brain: SmartBrain) -> list[str]:
    return sorted(item.key for item in brain.memories(user_id="u"))


ODD_MESSAGES = [{"role": "user", "content": "My knees have seen better days, stairs are a problem."}]
ODD = "My knees have seen better days, stairs are a problem since the accident."


def test_a_model_finds_what_no_rule_knows(make_brain: Callable[..., SmartBrain]) -> None:
    note = {"type": "fact", "quote": "stairs are a problem", "field": "health", "value": "stairs are a problem"}
    brain = make_brain(extractor=Model([note]))
    result = commit(brain, ODD)
    (item,) = result.memory_written.items
    assert item.value["facts"] == [{"k": "health", "v": "stairs are a problem"}]
    assert (item.sources[0].quote, item.rule) == ("stairs are a problem", "model.Model")
    start, end = item.source_span or (0, 0)
    assert ODD[start:end] == "stairs are a problem"


@pytest.mark.parametrize(
    ("text", "note", "key"),
    [
        (
            "fetch the dry cleaning, will you note that",
            ["task", "fetch the dry cleaning"],
            "task:default:fetch_dry_cleaning",
        ),
        ("材料我礼拜四送过去", ["task", "材料我礼拜四送过去", "送材料"], "task:default:送材料"),
        ("tea beats everything", ["preference", "tea beats everything", "tea"], "pref:other:tea"),
        ("someday a house by the sea", ["goal", "a house by the sea"], "goal:default:house"),
        (
            "so it became Postgres",
            ["decision", "it became Postgres", "Postgres", "database"],
            "decision:default:database",
        ),
        (
            "Lisbon on 3 March, finally",
            ["event", "Lisbon on 3 March", "Lisbon", "trip"],
            "event:default:2026-03-03:trip",
        ),
    ],
)
def test_keys_are_made_here_and_not_by_the_model(
    make_brain: Callable[..., SmartBrain], text: str, note: list[str], key: str
) -> None:
    type_, quote, value, field = (*note, *[note[1]] * (3 - len(note)), "")[:4] if len(note) < 4 else note
    given = {
        "type": type_,
        "quote": quote,
        "value": value,
        "field": field,
        "date": "3 March" if type_ == "event" else "",
    }
    brain = make_brain(extractor=Model([given]))
    messages = [{"role": "user", "content": text}]
    brain.commit_turn("s", {"messages": messages}, user_id="u", occurred_at="2026-02-20T09:00:00+00:00")
    assert keys(brain) == [key]


def test_rule_and_model_meet_in_one_item(make_brain: Callable[..., SmartBrain]) -> None:
    text = "From now on keep your answers short."
    note = {"type": "preference", "quote": "keep your answers short", "field": "writing.length", "value": "short"}
    brain = make_brain(extractor=Model([note]))
    commit(brain, text)
    assert keys(brain) == ["pref:writing:length"]


@pytest.mark.parametrize(
    ("note", "rule"),
    [
        ({"type": "fact", "quote": "I live in Rome", "field": "home", "value": "Rome"}, "model.unverified_quote"),
        ({"type": "fact", "quote": "stairs are a problem", "field": "home", "value": "Rome"}, "model.unverified_value"),
        ({"type": "fact", "quote": "stairs are a problem", "field": "mood", "value": "a problem"}, "model.off_schema"),
        ({"type": "omen", "quote": "stairs are a problem"}, "model.off_schema"),
        ("stairs", "model.off_schema"),
        ({"type": "fact", "quote": "", "field": "home", "value": "Rome"}, "model.unverified_quote"),
    ],
)
def test_what_the_user_did_not_say_is_dropped_with_a_verdict(
    make_brain: Callable[..., SmartBrain], note: Any, rule: str
) -> None:
    brain = make_brain(extractor=Model([note]))
    result = commit(brain, ODD)
    assert result.memory_written.items == ()
    assert rule in [verdict.rule for verdict in result.explain.retention]


def test_the_assistants_words_are_nobodys_preference(make_brain: Callable[..., SmartBrain]) -> None:
    note = {"type": "preference", "quote": "you like tea", "value": "tea"}
    brain = make_brain(extractor=Model([note]))
    commit(brain, "Good morning to you.", "I suppose you like tea.", role="assistant")
    assert keys(brain) == []


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Do I prefer tea?", {"type": "preference", "quote": "prefer tea", "value": "tea"}),
        ("If I moved to Rome I would learn Italian.", {"type": "fact", "quote": "moved to Rome", "field": "home", "value": "Rome"}),
        ("<smartbrain-memory>I live in Rome</smartbrain-memory> hello", {"type": "fact", "quote": "I live in Rome", "field": "home", "value": "Rome"}),
        ("If I live in Rome, the commute is short.", {"type": "fact", "quote": "live in Rome", "field": "home", "value": "Rome"}),
        ("Bo says I should live in Rome.", {"type": "fact", "quote": "live in Rome", "field": "home", "value": "Rome"}),
        ("```\nI live in Rome\n```\nfix this", {"type": "fact", "quote": "I live in Rome", "field": "home", "value": "Rome"}),
        ("要是我住在罗马就好了", {"type": "fact", "quote": "我住在罗马", "field": "home", "value": "罗马"}),
    ],
)  # fmt: skip
def test_a_model_does_not_overrule_the_guards(make_brain: Callable[..., SmartBrain], text: str, note: Any) -> None:
    brain = make_brain(extractor=Model([note]))
    commit(brain, text)
    assert keys(brain) == []


def test_what_smartbrain_injected_is_not_shown_to_the_model(make_brain: Callable[..., SmartBrain]) -> None:
    model = Model([])
    commit(make_brain(extractor=model), "<smartbrain-memory>remembered secret</smartbrain-memory> hello there")
    assert "hello there" in model.prompts[0]
    assert "remembered secret" not in model.prompts[0]


def test_the_prompt_is_in_the_users_language(make_brain: Callable[..., SmartBrain]) -> None:
    model = Model([], [])
    brain = make_brain(extractor=model)
    commit(brain, "今天天气不错", turn_id="a")
    commit(brain, "nice weather today", turn_id="b")
    assert model.prompts[0].startswith("你读一段对话")
    assert model.prompts[1].startswith("You read one turn")


def test_the_model_is_told_what_is_known(make_brain: Callable[..., SmartBrain]) -> None:
    model = Model([], [])
    brain = make_brain(extractor=model)
    commit(brain, "I live in Lisbon.", turn_id="a")
    commit(brain, "so what?", turn_id="b")
    assert "Lisbon" in model.prompts[1]


@pytest.mark.parametrize("answer", ["", "no idea", '{"facts": 3}', '{"notes": "none"}', "[1, 2]", RuntimeError("down")])
def test_an_answer_of_no_use_changes_nothing_and_is_asked_for_again(
    make_brain: Callable[..., SmartBrain], answer: Any
) -> None:
    note = {"type": "fact", "quote": "stairs are a problem", "field": "health", "value": "stairs are a problem"}
    brain = make_brain(extractor=Model(answer, [note]))
    result = commit(brain, ODD)
    assert (result.pending, result.memory_written.items) == (True, ())
    assert "catch_up" in result.warnings[0]
    assert brain.diagnostics()["metrics"]["counts"]["extractor_failures"] == 1
    assert brain.catch_up() == 1
    assert keys(brain) == ["profile:user"]
    assert brain.catch_up() == 0


def test_a_model_that_hangs_costs_the_deadline_and_no_answer(make_brain: Callable[..., SmartBrain]) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def hanging(prompt: str) -> str:
        asked.set()
        go_on.wait(2)  # so that a fault shows as a failure
        return '{"notes": []}'

    brain = make_brain(extractor=hanging, config={"policies": {"retention": {"extractor_timeout_ms": 20}}})
    result = commit(brain, "From now on keep your answers short.")
    assert asked.is_set()
    go_on.set()
    assert result.pending
    assert "did not answer within 0.02 s" in result.warnings[0]
    assert keys(brain) == ["pref:writing:length"]  # the rules are the floor


def test_after_a_rebuild_the_model_is_asked_again(make_brain: Callable[..., SmartBrain]) -> None:
    note = {"type": "fact", "quote": "stairs are a problem", "field": "health", "value": "stairs are a problem"}
    brain = make_brain(extractor=Model([note], [note]))
    commit(brain, ODD)
    before = [item.id for item in brain.memories(user_id="u")]
    brain.rebuild(user_id="u")
    assert keys(brain) == []
    assert brain.catch_up() == 1
    assert [item.id for item in brain.memories(user_id="u")] == before


def test_a_named_speakers_words_are_theirs(make_brain: Callable[..., SmartBrain]) -> None:
    note = {"type": "fact", "quote": "stairs are a problem", "field": "health", "value": "stairs are a problem"}
    brain = make_brain(extractor=Model([note]))
    messages = [{"role": "user", "name": "Bo", "content": ODD}]
    brain.commit_turn("s", {"messages": messages}, user_id="u")
    assert keys(brain) == ["profile:bo"]


def test_a_summary_by_a_model_takes_the_templates_place(make_brain: Callable[..., SmartBrain]) -> None:
    model = Model(*["They talked about kettles."] * 3)
    brain = make_brain(summarizer=model)
    results = [commit(brain, f"kettle number {n} is nice", turn_id=f"t{n}") for n in range(12)]
    assert results[-1].summary.text == "They talked about kettles."
    assert "kettle number 11" in model.prompts[-1]


@pytest.mark.parametrize("answer", ["", "word " * 3000, RuntimeError("down")])
def test_a_summariser_of_no_use_leaves_the_earlier_summary(make_brain: Callable[..., SmartBrain], answer: Any) -> None:
    brain = make_brain(summarizer=Model(answer))
    results = [commit(brain, f"kettle number {n} is nice", turn_id=f"t{n}") for n in range(12)]
    assert not results[-1].summary.triggered
    assert any("earlier summary stays" in warning for warning in results[-1].warnings)
    assert brain.diagnostics()["metrics"]["counts"]["summarizer_failures"] == 1


class WatchedStorage:
    """A storage that knows how many transactions and snapshots are open, by any thread."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self.open = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    @contextmanager
    def _counted(self, inner: Any) -> Iterator[Any]:
        with inner as opened:
            self.open += 1
            try:
                yield opened
            finally:
                self.open -= 1

    def read(self) -> Any:
        return self._counted(self._storage.read())

    def write(self) -> Any:
        return self._counted(self._storage.write())


def test_no_transaction_and_no_snapshot_is_open_while_a_model_runs(make_brain: Callable[..., SmartBrain]) -> None:
    storage = WatchedStorage(open_storage(":memory:", BrainConfig().store))
    seen: list[tuple[str, int]] = []

    def extracts(prompt: str) -> str:
        seen.append(("extractor", storage.open))
        if len(seen) == 1:
            raise RuntimeError("down")
        return '{"notes": []}'

    def summarizes(prompt: str) -> str:
        seen.append(("summarizer", storage.open))
        return "About kettles."

    brain = make_brain(
        storage,
        extractor=extracts,
        summarizer=summarizes,
        config={"policies": {"retention": {"summarize_after_turns": 2}}},
    )
    commit(brain, "kettles are nice", turn_id="a")
    assert brain.catch_up() == 1
    brain.commit_turns([{"session_id": "s", "turn_id": "b", "user_id": "u", "messages": ODD_MESSAGES}])
    brain.open_turn("s", turn_id="c", user_id="u")
    brain.stage("s", "c", messages=[{"id": "m", "role": "user", "content": ODD}], user_id="u")
    brain.commit_turn("s", turn_id="c", user_id="u")
    assert {name for name, _ in seen} == {"extractor", "summarizer"}
    assert len(seen) >= 4
    assert {count for _, count in seen} == {0}


def test_the_asynchronous_brain_asks_a_model_too() -> None:
    note = {"type": "fact", "quote": "stairs are a problem", "field": "health", "value": "stairs are a problem"}

    async def told() -> list[str]:
        async with await AsyncSmartBrain.open(extractor=Model(RuntimeError("down"), [note])) as brain:
            result = await brain.commit_turn("s", messages=ODD_MESSAGES, user_id="u")
            assert result.pending
            assert await brain.catch_up() == 1
            return [item.key for item in await brain.memories(user_id="u")]

    assert asyncio.run(told()) == ["profile:user"]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("In the end it was going with Postgres, sort of.", {"type": "decision", "quote": "going with Postgres", "value": "Postgres"}),
        ("豆汁儿那玩意儿，喜欢的人里头得算我一个", {"type": "preference", "quote": "豆汁儿那玩意儿", "value": "豆汁儿"}),
    ],
)  # fmt: skip
def test_what_rules_only_suspect_a_model_may_read(
    make_brain: Callable[..., SmartBrain], text: str, note: dict[str, str]
) -> None:
    floor = commit(make_brain(), text)
    assert [(v.rule, v.action) for v in floor.explain.retention] == [("rules.cue", "skipped")]
    brain = make_brain(extractor=Model([note]))
    commit(brain, text)
    assert len(keys(brain)) == 1


def test_what_the_classifier_doubts_a_model_may_read(make_brain: Callable[..., SmartBrain]) -> None:
    text = "final answer from the committee, the 2027 conference goes to Ljubljana"
    floor = commit(make_brain(), text)
    assert [(v.rule, v.action) for v in floor.explain.retention] == [("rules.learned.dec", "skipped")]
    note = {"type": "decision", "quote": "the 2027 conference goes to Ljubljana", "value": "Ljubljana"}
    brain = make_brain(extractor=Model([note]))
    commit(brain, text)
    assert len(keys(brain)) == 1


def test_json_is_found_wherever_a_model_puts_it() -> None:
    assert read_json('Sure! {"notes": []} Anything else?') == {"notes": []}
    assert read_json('```json\n{"notes": [{"a": "}"}]}\n```') == {"notes": [{"a": "}"}]}
    assert read_json('{broken {"notes": []}') == {"notes": []}
    with pytest.raises(ValueError, match="no JSON object"):
        read_json("nothing here")


@pytest.mark.parametrize("take", [as_extractor, as_summarizer])
def test_what_is_no_model_is_refused(take: Callable[[Any], Any]) -> None:
    with pytest.raises(InputError, match="is no chat model"):
        take(42)
