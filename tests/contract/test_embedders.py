"""Embedders that change or are down, on both stores: no space is mixed, words go on, and only a backlog is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from smartbrain import SmartBrain
from smartbrain.ports import VectorModel
from smartbrain.runtime.outage import Outage
from smartbrain.semantic import as_embedder
from smartbrain.stores import open_storage
from smartbrain.testing.fakes import CounterIds, ManualClock

COMMIT = {"policies": {"retrieval": {"semantic": {"embed_in": "commit"}}}}
TOPICS = (("puppy", "dog", "hound"), ("tea", "brew", "oolong"))


class Topics:
    """Knows what a few words are about; is down when it is told to be, and counts how often it was asked."""

    def __init__(self, model: str = "topics", version: str | None = "1", width: int = 4) -> None:
        self.model, self.version, self.width = model, version, width
        self.down = False
        self.calls = 0

    @property
    def dimension(self) -> int:
        self._ask()
        return self.width

    def embed_documents(self, texts: Any) -> list[list[float]]:
        self._ask()
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self._ask()
        return self._vector(text)

    def _ask(self) -> None:
        self.calls += 1
        if self.down:
            raise ConnectionError("no network")

    def _vector(self, text: str) -> list[float]:
        about = [float(any(word in text.lower() for word in words)) for words in TOPICS]
        return [*about, 0.2, *([0.1] * (self.width - 3))]


@pytest.fixture(params=["file", "postgres"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., SmartBrain]]:
    target = str(tmp_path / "b.db") if request.param == "file" else request.getfixturevalue("postgres_url")
    opened: list[SmartBrain] = []

    def make(embedder: Any = None, config: Any = COMMIT) -> SmartBrain:
        for brain in opened:
            brain.close()
        brain = SmartBrain.open(
            target, embedder=embedder, config=config, clock=ManualClock(), new_id=CounterIds(), rules=()
        )
        brain._shop.vectors.close()  # what is missing is made when the test says so
        opened.append(brain)
        brain.target = target  # type: ignore[attr-defined]
        return brain

    yield make
    for brain in opened:
        brain.close()


def say(brain: SmartBrain, *texts: str) -> None:
    for text in texts:
        brain.commit_turn("s", messages=[{"role": "user", "content": text}], turn_id=text, user_id="u")


def semantic(brain: SmartBrain) -> dict[str, Any]:
    found: dict[str, Any] = brain.diagnostics()["semantic"]
    return found


def first(brain: SmartBrain, query: str) -> Any:
    return brain.search("s", query, mode="hybrid", user_id="u").evidences[0]


def test_model_version_and_dimension_are_recorded_with_each_vector(make: Any) -> None:
    brain = make(Topics("topics", "2024-06", 5))
    say(brain, "we adopted a puppy", "a cup of tea")
    assert semantic(brain)["model"] == "topics@2024-06"
    assert semantic(brain)["kept"] == [{"model": "topics@2024-06", "dimension": 5, "documents": 2}]
    brain.close()
    store = open_storage(brain.target)
    with store.read() as reader:
        assert reader.vector_models(store.scopes()) == {VectorModel("topics@2024-06", 5): 2}
    store.close()


@pytest.mark.parametrize(
    "other", [Topics("others"), Topics("topics", "2"), Topics("topics", "1", 6)], ids=["model", "version", "dimension"]
)
def test_a_change_of_model_version_or_dimension_mixes_nothing(make: Any, other: Topics) -> None:
    say(make(Topics()), "we adopted a puppy", "a cup of tea")
    brain = make(other)
    assert first(brain, "adopted puppy").signals.vector_score is None
    assert first(brain, "adopted puppy").snippet == "we adopted a puppy"
    assert semantic(brain)["backlog"] == 2
    say(brain, "the dog is a hound")
    assert [one["documents"] for one in semantic(brain)["kept"]] in ([2, 3], [3, 2])
    brain.catch_up()
    name = f"{other.model}@{other.version}"
    assert semantic(brain)["kept"] == [{"model": name, "dimension": other.width, "documents": 3}]
    assert semantic(brain)["backlog"] == 0
    assert first(brain, "which hound did we adopt?").signals.vector_score is not None


@pytest.mark.parametrize("embed_in", ["commit", "background"])
def test_an_embedder_that_is_down_costs_nothing_but_a_backlog(make: Any, embed_in: str) -> None:
    embedder = Topics()
    embedder.down = True
    brain = make(embedder, {"policies": {"retrieval": {"semantic": {"embed_in": embed_in}}}})
    say(brain, "we adopted a puppy", "a cup of tea", "the bus was late")
    assert semantic(brain)["backlog"] == 3  # though it could not even tell its dimension
    assert first(brain, "adopted puppy").snippet == "we adopted a puppy"
    package = brain.compose_context("s", "adopted puppy?", user_id="u")
    assert any("no network; searched by words" in warning for warning in package.debug.warnings)
    embedder.down = False
    assert brain.catch_up() == 3
    assert semantic(brain)["backlog"] == 0
    assert first(brain, "which dog?").snippet == "we adopted a puppy"


def test_one_that_was_there_before_and_is_down_now_has_only_the_new_texts_left(make: Any) -> None:
    say(make(Topics()), "we adopted a puppy")
    embedder = Topics()
    embedder.down = True
    brain = make(embedder)
    say(brain, "a cup of tea")
    assert semantic(brain)["backlog"] == 1
    assert semantic(brain)["kept"] == [{"model": "topics@1", "dimension": 4, "documents": 1}]


def test_an_embedder_that_is_down_is_not_asked_again_and_again(make: Any) -> None:
    embedder = Topics()
    brain = make(embedder)
    say(brain, "we adopted a puppy")
    seconds = [0.0]
    brain._shop.vectors._embedding.outage = Outage(lambda: seconds[0])
    embedder.down = True
    for _ in range(2):
        first(brain, "adopted puppy")
    asked = embedder.calls
    say(brain, *(f"cup number {n} of tea" for n in range(5)))
    found = brain.search("s", "adopted puppy", user_id="u")
    assert embedder.calls == asked
    assert "no network; searched by words" in found.warnings[0]
    assert semantic(brain)["backlog"] == 5
    seconds[0] += 1.5
    first(brain, "adopted puppy")
    assert embedder.calls == asked + 1
    embedder.down = False
    seconds[0] += 1.0
    assert first(brain, "adopted puppy").signals.vector_score is None  # still resting, twice as long
    seconds[0] += 1.5
    assert first(brain, "which dog?").signals.vector_score is not None
    assert brain.catch_up() == 5


def test_the_rest_grows_and_ends_with_an_answer() -> None:
    seconds = [0.0]
    outage = Outage(lambda: seconds[0])
    rests = []
    outage.failed("down")
    assert not outage.resting
    for _ in range(9):
        outage.failed("down")
        start = seconds[0]
        while outage.resting:
            seconds[0] += 0.5
        rests.append(seconds[0] - start)
    assert rests == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    outage.failed("down")
    outage.answered()
    assert not outage.resting


def test_a_version_can_be_given_to_any_embedder() -> None:
    def embed(texts: list[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]

    with SmartBrain.open(":memory:", embedder=as_embedder(embed, model="mine", version="7"), config=COMMIT) as brain:
        say(brain, "hello there")
        assert semantic(brain)["kept"] == [{"model": "mine@7", "dimension": 2, "documents": 1}]
