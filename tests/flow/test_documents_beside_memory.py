"""A brain with documents beside memory: when they are asked, where among them is looked, and that it can be replayed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.contracts.route import Anchors, RouteResult
from smartbrain.model import Scope
from smartbrain.resources.layers import Entry
from smartbrain.testing.fakes import ScriptedResources
from smartbrain.testing.library import MemoryIndex

SHARED = {"user_id": "u1"}
D0, D1 = "D0_DOC_CHUNKS", "D1_DOCUMENT_CATALOG"


def entries(path: str, title: str, text: str) -> list[Entry]:
    return [Entry(path, D1, path, path, title, text[:40]), Entry(f"{path}:0", D0, path, path, title, text)]


@pytest.fixture
def library() -> MemoryIndex:
    return MemoryIndex(
        {
            Scope("u1", "global", "default"): [
                *entries("docs/api/refunds.md", "Refunds API", "POST /v1/refunds opens a refund and answers 202."),
                *entries("docs/ops/backup.md", "Backups", "Backups are kept for thirty days on the second site."),
                *entries("docs/architecture/queue.md", "Queue", "Every refund goes through the settlement queue."),
            ]
        }
    )


class Kept:
    """A client that keeps the plans it was given, and answers from a library."""

    def __init__(self, library: MemoryIndex) -> None:
        self.library = library
        self.plans: list[RetrievalPlan] = []

    def retrieve(self, plan, *, scopes, timeout):
        self.plans.append(plan)
        return self.library.retrieve(plan, scopes=scopes, timeout=timeout)

    def offer(self, refs, *, scope):
        pass


def say(brain, text: str, turn: str = "t1") -> None:
    brain.commit_turn("s1", {"messages": [{"role": "user", "content": text}]}, turn_id=turn, **SHARED)


def shown(package) -> list[str]:
    return [e.source_uri for e in package.evidence if e.source == "resource"]


# -- when --------------------------------------------------------------------------------------------------------------


def test_documents_are_asked_where_memory_does_not_cover_a_question(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client)
    say(brain, "My dentist is Dr. Weber, near the station.")
    package = brain.compose_context("s2", "How long are backups kept?", **SHARED)
    assert shown(package)[0].startswith("smartbrain://document/docs/ops/backup.md")
    assert client.plans[0].resource_retrieval.reason == "qa and memory has no cover"
    assert package.debug.planner.documents == "qa and memory has no cover (docs_summary_generic)"


def test_documents_are_not_asked_where_memory_covers_the_question(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client, config={"policies": {"retrieval": {"documents": {"cover": 0.4}}}})
    say(brain, "My dentist is Dr. Weber, near the station.")
    assert brain.compose_context("s2", "Who is my dentist?", **SHARED).debug.planner.documents == ""
    brain.compose_context("s2", "Thanks!", **SHARED)
    assert client.plans == []


def test_documents_are_asked_whatever_memory_has_when_the_message_asks_for_them(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client)
    say(brain, "Backups are kept for ten days, I think.")
    brain.compose_context("s2", "What do the docs say: how long are backups kept?", **SHARED)
    assert len(client.plans) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("What do the docs say about backups?", "the user asks for sources: 'docs'"),
        ("Что говорит документация о бэкапах?", "the user asks for sources: 'документация'"),
        ("Which file describes backups?", "the user looks for files: 'Which file'"),
        ("备份写在哪里？", "the user looks for files: '写在哪'"),
        ("Read backup-rules.md again.", "the message names a document: 'backup-rules.md'"),
        ("《值班手册》里第二联系人是谁？", "the message names a document: '《值班手册》'"),
        ("Explain the backups.", "qa and memory has no cover"),
        ("介绍一下备份", "qa and memory has no cover"),
        ("Объясни бэкапы.", "qa and memory has no cover"),
    ],
)
def test_why_documents_are_asked(make_brain, library, text, why):
    brain = make_brain(resources=library)
    planner = brain.compose_context("s2", text, **SHARED).debug.planner
    assert planner.documents.startswith(f"{why} (")


@pytest.mark.parametrize("text", ["I changed settings.py today.", "See https://example.org/a.md", "Good, go ahead."])
def test_what_is_told_asks_no_documents(make_brain, library, text):
    client = Kept(library)
    make_brain(resources=client).compose_context("s2", text, **SHARED)
    assert client.plans == []


@pytest.mark.parametrize(("switch", "times"), [("never", 0), ("always", 1)])
def test_the_switch_decides_alone(make_brain, library, switch, times):
    client = Kept(library)
    brain = make_brain(resources=client, config={"policies": {"retrieval": {"enable_resource_retrieval": switch}}})
    brain.compose_context("s2", "How long are backups kept?", **SHARED)
    assert len(client.plans) == times


def test_what_counts_as_cover_is_a_setting(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client, config={"policies": {"retrieval": {"documents": {"cover": 0.0}}}})
    brain.compose_context("s2", "How long are backups kept?", **SHARED)
    assert client.plans == []


# -- where -------------------------------------------------------------------------------------------------------------


def test_the_client_gets_the_resolvers_plan_and_memory_its_own(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client)
    package = brain.compose_context("s2", "What does POST /v1/refunds answer?", **SHARED)
    plan = client.plans[0]
    assert (plan.profile, plan.limit) == ("docs_summary_api_endpoint", 8)
    assert plan.preferences.path_prefixes[0] == "docs/api/"
    assert plan.queries[0].text == "What does POST /v1/refunds answer?"
    assert shown(package)[0].startswith("smartbrain://document/docs/api/refunds.md")
    # Memory has nothing to do with profile, layers and limit, and so does not call them ignored.
    assert package.debug.ignored == ()


def test_the_roots_of_the_library_are_a_setting(make_brain, library):
    client = Kept(library)
    config = {"policies": {"retrieval": {"documents": {"roots": ["handbook"]}}}}
    brain = make_brain(resources=client, config=config)
    brain.compose_context("s2", "What does POST /v1/refunds answer?", **SHARED)
    assert client.plans[0].global_filters.path_prefixes == ("handbook/api/", "handbook/")


def test_a_domain_in_the_message_becomes_no_condition_while_nobody_knows_which_there_are(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client)
    brain.compose_context("s2", "How long are backups kept in the ops domain?", **SHARED)
    assert client.plans[0].global_filters.metadata == {}


class Knowing(Kept):
    """A client that also says what its documents call things."""

    def names(self, text, *, scopes):
        return self.library.names(text, scopes=scopes)


def test_a_domain_that_documents_have_becomes_a_condition(make_brain, library):
    scope = Scope("u1", "global", "default")
    ops = [replace(e, metadata={"domain": "Ops"}) for e in library.entries[scope] if "backup" in e.path]
    client = Knowing(MemoryIndex({scope: [*(e for e in library.entries[scope] if e not in ops), *ops]}))
    brain = make_brain(resources=client)
    brain.compose_context("s2", "How long are backups kept in the ops domain?", **SHARED)
    brain.compose_context("s2", "How long are backups kept in the sales domain?", **SHARED)
    assert [plan.global_filters.metadata for plan in client.plans] == [{"domain": "Ops"}, {}]


def test_a_document_is_hinted_by_a_title_that_the_client_knows(make_brain, library):
    client = Knowing(library)
    brain = make_brain(resources=client)
    brain.compose_context("s2", "Does the refunds API answer at once?", **SHARED)
    assert client.plans[0].preferences.target_doc_hints == ("docs/api/refunds.md",)


def test_a_thing_of_the_documents_is_an_anchor(make_brain, library):
    scope = Scope("u1", "global", "default")
    called = {"entity": "Settlement", "kind": "entity"}
    named = Entry("q", "D3_ENTITY_CATALOG", "x.md", "x.md", "X", "settlement", metadata=called)
    client = Knowing(MemoryIndex({scope: [*library.entries[scope], named]}))
    make_brain(resources=client).compose_context("s2", "When does a settlement run?", **SHARED)
    assert client.plans[0].profile == "docs_summary_domain_entity"


def test_a_client_that_fails_to_say_names_is_asked_all_the_same(make_brain, library):
    class Failing(Kept):
        def names(self, text, *, scopes):
            raise RuntimeError("no names")

    client = Failing(library)
    brain = make_brain(resources=client)
    package = brain.compose_context("s2", "How long are backups kept in the ops domain?", **SHARED)
    assert shown(package)
    assert client.plans[0].profile == "docs_summary_generic"
    assert brain.diagnostics()["metrics"]["counts"]["resource_failures"] == 1


def test_a_file_the_conversation_pointed_at_is_known_by_its_name(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client)
    refs = [{"type": "file", "uri": "file:///srv/docs/ops/backup.md", "title": "Backup rules"}]
    brain.commit_turn(
        "s1", {"messages": [{"role": "user", "content": "Read this"}], "refs": refs}, turn_id="t1", **SHARED
    )
    brain.compose_context("s1", "What do the backup rules say about the second site?", **SHARED)
    assert client.plans[0].preferences.target_doc_hints == ("ops/backup.md",)


def test_a_router_of_ones_own_is_asked_instead(make_brain, library):
    class Always:
        def route(self, text, known=None):
            return RouteResult(anchors=Anchors(target_doc_hints=("docs/architecture/queue.md",)), query=text)

    brain = make_brain(resources=library, router=Always())
    package = brain.compose_context("s2", "How long are backups kept?", **SHARED)
    assert shown(package)[0].startswith("smartbrain://document/docs/architecture/queue.md")


def test_a_router_that_fails_costs_the_placing_and_not_the_turn(make_brain, library):
    class Broken:
        def route(self, text, known=None):
            raise RuntimeError("no route")

    client = Kept(library)
    brain = make_brain(resources=client, router=Broken())
    package = brain.compose_context("s2", "How long are backups kept?", **SHARED)
    assert shown(package)[0].startswith("smartbrain://document/docs/ops/backup.md")
    assert "the router failed: RuntimeError: no route" in client.plans[0].resource_retrieval.reason
    assert brain.diagnostics()["metrics"]["counts"]["router_failures"] == 1


# -- search ------------------------------------------------------------------------------------------------------------


def test_a_search_asks_documents_as_a_context_would_and_a_mode_does_not(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client)
    pack = brain.search(None, "How long are backups kept?", **SHARED)
    assert pack.evidences[0].document_id == "docs/ops/backup.md"
    assert brain.search(None, "How long are backups kept?", mode="exact", **SHARED).evidences == ()
    assert len(client.plans) == 1


def test_a_plan_of_ones_own_is_executed_as_it_is(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client)
    plan = {
        "queries": [{"text": "refund"}],
        "layers": [D1],
        "limit": 1,
        "resource_retrieval": {"enabled": True},
    }
    pack = brain.search(None, "refund", plan=plan, **SHARED)
    assert (client.plans[0].layers, client.plans[0].limit) == ((D1,), 1)
    assert len(pack.evidences) == 1


# -- again -------------------------------------------------------------------------------------------------------------


def test_a_stored_context_with_documents_is_replayed_equal(make_brain, library, clock):
    client = Kept(library)
    brain = make_brain(resources=client)
    say(brain, "We spoke about refunds in May.")
    for question in ("What does POST /v1/refunds answer?", "In docs/ops/backup.md, how long are backups kept?"):
        clock.advance(60)
        package = brain.compose_context("s2", question, **SHARED)
        assert brain.replay(package.context_id, **SHARED).diff.same
        assert client.plans[-1] == client.plans[-2]
        assert client.plans[-1].profile


def test_documents_are_asked_again_by_the_stored_plan_whatever_memory_has_learnt(make_brain, library, clock):
    client = Kept(library)
    brain = make_brain(resources=client)
    package = brain.compose_context("s2", "How long are backups kept?", **SHARED)
    clock.advance(60)
    say(brain, "How long are backups kept? Backups are kept for ten days.")
    again = brain.replay(package.context_id, **SHARED).package
    assert [e for e in again.evidence if e.source == "resource"] == list(package.evidence)
    assert client.plans[-1] == client.plans[-2]


def test_a_context_as_of_a_past_moment_says_that_documents_have_no_past(make_brain, library):
    brain = make_brain(resources=library)
    package = brain.compose_context("s2", "How long are backups kept?", as_of="2026-01-01T00:00:00+00:00", **SHARED)
    assert package.debug.ignored == ("as_of",)


def test_forgetting_by_a_query_asks_no_documents(make_brain, library):
    client = Kept(library)
    brain = make_brain(resources=client)
    say(brain, "Backups are my job.")
    brain.forget(query="backups", dry_run=True, **SHARED)
    assert client.plans == []


def test_a_client_without_layers_is_given_the_same_plan(make_brain):
    from smartbrain.contracts.evidence import EvidencePack

    client = ScriptedResources(EvidencePack())
    brain = make_brain(resources=client)
    brain.compose_context("s2", "How long are backups kept?", **SHARED)
    assert client.asked[0].profile == "docs_summary_generic"
