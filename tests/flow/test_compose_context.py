"""The read path through the public API."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smartbrain import SmartBrain
from smartbrain.contracts.context import SLOTS
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.contracts.scopes import resolve_access
from smartbrain.errors import InputError, NotFoundError, ScopeError
from smartbrain.testing.fakes import CounterIds, ManualClock

START = datetime(2024, 3, 1, 9, 0, tzinfo=UTC)


def chat(brain, session, *pairs, user_id=None, start=START):
    for n, (asked, answered) in enumerate(pairs):
        messages = [{"role": "user", "content": asked}]
        if answered is not None:
            messages.append({"role": "assistant", "content": answered})
        brain.commit_turn(session, messages=messages, user_id=user_id, occurred_at=start + timedelta(minutes=n))


def snippets(package):
    return [e.snippet for e in package.evidence]


def test_an_old_turn_is_found_beyond_the_recent_window(brain):
    chat(brain, "s", ("My sister Irma plays the bassoon in Graz", "How lovely!"))
    chat(brain, "s", *[(f"small talk number {n}", "ok") for n in range(30)], start=START + timedelta(days=1))
    package = brain.compose_context("s", "Which instrument does my sister play?")
    assert "bassoon" in snippets(package)[0]
    assert package.debug.why_selected
    assert package.evidence[0].source_uri.startswith("smartbrain://turn/")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我妹妹在成都学川剧", "妹妹学什么？"),
        ("我妹妹在成都学川剧", "妹妹學什麼？"),
        ("下周三我要去体检，医院在徐家汇", "体检在哪"),
        ("报销单号是 PR-4711", "PR-4711 是什么"),
        ("我们用ＰｏｓｔｇｒｅＳＱＬ存数据", "postgresql"),
    ],
)
def test_a_chinese_question_finds_a_chinese_memory(brain, said, asked):
    chat(brain, "s", ("今天天气不错", "是啊"), (said, "好的"), ("晚上吃什么好呢", "面条"))
    chat(brain, "s", *[(f"闲聊第{n}句", "嗯") for n in range(20)], start=START + timedelta(days=1))
    # The rules may have made a memory of it, which then stands first.
    assert said in snippets(brain.compose_context("s", asked))[:2]


def test_unrelated_questions_get_different_first_answers(brain):
    chat(
        brain,
        "s",
        ("The boiler was repaired by Mr Okafor", None),
        ("Our holiday is booked for Crete", None),
        ("The cat is called Biscuit", None),
        *[(f"filler sentence {n}", None) for n in range(15)],
    )
    firsts = {
        snippets(brain.compose_context("s", question))[0]
        for question in ("who repaired the boiler", "where is the holiday", "what is the cat called")
    }
    assert len(firsts) == 3


def test_memory_spans_the_sessions_of_one_user_and_stays_in_the_session_without_one(brain):
    chat(brain, "monday", ("my bike is a green Brompton", None), user_id="ann")
    chat(brain, "alone", ("my bike is a red Dahon", None))
    assert "Brompton" in snippets(brain.compose_context("friday", "what bike do I have?", user_id="ann"))[0]
    assert snippets(brain.compose_context("friday", "what bike do I have?")) == []
    assert brain.search("alone", "bike").evidences[0].snippet == "my bike is a red Dahon"


def test_sessions_of_one_user_keep_their_recent_turns_apart(brain):
    chat(brain, "a", ("in session a", "yes"), user_id="ann")
    chat(brain, "b", ("in session b", "yes"), user_id="ann")
    package = brain.compose_context("b", "go on", user_id="ann")
    assert {m.content for m in package.recent_turns} == {"in session b", "yes"}


def test_the_newest_turns_are_kept_oldest_first(brain):
    chat(brain, "s", *[(f"turn {n}", f"answer {n}") for n in range(12)])
    package = brain.compose_context("s", "and now?")
    assert [m.content for m in package.recent_turns if m.role == "user"] == [f"turn {n}" for n in range(4, 12)]


def test_twelve_matching_decisions_give_more_than_two_pieces_of_evidence(brain):
    # The Ruby original cut a memory's URI after the host, so that all memories shared one source.
    brain.commit_turn(
        "s", {"decisions": [{"decision": f"the parser uses strategy {n}", "topic": f"parser{n}"} for n in range(12)]}
    )
    items = [e for e in brain.compose_context("s", "which parser strategy?").evidence if e.ref.memory_item_id]
    assert len(items) >= 10
    assert len({e.source_uri for e in items}) == len(items)


def test_a_retracted_key_is_gone_from_every_context_in_all_its_versions(brain):
    for n in range(3):
        brain.commit_turn("s", {"decisions": [{"key": "decision:app:db", "decision": f"use engine {n} Zanzibar"}]})
    brain.commit_turn("s", {"retractions": [{"type": "decisions", "key": "decision:app:db"}]})
    assert brain.memories("s") == []
    package = brain.compose_context("s", "which Zanzibar engine?")
    assert [e for e in package.evidence if e.ref.memory_item_id] == []


def test_preferences_and_profile_stand_in_front_without_being_asked_for(brain):
    brain.commit_turn(
        "s",
        {
            "preferences": [{"scope": "writing", "name": "tone", "value": "terse", "confirmed": True}],
            "profile": [{"facts": [{"k": "name", "v": "Oluwaseun"}]}],
        },
    )
    text = "\n".join(b.text for b in brain.compose_context("s", "hello").system_blocks)
    assert "terse" in text
    assert "Oluwaseun" in text


def test_a_package_is_kept_until_something_is_written_that_it_may_see_and_in_a_named_turn_for_longer(brain):
    def kept(user_id):
        return len(brain._reading.kept_packages([resolve_access("s", user_id=user_id).default_write]))

    chat(brain, "s", ("The kettle is blue", "ok"), user_id="ann")
    for question in ("Which colour?", "Which kettle?"):
        brain.compose_context("s", question, user_id="ann")
    brain.compose_context("s", "Which colour?", user_id="bob")
    assert (kept("ann"), kept("bob")) == (2, 1)
    chat(brain, "s", ("The kettle is red", "ok"), user_id="ann", start=START + timedelta(hours=1))
    brain.compose_context("s", "Which colour?", user_id="ann", turn_id="t")
    assert (kept("ann"), kept("bob")) == (3, 1)
    brain.compose_context("s", "Which colour?", user_id="ann")
    assert (kept("ann"), kept("bob")) == (2, 1)


@pytest.mark.parametrize("silent", [0, 2, 8])
def test_turns_that_say_nothing_take_no_place_among_the_newest(brain, silent):
    chat(brain, "s", *[(f"said as number {n}", "ok") for n in range(12)])
    for n in range(silent):
        decision = {"decision": f"use number {n}", "topic": "numbers"}
        brain.commit_turn("s", {"decisions": [decision]}, occurred_at=START + timedelta(hours=1, minutes=n))
    shown = [turn.content for turn in brain.compose_context("s", "hello").recent_turns if turn.role == "user"]
    assert shown == [f"said as number {n}" for n in range(4, 12)]


def test_asked_twice_within_a_turn_the_answer_comes_from_the_cache(brain):
    chat(brain, "s", ("the kettle is blue", None))
    one = brain.compose_context("s", "kettle?", turn_id="t9")
    brain.open_turn("s", turn_id="t9")
    brain.stage("s", "t9", messages=[{"role": "user", "content": "kettle?", "id": "m"}])
    two = brain.compose_context("s", "kettle?", turn_id="t9")
    assert two is one
    assert brain.diagnostics()["metrics"]["counts"]["cache_hits"] == 1


def test_without_a_turn_a_write_makes_the_next_answer_fresh(brain):
    chat(brain, "s", ("the kettle is blue", None))
    before = brain.compose_context("s", "kettle colour?")
    chat(brain, "s", ("the kettle is now red", None), start=START + timedelta(days=1))
    after = brain.compose_context("s", "kettle colour?")
    assert before.context_id != after.context_id
    assert any("red" in s for s in [*snippets(after), *(str(m.content) for m in after.recent_turns)])


def test_as_of_gives_what_would_have_been_known_then(brain):
    brain.commit_turn(
        "s",
        {
            "messages": [{"role": "user", "content": "we take MySQL"}],
            "preferences": [{"scope": "tools", "name": "db", "value": "MySQL", "confirmed": True}],
        },
        occurred_at=START,
    )
    brain.commit_turn(
        "s",
        {
            "messages": [{"role": "user", "content": "we take Postgres"}],
            "preferences": [{"scope": "tools", "name": "db", "value": "Postgres", "confirmed": True}],
        },
        occurred_at=START + timedelta(days=10),
    )
    then = brain.compose_context("s", "which db?", as_of=START + timedelta(days=5))
    now = brain.compose_context("s", "which db?")
    assert "MySQL" in then.system_blocks[0].text
    assert "Postgres" not in then.to_text()
    assert "Postgres" in now.system_blocks[0].text
    assert "MySQL" not in now.system_blocks[0].text


@pytest.mark.parametrize(
    "message", ["", None, [], [{"type": "image_url", "image_url": {"url": "x"}}], "  ", "🙂", "\x00"]
)
def test_an_empty_or_media_only_message_still_composes(brain, message):
    chat(brain, "s", ("the kettle is blue", "noted"))
    package = brain.compose_context("s", message)
    assert package.recent_turns
    assert package.constraints.token_budget.used_estimate <= package.constraints.token_budget.limit


@pytest.mark.parametrize(
    "text",
    [
        'a" OR NEAR(b',
        "'; DROP TABLE turns;--",
        "*",
        "a NEAR/2 b",
        "(",
        "col:x",
        "NUL\x00inside",
        "\ud800 lone",
        "مرحبا بالعالم",
        "👩‍👩‍👧‍👦 family",
        "ｆｕｌｌｗｉｄｔｈ ＰＲ－４７",
        "%_like\\",
    ],
)
def test_hostile_text_is_stored_equal_and_searched_safely(brain, text):
    brain.commit_turn("s", messages=[{"role": "user", "content": text}])
    assert brain.recall_history("s")[0].messages[0].content == text
    brain.search("s", text)
    brain.compose_context("s", text)


def test_a_megabyte_message_is_stored_equal_and_composes_within_the_limit(brain):
    text = "The quick brown fox 狐狸 jumps. " * 33_000
    brain.commit_turn("s", messages=[{"role": "user", "content": text}])
    assert brain.recall_history("s")[0].messages[0].content == text
    package = brain.compose_context("s", text, token_limit=2000)
    assert package.constraints.token_budget.used_estimate <= 2000


@pytest.mark.parametrize("limit", [0, -1, 1.5, "8k", True])
def test_a_token_limit_that_is_no_number_of_tokens_is_refused(brain, limit):
    with pytest.raises(InputError, match="token_limit"):
        brain.compose_context("s", "hi", token_limit=limit)


def test_reading_without_any_scope_is_an_error(brain):
    with pytest.raises(ScopeError):
        brain.memories()
    with pytest.raises(ScopeError):
        brain.search(None, "x")
    with pytest.raises(ScopeError):
        brain.compose_context("s", "x", domain_id="acme", scope_context={"read": []})
    with pytest.raises(ScopeError):
        brain.compose_context("s", "x", scope_context={"read": [{"type": "project", "id": "p"}]})


def test_domains_that_look_alike_are_kept_apart(brain):
    for name in ("acme", "ACME", "acme-corp", "acme_corp", "acme%", "acme "):
        brain.commit_turn("s", messages=[{"role": "user", "content": f"canary of {name!r}"}], domain_id=name)
    for name in ("acme", "ACME", "acme-corp", "acme_corp", "acme%", "acme "):
        found = [e.snippet for e in brain.search("s", "canary", domain_id=name).evidences]
        assert found == [f"canary of {name!r}"]


def test_replay_gives_the_same_package_again(brain):
    chat(brain, "s", ("the kettle is blue", "noted"), ("the cat sleeps", "aww"))
    package = brain.compose_context("s", "what colour is the kettle?")
    replay = brain.replay(package.context_id, session_id="s")
    assert replay.package == package
    assert replay.same


def test_replay_works_from_the_store_after_the_brain_was_closed(make_brain, tmp_path):
    first = make_brain(tmp_path / "a.db")
    chat(first, "s", ("the kettle is blue", "noted"))
    package = first.compose_context("s", "kettle?")
    first.close()
    assert make_brain(tmp_path / "a.db").replay(package.context_id, session_id="s").package == package


def test_replay_under_another_configuration_tells_what_changed(brain):
    chat(brain, "s", *[(f"the kettle number {n} is blue", None) for n in range(20)])
    package = brain.compose_context("s", "kettle?")
    replay = brain.replay(
        package.context_id, session_id="s", config={"policies": {"composition": {"evidence_max_items": 2}}}
    )
    assert not replay.same
    assert replay.diff.config == {"policies.composition.evidence_max_items": (12, 2)}
    assert replay.diff.slots["evidence"]["removed"]
    assert len(replay.package.evidence) == 2


def test_replay_of_another_scope_s_context_is_refused(brain):
    package = brain.compose_context("s", "hi", user_id="ann")
    with pytest.raises(NotFoundError):
        brain.replay(package.context_id, user_id="bob")


def test_a_plan_is_run_literally(brain):
    chat(brain, "s", ("the kettle is blue", None), ("the kettle was red", None))
    plan = RetrievalPlan.model_validate(
        {
            "queries": [{"text": "kettle", "mode": "exact"}],
            "global_filters": {"time_range": {"from": START + timedelta(seconds=30)}, "tag_ids": ["x"]},
        }
    )
    pack = brain.search("s", "ignored", plan=plan)
    assert [e.snippet for e in pack.evidences] == ["the kettle was red"]
    assert pack.explain.ignored_fields == ("global_filters.tag_ids",)


def test_a_slow_or_broken_resource_client_costs_a_warning_not_the_answer(make_brain):
    class Broken:
        def retrieve(self, plan, *, scopes, timeout):
            raise RuntimeError("backend down")

        def offer(self, refs, *, scope):
            raise RuntimeError("backend down")

    brain = make_brain(resources=Broken())
    brain.commit_turn(
        "s", {"messages": [{"role": "user", "content": "x"}], "refs": [{"type": "url", "uri": "https://e.org"}]}
    )
    package = brain.compose_context("s", "please compare the papers")
    assert any("backend down" in w for w in package.debug.warnings)
    counts = brain.diagnostics()["metrics"]["counts"]
    assert (counts["resource_failures"], counts["resource_offer_failures"]) == (1, 1)


words = st.text(alphabet="abc 中文?。\n{}<>/", max_size=60)
blocks = st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": words}), max_size=3)


@st.composite
def turns(draw):
    messages = [{"role": "user", "content": draw(st.one_of(words, st.none(), blocks))}]
    for group in range(draw(st.integers(0, 2))):
        calls = [
            {"id": f"c{group}{n}", "name": "f", "args": {"q": draw(words)}} for n in range(draw(st.integers(1, 2)))
        ]
        messages.append({"role": "assistant", "content": draw(st.one_of(words, st.none())), "tool_calls": calls})
        messages += [{"role": "tool", "content": draw(words) * 20, "tool_call_id": c["id"]} for c in calls]
    messages.append({"role": "assistant", "content": draw(words)})
    return messages


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(history=st.lists(turns(), max_size=8), message=st.one_of(words, st.none(), blocks), limit=st.integers(64, 4000))
def test_for_any_history_and_limit_the_budget_is_held_and_tool_pairs_are_whole(history, message, limit):
    with SmartBrain.open(":memory:", clock=ManualClock(), new_id=CounterIds()) as brain:
        for messages in history:
            brain.commit_turn("s", messages=messages)
        package = brain.compose_context("s", message, token_limit=limit)
    budget = package.constraints.token_budget
    assert budget.used_estimate <= limit
    assert sum(budget.by_slot.values()) == budget.used_estimate
    assert set(budget.by_slot) <= {*SLOTS, "overhead"}
    open_calls = set()
    for sent in package.to_messages():
        if sent["role"] == "tool":
            assert sent["tool_call_id"] in open_calls
            open_calls.discard(sent["tool_call_id"])
        else:
            assert not open_calls
            open_calls = {c["id"] for c in sent.get("tool_calls") or ()}
    assert not open_calls


# Names that differ in case only must not be told apart by case alone in this test.
CANARY = {"ann": "qoppa", "bob": "sampi", "Ann": "digamma"}


@settings(max_examples=25)
@given(
    writes=st.lists(
        st.tuples(st.sampled_from(["ann", "bob", "Ann"]), st.sampled_from(["s1", "s2"]), st.integers(0, 9)),
        min_size=1,
        max_size=20,
    ),
    reader=st.sampled_from(["ann", "bob", "Ann"]),
)
def test_nothing_of_one_user_is_ever_in_another_user_s_context(writes, reader):
    with SmartBrain.open(":memory:", clock=ManualClock(), new_id=CounterIds()) as brain:
        for user, session, n in writes:
            brain.commit_turn(
                session,
                {
                    "messages": [{"role": "user", "content": f"canary{CANARY[user]}{n} about the kettle"}],
                    "decisions": [{"decision": f"canary{CANARY[user]}{n} kettle", "topic": f"kettle{n}"}],
                    "refs": [{"type": "url", "uri": f"https://example.org/canary{CANARY[user]}{n}"}],
                },
                user_id=user,
            )
        for session in ("s1", "s2", "s3"):
            package = brain.compose_context(session, "what about the kettle and canary?", user_id=reader)
            text = package.to_text() + package.to_json() + package._repr_html_()
            for other in {"ann", "bob", "Ann"} - {reader}:
                assert f"canary{CANARY[other]}" not in text


def test_a_question_about_something_never_said_has_little_support(brain):
    chat(brain, "s", ("my sister Irma plays the bassoon in Graz", None), *[(f"filler {n}", None) for n in range(10)])
    said = brain.search("s", "where does my sister Irma play the bassoon?")
    never = brain.search("s", "what colour is the tractor of the mayor?")
    assert said.support > 0.3
    assert never.support < 0.1
    assert brain.compose_context("s", "where does my sister Irma play the bassoon?").debug.support == said.support
