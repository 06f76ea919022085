"""The rolling summary by any chat model; what it may not do (fail, be too long, come late) the runtime holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smartbrain.extraction import prompts
from smartbrain.extraction.chat import Chat, as_chat
from smartbrain.model import MemoryItem, Turn
from smartbrain.ports import Summarizer
from smartbrain.text.fence import strip_fenced

_TURN_CHARS = 2_000
_ALL_CHARS = 24_000
_ITEMS = 40
# A limit in tokens as a model can count it: words of English and characters of Chinese, with room to spare.
_WORDS_A_TOKEN = 0.6


class ModelSummarizer:
    """A ``Summarizer`` that asks a chat model, in the language the users of the conversation write."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    @property
    def name(self) -> str:
        return self._chat.name

    def summarize(
        self, previous: str | None, turns: Sequence[Turn], items: Sequence[MemoryItem], max_tokens: int
    ) -> str:
        """The new summary. Raises what the model raises."""
        said = " ".join(message.text for turn in turns for message in turn.messages if message.role == "user")
        language = prompts.language_of(said[:4_000])
        system = prompts.SUMMARY[language].replace("LIMIT", str(max(20, int(max_tokens * _WORDS_A_TOKEN))))
        parts = [prompts.EARLIER[language], previous] if previous else []
        told = [prompts.told(item) for item in items[:_ITEMS]]
        parts += [prompts.REMEMBERED[language], *told] if told else []
        parts += [prompts.SINCE[language], _conversation(turns, language)]
        return str(self._chat.ask(system, "\n".join(parts), None)).strip()


def as_summarizer(source: Any) -> Summarizer:
    """A ``Summarizer`` as it is; a chat model of LangChain or LlamaIndex, or a function, as a ``ModelSummarizer``.

    Raises InputError for anything else.
    """
    if callable(getattr(source, "summarize", None)) and hasattr(source, "name"):
        summarizer: Summarizer = source
        return summarizer
    return ModelSummarizer(as_chat(source))


def _conversation(turns: Sequence[Turn], language: str) -> str:
    """Who said what, the newest last; of very much the newest stays. Tools' output is left out."""
    who = prompts.WHO[language]
    lines = [
        f"{message.name or who[message.role]}: {' '.join(strip_fenced(message.text).split())[:_TURN_CHARS]}"
        for turn in turns
        for message in turn.messages
        if message.role in who and message.text.strip()
    ]
    return "\n".join(lines)[-_ALL_CHARS:]
