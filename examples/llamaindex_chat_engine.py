"""A chat engine with memory, streamed; and the memory as a retriever behind a query engine.

Runs without a key on a scripted model; ``SMARTBRAIN_MODEL=gpt-5-mini`` makes it real (needs llama-index-llms-openai).
"""

from __future__ import annotations

import os
from typing import Any

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.query_engine import RetrieverQueryEngine

from smartbrain import SmartBrain
from smartbrain_li import SmartBrainMemory, SmartBrainRetriever


def chat_model(*script: Any) -> Any:
    """The OpenAI model named in SMARTBRAIN_MODEL, or one that follows the script."""
    if name := os.environ.get("SMARTBRAIN_MODEL"):
        from llama_index.llms.openai import OpenAI

        return OpenAI(model=name)
    from smartbrain_li.testing import ScriptedLLM

    return ScriptedLLM(script=list(script))


def main() -> None:
    with SmartBrain.open() as brain:
        memory = SmartBrainMemory.from_defaults(brain, session_id="s1")
        engine = SimpleChatEngine.from_defaults(llm=chat_model("Noted.", "In Lisbon, you said."), memory=memory)
        print(engine.chat("My boat lies in Lisbon."))
        for token in engine.stream_chat("Where does my boat lie?").response_gen:
            print(token, end="")
        print()

        engine.reset()  # a new chat; nothing is deleted
        log = [turn for turn in brain.recall_history("s1") if turn.messages]
        print(f"chat: {len(engine.chat_history)} messages; log: {len(log)} turns")

        retriever = SmartBrainRetriever(brain, session_id="s1", k=3)
        print(RetrieverQueryEngine.from_args(retriever, llm=chat_model("In Lisbon.")).query("Where is the boat?"))


if __name__ == "__main__":
    main()
