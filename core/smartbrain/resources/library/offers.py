"""Refs of a conversation in a library: what a turn points at is taken in for its scope, and found again by URI."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from smartbrain.errors import MissingExtraError
from smartbrain.model import Ref, RefOutcome, Scope
from smartbrain.resources.library.shelf import Shelf
from smartbrain.resources.library.values import Format

if TYPE_CHECKING:
    from smartbrain.resources.library.library import Library

FOLDER = "refs"
"""Below it stand the documents that came with turns."""

_UNFIT = re.compile(r"[^\w.-]+")
_HTML = re.compile(r"\s*(?:<!doctype html|<html|<head|<body)", re.IGNORECASE)
_MOST_NAME = 80


def take(library: Library, refs: Sequence[Ref], scope: Scope) -> list[RefOutcome]:
    """Takes in each ref that brings something: a file, or ``meta["text"]``; what became of it, by its URI.

    A document that is there already stays as it is: its folder's next ``add`` brings it up to date. Nothing is fetched.
    A ref that brings nothing is passed over.
    """
    outcomes: list[RefOutcome] = []
    for ref in refs:
        held = library.holds([ref.uri], scopes=[scope])
        text = ref.meta.get("text")
        try:
            if ref.uri in held and not isinstance(text, str):
                outcomes.append(RefOutcome(uri=ref.uri, outcome="known", document_id=held[ref.uri]))
            elif isinstance(text, str) or ref.uri.startswith("file:"):
                outcomes.append(_taken(library, ref, scope, text if isinstance(text, str) else None))
        except (ValueError, MissingExtraError) as error:  # of the library, or of a URI that is none
            outcomes.append(RefOutcome(uri=ref.uri, outcome="failed", reason=str(error)))
    return outcomes


def held_by(shelf: Shelf, uris: Sequence[str], scopes: Iterable[Scope]) -> dict[str, str]:
    """The document id of each URI that these scopes hold."""
    found: dict[str, str] = {}
    for scope in scopes:
        scope_id = shelf.scope_id(scope)
        if scope_id is not None:
            found = {**shelf.by_uri(scope_id, uris), **found}
    return found


def _taken(library: Library, ref: Ref, scope: Scope, text: str | None) -> RefOutcome:
    if text is None:
        file = Path(url2pathname(urlsplit(ref.uri).path))
        report = library.add(file, under=f"{FOLDER}/{_name(file.parent.name, ref.uri)}", scope=scope)
    else:
        metadata = {"title": ref.title} if ref.title else {}
        path = f"{FOLDER}/{_path(ref.uri)}"
        kind: Format | None = "html" if _HTML.match(text) else None
        report = library.add_text(text, path, scope=scope, metadata=metadata, format=kind, uri=ref.uri)
    if report.refused:
        return RefOutcome(uri=ref.uri, outcome="failed", reason=report.refused[0].reason)
    document = library.holds([ref.uri], scopes=[scope]).get(ref.uri)
    return RefOutcome(uri=ref.uri, outcome="known" if report.unchanged else "taken", document_id=document)


def _path(uri: str) -> str:
    """Where the text of a URL stands: its host and path as plain names, and a digest, for many URLs look alike."""
    parts = urlsplit(uri)
    names = [parts.netloc.rpartition("@")[2], *parts.path.split("/")]
    plain = [name for part in names if (name := _UNFIT.sub("-", part).strip(".-"))[:_MOST_NAME]]
    *folders, last = [name[:_MOST_NAME] for name in plain][:8] or ["text"]
    stem, dot, ending = last.rpartition(".")
    return "/".join([*folders, f"{stem or ending}-{_digest(uri)}{dot}{ending if stem else ''}".rstrip(".")])


def _name(folder: str, uri: str) -> str:
    """A folder for a file: that of the same name in another place is another one."""
    return f"{_UNFIT.sub('-', folder).strip('.-')[:_MOST_NAME] or 'files'}-{_digest(uri.rpartition('/')[0])}"


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
