"""The read path: plan, retrieve, fuse, compose. Each stage is a function from value to value."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any, NamedTuple

from smartbrain.config import BrainConfig, ObservabilityPolicy
from smartbrain.contracts.base import validate
from smartbrain.contracts.context import ContextPackage, DeveloperBlock, UserMessage
from smartbrain.contracts.evidence import Dropped, Evidence, EvidencePack, ModeStats, PackExplain, PackStats
from smartbrain.contracts.plan import Mode, Query, RetrievalPlan
from smartbrain.errors import InputError
from smartbrain.model import Access, Scope, Turn, message_text
from smartbrain.policies.composition import Ingredients, compose
from smartbrain.policies.consolidation import core_memory_blocks
from smartbrain.policies.diversity import balance, diversify, is_memory
from smartbrain.policies.fusion import DOCUMENTS, RankedList, fuse_sources
from smartbrain.policies.planning import PlanningInput, asked_part, make_plan, without_cover
from smartbrain.ports import Reader
from smartbrain.retrieval.akin import Akin
from smartbrain.retrieval.centring import Asked
from smartbrain.retrieval.exact import search_memory
from smartbrain.retrieval.relational import search_related
from smartbrain.retrieval.semantic import without_speakers
from smartbrain.runtime.context import PackedContext, WaitingContext, Workshop, aware, filled, plain
from smartbrain.runtime.entities import entities_named
from smartbrain.runtime.living import withheld
from smartbrain.runtime.reranking import Reranked
from smartbrain.runtime.resources import beside_memory
from smartbrain.runtime.writing import WritePath
from smartbrain.text.clean import dumps
from smartbrain.text.language import detect
from smartbrain.text.terms import keywords, query_terms

UserMessageLike = str | Sequence[Mapping[str, Any]] | Mapping[str, Any] | UserMessage | None


@dataclass(frozen=True, slots=True)
class Request:
    """One call of ``compose_context``, complete: replaying it needs nothing else.

    ``bounded``: ``as_of`` is not the caller's but a replay's, so that memory is seen as it was; documents have no past.
    """

    context_id: str
    request_id: str
    plan_id: str
    session_id: str
    access: Access
    user_message: UserMessage
    developer_blocks: tuple[DeveloperBlock, ...]
    agent_state: Mapping[str, Any]
    token_limit: int
    as_of: datetime | None
    now: datetime
    turn_id: str | None
    bounded: bool = False


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What retrieval brought, before fusion."""

    lists: tuple[RankedList, ...]
    considered: int
    by_mode: Mapping[Mode, ModeStats]
    warnings: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    support: float | None = None


class ReadPath:
    """Composes contexts and searches. One object serves all threads; only the bounded cache is kept on it."""

    def __init__(self, shop: Workshop, writing: WritePath) -> None:
        self._shop = shop
        self._writing = writing
        self._cache = _PackageCache(shop.config.store.context_cache_size)

    # -- composing -----------------------------------------------------------------------------------------------

    def request(
        self,
        session_id: str,
        user_message: UserMessageLike,
        *,
        access: Access,
        agent_state: Mapping[str, Any] | None,
        token_limit: int | None,
        as_of: datetime | str | None,
        turn_id: str | None,
    ) -> Request:
        """Validates the call; raises InputError for what cannot be used."""
        filled(session_id, "session_id")
        limit = self._shop.config.policies.composition.token_limit if token_limit is None else token_limit
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
            raise InputError(f"token_limit must be a positive whole number of tokens, got {limit!r}")
        state = plain(agent_state)
        blocks = state.get("developer_blocks") or ()
        if isinstance(blocks, str) or not isinstance(blocks, Sequence):
            raise InputError("agent_state['developer_blocks'] must be a list of {type, text} mappings")
        return Request(
            context_id=self._shop.new_id(),
            request_id=self._shop.new_id(),
            plan_id=self._shop.new_id(),
            session_id=session_id,
            access=access,
            user_message=_user_message(user_message),
            developer_blocks=tuple(b if isinstance(b, DeveloperBlock) else validate(DeveloperBlock, b) for b in blocks),
            agent_state=state,
            token_limit=limit,
            as_of=aware(as_of, "as_of"),
            now=self._shop.clock.now(),
            turn_id=turn_id,
        )

    def compose(self, request: Request) -> ContextPackage:
        """The package for one message; asked twice within a turn, the second answer comes from the cache."""
        started = perf_counter()
        # Before the snapshot: what is forgotten after it must not come back from here.
        erasures = self._shop.storage.erasures()
        with self._shop.read() as reader:
            # Within a named turn the package stays the same, whatever is written meanwhile: a stable prompt.
            generation = None if request.turn_id else reader.generation(request.access.read)
            key = _key_of(request, erasures, generation, None if request.turn_id else self._age(request))
            cached = self._cache.get(key)
            if cached is not None:
                self._shop.tracker.count("cache_hits")
                return cached
            recent = self._recent(reader, request, self._shop.config)
            plan, found = self._plan(reader, request, recent, self._shop.config)
            package = self._run(reader, request, plan, recent, self._shop.config, found)
        self._cache.put(key, package)
        planned = plan.to_json()
        self._keep(request, planned, package, erasures)
        self._log(request, planned, package, perf_counter() - started)
        return package

    def _age(self, request: Request) -> datetime | None:
        """What keeps a package apart from one of a later moment: where things age, silence changes the answer, too."""
        return request.now if self._shop.config.policies.retention.ttl else None

    def run_again(self, request: Request, plan: RetrievalPlan, config: BrainConfig) -> ContextPackage:
        """The same request from a plan, under any configuration; nothing is kept of it."""
        with self._shop.read() as reader:
            return self._run(reader, request, plan, self._recent(reader, request, config), config)

    def plan_for(self, request: Request, config: BrainConfig) -> RetrievalPlan:
        """The plan a request gets under a configuration."""
        with self._shop.read() as reader:
            return self._plan(reader, request, self._recent(reader, request, config), config)[0]

    def _plan(
        self, reader: Reader, request: Request, recent: Sequence[Turn], config: BrainConfig
    ) -> tuple[RetrievalPlan, Retrieved | None]:
        """The plan of a request; with what memory brought, if it had to be asked whether documents are needed."""
        text = asked_part(message_text(request.user_message.content))
        scopes = request.access.read
        refs = reader.refs(scopes, session_id=request.session_id, last_turns=8, as_of=request.as_of, limit=20)
        given = PlanningInput(
            text=text,
            now=request.as_of or request.now,
            request_id=request.request_id,
            plan_id=request.plan_id,
            session_id=request.session_id,
            recent_texts=[m.text for t in recent for m in t.messages if m.role == "user" and m.text],
            aliases=_aliases(reader, request.access, text, request.as_of),
            recent_refs=[hit.ref for hit in refs],
            as_of=request.as_of,
            resources_available=self._shop.resources.plugged_in,
            reranker=self._shop.reranking.name,
        )
        plan = make_plan(given, config.policies.retrieval)
        return self._with_documents(reader, request.access, plan, given, config)

    def _with_documents(
        self, reader: Reader, access: Access, plan: RetrievalPlan, given: PlanningInput, config: BrainConfig
    ) -> tuple[RetrievalPlan, Retrieved | None]:
        """The plan with where among documents to look, if they are asked: because the message asks for them, or
        because memory, asked first, does not cover it. What it brought then comes along."""
        policy = config.policies.retrieval
        found: Retrieved | None = None
        if given.resources_available and not plan.resource_retrieval.enabled:
            uncovered = without_cover(plan, given, policy)
            if uncovered.resource_retrieval.enabled:
                found = self.retrieve(reader, access, plan, config)
                plan = uncovered if (found.support or 0.0) < policy.documents.cover else plan
        seconds = policy.resource_timeout_ms / 1000
        names = functools.partial(self._shop.resources.names, access=access, seconds=seconds)
        return self._shop.documents.placed(plan, given, policy, names), found

    def _recent(self, reader: Reader, request: Request, config: BrainConfig) -> list[Turn]:
        wanted = config.policies.composition.recent_turns_max
        spoken: list[Turn] = []
        # Turns without messages (edits, retractions) do not count; where there are any, a few more make up for them.
        for last in (wanted, wanted + 8) if wanted else ():
            read = reader.turns(request.access.read, session_id=request.session_id, as_of=request.as_of, last=last)
            spoken = [turn for turn in read if turn.messages and turn.turn_id != request.turn_id]
            if len(spoken) == wanted or len(read) < last:
                break
        return spoken[-wanted:]

    def _run(
        self,
        reader: Reader,
        request: Request,
        plan: RetrievalPlan,
        recent: Sequence[Turn],
        config: BrainConfig,
        found: Retrieved | None = None,
    ) -> ContextPackage:
        policies = config.policies
        asked = plan.model_copy(update={"as_of": None}) if request.bounded else plan
        waiting = self._shop.resources.ask(asked, request.access, policies.retrieval.resource_timeout_ms / 1000)
        found = found or self.retrieve(reader, request.access, plan, config)
        clashing: list[Dropped] = []
        if waiting is not None:
            found, clashing = self._with_resources(reader, request.access, request.as_of, found, waiting())
        ranked, dropped = fuse_sources(found.lists, plan.ranking, plan.queries[0].text)
        reranked = self._reranked(ranked, plan, config)
        recent_ids = {(t.session_id, t.turn_id) for t in recent}
        evidence, left_out = _spread(reranked.evidences, plan, config, recent_ids)
        text = asked_part(message_text(request.user_message.content))
        summary = reader.summary(request.access.read, request.session_id, as_of=request.as_of)
        pinned = [
            item
            for type_ in _PINNED
            for item in reader.items(
                request.access.read, type=type_, as_of=request.as_of, limit=_MAX_PINNED, shared=True
            )
        ]
        return compose(
            Ingredients(
                session_id=request.session_id,
                context_id=request.context_id,
                request_id=request.request_id,
                created_at=request.now,
                as_of=request.as_of,
                plan=plan,
                system_blocks=core_memory_blocks(
                    pinned,
                    language=detect(text),
                    max_tokens=policies.composition.system_blocks_max_tokens,
                    counter=self._shop.counter,
                ),
                developer_blocks=request.developer_blocks,
                summary=summary.text if summary else None,
                turns=recent,
                evidence=evidence,
                user_message=request.user_message,
                main_terms=keywords(text, limit=4),
                dropped=[*clashing, *dropped, *left_out, *_expired(reader)],
                warnings=(*found.warnings, *reranked.warnings),
                ignored=found.ignored,
                support=found.support,
            ),
            policies.composition,
            self._shop.counter,
            token_limit=request.token_limit,
            trace=_traced(request.context_id, policies.observability),
        )

    # -- retrieving ----------------------------------------------------------------------------------------------

    def retrieve(self, reader: Reader, access: Access, plan: RetrievalPlan, config: BrainConfig) -> Retrieved:
        """Runs every query of a plan over memory, in its mode."""
        lists: list[RankedList] = []
        considered = 0
        support: float | None = None
        modes: dict[Mode, ModeStats] = {}
        asked, warnings = self._as_vectors(reader, access, plan)
        for index, query in enumerate(plan.queries):
            limit = min(plan.budget.candidate_k, plan.budget.per_mode_k.get(query.mode, plan.budget.top_k))
            for source, found in self._one_query(reader, access, plan, index, config, limit, asked.get(index)):
                considered += found.considered
                if index == 0 and query.mode != "semantic":
                    support = round(max(support or 0.0, found.support), 4)
                before = modes.get(query.mode, ModeStats())
                modes[query.mode] = ModeStats(
                    candidates=before.candidates + found.considered,
                    returned=before.returned + len(found.evidences),
                )
                lists.append(RankedList(source, query.mode, index, query.weight, tuple(found.evidences)))
        return Retrieved(tuple(lists), considered, modes, warnings, _not_obeyed(plan), support)

    def _as_vectors(
        self, reader: Reader, access: Access, plan: RetrievalPlan
    ) -> tuple[dict[int, Asked], tuple[str, ...]]:
        """The queries that are to be answered by meaning as vectors, by their place in the plan."""
        texts = {place: query.text for place, query in enumerate(plan.queries) if _asks_for_meaning(query)}
        if texts and self._shop.vectors.plugged_in:
            speakers = {name for scope in access.read for name in reader.speakers(scope, plan.as_of).values()}
            texts = {place: without_speakers(text, speakers) for place, text in texts.items()}
        found, warnings = self._shop.vectors.ask(texts.values())
        alone = any(query.mode == "semantic" for query in plan.queries)
        if alone and not self._shop.vectors.plugged_in:
            warnings = ("mode semantic: no embedder is plugged in; searched by words",)
        return {place: found[text] for place, text in texts.items() if text in found}, warnings

    def _one_query(
        self,
        reader: Reader,
        access: Access,
        plan: RetrievalPlan,
        index: int,
        config: BrainConfig,
        limit: int,
        asked: Asked | None,
    ) -> list[tuple[str, Any]]:
        query = plan.queries[index]
        if query.mode == "relational":
            entities = entities_named(reader, access.read, query.text, plan.as_of)
            return [("relations", search_related(reader, access.read, plan, index, entities, limit))]
        lexical = config.policies.retrieval.lexical
        akin = Akin()
        if query.mode == "associative" and index == 0:  # what the planner adds by itself has its words already
            meaning = config.policies.retrieval.static
            akin = Akin(self._shop.vectors.akin(query.text, meaning.nearness_akin), meaning.weight_akin)
        return [("memory", search_memory(reader, access.read, plan, index, lexical, limit, asked, akin))]

    def _reranked(self, ranked: Sequence[Evidence], plan: RetrievalPlan, config: BrainConfig) -> Reranked:
        return self._shop.reranking.apply(
            plan.queries[0].text, ranked, plan.ranking.rerank, config.policies.retrieval.rerank
        )

    def _with_resources(
        self, reader: Reader, access: Access, as_of: datetime | None, found: Retrieved, pack: EvidencePack
    ) -> tuple[Retrieved, list[Dropped]]:
        taken = {evidence.id for ranked in found.lists for evidence in ranked.evidences}
        evidences, dropped = beside_memory(
            pack, taken, lambda found: self._shop.resources.ref_turns(reader, access, as_of, found)
        )
        joined = replace(
            found,
            lists=(*found.lists, RankedList(DOCUMENTS, "hybrid", 0, 1.0, tuple(evidences))),
            warnings=(*found.warnings, *pack.warnings),
            ignored=(*found.ignored, *pack.explain.ignored_fields),
        )
        return joined, dropped

    def search(
        self,
        access: Access,
        plan: RetrievalPlan | None,
        *,
        query: str,
        mode: Mode | None,
        k: int,
        as_of: datetime | None,
    ) -> EvidencePack:
        """The ranked evidence of a plan, or of a query planned as ``compose`` would, without composing.

        Documents are asked too if the plan says so; a bare query asks them where memory does not cover it, one with a
        ``mode`` never.
        """
        with self._shop.read() as reader:
            if plan is not None:
                return self._search(reader, access, plan, k, documents=True)
            given = self._asked_query(reader, access, query, mode, as_of)
            plan = self._query_plan(given, mode, k)
            if mode is not None:
                return self._search(reader, access, plan, k)
            plan, found = self._with_documents(reader, access, plan, given, self._shop.config)
            return self._search(reader, access, plan, k, found, documents=True)

    def search_memory(self, reader: Reader, access: Access, query: str, k: int, as_of: datetime | None) -> EvidencePack:
        """``search`` for a bare query, in memory alone, within a snapshot that is open already."""
        given = self._asked_query(reader, access, query, None, as_of)
        return self._search(reader, access, self._query_plan(given, None, k), k)

    def _asked_query(
        self, reader: Reader, access: Access, query: str, mode: Mode | None, as_of: datetime | None
    ) -> PlanningInput:
        if not isinstance(query, str) or not query.strip():
            raise InputError("query must be a non-empty string")
        return PlanningInput(
            text=query,
            now=as_of or self._shop.clock.now(),
            request_id=self._shop.new_id(),
            plan_id=self._shop.new_id(),
            aliases=_aliases(reader, access, asked_part(query), as_of) if mode is None else {},
            as_of=as_of,
            resources_available=self._shop.resources.plugged_in,
            reranker=self._shop.reranking.name,
        )

    def _query_plan(self, given: PlanningInput, mode: Mode | None, k: int) -> RetrievalPlan:
        """The plan of a bare query. A ``mode`` asks for that mode alone, without expansions."""
        policy = self._shop.config.policies.retrieval
        if mode is not None:
            policy = policy.model_copy(
                update={"query_expansion": policy.query_expansion.model_copy(update={"enabled": False})}
            )
        planned = make_plan(given, policy)
        queries = planned.queries
        if mode is not None:
            queries = (queries[0].model_copy(update={"mode": mode}),)
        wider = {name: max(k, kept) for name, kept in planned.budget.per_mode_k.items()}
        budget = planned.budget.model_copy(
            update={"per_mode_k": wider, "candidate_k": max(k, planned.budget.candidate_k)}
        )
        return planned.model_copy(update={"queries": queries, "budget": budget})

    def _search(
        self,
        reader: Reader,
        access: Access,
        plan: RetrievalPlan,
        k: int,
        found: Retrieved | None = None,
        *,
        documents: bool = False,
    ) -> EvidencePack:
        started = perf_counter()
        config = self._shop.config
        seconds = config.policies.retrieval.resource_timeout_ms / 1000
        waiting = self._shop.resources.ask(plan, access, seconds) if documents else None
        found = found or self.retrieve(reader, access, plan, config)
        clashing: list[Dropped] = []
        if waiting is not None:
            found, clashing = self._with_resources(reader, access, plan.as_of, found, waiting())
        ranked, dropped = fuse_sources(found.lists, plan.ranking, plan.queries[0].text)
        reranked = self._reranked(ranked, plan, config)
        evidence = reranked.evidences
        return EvidencePack(
            plan=plan,
            plan_id=plan.plan_id,
            request_id=plan.request_id,
            generated_at=self._shop.clock.now(),
            evidences=tuple(evidence[:k]),
            support=found.support,
            dropped=(*clashing, *dropped, *_expired(reader)),
            stats=PackStats(
                candidates=found.considered,
                returned=min(k, len(evidence)),
                took_ms=round((perf_counter() - started) * 1000, 3),
                by_mode=dict(found.by_mode),
            ),
            explain=PackExplain(
                fusion=plan.ranking.fusion.model_dump(mode="json"),
                rerank=reranked.explain,
                filters_applied=plan.global_filters.model_dump(mode="json", exclude_defaults=True),
                diversity={"applied": False},
                ignored_fields=found.ignored,
            ),
            warnings=(*found.warnings, *reranked.warnings),
        )

    # -- keeping -------------------------------------------------------------------------------------------------

    def _keep(self, request: Request, plan: str, package: ContextPackage, erasures: int) -> None:
        policy = self._shop.config.policies.observability
        if not policy.store_plans:
            return

        # Packed now, while all of it is at hand: by the next commit it is cold, and would take several times as long.
        shown = package.to_json() if policy.store_contexts else "null"
        packed = f'{{"request":{dumps(request_json(request))},"plan":{plan},"package":{shown}}}'
        record = PackedContext(
            request.context_id, request.session_id, request.access.default_write, request.now, packed
        )
        if self._shop.waiting.add(request.context_id, WaitingContext(erasures, request.access.domain, record)):
            self._writing.flush_contexts()

    def _log(self, request: Request, plan: str, package: ContextPackage, took: float) -> None:
        self._shop.tracker.composed(
            {
                "context_id": request.context_id,
                "request_id": request.request_id,
                "plan_id": request.plan_id,
                "session_id": request.session_id,
                "plan": plan,
                "evidence": [{"id": e.id, "score": e.score, "source": e.source} for e in package.evidence],
                "token_budget": package.constraints.token_budget.model_dump(mode="json"),
                "ignored_fields": list(package.debug.ignored),
                "took_ms": round(took * 1000, 3),
            },
            request.access.read,
        )

    # -- forgetting ----------------------------------------------------------------------------------------------

    def kept_packages(self, scopes: Collection[Scope]) -> list[ContextPackage]:
        """The cached packages that were composed from any of these scopes."""
        return list(self._cache.of(scopes).values())

    def forget_packages(self, scopes: Collection[Scope]) -> None:
        """Drops them."""
        self._cache.drop(self._cache.of(scopes))


_PINNED = ("profile", "preferences", "goals", "patterns")
_MAX_PINNED = 60


def _aliases(reader: Reader, access: Access, text: str, as_of: datetime | None) -> dict[str, list[str]]:
    """The other names of the known entities that a text names."""
    entities = entities_named(reader, access.read, text, as_of)
    return {str(i.value.get("name", i.key)): [str(a) for a in i.value.get("aliases", ())] for i in entities}


def _traced(context_id: str, policy: ObservabilityPolicy) -> bool:
    """Whether the debug part of this package is filled: a sample by the digest of its id, so that replay agrees."""
    if not policy.trace or policy.trace_sample >= 1.0:
        return policy.trace
    place = int.from_bytes(hashlib.sha256(context_id.encode()).digest()[:4], "big")
    return place < policy.trace_sample * 2**32


def request_json(request: Request) -> dict[str, Any]:
    """A request as JSON values, for the store."""
    return {
        "context_id": request.context_id,
        "request_id": request.request_id,
        "plan_id": request.plan_id,
        "session_id": request.session_id,
        "read": [list(s) for s in request.access.read],
        "write": [list(s) for s in request.access.write],
        "default_write": list(request.access.default_write),
        "user_message": request.user_message.model_dump(mode="json"),
        "developer_blocks": [b.model_dump(mode="json") for b in request.developer_blocks],
        "token_limit": request.token_limit,
        "as_of": request.as_of.isoformat() if request.as_of else None,
        "now": request.now.isoformat(),
        "turn_id": request.turn_id,
    }


def _user_message(given: UserMessageLike) -> UserMessage:
    if isinstance(given, UserMessage):
        return given
    if isinstance(given, Mapping):
        return validate(UserMessage, given)
    if given is None or isinstance(given, str):
        return UserMessage(content=given)
    return validate(UserMessage, {"content": list(given)})


def _expired(reader: Reader) -> list[Dropped]:
    return [Dropped(id=item_id, reason="expired") for item_id in withheld(reader)]


def _asks_for_meaning(query: Query) -> bool:
    """Small talk finds nothing by words, and must not find the nearest of everything by meaning."""
    return query.mode == "semantic" or (query.mode == "hybrid" and bool(query_terms(query.text)))


def _spread(
    ranked: Sequence[Evidence],
    plan: RetrievalPlan,
    config: BrainConfig,
    recent: Collection[tuple[str | None, str | None]],
) -> tuple[list[Evidence], list[Dropped]]:
    """What of the ranked evidence is offered to the composition, and what was left out."""
    policy = config.policies.composition
    spread, too_many = diversify(
        ranked[: plan.budget.top_k * 2],
        by_document=policy.diversity.by_document,
        by_source_uri=policy.diversity.by_source_uri,
    )
    strong: list[Evidence] = []
    weak: list[Dropped] = []
    for one in spread:
        if (one.signals.score or 0.0) >= policy.min_score:
            strong.append(one)
        else:
            weak.append(Dropped(id=one.id, reason="below_threshold"))
    if any(not is_memory(e) for e in strong):
        # What the recent turns will show takes no place; it stays in the list in case they have no room.
        unshown = [e for e in strong if (e.ref.session_id, e.ref.turn_id) not in recent]
        _, beyond = balance(unshown, policy=policy.diversity, places=policy.evidence_max_items)
        left = {dropped.id for dropped in beyond}
        kept = [e for e in strong if e.id not in left]
    else:
        kept, beyond = strong[: plan.budget.top_k], []
    return kept, [*too_many, *weak, *beyond]


def _not_obeyed(plan: RetrievalPlan) -> tuple[str, ...]:
    """The fields of a plan that memory search has no use for."""
    ignored: list[str] = []
    for name in ("document_ids", "tag_ids", "topic_ids"):
        if getattr(plan.global_filters, name):
            ignored.append(f"global_filters.{name}")
    for name in ("layers", "profile", "limit"):
        if getattr(plan, name):
            ignored.append(name)
    return tuple(ignored)


class _Key(NamedTuple):
    """What one package answers: in a named turn (``turn_id``), or as of a generation of what may be seen."""

    session_id: str
    access: Access
    erasures: int
    turn_id: str | None
    generation: int | None
    now: datetime | None
    user_message: str
    developer_blocks: tuple[str, ...]
    token_limit: int
    as_of: datetime | None

    def overtakes(self, kept: _Key) -> bool:
        """Whether this one has seen something written that the other has not, so that nobody asks for that again.

        Kept, a few hundred objects of each would live just long enough for the collector to take them for lasting.
        """
        if self.generation is None or kept.generation is None:
            return False
        return kept.access == self.access and kept.generation < self.generation


def _key_of(request: Request, erasures: int, generation: int | None, now: datetime | None) -> _Key:
    return _Key(
        request.session_id,
        request.access,
        erasures,
        request.turn_id,
        generation,
        now,
        request.user_message.to_json(),
        tuple(b.to_json() for b in request.developer_blocks),
        request.token_limit,
        request.as_of,
    )


class _PackageCache:
    """The newest packages, least recently used out first."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Key, ContextPackage] = OrderedDict()

    def get(self, key: _Key) -> ContextPackage | None:
        with self._lock:
            package = self._kept.get(key)
            if package is not None:
                self._kept.move_to_end(key)
            return package

    def put(self, key: _Key, package: ContextPackage) -> None:
        with self._lock:
            for old in [kept for kept in self._kept if key.overtakes(kept)]:
                del self._kept[old]
            self._kept[key] = package
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def of(self, scopes: Collection[Scope]) -> dict[_Key, ContextPackage]:
        """Those that were read from any of these scopes, by key."""
        wanted = set(scopes)
        with self._lock:
            return {key: package for key, package in self._kept.items() if wanted & set(key.access.read)}

    def drop(self, keys: Collection[_Key]) -> None:
        with self._lock:
            for key in keys:
                self._kept.pop(key, None)
