"""What is made at its first use can be made beforehand, and changes nothing but when it is paid for."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from smartbrain import SmartBrain
from smartbrain.errors import ClosedError
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._zh_text import ZH
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.runtime import warming
from smartbrain.testing.fakes import CounterIds, ManualClock

LABELLED = Path(__file__).parents[1] / "quality" / "extraction"
LINES = [
    " ".join(message["content"].split())
    for language in ("en", "zh")
    for line in (LABELLED / f"dev_{language}.jsonl").read_text("utf-8").splitlines()
    for message in json.loads(line)["messages"]
    if message["role"] == "user"
]

COUNTED = """
import re, sys
made, compile_ = [], re._compiler.compile
re._compiler.compile = lambda *args: made.append(args) or compile_(*args)
from smartbrain import SmartBrain
from smartbrain.text import han
on_import = len(made)
with SmartBrain.open() as brain:
    assert han._segmenter is None
    brain.warm_up()
    warmed, modules = len(made), set(sys.modules)
    for n, line in enumerate(sys.stdin.read().splitlines()):
        brain.commit_turn(f"s{n // 10}", messages=[{"role": "user", "content": line}], user_id="ann")
    brain.compose_context("s0", "what do I like?", user_id="ann")
    print(on_import, warmed - on_import, len(made) - warmed, *(set(sys.modules) - modules))
"""


def test_a_warm_brain_reads_with_patterns_that_are_there_and_imports_nothing_more() -> None:
    given = "\n".join(LINES[::4])
    ran = subprocess.run(
        [sys.executable, "-c", COUNTED], input=given, capture_output=True, text=True, encoding="utf-8", check=True
    )
    on_import, warmed, later, *modules = ran.stdout.split()
    assert modules == []
    # Small ones for single words are left: none of them takes a millisecond.
    assert int(later) < 60 < 1_000 < int(warmed) > int(on_import)


def test_warming_up_makes_every_pattern_that_waits_behind_a_sieve() -> None:
    warming.make_rules(RulesExtractor(classifier=False))
    assert all(pattern._quick is not None for sifter in (EN, ZH) for pattern in sifter._sifted)


def test_the_classifier_is_made_only_where_it_reads_along(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Made:
        def __init__(self, module: str) -> None:
            self.__module__ = module

        def __call__(self) -> None:
            made.append(self.__module__)

    functions = [Made("smartbrain.extraction.learned.model"), Made("smartbrain.extraction.reading")]
    monkeypatch.setattr(warming, "made_once", lambda package: iter(functions))
    warming.make_rules(RulesExtractor(classifier=False))
    assert made == ["smartbrain.extraction.reading"]
    warming.make_rules(RulesExtractor())
    assert made[1:] == ["smartbrain.extraction.learned.model", "smartbrain.extraction.reading"]


def test_it_is_done_once_and_a_second_caller_waits_for_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, times = threading.Event(), threading.Event(), []

    def slow() -> None:
        times.append(1)
        begun.set()
        assert go_on.wait(20)

    monkeypatch.setattr(warming, "make_shared", slow)
    with SmartBrain.open() as brain:
        first = threading.Thread(target=brain.warm_up)
        second = threading.Thread(target=brain.warm_up)
        first.start()
        assert begun.wait(20)
        second.start()
        # Calls go on meanwhile.
        brain.commit_turn("s", messages=[{"role": "user", "content": "the kettle is blue"}])
        assert second.is_alive()
        go_on.set()
        first.join(20)
        second.join(20)
        assert not first.is_alive()
        assert not second.is_alive()
        assert brain.warm_up() >= 0
    assert times == [1]


def test_one_that_failed_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with SmartBrain.open() as brain:
        with monkeypatch.context() as patch:
            patch.setattr(warming, "make_shared", lambda: (_ for _ in ()).throw(RuntimeError))
            with pytest.raises(RuntimeError):
                brain.warm_up()
        assert brain.warm_up() > 0


class Unasked:
    """A plug-in that nobody may ask anything."""

    name = model = "unasked"

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"asked for {name}")

    def extract(self, turn: object, known: object = ()) -> object:
        raise AssertionError("asked")

    def __call__(self, *args: object) -> object:
        raise AssertionError("asked")


def test_neither_the_store_nor_a_plugged_in_model_is_asked_anything(tmp_path: Path) -> None:
    plain, warm = tmp_path / "plain.db", tmp_path / "warm.db"
    for path in (plain, warm):
        model = Unasked()
        with SmartBrain.open(
            path, clock=ManualClock(), new_id=CounterIds(), rules=(model,), extractor=model, embedder=model.__call__
        ) as brain:
            before = brain.diagnostics()
            if path is warm:
                brain.warm_up()
            assert brain.diagnostics() == before
            assert brain.sessions(user_id="ann") == []
    with SmartBrain.open(plain) as one, SmartBrain.open(warm) as other:
        assert one._shop.storage.scopes() == other._shop.storage.scopes() == []


def test_a_closed_brain_is_not_warmed() -> None:
    brain = SmartBrain.open()
    brain.close()
    with pytest.raises(ClosedError):
        brain.warm_up()
