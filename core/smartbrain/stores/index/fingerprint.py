"""The numbers that tell one state of the flushed part, and of the tail, from every other."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b


def fingerprint(before: int, parts: Iterable[bytes]) -> int:
    """The generation (63 bits) that follows the one ``before`` by what the parts tell."""
    digest = blake2b(before.to_bytes(8, "little"), digest_size=8)
    for part in parts:
        digest.update(len(part).to_bytes(4, "little") + part)
    return int.from_bytes(digest.digest(), "little") >> 1


def tail_mark(before: int, blobs: Iterable[bytes]) -> int:
    """The mark that follows the one ``before`` when these documents come to the tail, together or one by one."""
    for blob in blobs:
        before = fingerprint(before, [blob])
    return before
