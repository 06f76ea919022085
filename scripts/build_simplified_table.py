"""Build ``core/smartbrain/text/data/simplified.txt`` from OpenCC's ``TSCharacters.txt``.

Usage: ``python scripts/build_simplified_table.py path/to/TSCharacters.txt``. The file ships with OpenCC
(Apache-2.0) and with the package ``opencc-python-reimplemented``. The result is two lines of equal length: the
traditional characters in code-point order, and under each the simplified one it folds to. Only the first reading
is kept; characters that may stand for themselves are left out, and chains are followed to their end.
"""

from __future__ import annotations

import sys
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "core/smartbrain/text/data/simplified.txt"


def build(source: str) -> str:
    """The two lines, from the text of ``TSCharacters.txt`` (``traditional TAB candidates``)."""
    first: dict[str, str] = {}
    for line in source.splitlines():
        traditional, _, candidates = line.partition("\t")
        simplified = candidates.split(" ")[0]
        if len(traditional) == len(simplified) == 1 and traditional != simplified:
            first[traditional] = simplified
    keys = sorted(first)
    return "".join(keys) + "\n" + "".join(_end_of_chain(first, key) for key in keys) + "\n"


def _end_of_chain(table: dict[str, str], character: str) -> str:
    seen = {character}
    while character in table:
        character = table[character]
        if character in seen:
            raise ValueError(f"a circle through {character!r}")
        seen.add(character)
    return character


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(build(Path(sys.argv[1]).read_text("utf-8")), "utf-8", newline="\n")
    print(f"{TARGET.name}: {len(TARGET.read_text('utf-8').splitlines()[0])} characters")
