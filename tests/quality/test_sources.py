"""Memory beside documents: is the right source found, on 60 questions whose source is known, English and Chinese.

``fusion/conversation.jsonl`` is what was said, ``fusion/docs`` a small tree of documents on the same subjects. The source
of a question is memory, a document, or one of each.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from smartbrain import SmartBrain
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import Scope
from smartbrain.policies.resolving import RetrievalPolicyResolver
from smartbrain.policies.routing import RulesRouter
from smartbrain.resources import Library

FOLDER = Path(__file__).parent / "fusion"
USER = "nadia"
# The bar is recall at 5 of 0.9 for each source; at 2 and 1 what was measured, rounded down by a little.
BAR = 0.9
AT_TWO = {"memory": 0.86, "document": 0.94}
FIRST_IS_RIGHT = 0.9


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


@cache
def library() -> Library:
    opened = Library.open()
    opened.add(FOLDER / "docs", under="docs", scope=Scope(USER, "global", "default"))
    return opened


def brain_with(resources: Library | None, *, memory: bool = True, **retrieval: Any) -> SmartBrain:
    brain = SmartBrain.open(":memory:", resources=resources, config={"policies": {"retrieval": retrieval}})
    for line in lines("conversation.jsonl") if memory else ():
        messages = [{"role": role, "content": line[role]} for role in ("user", "assistant")]
        at = datetime.fromisoformat(line["at"]).replace(tzinfo=UTC)
        brain.commit_turn(line["session"], {"messages": messages}, turn_id=line["turn"], user_id=USER, occurred_at=at)
    return brain


@cache
def brain() -> SmartBrain:
    return brain_with(library())


def found(evidences: Any) -> list[str]:
    """The turns and documents of some evidence, in its order."""
    uris = [unquote(evidence.source_uri).partition("#")[0] for evidence in evidences]
    return [
        evidence.ref.turn_id or f"docs/{uri.rpartition('/fusion/docs/')[2]}"
        for evidence, uri in zip(evidences, uris, strict=True)
    ]


def composed(question: str) -> list[str]:
    return found(brain().compose_context("new", question, user_id=USER).evidence)


def searched(question: str) -> list[str]:
    return found(brain().search(None, question, user_id=USER).evidences)


def test_the_set_is_sixty_questions_of_three_kinds_in_two_languages() -> None:
    questions = lines("questions.jsonl")
    assert len({question["question"] for question in questions}) == 60
    assert Counter(question["source"] for question in questions) == {"memory": 22, "document": 22, "both": 16}
    chinese = sum(not question["question"].isascii() for question in questions)
    assert 25 <= chinese <= 35
    turns = {line["turn"] for line in lines("conversation.jsonl")}
    assert all(set(question["turns"]) <= turns for question in questions)
    assert all((FOLDER / path).is_file() for question in questions for path in question["documents"])


@pytest.mark.parametrize("way", [composed, searched])
def test_the_right_source_is_among_the_first(way: Any) -> None:
    hits: Counter[tuple[str, int]] = Counter()
    wanted: Counter[str] = Counter()
    first = 0
    for question in lines("questions.jsonl"):
        have = way(question["question"])
        first += bool({*question["turns"], *question["documents"]} & set(have[:1]))
        for source, right in (("memory", question["turns"]), ("document", question["documents"])):
            wanted[source] += len(right)
            for k in (1, 2, 5):
                hits[source, k] += len(set(right) & set(have[:k]))
    recall = {(source, k): count / wanted[source] for (source, k), count in hits.items()}
    print(way.__name__, {key: round(value, 3) for key, value in sorted(recall.items())}, "first", first / 60)
    for source in wanted:
        assert recall[source, 5] >= BAR
        assert recall[source, 2] >= AT_TWO[source]
    assert first / 60 >= FIRST_IS_RIGHT


def test_documents_alone_answer_only_their_questions_and_so_does_memory() -> None:
    # The sources are really different: without the library no document question is answered, and the reverse.
    alone, bare = brain_with(None), brain_with(library(), memory=False)
    for question in lines("questions.jsonl")[::6]:
        from_memory = found(alone.compose_context("new", question["question"], user_id=USER).evidence)
        from_documents = found(bare.compose_context("new", question["question"], user_id=USER).evidence)
        assert not set(question["documents"]) & set(from_memory)
        assert not set(question["turns"]) & set(from_documents)
        assert set(question["documents"]) <= set(from_documents[:5])


def places(package: Any) -> Counter[str]:
    return Counter(evidence.source for evidence in package.evidence)


def test_places_are_shared_where_both_have_enough_and_handed_over_where_one_has_nothing() -> None:
    question = "How do couriers, compartments, parcels, returns and orders of a shop with a locker go?"
    wide = {"enable_resource_retrieval": "always"}
    both = brain_with(library(), **wide)
    for n in range(12):
        said = f"Couriers, parcels, returns and orders of shop number {n} went well with locker {n}."
        both.commit_turn(f"x{n}", {"messages": [{"role": "user", "content": said}]}, turn_id=f"x{n}", user_id=USER)
    assert places(both.compose_context("new", question, user_id=USER)) == {"memory": 5, "resource": 7}
    # The plan for documents asks for eight at most.
    alone = brain_with(library(), memory=False, **wide)
    assert places(alone.compose_context("new", question, user_id=USER)) == {"resource": 8}
    nothing = brain_with(Library.open(), **wide)
    assert places(nothing.compose_context("new", "Couriers, Bramble Books, backups", user_id=USER)) == {"memory": 12}
    one = Library.open()
    one.add_text("Couriers bring backups.", "docs/one.txt", scope=Scope(USER, "global", "default"))
    few = places(brain_with(one, **wide).compose_context("new", "Couriers, Bramble Books, backups", user_id=USER))
    assert few["resource"] == 1
    assert few["memory"] >= 9


def test_a_stored_plan_gives_the_same_pack_from_the_same_library_another_day(tmp_path: Path) -> None:
    scope = Scope(USER, "global", "default")
    with Library.open(tmp_path / "library.db") as made:
        made.add(FOLDER / "docs", under="docs", scope=scope)
    router, resolver = RulesRouter(), RetrievalPolicyResolver()
    routed = [json.loads(line) for line in (FOLDER.parent / "routing" / "en.jsonl").read_text("utf-8").splitlines()]
    questions = [case["text"] for case in routed] + [question["question"] for question in lines("questions.jsonl")]
    profiles, found_some = set(), 0
    with Library.open(tmp_path / "library.db") as again:
        for question in questions:
            plan = resolver.resolve(router.route(question))
            stored, _ = RetrievalPlan.read(plan.to_json())
            packs = [
                each.retrieve(one, scopes=(scope,), timeout=1.0) for each, one in ((library(), plan), (again, stored))
            ]
            one, other = (
                pack.model_copy(update={"stats": pack.stats.model_copy(update={"took_ms": 0})}) for pack in packs
            )
            assert one == other
            profiles.add(plan.profile)
            found_some += bool(one.evidences)
    assert len(profiles) == 7
    assert found_some > 50
