"""``RouteResult``: what a message asks of documents, as the resolver reads it (seed 002)."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from smartbrain.contracts.base import Contract
from smartbrain.model import FilledText, Text, Value

GENERAL_QA: Final = "GENERAL_QA"
"""The intent of a question about the whole."""

DOCS_QA: Final = "DOCS_QA"
"""The intent of a question about something in it. Any intent but ``GENERAL_QA`` is resolved like this one."""

FIND_FILES: Final = "FIND_FILES"
"""The subintent of a question for the place and not for the content."""

SUMMARY: Final = "SUMMARY"
"""The subintent of all other questions."""


class Anchors(Value):
    """What of a message may point at documents, in the order said.

    ``target_doc_hints`` name documents (a path, a file name, a title), ``file_names`` any file, ``endpoint_paths`` an
    API ("/v1/orders/{id}"). ``matched_aliases`` are other names of what the documents know, and kinds of document in
    English ("architecture", "workflow"). ``process_domain`` and ``process_subdomain`` narrow the search to documents
    that say so of themselves: set them only to what is known to be there.
    """

    entity_names: tuple[Text, ...] = ()
    file_names: tuple[Text, ...] = ()
    endpoint_paths: tuple[Text, ...] = ()
    target_doc_hints: tuple[Text, ...] = ()
    matched_aliases: tuple[Text, ...] = ()
    process_domain: Text | None = None
    process_subdomain: Text | None = None


class RouteResult(Contract):
    """What a router made of a message. ``query`` is the text to search for, ``target_terms`` its readable words."""

    intent: FilledText = DOCS_QA
    subintent: FilledText = SUMMARY
    anchors: Anchors = Field(default=Anchors())
    query: Text = ""
    target_terms: tuple[Text, ...] = ()
