"""Documents beside memory: clients of outside sources, and a library of one's own.

``as_resources`` takes what people already have and gives what the port asks for; ``SmartBrain`` calls it on what it is
handed. What is found is evidence from a resource and never more: bounded, labelled, and only of confirmed scopes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smartbrain.resources.adapt import as_resources
from smartbrain.resources.direct import DirectClient
from smartbrain.resources.http import HttpClient
from smartbrain.resources.null import NullClient

if TYPE_CHECKING:
    from smartbrain.resources.library.library import Library

__all__ = ["DirectClient", "HttpClient", "Library", "NullClient", "as_resources"]


def __getattr__(name: str) -> Any:
    # At first use: the library's modules load numpy and sqlite3.
    if name == "Library":
        from smartbrain.resources.library.library import Library

        return Library
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
