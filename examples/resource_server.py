"""A document service that SmartBrain can ask: ``POST /retrieve`` as in docs/resource-api.yaml, standard library only.

    python examples/resource_server.py FOLDER --port 8080 --token SECRET

It serves the ``.md`` and ``.txt`` files of a folder, cut at blank lines, and ranks by shared words. A file's tenant is
the first folder in its path: ``FOLDER/anna/trip.md`` is Anna's. Put your own engine in the place of ``search`` and keep
the rest:

* every filter in ``scope_filters`` must hold for every piece of evidence; only then is ``scope_filter_applied`` true;
* of the plan's filters, those that were not applied are named in ``explain.ignored_fields``.

The other side is ``HttpClient("http://localhost:8080", auth="SECRET", scope_mapper=…)``.
"""

from __future__ import annotations

import argparse
import hmac
import json
import re
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

MOST_BYTES = 1_000_000
APPLIED = ("document_ids", "source_uri_prefix")


class Piece(NamedTuple):
    """A paragraph, and where it stands in its file, which belongs to a tenant."""

    path: str
    uri: str
    place: int
    start: int
    text: str
    tenant: str


def load(folder: Path) -> list[Piece]:
    """The paragraphs of a folder's text files."""
    pieces = []
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".md", ".txt"} and file.is_file() and not file.is_symlink():
            text = file.read_text("utf-8", errors="replace")
            path = file.relative_to(folder).as_posix()
            for place, match in enumerate(re.finditer(r"\S(?:.|\n(?!\s*\n))*", text)):
                tenant = path.split("/")[0] if "/" in path else ""
                pieces.append(Piece(path, file.resolve().as_uri(), place, match.start(), match[0].strip(), tenant))
    return pieces


def words(text: str) -> set[str]:
    """Words in lower case; of Chinese every character."""
    return set(re.findall(r"[^\W\u4e00-\u9fff]+|[\u4e00-\u9fff]", text.lower()))


def search(pieces: Iterable[Piece], query: str) -> list[tuple[float, Piece]]:
    """Pieces that share words with the query, by the share of the query's words they have."""
    asked = words(query)
    scored = [(len(asked & words(piece.text)) / (len(asked) or 1), piece) for piece in pieces]
    return sorted((s for s in scored if s[0] > 0), key=lambda s: (-s[0], s[1].path, s[1].place))


def in_scope(piece: Piece, scope_filters: Mapping[str, Any]) -> bool:
    """Whether a piece is what every filter asks for. A filter that is not known lets nothing through."""
    own = {"tenant": piece.tenant}
    return all(
        own.get(field) in (wanted if isinstance(wanted, list) else [wanted]) for field, wanted in scope_filters.items()
    )


def retrieve(pieces: Iterable[Piece], request: Mapping[str, Any]) -> dict[str, Any]:
    """The EvidencePack for a request. Raises KeyError or TypeError for one that is malformed."""
    plan, scope = request["plan"], request.get("scope_filters")
    filters = {name: value for name, value in plan.get("global_filters", {}).items() if value}
    allowed = [
        piece
        for piece in pieces
        if (scope is None or in_scope(piece, scope))
        and (not filters.get("document_ids") or piece.path in filters["document_ids"])
        and piece.uri.startswith(tuple(filters.get("source_uri_prefix", ("",))))
    ]
    query = plan["queries"][0]["text"]
    found = search(allowed, query)
    limit = min(plan["budget"]["top_k"], plan.get("limit") or 100)
    evidences = [
        {
            "id": f"{piece.path}:{piece.place}",
            "kind": "resource_section",
            "document_id": piece.path,
            "title": piece.path,
            "source_uri": piece.uri,
            "source_type": "file",
            "snippet": piece.text[: plan["output"]["max_snippet_chars"]],
            "signals": {"fts_score": score, "fts_rank": rank},
            "provenance": {"mode": "exact", "query_text": query, "query_index": 0},
            "metadata": {"offset_start": piece.start, "offset_end": piece.start + len(piece.text)},
        }
        for rank, (score, piece) in enumerate(found[:limit], start=1)
    ]
    ignored = [f"queries[{n}]" for n in range(1, len(plan["queries"]))]
    ignored += [f"global_filters.{name}" for name in filters if name not in APPLIED]
    return {
        "version": "0.1",
        "plan_id": plan["plan_id"],
        "request_id": plan["request_id"],
        "scope_filter_applied": scope is not None,
        "evidences": evidences,
        "stats": {"candidates": len(allowed), "returned": len(evidences)},
        "explain": {"ignored_fields": ignored},
    }


def make_server(folder: Path, *, port: int = 0, token: str | None = None) -> ThreadingHTTPServer:
    """A server on localhost; port 0 takes any that is free (``server.server_port``). Call ``serve_forever``."""
    pieces = load(folder)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if length > MOST_BYTES:
                self.close_connection = True  # what is on its way is not read
                return self.answer(413, {"error": f"a request has at most {MOST_BYTES} bytes"})
            body = self.rfile.read(length)
            given = self.headers.get("Authorization", "")
            if token is not None and not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
                return self.answer(401, {"error": "the bearer token is missing or wrong"})
            if self.path != "/retrieve":
                return self.answer(404, {"error": "there is POST /retrieve"})
            try:
                return self.answer(200, retrieve(pieces, json.loads(body)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                return self.answer(400, {"error": f"the request is malformed: {error!r}"})

        def answer(self, status: int, value: Mapping[str, Any]) -> None:
            data = json.dumps(value, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Questions are private: nothing is logged."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a folder of documents to SmartBrain.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--token", help="ask every caller for this bearer token")
    given = parser.parse_args()
    with make_server(given.folder, port=given.port, token=given.token) as server:
        print(f"http://127.0.0.1:{server.server_port}")
        server.serve_forever()


if __name__ == "__main__":
    main()
