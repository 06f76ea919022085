"""How a message asks: where its own question stands, whether it wants several things, also tells, and what it names."""

from __future__ import annotations

import re

_SEVERAL = re.compile(
    r"\bhow many\b|\b(?:what|which)\s+(?:\w+\s+){0,2}?\w+[^s\W]s\b|\bwhat (?:kinds?|types?|sorts?) of\b|\bboth\b"
    r"|\bin what ways?\b|\bwhich (?:of|two|three)\b|\border of\b"
    r"|哪些|哪几|幾|几(?:个|次|种|位|样|部|本|家|场)|多少(?:个|個|次|种|種|位)|都有|分别|分別|各",
    re.IGNORECASE,
)
_COMES_TO_IT = re.compile(
    r"\bwhat i (?:(?:really|actually) )?(?:want(?:ed)?|meant|need(?:ed)?) to (?:ask|know|find out)(?: is| was)?\b[:,]?"
    r"|\bmy (?:real|actual) question (?:is|was)\b[:,]?"
    r"|\bi (?:really|actually) (?:want(?:ed)?|meant) to (?:ask|know)\b[:,]?"
    r"|我?(?:真正|其实|其實|实际上?|實際上?|本来|本來)[^。！？!?；;：:，,\n]{0,4}?"
    r"(?:想要?(?:问|問|说|說|知道|了解|瞭解|搞清楚|弄清楚)|问题|問題)[^。！？!?；;：:，,\n]{0,6}[：:，,]"
    r"|(?:对了|對了)[，,]我想[问問](?:一下)?[：:，,]",
    re.IGNORECASE,
)
_ASKED = re.compile("[?？]")
_SENTENCE = re.compile(
    r"(?:[^.!?。！？\n]|[!?。！？](?=[\"”」』]\S)"
    r"|\.(?=\S|(?<=\b\w\.)|(?<=\b(?:Dr|Mr|Ms|St|vs)\.)|(?<=\b(?:Mrs|etc)\.)|(?<=\bProf\.)))+[.!?。！？]*"
)
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]{2,}")
_NAME = re.compile(r"(?<![.!?]\s)(?<=\s)['\"(]?([A-Z][\w-]+)")


def asks_for_several(text: str) -> bool:
    """Whether a question asks for more than one thing ("which books", 哪些): its answer lies in several turns.

    A guess by the wording, "What does she ...s" included: it only decides how far the search is widened.
    """
    return bool(_SEVERAL.search(text))


def names_in(text: str) -> list[str]:
    """Words with a capital within a sentence, of a message that also tells: "the Kyoto trip" is about Kyoto.

    In order, with repeats. A mere question has few words, and none of them drowns.
    """
    return _NAME.findall(text) if tells(text) else []


def own_question(text: str) -> str:
    """What a message says its question is: the text after "what I really wanted to ask is" or 我真正想问的是.

    Of several such turns each one's question stays; what was said by the way before and between is left out. A
    message without one, or with nothing after it, stays as it is.
    """
    turns = list(_COMES_TO_IT.finditer(text))
    if not turns:
        return text
    kept = []
    for here, there in zip(turns, [*turns[1:], None], strict=True):
        part = text[here.end() : there.start() if there else None]
        end = _ASKED.search(part) if there else None
        kept.append((part[: end.end()] if end else part).strip())
    return " ".join(part for part in kept if part) or text


def tells(text: str) -> bool:
    """Whether a message of several sentences also tells something ("I tried your tips. What is next?").

    Such a message goes on with a conversation; one that only asks wants one thing out of all that was said. A sentence
    counts from three words (Chinese: six characters) on.
    """
    sentences = [found.group() for found in _SENTENCE.finditer(text) if _long_enough(found.group())]
    return len(sentences) > 1 and any(not _ASKED.search(sentence) for sentence in sentences)


def _long_enough(sentence: str) -> bool:
    words = _WORD.findall(sentence)
    return sum(1.0 if word < "\u3400" else 0.5 for word in words) >= _FEWEST


_FEWEST = 3
