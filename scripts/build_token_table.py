"""Write ``core/smartbrain/text/data/tokens.bin``: the pieces that the token estimate knows by heart.

Run it with the ``dev`` extra installed (it reads the vocabularies from ``bpe-openai``)::

    python scripts/build_token_table.py

The vocabularies are OpenAI's ``o200k_base`` and ``cl100k_base`` (tiktoken and bpe-openai, both MIT). What is kept:
the commonest ASCII pieces that both share, in order of their merge ranks; the whitespace and the Han and kana
pieces of each; the commonest pieces of the other scripts; and what each character costs when it stands alone.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections import Counter, defaultdict
from pathlib import Path

import bpe_openai

TARGET = Path(__file__).parents[1] / "core" / "smartbrain" / "text" / "data" / "tokens.bin"
BASES = ("o200k", "cl100k")
SHARED_PIECES = 28_500  # ASCII pieces, by the sum of both merge ranks
CJK_RANKS = 110_000  # Han and kana pieces of up to four characters
SCRIPT_RANKS = 12_500  # pieces of the other scripts
COST_RANGES = ((0x80, 0x10000), (0x1F000, 0x1FC00))
CJK = re.compile("[぀-ヿ㐀-鿿]")
FAMILY = re.compile("([^A-Za-z]?)([A-Za-z]+)")


def vocabulary(base: str) -> dict[str, int]:
    """Every piece that is whole UTF-8 text, with its merge rank."""
    ranks = bpe_openai.get_encoding(f"{base}_base")._mergeable_ranks
    found = {}
    for raw, rank in ranks.items():
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            found[text] = rank
    return found


def shared_pieces(first: dict[str, int], second: dict[str, int]) -> list[str]:
    both = {t: first[t] + second[t] for t in first if t in second and t.isascii() and not t.isspace()}
    return sorted(both, key=lambda t: (both[t], t))[:SHARED_PIECES]


def own_pieces(vocab: dict[str, int]) -> list[str]:
    """The pieces that a table keeps for itself: whitespace, rulers ("-----") and what is not ASCII.

    Single characters beyond ASCII are left to `costs`.
    """
    keep = []
    for text, rank in vocab.items():
        if len(text) == 1 and not text.isascii():
            continue
        if text.isspace() or (len(text) > 3 and not text[0].isalnum() and text == text[0] * len(text)):
            keep.append(text)
        elif not text.isascii():
            limit = CJK_RANKS if CJK.search(text) and len(text) <= 4 else SCRIPT_RANKS
            if rank < limit:
                keep.append(text)
    return sorted(keep)


def family(text: str) -> tuple[str, str] | None:
    """A piece as (letters in lower case, variant), variant = prefix + l|T|U; ``None`` if it has another shape.

    A missing prefix is written as DEL, so that every variant has two characters.
    """
    match = FAMILY.fullmatch(text)
    if match is None or text[0] == "\x7f":
        return None
    prefix, word = match[1] or "\x7f", match[2]
    for case, form in (("l", word.lower()), ("T", word.capitalize()), ("U", word.upper())):
        if word == form:
            return word.lower(), prefix + case
    return None


def front_coded(words: list[str]) -> tuple[bytes, bytes]:
    """Sorted words as (length shared with the word before, the rest), separated by NUL."""
    shared, rests, before = bytearray(), [], ""
    for word in words:
        same = 0
        while same < min(len(word), len(before)) and word[same] == before[same]:
            same += 1
        shared.append(same)
        rests.append(word[same:])
        before = word
    return bytes(shared), "\0".join(rests).encode()


def family_sections(pieces: list[str]) -> list[bytes]:
    families: dict[str, set[str]] = defaultdict(set)
    other = []
    for piece in pieces:
        found = family(piece)
        if found is None:
            other.append(piece)
        else:
            families[found[0]].add(found[1])
    words = sorted(families)
    variants = {w: "".join(sorted(families[w])) for w in words}
    table = [v for v, _ in Counter(variants[w] for w in words).most_common()]
    index = {v: i for i, v in enumerate(table)}
    picks = [index[variants[w]] for w in words]
    shared, rests = front_coded(words)
    low, high = bytes(p & 255 for p in picks), bytes(p >> 8 for p in picks)
    return [shared, rests, low, high, "\0".join(table).encode(), "\0".join(sorted(other)).encode()]


def costs(base: str) -> bytes:
    """Tokens of each character of COST_RANGES on its own; a lone surrogate is what encoders put in its place."""
    encoding = bpe_openai.get_encoding(f"{base}_base")

    def cost(code: int) -> int:
        return len(encoding.encode_ordinary("\ufffd" if 0xD800 <= code < 0xE000 else chr(code)))

    return bytes(cost(code) for start, end in COST_RANGES for code in range(start, end))


def build() -> bytes:
    vocabs = [vocabulary(base) for base in BASES]
    sections = family_sections(shared_pieces(*vocabs))
    for base, vocab in zip(BASES, vocabs, strict=True):
        shared, rests = front_coded(own_pieces(vocab))
        sections += [shared, rests, costs(base)]
    body = b"".join(struct.pack(">I", len(part)) + part for part in sections)
    return zlib.compress(body, 9)


if __name__ == "__main__":
    data = build()
    TARGET.write_bytes(data)
    print(f"{TARGET.name}: {len(data):,} bytes")
