"""The sieve in front of the English patterns."""

from __future__ import annotations

from typing import Final

from smartbrain.extraction.literals import Sifter

EN: Final = Sifter(range(3, 4))
"""All patterns that are looked for in whole clauses and sentences."""
