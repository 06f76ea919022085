"""A LangGraph graph that keeps settings in SmartBrain's store and reads what is remembered through the retriever.

No model is needed: the nodes show where store and memory come in.
"""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from smartbrain import SmartBrain
from smartbrain_lc import SmartBrainRetriever, SmartBrainStore


def main() -> None:
    with SmartBrain.open() as brain, SmartBrainStore() as store:  # a path each keeps them
        brain.commit_turn("earlier", messages=[{"role": "user", "content": "My boat lies in Lisbon."}], user_id="ada")
        retriever = SmartBrainRetriever(brain=brain, user_id="ada", k=1)

        def count(_: MessagesState, runtime: Runtime[Any]) -> dict[str, Any]:
            assert runtime.store is not None
            item = runtime.store.get(("users", "ada"), "visits")
            runtime.store.put(("users", "ada"), "visits", {"count": (item.value["count"] if item else 0) + 1})
            return {}

        def answer(state: MessagesState, runtime: Runtime[Any]) -> dict[str, Any]:
            assert runtime.store is not None
            visits = runtime.store.get(("users", "ada"), "visits")
            [found] = retriever.invoke(str(state["messages"][-1].text))
            said = f"Visit {visits.value['count'] if visits else 0}. You once said: {found.page_content}"
            return {"messages": [AIMessage(said)]}

        graph = StateGraph(MessagesState)
        graph.add_node("count", count)
        graph.add_node("answer", answer)
        graph.add_edge(START, "count")
        graph.add_edge("count", "answer")
        graph.add_edge("answer", END)
        app: Any = graph.compile(checkpointer=InMemorySaver(), store=store)
        for thread in ("monday", "friday"):
            config = {"configurable": {"thread_id": thread}}
            out = app.invoke({"messages": [HumanMessage("Where is my boat?")]}, config)
            print(f"[{thread}] {out['messages'][-1].text}")


if __name__ == "__main__":
    main()
