"""Models and documents plugged in by port: what they give, and what their failing costs."""

from __future__ import annotations

from datetime import UTC, datetime

from smartbrain.contracts.evidence import Evidence, EvidencePack, Provenance, Signals
from smartbrain.errors import PluginError
from smartbrain.model import Candidate, Scope
from smartbrain.ports import Embedder, Extraction, Extractor, Reranker, ResourceClient, Summarizer, TokenCounter
from smartbrain.resources.null import NullClient
from smartbrain.testing.fakes import (
    LetterEmbedder,
    OverlapReranker,
    ScriptedExtractor,
    ScriptedResources,
    ScriptedSummarizer,
    WordCounter,
)

SCOPE = Scope("legacy", "session", "s")


def found(text="terse"):
    return Extraction(
        candidates=(
            Candidate(
                type="preferences",
                key="pref:writing:tone",
                value={"scope": "writing", "name": "tone", "value": text},
                confidence=0.9,
                rule="model",
                confirmed=True,
                scope=SCOPE,
                occurred_at=datetime(2026, 1, 1, tzinfo=UTC),
            ),
        )
    )


def said(text):
    return [{"role": "user", "content": text}]


def resource(n):
    return Evidence(
        id=f"doc:{n}",
        kind="resource_section",
        document_id=f"doc{n}",
        source_uri=f"https://example.org/{n}",
        source_type="url",
        snippet=f"section {n} about kettles",
        signals=Signals(fts_score=1.0 / n),
        provenance=Provenance(mode="hybrid"),
    )


def test_the_fakes_fill_the_ports():
    ports: list[tuple[object, type]] = [
        (LetterEmbedder(), Embedder),
        (OverlapReranker(), Reranker),
        (ScriptedExtractor(), Extractor),
        (ScriptedSummarizer(), Summarizer),
        (ScriptedResources(EvidencePack()), ResourceClient),
        (NullClient(), ResourceClient),
        (WordCounter(), TokenCounter),
    ]
    for fake, port in ports:
        asked = {name for name in port.__dict__ if not name.startswith("_")}
        assert asked <= set(dir(fake)), port
    assert LetterEmbedder().embed_documents(["ab", "ab"])[0] == LetterEmbedder().embed_query("ab")
    assert OverlapReranker().rerank("a b", ["a b c", "c"]) == [1.0, 0.0]


def test_what_a_plugged_in_extractor_finds_is_remembered(make_brain):
    brain = make_brain(extractor=ScriptedExtractor(found()))
    result = brain.commit_turn("s", messages=said("Please keep answers short from now on."), turn_id="t")
    assert not result.pending
    # The rules are the floor, the model comes on top; both read the same turn.
    assert [i.key for i in result.memory_written.items] == ["pref:writing:length", "pref:writing:tone"]
    assert brain.recall_history("s")[0].status == "committed"


def test_no_transaction_is_open_while_a_model_runs(make_brain):
    class Writing:
        name = "writing"

        def extract(self, turn, known):
            if turn.turn_id == "t":
                brain.commit_turn("other", messages=said("written meanwhile"), turn_id="u")
            return Extraction()

    brain = make_brain(extractor=Writing())
    brain.commit_turn("s", messages=said("hello"), turn_id="t")
    assert brain.recall_history("other")


def test_a_failing_extractor_leaves_the_turn_pending_and_catch_up_finishes_it(make_brain):
    extractor = ScriptedExtractor(TimeoutError("too slow"), RuntimeError("again"), found())
    brain = make_brain(extractor=extractor)
    result = brain.commit_turn("s", messages=said("the meeting went well"), turn_id="t")
    assert result.pending
    assert "too slow" in result.warnings[0]
    assert brain.memories("s") == []
    assert brain.recall_history("s")[0].status == "pending"
    assert brain.catch_up() == 0
    assert brain.catch_up() == 1
    assert [i.key for i in brain.memories("s")] == ["pref:writing:tone"]
    assert brain.catch_up() == 0
    assert brain.diagnostics()["metrics"]["counts"]["extractor_failures"] == 2


def test_a_plugged_in_summariser_is_given_the_earlier_summary_and_the_turns_since(make_brain):
    summarizer = ScriptedSummarizer("first summary", "second summary")
    brain = make_brain(summarizer=summarizer, config={"policies": {"retention": {"summarize_after_turns": 2}}})
    results = [brain.commit_turn("s", messages=said(f"turn {n}"), turn_id=f"t{n}") for n in range(4)]
    assert [r.summary.text for r in results] == [None, "first summary", None, "second summary"]
    assert summarizer.given == [(None, ["t0", "t1"]), ("first summary", ["t2", "t3"])]
    assert results[3].summary.turn_range == (3, 4)
    assert brain.compose_context("s", "go on").working_summary == "second summary"


def test_a_failed_empty_or_oversized_summary_changes_nothing_and_is_said(make_brain):
    summarizer = ScriptedSummarizer("good", PluginError("down"), "", "word " * 5000, "better")
    brain = make_brain(summarizer=summarizer, config={"policies": {"retention": {"summarize_after_turns": 1}}})
    results = [brain.commit_turn("s", messages=said(f"turn {n}"), turn_id=f"t{n}") for n in range(4)]
    assert [bool(r.warnings) for r in results] == [False, True, True, True]
    assert brain.compose_context("s", "go on").working_summary == "good"
    last = brain.commit_turn("s", messages=said("turn 4"), turn_id="t4")
    assert last.summary.turn_range == (2, 5)
    assert brain.diagnostics()["metrics"]["counts"]["summarizer_failures"] == 3


def test_documents_come_beside_memory_when_the_user_asks_for_sources(make_brain):
    client = ScriptedResources(EvidencePack(evidences=tuple(resource(n) for n in range(1, 9))))
    # Whatever memory has of a question covers it here; where it does not: test_documents_beside_memory.py.
    brain = make_brain(resources=client, config={"policies": {"retrieval": {"documents": {"cover": 0.0}}}})
    for n in range(20):
        brain.commit_turn("s", messages=said(f"my kettle number {n} is blue"))
    package = brain.compose_context("s", "compare the papers on kettles")
    sources = [e.source for e in package.evidence]
    assert client.asked
    assert sources.count("resource") == 7
    assert sources.count("memory") == 5
    assert not brain.compose_context("s", "which kettle is blue?").debug.warnings
    assert len(client.asked) == 1


def test_refs_of_a_turn_are_offered_to_the_resource_client_once(make_brain):
    client = ScriptedResources(EvidencePack())
    brain = make_brain(resources=client)
    event = {"messages": said("see this"), "refs": [{"type": "url", "uri": "https://example.org/x"}]}
    brain.commit_turn("s", event, turn_id="t")
    brain.commit_turn("s", event, turn_id="t")
    assert [r.uri for r in client.offered] == ["https://example.org/x"]


def test_any_counter_can_hold_the_budget(make_brain):
    brain = make_brain(token_counter=WordCounter())
    brain.commit_turn("s", messages=said("the kettle is blue and it sings every morning"))
    package = brain.compose_context("s", "which kettle sings?", token_limit=64)
    assert package.constraints.token_budget.counter == "words"
    assert package.constraints.token_budget.used_estimate <= 64
