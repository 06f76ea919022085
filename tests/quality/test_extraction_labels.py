"""The labelled utterances are well-formed, balanced, and follow the key scheme; the scorer can tell right from wrong."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from smartbrain.contracts.turn_events import TurnEvents
from smartbrain.model import TYPE_RULES, slug
from smartbrain.text.folding import fold

FILES = ("dev_en", "dev_zh", "spent_en", "spent_zh", "test_en", "test_zh")
ITEM_FIELDS = {"id", "lang", "class", "said_at", "messages", "expect", "why"}
LABEL_FIELDS = {
    *("type", "key", "facts", "status", "polarity", "retract", "accept"),
    *("value", "due", "aliases", "optional"),
}
PREFIXES = tuple(f"{rule.prefix}:" for rule in TYPE_RULES.values())


def _every(labels: SimpleNamespace) -> list[dict[str, Any]]:
    return [item for name in FILES for item in labels.load(name)]


def _text(item: dict[str, Any]) -> str:
    return " ".join(fold("\n".join(message["content"] for message in item["messages"])).split())


def _keys(item: dict[str, Any]) -> list[str]:
    return [key for label in item["expect"] for key in (label["key"], *label.get("accept", ()))]


def test_every_item_has_the_documented_fields(labels: SimpleNamespace) -> None:
    for item in _every(labels):
        assert set(item) <= ITEM_FIELDS, item["id"]
        assert item["lang"] in {"en", "zh-Hans", "zh-Hant"}, item["id"]
        assert item["class"] in {"positive", "near_miss", "hard_negative"}, item["id"]
        assert datetime.fromisoformat(item["said_at"]).utcoffset() is not None, item["id"]
        assert item["messages"], item["id"]
        TurnEvents.model_validate({"messages": item["messages"]})


def test_every_label_has_the_documented_fields(labels: SimpleNamespace) -> None:
    for item in _every(labels):
        for label in item["expect"]:
            assert set(label) <= LABEL_FIELDS, item["id"]
            assert label["type"] in TYPE_RULES, item["id"]
            assert label.get("status", "todo") in {"todo", "doing", "done", "blocked"}, item["id"]
            assert (label["type"] == "profile") == ("facts" in label), item["id"]
            asked_as_liked = label["type"] == "preferences" and not label.get("retract")
            assert asked_as_liked == (label.get("polarity") in ("like", "dislike")), item["id"]
            assert all(label.get("retract") or fact["v"] for fact in label.get("facts", ())), item["id"]
            date.fromisoformat(label.get("due", "2026-01-01"))


def test_ids_and_texts_are_never_used_twice(labels: SimpleNamespace) -> None:
    items = _every(labels)
    assert [key for key, times in Counter(item["id"] for item in items).items() if times > 1] == []
    assert [text for text, times in Counter(map(_text, items)).items() if times > 1] == []


@pytest.mark.parametrize("name", FILES)
def test_each_file_holds_its_share_of_every_class(labels: SimpleNamespace, name: str) -> None:
    items = labels.load(name)
    assert len(items) >= 110
    for share in Counter(item["class"] for item in items).values():
        assert 0.25 <= share / len(items) <= 0.45
    assert len({item["class"] for item in items}) == 3


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_in_its_language_and_a_fifth_of_the_chinese_is_traditional(
    labels: SimpleNamespace, name: str
) -> None:
    counted = Counter(item["lang"] for item in labels.load(name))
    if name.endswith("en"):
        assert set(counted) == {"en"}
    else:
        assert set(counted) == {"zh-Hans", "zh-Hant"}
        assert counted["zh-Hant"] >= 0.2 * counted.total()


@pytest.mark.parametrize("name", ["en", "zh"])
def test_every_part_holds_every_type(labels: SimpleNamespace, name: str) -> None:
    for half in ("dev", "spent", "test"):
        seen = Counter(label["type"] for item in labels.load(f"{half}_{name}") for label in item["expect"])
        assert set(seen) == set(TYPE_RULES) - {"cases", "patterns"}
        assert min(seen.values()) >= 4


def test_positives_want_something_and_hard_negatives_nothing(labels: SimpleNamespace) -> None:
    for item in _every(labels):
        asked = [label for label in item["expect"] if not label.get("optional")]
        if item["class"] == "positive":
            assert asked, item["id"]
        elif item["class"] == "hard_negative":
            assert item["expect"] == [], item["id"]


def test_keys_are_folded_slugs_behind_the_prefix_of_their_type(labels: SimpleNamespace) -> None:
    for item in _every(labels):
        for label in item["expect"]:
            assert label["key"].startswith(f"{TYPE_RULES[label['type']].prefix}:"), item["id"]
        for key in _keys(item):
            assert key.startswith(PREFIXES), item["id"]
            parts = key.split(":")
            if parts[0] == "event":
                when = parts.pop(2)
                assert when == "undated" or slug(when) == when or str(date.fromisoformat(when)) == when, item["id"]
            assert len(parts) == (2 if parts[0] == "profile" else 3), key
            assert [slug(fold(part)) for part in parts] == parts, key


def test_preferences_use_the_slots_of_the_key_scheme(labels: SimpleNamespace) -> None:
    slots = labels.slots()
    assert set(slots) == {"writing", "coding", "tools", "ui", "other"}
    for item in _every(labels):
        for key in (label["key"] for label in item["expect"] if label["type"] == "preferences"):
            scope, name = key.split(":")[1:]
            assert scope in {"other", "tools"} or name in slots[scope], key


def test_facts_are_of_the_closed_list(labels: SimpleNamespace) -> None:
    kinds = labels.closed_list("name nickname")
    for item in _every(labels):
        for label in item["expect"]:
            assert {fact["k"] for fact in label.get("facts", ())} <= set(kinds), item["id"]


LIKE = {"type": "preferences", "key": "pref:ui:theme", "polarity": "like", "value": "dark"}
DARK = {"type": "preferences", "key": "pref:ui:theme", "value": {"value": "Dark theme", "polarity": "like"}}


def _counts(labels: SimpleNamespace, expect: list[dict[str, Any]], kept: list[dict[str, Any]]) -> tuple[int, int, int]:
    found = labels.score(expect, kept)
    return len(found.hits), len(found.missed), len(found.junk)


def test_the_scorer_counts_hits_misses_and_junk(labels: SimpleNamespace) -> None:
    light = {**DARK, "value": {"value": "light", "polarity": "like"}}
    disliked = {**DARK, "value": {"value": "dark", "polarity": "dislike"}}
    assert _counts(labels, [LIKE], [DARK]) == (1, 0, 0)
    assert _counts(labels, [LIKE], [DARK, DARK]) == (1, 0, 0)
    assert _counts(labels, [LIKE], [light]) == (0, 1, 1)
    assert _counts(labels, [LIKE], [disliked]) == (0, 1, 1)
    rambling = {**DARK, "value": {"value": f"dark {'and so on ' * 5}", "polarity": "like"}}
    assert _counts(labels, [LIKE], [rambling]) == (0, 1, 1)
    assert _counts(labels, [LIKE], []) == (0, 1, 0)
    assert _counts(labels, [], [DARK]) == (0, 0, 1)
    assert _counts(labels, [LIKE | {"optional": True}], []) == (0, 0, 0)
    assert _counts(labels, [LIKE | {"optional": True}], [DARK]) == (0, 0, 0)
    assert _counts(labels, [LIKE | {"key": "pref:ui:layout", "accept": ["pref:ui:theme"]}], [DARK]) == (1, 0, 0)


def test_the_scorer_counts_each_fact_and_tells_a_closed_one(labels: SimpleNamespace) -> None:
    facts = [{"k": "age", "v": "34"}, {"k": "home", "v": "Cork"}]
    label = {"type": "profile", "key": "profile:user", "facts": facts}
    kept = {"type": "profile", "key": "profile:user", "value": {"facts": [facts[0], {"k": "role", "v": "nurse"}]}}
    assert _counts(labels, [label], [kept]) == (1, 1, 1)
    closed = {"type": "profile", "key": "profile:user", "facts": [{"k": "home"}], "retract": True}
    ended = {"type": "profile", "key": "profile:user", "value": {"facts": [{"k": "home", "v": None}]}}
    assert _counts(labels, [closed], [ended]) == (1, 0, 0)
    assert _counts(labels, [closed], [{"type": "profile", "key": "profile:user", "retract": True}]) == (0, 1, 1)


def test_the_scorer_compares_events_by_date_and_kind(labels: SimpleNamespace) -> None:
    label = {"type": "events", "key": "event:default:2026-05-14:trip_lisbon"}
    assert _counts(labels, [label], [{"type": "events", "key": "event:default:2026-05-14:trip"}]) == (1, 0, 0)
    assert _counts(labels, [label], [{"type": "events", "key": "event:default:2026-05-15:trip"}]) == (0, 1, 1)
    assert _counts(labels, [label], [{"type": "events", "key": "event:default:2026-05-14:tripod"}]) == (0, 1, 1)


def test_the_scorer_wants_status_due_and_aliases(labels: SimpleNamespace) -> None:
    task = {"type": "tasks", "key": "task:default:report", "status": "done"}
    kept = {"type": "tasks", "key": "task:default:report", "value": {"status": "done", "title": "report"}}
    assert _counts(labels, [task], [kept]) == (1, 0, 0)
    assert _counts(labels, [task | {"due": "2026-03-20"}], [kept]) == (0, 1, 1)
    named = {"type": "entities", "key": "entity:other:stockpile", "aliases": ["SP"]}
    entity = {"type": "entities", "key": "entity:other:stockpile", "value": {"name": "Stockpile", "aliases": []}}
    assert _counts(labels, [named], [entity]) == (0, 1, 1)
    assert _counts(labels, [named], [entity | {"value": {"aliases": ["sp"]}}]) == (1, 0, 0)
    assert _counts(labels, [task], [kept, entity]) == (1, 0, 0)
