"""Makes the weights by which finds of rules and classifier are accepted, from the labelled utterances.

    python scripts/build_acceptance.py core/smartbrain/extraction/learned/data/acceptance.json

The utterances are read by a classifier that learned from none of them, and from no own line that shares four words or
five Han characters with one: what a model says of lines it knows tells nothing of what it says of others. A find is
right where it meets a label. ``--own clauses.bin '*3?'`` adds the finds in own lines of the files with such names, read
by that classifier, which must have learned without them. With ``--check`` weights learned from the other groups (as
they were written, one author's at a time) are tried on each, and precision and recall of the finds are printed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.build_clause_classifier import LABELLED, Recipe, build, families, lines
from scripts.clause_lines import UTTERANCES, Line, own_texts
from smartbrain.extraction.hits import value_of
from smartbrain.extraction.learned.acceptance import Acceptance, Find, signs
from smartbrain.extraction.learned.judge import finds
from smartbrain.extraction.learned.makers import RULE, label_of
from smartbrain.extraction.learned.model import ClauseModel
from smartbrain.extraction.reading import read
from smartbrain.extraction.rules import doubt, sentence_hits
from smartbrain.extraction.speakers import as_said_by, speaker_of
from smartbrain.model import Message

Floats = NDArray[np.float32]
KEEP: Final = 0.6
SURE: Final = 0.5
STAND: Final = 0.4
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "en-dev": ("1-141", "142-265", "266-436", "437-585"),
    "zh-dev": ("1-146", "147-384", "385-499", "500-663"),
    "en-spent": ("201-364", "1001-1207", "2001-2225"),
    "zh-spent": ("201-381", "1001-1232", "2001-2229"),
}
"""The development utterances by who wrote them when."""
_FITTED: Final[Mapping[str, float]] = {
    "en-dev 1-141": 0.15,
    "zh-dev 1-146": 0.15,
    "en-dev 437-585": 0.5,
    "zh-dev 500-663": 0.5,
    "en-spent 1001-1207": 0.5,
    "zh-spent 1001-1232": 0.5,
    "en-spent 2001-2225": 0.5,
    "zh-spent 2001-2229": 0.5,
}
"""Groups on which rules were written or mended: there they look better than they are, and weigh less."""
_OWN: Final = 0.3
"""What a find in own lines weighs: they tell something far more often than people do."""
_SAID_AT: Final = datetime.fromisoformat("2026-03-04T12:00:00+00:00")
_PENALTY: Final = 8.0
_ROUNDS: Final = 300
_SEEN: Final = 3


@dataclass(frozen=True, slots=True)
class Judged:
    """A find of an utterance, and whether it is right."""

    group: str
    find: Find
    signs: Sequence[str]
    right: bool

    @property
    def weight(self) -> float:
        if self.group.endswith(" own"):
            return _OWN
        return 1.0 if self.find.hit.rule.startswith(f"{RULE}.") else _FITTED.get(self.group, 1.0)


def group_of(name: str) -> str:
    """The group of the utterance with this id."""
    half, _, number = name.rpartition("-")
    for span in GROUPS.get(half, ()):
        first, last = map(int, span.split("-"))
        if first <= int(number) <= last:
            return f"{half} {span}"
    return half


def without(found: Sequence[Line], left_out: Collection[str]) -> list[Line]:
    """The lines but those of some groups, and but own ones that share words with them."""
    known: set[str] = set()
    for line in found:
        if group_of(line.origin) in left_out:
            known |= _runs(line.piece.text)
    return [
        line
        for line in found
        if group_of(line.origin) not in left_out
        and (line.origin[3:] not in ("pos", "neg") or not known & _runs(line.piece.text))
    ]


def _runs(text: str) -> set[str]:
    words = re.findall("[a-z']+", text)
    runs = {" ".join(words[at : at + 4]) for at in range(len(words) - 3)}
    for han in re.findall("[\u3400-\u9fff]+", text):
        runs |= {han[at : at + 5] for at in range(len(han) - 4)}
    return runs


def judged(item: Mapping[str, Any], model: ClauseModel, scorer: ModuleType) -> Iterator[Judged]:
    """What is found in an utterance; finds that count neither way are left out."""
    labels = scorer.units(item["expect"])
    for place, said in enumerate(item["messages"]):
        message = Message(id=f"m{place}", **said)
        if message.role != "user":
            continue
        sentences = read(message, datetime.fromisoformat(item["said_at"]))
        for _, find in finds([(one, sentence_hits(one)) for one in sentences], doubt, model=model):
            hit = as_said_by(speaker_of(message), find.hit)
            if not hit.key:
                continue
            kept: dict[str, Any] = {"type": hit.type, "key": hit.key, "retract": hit.retract}
            if not hit.retract:
                kept["value"] = hit.value
            (unit,) = scorer.kept_units([kept])
            met = [label for label in labels if scorer.meets(label, unit)]
            if met and all(label.get("optional") for label in met):
                continue
            if not met and scorer._beside_the_point(unit, labels):
                continue
            yield Judged(group_of(item["id"]), find, signs(find), bool(met))


def own(model: ClauseModel, pattern: str) -> Iterator[Judged]:
    """What ``model`` and the rules find in own lines it has not learned from.

    Right is what has a marked class and shares the marked words; whose fact it is, its key and its day are not marked.
    """
    for language, text, marks in own_texts(pattern, Recipe().seed):
        sentences = read(Message(id="m", role="user", content=text), _SAID_AT)
        for _, find in finds([(one, sentence_hits(one)) for one in sentences], doubt, model=model):
            label, value = label_of(find.hit), value_of(find.hit).casefold()
            if not find.hit.key or find.hit.type == "entities" or label in ("name", "relation"):
                continue
            right = any(marked == label and _shared(label, value, words.casefold()) for marked, words in marks)
            yield Judged(f"{language} own", find, signs(find), right)


def _shared(label: str, value: str, words: str) -> bool:
    return not value or label.startswith(("e.", "x.")) or words in value or value in words


def weights(rows: Sequence[Judged]) -> dict[str, float]:
    """Logistic regression over signs with a penalty on large weights, all rows at once."""
    often = Counter(name for row in rows for name in set(row.signs))
    names = sorted(name for name, times in often.items() if times >= _SEEN)
    column = {name: at for at, name in enumerate(names)}
    table = np.zeros((len(rows), len(names)), dtype=np.float32)
    for at, row in enumerate(rows):
        for name in row.signs:
            if name in column:
                table[at, column[name]] += 1
    right = np.array([row.right for row in rows], dtype=np.float32)
    weigh = np.array([row.weight for row in rows], dtype=np.float32)
    found = np.zeros(len(names), dtype=np.float32)
    mean, spread = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, _ROUNDS + 1):  # Adam (Kingma and Ba 2015)
        odds = 1 / (1 + np.exp(-table @ found))
        slope = table.T @ (weigh * (odds - right)) + np.float32(_PENALTY) * found
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope * slope
        found -= 0.03 * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
    return {name: round(float(weight), 4) for name, weight in zip(names, found, strict=True) if abs(weight) >= 1e-3}


def collected(items: Sequence[Mapping[str, Any]]) -> list[Judged]:
    """The finds of all utterances, read by a classifier that learned without any."""
    recipe = Recipe()
    known = without(lines(recipe), {group_of(item["id"]) for item in items})
    with TemporaryDirectory() as folder:
        path = Path(folder) / "blind.bin"
        path.write_bytes(build(recipe, families(recipe), known))
        model = ClauseModel.load(path)
    scorer = _scorer()
    return [row for item in items for row in judged(item, model, scorer)]


def _scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("labelled", UTTERANCES.parent / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["labelled"] = module
    spec.loader.exec_module(module)
    return module


def bar(accept: Acceptance, find: Find) -> float:
    return accept.bar(find.hit, share=find.share, none=find.none)


def check(rows: Sequence[Judged]) -> None:
    """Precision of the finds of each group, and the share of right ones that is kept, by weights of the others."""
    for group in sorted({row.group for row in rows if not row.group.endswith(" own")}):
        accept = Acceptance(weights([row for row in rows if row.group != group]), KEEP, SURE, STAND)
        mine = [row for row in rows if row.group == group]
        kept = [
            row
            for row in mine
            if accept.odds(row.find) >= accept.bar(row.find.hit, share=row.find.share, none=row.find.none)
        ]
        right = sum(row.right for row in kept)
        print(f"{group:16} {right / max(len(kept), 1):.3f} {right / max(sum(row.right for row in mine), 1):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--own", nargs=2, metavar=("MODEL", "FILES"))
    told = parser.parse_args()
    items = [
        json.loads(row) for name in LABELLED for row in (UTTERANCES / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    rows = collected(items)
    if told.own:
        rows += own(ClauseModel.load(Path(told.own[0])), told.own[1])
    if told.check:
        check(rows)
    found = {"keep": KEEP, "sure": SURE, "stand": STAND, "weights": weights(rows)}
    told.path.write_text(json.dumps(found, ensure_ascii=False, indent=0, sort_keys=True) + "\n", "utf-8")
    print(f"{len(rows)} finds, {len(found['weights'])} signs")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
