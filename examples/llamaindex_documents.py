"""Chat over a folder of documents with memory, as a LlamaIndex chat engine: memory and handbook answer together.

Runs without a key on a scripted model; ``SMARTBRAIN_MODEL=gpt-5-mini`` makes it real (needs llama-index-llms-openai).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from llama_index.core.chat_engine import SimpleChatEngine

from smartbrain import SmartBrain
from smartbrain.resources import Library
from smartbrain_li import SmartBrainMemory

HANDBOOK = Path(__file__).parent / "handbook"
QUESTION = "How many days of leave does my office give, according to the handbook?"


def chat_model() -> Any:
    """The OpenAI model named in SMARTBRAIN_MODEL, or one that looks up days of leave for the office it was told of."""
    if name := os.environ.get("SMARTBRAIN_MODEL"):
        from llama_index.llms.openai import OpenAI

        return OpenAI(model=name)
    from smartbrain_li.testing import ScriptedLLM

    def answer(prompt: list[Any]) -> str:
        text = "\n".join(message.content or "" for message in prompt)
        office = re.search(r"[Mm]y office is in (\w+)", text)
        days = office and re.search(rf"in {office[1]} (?:everybody has )?(\d+)", text)
        if office and days and QUESTION in (prompt[-1].content or ""):
            source = re.search(r"handbook/\S+\.md", text)
            return f"In {office[1]} you have {days[1]} ({source[0] if source else 'no source'})."
        return "Noted."

    return ScriptedLLM(script=[answer])


def main() -> None:
    # Paths instead keep both: Library.open("handbook.db"), SmartBrain.open("memory.db").
    with Library.open(shared=True) as library, SmartBrain.open(resources=library) as brain:
        print(f"{len(library.add(HANDBOOK).added)} documents")

        def say(session: str, user: str, words: str) -> None:
            memory = SmartBrainMemory.from_defaults(brain, session_id=session, user_id=user)
            engine = SimpleChatEngine.from_defaults(llm=chat_model(), memory=memory)
            print(f"[{session}] {user}: {words}\n[{session}] engine: {engine.chat(words)}")

        say("monday", "ada", "My office is in Lisbon.")
        say("monday-eve", "eve", "My office is in Berlin.")
        say("friday", "ada", QUESTION)
        say("friday-eve", "eve", QUESTION)


if __name__ == "__main__":
    main()
