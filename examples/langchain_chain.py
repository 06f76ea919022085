"""A chain in LangChain's expression language, with memory in its prompt and each turn committed, streaming too.

Runs without a key on a scripted model; for real with ``SMARTBRAIN_MODEL=openai:gpt-5-mini`` or another.
"""

from __future__ import annotations

import os
from typing import Any

from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

from smartbrain import SmartBrain
from smartbrain_lc import with_memory


def chat_model() -> Any:
    """The model named in SMARTBRAIN_MODEL, or one that follows a script."""
    if name := os.environ.get("SMARTBRAIN_MODEL"):
        from langchain.chat_models import init_chat_model

        return init_chat_model(name)
    from smartbrain_lc.testing import ScriptedChat

    return ScriptedChat(script=["Noted.", lambda prompt: f"Before this I saw {len(prompt) - 2} messages."])


PROMPT = ChatPromptTemplate.from_messages(
    [
        ("system", "You answer in one sentence.\n{memory}"),
        MessagesPlaceholder("recent_turns"),
        ("human", "{input}"),
    ]
)


def main() -> None:
    with SmartBrain.open() as brain:
        chain = with_memory(PROMPT | chat_model() | StrOutputParser(), brain)
        config: Any = {"configurable": {"session_id": "demo"}}
        print(chain.invoke({"input": "My boat is called Nautilus."}, config))
        for piece in chain.stream({"input": "What did I just say?"}, config):
            print(piece, end="", flush=True)
        print()
        turns = brain.recall_history("demo", "Nautilus", around=0)
        print("kept:", [message.text for message in turns[0].messages])


if __name__ == "__main__":
    main()
