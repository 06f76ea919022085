"""The command line, ``smartbrain``. It needs the extra ``cli`` (typer and rich)."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from smartbrain.errors import MissingExtraError


def main() -> None:
    """Runs the command in ``sys.argv``; one clear line and exit code 1 when the extra is not installed."""
    if any(find_spec(name) is None for name in ("typer", "rich")):
        print(f"error: {MissingExtraError('the command line', 'cli')}", file=sys.stderr)
        raise SystemExit(1)
    from smartbrain.cli.app import run

    run()
