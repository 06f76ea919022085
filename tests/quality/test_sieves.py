"""The sieves in front of the patterns hide nothing: with every pattern tried on every text, the finds are the same."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from smartbrain.extraction.literals import Sifter
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn

SETS = Path(__file__).parent / "extraction"
AT = datetime(2026, 3, 18, tzinfo=UTC)


def said(name: str) -> list[str]:
    with (SETS / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [message["content"] for line in lines for message in json.loads(line)["messages"]]


def found(text: str) -> str:
    message = Message(id="m", role="user", content=text)
    scope = Scope("d", "global", "default")
    turn = Turn(session_id="s", turn_id="t", scope=scope, seq=1, messages=(message,), occurred_at=AT, recorded_at=AT)
    return repr(RulesExtractor(classifier=False).extract(turn))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dev_en", "dev_zh", "spent_en", "spent_zh"])
def test_no_sieve_hides_a_find(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for text in said(name) if isinstance(text, str)][::3]
    sifted = [found(text) for text in texts]
    monkeypatch.setattr(Sifter, "mask", lambda self, text: self.known.clear() or -1)
    monkeypatch.setattr(Sifter, "holds", lambda self, text, pieces: None)
    assert [found(text) for text in texts] == sifted
