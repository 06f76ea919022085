"""From a turn to candidates: structured entries, rules, and any chat model held to what was said.

``as_extractor`` and ``as_summarizer`` take a chat model of LangChain or LlamaIndex, or a function; ``SmartBrain`` calls
them on what it is handed.
"""

from smartbrain.extraction.llm import as_extractor
from smartbrain.extraction.llm_summary import as_summarizer

__all__ = ["as_extractor", "as_summarizer"]
