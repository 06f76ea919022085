"""The clause classifier beside the rules: what it finds, what it leaves alone, and how it says why."""

from __future__ import annotations

import importlib.util
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from smartbrain.errors import StoreError
from smartbrain.extraction.learned import acceptance
from smartbrain.extraction.learned.acceptance import Likely
from smartbrain.extraction.learned.features import NUMBERS, Vocabulary, hashed
from smartbrain.extraction.learned.judge import finds
from smartbrain.extraction.learned.makers import SCOPES, Told, made, type_of
from smartbrain.extraction.learned.model import NOTHING, ClauseModel, bundled
from smartbrain.extraction.learned.numbering import Asked, features
from smartbrain.extraction.learned.people import subject_of
from smartbrain.extraction.learned.personal import personal
from smartbrain.extraction.learned.pieces import pieces
from smartbrain.extraction.lexicon import EVENT_KINDS, FACTS, SLOTS
from smartbrain.extraction.reading import read
from smartbrain.extraction.rules import RulesExtractor, doubt, sentence_hits
from smartbrain.model import Message, Scope, Turn
from smartbrain.ports import Extraction
from smartbrain.runtime import SmartBrain

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
MODEL = Path(sys.modules["smartbrain.extraction.learned.model"].__file__ or "").with_name("data") / "clauses.bin"


def said(text: str, *, classifier: bool = True) -> Extraction:
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=(Message(id="m", role="user", content=text),),
        occurred_at=WEDNESDAY,
        recorded_at=WEDNESDAY,
    )
    return RulesExtractor(classifier=classifier).extract(turn)


def told(found: Extraction) -> list[tuple[str, str]]:
    """Key and value of everything that was found."""
    out = []
    for one in found.candidates:
        facts = [f"{fact['k']}={fact['v']}" for fact in one.value.get("facts", ())]
        value = one.value.get("value") or one.value.get("decision") or one.value.get("status") or ""
        out += [(one.key, fact) for fact in facts] or [(one.key, str(value))]
    return out


FOUND = (
    ("by trade I'm a welder", "profile:user", "role=welder"),
    ("I've called Utrecht home for six years", "profile:user", "home=Utrecht"),
    ("gluten sends me to hospital, I'm allergic", "profile:user", "allergy=gluten"),
    ("my shell is fish", "pref:tools:shell", "fish"),
    ("explain it to me like I'm twelve, always", "pref:writing:style", "like I'm twelve"),
    ("no progress on the attic, still waiting for the tiles", "task:default:attic", "blocked"),
    ("我本業是牙體技術師", "profile:user", "role=牙體技術師"),
    ("认路我靠高德", "pref:tools:navigation", "高德"),
    ("体检报告那事妥了", "task:default:体检报告", "done"),
    ("香菜那股味儿我真顶不住", "pref:other:香菜", "香菜"),
)


@pytest.mark.parametrize(("text", "key", "value"), FOUND)
def test_it_finds_what_no_rule_finds(text: str, key: str, value: str) -> None:
    assert key not in [found for found, _ in told(said(text, classifier=False))]
    assert (key, value) in told(said(text))


@pytest.mark.parametrize(
    "text",
    [
        "Do I make my living as a carpenter?",
        "If I made my living as a carpenter I'd own a saw.",
        "He wrote: 'I make my living as a carpenter'",
        "Translate into German: I make my living as a carpenter",
        "My boss wants me to make my living as a carpenter.",
        "Mum would like me to make my living as a carpenter",
        "by trade I'm a welder, just kidding",
        "by trade I'm a welder, am I?",
        "我是不是干木匠的？",
        "要是我干木匠二十年就好了",
        "他说“我干木匠二十年了”",
        "帮我翻译：我干木匠二十年了",
    ],
)
def test_what_guards_stop_it_does_not_keep_either(text: str) -> None:
    assert [one for one in said(text).candidates if one.rule.startswith("rules.learned")] == []


@pytest.mark.parametrize(
    "text",
    [
        "We work as a team.",
        "We act as a pair most days",
        "Put the answer in a table.",
        "Stay safe and talk to you later!",
        "good hearing from you! Sorry about that.",
        "it feels slow at times, but I'm convinced it's going to be exciting in the end",
        "biscuits for the office and soap, fish, rice",
        "bought peanuts, dairy and lobster",
        "watch out for mushrooms",
        "一到春天花粉就多",
        "I have a bad cough and a fever",
        "set_config(num_items, 18, 2**10, 8, 300)",
        "是一家很大的物流公司，我对这次机会很期待！",
        "今天我写了一首新歌，叫做晚风，很好听",
        "Thanks, Ana! Been a long night, but I'm proud of us.",
        "Just got home, so tired",
        "这家店味道一般",
        "今天加班到九点",
        "帮我把标题改一下",
    ],
)
def test_small_talk_and_orders_for_now_give_nothing(text: str) -> None:
    assert told(said(text)) == []


def test_a_find_carries_its_probability_its_grounds_and_the_users_own_words() -> None:
    (one,) = said("by trade I'm a welder").candidates
    assert one.rule == "rules.learned.role"
    told_by = r"the classifier reads role, p=(\d\.\d\d), by “(.+)”; with what stands around it p=(\d\.\d\d)"
    match = re.fullmatch(told_by, one.because)
    assert match is not None
    assert max(match[1], match[3]) == f"{one.confidence:.2f}"
    assert match[2] in "by trade i'm a welder"
    assert one.quote == "by trade I'm a welder"


def test_what_a_rule_read_wrongly_is_put_right() -> None:
    text = "我有个双胞胎弟弟"
    assert told(said(text, classifier=False)) != [("profile:user", "siblings=双胞胎弟弟")]
    assert told(said(text)) == [("profile:user", "siblings=双胞胎弟弟")]


def test_it_never_takes_back_what_a_rule_would_keep() -> None:
    found = said("貓八月走了")
    assert [candidate.rule for candidate in found.candidates] == ["rules.event_death"]
    assert found.retractions == ()


def test_what_it_reads_of_another_type_leaves_what_a_rule_read() -> None:
    found = told(said("阿公今年九十大壽，講話要很大聲"))
    assert ("profile:user_grandfather", "age=九十") in found
    assert any(key.startswith("event:default:2026:party") for key, _ in found)


def test_an_event_of_a_sentence_is_told_once() -> None:
    found = told(said("have to be in court on Monday at 9:30, hearing number six"))
    assert [key for key, _ in found if key.startswith("event:")] == ["event:default:2026-03-09:meeting"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("你给我列菜谱，都用表格", True),
        ("你帮我看着点，周五之前要给房东交水电费", True),
        ("那个展柜设计在弄着了", True),
        ("客户的图纸我还在改", True),
        ("他帮我看着，周五之前要给房东交水电费", False),
    ],
)
def test_the_one_spoken_to_is_nobody_else(text: str, found: bool) -> None:
    (sentence,) = read(Message(id="m", role="user", content=text), WEDNESDAY)
    piece = pieces(sentence)[-1]
    label = "w.format" if "表格" in text else "doing" if "在" in piece.text else "task"
    assert (subject_of(sentence, piece, label) == "user") is found


@pytest.mark.parametrize(("text", "found"), [("嗯嗯，中通", False), ("问了一圈，最后定了，中通", True)])
def test_a_name_alone_is_a_decision_only_where_something_chooses(text: str, found: bool) -> None:
    (sentence,) = read(Message(id="m", role="user", content=text), WEDNESDAY)
    piece = pieces(sentence)[-1]
    hit = made(Told(sentence, piece, "dec", False, "中通", "user", "", 0.9))
    assert (hit is not None) is found


def test_he_is_not_the_user() -> None:
    assert told(said("he's 10 now")) == []


def test_a_clause_without_a_subject_goes_on_about_who_was_spoken_of() -> None:
    found = dict(told(said("my aunt Rosalind knits and lives in Bletchley to this day")))
    assert "profile:user" not in found
    assert found["profile:rosalind"] == "home=Bletchley"


def test_somebody_near_the_user_who_is_no_relation_gets_no_facts_of_the_user() -> None:
    assert told(said("our lodger is diabetic so the shared fridge is full of insulin")) == []


def test_where_a_rule_found_no_name_the_classifier_may() -> None:
    text = "handed in my notice and as of Friday I don't work for the council any longer"
    assert ("profile:user", "employer=None") in told(said(text))


def test_what_it_reads_and_too_little_speaks_for_gets_a_verdict() -> None:
    with SmartBrain.open(":memory:") as brain:
        said_so = {
            "role": "user",
            "content": "ugh the boiler repair is still stuck, waiting on a part",
        }
        verdicts = brain.commit_turn("s", user_id="u", messages=[said_so]).explain.retention
    assert [(v.action, v.key) for v in verdicts] == [("skipped", "task:default:boiler_repair")]
    assert verdicts[0].reason.startswith("too little speaks for it, p=0.")


@pytest.mark.parametrize(
    ("clause", "lasts"),
    [
        ("keep this answer short", False),
        ("always keep this answer short", True),
        ("这个答案短一点", False),
        ("以后这个答案都短一点", True),
    ],
)
def test_how_to_answer_this_once_is_no_standing_wish(clause: str, lasts: bool) -> None:
    assert personal("preferences", "w.length", clause, clause) is lasts


def test_where_one_was_taken_is_no_home() -> None:
    assert told(said("last time I ended up in A&E")) == []


def test_a_traditional_value_stays_as_it_was_typed() -> None:
    found = told(said("我本業是牙體技術師"))
    assert ("profile:user", "role=牙體技術師") in found


def test_a_refused_dish_is_told_with_its_refusal() -> None:
    for text, value in (("我不吃海鲜", "不吃海鲜"), ("I don't eat seafood", "don't eat seafood")):
        assert told(said(text)) == [("profile:user", f"diet={value}")]


def test_what_it_stops_of_the_rules_gets_a_verdict_with_its_probability() -> None:
    text = "my brother is stuck on level nine"
    assert said(text, classifier=False).candidates
    found = said(text)
    assert found.candidates == ()
    assert any(re.search(r"too little speaks for it, p=0\.\d\d", one.reason) for one in found.skipped)


def test_the_brain_tells_why_and_the_setting_switches_it_off() -> None:
    turn = [{"role": "user", "content": "by trade I'm a welder"}]
    with SmartBrain.open() as brain:
        result = brain.commit_turn("s", messages=turn, user_id="ann")
        (item,) = result.memory_written.items
        reasons = [verdict.reason for verdict in brain.why(item.id, user_id="ann").verdicts]
    assert any("the classifier reads role, p=" in reason for reason in reasons)
    off = {"policies": {"retention": {"classifier": False}}}
    with SmartBrain.open(config=off) as brain:
        assert brain.commit_turn("s", messages=turn, user_id="ann").memory_written.items == ()


def test_the_same_words_always_give_the_same() -> None:
    text = "by trade I'm a welder, and I collect old stamps. 我干木匠二十年了"
    assert said(text) == said(text)


def test_every_class_has_a_place_in_the_key_scheme() -> None:
    for label in set(bundled().labels) - {NOTHING}:
        kind, head, name = type_of(label), *label.partition(".")[::2]
        if kind == "preferences" and head in SCOPES:
            assert name in SLOTS[SCOPES[head]], label
        elif kind == "events":
            assert name in EVENT_KINDS, label
        elif kind == "profile":
            assert (name or head) in FACTS, label


def test_the_model_is_small_and_its_name_says_what_it_is_made_of() -> None:
    assert MODEL.stat().st_size <= 1_900_000
    assert re.fullmatch(r"clauses-\d+-[0-9a-f]{12}", bundled().name)


@pytest.mark.parametrize("damage", ["cut", "other", "missing"])
def test_a_damaged_model_is_told_as_such(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "clauses.bin"
    if damage != "missing":
        path.write_bytes(MODEL.read_bytes()[:1000] if damage == "cut" else b"something else")
    with pytest.raises(StoreError, match="clause"):
        ClauseModel.load(path)


def test_han_is_cut_by_the_longest_known_word_and_digits_by_their_number() -> None:
    cut = Vocabulary({"图书馆": 3, "图书": 4, "我": 1}).read("我在图书馆干了12年")
    assert cut.words[:5] == ["我", "在", "图书馆", "干", "了"]
    assert cut.kin[:4] == ["~1", "?", "~3", "?"]
    assert cut.kin[cut.words.index("#2")] == "#"
    assert (cut.starts[2], cut.ends[2]) == (2, 5)


@pytest.mark.parametrize("text", ["i like tea in 我喜欢红茶 12 cups", "我", "\ud800 no?"])
def test_the_numbers_of_features_are_those_of_their_names(text: str) -> None:
    said = bundled().read(text)
    words, kin = ["^^", "^", *said.words, "$"], ["", "^", *said.kin, "$"]
    names = [f"len{min(len(said), 20) // 2}", "cap1", "asks"]
    for at in range(2, len(words)):
        word, before, earlier = words[at], words[at - 1], words[at - 2]
        names += [f"w {word}", f"f {kin[at]}", f"b {before} {word}", f"bf {before} {kin[at]}"]
        names += [f"fb {kin[at - 1]} {word}", f"t {earlier} {before} {word}", f"tf {earlier} {before} {kin[at]}"]
        names.append(f"s {earlier} {word}")
    for han in re.findall("[\u3400-\u9fff]{2,}", text):
        names += [han[at : at + size] for size in (2, 3) for at in range(len(han) - size + 1)]
    spelled = {hashed(f"h {name}" if name[0] >= "\u3400" else name) for name in names}
    found = {one & NUMBERS for one in features(Asked(said, text, asks=True, capitals=1))}
    assert spelled <= found
    signs = {"me", "you", "them", "asking", "if", "maybe", "was", "not", "always", "now", "said"}
    assert found - spelled <= {hashed(f"sign {name}") for name in signs}


NOT_KEPT = (
    "by the way my neighbour used to teach physics somewhere. we had such a long day and I might take up knitting",
    "我同事好像在上海那边做设计。周末大概会去爬山吧，最近有点想学吉他。我婶婶是干工程师这行的",
    "I sort of live out of a suitcase these days. coffee keeps me going, my flat is tiny, and mornings are mine",
    "我表姐是做设计的，学历挺高的。我的下属学历挺高的，是个博士。我妈在北京上班呢，就是教数学的。我上司是程序员长，33岁的样子",
    "my sister works as a nurse in Leeds and reads a lot. I live in Ghent with two cats, so weekends are for gardening",
)


@pytest.mark.parametrize("text", [*(text for text, *_ in FOUND), *NOT_KEPT])
def test_what_is_given_up_unread_could_not_have_been_kept(text: str) -> None:
    sentences = read(Message(id="m", role="user", content=text), WEDNESDAY)
    hits = [(sentence, sentence_hits(sentence)) for sentence in sentences]
    accept = acceptance.bundled()
    weighed = {(at, find.hit.rule, find.hit.span) for at, find in finds(hits, doubt, accept=accept)}
    for at, find in finds(hits, doubt):
        odds, bar = accept.odds(find), accept.bar(find.hit, share=find.share, none=find.none)
        if (at, find.hit.rule, find.hit.span) not in weighed:
            assert (bar == 0) if not find.hit.rule.startswith("learned.") else (odds < bar)
        if find.hit.rule.startswith("learned."):
            label = find.hit.rule.removeprefix("learned.")
            unread = find.share, find.none, find.rank, find.near, find.others
            assert accept.ceiling(Likely(find.sentence, find.clause, label, *unread)) >= odds


@pytest.mark.slow
def test_a_build_of_the_same_lines_gives_the_same_bytes(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    if not (root / "scripts" / "build_clause_classifier.py").exists() or importlib.util.find_spec("yaml") is None:
        pytest.skip("the build script is not beside the tests")
    sys.path.insert(0, str(root))
    try:
        from scripts.build_clause_classifier import Recipe, build
        from scripts.clause_lines import own_lines
    finally:
        sys.path.remove(str(root))
    recipe = Recipe(rounds=1, least=1)
    kin = {"nurse": 1, "welder": 1, "leeds": 2}
    lines = list(own_lines(1, seed=1))[::8]
    first = build(recipe, kin, lines)
    assert first == build(recipe, kin, lines)
    path = tmp_path / "small.bin"
    path.write_bytes(first)
    small = ClauseModel.load(path)
    text = "remind me to water the plants"
    clause = Asked(small.read(text), text, asks=False, capitals=0)
    (guess,) = small.guesses([clause])
    assert 0.0 < guess.none <= guess.p <= 1.0
    assert small.guesses([clause, clause]) == [guess, guess]


@pytest.mark.parametrize("text", ["\udc80 I live in \udc80", "我\ud800是", "\x00", "…", "🙂", "I'm ", "-" * 300])
def test_odd_characters_are_read_like_any_other(text: str) -> None:
    said(text)


def test_what_is_refused_in_a_slot_says_nothing_beside_what_is_chosen_for_it() -> None:
    found = told(said("text me, don't call, as a general rule. I'm on the line from 6 to 2 and can't pick up"))
    assert [one for one in found if one[0] == "pref:other:contact"] == [("pref:other:contact", "text")]
