"""Embedders and rerankers of any kind behind the ports."""

from __future__ import annotations

import functools

import pytest

from smartbrain.errors import InputError
from smartbrain.ports import Embedder
from smartbrain.semantic import as_embedder, as_reranker
from smartbrain.testing.fakes import LetterEmbedder, OverlapReranker

TEXTS = ["black tea", "green tea and tea", "coffee"]


def lengths(texts):
    return [[float(len(text)), 1.0] for text in texts]


class LikeLangChain:
    model_name = "tiny"

    def embed_documents(self, texts):
        return lengths(texts)

    def embed_query(self, text):
        return [0.5, float(len(text))]


class LikeLlamaIndex:
    model_name = "small"

    def get_text_embedding_batch(self, texts, show_progress=False):
        return lengths(texts)

    def get_query_embedding(self, query):
        return [0.25, float(len(query))]


# -- embedders ---------------------------------------------------------------------------------------------------


def test_an_embedder_stays_what_it_is():
    given = LetterEmbedder()
    assert as_embedder(given) is given
    adapted = as_embedder(LikeLangChain())
    assert as_embedder(adapted) is adapted


@pytest.mark.parametrize(
    ("source", "name", "query"),
    [
        (LikeLangChain(), "LikeLangChain:tiny", [0.5, 2.0]),
        (LikeLlamaIndex(), "LikeLlamaIndex:small", [0.25, 2.0]),
        (lengths, f"{__name__}.lengths", [2.0, 1.0]),
    ],
    ids=["langchain", "llamaindex", "function"],
)
def test_what_embeds_becomes_an_embedder(source, name, query):
    adapted = as_embedder(source)
    assert isinstance(adapted, Embedder)
    assert adapted.model == name
    assert adapted.dimension == 2
    assert adapted.embed_documents(("a", "bc")) == [[1.0, 1.0], [2.0, 1.0]]
    assert adapted.embed_query("ab") == query


def test_the_dimension_is_asked_for_once_and_only_when_needed():
    asked = []

    def embed(texts):
        asked.append(list(texts))
        return lengths(texts)

    adapted = as_embedder(embed, model="m")
    assert asked == []
    assert (adapted.dimension, adapted.dimension) == (2, 2)
    assert len(asked) == 1


def test_a_model_without_a_name_must_be_given_one():
    for nameless in (lambda texts: [[1.0] for _ in texts], functools.partial(lengths)):
        with pytest.raises(InputError, match="give one"):
            as_embedder(nameless)
        assert as_embedder(nameless, model="mine-1").model == "mine-1"


def test_a_prior_can_be_given_along():
    assert as_embedder(LikeLangChain(), prior={"en": [0.1, 0.2]}).prior == {"en": [0.1, 0.2]}


@pytest.mark.parametrize("source", ["tiny", 3, object()])
def test_what_cannot_embed_is_refused(source):
    with pytest.raises(InputError, match="no embedder"):
        as_embedder(source)


def test_embeddings_of_both_frameworks_fit():
    langchain = pytest.importorskip("langchain_core.embeddings")
    adapted = as_embedder(langchain.DeterministicFakeEmbedding(size=5))
    assert adapted.dimension == len(adapted.embed_query("a")) == 5
    llama = pytest.importorskip("llama_index.core.embeddings")
    mock = as_embedder(llama.MockEmbedding(embed_dim=7))
    assert mock.dimension == len(mock.embed_documents(["a", "b"])[1]) == 7


# -- rerankers ---------------------------------------------------------------------------------------------------


def overlap(query, texts):
    return OverlapReranker().rerank(query, texts)


class CrossEncoder:
    def predict(self, pairs):
        return [overlap(query, [text])[0] for query, text in pairs]


class Nameless:
    def rerank(self, query, texts):
        return overlap(query, texts)


class Compressor:
    """Like LangChain's: gives back fewer documents, in order, with or without scores."""

    def __init__(self, *, scored):
        self.scored = scored

    def compress_documents(self, documents, query, callbacks=None):
        scores = overlap(query, [document.page_content for document in documents])
        best = sorted(zip(scores, range(len(documents)), strict=True), reverse=True)[:2]
        for score, place in best:
            if self.scored:
                documents[place].metadata["relevance_score"] = score
        return [documents[place] for _, place in best]


class Postprocessor:
    """Like LlamaIndex's."""

    def postprocess_nodes(self, nodes, query_bundle=None, query_str=None):
        for node in nodes:
            node.score = overlap(query_str, [node.node.get_content()])[0]
        return sorted(nodes, key=lambda node: -node.score)[:2]


@pytest.mark.parametrize(
    "source",
    [
        OverlapReranker(),
        Nameless(),
        CrossEncoder(),
        Compressor(scored=True),
        Compressor(scored=False),
        Postprocessor(),
        overlap,
    ],
    ids=lambda source: type(source).__name__,
)
def test_what_reranks_becomes_a_reranker(source):
    adapted = as_reranker(source)
    scores = adapted.rerank("green tea", TEXTS)
    assert isinstance(adapted.model, str)
    assert len(scores) == 3
    assert scores[1] > scores[0] > scores[2]


def test_a_reranker_stays_what_it_is():
    given = OverlapReranker()
    assert as_reranker(given) is given
    assert as_reranker(given, model="other").model == "other"


def test_what_a_postprocessor_leaves_out_is_behind_everything():
    assert as_reranker(Postprocessor()).rerank("green tea", TEXTS) == [0.5, 1.0, -0.5]
    assert as_reranker(Postprocessor()).rerank("green tea", []) == []


@pytest.mark.parametrize("source", ["model", 3, object()])
def test_what_cannot_rerank_is_refused(source):
    with pytest.raises(InputError, match="no reranker"):
        as_reranker(source)


def test_documents_and_nodes_are_the_frameworks_own_where_they_are_loaded():
    langchain = pytest.importorskip("langchain_core.documents")
    schema = pytest.importorskip("llama_index.core.schema")
    seen = []

    class Watching(Compressor):
        def compress_documents(self, documents, query, callbacks=None):
            seen.extend(documents)
            return super().compress_documents(documents, query)

    class WatchingNodes(Postprocessor):
        def postprocess_nodes(self, nodes, query_bundle=None, query_str=None):
            seen.extend(nodes)
            return super().postprocess_nodes(nodes, query_bundle, query_str)

    as_reranker(Watching(scored=True)).rerank("tea", TEXTS)
    as_reranker(WatchingNodes()).rerank("tea", TEXTS)
    assert [type(one) for one in seen] == [langchain.Document] * 3 + [schema.NodeWithScore] * 3
