"""The page that describes the document service, and the example service, are what the client talks to."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path

import pytest
import yaml

from smartbrain import EvidencePack, SmartBrain
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import PluginError
from smartbrain.model import Scope
from smartbrain.resources import HttpClient

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "resource-api.yaml"
PLAN = RetrievalPlan.model_validate({"plan_id": "p", "request_id": "r", "queries": [{"text": "blue kettle"}]})


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def of_tenant(domain, scopes):
    return {"filters": {"tenant": domain}}


@pytest.fixture
def url(tmp_path):
    """The example service over two tenants' folders and one document that is nobody's."""
    pytest.importorskip("httpx", reason="the extra 'http' is not installed")
    for path, text in {
        "anna/kettle.md": "# Kettle\n\nThe kettle is blue.\n\nIt whistles.\n",
        "anna/壶.md": "水壶是蓝色的\n",
        "bert/kettle.md": "Bert's kettle is blue, too.\n",
        "readme.txt": "A blue kettle of nobody.\n",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    server = loaded(ROOT / "examples" / "resource_server.py").make_server(tmp_path, token="letmein")
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_page_is_made_from_the_contracts():
    assert PAGE.read_text(encoding="utf-8") == loaded(ROOT / "scripts" / "build_resource_api.py").page()


def test_the_page_is_whole_and_its_schemas_hold_for_real_values():
    page = yaml.safe_load(PAGE.read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    for name in page["components"]["schemas"]:
        assert f"schemas/{name}'" in text or f"schemas/{name}\n" in text, f"nobody refers to {name}"
    jsonschema = pytest.importorskip("jsonschema", reason="the extra dev is not installed")
    request = {"version": "0.1", "plan": PLAN.model_dump(mode="json"), "timeout_seconds": 2.0}
    root = {"$ref": "#/components/schemas/RetrieveRequest", "components": page["components"]}
    jsonschema.Draft202012Validator(root).validate({**request, "scope_filters": {"tenant": ["a"]}})
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(root).validate({**request, "scope_filters": {}})


def test_the_example_service_answers_the_client_in_its_scope_only(url):
    with HttpClient(url, auth="letmein", scope_mapper=of_tenant) as client:
        for domain, titles in {"anna": {"anna/kettle.md"}, "bert": {"bert/kettle.md"}, "carl": set()}.items():
            pack = client.retrieve(PLAN, scopes=[Scope(domain, "global", "default")], timeout=5)
            assert {e.title for e in pack.evidences} == titles
            assert pack.scope_filter_applied
            assert not pack.warnings
        everything = client.retrieve(PLAN, scopes=[Scope("legacy", "session", "s")], timeout=5)
        assert {e.title for e in everything.evidences} == {"anna/kettle.md", "bert/kettle.md", "readme.txt"}
    with HttpClient(url) as stranger, pytest.raises(PluginError, match="are the credentials right"):
        stranger.retrieve(PLAN, scopes=[Scope("legacy", "session", "s")], timeout=5)


def test_the_answer_holds_nothing_but_the_contract_and_offsets_lead_to_the_text(url, tmp_path):
    server = loaded(ROOT / "examples" / "resource_server.py")
    request = {"plan": PLAN.model_dump(mode="json"), "scope_filters": {"colour": "red"}}
    assert server.retrieve(server.load(tmp_path), request)["evidences"] == [], "an unknown filter lets nothing through"
    answer = server.retrieve(server.load(tmp_path), {"plan": PLAN.model_dump(mode="json")})
    pack, unknown = EvidencePack.read(answer)
    assert unknown == []
    for evidence in pack.evidences:
        text = (tmp_path / evidence.title).read_text(encoding="utf-8")
        where = evidence.metadata
        assert text[where.offset_start : where.offset_end] == evidence.snippet


def test_a_brain_shows_the_services_documents_beside_memory(url):
    client = HttpClient(url, auth="letmein", scope_mapper=of_tenant)
    with client, SmartBrain.open(resources=client) as brain:
        brain.commit_turn("monday", messages=[{"role": "user", "content": "My kettle is loud."}], user_id="anna")
        package = brain.compose_context("friday", "Compare the documents on the blue kettle.", user_id="anna")
    assert {e.source for e in package.evidence} == {"memory", "resource"}
    assert {e.title for e in package.evidence if e.source == "resource"} == {"anna/kettle.md"}
    assert not package.debug.warnings
