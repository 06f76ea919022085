"""Rules for Chinese."""

from __future__ import annotations

from smartbrain.extraction.hits import Hit, Sentence


def find(sentence: Sentence) -> list[Hit]:
    """The hits of one sentence, guard-stopped ones included, in order."""
    del sentence
    return []


def opens_material(sentence: Sentence) -> str:
    """Why what follows in this message is not the user's own words ("" when it is)."""
    del sentence
    return ""


def confirms(text: str) -> bool:
    """Whether a message plainly says yes to the assistant's guess before it."""
    del text
    return False


def as_first_person(text: str) -> str:
    """An assistant's guess about the user in the user's own voice; "" when it is none."""
    del text
    return ""
