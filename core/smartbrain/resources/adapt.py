"""Whatever finds documents, as the port's client."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, cast

from smartbrain.errors import InputError
from smartbrain.ports import ResourceClient
from smartbrain.resources.direct import DirectClient
from smartbrain.resources.http import HttpClient
from smartbrain.resources.scoping import ScopeMapper


def as_resources(source: Any, scope_mapper: ScopeMapper | None = None, *, shared: bool = False) -> ResourceClient:
    """Any of these as a ``ResourceClient``; one that is one already comes back as it is.

    A LangChain vector store or retriever, a LlamaIndex index, retriever or query engine, a function from a text to
    results (``DirectClient``); the URL of a service that keeps to docs/resource-api.yaml (``HttpClient``).

    With ``user_id`` or ``domain_id``, documents are shown only where it is known whose they are: say so with a
    ``scope_mapper(domain_id, scopes) -> {"filters": {…}}``, or with ``shared=True`` where every user may read them all.
    Raises InputError for anything else.
    """
    if callable(getattr(source, "retrieve", None)) and callable(getattr(source, "offer", None)):
        if scope_mapper is not None or shared:
            raise InputError(f"{type(source).__name__} is a resource client already; tell it of scopes when it is made")
        return cast("ResourceClient", source)
    if isinstance(source, (str, PurePath)):
        if "://" not in str(source):
            raise InputError(
                f"{str(source)!r} is no URL; for the documents in a folder: library = Library.open('documents.db');"
                " library.add(folder); resources=library"
            )
        return HttpClient(str(source), scope_mapper=scope_mapper, shared=shared)
    return DirectClient(source, scope_mapper, shared=shared)
