"""Forgetting through the front door: what was said is gone from rows, index, caches and files, and nothing else is."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smartbrain import AsyncSmartBrain, ForgetReceipt, SmartBrain
from smartbrain.config import BrainConfig
from smartbrain.errors import InputError, ScopeError
from smartbrain.model import Candidate, Turn
from smartbrain.ports import Extraction
from smartbrain.stores import open_storage
from smartbrain.testing.fakes import ManualClock

CANARY = "quetzalcoatlus"
HAN = "翼龙密语"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "brain.db"


@pytest.fixture
def brain(path: Path) -> Iterator[SmartBrain]:
    with opened(path) as brain:
        yield brain


def opened(path: Path | str = ":memory:", **plugins: Any) -> SmartBrain:
    return SmartBrain.open(path, config={"store": {"durability": "normal"}}, clock=ManualClock(), **plugins)


def say(
    brain: SmartBrain, *texts: str, user: str = "ann", session: str = "s1", turn: str | None = None, **more: Any
) -> Any:
    messages = [{"role": "user" if n % 2 == 0 else "assistant", "content": text} for n, text in enumerate(texts)]
    brain._shop.clock.advance(60)  # type: ignore[attr-defined]
    return brain.commit_turn(session, {"messages": messages, **more}, user_id=user, turn_id=turn)


def in_files(path: Path, *texts: str) -> list[str]:
    """The files of a store in which one of the texts stands, in any encoding and as JSON escapes."""
    forms = [form for text in texts for form in (text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"))]
    forms += [text.encode("ascii", "backslashreplace") for text in texts]
    files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    return [file.name for file in files if any(form in file.read_bytes() for form in forms)]


def tell_all(brain: SmartBrain, user: str = "ann", word: str = CANARY) -> None:
    """The word in every kind of place."""
    say(brain, f"I live in {word}. My favourite food is {word} soup.", f"so you live in {word}", user=user, turn="t1")
    say(
        brain,
        f"Please remember {word}. {HAN}",
        user=user,
        turn="t2",
        decisions=[{"topic": "place", "decision": f"we meet in {word}"}],
        tasks=[{"title": f"visit {word}"}],
        tool_calls=[{"id": "c1", "name": "look", "args": {"at": word}, "result": {"text": word}}],
        refs=[{"type": "url", "uri": f"https://{word}.example"}],
        preferences=[{"scope": "writing", "name": "tone", "value": word, "confirmed": True}],
    )
    brain.compose_context("s1", f"what about {word}?", user_id=user)
    brain.open_turn("s1", turn_id="t3", user_id=user)
    brain.stage("s1", "t3", messages=[{"id": "m", "role": "user", "content": word}], user_id=user)


def test_everything_of_a_user_is_gone_from_rows_caches_and_files(brain: SmartBrain, path: Path) -> None:
    tell_all(brain)
    for n in range(40):
        say(brain, f"harmless {n} about {CANARY if n % 3 == 0 else 'the weather'}")
    brain.compose_context("s1", "anything?", user_id="ann", turn_id="now")
    say(brain, "keep this pangolin", user="ben")
    assert in_files(path, CANARY)
    assert not brain.verify_forgotten(CANARY, user_id="ann")
    receipt = brain.forget(user_id="ann", everything=True)
    assert isinstance(receipt, ForgetReceipt)
    assert not receipt.warnings
    assert receipt.counts["turns"] >= 42
    assert receipt.counts["contexts"] >= 2
    assert receipt.counts["staged"] == 1
    assert brain.verify_forgotten(CANARY, user_id="ann")
    assert in_files(path, CANARY, HAN, "ann") == []
    assert in_files(path, "pangolin")
    assert not brain.search(None, CANARY, user_id="ann").evidences
    assert brain.search(None, "pangolin", user_id="ben").evidences
    assert CANARY not in str(brain.diagnostics())


@pytest.mark.parametrize("turns", [1, 45, 300])
def test_the_bytes_of_one_turn_are_gone_whether_its_index_rows_are_packed_or_flushed(path: Path, turns: int) -> None:
    with opened(path) as brain:
        say(brain, f"meet me in {CANARY} {HAN}", turn="secret")
        for n in range(turns):
            say(brain, f"weather report number {n} of Oslo", session=f"s{n % 7}")
        brain.forget(user_id="ann", turn_id="secret")
        assert in_files(path, CANARY, HAN) == []
        assert len(brain.search(None, "Oslo weather", user_id="ann", k=100).evidences) == min(turns, 100)
        assert brain.verify_forgotten(HAN, user_id="ann")


def test_a_dry_run_counts_exactly_and_deletes_nothing(brain: SmartBrain) -> None:
    tell_all(brain)
    before = brain.verify_forgotten(CANARY, user_id="ann").found
    dry = brain.forget(user_id="ann", session_id="s1", dry_run=True)
    assert dry.dry_run
    assert brain.verify_forgotten(CANARY, user_id="ann").found == before
    real = brain.forget(user_id="ann", session_id="s1")
    assert real == dry.model_copy(update={"dry_run": False})
    again = brain.forget(user_id="ann", session_id="s1")
    assert not any(again.counts.values())
    assert not again.item_ids


def test_forgetting_needs_a_scope_and_one_wish(brain: SmartBrain) -> None:
    with pytest.raises(ScopeError):
        brain.forget(everything=True)
    with pytest.raises(ScopeError):
        brain.verify_forgotten("x")
    wrong: list[dict[str, Any]] = [{}, {"item_id": "a", "query": "b"}, {"everything": True, "session_id": "s1"}]
    for wish in [*wrong, {"query": " "}, {"everything": True, "turn_id": "t"}]:
        with pytest.raises(InputError):
            brain.forget(user_id="ann", **wish)
    read_only = {"read": [{"type": "global", "id": "default"}], "write": []}
    with pytest.raises(ScopeError):
        brain.forget(domain_id="ann", scope_context=read_only, everything=True)


def test_an_item_said_twice_lives_on_with_its_other_source(brain: SmartBrain) -> None:
    say(brain, "I prefer short answers", turn="t1", preferences=[_tone("terse", f"because of {CANARY}")])
    say(brain, "as I said", turn="t2", preferences=[_tone("terse")])
    (item,) = brain.memories(user_id="ann", key="pref:writing:tone")
    assert len(item.sources) == 2
    receipt = brain.forget(user_id="ann", turn_id="t1")
    (left,) = brain.memories(user_id="ann", key="pref:writing:tone")
    assert left.id == item.id
    assert [source.turn_id for source in left.sources] == ["t2"]
    assert left.source_turn_id == "t2"
    assert item.id in receipt.kept
    assert item.id not in receipt.item_ids
    assert brain.verify_forgotten(CANARY, user_id="ann")


def _tone(value: str, note: str | None = None) -> dict[str, Any]:
    return {"scope": "writing", "name": "tone", "value": value, "confirmed": True, **({"why": note} if note else {})}


def test_a_later_version_loses_what_it_took_from_a_forgotten_one(brain: SmartBrain) -> None:
    say(brain, "first", turn="t1", profile=[{"facts": [{"k": "city", "v": CANARY}]}])
    say(brain, "second", turn="t2", profile=[{"facts": [{"k": "job", "v": "baker"}]}])
    brain.forget(user_id="ann", turn_id="t1")
    (profile,) = brain.memories(user_id="ann", type="profile")
    assert [fact["k"] for fact in profile.value["facts"]] == ["job"]
    assert brain.verify_forgotten(CANARY, user_id="ann")


def test_what_a_forgotten_turn_replaced_is_in_force_again(brain: SmartBrain) -> None:
    say(brain, "one", turn="t1", preferences=[_tone("terse")])
    say(brain, "two", turn="t2", preferences=[_tone(CANARY)])
    receipt = brain.forget(user_id="ann", turn_id="t2")
    (now,) = brain.memories(user_id="ann", key="pref:writing:tone", status=None)
    assert (now.value["value"], now.status, now.superseded_by) == ("terse", "active", None)
    assert "in force again" in receipt.kept[now.id]


def test_an_item_goes_with_the_versions_and_edits_it_came_from_and_the_turns_that_said_it(brain: SmartBrain) -> None:
    say(brain, "one", turn="t1", preferences=[_tone(CANARY)])
    (item,) = brain.memories(user_id="ann")
    edited = brain.edit(item.id, {"value": f"{CANARY} indeed"}, user_id="ann")
    say(brain, "two", turn="t2", tasks=[{"title": "buy bread"}])
    receipt = brain.forget(user_id="ann", item_id=edited.id)
    assert {item.id, edited.id} <= set(receipt.item_ids)
    assert receipt.counts["turns"] == 2
    assert [kept.type for kept in brain.memories(user_id="ann", status=None)] == ["tasks"]
    assert brain.verify_forgotten(CANARY, user_id="ann")
    brain.rebuild(user_id="ann")
    assert [kept.type for kept in brain.memories(user_id="ann", status=None)] == ["tasks"]


def test_edits_of_a_forgotten_item_go_with_its_turn(brain: SmartBrain) -> None:
    say(brain, "one", turn="t1", preferences=[_tone("terse")])
    (item,) = brain.memories(user_id="ann")
    brain.edit(item.id, {"value": CANARY}, user_id="ann")
    brain.forget(user_id="ann", turn_id="t1")
    assert brain.verify_forgotten(CANARY, user_id="ann")
    assert not brain.memories(user_id="ann", status=None)


def test_a_message_goes_and_its_turn_stays(brain: SmartBrain) -> None:
    say(brain, f"I live in {CANARY}", "how nice", turn="t1")
    brain.forget(user_id="ann", message_id="t1#0")
    (turn,) = brain.recall_history(None, turn_ids=["t1"], user_id="ann")
    assert [message.text for message in turn.messages] == ["how nice"]
    assert brain.verify_forgotten(CANARY, user_id="ann")


def test_an_ambiguous_id_is_an_error_until_the_session_is_named(brain: SmartBrain) -> None:
    say(brain, "first", session="s1", turn="t")
    say(brain, "second", session="s2", turn="t")
    with pytest.raises(InputError, match="session_id"):
        brain.forget(user_id="ann", turn_id="t")
    assert brain.forget(user_id="ann", turn_id="t", session_id="s2").counts["turns"] == 1
    assert [turn.session_id for turn in brain.recall_history(None, turn_ids=["t"], user_id="ann")] == ["s1"]


def test_a_query_forgets_what_it_finds_and_a_session_narrows_it(brain: SmartBrain) -> None:
    say(brain, f"the {CANARY} flies", session="s1")
    say(brain, f"the {CANARY} sleeps", session="s2")
    say(brain, "bread is baked", session="s2")
    assert brain.forget(user_id="ann", session_id="s2", query=CANARY).counts["turns"] == 1
    assert brain.verify_forgotten(CANARY, user_id="ann").found["messages"] == 1
    brain.forget(user_id="ann", query=CANARY)
    assert brain.verify_forgotten(CANARY, user_id="ann")
    assert brain.search(None, "bread", user_id="ann").evidences


def test_summaries_are_made_anew_from_the_turns_that_stay(brain: SmartBrain) -> None:
    for n in range(30):
        secret = {"decisions": [{"topic": "place", "decision": CANARY}]} if n == 3 else {}
        say(brain, f"line {n}", turn=f"t{n}", tasks=[{"title": f"chore number {n}"}], **secret)
    with brain._shop.storage.read() as reader:
        scope = reader.turns(brain._shop.storage.scopes("ann"))[0].scope
        assert CANARY in str(reader.summary([scope], "s1"))
    receipt = brain.forget(user_id="ann", turn_id="t3")
    assert receipt.counts["summaries"] > 0
    with brain._shop.storage.read() as reader:
        summary = reader.summary([scope], "s1")
    assert summary is not None
    assert "chore number" in summary.text
    assert brain.verify_forgotten(CANARY, user_id="ann")


def test_a_crash_in_the_middle_leaves_everything(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from smartbrain.stores.sql.forgetting import Forgetting

    with opened(path) as brain:
        tell_all(brain)
        before = brain.verify_forgotten(CANARY, user_id="ann").found

        def fail(*_: object) -> None:
            raise RuntimeError("the power went")

        with monkeypatch.context() as patch:
            patch.setattr(Forgetting, "_tidy", fail)
            with pytest.raises(RuntimeError):
                brain.forget(user_id="ann", everything=True)
        assert brain.verify_forgotten(CANARY, user_id="ann").found == before
        assert brain.search(None, CANARY, user_id="ann").evidences


def test_what_a_crash_left_in_the_files_is_gone_when_the_store_is_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from smartbrain.stores.sqlite.storage import SqliteStorage

    with opened(path) as brain:
        tell_all(brain)
        monkeypatch.setattr(SqliteStorage, "scrub", lambda _: "not now")
        assert brain.forget(user_id="ann", everything=True).warnings == ("not now",)
    monkeypatch.undo()
    open_storage(path).close()
    assert in_files(path, CANARY) == []


def test_a_reader_that_stays_makes_a_warning_and_the_next_opening_cleans_up(path: Path) -> None:
    config = BrainConfig.load({"store": {"busy_timeout_ms": 50}})
    with SmartBrain.open(path, config=config, clock=ManualClock()) as brain:
        tell_all(brain)
        ready, go = threading.Event(), threading.Event()

        def hold() -> None:
            with brain._shop.storage.read():
                ready.set()
                go.wait(20)

        thread = threading.Thread(target=hold)
        thread.start()
        ready.wait(20)
        try:
            receipt = brain.forget(user_id="ann", everything=True)
        finally:
            go.set()
            thread.join()
        assert receipt.counts["turns"]
        assert "until it is opened again" in receipt.warnings[0]
    open_storage(path).close()
    assert in_files(path, CANARY) == []


def test_another_process_serves_no_package_from_before(path: Path) -> None:
    with opened(path) as mine, opened(path) as theirs:
        say(mine, f"we meet in {CANARY}")
        asked = {"user_id": "ann", "turn_id": "now"}
        assert CANARY in theirs.compose_context("s1", "where do we meet?", **asked).to_json()
        mine.forget(user_id="ann", everything=True)
        assert CANARY not in theirs.compose_context("s1", "where do we meet?", **asked).to_json()
        theirs.commit_turn("s9", messages=[{"role": "user", "content": "hello"}], user_id="ann")
        assert mine.verify_forgotten(CANARY, user_id="ann"), "a context that waited there was not written"


def test_the_async_brain_forgets_too() -> None:
    async def run() -> None:
        async with await AsyncSmartBrain.open() as brain:
            await brain.commit_turn("s1", messages=[{"role": "user", "content": CANARY}], user_id="ann")
            assert (await brain.forget(user_id="ann", everything=True)).counts["turns"] == 1
            assert await brain.verify_forgotten(CANARY, user_id="ann")

    asyncio.run(run())


def test_a_lone_session_is_its_own_scope(brain: SmartBrain) -> None:
    brain.commit_turn("s1", messages=[{"role": "user", "content": CANARY}])
    brain.commit_turn("s2", messages=[{"role": "user", "content": CANARY}])
    assert brain.forget(session_id="s1").counts["turns"] == 1
    assert brain.verify_forgotten(CANARY, session_id="s1")
    assert not brain.verify_forgotten(CANARY, session_id="s2")


Said = tuple[str, str, int]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    said=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.integers(0, 4)), min_size=1, max_size=14),
    which=st.integers(0, 13),
    whole=st.booleans(),
)
def test_nothing_of_another_user_session_or_turn_is_touched(said: list[Said], which: int, whole: bool) -> None:
    with opened() as brain:
        words = []
        for n, (user, session, kind) in enumerate(said):
            word = f"canary{'abcdefghijklmn'[n]}zz"
            more = {"tasks": [{"title": f"do {word}"}]} if kind == 1 else {}
            more |= {"preferences": [_tone(word)]} if kind == 2 else {}
            say(brain, f"note {word}", user=user, session=session, turn=f"t{n}", **more)
            words.append(word)
        user, session, _ = said[which % len(said)]
        chosen = f"t{which % len(said)}"
        if whole:
            brain.forget(user_id=user, session_id=session)
        else:
            brain.forget(user_id=user, turn_id=chosen)
        for n, (who, where, kind) in enumerate(said):
            gone = (who, where) == (user, session) if whole else f"t{n}" == chosen
            check = brain.verify_forgotten(words[n], user_id=who)
            assert bool(check) == gone, (words[n], check.found)
            found = [e.snippet for e in brain.search(None, words[n], user_id=who).evidences]
            assert any(re.search(words[n], text) for text in found) != gone
            if kind == 1:
                tasks = [item.text for item in brain.memories(user_id=who, type="tasks")]
                assert any(words[n] in text for text in tasks) != gone


class _Model:
    """A model that hears a preference wherever somebody is gruff."""

    name = "model"

    def extract(self, turn: Turn, known: Any) -> Extraction:
        if not any("gruff" in message.text for message in turn.messages):
            return Extraction()
        value = {"scope": "writing", "name": "manner", "value": "plain", "confirmed": True}
        message = turn.messages[0]
        heard = Candidate(
            type="preferences",
            key="pref:writing:manner",
            value=value,
            confidence=0.9,
            rule="model",
            confirmed=True,
            message_id=message.id,
            span=(0, len(message.text)),
            quote=message.text,
            scope=turn.scope,
            occurred_at=turn.occurred_at,
        )
        return Extraction(candidates=(heard,))


def test_what_only_a_model_could_read_again_keeps_its_wording_and_the_receipt_says_so() -> None:
    with opened(extractor=_Model()) as brain:
        say(brain, f"gruff in {CANARY}", turn="t1")
        say(brain, "gruff again", turn="t2")
        (item,) = brain.memories(user_id="ann", key="pref:writing:manner")
        receipt = brain.forget(user_id="ann", turn_id="t1")
        (left,) = brain.memories(user_id="ann", key="pref:writing:manner")
        assert (left.id, left.source_turn_id, left.seen) == (item.id, "t2", 1)
        assert "keeps its wording" in receipt.kept[item.id]
        assert brain.verify_forgotten(CANARY, user_id="ann")
        brain.forget(user_id="ann", turn_id="t2")
        assert not brain.memories(user_id="ann", status=None)
