"""The bytes of a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from smartbrain.errors import InputError


def read_bytes(path: Path, limit: int) -> tuple[bytes, int]:
    """The bytes of a regular file and when it was changed (microseconds since 1970).

    Raises InputError with the reason: larger than ``limit``, not a regular file, not readable.
    """
    try:
        handle = os.open(path, _FLAGS)
        with os.fdopen(handle, "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise InputError("it is not a regular file")
            if about.st_size > limit:
                raise InputError(f"it has {about.st_size:,} bytes, more than {limit:,}")
            data = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}") from error
    if len(data) > limit:
        raise InputError(f"it has more than {limit:,} bytes")
    return data, about.st_mtime_ns // 1000


# A link or a pipe may have taken the file's place since the folder was listed: the one is not followed, and the other
# not waited for.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_BINARY"))
