"""LangChain's vector stores and retrievers as the documents beside memory."""

from __future__ import annotations

import pytest

pytest.importorskip("langchain_core", reason="the extra 'langchain' is not installed")

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from smartbrain import SmartBrain
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import PluginError
from smartbrain.model import Scope
from smartbrain.resources import DirectClient, as_resources
from smartbrain.testing.fakes import LetterEmbedder

ANNA = (Scope("anna", "global", "default"),)
ALONE = (Scope("legacy", "session", "s"),)
TEXTS = {
    "anna": ["the kettle is blue", "a teapot of clay"],
    "bert": ["the kettle is red", "his own kettle", "one more kettle"],
}


class Letters(Embeddings):
    def embed_documents(self, texts):
        return LetterEmbedder().embed_documents(texts)

    def embed_query(self, text):
        return LetterEmbedder().embed_query(text)


class Fixed(BaseRetriever):
    documents: list[Document]

    def _get_relevant_documents(self, query, *, run_manager):
        return self.documents


def documents():
    return [
        Document(
            page_content=text, metadata={"tenant": tenant, "source": f"docs/{tenant}/{n}.md", "title": f"Page {n}"}
        )
        for tenant, texts in TEXTS.items()
        for n, text in enumerate(texts)
    ]


@pytest.fixture
def store():
    made = InMemoryVectorStore(Letters())
    made.add_documents(documents())
    return made


def of_tenant(domain, scopes):
    return {"filters": {"tenant": domain}}


def plan(text="kettle", **fields):
    return RetrievalPlan.model_validate({"plan_id": "p", "queries": [{"text": text}], **fields})


def found(source, scopes=ANNA, asked=None, **settings):
    settings = settings or {"scope_mapper": of_tenant}
    return DirectClient(source, **settings).retrieve(asked or plan(), scopes=scopes, timeout=5)


def test_a_vector_store_gives_scores_ids_and_the_way_back(store):
    pack = found(store, ALONE, plan(limit=2))
    assert len(pack.evidences) == 2
    best = pack.evidences[0]
    assert best.source_uri.startswith("docs/")
    assert best.title.startswith("Page")
    assert 0 < best.signals.vector_score <= 1
    assert {e.id for e in pack.evidences} <= set(store.store)
    assert [e.id for e in found(store, ALONE, plan(limit=2)).evidences] == [e.id for e in pack.evidences]


@pytest.mark.parametrize(
    "wrapped", [lambda s: s, lambda s: s.as_retriever(), lambda s: s.as_retriever(search_kwargs={"k": 2})]
)
def test_the_scope_reaches_the_store_so_that_a_few_documents_of_many_are_found(store, wrapped):
    store.add_documents([Document(page_content="kettle", metadata={"tenant": "bert"}) for _ in range(500)])
    pack = found(wrapped(store))
    assert {e.snippet for e in pack.evidences} == set(TEXTS["anna"])
    assert pack.scope_filter_applied


@pytest.mark.parametrize("settings", [{"search_type": "mmr"}, {"search_kwargs": {"k": 3, "filter": lambda d: True}}])
def test_a_retriever_with_settings_of_its_own_is_asked_as_it_is_and_its_results_are_checked(store, settings):
    retriever = store.as_retriever(**settings)
    assert len(found(retriever, ALONE).evidences) in {3, 4}
    assert {e.snippet for e in found(retriever).evidences} <= set(TEXTS["anna"])


def test_any_retriever_and_any_runnable_will_do():
    for source in (Fixed(documents=documents()), RunnableLambda(lambda text: documents())):
        assert [e.snippet for e in found(source).evidences] == TEXTS["anna"]
        assert len(found(source, ALONE).evidences) == 5
    with pytest.raises(PluginError, match="boom"):
        found(RunnableLambda(lambda text: 1 / 0 if text == "never" else (_ for _ in ()).throw(OSError("boom"))))


class Scripted(VectorStore):
    """A store that names its filter, as most do, and keeps what it is asked."""

    def __init__(self, answer):
        self.answer, self.asked = answer, []

    @classmethod
    def from_texts(cls, texts, embedding, metadatas=None, **kwargs):
        raise NotImplementedError

    def similarity_search(self, query, k=4, filter=None, **kwargs):
        self.asked.append((k, filter))
        return self.answer


def test_other_stores_get_the_filter_in_the_form_that_most_of_them_take():
    store = Scripted(documents())

    def mapper(domain, scopes):
        return {"filters": {"tenant": domain, "team": ["a", "b"]}}

    assert found(store, scope_mapper=mapper).evidences == ()
    assert [e.snippet for e in found(store).evidences] == TEXTS["anna"]
    assert store.asked == [
        (30, {"$and": [{"tenant": "anna"}, {"team": {"$in": ["a", "b"]}}]}),
        (30, {"tenant": "anna"}),
    ]


def test_one_line_is_enough_for_those_who_have_a_retriever(store, tmp_path):
    with SmartBrain.open(tmp_path / "memory.db", resources=as_resources(store.as_retriever(), shared=True)) as brain:
        brain.commit_turn("monday", messages=[{"role": "user", "content": "My kettle whistles."}], user_id="anna")
        package = brain.compose_context("friday", "Which documents compare kettles?", user_id="anna")
        assert {e.source for e in package.evidence} == {"memory", "resource"}
        assert not package.debug.warnings


def test_a_retriever_handed_over_as_it_is_keeps_quiet_where_a_scope_is_asked_for(store):
    with SmartBrain.open(resources=store) as brain:
        package = brain.compose_context("s", "Which documents compare kettles?", user_id="anna")
        assert package.evidence == ()
        assert "shared=True" in package.debug.warnings[0]
        assert len(brain.compose_context("s", "Which documents compare kettles?").evidence) == 5
