"""Making at once what is otherwise made when it is first needed: patterns, tables and the segmenter.

Importing makes none of it, for most programs need but a part. A service pays for it before its first request instead
of in some hundred commits, for a rare word may be the first to need its pattern hours later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from typing import Any

from smartbrain.extraction import _en_events, _zh_decisions, _zh_events, _zh_facts, _zh_slots
from smartbrain.extraction.literals import Sifter
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.extraction.starts import searched
from smartbrain.extraction.tables import Table
from smartbrain.text import terms

_SHARED = ("text", "policies", "retrieval")
_RULES, _LEARNED = "extraction", "extraction.learned"
#: One text in each language, with what most messages hold: a name, a day, a fact, a wish, a task.
PRACTICE = (
    "I'm Alex from Porto, please always answer in French. I need to send the report by Friday, see https://example.org",
    "我叫小林，住在杭州，以后请用中文回答。周五之前要把报告发出去。",
)


def make_shared() -> None:
    """What every brain needs: the patterns that cut and weigh texts, and the segmenter."""
    for package in _SHARED:
        for make in made_once(package):
            make()
    terms.warm_up()


def make_rules(extractor: RulesExtractor) -> None:
    """What the rules of both languages read with, and the classifier if it reads along."""
    for make in made_once(_RULES):
        if extractor.classifier or not make.__module__.startswith(f"smartbrain.{_LEARNED}"):
            make()
    for value in _values(_RULES):
        if isinstance(value, (Sifter, Table)):
            value.make()
    for shape in _en_events._SHAPES:
        _en_events._compiled(shape.pattern)
    for pattern in (
        *(rule.said for rule in (*_zh_facts.FACT_RULES, *_zh_events.EVENT_RULES)),
        *(words for slot in _zh_slots.SLOTS for words in (slot.about, slot.choices)),
        *(topic for _, topic in _zh_decisions._TOPICS),
    ):
        searched(pattern)
    for kind in _zh_events._NOT:
        _zh_events._not_event(kind)


def made_once(package: str) -> Iterator[Callable[[], Any]]:
    """The functions of a package's modules that take nothing and whose one result is kept."""
    for value in _values(package):
        if isinstance(value, _lru_cache_wrapper) and not value.__wrapped__.__code__.co_argcount:
            yield value


def _values(package: str) -> Iterator[Any]:
    """What the modules of a package hold under a name, as far as they are imported."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"smartbrain.{package}."):
            yield from list(vars(module).values())
