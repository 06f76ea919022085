"""What turns point at comes into the library, for the turn's scope only, and is linked both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain import SmartBrain
from smartbrain.model import Scope
from smartbrain.resources import Library

ALWAYS = {"retrieval": {"enable_resource_retrieval": "always"}}


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    (folder / "a").mkdir(parents=True)
    (folder / "b").mkdir()
    (folder / "a" / "kettle.md").write_text("# Kettle\n\nThe kettle is descaled with vinegar.\n")
    (folder / "b" / "kettle.md").write_text("# Other kettle\n\nThe other kettle whistles in the key of D.\n")
    (tmp_path / "secret.md").write_text("# Secret\n\nThe kettle of the king.\n")
    return folder


@pytest.fixture
def library():
    with Library.open() as made:
        yield made


def config(folder):
    return {"policies": {**ALWAYS, "resources": {"roots": [str(folder)]}}}


def pointing(*uris, type="file", text="see this"):
    return {"messages": [{"role": "user", "content": text}], "refs": [{"type": type, "uri": uri} for uri in uris]}


def documents(package):
    return [e for e in package.evidence if e.source == "resource"]


def test_a_file_a_turn_points_at_is_found_in_the_next_session_and_names_the_turn(make_brain, docs, library):
    brain = make_brain(resources=library, config=config(docs))
    done = brain.commit_turn("mon", pointing("a/kettle.md", "../secret.md"), turn_id="t", user_id="anna")
    assert [o.outcome for o in done.explain.refs] == ["taken", "withheld"]
    package = brain.compose_context("tue", "How is the kettle descaled?", user_id="anna")
    shown = documents(package)
    assert any("vinegar" in e.snippet for e in shown)
    assert all(e.source_uri.startswith((docs / "a" / "kettle.md").as_uri()) for e in shown)
    assert {e.ref.mentioned_in for e in shown} == {("smartbrain://turn/mon/t",)}
    ids = {r.ref.uri: r.document_id for r in brain.refs(user_id="anna")}
    assert ids["a/kettle.md"] == done.explain.refs[0].document_id
    assert ids["../secret.md"] is None
    assert ids["a/kettle.md"] is not None


def test_it_belongs_to_the_turns_scope_and_nobody_else_sees_it(make_brain, docs, library):
    brain = make_brain(resources=library, config=config(docs))
    brain.commit_turn("mon", pointing("a/kettle.md"), user_id="anna")
    brain.commit_turn("alone", pointing("b/kettle.md"))
    for who, found in (({"user_id": "bert"}, False), ({"user_id": "anna"}, True)):
        shown = documents(brain.compose_context("tue", "What of the kettle?", **who))
        assert bool(shown) is found
        assert not any("whistles" in e.snippet for e in shown)
    assert "whistles" in documents(brain.compose_context("alone", "What of the kettle?"))[0].snippet
    assert documents(brain.compose_context("another", "What of the kettle?")) == []
    assert [r.document_id for r in brain.refs("alone")] != [None]
    assert brain.refs("mon", user_id="bert") == []


def test_what_the_library_holds_already_is_known_and_stays_where_it_is(make_brain, docs, library):
    library.add(docs, under="docs")
    with Library.open(shared=True) as shared:
        shared.add(docs, under="docs")
        for client, who in ((library, {}), (shared, {"user_id": "anna"})):
            brain = make_brain(resources=client, config=config(docs))
            done = brain.commit_turn("s", pointing("a/kettle.md", "b/kettle.md"), **who)
            assert [o.outcome for o in done.explain.refs] == ["known", "known"]
            assert {d.path for d in client.documents()} == {"docs/a/kettle.md", "docs/b/kettle.md"}


def test_files_of_one_name_in_two_folders_are_two_documents_and_naming_one_again_is_known(make_brain, docs, library):
    brain = make_brain(resources=library, config=config(docs))
    first = brain.commit_turn("s", pointing("a/kettle.md", "b/kettle.md"))
    again = brain.commit_turn("s", pointing("a/kettle.md", text="once more"))
    assert [o.outcome for o in (*first.explain.refs, *again.explain.refs)] == ["taken", "taken", "known"]
    assert len({o.document_id for o in first.explain.refs}) == 2
    assert again.explain.refs[0].document_id == first.explain.refs[0].document_id


def test_what_a_fetcher_brings_is_taken_under_its_url_and_nothing_without_one(make_brain, library):
    url = "https://docs.example/kettles/care?id=7#top"
    brain = make_brain(resources=library, config=config("/nowhere"))
    done = brain.commit_turn("s", pointing(url, type="url"))
    assert [o.outcome for o in done.explain.refs] == ["offered"]
    assert library.documents() == []
    pages = {
        url: "# Care\n\nDescale the kettle with citric acid.",
        "https://docs.example/": "plain words about kettles",
    }
    brain = make_brain(resources=library, config=config("/nowhere"), fetcher=pages.get)
    done = brain.commit_turn("s", pointing(*pages, "https://docs.example/gone", type="url"), turn_id="u")
    assert [o.outcome for o in done.explain.refs] == ["taken", "taken", "offered"]
    best = documents(brain.compose_context("s", "citric acid?"))[0]
    assert "citric acid" in best.snippet
    assert best.source_uri.startswith(url)
    assert best.ref.mentioned_in == ("smartbrain://turn/s/u",)
    pages[url] = "# Care\n\nUse vinegar."
    done = brain.commit_turn("s", pointing(*pages, type="url", text="again"))
    assert [o.outcome for o in done.explain.refs] == ["taken", "known"]
    assert len(library.documents()) == 0
    assert [r.document_id is not None for r in brain.refs("s", limit=2)] == [True, True]


def test_a_file_that_cannot_be_taken_says_why(make_brain, docs, library):
    (docs / "a" / "empty.md").write_text("")
    (docs / "a" / "binary.bin").write_bytes(bytes(range(256)) * 10)
    brain = make_brain(resources=library, config=config(docs))
    done = brain.commit_turn("s", pointing("a/empty.md", "a/binary.bin", "a/kettle.md"))
    assert [o.outcome for o in done.explain.refs] == ["failed", "failed", "taken"]
    assert all(o.reason for o in done.explain.refs[:2])


OWNERS = {
    "library": None,
    "anna": Scope("anna", "global", "default"),
    "anna-project": Scope("anna", "project", "x"),
    "bert": Scope("bert", "global", "default"),
}


@given(st.lists(st.sampled_from(sorted(OWNERS)), max_size=6), st.booleans(), st.sampled_from(["anna", "bert", "alone"]))
def test_a_library_shows_each_user_their_own_documents_and_shared_ones(owners, shared, who):
    with Library.open(shared=shared, words_only=True) as library, SmartBrain.open(resources=library) as brain:
        for n, owner in enumerate(owners):
            library.add_text(f"zq{n} is about kettles", f"{n}.md", scope=OWNERS[owner])
        user = {} if who == "alone" else {"user_id": who}
        package = brain.compose_context("s", "Compare the documents on kettles.", **user)
        allowed = {who} if who != "alone" else set()
        allowed |= {"library"} if shared or who == "alone" else set()
        written = package.to_json()
        assert {n for n in range(len(owners)) if f"zq{n}" in written} == {
            n for n, o in enumerate(owners) if o in allowed
        }
