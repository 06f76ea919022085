"""The store: exact namespaces, verbatim values, and no difference to LangGraph's own but for faults of theirs."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langgraph", reason="the extra 'langchain' is not installed")

from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from smartbrain import SmartBrain
from smartbrain.errors import ClosedError, InputError, StoreError, StoreOpenError
from smartbrain.testing.fakes import ManualClock
from smartbrain_lc import SmartBrainStore
from smartbrain_lc.testing import ScriptedChat, calls

Run = Callable[..., Any]


@pytest.fixture
def store(clock: ManualClock) -> Any:
    with SmartBrainStore(clock=clock) as store:
        yield store


NEIGHBOURS = [
    ("acme",),
    ("acme-corp",),
    ("acme_corp",),
    ("acmeXcorp",),
    ("ACME",),
    ("acme", "x"),
    ("ac%",),
    ("ac_e",),
    ("acme/",),
    ("公司",),
    ("公司二",),
    ("😀",),
    ("e\u0301",),
    ("\u00e9",),
    (" acme",),
    ("*",),
    ("\ud800",),
]


def test_namespaces_are_compared_whole_and_case_exact(store: SmartBrainStore) -> None:
    for namespace in NEIGHBOURS:
        store.put(namespace, "k", {"own": list(namespace)})
    for namespace in NEIGHBOURS:
        item = store.get(namespace, "k")
        assert item is not None
        assert (item.namespace, item.value) == (namespace, {"own": list(namespace)})
        under = [ns for ns in NEIGHBOURS if ns[: len(namespace)] == namespace]
        assert {i.namespace for i in store.search(namespace, limit=99)} == set(under)
        store.delete(namespace, "k")
        assert store.get(namespace, "k") is None
    assert store.search((), limit=99) == []


@pytest.mark.parametrize("key", ["k", "K", "a.b", "", "%", "_", "\x00", "钥匙", "\ud800", "x" * 5000])
def test_any_text_is_a_key(store: SmartBrainStore, key: str) -> None:
    store.put(("n",), "other", {"v": 0})
    store.put(("n",), key, {"v": 1})
    item = store.get(("n",), key)
    assert item is not None
    assert (item.key, item.value) == (key, {"v": 1})


@pytest.mark.parametrize("namespace", [(), ("a.b",), ("",), ("langgraph", "x"), ("a", ""), ("a\x00b",), (1,)])
def test_namespaces_langgraph_refuses_are_refused_on_every_way_in(store: SmartBrainStore, namespace: Any) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {})
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(namespace, "k", {})])
    if namespace and namespace[0] != "langgraph":
        for op in (
            GetOp(namespace, "k"),
            SearchOp(namespace),
            ListNamespacesOp((MatchCondition("prefix", namespace),)),
        ):
            with pytest.raises(InvalidNamespaceError):
                store.batch([op])


def test_a_value_comes_back_word_for_word_and_as_a_copy(store: SmartBrainStore) -> None:
    value = {"text": "I prefer tea\x00\ud800", "n": [1, 2.5, None, True], "o": {"": {"深": "く"}}}
    store.put(("n",), "k", value)
    item = store.get(("n",), "k")
    assert item is not None
    assert item.value == value
    item.value["text"] = "changed"
    again = store.get(("n",), "k")
    assert again is not None
    assert again.value == value


def test_a_value_that_is_no_json_is_refused_and_nothing_of_its_batch_is_written(store: SmartBrainStore) -> None:
    with pytest.raises(InputError, match="'bad'"):
        store.batch([PutOp(("n",), "good", {"v": 1}), PutOp(("n",), "bad", {"v": object()})])
    assert store.search(("n",)) == []


def test_an_update_keeps_when_it_was_made(store: SmartBrainStore, clock: ManualClock) -> None:
    store.put(("n",), "k", {"v": 1})
    made = clock.now()
    clock.advance(60)
    store.put(("n",), "k", {"v": 2})
    item = store.get(("n",), "k")
    assert item is not None
    assert (item.created_at, item.updated_at) == (made, clock.now())


def test_reads_of_a_batch_see_the_state_before_it_and_the_last_put_wins(store: SmartBrainStore) -> None:
    results = store.batch(
        [
            PutOp(("z",), "k", {"v": 1}),
            GetOp(("z",), "k"),
            PutOp(("z",), "k", {"v": 2}),
            SearchOp(("z",)),
            ListNamespacesOp(),
        ]
    )
    assert results == [None, None, None, [], []]
    item = store.get(("z",), "k")
    assert item is not None
    assert item.value == {"v": 2}


def test_asking_makes_no_namespace(store: SmartBrainStore) -> None:
    store.get(("never",), "k")
    store.delete(("never",), "k")
    store.search(("never",))
    assert store.list_namespaces() == []


def test_the_newest_come_first_and_pages_do_not_overlap(store: SmartBrainStore) -> None:
    for n in range(7):
        store.put(("n",), str(n), {"v": n})
    store.put(("n",), "3", {"v": 33})
    keys = [i.key for page in range(3) for i in store.search(("n",), limit=3, offset=page * 3)]
    assert keys == ["3", "6", "5", "4", "2", "1", "0"]


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ({"n": 2}, "b"),
        ({"n": {"$eq": 2}}, "b"),
        ({"n": {"$ne": 2}}, "acd"),
        ({"n": {"$gt": 1}}, "bc"),
        ({"n": {"$gte": 1, "$lt": 3}}, "ab"),
        ({"n": {"$lte": 1.5}}, "a"),
        ({"t": {"$gt": "m"}}, "bd"),
        ({"o": {"x": 1}}, "a"),
        ({"o": {"x": {"$gt": 1}}}, "c"),
        ({"l": [1, 2]}, "d"),
        ({"missing": None}, "abcd"),
        ({"n": 2, "t": "tea"}, "b"),
        ({"n": 2, "t": "ale"}, ""),
    ],
)
def test_filters(store: SmartBrainStore, wanted: dict[str, Any], keys: str) -> None:
    store.put(("n",), "a", {"n": 1, "t": "ale", "o": {"x": 1, "y": 2}})
    store.put(("n",), "b", {"n": 2, "t": "tea"})
    store.put(("n",), "c", {"n": 3, "o": {"x": 2}})
    store.put(("n",), "d", {"n": None, "t": "wine", "l": [1, 2]})
    assert "".join(sorted(i.key for i in store.search(("n",), filter=wanted))) == keys


def test_an_unknown_operator_is_an_error(store: SmartBrainStore) -> None:
    store.put(("n",), "a", {"n": 1})
    with pytest.raises(ValueError, match=r"Unsupported operator: \$like"):
        store.search(("n",), filter={"n": {"$like": "x"}})


def test_a_query_ranks_by_words_in_chinese_and_english(store: SmartBrainStore) -> None:
    store.put(("u",), "1", {"text": "The user drinks green tea every morning"})
    store.put(("u",), "2", {"text": "用户喜欢喝绿茶"})
    store.put(("u",), "3", {"text": "The car is blue"})
    store.put(("u",), "4", {"text": "green tea"}, index=False)
    found = store.search(("u",), query="drinking tea")
    assert found[0].key == "1"
    assert found[0].score is not None
    assert 0 < found[0].score <= 1
    assert [i.score for i in found[1:]] == [0.0, 0.0, None]
    assert store.search(("u",), query="绿茶", limit=1)[0].key == "2"
    assert [i.key for i in store.search(("u",), query="tea", filter={"text": "The car is blue"})] == ["3"]


def test_only_the_fields_named_are_indexed(store: SmartBrainStore) -> None:
    store.put(
        ("u",),
        "1",
        {"title": "tea", "body": "car", "tags": [{"t": "boat"}, {"t": "ship"}]},
        index=["title", "tags[*].t"],
    )
    assert (store.search(("u",), query="tea")[0].score or 0) > 0
    assert (store.search(("u",), query="ship")[0].score or 0) > 0
    assert store.search(("u",), query="car")[0].score == 0


def test_an_expired_item_is_gone_and_reading_prolongs(store: SmartBrainStore, clock: ManualClock) -> None:
    store.put(("n",), "short", {"v": 1}, ttl=1)
    store.put(("n",), "read", {"v": 1}, ttl=1)
    store.put(("n",), "left", {"v": 1}, ttl=1)
    store.put(("n",), "long", {"v": 1})
    clock.advance(40)
    assert store.get(("n",), "read") is not None
    assert store.get(("n",), "left", refresh_ttl=False) is not None
    clock.advance(40)
    assert {i.key for i in store.search((), limit=9, refresh_ttl=False)} == {"read", "long"}
    assert store.get(("n",), "short") is None
    clock.advance(40)
    store.delete(("n",), "long")
    assert store.list_namespaces() == []


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), float("inf"), 1e300])
def test_a_time_to_live_that_is_none_is_refused(store: SmartBrainStore, ttl: float) -> None:
    with pytest.raises(InputError, match="ttl"):
        store.put(("n",), "k", {}, ttl=ttl)


def test_a_default_time_to_live_is_that_of_langgraph(clock: ManualClock) -> None:
    store = SmartBrainStore(clock=clock, ttl={"default_ttl": 1, "refresh_on_read": False})
    store.put(("n",), "k", {"v": 1})
    store.put(("n",), "kept", {"v": 1}, ttl=None)
    clock.advance(30)
    assert store.get(("n",), "k") is not None
    clock.advance(31)
    assert store.get(("n",), "k") is None
    assert store.get(("n",), "kept") is not None


def test_listing_namespaces(store: SmartBrainStore) -> None:
    for namespace in (("a", "b", "c"), ("a", "b", "d"), ("a", "x"), ("z", "b", "c")):
        store.put(namespace, "k", {})
    assert store.list_namespaces(prefix=("a",)) == [("a", "b", "c"), ("a", "b", "d"), ("a", "x")]
    assert store.list_namespaces(suffix=("b", "c")) == [("a", "b", "c"), ("z", "b", "c")]
    assert store.list_namespaces(prefix=("a", "*"), suffix=("c",)) == [("a", "b", "c")]
    assert store.list_namespaces(max_depth=1) == [("a",), ("z",)]
    assert store.list_namespaces(max_depth=2, limit=1, offset=1) == [("a", "x")]


# --- against LangGraph's own ------------------------------------------------------------------------------------

_labels = st.sampled_from(["users", "u1", "u2", "docs", "公司", "a-b", "a_b"])
_namespaces = st.lists(_labels, min_size=1, max_size=3).map(tuple)
_keys = st.sampled_from("abcd")
_values = st.fixed_dictionaries(
    {
        "n": st.integers(0, 6),
        "t": st.sampled_from(["tea", "中文 tea"]),
        "o": st.fixed_dictionaries({"x": st.integers(0, 2)}),
    },
    optional={"l": st.lists(st.integers(0, 1), max_size=2)},
)
_FLAT = [
    {"n": 3},
    {"n": {"$gte": 4}},
    {"n": {"$ne": 2}},
    {"n": {"$gt": 1, "$lt": 5}},
    {"missing": 1},
    {"t": "中文 tea"},
]
# SqliteStore takes the fields of a nested filter for operators and raises.
_NESTED = [{"o": {"x": 1}}, {"o": {"x": {"$lte": 1}}}, {"l": [1]}]
_conditions = st.lists(
    st.builds(
        MatchCondition,
        st.sampled_from(["prefix", "suffix"]),
        st.lists(_labels | st.just("*"), min_size=1, max_size=2).map(tuple),
    ),
    max_size=2,
).map(tuple)


def operations(filters: list[Any]) -> Any:
    searches = st.tuples(_namespaces | st.just(()), st.none() | st.sampled_from(filters))
    return (
        st.tuples(_namespaces, _keys, _values).map(lambda given: PutOp(*given))
        | st.tuples(_namespaces, _keys, _values | st.none()).map(lambda given: PutOp(*given))
        | st.tuples(_namespaces, _keys).map(lambda given: GetOp(*given))
        | searches.map(lambda given: SearchOp(*given, limit=1000))
        | st.tuples(_conditions, st.none() | st.integers(1, 3)).map(lambda given: ListNamespacesOp(*given, limit=1000))
    )


def plain(result: Any) -> Any:
    if isinstance(result, list):
        return sorted((plain(part) for part in result), key=str)
    if result is None or isinstance(result, tuple):
        return result
    return (result.namespace, result.key, json.dumps(result.value, sort_keys=True))


def others() -> list[Callable[[], BaseStore]]:
    def sqlite() -> BaseStore:
        SqliteStore = pytest.importorskip("langgraph.store.sqlite").SqliteStore
        made = SqliteStore(sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None))
        made.setup()
        return made  # type: ignore[no-any-return]

    return [InMemoryStore, sqlite]


@pytest.mark.parametrize("other", others(), ids=["memory", "sqlite"])
def test_it_does_what_langgraphs_own_stores_do(other: Callable[[], BaseStore]) -> None:
    other()  # skips here where the other store is not installed

    operation = operations([*_FLAT, *_NESTED] if other is InMemoryStore else _FLAT)

    @given(st.lists(st.lists(operation, min_size=1, max_size=4), max_size=25))
    def compare(batches: list[list[Any]]) -> None:
        with SmartBrainStore() as ours:
            theirs = other()
            living: dict[Any, Any] = {}
            for batch in batches:
                got, expected = ours.batch(batch), theirs.batch(batch)
                for place, op in enumerate(batch):
                    their = expected[place]
                    if isinstance(op, ListNamespacesOp) and other is InMemoryStore:
                        # Theirs lists namespaces that were only asked for or are empty by now.
                        clean = InMemoryStore()
                        clean.batch([PutOp(namespace, key, value) for (namespace, key), value in living.items()])
                        their = clean.batch([op])[0]
                    assert plain(got[place]) == plain(their), op
                living |= {(op.namespace, op.key): op.value for op in batch if isinstance(op, PutOp)}
                living = {name: value for name, value in living.items() if value is not None}

    compare()


# --- in use -----------------------------------------------------------------------------------------------------


def test_an_agents_tools_reach_it(run: Run) -> None:
    @tool
    def remember(text: str, runtime: ToolRuntime) -> str:
        """Remembers."""
        assert runtime.store is not None
        runtime.store.put(("mem", "u1"), "k1", {"text": text})
        return str(len(runtime.store.search(("mem",))))

    with SmartBrainStore() as store:
        made = create_agent(
            ScriptedChat(script=[calls(("remember", {"text": "tea"}, "c1")), "ok"]), [remember], store=store
        )
        out = run(made, {"messages": [HumanMessage("q")]})
        assert out["messages"][2].text == "1"
        item = store.get(("mem", "u1"), "k1")
        assert item is not None
        assert item.value == {"text": "tea"}


def test_langmem_works_on_it() -> None:
    langmem = pytest.importorskip("langmem", reason="LangMem is not installed")
    with SmartBrainStore() as store:
        manage = langmem.create_manage_memory_tool(("memories", "ada"), store=store)
        search = langmem.create_search_memory_tool(("memories", "ada"), store=store)
        manage.invoke({"content": "drinks green tea", "action": "create"})
        manage.invoke({"content": "drives a blue car", "action": "create"})
        assert "green tea" in json.loads(search.invoke({"query": "tea", "limit": 1}))[0]["value"]["content"]


def test_async_methods_work_from_several_loops(tmp_path: Path) -> None:
    with SmartBrainStore(tmp_path / "store.db") as store:

        async def use(n: int) -> None:
            await store.aput(("n",), str(n), {"v": n})
            item = await store.aget(("n",), str(n))
            assert item is not None

        async def together() -> None:
            await asyncio.gather(*(use(n) for n in range(10)))

        asyncio.run(together())
        asyncio.run(together())
        assert len(store.search(("n",), limit=99)) == 10


def test_threads_and_objects_share_a_file_and_lose_nothing(tmp_path: Path) -> None:
    stores = [SmartBrainStore(tmp_path / "store.db") for _ in range(2)]

    def fill(n: int) -> None:
        for i in range(20):
            stores[n % 2].put(("n", str(n)), str(i), {"v": i})

    threads = [threading.Thread(target=fill, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores[0].search((), limit=999)) == 120
    for store in stores:
        store.close()


def test_another_process_sees_what_was_put(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    program = (
        "import sys; from smartbrain_lc import SmartBrainStore\n"
        "with SmartBrainStore(sys.argv[1]) as s: s.put(('p',), 'k', {'from': 'child', 'seen': s.get(('p',), 'a').value})"
    )
    with SmartBrainStore(path) as store:
        store.put(("p",), "a", {"from": "parent"})
        subprocess.run([sys.executable, "-c", program, str(path)], check=True)
        item = store.get(("p",), "k")
        assert item is not None
        assert item.value == {"from": "child", "seen": {"from": "parent"}}


def test_what_was_put_survives_closing(tmp_path: Path) -> None:
    with SmartBrainStore(tmp_path / "store.db") as store:
        store.put(("n",), "k", {"v": 1})
    store.close()
    with pytest.raises(ClosedError):
        store.get(("n",), "k")
    with SmartBrainStore(tmp_path / "store.db") as store:
        assert store.get(("n",), "k") is not None


def test_a_brains_file_is_not_taken_for_a_store(tmp_path: Path) -> None:
    with SmartBrain.open(tmp_path / "brain.db") as brain:
        brain.commit_turn("s", messages=[{"role": "user", "content": "hi"}])
    with pytest.raises(StoreOpenError, match="file of its own"):
        SmartBrainStore(tmp_path / "brain.db")
    with pytest.raises(StoreOpenError):
        SmartBrainStore(tmp_path)


def test_a_store_that_is_held_by_another_says_so(tmp_path: Path) -> None:
    with SmartBrainStore(tmp_path / "store.db", busy_timeout_ms=1) as store:
        other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            store.put(("n",), "k", {})
        other.execute("ROLLBACK")
        other.close()
        store.put(("n",), "k", {})
