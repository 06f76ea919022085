"""Policies as frozen values, from ``brain.yml``. Every default is contracts.md's; an unknown key is an error."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from smartbrain.errors import ConfigError


class Policy(BaseModel):
    """Base of all policy values."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class EntityGate(Policy):
    """An entity is kept once seen in ``freq_threshold`` of the last ``window_turns`` turns."""

    window_turns: int = Field(default=20, ge=1)
    freq_threshold: int = Field(default=2, ge=1)


class Confidence(Policy):
    """Confidence (0..1) by who said it: floors for ``user_asserted``/``tool_derived``, a ceiling for ``inferred``."""

    user_asserted: float = Field(default=0.8, ge=0.0, le=1.0)
    tool_derived: float = Field(default=0.9, ge=0.0, le=1.0)
    inferred: float = Field(default=0.6, ge=0.0, le=1.0)


class TtlRule(Policy):
    """How many ``days`` something is kept after it was last said; without days, for ever.

    ``type`` is a memory type, or ``turns`` for the log of what was said; ``domain`` a tenant; ``scope`` a scope as
    ``type:id``. What a rule leaves out, it does not ask for (``turns`` must be named).
    """

    type: str | None = None
    domain: str | None = None
    scope: str | None = None
    days: float | None = Field(default=None, gt=0.0)

    @field_validator("scope")
    @classmethod
    def _names_a_scope(cls, value: str | None) -> str | None:
        if value is not None and ":" not in value:
            raise ValueError('must be "type:id", as "global:default"')
        return value


class RetentionPolicy(Policy):
    """What becomes long-term memory (contracts.md §3), and for how long.

    ``ttl`` are rules of age, of which the first that fits counts (docs/history.md). What is past its time is not
    offered any more and stays visible as ``expired`` until ``prune`` removes it; without rules everything is kept.
    ``classifier``: whether the bundled clause classifier reads what users say, beside the rules (docs/extraction.md).
    ``extractor_timeout_ms``: a plugged-in extractor that takes longer is not waited for; ``catch_up`` asks it again.
    """

    summarize_after_turns: int = Field(default=12, ge=1)
    ttl: tuple[TtlRule, ...] = ()
    entity_gate: EntityGate = EntityGate()
    confidence: Confidence = Confidence()
    classifier: bool = True
    extractor_timeout_ms: int = Field(default=30_000, ge=1)


class ConsolidationPolicy(Policy):
    """When the rolling summary is made anew (contracts.md §4).

    ``summarizer_timeout_ms``: a plugged-in summariser that takes longer is not waited for; the earlier summary stays.
    """

    token_pressure: float = Field(default=0.7, gt=0.0, le=1.0)
    stage_events: bool = True
    summarizer_timeout_ms: int = Field(default=30_000, ge=1)


class QueryExpansion(Policy):
    """Widening by alias, by the topic gone on from, and by keyword; it never makes facts.

    ``keywords`` is off because a list of the question's own keywords measured worse than the question alone
    (docs/benchmarks.md); what the question says is already in it.
    """

    enabled: bool = True
    keywords: bool = False
    max_queries: int = Field(default=8, ge=1)
    min_queries: int = Field(default=3, ge=1)
    min_weight: float = Field(default=0.5, gt=0.0, lt=1.0)
    max_weight: float = Field(default=0.8, gt=0.0, lt=1.0)


class PlanDiversityPolicy(Policy):
    by_document: int = Field(default=3, ge=1)
    by_source: int = Field(default=10, ge=1)
    by_section: int = Field(default=1, ge=1)


class FusionPolicy(Policy):
    """How result lists of several modes become one."""

    method: Literal["rrf", "weighted_sum", "none"] = "rrf"
    rrf_k: int = Field(default=60, ge=1)
    weights: dict[str, float] = Field(default_factory=dict)


class RerankPolicy(Policy):
    """Whether a reranker sees the first ``top_n`` candidates; without ``enabled``, if one is plugged in.

    An answer that takes longer than ``timeout_ms`` is not waited for.
    """

    enabled: bool | None = None
    top_n: int = Field(default=50, ge=1)
    timeout_ms: int = Field(default=2000, ge=1)


class LexicalPolicy(Policy):
    """BM25 (Robertson & Zaragoza 2009) and what is added to it for conversations; a weight of 0 switches a part off.

    ``character_weight`` is what a single Chinese character counts beside a word. ``related`` is the share of the
    question's weight that words of the best turns get in a second round, ``related_several`` where more than one thing
    is asked for. ``pool`` bounds how many turns with matching words are scored in full. ``neighbours`` turns the
    smoothing over neighbouring turns on, with its shares (``alone``: of a turn's own score, where a neighbour is
    missing, ``lone`` where there is none at all; ``long_turn``: characters from which a turn receives less).
    ``evidence_floor`` is the share of a full answer's score below which the best match does not count as strong. In a
    message that also tells something names count ``name_weight`` times as much as other words, and
    ``statement_segment_weight`` stands for ``segment_weight``. ``brief_penalty`` is what a turn of fewer than
    ``brief_terms`` terms pays for saying little, times ln((1 + ``brief_terms``) / (1 + terms)). ``named_day_weight``
    stands for ``date_weight`` where the question names a day of the calendar; ``order_weight`` is for the newest or the
    oldest turns, where it asks for the last or the first. ``item_weight`` is what a memory item's score counts beside a
    turn's. ``spread`` is what each further turn of one stretch of conversation pays. ``recency_days`` is the age in
    days at which the recency bonus has fallen to 0.37. A message that also tells something ("I tried your tips. What is
    next?") goes on with what was talked of lately: for it what scores best gets up to ``lately_weight`` more, falling
    to 0.37 within ``lately_stretches`` stretches of conversation (of up to 4,000 characters each).
    """

    k1: float = Field(default=1.2, gt=0.0)
    b: float = Field(default=0.4, ge=0.0, le=1.0)
    character_weight: float = Field(default=0.5, ge=0.0, le=1.0)
    related: float = Field(default=0.1, ge=0.0, le=1.0)
    related_several: float = Field(default=0.25, ge=0.0, le=1.0)
    pool: int = Field(default=4000, ge=100)
    neighbours: bool = True
    after_question: float = Field(default=0.8, ge=0.0, le=1.0)
    after_statement: float = Field(default=0.05, ge=0.0, le=1.0)
    neighbour: float = Field(default=0.35, ge=0.0, le=1.0)
    second_neighbour: float = Field(default=0.4, ge=0.0, le=1.0)
    alone: float = Field(default=0.6, ge=0.0, le=1.0)
    lone: float = Field(default=0.8, ge=0.0, le=1.0)
    long_turn: float = Field(default=400.0, gt=0.0)
    evidence_floor: float = Field(default=0.3, ge=0.0, le=1.0)
    segment_weight: float = Field(default=0.46, ge=0.0)
    statement_segment_weight: float = Field(default=0.7, ge=0.0)
    name_weight: float = Field(default=2.5, ge=1.0)
    speaker_weight: float = Field(default=0.36, ge=0.0)
    date_weight: float = Field(default=1.0, ge=0.0)
    named_day_weight: float = Field(default=2.0, ge=0.0)
    order_weight: float = Field(default=0.15, ge=0.0)
    question_penalty: float = Field(default=0.15, ge=0.0)
    question_chars: int = Field(default=160, ge=0)
    brief_penalty: float = Field(default=0.1, ge=0.0)
    brief_terms: int = Field(default=16, ge=0)
    assistant_penalty: float = Field(default=0.1, ge=0.0)
    item_weight: float = Field(default=0.9, ge=0.0)
    spread: float = Field(default=0.02, ge=0.0)
    recency_weight: float = Field(default=0.09, ge=0.0)
    recency_days: float = Field(default=100.0, gt=0.0)
    lately_weight: float = Field(default=2.0, ge=0.0)
    lately_stretches: float = Field(default=20.0, gt=0.0)


class SemanticPolicy(Policy):
    """Meaning, where an embedder is plugged in; a weight of 0 switches it off for turns or for memory items.

    ``weight_foreign`` is added for what is said in another language than the question, which words cannot find;
    ``weight_stretch`` is what the nearness of the conversation around a turn counts for a message that also tells
    something, ``weight_thread`` what the nearness of that conversation to those that fit best. ``weight_across`` is
    what its words in that language count, ``nearness_across`` the cosine from which two words do. ``nearest`` documents
    of a scope become candidates beside those with matching words, if their cosine is at least ``min_cosine``.
    ``prior_weight`` is how many texts of a language the model's general mean counts for when vectors are centred. A
    long text is cut into windows of ``window_chars`` (a Chinese character counts double) that overlap, at most
    ``max_windows`` of them.
    ``embed_in``: ``background`` makes vectors after the commit, ``commit`` within it, for an embedder that takes
    microseconds. ``batch`` texts are embedded at once; a question that takes longer than ``query_timeout_ms`` is
    answered by words alone. The weights hold for questions of up to ``long_question`` terms (single Chinese characters
    not counted); for longer ones they fall by (``long_question`` / terms) squared; 0: they never fall.
    """

    weight_events: float = Field(default=1.3, ge=0.0)
    weight_items: float = Field(default=0.7, ge=0.0)
    weight_foreign: float = Field(default=1.2, ge=0.0)
    weight_stretch: float = Field(default=2.0, ge=0.0)
    weight_thread: float = Field(default=1.0, ge=0.0)
    weight_across: float = Field(default=1.2, ge=0.0)
    nearness_across: float = Field(default=0.4, ge=0.0, lt=1.0)
    nearest: int = Field(default=100, ge=1)
    min_cosine: float = Field(default=-1.0, ge=-1.0, lt=1.0)
    prior_weight: float = Field(default=5.0, ge=0.0)
    window_chars: int = Field(default=800, ge=50)
    window_overlap: int = Field(default=150, ge=0)
    max_windows: int = Field(default=32, ge=1)
    long_question: int = Field(default=0, ge=0)
    embed_in: Literal["background", "commit"] = "background"
    batch: int = Field(default=16, ge=1)
    query_timeout_ms: int = Field(default=1000, ge=1)


class StaticPolicy(SemanticPolicy):
    """The embedder that is always there (docs/static-embedder.md): as ``semantic``, with weights of its own.

    Beside another embedder it only says what a question's words are in the other language. ``enabled: false`` switches
    both off. A sum of many words is near to too much, so its weight falls with the length of a question. In the mode
    ``associative`` words at least ``nearness_akin`` near to those asked take part, each weighing up to ``weight_akin``.
    """

    enabled: bool = True
    weight_events: float = Field(default=0.7, ge=0.0)
    weight_items: float = Field(default=0.8, ge=0.0)
    weight_foreign: float = Field(default=0.8, ge=0.0)
    weight_stretch: float = Field(default=0.0, ge=0.0)
    weight_thread: float = Field(default=0.0, ge=0.0)
    nearness_across: float = Field(default=0.5, ge=0.0, lt=1.0)
    min_cosine: float = Field(default=0.2, ge=-1.0, lt=1.0)
    prior_weight: float = Field(default=50.0, ge=0.0)
    long_question: int = Field(default=9, ge=0)
    weight_akin: float = Field(default=0.3, ge=0.0, le=1.0)
    nearness_akin: float = Field(default=0.6, ge=0.4, lt=1.0)
    embed_in: Literal["background", "commit"] = "commit"


class DocumentsPolicy(Policy):
    """Where among documents is looked, and when they are asked at all.

    ``roots`` are the folders below which ``api/``, ``architecture/``, ``logic/`` and ``domains/`` are looked for; with
    ``""``, the whole library, those folders are preferred and none is a condition. A question whose best memory reaches
    less than the share ``cover`` of a full answer's score is put to documents too.
    """

    roots: tuple[str, ...] = ("docs/", "")
    cover: float = Field(default=0.5, ge=0.0, le=1.0)

    @field_validator("roots")
    @classmethod
    def _end_in_a_slash(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError('needs at least one folder; "" is the whole library')
        return tuple(root if not root or root.endswith("/") else f"{root}/" for root in value)


class RetrievalPolicy(Policy):
    """How evidence is looked for (contracts.md §5).

    ``own_question``: where a message says what its question is ("what I really wanted to ask is"), that is looked for.
    """

    enable_resource_retrieval: Literal["auto", "always", "never"] = "auto"
    resource_timeout_ms: int = Field(default=2000, ge=1)
    documents: DocumentsPolicy = DocumentsPolicy()
    top_k: int = Field(default=30, ge=1)
    candidate_k: int = Field(default=200, ge=1)
    own_question: bool = True
    per_mode_k: dict[str, int] = Field(default={"exact": 10, "semantic": 10, "hybrid": 30})
    diversity: PlanDiversityPolicy = PlanDiversityPolicy()
    query_expansion: QueryExpansion = QueryExpansion()
    fusion: FusionPolicy = FusionPolicy()
    rerank: RerankPolicy = RerankPolicy()
    lexical: LexicalPolicy = LexicalPolicy()
    semantic: SemanticPolicy = SemanticPolicy()
    static: StaticPolicy = StaticPolicy()

    @field_validator("enable_resource_retrieval", mode="before")
    @classmethod
    def _yaml_switch(cls, value: Any) -> Any:
        # YAML reads a bare on/off or true/false as a boolean; the seed's file writes the word auto.
        return {True: "always", False: "never"}.get(value, value) if isinstance(value, bool) else value


class DiversityPolicy(Policy):
    """At most so many pieces of evidence of one document, and of one full source URI."""

    by_document: int = Field(default=3, ge=1)
    by_source_uri: int = Field(default=2, ge=1)
    memory_resource_ratio: str = "40/60"

    @field_validator("memory_resource_ratio")
    @classmethod
    def _is_a_ratio(cls, value: str) -> str:
        left, slash, right = value.partition("/")
        if not (slash and left.isdigit() and right.isdigit() and int(left) + int(right) > 0):
            raise ValueError(f'must look like "40/60", got {value!r}')
        return value

    @property
    def memory_share(self) -> float:
        """The share of evidence places for memory, 0..1, when both sides have enough."""
        memory, resource = (int(part) for part in self.memory_resource_ratio.split("/"))
        return memory / (memory + resource)


class CompositionPolicy(Policy):
    """The slots and their token budgets (contracts.md §7)."""

    token_limit: int = Field(default=8192, ge=1)
    system_blocks_max_tokens: int = Field(default=800, ge=0)
    summary_max_tokens: int = Field(default=600, ge=0)
    recent_turns_max: int = Field(default=8, ge=0)
    evidence_max_items: int = Field(default=12, ge=0)
    max_snippet_chars: int = Field(default=800, ge=1)
    min_score: float = Field(default=0.0, ge=0.0, le=1.0)
    token_profile: str = "o200k"
    diversity: DiversityPolicy = DiversityPolicy()


SecretAction = Literal["mask", "redact", "block", "off"]


class SecretsPolicy(Policy):
    """What becomes of credentials and personal numbers before they are kept; see ``text.secrets`` for what is found.

    ``mask`` puts the kind in their place, with enough to tell one from another (``[github_token …q3Zx]``; nothing of a
    password), ``redact`` the kind alone, ``block`` keeps nothing of the memory (or the text) they stand in, ``off``
    leaves them. ``cards`` are payment cards, ``national_ids`` Chinese identity numbers, ``phones`` Chinese mobile
    numbers. It holds for memory items, summaries and explanations; with ``everywhere`` also for the log of what was
    said, which else keeps every message as it was.
    """

    credentials: SecretAction = "mask"
    private_keys: SecretAction = "mask"
    cards: SecretAction = "mask"
    national_ids: SecretAction = "off"
    phones: SecretAction = "off"
    everywhere: bool = False

    @field_validator("credentials", "private_keys", "cards", "national_ids", "phones", mode="before")
    @classmethod
    def _yaml_off(cls, value: Any) -> Any:
        return "off" if value is False else value  # YAML reads a bare off as a boolean


class ObservabilityPolicy(Policy):
    """What is logged and kept. ``trace_sample`` is the share of calls whose debug part is filled, 0..1."""

    trace: bool = True
    trace_sample: float = Field(default=1.0, ge=0.0, le=1.0)
    store_plans: bool = True
    store_contexts: bool = True
    max_logs: int = Field(default=256, ge=1)
    max_stored_contexts: int = Field(default=1000, ge=0)


class ResourcesPolicy(Policy):
    """Which refs of a turn the resource client is offered (docs/resources.md).

    Files only under ``roots``, links resolved; no root, no file. URLs are offered by name; only a plugged-in fetcher
    fetches them, and what it brings has at most ``max_fetched`` characters or bytes. A client that takes longer than
    ``offer_timeout_ms`` is not waited for, and goes on by itself.
    """

    roots: tuple[str, ...] = ()
    offer_files: bool = True
    offer_urls: bool = True
    offer_artifacts: bool = True
    max_refs: int = Field(default=20, ge=0)
    max_fetched: int = Field(default=2_000_000, ge=0)
    offer_timeout_ms: int = Field(default=1000, ge=1)


class Policies(Policy):
    """The four kinds of policy of seed 000, consolidation's own numbers, secrets, and what resources are offered."""

    retention: RetentionPolicy = RetentionPolicy()
    consolidation: ConsolidationPolicy = ConsolidationPolicy()
    retrieval: RetrievalPolicy = RetrievalPolicy()
    composition: CompositionPolicy = CompositionPolicy()
    observability: ObservabilityPolicy = ObservabilityPolicy()
    secrets: SecretsPolicy = SecretsPolicy()
    resources: ResourcesPolicy = ResourcesPolicy()


class PostgresPolicy(Policy):
    """How a store on a PostgreSQL server behaves: ``pool_size`` connections at most for each process.

    ``partitions`` hash-partitions a schema by tenant when it is made, 0 does not. ``row_level_security`` tells the
    server the tenant of each statement, for its policies. ``statement_timeout_ms`` 0 is no limit.
    """

    pool_size: int = Field(default=10, ge=1, le=1000)
    partitions: int = Field(default=0, ge=0, le=1024)
    row_level_security: bool = False
    statement_timeout_ms: int = Field(default=0, ge=0)
    connect_timeout_s: int = Field(default=10, ge=1)


class StorePolicy(Policy):
    """How the store behaves: ``busy_timeout_ms`` waits for another process, ``durability`` of a commit.

    ``full`` survives power loss, ``normal`` survives a crash of the process. ``vector_cache_mb`` bounds the vectors
    kept in memory: 100,000 documents of 384 dimensions are 154 MB.
    """

    busy_timeout_ms: int = Field(default=30_000, ge=0)
    durability: Literal["full", "normal"] = "full"
    vector_cache_mb: int = Field(default=1024, ge=0)
    context_cache_size: int = Field(default=32, ge=0)
    postgres: PostgresPolicy = PostgresPolicy()


class BrainConfig(Policy):
    """The whole of ``brain.yml``."""

    policies: Policies = Policies()
    store: StorePolicy = StorePolicy()

    @classmethod
    def load(cls, source: str | Path | Mapping[str, Any] | None) -> BrainConfig:
        """Defaults overlaid with a YAML file or a mapping.

        Raises ConfigError for a file that cannot be read, an unknown key (naming the nearest known one) or a value
        out of range.
        """
        if source is None:
            return cls()
        data = source if isinstance(source, Mapping) else _read_yaml(Path(source))
        for path, name, known in _unknown_keys(data, cls):
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
            raise ConfigError(f"unknown configuration key {path!r}; did you mean {near[0] if near else '—'!r}?")
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            path = ".".join(str(part) for part in first["loc"])
            message = first["msg"].removeprefix("Value error, ")
            raise ConfigError(f"configuration key {path!r}: {message} (got {first['input']!r})") from error


def _read_yaml(path: Path) -> Mapping[str, Any]:
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid YAML: {error}") from error
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise ConfigError(f"{path}: the top level must be a mapping")
    return data


def _unknown_keys(
    data: Mapping[str, Any], cls: type[BaseModel], path: str = ""
) -> Iterator[tuple[str, str, list[str]]]:
    for name, value in data.items():
        here = f"{path}.{name}" if path else str(name)
        field = cls.model_fields.get(str(name))
        if field is None:
            yield here, str(name), list(cls.model_fields)
        elif isinstance(value, Mapping) and isinstance(field.annotation, type) and issubclass(field.annotation, Policy):
            yield from _unknown_keys(value, field.annotation, here)


def differences(before: BaseModel, after: BaseModel, path: str = "") -> dict[str, tuple[Any, Any]]:
    """The settings in which two configurations (or any two values of one model) differ, by dotted path."""
    found: dict[str, tuple[Any, Any]] = {}
    for name in type(before).model_fields:
        here = f"{path}.{name}" if path else name
        old, new = getattr(before, name), getattr(after, name)
        if isinstance(old, BaseModel) and type(old) is type(new):
            found |= differences(old, new, here)
        elif old != new:
            found[here] = (old, new)
    return found
