"""What the lexical ranking makes of words, neighbours, speakers and days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import LexicalPolicy
from smartbrain.ports import FLAG_DELETED, FLAG_QUESTION, DocColumns, LexicalView, Postings
from smartbrain.retrieval.lexical import Led, QuerySignals, Ranked, rank_events, rank_items
from smartbrain.retrieval.scoring import Order, counts_by

WORDS_ONLY = LexicalPolicy(
    neighbours=False,
    evidence_floor=0.0,
    segment_weight=0.0,
    speaker_weight=0.0,
    date_weight=0.0,
    question_penalty=0.0,
    spread=0.0,
    assistant_penalty=0.0,
    brief_penalty=0.0,
)
NEIGHBOURS = WORDS_ONLY.model_copy(update={"neighbours": True})


@dataclass(frozen=True)
class Said:
    """A message as the index knows it; ``prev`` is left out where it follows the one before it."""

    text: str
    prev: int | None = None
    segment: int = 0
    day: int = 100
    speaker: int = 0
    flags: int = 0
    chars: int = 40


def view(*said: Said | str) -> LexicalView:
    docs = [Said(one) if isinstance(one, str) else one for one in said]
    counts = [Counter(doc.text.split()) for doc in docs]
    postings = {}
    for term in {term for count in counts for term in count}:
        ords = [n for n, count in enumerate(counts) if term in count]
        postings[term] = Postings(np.array(ords, np.uint32), np.array([counts[n][term] for n in ords], np.uint16))
    lengths = [sum(count.values()) for count in counts]
    columns = DocColumns(
        length=np.array(lengths, np.uint16),
        chars=np.array([doc.chars for doc in docs], np.uint16),
        prev=np.array([n - 1 if doc.prev is None else doc.prev for n, doc in enumerate(docs)], np.int32),
        segment=np.array([doc.segment for doc in docs], np.uint32),
        day=np.array([doc.day for doc in docs], np.uint16),
        speaker=np.array([doc.speaker for doc in docs], np.uint16),
        flags=np.array([doc.flags for doc in docs], np.uint8),
    )
    return LexicalView(len(docs), sum(lengths), postings, columns)


def rank(
    found: LexicalView,
    query: str,
    policy: LexicalPolicy = WORDS_ONLY,
    signals: QuerySignals | None = None,
    limit: int = 10,
) -> Ranked:
    terms = query.split()
    asked = LexicalView(
        found.n_docs, found.total_length, {t: p for t, p in found.postings.items() if t in terms}, found.columns
    )
    return rank_events(asked, terms, signals or QuerySignals(), policy, limit)


def score_of(ranked: Ranked, ordinal: int) -> float:
    return dict(zip(ranked.ords, ranked.scores, strict=True))[ordinal]


def test_a_rare_word_outweighs_a_common_one() -> None:
    found = view("tea kettle", "tea cup", "tea cup", "tea cup", "rain")
    assert rank(found, "tea kettle").ords[0] == 0
    assert score_of(rank(found, "tea kettle"), 0) > 2 * score_of(rank(found, "tea kettle"), 1)


def test_more_of_the_asked_words_is_better_and_a_document_without_any_is_no_candidate() -> None:
    ranked = rank(view("rain", "tea", "tea kettle"), "tea kettle")
    assert ranked.ords == [2, 1]
    assert set(ranked.matched[0]) == {"kettle", "tea"}
    assert ranked.considered == 2


def test_an_answer_is_found_by_the_words_of_its_question() -> None:
    after_question = view(Said("where kettle", flags=FLAG_QUESTION), "shelf", "rain", "snow", "fog", "hail")
    after_statement = view("where kettle", "shelf", "rain", "snow", "fog", "hail")
    answer = score_of(rank(after_question, "kettle", NEIGHBOURS), 1)
    assert answer > 0.5
    assert answer > 2 * score_of(rank(after_statement, "kettle", NEIGHBOURS), 1)


def test_nothing_is_handed_from_one_session_to_another() -> None:
    found = view(Said("shelf", prev=-1), "rain", Said("kettle", prev=-1, flags=FLAG_QUESTION), "table")
    assert rank(found, "kettle", NEIGHBOURS).ords == [2, 3]
    # The last document of the space and the first one, which has none before it, are no neighbours.
    assert rank(view(Said("shelf", prev=-1), Said("kettle", prev=-1)), "kettle", NEIGHBOURS).ords == [1]


def test_a_session_that_others_talked_into_keeps_its_neighbours() -> None:
    found = view(Said("kettle", prev=-1, flags=FLAG_QUESTION), Said("noise", prev=-1), Said("shelf", prev=0))
    assert rank(found, "kettle", NEIGHBOURS).ords == [0, 2]


def test_a_note_that_stands_alone_does_not_lose_to_a_chat_for_standing_alone() -> None:
    found = view(Said("kettle", prev=-1), Said("kettle", prev=-1), Said("kettle", prev=1), Said("rain", prev=-1))
    ranked = rank(found, "kettle", NEIGHBOURS)
    assert score_of(ranked, 0) > 0.85 * score_of(ranked, 1)


def test_what_stands_wholly_alone_is_made_up_for_more_than_the_end_of_a_chat() -> None:
    policy = NEIGHBOURS.model_copy(update={"alone": 0.0, "lone": 1.0})
    found = view(Said("kettle", prev=-1), Said("kettle", prev=-1), Said("rain", prev=1), Said("fog", prev=-1))
    ranked = rank(found, "kettle", policy)
    assert score_of(ranked, 0) == pytest.approx(1.0)
    assert score_of(ranked, 1) < 0.6
    fewer = rank(found, "kettle", policy.model_copy(update={"lone": 0.0}))
    assert score_of(fewer, 0) == pytest.approx(score_of(fewer, 1))


def test_a_turn_that_says_little_gives_way_to_one_that_says_more_and_the_signals_tell() -> None:
    policy = WORDS_ONLY.model_copy(update={"brief_penalty": 0.3, "brief_terms": 4, "b": 0.0})
    found = view(Said("kettle on my shelf"), Said("kettle"), Said("kettle on my shelf by that door"))
    assert rank(found, "kettle", WORDS_ONLY.model_copy(update={"b": 0.0})).ords == [2, 1, 0]
    ranked = rank(found, "kettle", policy)
    assert ranked.ords == [2, 0, 1]
    assert [parts.get("brief") for parts in ranked.parts] == [None, None, pytest.approx(-0.3 * np.log(5 / 2), abs=1e-4)]


def test_a_name_in_a_statement_weighs_more_and_names_alone_support_as_much_as_before() -> None:
    found = view("kettle", "kyoto", "rain", "snow")
    assert rank(found, "kettle kyoto").ords == [1, 0]  # equal, so the newer one
    named = rank(found, "kettle kyoto", signals=QuerySignals(names=frozenset({"kettle"})))
    assert named.ords == [0, 1]
    assert score_of(named, 1) == pytest.approx(1 / WORDS_ONLY.name_weight)
    both = rank(found, "kettle kyoto", signals=QuerySignals(names=frozenset({"kettle", "kyoto"})))
    assert both.support == pytest.approx(rank(found, "kettle kyoto").support)


def test_the_stretch_around_a_turn_counts_more_for_a_statement() -> None:
    policy = WORDS_ONLY.model_copy(update={"segment_weight": 0.1, "statement_segment_weight": 0.5})
    found = view(Said("tea", segment=0), Said("kettle", segment=1))
    question, statement = (rank(found, "tea", policy, QuerySignals(tells=told)) for told in (False, True))
    assert (question.parts[0]["session"], statement.parts[0]["session"]) == pytest.approx((0.1, 0.5))


def test_each_further_turn_of_one_stretch_pays_a_little() -> None:
    policy = WORDS_ONLY.model_copy(update={"spread": 0.2})
    found = view(*[Said("tea", segment=0) for _ in range(3)], Said("tea rain", segment=1, prev=-1))
    assert rank(found, "tea", WORDS_ONLY).ords == [2, 1, 0, 3]
    assert rank(found, "tea", policy).ords.index(3) == 1


def test_a_long_turn_inherits_less_than_a_short_one() -> None:
    short = view(Said("kettle", flags=FLAG_QUESTION), Said("shelf", chars=40))
    long = view(Said("kettle", flags=FLAG_QUESTION), Said("shelf", chars=4000))
    assert score_of(rank(long, "kettle", NEIGHBOURS), 1) < score_of(rank(short, "kettle", NEIGHBOURS), 1) / 4


def test_the_stretch_of_conversation_around_a_turn_counts() -> None:
    policy = WORDS_ONLY.model_copy(update={"segment_weight": 0.3})
    found = view(Said("tea", segment=0), Said("kettle", segment=1), Said("tea", segment=1), Said("rain", segment=1))
    ranked = rank(found, "tea kettle", policy)
    assert ranked.ords.index(2) < ranked.ords.index(0)
    assert 3 in ranked.ords


def test_the_turn_of_a_named_speaker_comes_first() -> None:
    policy = WORDS_ONLY.model_copy(update={"speaker_weight": 0.3})
    found = view(Said("tea", speaker=1), Said("tea", speaker=2), Said("tea", speaker=1))
    assert rank(found, "tea", policy, QuerySignals(speakers=frozenset({2}))).ords[0] == 1
    assert rank(found, "tea", policy).ords == [2, 1, 0]


def test_a_turn_of_the_day_that_was_asked_for_comes_first() -> None:
    policy = WORDS_ONLY.model_copy(update={"date_weight": 1.0})
    found = view(Said("tea", day=100), Said("tea", day=50), Said("rain", day=50))
    ranked = rank(found, "tea", policy, QuerySignals(days={50: 1.0, 51: 0.6}))
    assert ranked.ords[0] == 1
    assert 2 in ranked.ords


def test_a_day_of_the_calendar_weighs_more_than_a_vague_one() -> None:
    found = view(Said("tea kettle", day=10), Said("tea", day=20))
    policy = WORDS_ONLY.model_copy(update={"date_weight": 0.2, "named_day_weight": 2.0})
    vague, named = QuerySignals(days={20: 1.0}), QuerySignals(days={20: 1.0}, named_day=True)
    assert rank(found, "tea kettle", policy, vague).ords == [0, 1]
    assert rank(found, "tea kettle", policy, named).ords == [1, 0]


@pytest.mark.parametrize(("order", "first"), [("", 3), ("last", 3), ("first", 0)])
def test_of_a_series_the_end_that_is_asked_for_comes_first(order: Order, first: int) -> None:
    days = [Said("dentist", day=day, segment=day) for day in (10, 50, 80, 100)]
    found = view(*days, Said("rain", day=200, segment=200))
    policy = WORDS_ONLY.model_copy(update={"order_weight": 0.15})
    ranked = rank(found, "dentist", policy, QuerySignals(order=order))
    assert ranked.ords[0] == first
    assert ranked.ords == sorted(ranked.ords, reverse=order != "first")
    assert [part.get("order", 0.0) > 0 for part in ranked.parts[:2]] == [bool(order)] * 2


def test_the_newest_of_all_does_not_win_over_what_answers() -> None:
    found = view(Said("dentist tooth", day=10), Said("dentist tooth", day=20), Said("dentist", day=900), "rain", "rain")
    policy = WORDS_ONLY.model_copy(update={"order_weight": 0.15})
    assert rank(found, "dentist tooth", policy, QuerySignals(order="last")).ords[0] == 1


def test_a_single_han_character_counts_less_than_a_word() -> None:
    found = view("电影 电 影", "电 池", "影 子", "雨", "雨")
    whole = WORDS_ONLY.model_copy(update={"character_weight": 1.0})
    full, less = rank(found, "电影 电 影", whole), rank(found, "电影 电 影")
    assert full.ords[0] == less.ords[0] == 0
    assert score_of(less, 1) < 0.75 * score_of(full, 1)


def test_related_words_lift_what_holds_them_and_say_so_and_give_no_support() -> None:
    whole = view(
        Said("exercise yoga", segment=0), Said("yoga", segment=1), Said("tea", segment=2), Said("rain", segment=3)
    )
    found = replace(whole, postings={"exercise": whole.postings["exercise"]})
    led = Led({"yoga": 0.2}, {"yoga": whole.postings["yoga"]})
    shown: list[list[int]] = []

    def lead(first: Ranked, asked: Mapping[str, float]) -> Led:
        shown.append(first.ords)
        assert set(asked) == {"exercise"}
        return led

    alone = rank_events(found, ["exercise"], QuerySignals(), WORDS_ONLY, 10)
    wider = rank_events(found, ["exercise"], QuerySignals(), WORDS_ONLY, 10, lead=lead)
    assert shown == [alone.ords] == [[0]]
    assert wider.ords == [0, 1]
    assert wider.parts[1]["related"] > 0
    assert "words" not in wider.parts[1]
    assert wider.matched == [("exercise", "+yoga"), ("+yoga",)]
    assert wider.support == alone.support


def test_a_round_that_leads_nowhere_leaves_the_ranking_as_it_is() -> None:
    found = view(Said("exercise yoga", segment=0), Said("exercise", segment=1), Said("tea", segment=2))
    alone = rank_events(found, ["exercise"], QuerySignals(), WORDS_ONLY, 10)
    assert rank_events(found, ["exercise"], QuerySignals(), WORDS_ONLY, 10, lead=lambda first, asked: None) == alone


def test_a_question_says_less_than_a_statement() -> None:
    policy = WORDS_ONLY.model_copy(update={"question_penalty": 0.15})
    assert rank(view("tea", Said("tea", flags=FLAG_QUESTION)), "tea", policy).ords == [0, 1]


def test_days_outside_the_bounds_are_not_seen() -> None:
    found = view(Said("tea", day=10), Said("tea", day=20), Said("tea", day=30))
    assert rank(found, "tea", signals=QuerySignals(first_day=20)).ords == [2, 1]
    assert rank(found, "tea", signals=QuerySignals(last_day=20)).ords == [1, 0]


def test_a_deleted_document_is_not_found_by_what_its_neighbours_say() -> None:
    found = view(Said("kettle", flags=FLAG_QUESTION), Said("shelf", flags=FLAG_DELETED), "table")
    ranked = rank(found, "kettle", NEIGHBOURS.model_copy(update={"segment_weight": 0.3}))
    assert ranked.ords == [0, 2]


def test_of_equal_documents_the_newer_comes_first_whatever_the_limit() -> None:
    found = view(*["tea"] * 6)
    assert rank(found, "tea").ords == [5, 4, 3, 2, 1, 0]
    assert rank(found, "tea", limit=1).scores == rank(found, "tea").scores[:1]


def test_weak_evidence_stays_weak_though_it_is_the_best_there_is() -> None:
    said = view("rain tea", "snow", "fog", "hail", "ice", "wind")
    asked = "tea kettle shelf blue copper handle"
    assert rank(said, asked).scores == [1.0]
    assert rank(said, asked, WORDS_ONLY.model_copy(update={"evidence_floor": 0.3})).scores[0] < 0.6


def test_memory_items_are_ranked_by_their_own_words_alone() -> None:
    found = view(Said("kettle", flags=FLAG_QUESTION), "shelf", "kettle kettle")
    asked = LexicalView(found.n_docs, found.total_length, {"kettle": found.postings["kettle"]}, found.columns)
    ranked = rank_items(asked, ["kettle"], QuerySignals(), LexicalPolicy(), 10)
    assert sorted(ranked.ords) == [0, 2]
    assert set(ranked.parts[0]) == {"words"}


@pytest.mark.parametrize("terms", [[], ["unseen"]])
def test_without_a_known_word_nothing_is_found(terms: Sequence[str]) -> None:
    assert rank(view("tea"), " ".join(terms), LexicalPolicy()).ords == []


def test_an_empty_space_gives_nothing() -> None:
    assert rank_events(view(), ["tea"], QuerySignals(), LexicalPolicy(), 10).ords == []
    assert rank_items(view(), ["tea"], QuerySignals(), LexicalPolicy(), 10).ords == []


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 9)), min_size=1, max_size=40), st.booleans())
def test_the_words_of_a_stretch_are_counted_whether_or_not_sessions_overlap(said, overlap):
    said = said if overlap else sorted(said)
    segments, tfs = (np.array(column) for column in zip(*said, strict=True))
    held, counts = counts_by(segments.astype(np.uint32), tfs.astype(np.uint16))
    assert held.tolist() == sorted(set(segments.tolist()))
    assert counts.tolist() == [int(tfs[segments == n].sum()) for n in held]


TOLD = QuerySignals(today=130, tells=True)
LATELY = WORDS_ONLY.model_copy(update={"recency_weight": 0.0})


def test_a_message_that_tells_something_goes_on_with_what_was_talked_of_lately():
    held = view(Said("garden plan"), Said("garden plan", segment=98), Said("tax", segment=100))
    found = rank(held, "garden plan", LATELY, TOLD)
    assert found.ords == [1, 0]
    assert found.parts[0]["lately"] == pytest.approx(
        LATELY.lately_weight * np.exp(-2 / LATELY.lately_stretches), abs=1e-3
    )
    assert found.parts[1]["lately"] < 0.02
    assert "lately" not in rank(held, "garden plan", LATELY, QuerySignals(today=130)).parts[0]


def test_what_was_talked_of_lately_goes_by_what_was_told_since_and_not_by_the_days():
    held = view(Said("garden plan", day=129), Said("garden plan", segment=60, day=30))
    assert rank(held, "garden plan", LATELY, TOLD).ords == [1, 0]


def test_what_was_told_after_the_day_that_counts_makes_nothing_older():
    held = view(Said("garden plan", day=30), Said("tax", segment=1, day=30), Said("tax", segment=90, day=129))
    found = rank(held, "garden plan", LATELY, replace(TOLD, last_day=40))
    assert found.parts[0]["lately"] == pytest.approx(
        LATELY.lately_weight * np.exp(-1 / LATELY.lately_stretches), abs=1e-3
    )


def test_what_is_recent_and_answers_little_does_not_lead():
    held = view(Said("garden plan for the roses"), Said("plan of other words and yet more", segment=4))
    found = rank(held, "garden plan roses", LATELY, TOLD)
    assert found.ords == [0, 1]
    assert found.parts[1]["lately"] < found.parts[0]["lately"]


@pytest.mark.parametrize("asked", [{"days": {30: 1.0}}, {"order": "first"}])
def test_a_message_that_names_a_day_or_an_end_does_not_mean_what_is_recent(asked):
    held = view(Said("garden plan", day=30), Said("garden plan", segment=98, day=128))
    found = rank(held, "garden plan", LATELY, replace(TOLD, **asked))
    assert all("lately" not in parts for parts in found.parts)
