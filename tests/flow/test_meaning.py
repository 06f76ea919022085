"""An embedder and a reranker plugged into a brain: what they bring, and what their failing costs."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import numpy as np
import pytest

from smartbrain.config import SemanticPolicy
from smartbrain.errors import InputError
from smartbrain.semantic import as_embedder
from smartbrain.testing.fakes import LetterEmbedder, OverlapReranker

COMMIT = {"policies": {"retrieval": {"semantic": {"embed_in": "commit"}}}}
WORDS_ALONE = {"policies": {"retrieval": {"static": {"enabled": False}}}}
TOPICS = {"pet": ("dog", "puppy", "hound", "狗"), "drink": ("tea", "brew", "oolong", "茶"), "town": ("paris", "city")}


class TopicEmbedder:
    """Knows what some words are about, and nothing else. Keeps what it was given."""

    model = "topics-1"
    dimension = 4

    def __init__(self):
        self.texts = []
        self.asked = []
        self.failing = None

    def vector(self, text):
        if self.failing is not None and self.failing(text):
            raise ConnectionError("no network")
        about = [float(any(word in text.lower() for word in words)) for words in TOPICS.values()]
        return [*about, 0.2]

    def embed_documents(self, texts):
        vectors = [self.vector(text) for text in texts]
        self.texts += texts
        return vectors

    def embed_query(self, text):
        self.asked.append(text)
        return self.vector(text)


@pytest.fixture
def make_brain(make_brain):
    """Brains that keep what is said and make nothing of it: every message is one text to be embedded."""
    return lambda *target, **settings: make_brain(*target, **{"rules": (), **settings})


class Gate(TopicEmbedder):
    """Waits until it is let go; tells when it was reached."""

    def __init__(self):
        super().__init__()
        self.reached = threading.Event()
        self.open = threading.Event()

    def embed_documents(self, texts):
        self.reached.set()
        assert self.open.wait(20)
        return super().embed_documents(texts)


def say(brain, *texts, session="s", start=0, **fields):
    return [
        brain.commit_turn(session, messages=[{"role": "user", "content": text, **fields}], turn_id=f"t{start + n}")
        for n, text in enumerate(texts)
    ]


def first(brain, query, mode="hybrid", **how):
    return brain.search("s", query, mode=mode, **how).evidences[0]


def semantic(brain):
    return brain.diagnostics()["semantic"]


def counts(brain):
    return brain.diagnostics()["metrics"]["counts"]


# -- finding by meaning ------------------------------------------------------------------------------------------


def test_what_no_word_finds_meaning_does(make_brain):
    brain = make_brain(embedder=TopicEmbedder(), config=COMMIT)
    say(brain, "we adopted a puppy", "the bus was late", "oolong in the morning", "a letter from the bank")
    assert brain.search("s", "which dog?", mode="exact").evidences == ()
    found = first(brain, "which dog?")
    assert found.snippet == "we adopted a puppy"
    assert found.signals.vector_rank == 1
    assert found.signals.vector_score > 0.5
    assert found.signals.parts["meaning"] == pytest.approx(SemanticPolicy().weight_events)
    assert first(brain, "which dog?", "semantic").signals.fts_score is None


def test_a_question_in_one_language_finds_the_answer_in_another(make_brain):
    brain = make_brain(embedder=TopicEmbedder(), config=COMMIT)
    say(brain, "we adopted a puppy", "the bus was late", "我喜歡坐火車旅行", "今天的會議取消了")
    assert first(brain, "狗叫什么名字？").snippet == "we adopted a puppy"


def test_memory_items_are_found_by_meaning_too(make_brain):
    brain = make_brain(embedder=TopicEmbedder(), config=COMMIT)
    decision = {"project": "home", "topic": "pet", "decision": "get a hound", "rationale": ""}
    brain.commit_turn("s", {"decisions": [decision, {**decision, "topic": "bus", "decision": "sell the car"}]})
    found = first(brain, "a puppy?")
    assert found.kind == "memory_item"
    assert "hound" in found.snippet


def test_modes_use_what_they_say(make_brain):
    embedder = TopicEmbedder()
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "a puppy", "the word itself")
    for mode, parts in (("exact", {"words"}), ("semantic", {"meaning"}), ("hybrid", {"words", "meaning"})):
        found = brain.search("s", "word of a dog", mode=mode).evidences
        assert parts <= set().union(*(e.signals.parts for e in found))
    assert "meaning" not in first(brain, "word", "exact").signals.parts
    assert embedder.asked == ["word of a dog", "word of a dog"]


def test_a_weight_of_zero_switches_meaning_off(make_brain):
    settings = {"embed_in": "commit", "weight_events": 0.0, "weight_items": 0.0}
    brain = make_brain(embedder=TopicEmbedder(), config={"policies": {"retrieval": {"semantic": settings}}})
    say(brain, "a puppy")
    assert brain.search("s", "which dog?", mode="hybrid").evidences == ()


def test_small_talk_finds_nothing_by_meaning(make_brain):
    embedder = TopicEmbedder()
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "we adopted a puppy")
    assert brain.compose_context("other", "…", agent_state={}).evidence == ()
    assert embedder.asked == []


def test_as_of_hides_what_was_said_later(make_brain):
    brain = make_brain(embedder=TopicEmbedder(), config=COMMIT)
    for day in (1, 20):
        said = [{"role": "user", "content": f"puppy number {day}"}]
        brain.commit_turn("s", messages=said, occurred_at=datetime(2025, 5, day, tzinfo=UTC))
    moment = datetime(2025, 5, 10, tzinfo=UTC)
    found = brain.search("s", "which dog?", mode="semantic", as_of=moment).evidences
    assert [e.snippet for e in found] == ["puppy number 1"]


def test_scopes_do_not_see_each_others_vectors(make_brain):
    brain = make_brain(embedder=TopicEmbedder(), config=COMMIT)
    say(brain, "my puppy", session="s")
    say(brain, "another hound", session="other")
    assert [e.snippet for e in brain.search("s", "which dog?", mode="semantic").evidences] == ["my puppy"]


# -- what is embedded --------------------------------------------------------------------------------------------


def test_the_text_itself_is_embedded_with_who_said_it(make_brain):
    embedder = TopicEmbedder()
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "The dogs, which we had adopted, barked.", name="Ann")
    say(brain, "No name stands here.", start=5)
    assert embedder.texts == ["Ann: The dogs, which we had adopted, barked.", "No name stands here."]


def test_the_speakers_are_left_out_of_the_question(make_brain):
    embedder = TopicEmbedder()
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "we adopted a puppy", name="Ann")
    assert first(brain, "Which dog does Ann's family have?").snippet == "we adopted a puppy"
    assert embedder.asked == ["Which dog does family have?"]


def test_a_long_text_is_found_by_any_of_its_windows(make_brain):
    brain = make_brain(embedder=TopicEmbedder(), config=COMMIT)
    filler = "nothing in particular happened and nobody minded. " * 60
    say(brain, filler + "then came a hound. " + filler, filler, "short")
    found = first(brain, "which dog?")
    assert found.ref.turn_id == "t0"
    assert found.signals.vector_score > 0.5


def test_texts_that_models_stumble_over_are_made_harmless(make_brain):
    embedder = TopicEmbedder()
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "a\x00puppy", "half \ud83d of a pair", "🍵", "", "x" * 200_000)
    assert all("\x00" not in text and text.encode() for text in embedder.texts)
    assert semantic(brain)["backlog"] == 0
    assert first(brain, "which dog\x00?").ref.turn_id == "t0"


# -- the backlog -------------------------------------------------------------------------------------------------


def test_a_commit_does_not_wait_for_a_slow_embedder_and_search_goes_on(make_brain, tmp_path):
    gate = Gate()
    brain = make_brain(tmp_path / "b.db", embedder=gate)
    say(brain, "we adopted a puppy")
    assert gate.reached.wait(20)
    say(brain, "the bus was late", start=1)
    assert first(brain, "puppy adopted?").snippet == "we adopted a puppy"
    assert semantic(brain)["backlog"] == 2
    gate.open.set()
    brain.catch_up()
    assert semantic(brain)["backlog"] == 0
    assert first(brain, "which dog?").snippet == "we adopted a puppy"
    assert sorted(gate.texts) == ["the bus was late", "we adopted a puppy"]


def test_what_was_left_undone_is_done_when_the_store_is_opened_again(make_brain, tmp_path):
    say(make_brain(tmp_path / "b.db"), "we adopted a puppy")
    gate = Gate()
    brain = make_brain(tmp_path / "b.db", embedder=gate)
    assert gate.reached.wait(20)
    gate.open.set()
    brain.catch_up()
    assert first(brain, "which dog?").snippet == "we adopted a puppy"
    assert len(gate.texts) == 1


def test_closing_ends_the_background(make_brain, tmp_path):
    gate = Gate()
    brain = make_brain(tmp_path / "b.db", embedder=gate)
    say(brain, *(f"puppy number {n}" for n in range(40)))
    assert gate.reached.wait(20)
    gate.open.set()
    brain.close()
    assert not [t for t in threading.enumerate() if t.name == "smartbrain-vectors" and t.is_alive()]
    assert brain.diagnostics()["semantic"]["backlog"] is None


def test_another_embedder_makes_its_own_vectors_and_words_are_found_meanwhile(make_brain, tmp_path):
    path = tmp_path / "b.db"
    say(brain := make_brain(path, embedder=LetterEmbedder(), config=COMMIT), "we adopted a puppy", "the bus was late")
    assert semantic(brain) == {
        "model": "letters-1",
        "dimension": 26,
        "embed_in": "commit",
        "backlog": 0,
        "refused": 0,
        "kept": [{"model": "letters-1", "dimension": 26, "documents": 2}],
    }
    brain.close()
    gate = Gate()
    brain = make_brain(path, embedder=gate)
    assert gate.reached.wait(20)
    assert semantic(brain)["backlog"] == 2
    assert first(brain, "adopted puppy").signals.vector_score is None
    gate.open.set()
    brain.catch_up()
    assert semantic(brain)["backlog"] == 0
    assert first(brain, "which dog?").snippet == "we adopted a puppy"


def test_catching_up_drops_what_another_embedder_made(make_brain, tmp_path):
    path = tmp_path / "b.db"
    old = make_brain(path, embedder=LetterEmbedder(), config=COMMIT)
    say(old, "we adopted a puppy")
    new = make_brain(path, embedder=TopicEmbedder(), config=COMMIT)
    new.catch_up()
    assert (semantic(old)["backlog"], semantic(new)["backlog"]) == (1, 0)


def test_catch_up_can_be_given_a_limit(make_brain):
    embedder = TopicEmbedder()
    embedder.failing = lambda text: True
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, *(f"puppy number {n}" for n in range(5)))
    assert brain.catch_up() == 0
    embedder.failing = None
    brain._shop.vectors.close()  # the background would do the rest
    assert [brain.catch_up(limit=2), brain.catch_up(limit=9), brain.catch_up()] == [2, 3, 0]


def test_without_an_embedder_nothing_happens(make_brain):
    brain = make_brain(config=WORDS_ALONE)
    say(brain, "we adopted a puppy")
    assert (semantic(brain), brain.catch_up()) == (None, 0)


def test_what_is_no_embedder_is_refused_before_anything_is_opened_for_long(make_brain, tmp_path):
    with pytest.raises(InputError):
        make_brain(tmp_path / "b.db", embedder="not one")


def test_a_revised_turn_and_a_rebuilt_memory_get_new_vectors(make_brain):
    embedder = TopicEmbedder()
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "we adopted a puppy", "the bus was late")
    say(brain, "we drink oolong")
    assert [e.snippet for e in brain.search("s", "which dog?", mode="semantic", k=1).evidences] != [
        "we adopted a puppy"
    ]
    assert first(brain, "which brew?", "semantic").snippet == "we drink oolong"
    brain.commit_turn("s", {"decisions": [{"project": "p", "topic": "pet", "decision": "get a hound"}]})
    brain.rebuild("s")
    assert semantic(brain)["backlog"] == 0
    found = brain.search("s", "which dog?", mode="semantic").evidences
    assert "hound" in next(e.snippet for e in found if e.kind == "memory_item")


def test_vectors_of_what_was_rolled_back_are_not_kept(make_brain, monkeypatch):
    brain = make_brain(embedder=TopicEmbedder(), config=COMMIT)
    say(brain, "the bus was late")
    monkeypatch.setattr(brain._writing, "_flush_contexts", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        say(brain, "we adopted a puppy", start=1)
    monkeypatch.undo()
    say(brain, "a cup of oolong", start=1)
    assert first(brain, "which dog?", "semantic").snippet != "we adopted a puppy"
    assert first(brain, "which brew?", "semantic").snippet == "a cup of oolong"


# -- failing -----------------------------------------------------------------------------------------------------


def test_a_failing_embedder_costs_a_warning_and_never_the_turn(make_brain):
    embedder = TopicEmbedder()
    embedder.failing = lambda text: True
    brain = make_brain(embedder=embedder, config=COMMIT)
    (result,) = say(brain, "we adopted a puppy")
    assert result.status == "committed"
    pack = brain.search("s", "puppy adopted?", mode="hybrid")
    assert [e.snippet for e in pack.evidences] == ["we adopted a puppy"]
    assert "no network" in pack.warnings[0]
    assert "no network" in brain.compose_context("s", "which puppy was adopted?").debug.warnings[0]
    assert counts(brain)["embedder_failures"] >= 2
    embedder.failing = None
    assert brain.catch_up() == 1
    assert first(brain, "which dog?").snippet == "we adopted a puppy"


def test_a_text_the_embedder_cannot_take_holds_up_no_other(make_brain):
    embedder = TopicEmbedder()
    embedder.failing = lambda text: "poison" in text
    brain = make_brain(config={"policies": {"retrieval": {"semantic": {"batch": 4}}}}, embedder=embedder)
    say(brain, "a puppy", "poison one", "a cup of tea", "poison two", "in paris")
    brain.catch_up()
    assert semantic(brain)["backlog"] == semantic(brain)["refused"] == 2
    assert first(brain, "which city?").snippet == "in paris"
    assert brain.catch_up() == 0


def test_an_answer_that_takes_too_long_is_not_waited_for(make_brain):
    class Slow(TopicEmbedder):
        done = threading.Event()

        def embed_query(self, text):
            self.done.wait(20)
            return super().embed_query(text)

    settings = {"policies": {"retrieval": {"semantic": {"query_timeout_ms": 20}}}}
    brain = make_brain(embedder=Slow(), config=settings)
    say(brain, "we adopted a puppy")
    pack = brain.search("s", "puppy?", mode="hybrid")
    assert pack.evidences[0].snippet == "we adopted a puppy"
    assert "did not answer within 0.02 s" in pack.warnings[0]
    assert counts(brain)["embedder_timeouts"] == 1
    Slow.done.set()


@pytest.mark.parametrize(
    "vectors",
    [[[1.0, 2.0]], [[float("nan")] * 4], [], ["words"], [[[1.0] * 4]]],
    ids=["short", "nan", "none", "str", "deep"],
)
def test_what_is_no_vector_is_refused(make_brain, vectors):
    embedder = TopicEmbedder()
    embedder.embed_documents = lambda texts: vectors
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "we adopted a puppy")
    assert semantic(brain)["backlog"] == 1
    assert counts(brain)["embedder_failures"] >= 1


def test_the_mode_semantic_without_an_embedder_says_that_it_used_words(make_brain):
    brain = make_brain(config=WORDS_ALONE)
    say(brain, "we adopted a puppy")
    pack = brain.search("s", "puppy", mode="semantic")
    assert len(pack.evidences) == 1
    assert pack.warnings == ("mode semantic: no embedder is plugged in; searched by words",)


def test_any_embeddings_can_be_plugged_in(make_brain):
    def letters(texts):
        return np.array(LetterEmbedder().embed_documents(texts), dtype=np.float64)

    brain = make_brain(embedder=as_embedder(letters, model="letters"), config=COMMIT)
    say(brain, "zzzz", "aaaa", "mmmm")
    assert first(brain, "zz", "semantic").snippet == "zzzz"


def test_a_prior_of_another_dimension_costs_a_warning(make_brain):
    embedder = TopicEmbedder()
    embedder.prior = {"en": [0.1]}
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "we adopted a puppy")
    assert "prior" in brain.search("s", "puppy", mode="hybrid").warnings[0]


# -- reranking ---------------------------------------------------------------------------------------------------


class ScriptedReranker:
    model = "scripted"

    def __init__(self, answer):
        self.answer = answer
        self.seen = []

    def rerank(self, query, texts):
        self.seen.append((query, list(texts)))
        return self.answer(texts)


def kettles(brain):
    say(brain, *(f"the kettle number {n} is blue" for n in range(6)))


def test_a_reranker_puts_the_best_first_and_scores_stay_comparable(make_brain):
    reranker = ScriptedReranker(lambda texts: [5.0 if "number 2" in text else -3.0 for text in texts])
    brain = make_brain(reranker=reranker)
    kettles(brain)
    pack = brain.search("s", "which kettle is blue?", mode="exact")
    assert pack.evidences[0].snippet == "the kettle number 2 is blue"
    assert [e.signals.rerank_score for e in pack.evidences] == [5.0] + [-3.0] * 5
    scores = [e.signals.score for e in pack.evidences]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1
    assert pack.explain.rerank["applied"]
    assert pack.explain.rerank["model"] == "scripted"
    assert reranker.seen[0][0] == "which kettle is blue?"


def test_only_the_first_candidates_are_reranked(make_brain):
    reranker = ScriptedReranker(lambda texts: list(range(len(texts))))
    brain = make_brain(reranker=reranker, config={"policies": {"retrieval": {"rerank": {"top_n": 2}}}})
    kettles(brain)
    plain = make_brain()
    kettles(plain)
    before = [e.snippet for e in plain.search("s", "which kettle is blue?", mode="exact").evidences]
    after = [e.snippet for e in brain.search("s", "which kettle is blue?", mode="exact").evidences]
    assert after == [before[1], before[0], *before[2:]]
    assert len(reranker.seen[0][1]) == 2


def test_a_reranker_can_be_switched_off(make_brain):
    reranker = ScriptedReranker(lambda texts: [1.0] * len(texts))
    brain = make_brain(reranker=reranker, config={"policies": {"retrieval": {"rerank": {"enabled": False}}}})
    kettles(brain)
    assert brain.search("s", "which kettle?", mode="exact").explain.rerank == {"enabled": False}
    assert reranker.seen == []


@pytest.mark.parametrize(
    ("answer", "warning", "count"),
    [
        (lambda texts: 1 / 0, "ZeroDivisionError", "reranker_failures"),
        (lambda texts: [1.0], "finite scores", "reranker_failures"),
        (lambda texts: [float("nan")] * len(texts), "finite scores", "reranker_failures"),
        (lambda texts: ["good"] * len(texts), "ValueError", "reranker_failures"),
        (lambda texts: threading.Event().wait(0.5) or [], "did not answer within 0.02 s", "reranker_timeouts"),
    ],
    ids=["raises", "too few", "nan", "words", "late"],
)
def test_a_reranker_that_fails_leaves_the_order_and_a_warning(make_brain, answer, warning, count):
    settings = {"policies": {"retrieval": {"rerank": {"timeout_ms": 20}}}}
    brain = make_brain(reranker=ScriptedReranker(answer), config=settings)
    kettles(brain)
    pack = brain.search("s", "which kettle is blue?", mode="exact")
    assert len(pack.evidences) == 6
    assert warning in pack.warnings[0]
    assert not pack.explain.rerank["applied"]
    assert counts(brain)[count] == 1
    assert warning in brain.compose_context("s", "which kettle is blue?").debug.warnings[0]


def test_reranking_that_is_asked_for_and_not_there_is_a_warning(make_brain):
    brain = make_brain(config={"policies": {"retrieval": {"rerank": {"enabled": True}}}})
    kettles(brain)
    pack = brain.search("s", "which kettle is blue?")
    assert "no reranker is plugged in" in pack.warnings[0]
    assert len(pack.evidences) == 6


def test_a_reranked_context_says_so(make_brain):
    brain = make_brain(reranker=OverlapReranker())
    brain.commit_turn("a", messages=[{"role": "user", "content": "the kettle is blue"}], user_id="u")
    package = brain.compose_context("b", "is the kettle blue?", user_id="u")
    assert package.evidence[0].signals.rerank_score == 0.75
    assert brain.replay(package.context_id, user_id="u").same


# -- messages that also tell something ---------------------------------------------------------------------------

TOLD = "I gave the puppy a brew. What is next?"


class TwoSided(TopicEmbedder):
    """Embeds questions apart from texts, and says so."""

    asymmetric = True

    def embed_query(self, text):
        self.asked.append(text)
        return [0.0, 0.0, 1.0, 0.2]


def test_a_message_that_also_tells_is_embedded_as_a_question_and_as_a_text(make_brain):
    embedder = TwoSided()
    brain = make_brain(embedder=embedder, config=COMMIT)
    say(brain, "we adopted a puppy", "the bus was late", "a week in paris", "the bank wrote")
    embedder.texts.clear()
    found = {e.snippet for e in brain.search("s", TOLD, mode="semantic", k=2).evidences}
    assert (embedder.asked, embedder.texts) == ([TOLD], [TOLD])
    assert found == {"we adopted a puppy", "a week in paris"}


def test_a_question_is_embedded_once_and_so_is_what_is_told_to_an_embedder_with_one_side(make_brain):
    for embedder, message in ((TwoSided(), "which dog?"), (TopicEmbedder(), TOLD)):
        brain = make_brain(embedder=embedder, config=COMMIT)
        say(brain, "we adopted a puppy")
        embedder.texts.clear()
        brain.search("s", message, mode="semantic")
        assert (embedder.asked, embedder.texts) == ([message], [])


def test_what_is_told_finds_the_conversation_it_goes_on_with(make_brain):
    brain = make_brain(embedder=TopicEmbedder(), config=COMMIT)
    talks = {
        "dogs": ("we adopted a puppy", "the hound sleeps", "every dog barks"),
        "other": ("my puppy is tired", "the bus was late", "a letter from the bank", "the train was late too"),
    }
    for session, said in talks.items():
        for text in said:
            brain.commit_turn(session, messages=[{"role": "user", "content": text}], user_id="u")

    def asked(query):
        return brain.search(None, query, mode="hybrid", user_id="u").evidences

    found = asked("My puppy is tired today. What do we do?")
    parts = {e.snippet: e.signals.parts.get("stretch", 0.0) for e in found}
    assert parts["the hound sleeps"] == pytest.approx(SemanticPolicy().weight_stretch)
    assert parts["my puppy is tired"] < parts["the hound sleeps"]
    assert all("stretch" not in e.signals.parts for e in asked("What do we do about my tired puppy?"))
