"""Fails when a tracked file names what does not belong in it.

That is: a path of somebody's machine, the host of a package registry (mirrors differ, a name is enough), a note
to finish something later, or the marker of an unfinished merge. Prints ``path:line: what`` for each.
The patterns are written so that this file does not match itself.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

NOTE = "a note to finish later"
# Files of what people say to agents, where such a word is nobody's note.
SAID = {".jsonl", ".txt"}
RULES = {
    "a machine's own path": re.compile(r"(?<![\w.~-])/(?:(?:work|root)/|home/\w)"),
    "a package registry's host": re.compile(
        r"\b(?:(?:test\.)?pypi\.org|pypi\.python\.org|pythonhosted\.org|registry\.(?:npmjs\.org|yarnpkg\.com)"
        r"|(?:deb|security|ftp)\.debian\.org|(?:proxy|sum)\.golang\.org|(?:static\.|index\.)?crates\.io)\b"
    ),
    # Only where a note stands (start of a line, a comment, a docstring): users say these words to agents, too.
    NOTE: re.compile(r"(?:^|#|//|--|\*|\"{3})\s*(?:TODO|FIXME)\b"),
    "a merge marker": re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |$)"),
}


def tracked_files() -> list[Path]:
    """The files git tracks that are in the working tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def findings(path: Path) -> list[str]:
    """One line for each rule that a line of the file breaks; a file that is not UTF-8 text has none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []
    return [
        f"{path.relative_to(ROOT)}:{number}: {what}"
        for number, line in enumerate(lines, start=1)
        for what, pattern in RULES.items()
        if pattern.search(line) and not (what == NOTE and path.suffix in SAID)
    ]


def main() -> int:
    """Print every finding; the exit code is 1 when there is one."""
    found = [finding for path in tracked_files() for finding in findings(path)]
    print("\n".join(found) or "lint_names: nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
