"""From a message to a ``RetrievalPlan``: what to look for, how widely, and whether documents are asked too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from smartbrain.config import RetrievalPolicy
from smartbrain.contracts.plan import (
    Filters,
    Fusion,
    Output,
    PlanBudget,
    PlanDebug,
    PlanDiversity,
    Preferences,
    Purpose,
    Query,
    Ranking,
    Rerank,
    ResourceRetrieval,
    RetrievalPlan,
    TimeRange,
)
from smartbrain.model import Ref
from smartbrain.policies._document_cues import asks_for_documents
from smartbrain.text.asking import own_question, tells
from smartbrain.text.spans import sentences
from smartbrain.text.terms import keywords, query_terms
from smartbrain.text.timehints import TimeHint, time_hints

_SMALL_TALK = re.compile(
    r"\s*(?:hi|hello|hey|thanks?(?: you)?|ok(?:ay)?|bye|good (?:morning|night|evening)|lol|haha+"
    r"|你好|您好|嗨|谢谢|謝謝|多谢|好的|好|嗯+|哈+|再见|再見|晚安|早安|早上好|晚上好)\s*[!！.。~～?？]*\s*",
    re.IGNORECASE,
)
_PURPOSES: tuple[tuple[Purpose, re.Pattern[str]], ...] = (
    (
        "debug",
        re.compile(
            r"\b(?:error|exception|traceback|bug|debug|crash(?:es|ed)?|fails?|failing|stack ?trace)\b"
            r"|报错|報錯|异常|調試|调试|崩溃|故障",
            re.IGNORECASE,
        ),
    ),
    (
        "summarize",
        re.compile(
            r"\b(?:summari[sz]e|summary|recap|tl;?dr|wrap up)\b|总结|總結|摘要|概括|回顾|回顧|小结",
            re.IGNORECASE,
        ),
    ),
    (
        "research",
        re.compile(
            r"\b(?:research|survey|literature|compare|comparison|papers?)\b|调研|調研|查资料|論文|论文|对比|對比|综述",
            re.IGNORECASE,
        ),
    ),
    (
        "continue_task",
        re.compile(
            r"\b(?:continue|go on|carry on|next step|pick up where|resume|keep going)\b"
            r"|继续|繼續|接着|接著|下一步|接下来",
            re.IGNORECASE,
        ),
    ),
    (
        "qa",
        re.compile(
            r"[?？]|\b(?:what|who|when|where|which|why|how|did|does|do|is|are|was|were|can|could)\b"
            r"|^\W*(?:please )?(?:explain|describe|tell me|show me|give me|list|find|define|walk me through)\b"
            r"|什么|什麼|谁|誰|哪|几|多少|为什么|怎么|怎麼|吗|嗎|呢|^\W*(?:请|請)?(?:解释|解釋|介绍|介紹|说明|說明|讲讲|列出|告诉我)"
            r"|\b(?:что|кто|когда|где|как|како\w+|какие|почему|зачем|сколько)\b|^\W*(?:объясни|опиши|расскажи|найди|покажи)",
            re.IGNORECASE,
        ),
    ),
)
_NAMED_SOURCE = re.compile(
    r"(?:\b(?:in|from|inside|according to)\s+(?:the\s+)?"
    r"[`\"']?(?P<en>(?=[\w.-]+[_./-][\w.-])[\w.-]+(?:/[\w.-]+)*)[`\"']?)"
    r"|在\s*[`「“\"]?(?P<zh>[A-Za-z][\w./-]+)[`」”\"]?\s*(?:里|裡|中|内|裏)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PlanningInput:
    """What the planner may look at. ``aliases`` maps names of known entities that the message mentions to their
    other names; ``recent_texts`` are the newest user messages before this one; ``recent_refs`` the newest refs;
    ``reranker`` the name of the reranker that is plugged in."""

    text: str
    now: datetime
    request_id: str
    plan_id: str
    session_id: str = ""
    recent_texts: Sequence[str] = ()
    aliases: Mapping[str, Sequence[str]] | None = None
    recent_refs: Sequence[Ref] = ()
    as_of: datetime | None = None
    memory_has_cover: bool = True
    resources_available: bool = False
    reranker: str | None = None


def asked_part(text: str) -> str:
    """The part of a message that says what is asked: all of it, or the two ends of a very long one."""
    if len(text) <= _ASKED:
        return text
    return f"{text[: _ASKED // 2]}\n{text[-_ASKED // 2 :]}"


_ASKED = 4000


def _asked(given: PlanningInput, policy: RetrievalPolicy) -> str:
    text = asked_part(given.text.strip())
    return own_question(text) if policy.own_question else text


def make_plan(given: PlanningInput, policy: RetrievalPolicy) -> RetrievalPlan:
    """The plan for one message; deterministic, the clock is ``given.now``."""
    text = _asked(given, policy)
    purpose, reason = _purpose(text)
    hints = time_hints(text, given.now)
    asked = _asked_time(text, hints, given.now)
    filters, preferences = _filters(text, asked)
    queries = _queries(text, given, policy)
    said = {
        "any_year": asked is not None and _names_no_year(asked),
        "named_day": asked is not None and _names_a_day(asked),
        "tells": tells(text),
    }
    more: dict[str, object] = {name: True for name, is_so in said.items() if is_so}
    if order := _asked_order(text, hints):
        more["order"] = order
    if more:
        queries = tuple(q.model_copy(update={"hints": {**q.hints, **more}}) for q in queries)
    return RetrievalPlan(
        plan_id=given.plan_id,
        request_id=given.request_id,
        purpose=purpose,
        queries=queries,
        global_filters=filters,
        preferences=preferences,
        budget=PlanBudget(
            top_k=policy.top_k,
            candidate_k=policy.candidate_k,
            per_mode_k={**PlanBudget().per_mode_k, **policy.per_mode_k},
            diversity=PlanDiversity(**policy.diversity.model_dump()),
        ),
        ranking=Ranking(
            fusion=Fusion(method=policy.fusion.method, rrf_k=policy.fusion.rrf_k, weights=policy.fusion.weights),
            rerank=Rerank(
                enabled=given.reranker is not None if policy.rerank.enabled is None else policy.rerank.enabled,
                model=given.reranker,
                top_n=policy.rerank.top_n,
            ),
        ),
        output=Output(),
        resource_retrieval=_resources(text, purpose, given, policy),
        as_of=given.as_of,
        planned_at=given.now,
        debug=PlanDebug(notes=reason, caller={"session_id": given.session_id}),
    )


def without_cover(plan: RetrievalPlan, given: PlanningInput, policy: RetrievalPolicy) -> RetrievalPlan:
    """The plan, now that memory is known not to cover the question: documents may be asked after all."""
    asked = _resources(_asked(given, policy), plan.purpose, replace(given, memory_has_cover=False), policy)
    return plan.model_copy(update={"resource_retrieval": asked})


def _purpose(text: str) -> tuple[Purpose, str]:
    if not text or _SMALL_TALK.fullmatch(text):
        return "other", "small talk or no words"
    for purpose, pattern in _PURPOSES:
        match = pattern.search(text)
        if match:
            return purpose, f"{purpose}: {match.group(0).strip()!r}"
    return "other", "no cue"


def _queries(text: str, given: PlanningInput, policy: RetrievalPolicy) -> tuple[Query, ...]:
    if not text or not query_terms(text):
        # Nothing to look for by words: the newest user message stands in, weakly, so that "go on" finds its topic.
        stand_in = next((t for t in reversed(given.recent_texts) if t.strip()), "")
        main = Query(text=stand_in or text or "…", weight=0.5, hints={"why": "no words of its own"})
        return (main,)
    queries = [Query(text=text, mode="hybrid", weight=1.0)]
    names = list(given.aliases or ())
    if names:
        queries.append(Query(text=" ".join(names), mode="relational", weight=policy.query_expansion.max_weight))
    if policy.query_expansion.enabled:
        queries += _expansions(text, given, policy, room=policy.query_expansion.max_queries - len(queries))
    return tuple(queries[: max(1, policy.query_expansion.max_queries)])


def _expansions(text: str, given: PlanningInput, policy: RetrievalPolicy, room: int) -> list[Query]:
    """Other names of what the message names, then its keywords alone, then the topic it goes on from."""
    spread = policy.query_expansion
    found: dict[str, Query] = {}

    def add(words: str, weight: float, why: str) -> None:
        folded = words.strip().casefold()
        if folded and folded != text.casefold() and folded not in found:
            found[folded] = Query(text=words.strip(), mode="associative", weight=round(weight, 3), hints={"why": why})

    for names in (given.aliases or {}).items():
        every = (names[0], *names[1])
        said = next((name for name in sorted(every, key=len, reverse=True) if name.casefold() in text.casefold()), "")
        for other in every:
            if said and other.casefold() != said.casefold():
                add(_swap(text, said, other), spread.max_weight, f"{other} is {said}")
    words = keywords(text, limit=spread.max_queries)
    if spread.keywords and len(words) > 1:
        add(" ".join(words), (spread.min_weight + spread.max_weight) / 2, "keywords")
    if words and len(query_terms(text)) <= 2 and given.recent_texts:
        # A short follow-up ("and the price?") leans on what was asked just before.
        before = keywords(given.recent_texts[-1], limit=4)
        add(" ".join([*words, *before]), spread.min_weight, "goes on from the message before")
    return list(found.values())[: max(0, room)]


def _filters(text: str, asked: TimeHint | None) -> tuple[Filters, Preferences]:
    """Time words steer, they do not exclude: what is told of May is often told in June, so a range is a wish."""
    wish = TimeRange(start=asked.start, end=asked.end) if asked else None
    named = _NAMED_SOURCE.search(text)
    source = (named.group("en") or named.group("zh")) if named else None
    return Filters(), Preferences(time_range=wish, source_uri_prefix=(source,) if source else ())


def _asked_time(text: str, hints: Sequence[TimeHint], now: datetime) -> TimeHint | None:
    """The time the message asks about: of several, a plain one before a vague one, then the shortest."""
    ranges = [
        hint
        for hint in hints
        if hint.kind in {"day", "range", "recent"} and hint.start is not None and _steers(hint, text, now)
    ]
    return min(
        ranges, key=lambda hint: (hint.strength != "hard", (hint.end or now) - (hint.start or now)), default=None
    )


def _asked_order(text: str, hints: Sequence[TimeHint]) -> str:
    """Whether the message asks for the "last" or "first" of a series (最近一次, 第一次); "" for both or none."""
    ends = {hint.kind for hint in hints if hint.kind in {"first", "last"} and _is_asked(hint, text)}
    return ends.pop() if len(ends) == 1 else ""


def _swap(text: str, name: str, other: str) -> str:
    """The text with one name put in the place of another; spaces keep it apart from what it stands beside."""
    return re.sub(re.escape(name), lambda _: f" {other} ", text, flags=re.IGNORECASE).strip()


def _steers(hint: TimeHint, text: str, now: datetime) -> bool:
    """Whether time words say when the wanted thing was said.

    Not those that begin today or later (nothing was said then), and in a long message only those of a sentence that
    asks: "we fly on Friday. What did I pack last time?" is not about Friday.
    """
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if hint.start is not None and hint.start >= today:
        return False
    return _is_asked(hint, text)


def _is_asked(hint: TimeHint, text: str) -> bool:
    """Whether time words stand in a sentence that asks; of a short message all is taken to be asked."""
    if len(text) <= _SHORT_QUESTION:
        return True
    inside = next((text[a:b] for a, b in sentences(text) if a <= hint.span[0] < b), "")
    return "?" in inside or "？" in inside


_SHORT_QUESTION = 150


def _names_no_year(hint: TimeHint) -> bool:
    """A bare month or day ("3 May", "五月三号") is of the newest year that has anything on it, not of this one."""
    return bool(_MONTH.search(hint.text)) and not _YEAR.search(hint.text)


def _names_a_day(hint: TimeHint) -> bool:
    """A day of the calendar ("3 May", "2026-05-03", 五月三号) is surer than "last week" or a whole month."""
    if hint.start is None or hint.end is None or (hint.end - hint.start).days > _FEW_DAYS:
        return False
    return bool(_MONTH.search(hint.text) or _DATE.search(hint.text))


_FEW_DAYS = 7
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}")
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[0-9０-９一二三四五六七八九十]+\s*月(?!前)|^\d{1,2}[/.-]\d{1,2}$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\d{4}|\b(?:last|this|next)\b|年", re.IGNORECASE)


def _resources(text: str, purpose: Purpose, given: PlanningInput, policy: RetrievalPolicy) -> ResourceRetrieval:
    switch = policy.enable_resource_retrieval
    if switch != "auto":
        return ResourceRetrieval(enabled=switch == "always", reason=f"configured: {switch}")
    if not text or _SMALL_TALK.fullmatch(text):
        return ResourceRetrieval(enabled=False, reason="small talk")
    asked_for = asks_for_documents(text)
    if asked_for:
        return ResourceRetrieval(enabled=True, reason=asked_for)
    asked = set(query_terms(text))
    for ref in given.recent_refs:
        if asked & set(query_terms(" ".join(filter(None, (ref.title, ref.summary, ref.uri))))):
            return ResourceRetrieval(enabled=True, reason=f"a recent ref is relevant: {ref.uri}")
    if purpose in {"research", "qa", "debug"} and not given.memory_has_cover:
        return ResourceRetrieval(enabled=True, reason=f"{purpose} and memory has no cover")
    return ResourceRetrieval(enabled=False, reason="memory and the recent window suffice")
