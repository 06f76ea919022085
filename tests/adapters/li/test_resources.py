"""LlamaIndex's indices, retrievers and query engines as the documents beside memory."""

from __future__ import annotations

import pytest

pytest.importorskip("llama_index.core", reason="the extra 'llamaindex' is not installed")

from llama_index.core import SummaryIndex, VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode

from smartbrain import SmartBrain
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.model import Scope
from smartbrain.resources import DirectClient, as_resources

ANNA = (Scope("anna", "global", "default"),)
ALONE = (Scope("legacy", "session", "s"),)
HERS = ["the kettle is blue", "a teapot of clay"]
HIS = ["the kettle is red", "his own kettle"]


def nodes():
    return [
        TextNode(id_=f"{tenant}-{n}", text=text, metadata={"tenant": tenant, "file_path": f"/docs/{tenant}/{n}.md"})
        for tenant, texts in (("anna", HERS), ("bert", HIS))
        for n, text in enumerate(texts)
    ]


@pytest.fixture
def index():
    return VectorStoreIndex(nodes(), embed_model=MockEmbedding(embed_dim=4))


class Fixed(BaseRetriever):
    def _retrieve(self, query_bundle):
        return [NodeWithScore(node=node, score=1.0 - n / 10) for n, node in enumerate(nodes())]


def engine(retriever, **settings):
    synthesizer = get_response_synthesizer(llm=MockLLM(), response_mode="compact")
    return RetrieverQueryEngine(retriever, response_synthesizer=synthesizer, **settings)


def of_tenant(domain, scopes):
    return {"filters": {"tenant": domain}}


def found(source, scopes=ANNA, limit=30, mapper=of_tenant):
    plan = RetrievalPlan.model_validate({"plan_id": "p", "queries": [{"text": "kettle"}], "limit": limit})
    return DirectClient(source, mapper).retrieve(plan, scopes=scopes, timeout=5)


def test_an_index_gives_nodes_with_their_ids_files_and_scores(index):
    pack = found(index, ALONE)
    assert {e.id for e in pack.evidences} == {n.node_id for n in nodes()}
    assert {e.source_uri for e in pack.evidences} == {
        f"file:///docs/{t}/{n}.md" for t in ("anna", "bert") for n in (0, 1)
    }
    assert all("tenant" not in e.snippet and e.signals.vector_score is not None for e in pack.evidences)


@pytest.mark.parametrize("wanted", ["anna", ["anna", "nobody"]])
def test_the_scope_reaches_the_index_so_that_a_few_documents_of_many_are_found(index, wanted):
    index.insert_nodes([TextNode(text=f"kettle {n}", metadata={"tenant": "bert"}) for n in range(200)])
    pack = found(index, limit=3, mapper=lambda domain, scopes: {"filters": {"tenant": wanted}})
    assert sorted(e.snippet for e in pack.evidences) == sorted(HERS)


def test_retrievers_query_engines_and_other_indices_are_checked_result_by_result(index):
    every_node = SummaryIndex(nodes())
    for source in (
        Fixed(),
        index.as_retriever(similarity_top_k=9),
        engine(Fixed()),
        every_node,
        every_node.as_retriever(),
    ):
        assert sorted(e.snippet for e in found(source, ALONE).evidences) == sorted(HERS + HIS)
        assert sorted(e.snippet for e in found(source).evidences) == sorted(HERS)


def test_a_query_engine_is_asked_for_its_documents_after_its_own_postprocessors():
    from llama_index.core.postprocessor import SimilarityPostprocessor

    strict = engine(Fixed(), node_postprocessors=[SimilarityPostprocessor(similarity_cutoff=0.85)])
    assert [e.snippet for e in found(strict, ALONE).evidences] == HERS


class Answering(CustomQueryEngine):
    def custom_query(self, query_str):
        return f"an answer about {query_str}"


def test_an_engine_that_only_answers_gives_its_answer_where_no_scope_is_asked_for():
    (evidence,) = found(Answering(), ALONE).evidences
    assert evidence.snippet == "an answer about kettle"
    assert evidence.source_uri.startswith("resource://Answering/")
    assert found(Answering()).evidences == ()


def test_one_line_is_enough_for_those_who_have_an_index(index, tmp_path):
    with SmartBrain.open(tmp_path / "memory.db", resources=as_resources(index, of_tenant)) as brain:
        brain.commit_turn("monday", messages=[{"role": "user", "content": "My kettle whistles."}], user_id="anna")
        package = brain.compose_context("friday", "Which documents compare kettles?", user_id="anna")
        shown = [e.snippet for e in package.evidence if e.source == "resource"]
        assert sorted(shown) == sorted(HERS)
        assert any(e.source == "memory" for e in package.evidence)
        assert not package.debug.warnings
