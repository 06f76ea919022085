"""Which refs of a turn the resource client is told of: files under allowed roots, and no URL is fetched unasked."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from smartbrain.config import ResourcesPolicy
from smartbrain.model import Ref, RefOutcome

Fetcher = Callable[[str], str | bytes | None]
"""Brings what stands at an http(s) URL, or None. Which hosts may be reached is its to say: URLs come from talk."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)  # one letter and a colon is a drive
_KINDS = {"file": "offer_files", "url": "offer_urls", "artifact": "offer_artifacts"}


class RefPolicy:
    """Decides for each ref whether it is offered, and makes it ready. Touches the disk only under the roots."""

    def __init__(self, policy: ResourcesPolicy, fetcher: Fetcher | None = None) -> None:
        self._policy = policy
        self._fetcher = fetcher

    def ready(self, refs: Sequence[Ref], turn: str) -> list[Ref | RefOutcome]:
        """For each ref, in order: the ref as it is offered, or why it is not.

        A file's URI becomes absolute, links resolved. ``meta`` gains ``turn``, the way back, and where a fetcher
        brought it, ``text``.
        """
        made: list[Ref | RefOutcome] = []
        for place, ref in enumerate(refs):
            if place >= self._policy.max_refs:
                made.append(_withheld(ref, f"a turn offers at most {self._policy.max_refs} refs"))
            elif not getattr(self._policy, _KINDS[ref.type]):
                made.append(_withheld(ref, f"policies.resources.{_KINDS[ref.type]} is off"))
            else:
                one = self._one(ref)
                meta = {**one.meta, "turn": turn} if isinstance(one, Ref) else {}
                made.append(one.model_copy(update={"meta": meta}) if isinstance(one, Ref) else one)
        return made

    def file_uri(self, uri: str) -> str | None:
        """The absolute ``file://`` URI of a file under the roots; None for anything else."""
        found = self._file(uri)
        return found.as_uri() if isinstance(found, Path) else None

    def _one(self, ref: Ref) -> Ref | RefOutcome:
        if ref.type == "file" or (ref.type == "artifact" and _is_path(ref.uri)):
            found = self._file(ref.uri)
            if isinstance(found, str):
                return _withheld(ref, found)
            return ref.model_copy(update={"uri": found.as_uri()})
        return self._url(ref) if ref.type == "url" else ref

    def _file(self, uri: str) -> Path | str:
        """The file a ref points at, or why it may not be offered. What lies outside the roots is not looked at."""
        if not self._policy.roots:
            return "no folder is allowed (policies.resources.roots)"
        try:
            named = _path_of(uri)
            if named is None:
                return "it is no path on this machine"
            for root in (Path(folder).expanduser() for folder in self._policy.roots):
                inside = root.resolve()
                path = Path(os.path.normpath(inside / named))
                # By its name first: what lies elsewhere is not even looked at.
                if not any(path.is_relative_to(folder) for folder in (inside, root.absolute())):
                    continue
                path = path.resolve()
                if path.is_relative_to(inside) and path.exists():
                    return path if stat.S_ISREG(path.stat().st_mode) else "it is not a file"
        except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a NUL, a name that is too long
            return f"its path cannot be followed: {type(error).__name__}"
        return "there is no such file under policies.resources.roots"

    def _url(self, ref: Ref) -> Ref | RefOutcome:
        try:
            parts = urlsplit(ref.uri)
        except ValueError:
            return _withheld(ref, "it is no URL")
        if parts.username is not None or parts.password is not None:
            return _withheld(ref, "its URL holds credentials")
        if self._fetcher is None:
            return ref
        if parts.scheme.lower() not in {"http", "https"}:
            return _withheld(ref, "only http and https are fetched")
        content = self._fetcher(ref.uri)
        if content is None:
            return ref
        if len(content) > self._policy.max_fetched:
            return _withheld(ref, f"what was fetched is longer than {self._policy.max_fetched}")
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        return ref.model_copy(update={"meta": {**ref.meta, "text": text}})


def _withheld(ref: Ref, reason: str) -> RefOutcome:
    return RefOutcome(uri=ref.uri, outcome="withheld", reason=reason)


def _is_path(uri: str) -> bool:
    return uri.lower().startswith("file:") or not _SCHEME.match(uri)


def _path_of(uri: str) -> str | None:
    """The path in a ``file:`` URI or a bare path; None for another host, another scheme, or nothing."""
    if not _is_path(uri):
        return None
    if uri.lower().startswith("file:"):
        parts = urlsplit(uri)
        if parts.netloc.lower() not in {"", "localhost"}:
            return None
        uri = url2pathname(parts.path)
    return uri if uri.strip() else None
