"""What is to be done, as a part of a key, in either language."""

from __future__ import annotations

from smartbrain.extraction import _en_verbs, _zh_work
from smartbrain.text.language import detect


def thing_of(words: str) -> str:
    """The key part of a task told in the words of a user; "" when they name nothing."""
    return _zh_work.thing_of(words) if detect(words) == "zh" else _en_verbs.thing_of(words)
