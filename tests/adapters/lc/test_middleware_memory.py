"""What the model is shown, whose memory it is, and that none of it stays anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("langchain", reason="the extra 'langchain' is not installed")

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, SummarizationMiddleware, dynamic_prompt
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from typing_extensions import TypedDict

from smartbrain import AsyncSmartBrain, SmartBrain, Turn
from smartbrain.errors import InputError, ScopeError, StoreError
from smartbrain.ports import Extraction
from smartbrain.testing.fakes import CounterIds, ManualClock
from smartbrain.text.fence import CLOSE, OPEN
from smartbrain.text.tokens import HeuristicTokenCounter
from smartbrain.tool_texts import MEMORY_GUIDE
from smartbrain_lc import SmartBrainMiddleware, from_config, from_context
from smartbrain_lc.testing import ScriptedChat, calls

Turns = Callable[..., list[Turn]]
Run = Callable[..., Any]
SECRET = "the boat is called Nautilus"
ASK = "what is the boat called"


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def said(text: str, id: str | None = None) -> Any:
    return {"messages": [HumanMessage(text, id=id)]}


def know(brain: SmartBrain, session: str = "T", text: str = SECRET, **scopes: Any) -> None:
    """Something said in a session long ago; the turns after it push it out of the recent window."""
    brain.commit_turn(session, messages=[{"role": "user", "content": text}], turn_id="old", **scopes)
    for n in range(9):
        brain.commit_turn(session, messages=[{"role": "user", "content": f"note {n}"}], turn_id=f"n{n}", **scopes)


def system_text(prompt: list[Any]) -> str:
    systems = [m for m in prompt if isinstance(m, SystemMessage)]
    assert len(systems) <= 1
    assert not systems or isinstance(prompt[0], SystemMessage), "the system block stands at the front"
    return str(prompt[0].text) if systems else ""


# --- where it is put --------------------------------------------------------------------------------------------


def test_memory_stands_behind_the_system_prompt_in_every_call_of_a_turn(brain: SmartBrain, run: Run) -> None:
    know(brain)
    model = ScriptedChat(script=[calls(("weather", {"city": "Rome"}, "c1")), "Nautilus"])
    made = create_agent(
        model,
        [weather],
        system_prompt="Be nice.",
        middleware=[SmartBrainMiddleware(brain)],
        checkpointer=InMemorySaver(),
    )
    run(made, said(ASK), thread("T"))
    first, second = (system_text(prompt) for prompt in model.seen)
    assert first == second
    assert first.startswith("Be nice.\n\n" + MEMORY_GUIDE)
    assert SECRET in first
    assert first.rstrip().endswith(CLOSE)


def test_without_a_system_prompt_memory_is_the_system_message(brain: SmartBrain, run: Run) -> None:
    know(brain)
    model = ScriptedChat(script=["Nautilus"])
    run(create_agent(model, [], middleware=[SmartBrainMiddleware(brain, tools=False)]), said(ASK), thread("T"))
    assert system_text(model.seen[0]).startswith(OPEN)


def test_blocks_of_a_system_message_keep_their_cache_marks(brain: SmartBrain, run: Run) -> None:
    know(brain)
    model = ScriptedChat(script=["Nautilus"])
    base = {"type": "text", "text": "Be nice.", "cache_control": {"type": "ephemeral"}}
    made = create_agent(
        model, [], system_prompt=SystemMessage([base], id="s1"), middleware=[SmartBrainMiddleware(brain)]
    )
    run(made, said(ASK), thread("T"))
    system = model.seen[0][0]
    assert system.id == "s1"
    assert system.content[0] == base
    assert [SECRET in str(block) for block in system.content[1:]] == [False, True]


def test_what_does_not_depend_on_the_question_stands_before_what_does(brain: SmartBrain, run: Run) -> None:
    preference = {"preferences": [{"name": "tone", "value": "short answers", "confirmed": True}]}
    brain.commit_turn("T", preference, turn_id="p")
    know(brain)
    model = ScriptedChat(script=["x"])
    made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver())
    run(made, said(ASK), thread("T"))
    run(made, said("tell me about note 3"), thread("T"))
    first, second = (system_text(prompt) for prompt in model.seen)
    stable = first[: first.index(SECRET)].rpartition(OPEN)[0]
    assert "short answers" in stable
    assert second.startswith(stable)


def test_memory_can_stand_in_front_of_the_users_words(brain: SmartBrain, run: Run) -> None:
    know(brain)
    model = ScriptedChat(script=[calls(("weather", {"city": "Rome"}, "c1")), "Nautilus"])
    made = create_agent(
        model,
        [weather],
        system_prompt="Be nice.",
        middleware=[SmartBrainMiddleware(brain, placement="user")],
        checkpointer=InMemorySaver(),
    )
    out = run(made, said(ASK), thread("T"))
    for prompt in model.seen:
        user = [m for m in prompt if isinstance(m, HumanMessage)][-1]
        assert SECRET in user.text
        assert user.text.endswith(ASK)
        assert SECRET not in system_text(prompt)
    assert [type(m) for m in model.seen[1][-2:]] == [AIMessage, ToolMessage]
    assert out["messages"][0].text == ASK


def test_blocks_of_a_user_message_keep_their_form(brain: SmartBrain, run: Run) -> None:
    know(brain)
    model = ScriptedChat(script=["Nautilus"])
    content = [{"type": "text", "text": ASK}, {"type": "image", "url": "https://example.org/boat.png"}]
    made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain, placement="user")])
    run(made, {"messages": [HumanMessage(content)]}, thread("T"))
    assert model.seen[0][-1].content[1:] == content


def test_a_middleware_before_it_that_sets_the_prompt_does_not_cost_the_memory(brain: SmartBrain, run: Run) -> None:
    know(brain)
    model = ScriptedChat(script=["x"])

    @dynamic_prompt
    def prompt(request: Any) -> str:
        return "DYNAMIC"

    run(create_agent(model, [], middleware=[prompt, SmartBrainMiddleware(brain)]), said(ASK), thread("T"))
    assert system_text(model.seen[0]).startswith("DYNAMIC")
    assert SECRET in system_text(model.seen[0])


def test_what_is_injected_keeps_to_the_token_limit_guide_included(brain: SmartBrain, run: Run) -> None:
    for n in range(30):
        brain.commit_turn("T", messages=[{"role": "user", "content": f"boat {n} " + "word " * 300}], turn_id=f"t{n}")
    counter = HeuristicTokenCounter(brain.config.policies.composition.token_profile)
    for limit in (700, 1500, 4000):
        model = ScriptedChat(script=["x"])
        made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain, token_limit=limit)])
        run(made, said(ASK), thread("T"))
        extra = [m for m in model.seen[0] if m.text != ASK]
        assert sum(counter.count(str(m.text)) for m in extra) <= limit


def test_evidence_that_the_conversation_shows_anyway_is_not_repeated(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(script=["noted", *["ok"] * 12])
    made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver())
    run(made, said(SECRET), thread("T"))
    for n in range(10):
        run(made, said(f"note {n}"), thread("T"))
    run(made, said(ASK), thread("T"))
    prompt = model.seen[-1]
    assert sum(SECRET in str(m.text) for m in prompt) == 1
    assert SECRET not in system_text(prompt)


def test_what_a_memory_tool_brought_back_does_not_come_round_as_evidence(brain: SmartBrain, run: Run) -> None:
    know(brain, user_id="ada")
    model = ScriptedChat(script=[calls(("recall_history", {"query": "boat"}, "c1")), "Nautilus", "again"])
    made = create_agent(
        model, [], middleware=[SmartBrainMiddleware(brain, user_id="ada")], checkpointer=InMemorySaver()
    )
    run(made, said(ASK), thread("A"))
    run(made, said(ASK), thread("B"))
    shown = system_text(model.seen[-1])
    assert SECRET in shown
    assert "recall_history, " not in shown


# --- recent turns that the framework does not hold --------------------------------------------------------------


def test_without_a_checkpointer_the_recent_turns_come_back_as_messages(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(script=[calls(("weather", {"city": "Rome"}, "c1")), "sunny", "you asked about Rome"])
    made = create_agent(model, [weather], middleware=[SmartBrainMiddleware(brain)])
    first = run(made, said("weather?"), thread("T"))
    run(made, said("what did I ask?"), thread("T"))
    assert model.seen[-1][1:] == [*first["messages"], model.seen[-1][-1]]
    assert model.seen[-1][-1].text == "what did I ask?"


def test_with_a_checkpointer_no_message_is_shown_twice(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(script=["one", "two", "three"])
    made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver())
    for text in ("a", "b", "c"):
        run(made, said(text), thread("T"))
    assert [m.text for m in model.seen[-1][1:]] == ["a", "one", "b", "two", "c"]


def test_a_caller_that_rebuilds_the_history_sees_no_message_twice(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(script=["one", "two"])
    made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain)])
    run(made, {"messages": [("user", "a")]}, thread("T"))
    run(made, {"messages": [("user", "a"), ("assistant", "one"), ("user", "b")]}, thread("T"))
    assert [m.text for m in model.seen[-1][1:]] == ["a", "one", "b"]


def test_recent_turns_that_were_summarised_away_come_back(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(script=["r1", "r2", "r3"])
    summarise = SummarizationMiddleware(
        model=ScriptedChat(script=["SUMMARY"]), trigger=("messages", 4), keep=("messages", 1)
    )
    made = create_agent(model, [], middleware=[summarise, SmartBrainMiddleware(brain)], checkpointer=InMemorySaver())
    for number in (1, 2, 3):
        run(made, said(f"q{number}"), thread("T"))
    texts = [str(m.text) for m in model.seen[-1][1:]]
    assert texts[:4] == ["q1", "r1", "q2", "r2"]
    assert "SUMMARY" in texts[4]
    assert texts[5:] == ["q3"]


# --- nothing of it stays ----------------------------------------------------------------------------------------


def test_no_memory_text_is_in_state_checkpoints_or_pending_writes(brain: SmartBrain, run: Run) -> None:
    know(brain)
    saver = InMemorySaver()
    made = create_agent(
        ScriptedChat(script=["x"]), [weather], middleware=[SmartBrainMiddleware(brain)], checkpointer=saver
    )
    out = run(made, said(ASK), thread("T"))
    assert set(out) == {"messages"}
    assert "Nautilus" not in str(out)
    assert "Nautilus" not in str(made.get_state(thread("T")))
    kept = list(saver.list(thread("T")))
    assert kept
    assert all("Nautilus" not in str((c.checkpoint, c.metadata, c.pending_writes)) for c in kept)
    assert "Nautilus" not in str((saver.storage, saver.writes, saver.blobs))


def test_no_memory_text_is_in_any_stream(brain: SmartBrain) -> None:
    know(brain)
    made = create_agent(ScriptedChat(script=["the answer"]), [], middleware=[SmartBrainMiddleware(brain)])
    modes = ["values", "updates", "messages", "custom", "debug"]
    seen = list(made.stream(said(ASK), thread("T"), stream_mode=modes))
    assert {mode for mode, _ in seen} >= {"values", "updates", "messages"}
    assert "Nautilus" not in str(seen)

    async def read() -> list[Any]:
        return [part async for part in made.astream(said(ASK), thread("T"), stream_mode=modes)]

    assert "Nautilus" not in str(asyncio.run(read()))


def test_a_model_that_memory_itself_asks_is_not_heard_in_the_stream(clock: ManualClock, ids: CounterIds) -> None:
    inner = ScriptedChat(script=["HIDDEN WORDS"])

    class Asking:
        name = "asking"

        def extract(self, turn: Any, known: Any) -> Extraction:
            inner.invoke([HumanMessage("extract")])
            return Extraction()

    with SmartBrain.open(clock=clock, new_id=ids, extractor=Asking()) as brain:
        made = create_agent(ScriptedChat(script=["hello user"]), [], middleware=[SmartBrainMiddleware(brain)])
        heard = [c.text for c, _ in made.stream(said("q"), thread("T"), stream_mode="messages")]

        async def read() -> list[str]:
            return [c.text async for c, _ in made.astream(said("q"), thread("T"), stream_mode="messages")]

        heard_too = asyncio.run(read())
    assert len(inner.seen) == 2
    assert "".join(heard) == "".join(heard_too) == "hello user"


def test_the_request_and_its_messages_are_not_changed(brain: SmartBrain, run: Run) -> None:
    know(brain)
    seen: list[Any] = []

    class Outside(AgentMiddleware[Any, Any, Any]):
        def wrap_model_call(self, request: Any, handler: Any) -> Any:
            before = (request.system_message, [m.model_copy(deep=True) for m in request.messages])
            answer = handler(request)
            seen.append(before == (request.system_message, request.messages))
            return answer

        async def awrap_model_call(self, request: Any, handler: Any) -> Any:
            before = (request.system_message, [m.model_copy(deep=True) for m in request.messages])
            answer = await handler(request)
            seen.append(before == (request.system_message, request.messages))
            return answer

    made = create_agent(
        ScriptedChat(script=["x"]),
        [],
        system_prompt="Be nice.",
        middleware=[Outside(), SmartBrainMiddleware(brain, placement="user")],
    )
    run(made, said(ASK), thread("T"))
    assert seen == [True]


# --- whose memory -----------------------------------------------------------------------------------------------


@dataclass
class Context:
    session_id: str | None = None
    user_id: str | None = None


class Tenant(TypedDict):
    user_id: str


def test_the_session_is_the_contexts_then_the_thread(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = create_agent(
        ScriptedChat(script=["x"]), [], middleware=[SmartBrainMiddleware(brain)], context_schema=Context
    )
    run(made, said("in the context"), thread("T"), context=Context(session_id="C"))
    run(made, said("in the thread"), thread("T"), context=Context())
    assert turns("C")[0].messages[0].text == "in the context"
    assert turns("T")[0].messages[0].text == "in the thread"


@pytest.mark.parametrize("session", ["fixed", lambda runtime: "fixed"])
def test_a_session_that_is_given_wins(brain: SmartBrain, run: Run, turns: Turns, session: Any) -> None:
    made = create_agent(ScriptedChat(script=["x"]), [], middleware=[SmartBrainMiddleware(brain, session_id=session)])
    run(made, said("q"), thread("T"))
    assert len(turns("fixed")) == 1
    assert turns("T") == []


@pytest.mark.parametrize("on_error", ["warn", "raise"])
def test_without_a_session_the_run_stops_with_a_clear_error(brain: SmartBrain, run: Run, on_error: Any) -> None:
    made = create_agent(ScriptedChat(script=["x"]), [], middleware=[SmartBrainMiddleware(brain, on_error=on_error)])
    with pytest.raises(ScopeError, match="thread_id"):
        run(made, said("q"))


def test_without_a_user_memory_stays_in_its_thread(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(script=["noted", "?"])
    made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver())
    run(made, said(SECRET), thread("A"))
    run(made, said(ASK), thread("B"))
    assert "Nautilus" not in str(model.seen[-1])


@pytest.mark.parametrize(
    "user",
    ["ada", lambda runtime: "ada", from_context("user_id"), from_config("user"), None],
    ids=["value", "function", "context", "config", "context by default"],
)
def test_with_a_user_what_is_said_in_one_thread_is_known_in_the_next(brain: SmartBrain, run: Run, user: Any) -> None:
    model = ScriptedChat(script=["noted", "Nautilus", "?"])
    made = create_agent(
        model,
        [],
        middleware=[SmartBrainMiddleware(brain, user_id=user)],
        checkpointer=InMemorySaver(),
        context_schema=Tenant,
    )

    def config(name: str) -> Any:
        return {"configurable": {"thread_id": name, "user": "ada"}}

    run(made, said(SECRET), config("A"), context={"user_id": "ada"})
    run(made, said(ASK), config("B"), context={"user_id": "ada"})
    assert SECRET in system_text(model.seen[-1])


def test_a_user_may_be_a_number_and_the_brain_an_async_one(brain: SmartBrain, run: Run, turns: Turns) -> None:
    middleware = SmartBrainMiddleware(AsyncSmartBrain(brain), on_error="raise")
    made = create_agent(ScriptedChat(script=["x"]), [], middleware=[middleware], context_schema=Tenant)
    run(made, said("q"), thread("T"), context={"user_id": 42})
    assert len(turns("T", user_id="42")) == 1


def test_a_context_without_the_field_is_an_error_and_not_a_wider_memory(brain: SmartBrain, run: Run) -> None:
    for user in (from_context("user_id"), from_config("user")):
        made = create_agent(ScriptedChat(script=["x"]), [], middleware=[SmartBrainMiddleware(brain, user_id=user)])
        with pytest.raises(ScopeError, match="user"):
            run(made, said("q"), thread("T"))


def test_scopes_reach_the_brain(brain: SmartBrain, run: Run, turns: Turns) -> None:
    project = {"type": "project", "id": "boats"}
    scope = {"read": [project], "write": [project], "default_write": project}
    for given in (scope, lambda runtime: scope):
        made = create_agent(
            ScriptedChat(script=["x"]),
            [],
            middleware=[SmartBrainMiddleware(brain, domain_id="acme", scope_context=given)],
            checkpointer=InMemorySaver(),
        )
        run(made, said("q"), thread("T"))
    found = turns("T", domain_id="acme", scope_context=scope)
    assert [str(t.scope) for t in found] == ["acme/project:boats"] * 2
    assert turns("T") == []


def test_a_turn_that_is_resumed_without_its_context_stays_its_users(brain: SmartBrain, turns: Turns) -> None:
    model = ScriptedChat(script=[RuntimeError("503"), "fine"])
    made = create_agent(
        model, [], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver(), context_schema=Tenant
    )
    with pytest.raises(RuntimeError, match="503"):
        made.invoke(said("q"), thread("T"), context={"user_id": "ada"})
    made.invoke(None, thread("T"))
    assert [t.status for t in turns("T", user_id="ada")] == ["committed"]
    assert turns("T") == []


# --- faults -----------------------------------------------------------------------------------------------------


class Failing:
    """Lets a brain's methods fail while it is broken."""

    def __init__(self, brain: SmartBrain, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
        self.broken = True
        for name in names:
            monkeypatch.setattr(brain, name, self._guarded(getattr(brain, name)))

    def _guarded(self, method: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            if self.broken:
                raise StoreError("disk full")
            return method(*args, **kwargs)

        return call


EVERY_STEP = ("open_turn", "stage", "compose_context", "commit_turn", "recall_history")


@pytest.mark.parametrize("step", [*[(name,) for name in EVERY_STEP[:4]], EVERY_STEP], ids="-".join)
def test_a_store_that_fails_never_costs_the_answer_and_is_counted(
    brain: SmartBrain,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    step: tuple[str, ...],
) -> None:
    Failing(brain, monkeypatch, *step)
    model = ScriptedChat(script=[calls(("weather", {"city": "Rome"}, "c1")), "sunny"])
    made = create_agent(model, [weather], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver())
    out = run(made, said("q"), thread("T"))
    assert out["messages"][-1].text == "sunny"
    counts = brain.diagnostics()["metrics"]["counts"]
    assert sum(n for name, n in counts.items() if name.startswith("langchain_")) >= 1
    assert "disk full" in caplog.text


@pytest.mark.parametrize("step", EVERY_STEP[:4])
def test_a_caller_can_ask_for_the_error(
    brain: SmartBrain, run: Run, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    Failing(brain, monkeypatch, step)
    made = create_agent(ScriptedChat(script=["x"]), [], middleware=[SmartBrainMiddleware(brain, on_error="raise")])
    with pytest.raises(StoreError, match="disk full"):
        run(made, said("q"), thread("T"))


def test_a_turn_the_store_refused_is_there_after_catching_up(
    brain: SmartBrain, run: Run, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Failing(brain, monkeypatch, *EVERY_STEP)
    middleware = SmartBrainMiddleware(brain)
    model = ScriptedChat(script=[calls(("weather", {"city": "Rome"}, "c1")), "sunny"])
    made = create_agent(model, [weather], middleware=[middleware], checkpointer=InMemorySaver())
    run(made, said("q", "h1"), thread("T"))
    assert middleware.waiting == 1
    assert middleware.catch_up() == 0
    store.broken = False
    assert middleware.catch_up() == 1
    assert middleware.waiting == 0
    [turn] = turns("T")
    assert (turn.turn_id, turn.status, len(turn.messages)) == ("h1", "committed", 4)


def test_the_next_turn_that_goes_in_takes_the_waiting_ones_along(
    brain: SmartBrain, run: Run, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Failing(brain, monkeypatch, *EVERY_STEP)
    middleware = SmartBrainMiddleware(brain)
    made = create_agent(ScriptedChat(script=["x"]), [], middleware=[middleware], checkpointer=InMemorySaver())
    run(made, said("first", "h1"), thread("T"))
    store.broken = False
    run(made, said("second", "h2"), thread("T"))
    assert {t.turn_id: t.status for t in turns("T")} == {"h1": "committed", "h2": "committed"}
    assert middleware.waiting == 0


def test_wrong_settings_are_refused_at_once(brain: SmartBrain) -> None:
    for wrong in ({"placement": "middle"}, {"nested": "no"}, {"on_error": "ignore"}, {"tools": ["read_mind"]}):
        with pytest.raises(InputError):
            SmartBrainMiddleware(brain, **wrong)


def test_two_of_them_in_one_agent_can_be_named(brain: SmartBrain) -> None:
    with pytest.raises(AssertionError, match="duplicate"):
        create_agent(
            ScriptedChat(script=["x"]), [], middleware=[SmartBrainMiddleware(brain), SmartBrainMiddleware(brain)]
        )
    assert SmartBrainMiddleware(brain, name="other").name == "other"
