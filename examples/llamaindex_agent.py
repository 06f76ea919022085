"""An agent with memory over two conversations of one user, and a Context that is stored between two runs.

Runs without a key on a scripted model; for real with a model of yours:
``SMARTBRAIN_MODEL=gpt-5-mini python examples/llamaindex_agent.py`` (needs llama-index-llms-openai and its key).
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context, JsonSerializer

from smartbrain import SmartBrain
from smartbrain_li import SmartBrainMemory, memory_tools


def chat_model() -> Any:
    """The OpenAI model named in SMARTBRAIN_MODEL, or one that follows a script."""
    if name := os.environ.get("SMARTBRAIN_MODEL"):
        from llama_index.llms.openai import OpenAI

        return OpenAI(model=name)
    from smartbrain_li.testing import ScriptedLLM

    def answer(prompt: list[Any]) -> str:
        asked = "What is my boat called?" in (prompt[-1].content or "")
        known = "Nautilus" in str([message.content for message in prompt])
        return "It is called Nautilus." if asked and known else "I do not know." if asked else "Thank you, noted."

    return ScriptedLLM(script=[answer])


async def run(brain: SmartBrain) -> None:
    async def say(session: str, user: str, words: str) -> None:
        memory = SmartBrainMemory.from_defaults(brain, session_id=session, user_id=user)
        agent = FunctionAgent(
            tools=memory_tools(memory), llm=chat_model(), system_prompt="You are a helpful assistant."
        )
        print(f"[{session}] {user}: {words}\n[{session}] agent: {await agent.run(words, memory=memory)}")

    await say("monday", "ada", "My boat is named the Nautilus and lies in Lisbon.")
    await say("friday", "ada", "What is my boat called?")  # another session, the same user
    await say("friday-eve", "eve", "What is my boat called?")  # another user: nothing of it is there

    # A Context goes to JSON and back; the memory in it finds its brain again.
    memory = SmartBrainMemory.from_defaults(brain, session_id="monday", user_id="ada")
    agent = FunctionAgent(tools=memory_tools(memory), llm=chat_model())
    ctx = Context(agent)
    await agent.run("Good evening.", memory=memory, ctx=ctx)
    stored = json.dumps(ctx.to_dict(serializer=JsonSerializer()))
    restored = Context.from_dict(agent, json.loads(stored), serializer=JsonSerializer())
    print(f"[restored] agent: {await agent.run('What is my boat called?', ctx=restored)}")


def main() -> None:
    with SmartBrain.open() as brain:  # a path instead keeps it: SmartBrain.open("memory.db")
        asyncio.run(run(brain))


if __name__ == "__main__":
    main()
