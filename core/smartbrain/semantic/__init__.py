"""Embedders and rerankers behind their ports: those of the frameworks, plain functions, and a bundled model.

``as_embedder`` and ``as_reranker`` take what there is and give what the ports ask for; ``SmartBrain`` calls them on
what it is handed. ``bundled`` is the model of the extra ``semantic``: offline, nothing is fetched.
"""

from smartbrain.semantic.adapt import as_embedder
from smartbrain.semantic.adapt_reranker import as_reranker
from smartbrain.semantic.bundled import bundled
from smartbrain.semantic.static import StaticEmbedder, static

__all__ = ["StaticEmbedder", "as_embedder", "as_reranker", "bundled", "static"]
