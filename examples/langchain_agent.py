"""An agent with memory over two conversations of one user.

Runs without a key on a scripted model; for real with a model of yours, for example
``SMARTBRAIN_MODEL=openai:gpt-5-mini python examples/langchain_agent.py`` (needs that provider's package and key).
"""

from __future__ import annotations

import os
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from smartbrain import SmartBrain
from smartbrain_lc import SmartBrainMiddleware, from_context


def chat_model() -> Any:
    """The model named in SMARTBRAIN_MODEL, or one that follows a script."""
    if name := os.environ.get("SMARTBRAIN_MODEL"):
        from langchain.chat_models import init_chat_model

        return init_chat_model(name)
    from smartbrain_lc.testing import ScriptedChat

    def answer(prompt: list[Any]) -> str:
        remembered = "Nautilus" in str(prompt[0].content)
        return "It is called Nautilus." if remembered else "Thank you, I will remember that."

    return ScriptedChat(script=[answer])


def main() -> None:
    with SmartBrain.open() as brain:  # a path instead keeps it: SmartBrain.open("memory.db")
        agent: Any = create_agent(
            chat_model(),
            tools=[],
            system_prompt="You are a helpful assistant.",
            middleware=[SmartBrainMiddleware(brain, user_id=from_context("user_id"))],  # last in the list
            context_schema=dict,
            checkpointer=InMemorySaver(),
        )

        def say(thread: str, user: str, words: str) -> None:
            out = agent.invoke(
                {"messages": [HumanMessage(words)]},
                {"configurable": {"thread_id": thread}},
                context={"user_id": user},
            )
            print(f"[{thread}] {user}: {words}\n[{thread}] agent: {out['messages'][-1].text}")

        say("monday", "ada", "My boat is called Nautilus and lies in Lisbon.")
        say("friday", "ada", "What is my boat called?")  # another thread, the same user
        say("friday-eve", "eve", "What is my boat called?")  # another user: nothing of it is there


if __name__ == "__main__":
    main()
