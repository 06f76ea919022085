"""Clients of the documents beside memory.

``as_resources`` takes what people already have and gives what the port asks for; ``SmartBrain`` calls it on what it is
handed. What is found is evidence from a resource and never more: bounded, labelled, and only of confirmed scopes.
"""

from smartbrain.resources.adapt import as_resources
from smartbrain.resources.direct import DirectClient
from smartbrain.resources.null import NullClient

__all__ = ["DirectClient", "NullClient", "as_resources"]
