"""Nearness of meaning: what centring does, and how it joins the words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import LexicalPolicy, SemanticPolicy
from smartbrain.ports import DocColumns, DocVectors, LexicalView, Postings, VectorModel
from smartbrain.retrieval.centring import Asked, centred_cosines, language_means
from smartbrain.retrieval.lexical import QuerySignals, rank_events, rank_items, rank_meaning
from smartbrain.retrieval.semantic import meaning_of, share_of_meaning, without_speakers
from smartbrain.retrieval.shape import shape_of
from smartbrain.retrieval.stretches import stretch_nearness
from smartbrain.retrieval.threads import thread_nearness
from smartbrain.stores.vectors import VectorBuffer, VectorRow, encode, language_code


def view_of(*docs, dimension=None):
    """A view over (ordinal, language, windows)."""
    dimension = dimension or len(docs[0][2][0])
    model = VectorModel("m", dimension)
    rows = [
        VectorRow(n + 1, ord_, language_code(language), 1, encode(DocVectors(ord_, language, np.array(w)), model))
        for n, (ord_, language, w) in enumerate(docs)
    ]
    return VectorBuffer(dimension).append(rows)


def asked(vector, language="en", prior=None, **policy):
    vector = np.array(vector, dtype=np.float32)
    return Asked(VectorModel("m", len(vector)), vector, language, SemanticPolicy(**policy), prior or {})


def meaning(view, question, count, weight=1.0, allowed=None):
    allowed = np.ones(count, dtype=np.bool_) if allowed is None else np.array(allowed)
    return meaning_of(view, question, allowed, int(allowed.sum()), weight)


def scores(found, count):
    return found.scores(np.arange(count))


def cosine(found, ord_):
    return float(found.cosines(np.array([ord_]))[0])


def means_of(view, prior, weight):
    return language_means(view.sums, view.counts, prior, weight)


def unit(vector):
    return np.asarray(vector) / np.linalg.norm(vector)


def columns(count, **fields):
    values = {
        "length": np.ones(count, np.uint16),
        "chars": np.full(count, 40, np.uint16),
        "prev": np.full(count, -1, np.int32),
        "segment": np.arange(count, dtype=np.uint32),
        "day": np.full(count, 20_000, np.uint16),
        "speaker": np.zeros(count, np.uint16),
        "flags": np.zeros(count, np.uint8),
    }
    return DocColumns(**(values | fields))


def lexical_view(count, postings=None, **fields):
    found = {t: Postings(np.array(o, np.uint32), np.ones(len(o), np.uint16)) for t, o in (postings or {}).items()}
    return LexicalView(count, count, found, columns(count, **fields))


PLAIN = LexicalPolicy(
    neighbours=False, segment_weight=0, question_penalty=0, brief_penalty=0, recency_weight=0, spread=0
)


# -- centring ----------------------------------------------------------------------------------------------------


def test_vectors_are_scaled_then_centred_then_scaled_again():
    rng = np.random.default_rng(1)
    raw = rng.normal(size=(6, 4)) + 3.0
    lengths = np.array([1, 5, 0.2, 9, 3, 2])[:, None]
    view = view_of(*((n, "en", [row]) for n, row in enumerate(raw * lengths)))
    question = rng.normal(size=4) + 3.0

    units = np.array([unit(row) for row in raw])
    mean = units.mean(axis=0)
    expected = [unit(row - mean) @ unit(unit(question) - mean) for row in units]
    assert centred_cosines(view, asked(question, prior_weight=0)) == pytest.approx(expected, abs=0.01)


def test_what_all_texts_share_is_taken_out():
    # All share a large first part; the second document is the one that points where the question points.
    view = view_of((0, "en", [[9, 1.2, 0]]), (1, "en", [[9, 0, 1]]), (2, "en", [[7, 1, -1]]), (3, "en", [[9, -1, 0]]))
    question = [3.0, 0.1, 1.0]
    raw = view.vectors @ unit(question)
    assert raw.max() - raw.min() < 0.2
    centred = centred_cosines(view, asked(question, prior_weight=0))
    assert centred.argmax() == 1
    assert centred[1] > 0.8
    assert centred.min() < 0


def test_each_language_has_a_mean_of_its_own():
    # The first part is the language, the second what is spoken of. The question is Chinese, its answer is English.
    english = [(0, "en", [[5, 1, 0]]), (1, "en", [[5, -1, 0]])]
    chinese = [(2, "zh", [[-5, 0, 1]]), (3, "zh", [[-5, 0, -1]])]
    view = view_of(*english, *chinese)
    question = [-5.0, 1.0, 0.0]
    assert (view.vectors @ unit(question)).argmax() in {2, 3}
    assert centred_cosines(view, asked(question, "zh", prior_weight=0)).argmax() == 0


def test_a_small_store_leans_on_the_general_mean_of_its_model():
    view = view_of((0, "en", [[1, 0]]), (1, "en", [[1, 0]]))
    prior = {"en": np.array([0.0, 0.5])}
    assert means_of(view, prior, 50)[1] == pytest.approx([2 / 52, 25 / 52])
    assert means_of(view, {}, 50)[1] == pytest.approx([2 / 52, 0])
    assert means_of(view, prior, 0)[1] == pytest.approx([1, 0])
    assert means_of(view, prior, 50)[2].tolist() == [0, 0]


def test_another_prior_is_not_answered_with_the_old_means():
    view = view_of((0, "en", [[1, 1]]), (1, "en", [[1, -1]]))
    one, other = ({"en": np.array(p, dtype=np.float32)} for p in ([0.9, 0.0], [0.0, 0.9]))
    question = [1.0, 0.2]
    first = centred_cosines(view, asked(question, prior=one))
    assert not np.allclose(centred_cosines(view, asked(question, prior=other)), first)
    assert np.allclose(centred_cosines(view, asked(question, prior=one)), first)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_one_pass_equals_the_formula_written_out(count, seed):
    rng = np.random.default_rng(seed)
    languages = [("en", "zh", "other")[n] for n in rng.integers(0, 3, count)]
    view = view_of(*((n, languages[n], rng.normal(size=(rng.integers(1, 4), 8))) for n in range(count)))
    question = asked(rng.normal(size=8), "zh", prior_weight=3.0)
    means = means_of(view, {}, 3.0)
    own = means[view.languages]
    expected = [unit(d - m) @ unit(unit(question.vector) - means[2]) for d, m in zip(view.vectors, own, strict=True)]
    assert centred_cosines(view, question) == pytest.approx(expected, abs=1e-3)


# -- nearness ----------------------------------------------------------------------------------------------------


def test_the_best_window_speaks_for_its_document():
    view = view_of((0, "en", [[1, 0], [0, 1], [-1, 0]]), (1, "en", [[0.8, -0.6]]))
    found = meaning(view, asked([0.0, 1.0], prior_weight=0), 3)
    assert cosine(found, 0) > 0.9 > cosine(found, 1)
    assert np.isnan(cosine(found, 2))


def test_nearness_runs_from_nothing_to_the_weight_and_the_unknown_takes_the_mean():
    view = view_of(*((n, "en", [[1.0, n]]) for n in range(4)))
    found = meaning_of(view, asked([0.0, 1.0], prior_weight=0), np.ones(6, np.bool_), 4, 1.2)
    given = scores(found, 6)
    assert given[:4].min() == 0
    assert given[:4].max() == pytest.approx(1.2)
    assert given[4] == given[5] == pytest.approx(given[:4].mean())


def test_meaning_weighs_less_while_texts_wait_for_their_vectors():
    view = view_of(*((n, "en", [[1.0, n]]) for n in range(5)))
    found = meaning_of(view, asked([0.0, 1.0]), np.ones(20, np.bool_), 20, 1.2)
    assert scores(found, 20).max() == pytest.approx(1.2 * 5 / 20)


def test_what_may_not_be_seen_is_not_near():
    view = view_of(*((n, "en", [[1.0, n]]) for n in range(4)))
    found = meaning(view, asked([0.0, 1.0], nearest=2), 4, allowed=[True, True, True, False])
    assert sorted(found.nearest) == [1, 2]
    assert np.isnan(cosine(found, 3))
    assert scores(found, 4)[2] == 1.0
    assert meaning(view, asked([0.0, 1.0]), 4, allowed=[False] * 4) is None


def test_without_vectors_there_is_no_meaning():
    assert meaning(VectorBuffer(2).view(), asked([0.0, 1.0]), 3) is None


def test_what_is_said_in_another_language_gets_what_words_would_have_given():
    docs = [(0, "en", [[1, 0]]), (1, "en", [[0, 1]]), (2, "zh", [[1, 0]]), (3, "zh", [[0, 1]]), (4, "other", [[0, 1]])]
    view = view_of(*docs)
    question = asked([0.0, 1.0], "en", prior_weight=0, weight_foreign=0.8)
    # Two texts are few to know a language by: 2 / (2 + 20) of the weight.
    assert scores(meaning(view, question, 5), 5)[[1, 3]] == pytest.approx([1.0, 1 + 0.8 * 2 / 22])
    assert scores(meaning(view, question, 5), 5)[4] <= 1.0
    unknown = asked([0.0, 1.0], "", weight_foreign=0.8)
    assert scores(meaning(view, unknown, 5), 5).max() == pytest.approx(1.0)
    assert scores(meaning(view_of(*docs[:2]), question, 2), 2).max() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "asked_for"),
    [
        ("When did Ann go to Rome?", "When did go to Rome?"),
        ("What is ann's dog called?", "What is dog called?"),
        ("Who is Annabel?", "Who is Annabel?"),
        ("小明的狗叫什么？", "的狗叫什么？"),
        ("What did the user say?", "What did the user say?"),
        ("Ann?", "Ann?"),
        ("nothing named", "nothing named"),
    ],
)
def test_a_question_is_embedded_without_the_names_of_the_speakers(question, asked_for):
    assert without_speakers(question, ["Ann", "小明", "user", "B"]) == asked_for


# -- together with the words -------------------------------------------------------------------------------------


def test_words_and_meaning_add_up_and_each_is_named():
    view = lexical_view(4, {"tea": [0, 1]})
    vectors = view_of(*((n, "en", [[1.0, n]]) for n in range(4)))
    near = meaning(vectors, asked([0.0, 1.0], prior_weight=0), 4, weight=1.2)
    ranked = rank_events(view, ["tea"], QuerySignals(), PLAIN, 10, near)
    alone = rank_events(view, ["tea"], QuerySignals(), PLAIN, 10)
    by_ord = dict(zip(ranked.ords, ranked.parts, strict=True))
    assert sorted(by_ord) == [0, 1, 2, 3]
    assert sorted(alone.ords) == [0, 1]
    words = alone.parts[0]["words"]
    assert by_ord[1] == {"words": words, "meaning": round(float(scores(near, 4)[1]), 4)}
    assert by_ord[3] == {"meaning": 1.2}
    assert ranked.scores == sorted(ranked.scores, reverse=True)


def test_a_clear_lead_in_words_outlives_a_small_one_in_meaning():
    """Scores are added, ranks are not: by ranks the two would tie."""
    view = lexical_view(3, {"tea": [0], "pot": [0], "cup": [0, 1]})
    vectors = view_of((0, "en", [[1.0, 1.0]]), (1, "en", [[1.0, 1.02]]), (2, "en", [[1.0, -9.0]]))
    near = meaning(vectors, asked([0.0, 1.0], prior_weight=0), 3, weight=1.2)
    ranked = rank_events(view, ["tea", "pot", "cup"], QuerySignals(), PLAIN, 10, near)
    assert scores(near, 3)[1] > scores(near, 3)[0]
    assert ranked.ords[:2] == [0, 1]


def test_a_question_without_words_is_answered_by_meaning():
    vectors = view_of(*((n, "en", [[1.0, n]]) for n in range(3)))
    near = meaning(vectors, asked([0.0, 1.0]), 3)
    assert rank_events(lexical_view(3), [], QuerySignals(), LexicalPolicy(), 1, near).ords == [2]
    assert rank_items(lexical_view(3), [], QuerySignals(), PLAIN, 1, near).ords == [2]


def test_the_neighbours_of_the_nearest_are_looked_at_too():
    view = lexical_view(5, {"tea": [1]}, prev=np.array([-1, 0, 1, 2, 3], np.int32))
    vectors = view_of(*((n, "en", [[1.0, float(n == 3)]]) for n in range(5)))
    near = meaning(vectors, asked([0.0, 1.0], nearest=1, prior_weight=0), 5)
    policy = LexicalPolicy(segment_weight=0.0, spread=0.0, brief_penalty=0.0)
    assert 2 in rank_events(view, ["tea"], QuerySignals(), policy, 10, near).ords


def test_by_meaning_alone_only_meaning_counts():
    view = lexical_view(3, {"tea": [0]})
    vectors = view_of(*((n, "en", [[1.0, n]]) for n in range(3)))
    near = meaning(vectors, asked([0.0, 1.0]), 3)
    ranked = rank_meaning(view, QuerySignals(), 2, near)
    assert ranked.ords == [2, 1]
    assert all(set(parts) == {"meaning"} for parts in ranked.parts)


@pytest.mark.parametrize(
    ("terms", "long_question", "share"),
    [
        (["tea", "pot"], 2, 1.0),
        (["tea", "pot", "cup", "jug"], 2, 0.25),
        (["喝茶", "喝", "茶", "早上", "早", "上"], 2, 1.0),
        (["tea"] * 50, 0, 1.0),
        ([], 9, 1.0),
    ],
)
def test_nearness_counts_less_for_a_long_question(terms, long_question, share):
    assert share_of_meaning(terms, long_question) == pytest.approx(share)


# -- the conversation around a turn ------------------------------------------------------------------------------

TELLING = QuerySignals(tells=True)


def two_talks():
    """Two stretches of three turns: one near on the whole, the other with the nearest turn of all and nothing else."""
    own = [[1.0, 0.6], [1.0, 0.7], [1.0, 0.65], [1.0, 0.75], [1.0, -0.9], [1.0, -0.8]]
    view = view_of(*((n, "en", [vector]) for n, vector in enumerate(own)))
    return view, lexical_view(6, {"tea": [0, 3]}, segment=np.array([0, 0, 0, 1, 1, 1], np.uint32))


def test_for_a_message_that_tells_the_conversation_around_a_turn_counts():
    vectors, view = two_talks()
    near = meaning(vectors, asked([0.0, 1.0], prior_weight=0, weight_stretch=2.0), 6)
    alone, told = (rank_events(view, ["tea"], signals, PLAIN, 10, near) for signals in (QuerySignals(), TELLING))
    assert (alone.ords[0], told.ords[0]) == (3, 0)
    parts = dict(zip(told.ords, told.parts, strict=True))
    assert [parts[n]["stretch"] for n in range(3)] == [2.0, 2.0, 2.0]
    assert all("stretch" not in parts[n] for n in (3, 4, 5))
    assert all("stretch" not in parts for parts in alone.parts)


def test_turns_that_may_not_be_seen_say_nothing_about_a_conversation():
    vectors, view = two_talks()
    allowed = [True, True, True, True, False, False]
    near = meaning(vectors, asked([0.0, 1.0], prior_weight=0, weight_stretch=1.0), 6, allowed=allowed)
    around = near.around(view.columns.segment, np.arange(6))
    assert around.tolist() == pytest.approx([0, 0, 0, 1, 1, 1])


def test_a_conversation_without_vectors_gets_nothing_and_few_vectors_count_little():
    vectors = view_of((0, "en", [[1.0, 0.5]]), (1, "en", [[1.0, -0.5]]))
    near = meaning(vectors, asked([0.0, 1.0], prior_weight=0, weight_stretch=2.0), 4)
    around = near.around(np.arange(4, dtype=np.uint32), np.arange(4))
    assert around.tolist() == pytest.approx([1.0, 0.0, 0.0, 0.0])


@given(st.lists(st.tuples(st.floats(-1, 1, width=32), st.integers(0, 5), st.booleans()), max_size=20))
def test_the_nearness_of_conversations_lies_between_none_and_all(windows):
    cosines = np.array([cosine for cosine, _, _ in windows], np.float32)
    stretches = np.array([stretch for _, stretch, _ in windows], np.uint32)
    seen = np.array([shown for _, _, shown in windows], np.bool_)
    near = stretch_nearness(cosines, stretches, seen)
    assert ((near >= 0) & (near <= 1)).all()
    held = set(stretches[seen].tolist())
    assert all(near[n] == 0 for n in range(len(near)) if n not in held)
    means = {n: cosines[seen & (stretches == n)].astype(float).mean() for n in held}
    assert all(near[a] <= near[b] + 1e-6 for a in held for b in held if means[a] < means[b])


def of_directions(*vectors):
    known = np.array([unit(vector) for vector in vectors], np.float32)
    return lambda stretches: known[stretches]


def test_a_stretch_that_is_near_to_the_best_others_is_lifted():
    directions = of_directions([1, 0], [1, 0.1], [0, 1], [-1, 0])
    scores, stretches = np.array([3.0, 1.0, 1.0, 1.0, 0.5], np.float32), np.array([0, 1, 2, 3, 1], np.uint32)
    near = thread_nearness(scores, stretches, directions)
    assert near[1] == near[4] > 0.8
    assert near[2] < 0.1
    assert near[3] == 0.0


def test_no_stretch_speaks_for_itself_and_one_alone_gets_nothing():
    apart = thread_nearness(
        np.array([3.0, 1.0], np.float32), np.arange(2, dtype=np.uint32), of_directions([1, 0], [0, 1])
    )
    assert apart.tolist() == [0.0, 0.0]
    assert thread_nearness(np.ones(2, np.float32), np.zeros(2, np.uint32), of_directions([1, 0])).tolist() == [0, 0]


def test_the_better_a_stretch_fits_the_more_it_says_about_the_others():
    scores, stretches = np.array([3.0, 2.0, 1.0, 1.0], np.float32), np.arange(4, dtype=np.uint32)
    near = thread_nearness(scores, stretches, of_directions([1, 0], [0, 1], [1, 0.01], [0.01, 1]))
    assert near[2] > near[3]


def test_for_a_message_that_tells_stretches_of_one_thread_lift_one_another():
    own = [[0.0, 1.0, 0.9], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 0.3, 0.0]]
    vectors = view_of(*((n, "en", [vector]) for n, vector in enumerate(own)))
    view = lexical_view(5, {"tea": [1, 2]}, segment=np.array([0, 1, 2, 1, 3], np.uint32))
    question = asked([0.0, 1.0, 0.0], prior_weight=1e9, weight_stretch=0, weight_thread=1.0)
    near = meaning(vectors, question, 5)
    policy = PLAIN.model_copy(update={"lately_weight": 0.0})
    alone, told = (rank_events(view, ["tea"], signals, policy, 10, near) for signals in (QuerySignals(), TELLING))
    parts = dict(zip(told.ords, told.parts, strict=True))
    assert parts[2]["thread"] > 2 * parts[1].get("thread", 0.0)
    assert told.ords.index(2) < told.ords.index(1)
    assert all("thread" not in parts for parts in alone.parts)


def test_the_direction_of_a_stretch_is_of_what_may_be_seen_and_has_vectors():
    vectors = view_of((0, "en", [[1.0, 0.0], [1.0, 1.0]]), (1, "en", [[0.0, -1.0]]), (3, "en", [[0.0, 1.0]]))
    near = meaning(vectors, asked([0.0, 1.0], prior_weight=1e9), 5, allowed=[True, False, True, True, True])
    held = columns(5, segment=np.array([1, 1, 0, 2, 0], np.uint32))
    directions = near.space.directions(held.segment, shape_of(held).of_stretches(held, np.array([1, 0, 2])), 3)
    assert directions[0] == pytest.approx(unit(unit([1.0, 0.0]) + unit([1.0, 1.0])), abs=0.02)
    assert directions[1].tolist() == [0.0, 0.0]
    assert directions[2] == pytest.approx([0.0, 1.0], abs=0.02)
