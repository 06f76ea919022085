"""Meaning in a large space: a part of each vector says which are worth comparing, and the answers stay the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import SemanticPolicy
from smartbrain.ports import DocVectors, VectorModel
from smartbrain.retrieval import semantic
from smartbrain.retrieval import sketch as sketches
from smartbrain.retrieval.centring import Asked, centred, cosines_of
from smartbrain.retrieval.semantic import meaning_of
from smartbrain.retrieval.sketch import _EVERY, about, checkpoint, greatest, nearest_rows, sketch_of
from smartbrain.stores.vectors import VectorBuffer, VectorRow, encode

DIMENSION = 64
TOPICS = 200


def texts(rng, count):
    """Vectors as texts have them: around topics, with a large part in common, and as much of their length in a quarter of
    the directions as those of chats have in the static embedder's space (0.61)."""
    topics = np.random.default_rng(1).normal(size=(TOPICS, DIMENSION))
    spread = np.geomspace(1.0, 0.14, DIMENSION)
    return (topics[rng.integers(0, TOPICS, count)] + rng.normal(size=(count, DIMENSION))) * spread + 2.0


def rows_of(vectors, languages=("en",), windows=1, first=0):
    model = VectorModel("m", DIMENSION)
    docs = range(first, first + len(vectors) // windows)
    return [
        VectorRow(
            n + 1,
            n,
            {"en": 1, "zh": 2}[languages[n % len(languages)]],
            1,
            encode(DocVectors(n, "", vectors[(n - first) * windows : (n - first + 1) * windows]), model),
        )
        for n in docs
    ]


def asked(vector, language="en", **policy):
    return Asked(VectorModel("m", DIMENSION), np.float32(vector), language, SemanticPolicy(**policy), NO_PRIOR)


NO_PRIOR: dict[str, np.ndarray] = {}


def nearness(view, question, allowed=None):
    count = int(view.ords.max()) + 1
    allowed = np.ones(count, np.bool_) if allowed is None else allowed
    return meaning_of(view, question, allowed, int(allowed.sum()), 1.0)


@pytest.fixture(scope="module", params=[("en",), ("en", "en", "zh")])
def view(request):
    rng = np.random.default_rng(2)
    return VectorBuffer(DIMENSION).append(rows_of(texts(rng, semantic.EXHAUSTIVE + 4_000), request.param))


def test_the_answers_are_those_of_comparing_every_vector(view, monkeypatch):
    questions = [asked(vector) for vector in texts(np.random.default_rng(3), 100)]
    few = [nearness(view, question) for question in questions]
    monkeypatch.setattr(semantic, "_POOL", len(view.ords))
    same = 0
    for question, quick in zip(questions, few, strict=True):
        every = nearness(view, question)
        ords = np.sort(every.nearest)
        best = [np.argsort(-found.scores(ords), kind="stable")[:10].tolist() for found in (quick, every)]
        same += best[0] == best[1] and set(ords[best[1]]) <= set(quick.nearest)
    assert same >= 99


def test_what_is_reckoned_of_the_whole_space_is_what_comparing_all_gives(view):
    question = asked(texts(np.random.default_rng(9), 1)[0])
    compared = nearness(view, question).cosines(np.arange(len(view.ords)))
    mean, spread = sketch_of(view, question).spread(centred(question, sketch_of(view, question).means))
    assert mean == pytest.approx(compared.mean(), abs=1e-4)
    assert spread == pytest.approx(compared.std(), abs=1e-4)


def test_what_may_not_be_seen_is_not_near_in_a_large_space_either(view):
    question = asked(texts(np.random.default_rng(4), 1)[0])
    best = nearness(view, question).nearest
    allowed = np.ones(int(view.ords.max()) + 1, np.bool_)
    allowed[best] = False
    hidden = nearness(view, question, allowed)
    assert len(hidden.nearest) == len(best)
    assert not set(hidden.nearest) & set(best)
    assert np.isnan(hidden.cosines(best)).all()


def test_the_best_window_speaks_for_its_document_in_a_large_space(monkeypatch):
    monkeypatch.setattr(semantic, "EXHAUSTIVE", 100)
    vectors = texts(np.random.default_rng(5), 900)
    question = vectors[301]
    view = VectorBuffer(DIMENSION).append(rows_of(vectors, windows=3))
    found = nearness(view, asked(question, nearest=1))
    assert found.nearest.tolist() == [100]
    assert found.cosines(np.array([100]))[0] == pytest.approx(1.0, abs=0.01)


def test_a_document_without_vectors_takes_the_mean_in_a_large_space(monkeypatch):
    monkeypatch.setattr(semantic, "EXHAUSTIVE", 100)
    rows = rows_of(texts(np.random.default_rng(6), 900))
    view = VectorBuffer(DIMENSION).append(rows[:500] + rows[501:])
    found = nearness(view, asked([1.0] * DIMENSION))
    known = found.scores(np.delete(np.arange(900), 500))
    assert np.isnan(found.cosines(np.array([500, 899 + 1])[:1]))[0]
    assert found.scores(np.array([500]))[0] == pytest.approx(float(known.mean()), abs=0.05)


@pytest.mark.parametrize("windows", [1, 3])
def test_a_glance_tells_who_is_foreign_and_hardly_less_than_the_score(monkeypatch, windows):
    monkeypatch.setattr(semantic, "EXHAUSTIVE", 100)
    rng = np.random.default_rng(9)
    rows = rows_of(texts(rng, 900 * windows), ("en", "zh"), windows)
    view = VectorBuffer(DIMENSION).append(rows[:500] + rows[501:])
    ords, allowed = np.arange(902), rng.random(902) < 0.9
    found = nearness(view, asked(texts(rng, 1)[0]), allowed)
    glance, unknown = found.glance(ords), ~allowed | (ords == 500) | (ords >= 900)
    known = ords[~unknown]
    assert found.doubt > 0
    assert glance.foreign[known].tolist() == found.foreign(known).tolist()
    assert (glance.most[known] >= found.scores(known)).mean() > 0.95
    assert glance.most[known].mean() < found.scores(known).mean() + 0.5
    assert glance.most[unknown] == pytest.approx(found.scores(ords)[unknown], abs=1e-6)
    assert not glance.foreign[unknown].any()


@pytest.mark.parametrize("steps", [(300, 10, 1, 200), (511, 2, 400)])
def test_a_space_that_grew_is_searched_like_one_that_was_read_at_once(steps):
    vectors = texts(np.random.default_rng(7), sum(steps))
    rows = rows_of(vectors, ("en", "zh"))
    question = asked([1.0] * DIMENSION)
    grown, done = VectorBuffer(DIMENSION), 0
    for step in steps:
        view = grown.append(rows[done : done + step])
        done += step
        sketch = sketch_of(view, question)
    whole = sketch_of(VectorBuffer(DIMENSION).append(rows), question)
    assert len(sketch.lengths.array) == done
    assert sketch.reckoned == whole.reckoned
    assert sketch.means == pytest.approx(whole.means, abs=1e-5)
    assert sketch.lengths.array == pytest.approx(whole.lengths.array, abs=1e-5)


def test_another_prior_is_not_answered_with_the_sketch_of_the_first():
    view = VectorBuffer(DIMENSION).append(rows_of(texts(np.random.default_rng(8), 300)))
    question = asked([1.0] * DIMENSION)
    other = Asked(question.model, question.vector, "en", question.policy, {"en": np.ones(DIMENSION, np.float32)})
    assert not np.allclose(sketch_of(view, question).means, sketch_of(view, other).means)


@given(st.integers(0, 10**9))
def test_a_checkpoint_lies_less_than_an_eighth_back(count):
    assert count * 8 <= checkpoint(count) * 9 <= count * 9
    assert checkpoint(checkpoint(count)) == checkpoint(count)


@given(st.lists(st.integers(1, 255) | st.integers(1, 4), max_size=300), st.integers(1, 50), st.integers(0, 2**32 - 1))
def test_the_greatest_are_found(values, count, seed):
    numbers = np.array(values, dtype=np.uint8)
    among = np.random.default_rng(seed).random(len(numbers)) < 0.7
    found = greatest(numbers, among, count)
    assert found.tolist() == sorted(set(found.tolist()))
    assert among[found].all()
    best = np.sort(numbers[among])[::-1][:count]
    assert min(count, int(among.sum())) <= len(found) <= 2 * count
    if len(found) < 2 * count and len(best):
        assert numbers[found].min() >= best[-1]
        missed = among.copy()
        missed[found] = False
        assert not missed.any() or numbers[missed].max() < best[-1]


def test_where_the_few_that_are_looked_at_first_promise_too_much_the_greatest_are_found_too():
    numbers = (np.arange(400) % 100 + 1).astype(np.uint8)
    numbers[::_EVERY] = 255
    least = np.sort(numbers)[-50]
    assert greatest(numbers, None, 50).tolist() == np.flatnonzero(numbers >= least).tolist()


def test_where_every_number_counts_the_greatest_are_found_too():
    numbers = np.random.default_rng(1).integers(1, 256, 5_000).astype(np.uint8)
    found = greatest(numbers, None, 100)
    least = np.sort(numbers)[-100]
    assert found.tolist() == np.flatnonzero(numbers >= least).tolist()


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.001, 0.1, 0.5, 0.99]), st.integers(0, 90), st.booleans())
def test_the_nearest_rows_of_either_side_are_those_of_each_side_alone(seed, share, nearer, some_hidden):
    rng = np.random.default_rng(seed)
    languages = np.where(rng.random(4_000) < share, 2, 1).astype(np.uint8)
    alike = np.clip(rng.normal(128, 12, 4_000) + nearer * (languages == 2), 1, 255).astype(np.uint8)
    seen = rng.random(4_000) < 0.7 if some_hidden else None
    away = np.arange(6) == 2
    found = nearest_rows(alike, languages, away, seen, 200)
    shown = np.ones(4_000, dtype=np.bool_) if seen is None else seen
    sides = [greatest(alike, (languages == place) & shown, 100) for place in (1, 2)]
    assert found.tolist() == sorted(np.concatenate(sides).tolist())


def test_signs_tell_about_the_cosine():
    rng = np.random.default_rng(11)
    vectors = texts(rng, 3_000)
    question = asked(texts(rng, 1)[0])
    view = VectorBuffer(DIMENSION).append(rows_of(vectors))
    sketch = sketch_of(view, question)
    beside = centred(question, sketch.means)
    exact = cosines_of(view, np.arange(len(vectors)), beside, sketch.lengths.array)
    off = about(sketch.alike(beside)) - exact
    assert abs(off.mean()) < 0.03
    assert off.std() < 0.1
    assert np.abs(off).max() < 2 * semantic._SLACK + 0.01


def test_bits_are_counted_alike_with_every_numpy(monkeypatch):
    words = np.random.default_rng(12).integers(0, 2**63, 1_000, dtype=np.uint64)
    counted = sketches._bits(words)
    assert counted.tolist() == [int(word).bit_count() for word in words]
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    assert sketches._bits(words).tolist() == counted.tolist()


def test_the_conversation_around_a_turn_is_about_as_near_in_a_large_space(view, monkeypatch):
    stretches = np.arange(int(view.ords.max()) + 1, dtype=np.uint32) // 20
    question = asked(texts(np.random.default_rng(8), 1)[0], weight_stretch=1.0)
    ords = np.arange(0, len(stretches), 20)
    quick = nearness(view, question).around(stretches, ords)
    monkeypatch.setattr(semantic, "EXHAUSTIVE", len(view.ords))
    every = nearness(view, question).around(stretches, ords)
    assert np.corrcoef(quick, every)[0, 1] > 0.85
