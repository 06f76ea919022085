"""The one message a ReActAgent leaves of a whole run: thoughts, actions, observations and the answer in one text."""

from __future__ import annotations

import ast
import json
import re
from typing import Any, NamedTuple

from smartbrain.model import ToolCall

_ANSWER = re.compile(r"(?:\A|\n)Thought: (?:(?!\nThought: |\nObservation: ).)*?\nAnswer: ", re.DOTALL)
_ACTION = re.compile(
    r"(?:\A|\n)Action: (?P<name>[^\n]+)\nAction Input: (?P<args>.*?)\nObservation: (?P<result>.*?)(?=\nThought: |\Z)",
    re.DOTALL,
)


class ReActRun(NamedTuple):
    """``trace + answer`` is the text as it was; ``calls`` are the tools that ran, with their results."""

    trace: str
    answer: str
    calls: tuple[ToolCall, ...]


def parse_react(text: str) -> ReActRun | None:
    """The parts of a ReAct text, or None for any other text."""
    if not text.startswith("Thought: "):
        return None
    answers = list(_ANSWER.finditer(text))
    if not answers:
        return None
    end = answers[-1].end()
    calls = tuple(
        ToolCall(id=f"react-{n}", name=found["name"].strip(), args=_args(found["args"]), result=found["result"])
        for n, found in enumerate(_ACTION.finditer(text[:end]), 1)
    )
    return ReActRun(text[:end], text[end:], calls)


def _args(written: str) -> Any:
    """LlamaIndex writes the arguments as Python prints a dict."""
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(written)
        except (ValueError, SyntaxError):
            continue
        if isinstance(value, dict):
            return {str(name): inner for name, inner in value.items()}
    return {"input": written}
