"""Retrievers of any make behind one call, told apart by what they can do; no framework is imported.

Each takes a text, how many results are wanted and filters, and gives raw results, best first. Filters are handed on
where the retriever's own interface has a place for them: that saves looking at documents that will be left out, and is
never relied on (``direct`` checks every result).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import InputError
from smartbrain.resources.scoping import Filters, matches


class Ask(NamedTuple):
    """One question to a retriever. ``scope`` and ``filters`` are what documents must match, by field."""

    text: str
    limit: int
    plan: RetrievalPlan
    scope: Filters | None = None
    filters: Mapping[str, Any] = {}

    @property
    def every(self) -> dict[str, Any]:
        """The scope's and the plan's filters together."""
        return {**self.filters, **(self.scope or {})}


Search = Callable[[Ask], Any]


class Backend(NamedTuple):
    """A way to ask a retriever.

    ``narrows``: it is handed the filters, so no more results are asked for than wanted. ``whole``: it is handed the
    plan, so it is asked once and not once a query. ``kind`` is what it is called in ids and messages.
    """

    search: Search
    narrows: bool
    kind: str
    whole: bool = False


def backend_of(source: Any) -> Backend:
    """How to ask this retriever.

    It may be a LangChain vector store or retriever, a LlamaIndex index, retriever or query engine, any object with one
    of their methods, or a function. Raises InputError for anything else, and for what can only be awaited.
    """
    kind = type(source).__name__
    if isinstance(source, type):
        raise InputError(f"{source.__name__} is a class; give an object of it")
    for methods, make in _SHAPES:
        if all(callable(getattr(source, method, None)) for method in methods):
            search, narrows = make(source)
            return Backend(search, narrows, kind)
    if callable(source):
        name = getattr(source, "__name__", kind)
        search, narrows = _function(source, name)
        return Backend(search, narrows, kind if "<" in name else name, "plan" in _parameters(source)[1:])
    raise InputError(
        f"{kind} is no retriever: it needs similarity_search, invoke, as_retriever, retrieve or query,"
        " or to be a function from a text to results"
    )


# -- LangChain ----------------------------------------------------------------------------------------------------


def _vector_store(store: Any) -> tuple[Search, bool]:
    scored = getattr(store, "similarity_search_with_score", None)
    native = _native_filter(store)

    def search(ask: Ask) -> Any:
        wanted = {"filter": native(ask.every)} if native and ask.every else {}
        if callable(scored):
            try:
                return scored(ask.text, k=ask.limit, **wanted)
            except NotImplementedError:
                pass  # the base class has the method, this store has no scores
        return store.similarity_search(ask.text, k=ask.limit, **wanted)

    return search, native is not None


def _native_filter(store: Any) -> Callable[[Filters], Any] | None:
    """How this store wants its filters; None where it does not say that it takes any.

    The stores of LangChain share no form. Those whose search names a ``filter`` nearly all take Mongo's operators.
    """
    in_memory = _class("langchain_core.vectorstores", "InMemoryVectorStore")
    if in_memory is not None and isinstance(store, in_memory):
        return lambda filters: lambda document: matches(document.metadata, filters)
    for method in ("similarity_search_with_score", "similarity_search"):
        if "filter" in _parameters(getattr(store, method, None)):
            return _mongo
    return None


def _mongo(filters: Filters) -> dict[str, Any]:
    terms = [{field: _among(value)} for field, value in filters.items()]
    return terms[0] if len(terms) == 1 else {"$and": terms}


def _among(value: Any) -> Any:
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return values[0] if len(values) == 1 else {"$in": values}


def _runnable(retriever: Any) -> tuple[Search, bool]:
    store = getattr(retriever, "vectorstore", None)
    plain = type(retriever) is _class("langchain_core.vectorstores", "VectorStoreRetriever")
    if plain and retriever.search_type == "similarity" and not set(retriever.search_kwargs) - {"k"}:
        # Nothing of its own but perhaps a k: asked directly, the store gives scores too.
        search, narrows = _vector_store(store)
        most = retriever.search_kwargs.get("k")
        if most is None:
            return search, narrows
        return (lambda ask: search(ask._replace(limit=most) if narrows or not ask.every else ask)), narrows
    return (lambda ask: retriever.invoke(ask.text)), False


# -- LlamaIndex ---------------------------------------------------------------------------------------------------


def _index(index: Any) -> tuple[Search, bool]:
    def search(ask: Ask) -> Any:
        wanted: dict[str, Any] = {"similarity_top_k": ask.limit}
        filters = _metadata_filters(ask.every)
        if filters is not None:
            wanted["filters"] = filters
        return index.as_retriever(**wanted).retrieve(ask.text)

    return search, True


def _metadata_filters(filters: Filters) -> Any:
    """LlamaIndex's own form of the filters, made of the classes that the index came with."""
    many = _class("llama_index.core.vector_stores.types", "MetadataFilters")
    one = _class("llama_index.core.vector_stores.types", "MetadataFilter")
    operators = _class("llama_index.core.vector_stores.types", "FilterOperator")
    if not filters or many is None or one is None or operators is None:
        return None
    made = []
    for field, value in filters.items():
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if len(values) == 1:
            made.append(one(key=field, value=values[0], operator=operators.EQ))
        else:
            made.append(one(key=field, value=values, operator=operators.IN))
    return many(filters=made)


def _retriever(retriever: Any) -> tuple[Search, bool]:
    return (lambda ask: retriever.retrieve(ask.text)), False


def _engine(engine: Any) -> tuple[Search, bool]:
    """A query engine is asked for its documents; one that cannot give them alone answers, and its sources count."""
    bundle = _class("llama_index.core.schema", "QueryBundle")

    def search(ask: Ask) -> Any:
        if callable(getattr(engine, "retrieve", None)):
            try:
                return engine.retrieve(bundle(ask.text) if bundle else ask.text)
            except NotImplementedError:
                pass  # it has no retriever of its own
        answer = engine.query(ask.text)
        return list(getattr(answer, "source_nodes", None) or [str(answer)])

    return search, False


# -- functions ----------------------------------------------------------------------------------------------------

_LIMITS = ("k", "limit", "top_k", "n")
_OWN: Mapping[str, Callable[[Ask], Any]] = {
    "plan": lambda ask: ask.plan,
    "filters": lambda ask: ask.every,
    "scope_filters": lambda ask: ask.scope,
    **{name: (lambda ask: ask.limit) for name in _LIMITS},
}


def _function(function: Any, name: str) -> tuple[Search, bool]:
    """A function of a text; what else it names of ``k``, ``filters``, ``scope_filters`` and ``plan`` it is given."""
    called = function if inspect.isroutine(function) else getattr(type(function), "__call__", function)  # noqa: B004
    if inspect.iscoroutinefunction(called) or inspect.iscoroutinefunction(function):
        raise InputError(f"{name} can only be awaited; give a function that returns its results")
    wanted = [parameter for parameter in _parameters(function)[1:] if parameter in _OWN]

    def search(ask: Ask) -> Any:
        return function(ask.text, **{parameter: _OWN[parameter](ask) for parameter in wanted})

    return search, bool({"filters", "scope_filters"} & set(wanted))


def _parameters(function: Any) -> Sequence[str]:
    if function is None:
        return ()
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # some built-in functions have no signature
        return ()


def _class(module: str, name: str) -> Any:
    """A class of the framework that the retriever comes from, which is loaded then; else None."""
    return getattr(sys.modules.get(module), name, None)


_SHAPES: Sequence[tuple[tuple[str, ...], Callable[[Any], tuple[Search, bool]]]] = (
    (("similarity_search",), _vector_store),
    (("query", "synthesize"), _engine),
    (("retrieve",), _retriever),
    (("as_retriever",), _index),
    (("invoke",), _runnable),
    (("query",), _engine),
)
"""What tells one kind from another, first match first: a LangChain vector store has ``as_retriever`` too."""
