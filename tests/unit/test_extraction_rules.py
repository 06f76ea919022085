"""How a turn is read: whose words count, where they stand, what points back, and what every find says of itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.extraction import lexicon
from smartbrain.extraction.keys import part
from smartbrain.extraction.refs import pointers
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn
from smartbrain.ports import Extraction
from smartbrain.text.fence import fence

AT = datetime(2026, 3, 18, 21, 40, tzinfo=UTC)
SCHEME = (Path(__file__).parents[2] / "docs" / "memory-keys.md").read_text("utf-8")


def extract(*messages: Message) -> Extraction:
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=messages,
        occurred_at=AT,
        recorded_at=AT,
    )
    return RulesExtractor(classifier=False).extract(turn, ())


def user(text: str, name: str | None = None) -> Message:
    return Message(id="m", role="user", content=text, name=name)


def keys(found: Extraction) -> list[str]:
    return [candidate.key for candidate in found.candidates]


# --- whose words count -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["system", "developer", "assistant", "tool", "function"])
def test_only_what_the_user_says_makes_candidates(role: str) -> None:
    said = "I'm allergic to peanuts. From now on answer in German."
    assert keys(extract(Message(id="m", role=role, content=said))) == []
    assert keys(extract(user(said))) == ["profile:user", "pref:writing:language"]


def test_what_smartbrain_injected_is_never_learnt_again() -> None:
    injected = fence("I live in Porto and I love coffee")
    found = extract(user(f"{injected}\nI live in Rome now, what should I cook?"))
    assert [fact["v"] for one in found.candidates for fact in one.value["facts"]] == ["Rome"]


@pytest.mark.parametrize(
    "text",
    [
        "why does this fail?\n```\n# I prefer tabs here\nI live in Rome\n```",
        "what do I answer?\n> I've moved to Bristol and I no longer need the space.",
        "From: Ann\nTo: Bob\nSubject: move\n\nI live in Rome now.",
        "2026-03-01T10:00:00 INFO I live in Rome",
        'the survey says "I prefer working from home and I live in Rome"',
    ],
)
def test_code_mail_logs_and_quotations_are_somebody_elses_words(text: str) -> None:
    assert keys(extract(user(text))) == []


@pytest.mark.parametrize(
    "text",
    [
        'Please mend this letter. "I have been a welder for years. I live in Leeds. I prefer nights." It is a neighbour\'s.',
        'He shouted "I hate tea! I live in Rome!" and left.',
        "房东发来的通知：“以后一律只用支付宝。我们决定四月换锁。请周五之前清走自行车。”他可以这样吗？",
        "幫我把這封信改通順：「我住在彰化。我比較喜歡上夜班。我不喝酒。」這是隔壁大哥寫的。",
    ],
)
def test_whole_sentences_in_quotes_are_somebody_elses_and_say_so(text: str) -> None:
    found = extract(user(text))
    assert keys(found) == []
    assert {verdict.reason for verdict in found.skipped} == {"somebody else's words"}


@pytest.mark.parametrize(
    "text",
    [
        'She said "Stop. Now." to me. I live in Oslo.',
        'The 5" pipe leaks. I live in Oslo. The 6" pipe does not.',
        "“快走。别回头。”他说完就走了。我住在奥斯陆。",
    ],
)
def test_what_stands_beside_quoted_sentences_is_the_users_own(text: str) -> None:
    assert keys(extract(user(text))) == ["profile:user"]


def test_a_pasted_page_is_left_out_and_the_words_around_it_count() -> None:
    page = "\n\n".join(["The town lies on a river and has many bridges, which visitors like to photograph. " * 9] * 4)
    found = extract(user(f"I'm allergic to nuts.\n\n{page}\n\nMy name is on the list of contents. I love bridges."))
    assert keys(found) == ["profile:user", "pref:other:bridges"]


def test_statements_of_a_named_human_are_about_them() -> None:
    found = extract(user("I love hiking. I'm training for a marathon.", "Caroline"), user("I live in Rome", "Mel"))
    assert keys(found) == ["profile:caroline", "goal:caroline:marathon", "profile:mel"]
    assert found.candidates[0].value["facts"] == [{"k": "likes", "v": "hiking"}]


# --- what every find says of itself ------------------------------------------------------------------------------


def test_a_span_points_into_the_message_and_the_quote_stands_there() -> None:
    text = f"{fence('I like tea')}\nok. So, I love cilantro! And please remind me to call Ann tomorrow."
    for candidate in extract(user(text)).candidates:
        assert candidate.span is not None
        assert candidate.quote == text[slice(*candidate.span)]
        assert candidate.message_id == "m"


def test_a_candidate_names_its_rule_its_language_and_when_it_was_said() -> None:
    said_at = datetime(2026, 1, 2, tzinfo=UTC)
    found = extract(Message(id="m", role="user", content="I live in Rome", created_at=said_at))
    candidate = found.candidates[0]
    assert (candidate.rule, candidate.language, candidate.occurred_at) == ("rules.home", "en", said_at)
    assert candidate.confidence >= 0.8
    assert candidate.trust == "user"


def test_what_looked_like_a_candidate_gets_a_verdict() -> None:
    verdicts = extract(user("Do I prefer tea? Maybe we should go with Postgres.")).skipped
    assert [(verdict.action, verdict.type, verdict.reason) for verdict in verdicts] == [
        ("skipped", "preferences", "a question"),
        ("skipped", "decisions", "not certain, or not decided yet"),
    ]
    assert all(verdict.rule.startswith("rules.") and verdict.quote for verdict in verdicts)


def test_the_same_thing_said_twice_in_a_turn_is_one_candidate() -> None:
    assert keys(extract(user("I love cilantro. I love cilantro."))) == ["pref:other:cilantro"]


def test_small_talk_gives_nothing_at_all() -> None:
    assert extract(user("hi there, how was your weekend?")) == Extraction()


# --- refs --------------------------------------------------------------------------------------------------------


def test_urls_repositories_and_paths_become_refs_and_entities() -> None:
    found = extract(user("See https://www.example.org/a/b?x=1, the acme/rocket repo and ~/notes/plan.md."))
    assert [(ref.type, ref.uri) for ref in found.refs] == [
        ("url", "https://www.example.org/a/b?x=1"),
        ("artifact", "acme/rocket"),
        ("file", "~/notes/plan.md"),
    ]
    assert keys(found) == ["entity:url:example_org_a_b_x_1", "entity:repo:acme_rocket", "entity:file:notes_plan_md"]
    assert all(candidate.hints == ("structural",) for candidate in found.candidates)


@pytest.mark.parametrize("text", ["and/or", "24/7", "50 km/h", "he/she", "1/2", "/continue", "w/o", "3/4/2026"])
def test_a_slash_alone_makes_no_path(text: str) -> None:
    assert pointers(text) == []


def test_a_repository_on_a_code_host_is_one_whatever_its_spelling() -> None:
    spelt = ("https://github.com/acme/rocket", "http://www.github.com/acme/rocket.git", "git://github.com/acme/rocket")
    assert {pointers(text)[0].canonical for text in spelt} == {"acme_rocket"}
    assert {pointers(text)[0].kind for text in spelt} == {"repo"}


# --- keys --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("the slides for my board meeting", "slides_for_board_meeting"),
        ("renew the passport before June", "renew_passport"),
        ("the report by Friday at 5pm", "report"),
        ("a sub-4 marathon", "sub_4_marathon"),
        ("login页面", "login_页面"),
        ("login 页面", "login_页面"),
        ("Ｐｏｓｔｇｒｅｓ too", "postgres"),
        ("my", ""),
        ("", ""),
    ],
)
def test_a_key_part_is_the_words_without_filler_and_time(words: str, key: str) -> None:
    assert part(words) == key


@given(st.text(max_size=80))
def test_a_key_part_is_stable_and_never_raises(words: str) -> None:
    assert part(words) == part(words)


# --- the closed lists --------------------------------------------------------------------------------------------


def _listed(first: str) -> list[str]:
    found = re.search(rf"`({first} [a-z_\s]+)`", SCHEME)
    assert found
    return found[1].split()


def test_the_lexicon_holds_the_lists_of_the_key_scheme() -> None:
    assert list(lexicon.FACTS) == _listed("name")
    assert list(lexicon.TOPICS) == _listed("database")
    assert list(lexicon.EVENT_KINDS) == _listed("release")
    assert list(lexicon.RELATIONS) == _listed("mother")
    assert set(_listed("allergy")) == lexicon.SEVERAL
    assert set(lexicon.STAGES) <= set(lexicon.EVENT_KINDS)


def test_the_lexicon_holds_the_slots_of_the_key_scheme() -> None:
    rows = re.findall(r"^\| `(writing|coding|tools|ui|other)`[^|]*\| (.+) \|$", SCHEME, re.M)
    assert {scope: set(re.findall(r"`([a-z_]+)`", cells)) for scope, cells in rows} == lexicon.SLOTS


# --- nothing breaks it -------------------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [
        *(
            "I like ",
            "my wife and ",
            "we decided ",
            "remind me to ",
            "not ",
            "is called ",
            "by Friday ",
            "I'm a ",
            "and ",
        ),
        *(", ", ". ", "? ", '"', "“", "> ", "\n", "(", ")", "’s ", "…", "```", "http://", "a/b", "\ud800", "\x00"),
        *("以后都用", "我喜欢", "，", "。"),
    ]
)


@given(st.lists(_PIECES, max_size=60).map("".join))
def test_whatever_is_said_spans_hold_and_nothing_is_raised(text: str) -> None:
    found = extract(user(text))
    for one in (*found.candidates, *found.skipped):
        assert one.span is not None
        assert one.quote == text[slice(*one.span)]


@pytest.mark.slow
@given(st.lists(_PIECES, min_size=1, max_size=3).map("".join))
def test_a_hundred_kilobytes_of_one_thing_take_little_longer_than_a_tenth(unit: str) -> None:
    from time import perf_counter

    def took(size: int) -> float:
        message = user((unit * (size // len(unit) + 1))[:size])
        started = perf_counter()
        extract(message)
        return perf_counter() - started

    took(1_000)
    # Linear would be ten times; a regex that backtracks takes a hundred times and more.
    assert took(100_000) <= 40 * took(10_000) + 0.5
