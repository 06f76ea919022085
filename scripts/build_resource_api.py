"""Prints docs/resource-api.yaml, made from the contracts: ``python scripts/build_resource_api.py``."""

from __future__ import annotations

from typing import Any

import yaml

from smartbrain import EvidencePack, RetrievalPlan
from smartbrain.contracts.base import CONTRACT_VERSION
from smartbrain.model import Ref

HEAD = "# Made by scripts/build_resource_api.py. What a document service answers to SmartBrain's HttpClient.\n"
PLACE = "#/components/schemas/{model}"

SCOPE_FILTERS: dict[str, Any] = {
    "type": "object",
    "description": (
        "Which documents the caller may see: every field must hold, of a list any value. Absent: no scope is asked"
        " for. Present: the answer must say scope_filter_applied: true, or its evidence is dropped."
    ),
    "minProperties": 1,
    "additionalProperties": {
        "anyOf": [
            {"type": ["string", "number", "boolean"]},
            {"type": "array", "minItems": 1, "items": {"type": ["string", "number", "boolean"]}},
        ]
    },
}
VERSION = {"type": "string", "const": CONTRACT_VERSION}
FAILURES = {
    "401": {"description": "The credentials are missing or wrong; not tried again."},
    "429": {"description": "Too many requests; tried again after Retry-After, if it is given and there is time."},
    "503": {"description": "Not there now (502 and 504 likewise); tried again, after Retry-After if it is given."},
}


class _Plain(yaml.SafeDumper):
    """Writes what occurs twice out twice: other languages' readers often know no YAML aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def page() -> str:
    """The whole document."""
    return HEAD + str(yaml.dump(document(), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=118))


def document() -> dict[str, Any]:
    """The OpenAPI document as a mapping."""
    schemas: dict[str, Any] = {"ScopeFilters": SCOPE_FILTERS}
    for model, mode in ((RetrievalPlan, "serialization"), (EvidencePack, "validation"), (Ref, "serialization")):
        schema = model.model_json_schema(mode=mode, ref_template=PLACE)  # type: ignore[arg-type]
        schemas |= schema.pop("$defs", {})
        schemas[model.__name__] = schema
    retrieve = {"plan": _ref("RetrievalPlan"), "scope_filters": _ref("ScopeFilters"), "timeout_seconds": _seconds()}
    offer = {"refs": {"type": "array", "items": _ref("Ref")}, "scope_filters": _ref("ScopeFilters")}
    schemas["RetrieveRequest"] = _request(retrieve, ["version", "plan", "timeout_seconds"])
    schemas["OfferRequest"] = _request(offer, ["version", "refs"])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Documents for SmartBrain",
            "version": CONTRACT_VERSION,
            "description": (
                "What HttpClient asks a document service. A service obeys the plan; what it cannot obey it names in"
                " explain.ignored_fields. Evidence is best first, at most budget.top_k, and echoes the plan_id."
                " Answers are JSON without compression. examples/resource_server.py is such a service."
            ),
        },
        "security": [{"bearer": []}, {"basic": []}, {}],
        "paths": {
            "/retrieve": {"post": _operation("The evidence for a plan", "RetrieveRequest", "EvidencePack")},
            "/offer": {"post": _operation("Refs of a committed turn, for a service that collects", "OfferRequest")},
        },
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "basic": {"type": "http", "scheme": "basic"},
            },
            "schemas": schemas,
        },
    }


def _operation(summary: str, request: str, answer: str | None = None) -> dict[str, Any]:
    schema = _ref(answer) if answer else {}
    return {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref(request)}}},
        "responses": {
            "200": {"description": "The answer.", "content": {"application/json": {"schema": schema}}},
            **FAILURES,
        },
    }


def _request(fields: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": {"version": VERSION, **fields}}


def _seconds() -> dict[str, Any]:
    return {"type": "number", "exclusiveMinimum": 0, "description": "How long the caller waits for the answer."}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": PLACE.format(model=name)}


if __name__ == "__main__":
    print(page(), end="")
