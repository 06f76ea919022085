"""Whether what rules and classifier found is worth keeping: the odds of a find, weighed by its surroundings.

A rule and the classifier read one clause. What they cannot see there (that the message is an exercise, that two
readings contradict each other, that the value was cut short) is weighed here: a logistic regression over signs that are
either there or not. It learned from finds in labelled utterances of which the classifier had not learned.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from smartbrain.errors import StoreError
from smartbrain.extraction.hits import Hit, Sentence, value_of
from smartbrain.extraction.learned.features import sign_names
from smartbrain.extraction.learned.makers import RULE, label_of, type_of

_FLOOR: Final = 0.002
_SURE: Final = 0.97
_DOUBT: Final = 0.4


class Find(NamedTuple):
    """A hit to be weighed.

    ``share`` is the probability that the classifier gives its class, ``none`` that there is nothing to keep, ``rank``
    the place of its class; ``read`` whether the classifier knows its class and read its clause at all. ``others`` are
    the other hits of its clause, ``clause`` is its folded text. ``near`` is how likely the other clauses of the
    message say something of the same type; ``whole`` whether the value begins and ends where a word does.
    """

    hit: Hit
    sentence: Sentence
    clause: str
    share: float
    none: float
    rank: int
    read: bool
    others: Sequence[Hit] = ()
    near: float = 0.0
    whole: tuple[bool, bool] = (True, True)


def signs(find: Find) -> list[str]:
    """What is to be seen of a find, as names."""
    hit = find.hit
    learned = hit.rule.startswith(f"{RULE}.")
    by = "learned" if learned else "rule"
    label = label_of(hit)
    kind = type_of(label) if learned else hit.type
    lang = "zh" if re.search("[\u3400-\u9fff]", find.clause) else "en"
    share, none = _step(find.share), _step(find.none)
    found = ["bias", f"{by}", f"{by} {kind}", f"{by} {lang}", f"{kind} {lang}", f"{by} {label}", f"label {label}"]
    found += [f"rank {find.rank} {by}", f"read {find.read} {by}", f"near {_step(find.near) // 2} {by}"]
    found += [f"cut {side} {by}" for side, whole in zip(("left", "right"), find.whole, strict=True) if not whole]
    # Steps add up: a find at p = 0.9 has the signs of all lower ones, so that neighbours share what they learned.
    found += [f"share>{at} {by}" for at in range(-6, share + 1)]
    found += [f"none>{at} {by}" for at in range(-6, none + 1)]
    found += [f"share {share} {kind} {by}", f"none {none} {kind} {by}"]
    found += _of_rule(hit) if not learned else []
    found += _of_value(hit, find, kind)
    found += _of_others(find, label, by)
    meant = sign_names(find.clause)
    found += [f"c {name}" for name in meant] + [f"c {name} {kind}" for name in meant]
    found += _of_sentence(find, by, kind)
    return found


def _step(p: float) -> int:
    p = min(max(p, _FLOOR), 1 - _FLOOR)
    return round(math.log(p / (1 - p)))


def _of_rule(hit: Hit) -> list[str]:
    return [f"of {hit.rule}", f"of {hit.rule} {hit.confidence:.2f}"]


def _of_value(hit: Hit, find: Find, kind: str) -> list[str]:
    value = value_of(hit)
    size = len(value.split()) if value.isascii() else len(value) // 2
    found = [f"size {min(size, 8)} {kind}", f"retract {hit.retract} {kind}"]
    folded = value.casefold()
    if folded and find.clause.rstrip(" .!").endswith(folded):
        found.append(f"to the end {kind}")
    if folded and find.clause.startswith(folded):
        found.append(f"from the start {kind}")
    if re.search(r"\d", value):
        found.append(f"digit {kind}")
    if hit.type == "events":
        found.append("undated" if ":undated:" in hit.key else "dated")
    if hit.type == "tasks":
        found.append(f"status {hit.value.get('status')} {'due' if hit.value.get('due') else ''}")
    if hit.type == "profile":
        subject = hit.key.removeprefix("profile:")
        found.append(f"of {'user' if subject == 'user' else 'kin' if subject.startswith('user_') else 'named'}")
    return found


def _of_others(find: Find, label: str, by: str) -> list[str]:
    found = []
    for other in find.others:
        if other.skipped:
            found.append(f"beside skipped {by}")
        elif label_of(other) == label:
            found.append(f"beside same {by}")
            found.append(f"beside same key {other.key == find.hit.key} {by}")
        else:
            found.append(f"beside {'learned' if other.rule.startswith(RULE) else 'rule'} {by}")
            found.append(f"beside type {other.type == find.hit.type} {by}")
    return found or [f"alone {by}"]


def _of_sentence(find: Find, by: str, kind: str) -> list[str]:
    sentence, text = find.sentence, find.sentence.message.text
    talk = _kinds_of_talk(text)
    found = [f"m {name}" for name in talk] + [f"m {name} {by}" for name in talk] + [f"m {name} {kind}" for name in talk]
    found += [f"long {min(len(text) // 60, 8)}", f"lines {min(text.count(chr(10)), 3)}"]
    found += ["first"] if not sentence.before else [f"before {name}" for name in _kinds_of_talk(sentence.before)]
    found += ["last"] if not sentence.after else [f"after {name}" for name in _kinds_of_talk(sentence.after)]
    return found


@lru_cache(maxsize=64)  # asked again for each find of a message
def _kinds_of_talk(text: str) -> tuple[str, ...]:
    return tuple(name for name, pattern in _talk() if pattern.search(text))


@cache
def _talk() -> list[tuple[str, re.Pattern[str]]]:
    """Signs of what a message is for."""
    patterns = {
        "question": r"[?？]",
        "quotes": "[\"“”‘’「」『』《》]|(?<!\\w)'",
        "colon": "[:：]",
        "laughs": r"\b(?:lol|lmao|haha\w*|jk|kidding)\b|😂|🤣|🙃|🙄|哈哈|笑死|呵呵|开玩笑|開玩笑|才怪",
        "exclaims": "[!！]",
        "order": r"(?:^|[.,;!?]\s*)(?:please |can you |could you |pls )?(?:write|translate|rewrite|fix|correct|polish|"
        r"summari[sz]e|explain|give|list|make|draft|help|tell|show|compare|check|generate|continue|complete|fill|"
        r"describe|find|suggest)\b|帮我|幫我|请|請|麻烦|给我|給我|翻译|翻譯|改写|润色|续写|写[一个篇段]|[写寫]首",
        "fiction": r"\b(?:story|poem|lyrics?|song|novel|character|role-?play|pretend|dialogue|script|essay|scene|"
        r"imagine|plot|chapter|sonnet|dream|film|movie|game|exercise|grammar|sentences?|phrases?|example|quote|translate|"
        r"reads?|spell|means?)\b|作文|小说|小說|角色|台词|歌词|歌詞|剧本|劇本|扮演|造句|例句|翻译|翻譯|句子|故事|诗|梦|夢|"
        r"设定|設定|对话|比喻|俗话|成语|英文|怎么说|怎麼說|语法|文案|标题|標題",
        "others": r"\b(?:he|she|they|his|her|their)\b|[他她佢]|人家|别人|別人|同事|朋友|客户|老板",
        "doubt": r"\b(?:maybe|perhaps|might|if|would|could|wish|almost|nearly|used to|supposed)\b|如果|要是|可能|也许|"
        "说不定|差点|假如|本来|本來|原来|原來|以前|曾经",
        "me": r"\b(?:i|i'm|im|my|we|our)\b|[我俺咱]|本人",
        "you": r"\byou\b|[你您]",
        "list": r"\b(?:to-?do|list|remind(?:er)?|note to self|forget|still to|left to)\b|待办|清单|要办|提醒|别忘|记得",
        "but": r"\bbut\b|不过|但是|可是|结果|結果",
    }
    return [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in patterns.items()]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Weights of signs; the odds from which a find of the classifier is kept (``keep``; ``sure`` where it is all but
    certain), and one of a rule (``stand``)."""

    weights: Mapping[str, float]
    keep: float
    sure: float
    stand: float

    def odds(self, found: Sequence[str]) -> float:
        """The probability that what has these signs is worth keeping."""
        get = self.weights.get
        return 1 / (1 + math.exp(-sum([get(name, 0.0) for name in found])))

    def bar(self, find: Find) -> float:
        """The odds from which a find is kept.

        Where the classifier is all but certain less has to speak for it, and a rule's find stands unless the classifier
        doubts that there is anything to keep; of tasks nothing stands where it is certain that there is none.
        """
        if find.hit.rule.startswith(f"{RULE}."):
            return self.sure if find.share >= _SURE else self.keep
        if find.hit.type == "tasks" and find.none >= _SURE:
            return 1.0
        if label_of(find.hit) in ("like", "dislike"):
            return 0.0  # "I like it" is meant in talk; labelled utterances hold far more irony than people do
        return self.stand if find.none >= _DOUBT else 0.0

    @classmethod
    def load(cls, path: Path) -> Acceptance:
        """The weights of a file. Raises StoreError if there are none."""
        try:
            told = json.loads(path.read_text("utf-8"))
            return cls(
                {str(name): float(weight) for name, weight in told["weights"].items()},
                float(told["keep"]),
                float(told["sure"]),
                float(told["stand"]),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"cannot read the weights of acceptance {path}: {error}") from error


@cache
def bundled() -> Acceptance:
    """The weights that are shipped; read once."""
    return Acceptance.load(Path(__file__).with_name("data") / "acceptance.json")
