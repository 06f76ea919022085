"""Documents in the same process: any retriever of LangChain or LlamaIndex, or a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from smartbrain.contracts.evidence import Evidence, EvidencePack, ModeStats, PackExplain, PackStats, Provenance
from smartbrain.contracts.plan import Filters, Mode, Query, RetrievalPlan
from smartbrain.contracts.scopes import asks_for_scope
from smartbrain.errors import PluginError
from smartbrain.model import Ref, Scope
from smartbrain.policies.admission import admit
from smartbrain.policies.fusion import RankedList, fuse
from smartbrain.resources.answers import read_answer
from smartbrain.resources.backends import Ask, backend_of
from smartbrain.resources.found import Found, as_evidence, as_found, relevances
from smartbrain.resources.result_filters import Filtering, Result
from smartbrain.resources.scoping import Clearance, ScopeMapper, Scoping, matches, refused

WIDER = 4
"""Where the retriever takes no filters, so many times as many results are asked for, since some will be left out."""

OfferRefs = Callable[[Sequence[Ref], Scope], None]


class _Answer(NamedTuple):
    """What one query brought: evidence, how many results it was made of, what is to be said of it."""

    evidences: list[Evidence]
    results: int
    warnings: Sequence[str] = ()
    ignored: Sequence[str] = ()
    confirmed: bool | None = True


class DirectClient:
    """Asks a retriever in this process. One object serves many threads if the retriever does.

    Every query of a plan is asked for itself (those for memory's relations are not), at most ``max_queries``, and the
    answers are fused by rank. With a scope to be kept, a result passes only if its own metadata says what the
    ``scope_mapper``'s filters ask for, whether or not the retriever takes filters; a function may instead return an
    ``EvidencePack`` (or one as a mapping) that confirms the scope. ``fields`` says under which metadata field the
    plan's filters are found (``{"language": "lang", "tag_ids": "tags"}``).
    """

    def __init__(
        self,
        retriever: Any,
        scope_mapper: ScopeMapper | None = None,
        *,
        shared: bool = False,
        fields: Mapping[str, str] | None = None,
        max_queries: int = 3,
        offer: OfferRefs | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """A client of ``retriever``; see ``backends.backend_of`` for what it may be.

        ``shared=True`` says that every user may read all of it. ``offer(refs, scope)`` is told of the refs of
        committed turns. ``clock`` counts seconds. Raises InputError for what is no retriever, ScopeError when both
        ``shared`` and a ``scope_mapper`` are given.
        """
        self._backend = backend_of(retriever)
        self._scoping = Scoping(scope_mapper, shared=shared)
        self._filtering = Filtering(fields or {})
        self._max_queries = max_queries
        self._offer = offer
        self._clock = clock

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._backend.kind}>"

    def retrieve(self, plan: RetrievalPlan, *, scopes: Sequence[Scope], timeout: float) -> EvidencePack:
        """The retriever's answers to the plan as one pack, best first.

        A running retriever cannot be stopped: after ``timeout`` seconds no further query is begun. Raises PluginError
        when the retriever fails, ScopeError when there is no scope.
        """
        clearance = self._scoping.clear(scopes)
        if clearance.problem:
            return refused(plan, clearance.problem)
        end = self._clock() + timeout
        answers: list[tuple[int, Query, _Answer]] = []
        late = ""
        for place, query in self._queries(plan):
            if answers and self._clock() >= end:
                late = f"after {timeout:g} s, {len(answers)} of the plan's queries were answered"
                break
            answers.append((place, query, self._one(plan, place, query, clearance)))
        return admit(self._packed(plan, scopes, answers, late), plan, scopes)

    def offer(self, refs: Sequence[Ref], *, scope: Scope) -> None:
        """Tells the application's ``offer``, if there is one."""
        if self._offer is not None:
            self._offer(refs, scope)

    def _queries(self, plan: RetrievalPlan) -> list[tuple[int, Query]]:
        """Those that are asked: relations are between memories, and a backend that is given the plan sees them all."""
        wanted = [(n, q) for n, q in enumerate(plan.queries) if q.mode != "relational"] or [(0, plan.queries[0])]
        return wanted[: 1 if self._backend.whole else max(1, self._max_queries)]

    def _one(self, plan: RetrievalPlan, place: int, query: Query, clearance: Clearance) -> _Answer:
        wanted = min(plan.budget.top_k, plan.budget.per_mode_k.get(query.mode, plan.budget.top_k), plan.limit or 10**6)
        hard = (plan.global_filters, query.filters or Filters())
        native = {name: value for filters in hard for name, value in self._filtering.native(filters).items()}
        checked = clearance.filters is not None or any(filters != Filters() for filters in hard)
        wider = wanted if self._backend.narrows or not checked else min(plan.budget.candidate_k, wanted * WIDER)
        try:
            answer = self._backend.search(Ask(query.text, wider, plan, clearance.filters, native))
            if isinstance(answer, (EvidencePack, Mapping)) and not _is_result(answer):
                pack = read_answer(answer)
                confirmed = pack.scope_filter_applied and pack.plan_id in {"", plan.plan_id}
                return _Answer(
                    list(pack.evidences), len(pack.evidences), pack.warnings, pack.explain.ignored_fields, confirmed
                )
            results = list(islice(_listed(answer), max(wider, plan.budget.candidate_k)))
            return self._of_results(plan, place, query, results, clearance, hard)
        except PluginError:
            raise
        except Exception as error:
            raise PluginError(f"{self._backend.kind} failed: {type(error).__name__}: {error}") from error

    def _of_results(
        self,
        plan: RetrievalPlan,
        place: int,
        query: Query,
        results: Sequence[Any],
        clearance: Clearance,
        hard: Sequence[Filters],
    ) -> _Answer:
        founds, warnings = _read(results)
        if clearance.filters is not None:
            cleared = [found for found in founds if matches(found.metadata, clearance.filters)]
            if founds and not cleared:
                names = ", ".join(map(repr, clearance.filters))
                warnings.append(f"none of {len(founds)} results says in its metadata ({names}) that it is of the scope")
            founds = cleared
        provenance = Provenance(mode=_mode(query), query_text=query.text, query_index=place)
        pairs: list[Result] = []
        for rank, (found, worth) in enumerate(zip(founds, relevances(founds), strict=True), start=1):
            try:
                evidence = as_evidence(
                    found,
                    worth,
                    rank,
                    kind=self._backend.kind,
                    provenance=provenance,
                    max_chars=plan.output.max_snippet_chars,
                )
            except ValueError as error:  # a path that is none, a number out of range
                warnings.append(f"result {rank} was dropped: {error}"[:200])
            else:
                pairs.append((found, evidence))
        ignored: list[str] = []
        for filters, name in zip(hard, ("global_filters", f"queries[{place}].filters"), strict=True):
            pairs, unheard = self._filtering.apply(pairs, filters)
            ignored += [f"{name}.{field}" for field in unheard]
        return _Answer([evidence for _, evidence in pairs], len(results), warnings, ignored)

    def _packed(
        self, plan: RetrievalPlan, scopes: Sequence[Scope], answers: Sequence[tuple[int, Query, _Answer]], late: str
    ) -> EvidencePack:
        lists = [RankedList("resources", q.mode, n, q.weight, tuple(a.evidences)) for n, q, a in answers]
        fused, dropped = fuse(lists, plan.ranking)
        ignored = [*self._unheard(plan, answers), *(field for _, _, a in answers for field in a.ignored)]
        modes: dict[Mode, ModeStats] = {}
        for _, query, answer in answers:
            before = modes.get(query.mode, ModeStats())
            modes[query.mode] = ModeStats(
                candidates=before.candidates + answer.results, returned=before.returned + len(answer.evidences)
            )
        confirmed = all(answer.confirmed is True for _, _, answer in answers)
        return EvidencePack(
            plan_id=plan.plan_id,
            request_id=plan.request_id,
            evidences=tuple(fused),
            scope_filter_applied=(confirmed or self._scoping.shared) if asks_for_scope(scopes) else None,
            stats=PackStats(candidates=sum(a.results for _, _, a in answers), returned=len(fused), by_mode=modes),
            explain=PackExplain(ignored_fields=tuple(dict.fromkeys(ignored))),
            dropped=tuple(dropped),
            warnings=(*(w for _, _, a in answers for w in a.warnings), *([late] if late else [])),
        )

    def _unheard(self, plan: RetrievalPlan, answers: Sequence[tuple[int, Query, _Answer]]) -> list[str]:
        """What of the plan was not obeyed: a backend that is given the plan says so itself."""
        if self._backend.whole:
            return []
        asked = {place for place, _, _ in answers}
        fields = [f"queries[{n}]" for n in range(len(plan.queries)) if n not in asked]
        fields += [name for name in ("layers", "profile", "as_of") if getattr(plan, name)]
        set_wishes = plan.preferences.model_dump(exclude_defaults=True)
        return [*fields, *(f"preferences.{name}" for name in set_wishes)]


def _is_result(answer: object) -> bool:
    return isinstance(answer, Mapping) and "evidences" not in answer


def _listed(answer: Any) -> Any:
    """The results of an answer, which may be one text or one mapping, or nothing."""
    if answer is None:
        return ()
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise PluginError("the retriever's answer must be awaited; give a function that returns its results")
    if isinstance(answer, (str, Mapping)) or not hasattr(answer, "__iter__"):
        return (answer,)
    return answer


def _read(results: Sequence[Any]) -> tuple[list[Found], list[str]]:
    founds: list[Found] = []
    problems: list[str] = []
    for result in results:
        try:
            found = as_found(result)
        except TypeError as error:
            problems.append(str(error))
        else:
            founds += [found] if found else []
    return founds, list(dict.fromkeys(problems))[:3]


def _mode(query: Query) -> Mode:
    """A retriever of this kind does not tell words from meaning."""
    return "hybrid" if query.mode in {"associative", "relational"} else query.mode
