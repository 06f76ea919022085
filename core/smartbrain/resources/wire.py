"""One JSON request over HTTP, bounded in time and size, tried again only where nothing can have happened twice."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from smartbrain.contracts.base import parse_json
from smartbrain.errors import ContractError, InputError, MissingExtraError, PluginError
from smartbrain.text.clean import dumps

RETRIED = frozenset({502, 503, 504})
"""Answers of a gateway or of a service that is not there; tried again. 429 is, too, if it says when."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a call is tried again, and how long is waited before: a random share of ``base * 2**n``, at most
    ``most`` seconds ("full jitter", Brooker, AWS Architecture Blog, 2015), or what the service asks for."""

    times: int = 2
    base: float = 0.1
    most: float = 1.0
    sleep: Callable[[float], None] = time.sleep
    share: Callable[[], float] = random.random

    def pause(self, attempt: int) -> float:
        return self.share() * min(self.most, self.base * 2.0**attempt)


@dataclass(frozen=True, slots=True)
class _Reply:
    """An answer, or why there is none. ``after``: whether, and in how many seconds at least, to try again."""

    body: bytes = b""
    problem: str = ""
    after: float | None = None


@dataclass
class Wire:
    """Posts JSON to one place. One object serves many threads over shared connections; ``close`` ends them.

    ``auth`` is a bearer token or (user, password). ``client`` is an ``httpx.Client`` of one's own, which is left open.
    """

    base: str
    auth: str | tuple[str, str] | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    client: Any = field(default=None, repr=False)
    max_bytes: int = 4_000_000
    retry: Retry = field(default_factory=Retry)
    clock: Callable[[], float] = time.monotonic
    _own: Any = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.base)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise InputError(f"a backend's url must look like https://host/path, got {parts.scheme}://{parts.hostname}")
        if parts.username is not None or parts.password is not None:
            raise InputError("a url shows up in logs; give the credentials as auth=, not in the url")
        self.base = self.base.rstrip("/")
        _httpx()  # a missing extra is said now, and not as a warning of every turn

    def post(self, path: str, body: Mapping[str, Any], seconds: float) -> Any:
        """The JSON answer. Raises PluginError, within about ``seconds``, when there is none that can be used."""
        payload = dumps(body).encode("utf-8", "surrogatepass")
        end = self.clock() + seconds
        attempt = 0
        while True:
            reply = self._once(f"{self.base}/{path}", payload, end)
            if not reply.problem:
                return self._read(reply.body)
            attempt += 1
            if reply.after is None or attempt > self.retry.times:
                raise PluginError(f"{self._host}: {reply.problem}{f' ({attempt} attempts)' if attempt > 1 else ''}")
            pause = max(reply.after, self.retry.pause(attempt - 1))
            if self.clock() + pause >= end:
                raise PluginError(f"{self._host}: {reply.problem}; there was no time to try again")
            self.retry.sleep(pause)

    def close(self) -> None:
        """Closes the connections that this object opened."""
        with self._lock:
            own, self._own = self._own, None
        if own is not None:
            own.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()

    @property
    def _host(self) -> str:
        return urlsplit(self.base).netloc

    def _once(self, url: str, payload: bytes, end: float) -> _Reply:
        httpx = _httpx()
        left = end - self.clock()
        if left <= 0:
            return _Reply(problem="there was no time left to ask")
        headers = {"Content-Type": "application/json", "Accept": "application/json", **self.headers}
        # A compressed answer could grow a thousandfold in one step, past any limit on what is read.
        headers["Accept-Encoding"] = "identity"
        if isinstance(self.auth, str):
            headers["Authorization"] = f"Bearer {self.auth}"
        timeout = httpx.Timeout(left, connect=left / 2)  # half, so that a second attempt has time
        basic = httpx.BasicAuth(*self.auth) if isinstance(self.auth, tuple) else None
        try:
            with self._client(httpx).stream(
                "POST", url, content=payload, headers=headers, timeout=timeout, **({"auth": basic} if basic else {})
            ) as response:
                if response.status_code != httpx.codes.OK:
                    return _refused(response)
                return self._body(response, end)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            return _Reply(problem=f"no connection: {type(error).__name__}", after=0.0)
        except httpx.TimeoutException:
            return _Reply(problem=f"no answer within {left:.3g} s")
        except httpx.HTTPError as error:
            return _Reply(problem=f"the connection failed: {type(error).__name__}")

    def _body(self, response: Any, end: float) -> _Reply:
        encoding = response.headers.get("content-encoding", "identity").lower()
        if encoding != "identity":
            return _Reply(problem=f"the answer is encoded as {encoding[:20]!r}, which was not asked for")
        declared = response.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > self.max_bytes:
            return _Reply(problem=f"the answer has {declared[:20]} bytes, more than {self.max_bytes}")
        read = bytearray()
        for chunk in response.iter_raw():
            read += chunk
            if len(read) > self.max_bytes:
                return _Reply(problem=f"the answer has more than {self.max_bytes} bytes")
            if self.clock() > end:
                return _Reply(problem="the answer was not complete in time")
        return _Reply(bytes(read))

    def _read(self, body: bytes) -> Any:
        try:
            return parse_json(body, "answer")
        except (ContractError, RecursionError, ValueError) as error:
            raise PluginError(f"{self._host}: the answer is not JSON that can be read: {error}"[:300]) from error

    def _client(self, httpx: Any) -> Any:
        if self.client is not None:
            return self.client
        with self._lock:
            if self._own is None:
                self._own = httpx.Client(follow_redirects=False)
            return self._own


def _refused(response: Any) -> _Reply:
    """What a status other than 200 says. The body is not quoted: it may be anything."""
    status = response.status_code
    told = f"HTTP {status}"
    if status in {401, 403}:
        told += " (are the credentials right?)"
    elif 300 <= status < 400:
        told += " (redirects are not followed; give the final url)"
    asked = _retry_after(response.headers)
    if status in RETRIED:
        return _Reply(problem=told, after=asked or 0.0)
    return _Reply(problem=told, after=asked if status == 429 else None)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds to wait by ``Retry-After``; a date is reckoned from the service's own ``Date``."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        wait = parsedate_to_datetime(value) - parsedate_to_datetime(headers.get("date", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, wait.total_seconds())


def _httpx() -> Any:
    try:
        import httpx
    except ImportError as error:
        raise MissingExtraError("HttpClient with a url", "http") from error
    return httpx
