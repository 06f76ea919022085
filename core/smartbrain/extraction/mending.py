"""What is put right of any hit, whoever found it: the day said in the words next to it, and values that are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from smartbrain.extraction import _en_meant
from smartbrain.extraction.hits import Hit, Sentence, event_day, value_of
from smartbrain.model import slug
from smartbrain.text.timehints import mentions_time, time_hints

NO_VALUE: Final = "its value names nothing"
_UNDATED: Final = ":undated:"
_NEAR: Final = 40


def mended(sentence: Sentence, hits: list[Hit]) -> list[Hit]:
    """The hits of a sentence: events with the day next to them, and what names nothing stopped."""
    return [hit if hit.skipped or hit.back else _stopped(sentence, _put_right(sentence, hit)) for hit in hits]


def _put_right(sentence: Sentence, hit: Hit) -> Hit:
    if hit.type == "preferences":
        return _silenced(sentence, _of_code(sentence, hit))
    return _with_verb(sentence, _dated(sentence, hit))


def _of_code(sentence: Sentence, hit: Hit) -> Hit:
    """ "For microservices I prefer Go": what code is written in, where the sentence is about code."""
    value, said = str(hit.value.get("value", "")), sentence.plain
    if hit.value.get("scope") != "other" or not _code_language().fullmatch(value) or not _about_code().search(said):
        return hit
    return replace(hit, key="pref:coding:language", value={**hit.value, "scope": "coding", "name": "language"})


def _silenced(sentence: Sentence, hit: Hit) -> Hit:
    """提示音我常年关着: a sound that is off is one that is not liked."""
    off = hit.key in ("pref:ui:sound", "pref:ui:notifications") and hit.value.get("polarity") == "like"
    if not off or not _switched_off().search(sentence.plain[slice(*hit.span)]):
        return hit
    return replace(hit, value={**hit.value, "polarity": "dislike"})


def one_choice(found: Sequence[list[Hit]]) -> list[list[Hit]]:
    """The hits of a message's sentences; of a slot that one choice fills, nothing is said against another."""
    liked = {hit.key for hits in found for hit in hits if _fills_slot(hit, "like")}
    return [[hit for hit in hits if not (_fills_slot(hit, "dislike") and hit.key in liked)] for hits in found]


def _fills_slot(hit: Hit, polarity: str) -> bool:
    return (
        hit.type == "preferences"
        and not hit.skipped
        and not hit.retract
        and hit.value.get("scope") != "other"
        and hit.value.get("polarity") == polarity
    )


def _with_verb(sentence: Sentence, hit: Hit) -> Hit:
    """A trade that is told by what one does and in one word has its verb: "runs a bakery", not "bakery"."""
    facts = hit.value.get("facts")
    if hit.type != "profile" or not facts or facts[0].get("k") != "role" or " " in str(facts[0].get("v") or " "):
        return hit
    at = sentence.text.find(str(facts[0]["v"]), hit.span[0])
    verb = _trade_verb().search(sentence.text[hit.span[0] : at]) if at > hit.span[0] else None
    if verb is None:
        return hit
    whole = f"{sentence.text[hit.span[0] + verb.start() : at]}{facts[0]['v']}"
    return replace(hit, value={**hit.value, "facts": [{**facts[0], "v": whole}, *facts[1:]]})


def _dated(sentence: Sentence, hit: Hit) -> Hit:
    if hit.type != "events" or hit.retract or _UNDATED not in hit.key:
        return hit
    beside = (sentence.text[slice(*hit.span)], *_next_to(sentence, hit.span))
    days = (event_day(words, sentence.said_at, prefer="past") for words in beside)
    day = next((day for day in days if day != "undated"), None)
    if day is None:
        return hit
    key = hit.key.replace(_UNDATED, f":{slug(day) if len(day) < _A_DAY else day}:", 1)
    return replace(hit, key=key, value={**hit.value, "date": day})


_A_DAY: Final = len("2026-03-04")


def _next_to(sentence: Sentence, span: tuple[int, int]) -> Iterator[str]:
    """Words beside a clause that are hardly more than a time: "I got engaged! Last night, on the ferry"."""
    right = _clause_end().split(sentence.text[span[1] :].lstrip(" ,，、;；:：-–—"), maxsplit=1)[0]
    left = _clause_end().split(sentence.text[: span[0]].rstrip(" ,，、;；-–—"))[-1]
    after = (
        _clause_end().split(sentence.after, maxsplit=1)[0] if span[1] >= len(sentence.text.rstrip(" .!。！")) else ""
    )
    for words in (right, left, after):
        if words.strip() and len(words) <= _NEAR and mentions_time(words) and _mostly_time(words, sentence):
            yield words


def _mostly_time(words: str, sentence: Sentence) -> bool:
    """Whether a time is nearly all that words say."""
    covered = sum(hint.span[1] - hint.span[0] for hint in time_hints(words, sentence.said_at))
    rest = _filler().sub("", words)
    return covered * 2 >= len(rest.strip()) > 0


def _stopped(sentence: Sentence, hit: Hit) -> Hit:
    if hit.type == "decisions" and _once_meant().search(sentence.plain[slice(*hit.span)]):
        return replace(hit, skipped="hypothesis")
    if hit.type == "events" and _of_them().match(sentence.plain[slice(*hit.span)]):
        return replace(hit, skipped="somebody else's, and nobody knows whose")
    if "remember" in hit.hints and len(sentence.message.text) > _LONG and not _mine().search(sentence.plain):
        return replace(hit, skipped="text to work on")
    if hit.type == "profile" and _is_only_who(hit):
        return replace(hit, skipped=NO_VALUE)
    value = value_of(hit)
    if hit.type == "tasks" and _half_a_verb().match(value):
        return replace(hit, skipped=NO_VALUE)
    reason = _en_meant.why_not(sentence, hit, value)
    if reason:
        return replace(hit, skipped=reason)
    if value and (_nothing().fullmatch(value) or _owns(sentence.plain, hit, value)):
        return replace(hit, skipped=NO_VALUE)
    return hit


def _owns(text: str, hit: Hit, value: str) -> bool:
    """Whether a value only owns what is spoken of: "a hamster's attention span"."""
    facts: Sequence[Mapping[str, object]] = hit.value.get("facts") or ({},)
    at = text.find(value, hit.span[0])
    return at >= 0 and facts[0].get("k") in _OWNED and _possessive().match(text, at + len(value)) is not None


_OWNED: Final = ("pet", "vehicle", "child", "siblings")


_LONG: Final = 300
"""Characters of a message that is rather an order with its material than talk."""


def _is_only_who(hit: Hit) -> bool:
    """Whether a fact of a relative names but the relation: that one's son is a son."""
    relation = hit.key.removeprefix("profile:user_").split("_")[-1]
    fact = hit.value["facts"][0]
    return hit.key.startswith("profile:user_") and str(fact.get("v") or "").strip().casefold() == relation


@cache
def _code_language() -> re.Pattern[str]:
    return re.compile(
        r"python|java|javascript|typescript|go|golang|rust|c\+\+|c#|kotlin|swift|ruby|php|scala|lua|haskell|dart|[rc]|"
        r"sql|bash|perl|julia|elixir|clojure|zig",
        re.IGNORECASE,
    )


@cache
def _about_code() -> re.Pattern[str]:
    return re.compile(
        r"写|代码|项目|编程|脚本|语言|后端|前端|服务|爬虫|寫|代碼|程式|專案|語言|"
        r"\b(?:cod(?:e|ing)|program\w*|scripts?|projects?|back-?end|languages?|services?|write|writing)\b",
        re.IGNORECASE,
    )


@cache
def _switched_off() -> re.Pattern[str]:
    return re.compile("(?<!别)(?<!不)(?<!不要)(?<!別)[关關](?:着|掉|了|闭|著|起来|$)|静音|靜音|免打扰|免打擾")


@cache
def _half_a_verb() -> re.Pattern[str]:
    """ "Building | up confidence": the verb's other half stands before what would be a task."""
    return re.compile(r"(?:up|out|off|down|away) (?!(?:of|north|south|to)\b)")


@cache
def _trade_verb() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:runs?|running|drives?|driving|teach(?:es|ing)?|sells?|selling|owns?|owning|manages?|managing|breeds?|"
        r"breeding|cleans?|cleaning|fix(?:es|ing)?|repairs?|repairing|grows?|growing|builds?|building|makes?|making|"
        r"translates?|translating)\s+(?:(?:an?|the|my|our|his|her|their)\s+)?$",
        re.IGNORECASE,
    )


@cache
def _mine() -> re.Pattern[str]:
    return re.compile(r"\b(?:i|i'm|i've|my|me|we|our|us)\b|[我俺咱]", re.IGNORECASE)


@cache
def _possessive() -> re.Pattern[str]:
    return re.compile("['’]s [a-z]+")


@cache
def _of_them() -> re.Pattern[str]:
    return re.compile(r"(?:her|his|their)\b(?!.*\b(?:i|my|me|we|our|us)\b)", re.IGNORECASE)


@cache
def _once_meant() -> re.Pattern[str]:
    """本来决定不带伞: what had been decided first."""
    return re.compile(r"^(?:我们?)?(?:本来|原本|原来|一开始|本來|原來)|\b(?:had|originally|at first)\b")


@cache
def _clause_end() -> re.Pattern[str]:
    return re.compile(r"[,，。.;；!！?？\n]")


@cache
def _filler() -> re.Pattern[str]:
    return re.compile(
        r"^(?:就在?|是在?|也就是|it was|just|on|at|in)\s*|\b(?:on|at|in|the)\b|的时候|的事", re.IGNORECASE
    )


@cache
def _nothing() -> re.Pattern[str]:
    """Words that point or count and name nothing."""
    return re.compile(
        r"自己|象|别的?|别人|[这那][套些种]|[闻看听想见聞聽見]到|想?吐|一下|一声|一件事|这件事|那件事|东西|事情?|称呼|说话|这样|那样|这个|那个|什么|本来.?|手一抖|大家|"
        r"(?:it|this|that|them|him|her|me|you|us|one|those|these|things?|stuff|something|everything|anything|nothing)"
        r"|(?:can|could|do|does|did|is|are|will|would|should)(?:n['’]t| not)?"
        r"|.* (?:the|an?|at|of|my|our|your|his|their|to|with)",
        re.IGNORECASE,
    )
