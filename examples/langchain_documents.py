"""Chat over a folder of documents with memory, as a LangChain agent: memory and handbook answer together.

Runs without a key on a scripted model; for real with a model of yours, for example
``SMARTBRAIN_MODEL=openai:gpt-5-mini python examples/langchain_documents.py`` (needs that provider's package and key).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from smartbrain import SmartBrain
from smartbrain.resources import Library
from smartbrain_lc import SmartBrainMiddleware, from_context

HANDBOOK = Path(__file__).parent / "handbook"
QUESTION = "How many days of leave does my office give, according to the handbook?"


def chat_model() -> Any:
    """The model named in SMARTBRAIN_MODEL, or one that looks up days of leave for the office it was told of."""
    if name := os.environ.get("SMARTBRAIN_MODEL"):
        from langchain.chat_models import init_chat_model

        return init_chat_model(name)
    from smartbrain_lc.testing import ScriptedChat

    def answer(prompt: list[Any]) -> str:
        text = "\n".join(str(message.content) for message in prompt)
        office = re.search(r"[Mm]y office is in (\w+)", text)
        days = office and re.search(rf"in {office[1]} (?:everybody has )?(\d+)", text)
        if office and days and QUESTION in str(prompt[-1].content):
            source = re.search(r"handbook/\S+\.md", text)
            return f"In {office[1]} you have {days[1]} ({source[0] if source else 'no source'})."
        return "Noted."

    return ScriptedChat(script=[answer])


def main() -> None:
    # Paths instead keep both: Library.open("handbook.db"), SmartBrain.open("memory.db").
    with Library.open(shared=True) as library, SmartBrain.open(resources=library) as brain:
        print(f"{len(library.add(HANDBOOK).added)} documents")
        agent: Any = create_agent(
            chat_model(),
            tools=[],
            system_prompt="Answer from what you are given, and name the source.",
            middleware=[SmartBrainMiddleware(brain, user_id=from_context("user_id"))],
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

        say("monday", "ada", "My office is in Lisbon.")
        say("monday-eve", "eve", "My office is in Berlin.")
        say("friday", "ada", QUESTION)
        say("friday-eve", "eve", QUESTION)


if __name__ == "__main__":
    main()
