"""What kinds of document the anchors of a message point at (seed 002, section 6)."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from smartbrain.contracts.route import FIND_FILES, RouteResult

Signal = Literal["FIND_FILES", "API_ENDPOINT", "ARCHITECTURE", "LOGIC_FLOW", "DOMAIN_ENTITY"]
KINDS: tuple[Signal, ...] = ("API_ENDPOINT", "ARCHITECTURE", "LOGIC_FLOW", "DOMAIN_ENTITY")
"""The signals that speak of a kind of document, in the order their folders are preferred."""


def anchor_signals(route: RouteResult) -> frozenset[Signal]:
    """The signals of a route. Domain and subdomain give none: they say where to look, not for what."""
    anchors = route.anchors
    named = [_spaced(text) for text in (*anchors.target_doc_hints, *anchors.file_names, *anchors.matched_aliases)]
    found: set[Signal] = {kind for kind, marker in _markers().items() if any(marker.search(text) for text in named)}
    if anchors.endpoint_paths:
        found.add("API_ENDPOINT")
    if anchors.entity_names:
        found.add("DOMAIN_ENTITY")
    if route.subintent == FIND_FILES:
        found.add("FIND_FILES")
    return frozenset(found)


def _spaced(name: str) -> str:
    """Lower case, with the words of a camel-case name apart."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()


@cache
def _markers() -> dict[Signal, re.Pattern[str]]:
    """The seed's markers, bounded so that none is found inside another word: "arch" in "search" or "archive", "api" in
    "capital", "entity" in "identity", "flow" in "flower", "process" in "processor". Beside English, what Chinese and
    Russian call the same."""
    return {
        "API_ENDPOINT": re.compile(r"(?<![a-z])api|apis?(?![a-z])|endpoint|接口|эндпоинт|эндпойнт"),
        "ARCHITECTURE": re.compile(r"architect|(?<![a-z])arch(?![a-z])|架构|架構|архитектур"),
        "LOGIC_FLOW": re.compile(
            r"(?<![a-z])(?:logic|flow(?!er)|process(?!or))|(?:work|data)[ _-]?flow"
            r"|流程|逻辑|邏輯|логик|процесс(?!ор)"
        ),
        "DOMAIN_ENTITY": re.compile(
            r"(?<![a-z])(?:sub)?domain|(?<![a-z])entit(?:y|ies)|component"
            r"|实体|實體|领域|領域|组件|組件|сущност|домен|компонент"
        ),
    }
