"""Documents behind a service: ``POST /retrieve`` over HTTP, or any function that carries one mapping to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any, Self

from smartbrain.contracts.base import CONTRACT_VERSION
from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.contracts.scopes import asks_for_scope
from smartbrain.errors import ContractError, InputError, PluginError
from smartbrain.model import Ref, Scope
from smartbrain.policies.admission import admit
from smartbrain.resources.answers import read_answer
from smartbrain.resources.breaker import CircuitBreaker
from smartbrain.resources.scoping import Clearance, ScopeMapper, Scoping, refused
from smartbrain.resources.wire import Retry, Wire

Transport = Callable[[dict[str, Any]], Any]
"""Carries a request to a backend and gives its answer, both as JSON values (docs/resource-api.yaml)."""


class HttpClient:
    """Asks a service that keeps to ``docs/resource-api.yaml``. One object serves many threads; a context manager.

    With a scope to be kept, the ``scope_mapper``'s filters are sent as ``scope_filters``, and the answer counts only if
    it says ``scope_filter_applied: true``. Connection errors, HTTP 502, 503 and 504, and 429 with ``Retry-After`` are
    tried again; a service that keeps failing is left alone for a while (``breaker``).
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        transport: Transport | None = None,
        scope_mapper: ScopeMapper | None = None,
        shared: bool = False,
        timeout_seconds: float = 2.0,
        auth: str | tuple[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        offers: bool = False,
        max_bytes: int = 4_000_000,
        retry: Retry | None = None,
        breaker: CircuitBreaker | None = None,
        client: Any = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """A client of the service at ``url``, or behind ``transport``; one of the two.

        ``auth`` is a bearer token or (user, password). A call takes at most ``timeout_seconds``, or less if the caller
        has less; an answer at most ``max_bytes``. ``offers``: the refs of committed turns are sent to the service
        (``POST /offer``). ``client`` is an ``httpx.Client`` of one's own, with its proxies and certificates.
        Raises InputError for what cannot be used, ScopeError when both ``shared`` and a ``scope_mapper`` are given.
        """
        if (url is None) == (transport is None):
            raise InputError("an HttpClient needs either a url or a transport")
        self._scoping = Scoping(scope_mapper, shared=shared)
        self._timeout = timeout_seconds
        self._transport = transport
        self._wire = None
        if url is not None:
            self._wire = Wire(
                url.removesuffix("/retrieve"), auth, headers or {}, client, max_bytes, retry or Retry(), clock
            )
        self._breaker = breaker or CircuitBreaker(clock=clock)
        self._offers = offers

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._wire.base if self._wire else 'a transport'}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; calling it again does nothing."""
        if self._wire is not None:
            self._wire.close()

    def retrieve(self, plan: RetrievalPlan, *, scopes: Sequence[Scope], timeout: float) -> EvidencePack:
        """The service's answer to the plan, best first.

        Raises PluginError when there is none that can be used, ScopeError when there is no scope.
        """
        clearance = self._scoping.clear(scopes)
        if clearance.problem:
            return refused(plan, clearance.problem)
        seconds = min(timeout, self._timeout)
        # The planner's notes and the session's name are nobody else's business.
        body = {"plan": plan.model_dump(mode="json", exclude={"debug"}), "timeout_seconds": seconds}
        pack = self._call("retrieve", body, clearance, seconds, read_answer)
        if self._scoping.shared and asks_for_scope(scopes):
            pack = pack.model_copy(update={"scope_filter_applied": True, "plan_id": plan.plan_id})
        return admit(pack, plan, scopes)

    def offer(self, refs: Sequence[Ref], *, scope: Scope) -> None:
        """Tells the service of refs, if it is to be told. Raises PluginError when that fails."""
        if not self._offers:
            return
        clearance = self._scoping.clear([scope])
        if clearance.problem:
            raise PluginError(f"the refs were not offered: {clearance.problem}")
        body = {"refs": [ref.model_dump(mode="json") for ref in refs]}
        self._call("offer", body, clearance, self._timeout, lambda answer: answer)

    def _call(
        self, path: str, body: dict[str, Any], clearance: Clearance, seconds: float, read: Callable[[Any], Any]
    ) -> Any:
        wait = self._breaker.wait()
        if wait > 0:
            raise PluginError(f"the backend failed too often; it is left alone for another {wait:.1f} s")
        request = {"version": CONTRACT_VERSION, **body}
        if clearance.filters is not None:
            request["scope_filters"] = dict(clearance.filters)
        try:
            answer = read(self._carried(path, request, seconds))
        except BaseException as error:
            self._breaker.failed()
            if isinstance(error, ContractError):
                raise PluginError(f"the backend's answer is no EvidencePack: {error}") from error
            raise
        self._breaker.succeeded()
        return answer

    def _carried(self, path: str, request: dict[str, Any], seconds: float) -> Any:
        if self._wire is not None:
            return self._wire.post(path, request, seconds)
        assert self._transport is not None
        try:
            return self._transport(request)
        except Exception as error:
            raise PluginError(f"the transport failed: {type(error).__name__}: {error}") from error
