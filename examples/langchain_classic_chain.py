"""A classic chain (``langchain_classic``) whose memory is SmartBrain, several prompt variables at once.

Runs without a key on a scripted model; for real with ``SMARTBRAIN_MODEL=openai:gpt-5-mini`` or another.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

from langchain_classic.chains import LLMChain
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

from smartbrain import SmartBrain
from smartbrain_lc import SmartBrainMemory


def chat_model() -> Any:
    """The model named in SMARTBRAIN_MODEL, or one that follows a script."""
    if name := os.environ.get("SMARTBRAIN_MODEL"):
        from langchain.chat_models import init_chat_model

        return init_chat_model(name)
    from smartbrain_lc.testing import ScriptedChat

    return ScriptedChat(script=["Noted.", lambda prompt: f"You said: {prompt[1].text}"])


PROMPT = ChatPromptTemplate.from_messages(
    [("system", "{memory}"), MessagesPlaceholder("recent_turns"), ("human", "{question} (in {language})")]
)


def main() -> None:
    warnings.simplefilter("ignore", DeprecationWarning)  # of the classic chains themselves
    with SmartBrain.open() as brain:
        memory = SmartBrainMemory(
            brain=brain,
            session_id="demo",
            variables=["memory", "recent_turns"],
            return_messages=True,
            input_key="question",
        )
        chain = LLMChain(llm=chat_model(), prompt=PROMPT, memory=memory)
        print(chain.invoke({"question": "My boat is called Nautilus.", "language": "English"})["text"])
        print(chain.invoke({"question": "What did I say?", "language": "English"})["text"])


if __name__ == "__main__":
    main()
