"""Any chat model as one function: by what it can do, without importing the framework it comes from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from smartbrain.errors import InputError


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat model. ``name`` stands in verdicts and logs.

    ``ask(system, user, form)`` gives its answer: text without a ``form``; with one (a pydantic model) what the model
    gave for it, as a mapping. Whatever the model raises goes through; ValueError where the answer holds no JSON object.
    """

    name: str
    ask: Callable[[str, str, type[BaseModel] | None], Any]


def as_chat(source: Any) -> Chat:
    """A LangChain model (``invoke``), a LlamaIndex LLM (``complete``, ``metadata``), or a function of a prompt.

    With structured output where the model has it, else JSON read from its text.
    Raises InputError for anything else.
    """
    name = _name(source)
    if callable(getattr(source, "complete", None)) and hasattr(type(source), "metadata"):
        return Chat(name, _llama_index(source))
    if callable(getattr(source, "invoke", None)):
        return Chat(name, _langchain(source))
    if callable(source):
        return Chat(name, _function(source))
    raise InputError(
        f"{type(source).__name__} is no chat model: it needs invoke (LangChain), complete (LlamaIndex),"
        " or to be a function from a prompt to text"
    )


def _langchain(model: Any) -> Callable[[str, str, type[BaseModel] | None], Any]:
    def ask(system: str, user: str, form: type[BaseModel] | None) -> Any:
        messages = [("system", system), ("human", user)]
        if form is None:
            return _text(model.invoke(messages))
        try:
            structured = model.with_structured_output(form)
        except (AttributeError, NotImplementedError):
            return read_json(_text(model.invoke(messages)))
        return _mapping(structured.invoke(messages))

    return ask


def _llama_index(model: Any) -> Callable[[str, str, type[BaseModel] | None], Any]:
    def ask(system: str, user: str, form: type[BaseModel] | None) -> Any:
        prompt = f"{system}\n\n{user}"
        calls_functions = getattr(model.metadata, "is_function_calling_model", False)
        if form is None or not calls_functions:
            text = str(model.complete(prompt).text)
            return text if form is None else read_json(text)
        return _mapping(model.as_structured_llm(form).complete(prompt).raw)

    return ask


def _function(function: Callable[[str], Any]) -> Callable[[str, str, type[BaseModel] | None], Any]:
    def ask(system: str, user: str, form: type[BaseModel] | None) -> Any:
        given = function(f"{system}\n\n{user}")
        return given if form is None else _mapping(given)

    return ask


def read_json(text: str) -> dict[str, Any]:
    """The first JSON object in a model's answer, whatever it wrote around it. Raises ValueError when there is none."""
    start = text.find("{")
    while start >= 0:
        try:
            found, _ = json.JSONDecoder().raw_decode(text, start)
        except json.JSONDecodeError:
            start = text.find("{", start + 1)
            continue
        if isinstance(found, dict):
            return found
        break
    raise ValueError("the answer holds no JSON object")


def _mapping(given: Any) -> dict[str, Any]:
    if isinstance(given, BaseModel):
        return given.model_dump()
    if isinstance(given, Mapping):
        return dict(given)
    return read_json(given if isinstance(given, str) else _text(given))


def _text(answer: Any) -> str:
    """The words of a message or a bare text; of a list of blocks those that are text."""
    content = getattr(answer, "content", answer)
    if isinstance(content, list):
        return "".join(block if isinstance(block, str) else str(block.get("text", "")) for block in content if block)
    return content if isinstance(content, str) else ""


def _name(source: Any) -> str:
    """The class and the model it names, or a function's own name."""
    named = getattr(source, "__name__", None)
    if isinstance(named, str):
        return named
    for field in ("model_name", "model"):
        value = getattr(source, field, None)
        if isinstance(value, str) and value:
            return f"{type(source).__name__}:{value}"
    return type(source).__name__
