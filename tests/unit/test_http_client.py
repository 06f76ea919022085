"""Documents behind a service: what is sent, what of the answer counts, what is tried again, and what is bounded."""

from __future__ import annotations

import json
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import InputError, PluginError, ScopeError
from smartbrain.model import Ref, Scope
from smartbrain.resources import HttpClient, as_resources
from smartbrain.resources.breaker import CircuitBreaker
from smartbrain.resources.wire import Retry

ALONE = (Scope("legacy", "session", "s"),)
ANNA = (Scope("anna", "global", "default"),)
PLAN = RetrievalPlan.model_validate(
    {
        "plan_id": "p",
        "request_id": "r",
        "queries": [{"text": "kettle \ud800"}],
        "debug": {"caller": {"session_id": "secret"}},
    }
)
EVIDENCE = {
    "id": "doc:1",
    "source_uri": "https://e.org/1",
    "snippet": "the kettle is blue",
    "signals": {"fts_score": 1.0},
    "provenance": {"mode": "hybrid"},
}


def pack(**fields):
    return {"plan_id": "p", "evidences": [EVIDENCE], **fields}


def of_tenant(domain, scopes):
    return {"filters": {"topic_ids": [f"{domain}:{scope.type}:{scope.id}" for scope in scopes]}}


def asked(transport, scopes=ALONE, timeout=1.0, **settings):
    return HttpClient(transport=transport, **settings).retrieve(PLAN, scopes=scopes, timeout=timeout)


# -- any transport ------------------------------------------------------------------------------------------------


def test_the_plan_the_filters_and_the_time_are_sent_and_nothing_of_the_session():
    sent = []

    def transport(request):
        sent.append(request)
        return pack(scope_filter_applied=True)

    answer = asked(transport, ANNA, timeout=9.0, scope_mapper=of_tenant)
    assert [e.id for e in answer.evidences] == ["doc:1"]
    (request,) = sent
    assert request["scope_filters"] == {"topic_ids": ["anna:global:default"]}
    assert request["timeout_seconds"] == 2.0
    assert request["plan"]["queries"][0]["text"] == PLAN.queries[0].text
    assert "secret" not in json.dumps(request)


def test_without_a_scope_to_be_kept_no_filter_is_sent():
    for settings, scopes in (({"scope_mapper": of_tenant}, ALONE), ({"shared": True}, ANNA)):

        def transport(request):
            assert "scope_filters" not in request
            return pack()

        assert asked(transport, scopes, **settings).evidences


@pytest.mark.parametrize(
    "answer", [pack(), pack(scope_filter_applied=False), pack(scope_filter_applied=True, plan_id="q")]
)
def test_what_the_service_does_not_confirm_for_this_plan_is_dropped(answer):
    got = asked(lambda request: answer, ANNA, scope_mapper=of_tenant)
    assert got.evidences == ()
    assert got.explain.ignored_fields == ("scope_filters",)
    assert "were dropped" in got.warnings[0]


def test_without_a_scope_mapper_the_service_is_not_asked_and_no_scope_is_an_error():
    got = asked(lambda request: pytest.fail("was asked"), ANNA)
    assert "no scope_mapper" in got.warnings[0]
    with pytest.raises(ScopeError):
        asked(lambda request: pytest.fail("was asked"), ())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, "must be an EvidencePack as a mapping, not NoneType"),
        ([], "not list"),
        ({"evidences": {}}, "evidences: must be a list"),
        ({"evidences": 7}, "evidences: must be a list"),
        ({"version": "9"}, "version"),
        (pack(scope_filter_applied="true"), "scope_filter_applied"),
        ({"stats": {"candidates": "many"}}, r"stats\.candidates"),
    ],
)
def test_an_answer_that_is_no_pack_is_one_clear_error(answer, told):
    with pytest.raises(PluginError, match=f"the backend's answer is no EvidencePack: .*{told}"):
        asked(lambda request: answer)


def test_a_malformed_piece_of_evidence_costs_itself_and_a_bare_score_will_do():
    bare = {**{k: v for k, v in EVIDENCE.items() if k != "signals"}, "id": "doc:2", "score": 0.5}
    bad = [{**EVIDENCE, "id": ""}, {**EVIDENCE, "signals": {}}, 7, None, {**EVIDENCE, "provenance": {"mode": "magic"}}]
    got = asked(lambda request: {"evidences": [*bad, EVIDENCE, bare], "supports_language_filter": True})
    assert [e.id for e in got.evidences] == ["doc:1", "doc:2"]
    assert got.warnings[0].startswith("evidences[0] was dropped: Evidence: id: must not be empty")
    assert got.warnings[3] == "… and 2 more malformed"
    assert got.explain.ignored_fields == ("answer.supports_language_filter",)


def test_a_failing_transport_is_an_error_with_its_cause():
    with pytest.raises(PluginError, match="the transport failed: OSError: down") as caught:
        asked(lambda request: (_ for _ in ()).throw(OSError("down")))
    assert isinstance(caught.value.__cause__, OSError)


def test_refs_are_offered_only_if_the_service_is_to_be_told_and_the_scope_is_known():
    refs = [Ref(type="url", uri="https://e.org/1")]
    sent = []
    HttpClient(transport=sent.append).offer(refs, scope=ANNA[0])
    assert not sent
    HttpClient(transport=sent.append, offers=True, scope_mapper=of_tenant).offer(refs, scope=ANNA[0])
    assert sent[0]["refs"][0]["uri"] == "https://e.org/1"
    assert sent[0]["scope_filters"] == {"topic_ids": ["anna:global:default"]}
    with pytest.raises(PluginError, match="no scope_mapper"):
        HttpClient(transport=sent.append, offers=True).offer(refs, scope=ANNA[0])


# -- a backend that keeps failing ---------------------------------------------------------------------------------


def test_a_backend_that_keeps_failing_is_left_alone_then_tried_once_then_trusted_again():
    now, calls, works = [0.0], [], [False]

    def transport(request):
        calls.append(now[0])
        if not works[0]:
            raise OSError("down")
        return pack()

    client = HttpClient(transport=transport, breaker=CircuitBreaker(3, 30.0, lambda: now[0]))

    def attempt():
        try:
            return bool(client.retrieve(PLAN, scopes=ALONE, timeout=1).evidences)
        except PluginError as error:
            return str(error)

    assert [attempt() for _ in range(3)] == ["the transport failed: OSError: down"] * 3
    now[0] = 29.0
    assert "left alone for another 1.0 s" in attempt()
    now[0] = 31.0
    assert "down" in attempt()
    assert "left alone for another 30.0 s" in attempt()
    works[0], now[0] = True, 62.0
    assert attempt() is True
    works[0] = False
    assert ["down" in attempt() for _ in range(3)] == [True] * 3, "the count began anew"
    assert calls == [0.0, 0.0, 0.0, 31.0, 62.0, 62.0, 62.0, 62.0]


def test_while_one_call_tries_an_open_circuit_nobody_else_may():
    now = [0.0]
    breaker = CircuitBreaker(1, 10.0, lambda: now[0])
    breaker.failed()
    now[0] = 10.0
    assert breaker.wait() == 0.0
    assert breaker.wait() == 10.0


# -- over HTTP ----------------------------------------------------------------------------------------------------


class Service:
    """A server on localhost that gives the answers it was told and keeps what it was asked."""

    def __init__(self):
        self.answers, self.requests = deque(), []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.requests.append((self.path, dict(self.headers), json.loads(body)))
                status, headers, data = service.answers.popleft()
                self.send_response_only(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    for piece in data if isinstance(data, list) else [data]:
                        self.wfile.write(piece)
                except OSError:
                    pass  # the client has gone, as it should

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def will(self, status=200, value=None, **headers):
        data = (
            json.dumps(pack() if value is None else value).encode() if not isinstance(value, (bytes, list)) else value
        )
        self.answers.append((status, {k.replace("_", "-"): v for k, v in headers.items()}, data))
        return self


@pytest.fixture
def service():
    pytest.importorskip("httpx", reason="the extra 'http' is not installed")
    made = Service()
    yield made
    made.server.shutdown()
    made.server.server_close()


def over_http(service, scopes=ALONE, timeout=30.0, pauses=None, **settings):
    retry = Retry(sleep=(pauses if pauses is not None else []).append, share=lambda: 0.5)
    with HttpClient(service.url, retry=retry, timeout_seconds=timeout, **settings) as client:
        return client.retrieve(PLAN, scopes=scopes, timeout=timeout)


@pytest.mark.parametrize(("auth", "header"), [("token", "Bearer token"), (("u", "p"), "Basic dTpw"), (None, None)])
def test_the_service_is_asked_at_retrieve_with_its_credentials(service, auth, header):
    assert over_http(service.will(), auth=auth).evidences
    path, headers, body = service.requests[0]
    assert path == "/retrieve"
    assert headers.get("Authorization") == header
    assert headers["Accept-Encoding"] == "identity"
    assert body["plan"]["plan_id"] == "p"


def test_a_url_that_ends_in_retrieve_means_the_same_and_credentials_stay_out_of_sight(service):
    with HttpClient(f"{service.url}/retrieve", auth="token") as client:
        assert client.retrieve(PLAN, scopes=ALONE, timeout=9).evidences if service.will() else None
        assert "token" not in repr(client)
    for bad in ("https://user:pw@e.org", "ftp://e.org", "e.org", ""):
        with pytest.raises(InputError) as caught:
            HttpClient(bad)
        assert "pw" not in str(caught.value)
    with pytest.raises(InputError, match="either"):
        HttpClient("https://e.org", transport=print)
    assert isinstance(as_resources("https://e.org"), HttpClient)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_an_absent_service_is_tried_again_after_a_random_pause(service, status):
    pauses = []
    assert over_http(service.will(status).will(status).will(), pauses=pauses).evidences
    assert pauses == [0.05, 0.1]
    with pytest.raises(PluginError, match=rf"HTTP {status} \(3 attempts\)"):
        over_http(service.will(status).will(status).will(status))


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"Retry_After": "3"}, 3.0),
        ({"Retry_After": "Wed, 21 Oct 2026 07:28:05 GMT", "Date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 5.0),
    ],
)
def test_too_many_requests_are_tried_again_when_the_service_says_when(service, headers, pause):
    pauses = []
    assert over_http(service.will(429, **headers).will(), pauses=pauses).evidences
    assert pauses == [pause]


@pytest.mark.parametrize(
    ("status", "headers", "told"),
    [
        (429, {}, "HTTP 429"),
        (429, {"Retry_After": "soon"}, "HTTP 429"),
        (429, {"Retry_After": "3600"}, "HTTP 429; there was no time to try again"),
        (500, {}, "HTTP 500"),
        (401, {}, "are the credentials right"),
        (307, {"Location": "https://elsewhere.example/retrieve"}, "redirects are not followed"),
        (204, {}, "HTTP 204"),
    ],
)
def test_everything_else_is_not_tried_again(service, status, headers, told):
    with pytest.raises(PluginError, match=told):
        over_http(service.will(status, **headers))
    assert len(service.requests) == 1


def test_a_refused_connection_is_tried_again_and_then_said():
    pytest.importorskip("httpx", reason="the extra 'http' is not installed")
    gone = Service()
    gone.server.shutdown()
    gone.server.server_close()
    pauses = []
    with pytest.raises(PluginError, match=r"no connection: ConnectError \(3 attempts\)"):
        over_http(gone, pauses=pauses)
    assert len(pauses) == 2


@pytest.mark.parametrize(
    ("value", "headers", "told"),
    [
        (b"x" * 2000, {}, "more than 1000 bytes"),
        ([b"x" * 600] * 3, {}, "more than 1000 bytes"),
        (b"{}", {"Content_Length": "99999999"}, "99999999 bytes, more than 1000"),
        (b"\x1f\x8b", {"Content_Encoding": "gzip"}, "encoded as 'gzip'"),
        (b"not json", {}, "is not JSON"),
        (b"[" * 900, {}, "is not JSON"),
        (b"9" * 900, {}, "EvidencePack"),
    ],
)
def test_the_size_and_the_form_of_an_answer_are_bounded(service, value, headers, told):
    with pytest.raises(PluginError, match=told):
        over_http(service.will(200, value, **headers), max_bytes=1000)
    assert len(service.requests) == 1


def test_an_answer_nested_too_deep_or_with_a_number_too_long_is_an_error_like_others(service):
    for value in (b"[" * 200_000, b"9" * 200_000):
        with pytest.raises(PluginError, match="is not JSON"):
            over_http(service.will(200, value))


def test_a_service_that_does_not_answer_in_time_costs_no_longer(service):
    release = threading.Event()

    def hang():
        release.wait(30)
        yield b"{}"

    service.answers.append((200, {}, type("Late", (list,), {"__iter__": lambda self: hang()})()))
    with pytest.raises(PluginError, match=r"no answer within|not complete in time"):
        over_http(service, timeout=0.3)
    release.set()
    assert len(service.requests) == 1


def test_a_service_that_drips_its_answer_is_stopped_at_the_deadline(service):
    now = iter([0.0, 1.0, 5.0])
    with pytest.raises(PluginError, match="not complete in time"):
        over_http(service.will(200, [b" "] * 50), timeout=4.0, clock=lambda: next(now))


def test_ones_own_client_is_used_and_left_open(service):
    httpx = pytest.importorskip("httpx", reason="the extra 'http' is not installed")
    with httpx.Client(headers={"X-Mine": "yes"}) as mine:
        for _ in range(2):
            assert over_http(service.will(), client=mine, headers={"X-Tenant": "t"}).evidences
    assert service.requests[1][1]["X-Mine"] == "yes"
    assert service.requests[1][1]["X-Tenant"] == "t"


def test_a_missing_extra_is_said_when_the_client_is_made(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(ImportError, match=r"smartbrain\[http\]"):
        HttpClient("https://e.org")
    assert HttpClient(transport=lambda request: pack()).retrieve(PLAN, scopes=ALONE, timeout=1).evidences
