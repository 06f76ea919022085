"""What the English rules find in single utterances and short exchanges, and what they must leave alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import MemoryItem, Message, Scope, Turn
from smartbrain.ports import Extraction

WEDNESDAY = datetime.fromisoformat("2026-03-18T21:40:00-05:00")
TABLE = Path(__file__).parent / "data" / "rules_en.txt"
TOPICS = ("preferences", "profile", "tasks", "goals", "decisions", "events", "entities", "nothing", "twofold")


def said(*messages: str | tuple[str, str], at: datetime = WEDNESDAY, known: Sequence[MemoryItem] = ()) -> Extraction:
    """The extraction of one turn; a plain text is the user's, a pair is (role, text)."""
    pairs = [("user", each) if isinstance(each, str) else each for each in messages]
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=tuple(Message(id=f"m{place}", role=role, content=text) for place, (role, text) in enumerate(pairs)),
        occurred_at=at,
        recorded_at=at,
    )
    return RulesExtractor(classifier=False).extract(turn, known)


def units(found: Extraction) -> list[str]:
    """What was found, in the short notation of the table."""
    out: list[str] = []
    for one in found.candidates:
        value = one.value
        if one.type == "preferences":
            out.append(f"{'+' if value['polarity'] == 'like' else '-'}{one.key}={value['value']}")
        elif one.type == "profile":
            out += [f"{value['subject']}.{fact['k']}={fact['v']}" for fact in value["facts"]]
        elif one.type == "tasks":
            out.append(" ".join(filter(None, (one.key, value["status"], value.get("due")))))
        else:
            out.append(one.key)
    return out + [f"ret {one.key}" for one in found.retractions]


def table(topic: str) -> Iterator[tuple[str, list[str]]]:
    section = ""
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("# "):
            section = line.removeprefix("# ")
        elif line and section == topic:
            text, *wanted = (part.strip() for part in line.split("||"))
            yield text, [unit for unit in wanted if unit]


@pytest.mark.parametrize("topic", TOPICS)
def test_every_utterance_of_the_table_gives_just_what_stands_beside_it(topic: str) -> None:
    cases = list(table(topic))
    assert cases
    wrong = {text: (units(said(text)), wanted) for text, wanted in cases if units(said(text)) != wanted}
    assert wrong == {}


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("We've decided not to sell the house", "not to sell the house"),
        ("We decided against the pool", "against the pool"),
        ("We're not renewing the lease, that's final", "not renewing the lease"),
        ("We have scrapped the loyalty programme", "scrapped the loyalty programme"),
        ("Decided: no extension, we'll do the loft instead", "no extension"),
        ("we settled on Portugal for the summer in the end", "Portugal for the summer"),
    ],
)
def test_what_was_refused_is_kept_with_its_refusal(text: str, decision: str) -> None:
    assert [one.value["decision"] for one in said(text).candidates] == [decision]


def test_saying_the_opposite_meets_what_was_said_under_one_key() -> None:
    liked, hated = said("I love cilantro"), said("I can't stand cilantro")
    assert liked.candidates[0].key == hated.candidates[0].key == "pref:other:cilantro"
    assert [liked.candidates[0].value["polarity"], hated.candidates[0].value["polarity"]] == ["like", "dislike"]


def test_a_task_and_its_being_done_have_one_key() -> None:
    todo, done = said("I have to write the grant report"), said("the grant report is done")
    assert todo.candidates[0].key == done.candidates[0].key == "task:default:grant_report"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Do I prefer tea?", "a question"),
        ("I'm allergic to nuts, right?", "a question"),
        ("If we have to move, I must sell the piano by Friday.", "a condition or a hypothesis"),
        ("I might be allergic to pollen", "not certain, or not decided yet"),
        ("My ex said, I live in Berlin now", "somebody else's words"),
        ("Oh sure, I love meetings at dawn.", "a joke or sarcasm"),
        ("It's not that I hate jazz", "said not to be so"),
        ("Answer in French, this one is for my aunt", "for this once only"),
        ("I like this song", "names nothing that lasts"),
        ("I need to think", "of the moment only"),
        ("I'm vegan, said Tom.", "somebody else's words"),
    ],
)
def test_a_guard_gives_a_verdict_with_its_reason(text: str, reason: str) -> None:
    found = said(text)
    assert units(found) == []
    assert reason in [verdict.reason for verdict in found.skipped]


def test_just_kidding_voids_the_sentence_before_it() -> None:
    found = said("I've decided to sell the house. Just kidding!")
    assert units(found) == []
    assert [verdict.reason for verdict in found.skipped] == ["a joke or sarcasm"]


def test_scratch_that_takes_back_what_was_said_last() -> None:
    found = said("I like my porridge with salt", ("assistant", "Noted."), "Hm, scratch that.")
    assert units(found) == ["ret pref:other:porridge_with_salt"]


def test_scratch_that_alone_gives_nothing() -> None:
    assert units(said("scratch that")) == []


def item(type_: str, key: str, value: dict[str, Any], *, turn_id: str = "t0", session_id: str = "s") -> MemoryItem:
    """An active item that a turn wrote."""
    return MemoryItem(
        id=f"i-{key}",
        type=type_,
        key=key,
        value=value,
        text="",
        confidence=0.9,
        scope=Scope("d", "global", "default"),
        source_turn_id=turn_id,
        source_session_id=session_id,
        occurred_at=WEDNESDAY,
        recorded_at=WEDNESDAY,
        valid_from=WEDNESDAY,
        last_seen_at=WEDNESDAY,
    )


FERRY = item("tasks", "task:default:ferry", {"task_id": "ferry", "title": "book the ferry", "status": "todo"})
LATEX = item("profile", "profile:user", {"subject": "user", "facts": [{"k": "allergy", "v": "latex"}]})


@pytest.mark.parametrize("words", ["Scratch that.", "Actually, forget that, we're driving.", "算了，当我没说"])
def test_scratch_that_at_the_start_of_a_turn_takes_back_what_the_turn_before_wrote(words: str) -> None:
    assert "ret task:default:ferry" in units(said(words, known=[FERRY]))


def test_taking_back_across_turns_closes_just_the_fact_that_was_said() -> None:
    (closed,) = said("scratch that", known=[LATEX]).candidates
    assert closed.value["facts"] == [{"k": "allergy", "v": None, "was": "latex"}]


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("never mind", [FERRY]),
        ("算了", [FERRY]),
        ("The sun is out. Scratch that.", [FERRY]),
        ("scratch that", [item("tasks", "task:default:ferry", {}, session_id="another")]),
        ("scratch that", [FERRY, item("tasks", "task:default:tent", {}, turn_id="t-older")]),
        (
            "scratch that",
            [item("profile", "profile:user", {"facts": [{"k": "home", "v": "Bath"}, {"k": "age", "v": "9"}]})],
        ),
    ],
)
def test_nothing_is_taken_back_where_it_is_not_sure_what_was_meant(words: str, known: list[MemoryItem]) -> None:
    assert units(said(words, known=known)) == []


def test_a_corrected_date_makes_a_new_key_and_takes_the_old_one_back() -> None:
    found = said("Dentist appointment is on Tuesday", ("assistant", "Got it."), "sorry no, not Tuesday, it's Thursday")
    assert units(found) == [
        "event:default:2026-03-19:appointment_dentist",
        "ret event:default:2026-03-24:appointment_dentist",
    ]


@pytest.mark.parametrize(
    ("first", "then", "wanted"),
    [
        (
            "I have an interview on Thursday",
            "wait, it's Friday, not Thursday",
            ["event:default:2026-03-20:interview", "ret event:default:2026-03-19:interview"],
        ),
        (
            "My flight is on the 4th of May",
            "I meant the 5th",
            ["event:default:2026-05-05:trip", "ret event:default:2026-05-04:trip"],
        ),
        ("My flight is on the 4th of April", "I meant the 31st", ["event:default:2026-04-04:trip"]),
        ("I have an interview on Thursday", "it's raining, not snowing", ["event:default:2026-03-19:interview"]),
        ("I moved to Lyon in January", "correction: to Lille", ["user.home=Lille"]),
    ],
)
def test_a_correction_counts_where_it_names_what_was_said(first: str, then: str, wanted: list[str]) -> None:
    assert units(said(first, ("assistant", "Noted."), then)) == wanted


def test_a_standing_offer_of_the_assistant_counts_when_the_user_says_yes() -> None:
    offer = ("assistant", "Shall I always answer in French?")
    assert units(said(offer, "yes please")) == ["+pref:writing:language=French"]
    assert units(said(offer, "no thanks")) == []


def test_what_is_out_is_done_only_where_it_can_be_sent() -> None:
    assert units(said("The invoices are out.")) == ["task:default:invoices done"]
    assert units(said("The sun is out.")) == []


def test_a_wish_that_is_taken_back_is_no_task() -> None:
    assert units(said("no need to answer in German any more")) == ["ret pref:writing:language"]


def test_a_corrected_fact_replaces_the_value() -> None:
    found = said("I live in Leeds", ("assistant", "Leeds, noted."), "oops, I meant Bradford")
    assert units(found) == ["user.home=Bradford"]


def test_what_the_assistant_asks_about_is_done_when_the_user_says_yes() -> None:
    asked = ("assistant", "You mentioned two venues. Did you decide on the barn?")
    assert units(said(asked, "yes we did, the deposit's paid")) == [
        "decision:default:barn",
        "task:default:deposit done",
    ]
    assert units(said(asked, "no we didn't")) == []
    assert units(said(asked, "yes, but it isn't free in June")) == []


def test_a_guess_of_the_assistant_counts_when_the_user_plainly_says_yes() -> None:
    guess = ("assistant", "It sounds like you prefer meetings in the morning, is that right?")
    assert units(said(guess, "yes, exactly")) == ["+pref:other:meeting_time=morning"]
    assert said(guess, "yes, exactly").candidates[0].confirmed
    assert units(said(guess, "no, not really")) == []
    assert units(said(guess, "what makes you think so?")) == []


def test_facts_of_another_person_are_theirs() -> None:
    found = said("My sister Ana is a vet and lives in Porto. She's allergic to bees.")
    assert units(found) == ["ana.relation=sister", "ana.role=vet", "ana.home=Porto", "ana.allergy=bees"]


@pytest.mark.parametrize(
    "text",
    [
        "Translate into French: I am allergic to peanuts and I live in Toronto.",
        'fix the grammar: "I lives in Berlin and I works as engineer"',
        "Write a first-person story: my name is Redbeard, I live on a ship and I hate the navy.",
        "role play: you're the doctor and I'm Dana, a pilot from Ohio who loves skydiving.",
        "Suppose my name is Bob and I am 40.",
        '"I prefer dark mode, and I live in Rome" is what the poster says',
    ],
)
def test_material_to_work_on_is_not_the_users_own_word(text: str) -> None:
    assert units(said(text)) == []


def test_a_joke_at_the_front_of_a_message_voids_what_the_message_before_said() -> None:
    assert units(said("i'm vegan now", "jk jk, saw your face though")) == []
    assert units(said("i'm vegan now", "he was jk, I think")) == ["user.diet=vegan"]


def test_a_guess_that_begins_with_as_if_is_kept_once_it_is_confirmed() -> None:
    guess = ("assistant", "From the recipes you pick it looks as if you are vegetarian, is that right?")
    assert units(said(guess, "yep, exactly, since I was 12")) == ["user.diet=vegetarian"]
    assert units(said(guess, "no, not at all")) == []


def test_what_stands_in_a_quotation_of_several_sentences_is_not_the_speakers_own() -> None:
    diary = "my daughter's diary, page one: 'I hate broccoli. I love Finn. I live in Canada.' the spelling was worse"
    assert units(said(diary)) == []
    assert units(said(diary.replace("'I", "I").replace(".' the", ". the"))) != []


def test_a_text_behind_an_order_to_work_on_it_is_material() -> None:
    text = "We are a bakery in Ghent. Our goal is to open a second shop by 2027."
    assert units(said(f"Here's the page, summarise it:\n\n{text}")) == []
    assert units(said(text)) == ["goal:default:open_second_shop"]


def test_a_letters_text_is_nobodys_statement() -> None:
    assert units(said("Dear Sir, I wish to complain. I have lived on Elm Road since 1988.")) == []
    assert units(said("I wish to complain. I have lived on Elm Road since 1988.")) == ["user.home=Elm Road"]


def test_what_is_loved_after_a_sigh_is_not_meant() -> None:
    assert units(said("I love long train rides.")) == ["+pref:other:long_train_rides=long train rides"]
    assert units(said("Oh great, another reorg. I love long train rides.")) == []
