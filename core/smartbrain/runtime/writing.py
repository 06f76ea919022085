"""The write path: the truth first, then what is worth keeping of it (architecture: one turn)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any

from smartbrain.config import SecretsPolicy
from smartbrain.contracts.base import validate
from smartbrain.contracts.results import CommitExplain, CommitResult, MemoryWritten
from smartbrain.contracts.turn_events import TurnEvents
from smartbrain.errors import ContractError, InputError, PluginError, SmartBrainError
from smartbrain.extraction.structured import structured_candidates
from smartbrain.model import (
    Access,
    Candidate,
    Changes,
    IdFactory,
    ItemClosure,
    ItemStatus,
    MemoryItem,
    Message,
    Retraction,
    Scope,
    ToolCall,
    Turn,
    TurnStatus,
    Verdict,
    content_hash,
)
from smartbrain.policies.conflict import resolve
from smartbrain.policies.corrections import correct
from smartbrain.policies.retention import decide, subject_of
from smartbrain.policies.secrets import guard, guard_retractions, guard_said, guard_verdicts
from smartbrain.policies.wording import headline
from smartbrain.ports import CommitRecord, Extraction, Extractor, OpenTurn, Reader, Staged, Writer
from smartbrain.retrieval.evidence import turn_uri
from smartbrain.runtime.context import Workshop, aware, filled
from smartbrain.runtime.deadline import Deadline, LateError
from smartbrain.runtime.entities import mentions_in
from smartbrain.runtime.known import WrittenBefore, written_before
from smartbrain.runtime.summarizing import SummaryPath
from smartbrain.text.language import detect

_STRUCTURED = (
    "decisions",
    "tasks",
    "goals",
    "preferences",
    "entities",
    "events",
    "profile",
    "cases",
    "patterns",
    "retractions",
    "custom",
)


@dataclass(frozen=True, slots=True)
class Incoming:
    """One turn on its way in: validated, its scope resolved, its ids and times set."""

    session_id: str
    turn_id: str
    access: Access
    events: TurnEvents
    ignored: tuple[str, ...]
    occurred_at: datetime
    status: TurnStatus = "committed"


class WritePath:
    """Commits turns. One object serves all threads; nothing of a run is kept on it."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._secrets = shop.config.policies.secrets
        self._summaries = SummaryPath(shop)
        self._deadline = Deadline("smartbrain-extract", most=4)

    # -- what comes in -------------------------------------------------------------------------------------------

    def incoming(
        self,
        session_id: str,
        turn_events: TurnEvents | Mapping[str, Any] | str | None,
        *,
        access: Access,
        turn_id: str | None,
        occurred_at: datetime | str | None,
    ) -> Incoming:
        """Validates everything before anything is written; raises InputError naming entry and field."""
        filled(session_id, "session_id")
        events, ignored = TurnEvents.read(turn_events if turn_events is not None else {})
        if self._secrets.everywhere:
            events = guard_said(events, self._secrets)
        turn_id = self._shop.new_id() if turn_id is None else filled(turn_id, "turn_id")
        events = _with_message_ids(events, turn_id)
        said = aware(occurred_at, "occurred_at") or next(
            (m.created_at for m in events.messages if m.created_at is not None), self._shop.clock.now()
        )
        # Scopes and keys of the structured entries are checked here, so that a bad one leaves nothing half-written.
        structured_candidates(events, access=access, occurred_at=said, language="", types=self._shop.types)
        return Incoming(session_id, turn_id, access, events, tuple(ignored), said)

    # -- committing ----------------------------------------------------------------------------------------------

    def commit(self, incoming: Incoming) -> CommitResult:
        """One turn, durable when it returns."""
        started = perf_counter()
        turn = self._draft(incoming)
        proposals = self._propose(turn)
        with self._shop.storage.write() as writer:
            result, turn = self._commit_in(writer, incoming, turn, proposals)
            if result.status != "replayed":
                self._shop.vectors.within(writer, incoming.access.write, turn)
            self._flush_contexts(writer, {incoming.access.domain})
        if result.pending:
            result = self._finish_with_model(incoming, result)
        if self._shop.summarizer is not None and result.status != "replayed":
            result = self._summarize_with_model(incoming, result)
        if result.status != "replayed":
            self._shop.vectors.committed(incoming.access.write)
        result = self._offered(incoming, result)
        self._log(result, perf_counter() - started, incoming.access)
        return result

    def commit_many(self, batch: Sequence[Incoming], progress: Any = None) -> list[CommitResult]:
        """Many turns in few transactions, in order; each transaction is whole, an error stops at its start."""
        results: list[CommitResult] = []
        for start in range(0, len(batch), _BATCH):
            chunk = batch[start : start + _BATCH]
            domains = {i.access.domain for i in chunk}
            with self._shop.storage.write() as writer:
                # In one order everywhere: where a store locks by tenant, two batches cannot wait for each other.
                writer.generation(sorted(i.access.default_write for i in chunk))
                done = [self.commit_in(writer, i) for i in chunk]
                scopes = dict.fromkeys(scope for i in chunk for scope in i.access.write)
                self._shop.vectors.within(writer, scopes)
                self._flush_contexts(writer, domains)
            self._shop.vectors.committed(scopes)
            waits = True
            for incoming, committed in zip(chunk, done, strict=True):
                # A client that did not take one turn's refs is not waited for again with each of the others.
                result = self._offered(incoming, committed) if waits else committed
                waits = waits and not any(ref.outcome == "failed" for ref in result.explain.refs)
                self._log(result, 0.0, incoming.access)
                results.append(result)
                if progress is not None:
                    progress(incoming, result)
        return results

    def _draft(self, incoming: Incoming) -> Turn:
        """The turn before its place in the session is known."""
        return _as_turn(incoming, seq=1, recorded_at=self._shop.clock.now())

    def _propose(self, turn: Turn, reader: Reader | None = None, status: ItemStatus | None = "active") -> Extraction:
        """What the rules see in the turn, and in what the session's turn before it wrote (of the given status)."""

        def load() -> list[MemoryItem]:
            with nullcontext(reader) if reader is not None else self._shop.storage.read() as source:
                return written_before(source, turn.scope, turn.session_id, turn.turn_id, status=status)

        known = WrittenBefore(load)
        return _joined(_read_by(rule, turn, known) for rule in self._shop.rules)

    def commit_in(self, writer: Writer, incoming: Incoming) -> CommitResult:
        """One turn within a transaction that is open; making its vectors is the caller's."""
        turn = self._draft(incoming)
        return self._commit_in(writer, incoming, turn, self._propose(turn, writer))[0]

    def _commit_in(
        self, writer: Writer, incoming: Incoming, turn: Turn, proposals: Extraction
    ) -> tuple[CommitResult, Turn]:
        """What became of the turn, and the turn as it is stored."""
        now = self._shop.clock.now()
        scope = incoming.access.default_write
        staged = _staged_turn(writer, scope, incoming.session_id, incoming.turn_id)
        if staged is not None:
            incoming = _with_staged(incoming, staged)
            writer.close_open_turn(scope, incoming.session_id, incoming.turn_id)
            turn = self._draft(incoming)
            proposals = self._propose(turn, writer)
        before = writer.turn([scope], incoming.session_id, incoming.turn_id)
        seq = before.seq if before else writer.next_seq(scope, incoming.session_id)
        turn = turn.model_copy(update={"seq": seq, "recorded_at": now})
        commit_id = f"{incoming.session_id}/{incoming.turn_id}@{(before.revision + 1) if before else 1}"
        if before is not None:
            if before.content_hash == turn.content_hash and before.status != "aborted":
                return _replayed(before, commit_id, incoming.ignored, now), before
            turn = turn.model_copy(update={"revision": before.revision + 1})
        pending = self._shop.extractor is not None and turn.status == "committed" and "operations" not in turn.meta
        if pending:
            turn = turn.model_copy(update={"status": "pending"})
        writer.append_turn(turn)
        changes = self._remember(writer, turn, incoming, proposals, commit_id, revised=before is not None)
        summary = self._summaries.within(writer, turn, changes)
        result = CommitResult(
            commit_id=commit_id,
            session_id=turn.session_id,
            turn_id=turn.turn_id,
            revision=turn.revision,
            status="revised" if before else "committed",
            pending=pending,
            memory_written=MemoryWritten(
                count=len(changes.inserts), items=changes.inserts, conflicts=changes.conflicts
            ),
            summary=summary,
            explain=CommitExplain(retention=changes.verdicts, conflicts=changes.conflicts, summary=summary),
            ignored_fields=incoming.ignored,
            recorded_at=now,
        )
        return result, turn

    # -- memory --------------------------------------------------------------------------------------------------

    def _remember(
        self,
        writer: Writer,
        turn: Turn,
        incoming: Incoming,
        proposals: Extraction,
        commit_id: str,
        *,
        revised: bool,
    ) -> Changes:
        language = detect(" ".join(m.text for m in turn.messages if m.role == "user")[:2000])
        given, taken_back = structured_candidates(
            incoming.events,
            access=incoming.access,
            occurred_at=incoming.occurred_at,
            language=language,
            types=self._shop.types,
        )
        proposals = _yielding(proposals, given)
        candidates, hidden = guard([*given, *proposals.candidates], self._secrets)
        retractions = guard_retractions([*taken_back, *proposals.retractions], self._secrets)
        mentions = mentions_in(writer, [turn.scope], turn, candidates, proposals.mentions)
        if mentions:
            writer.add_mentions(turn, mentions)
        gate = self._gate(writer, turn, candidates)
        decided = decide(candidates, policy=self._shop.config.policies.retention, gate=gate)
        changes = self._resolve(writer, turn, decided, retractions)
        new_id = _item_ids(turn, "by hand")
        for operation in turn.meta.get("operations", ()):
            changes = _together(changes, self._correct(writer, turn, operation, new_id))
        if revised:
            changes = _without_the_unsaid(writer, turn, changes)
        changes = self._explained(changes, proposals, hidden)
        record = CommitRecord(commit_id, turn.session_id, turn.turn_id, turn.scope, turn.recorded_at, changes.verdicts)
        if changes != _NO_CHANGES:
            writer.apply(changes, record)
        return changes

    def _explained(self, changes: Changes, proposals: Extraction, hidden: Sequence[Verdict]) -> Changes:
        """With the verdicts on what was not proposed and on what was hidden; none quotes a secret."""
        verdicts = guard_verdicts((*proposals.skipped, *hidden, *changes.verdicts), self._secrets)
        return changes.model_copy(update={"verdicts": verdicts})

    def _correct(self, reader: Reader, turn: Turn, operation: Mapping[str, Any], new_id: IdFactory) -> Changes:
        scope = Scope(*operation["scope"]) if "scope" in operation else turn.scope
        found = reader.items([scope], ids=[operation["item_id"]], status=None)
        return correct(found[0] if found else None, operation, turn, new_id)

    def remember_again(self, writer: Writer, turn: Turn, access: Access) -> None:
        """Makes a turn's memory anew, as it was made when the turn was committed."""
        incoming = _incoming_again(turn, access)
        proposals = self._propose(self._draft(incoming), writer)
        commit_id = f"{turn.session_id}/{turn.turn_id}@{turn.revision}"
        changes = self._remember(writer, turn, incoming, proposals, commit_id, revised=False)
        self._summaries.within(writer, turn, changes)
        if self._shop.extractor is not None and turn.status == "committed":
            # What a model found is gone with the rest; it is asked again when the caller says catch_up().
            writer.set_turn_status(turn.scope, turn.session_id, turn.turn_id, "pending")

    def read_again(self, reader: Reader, turn: Turn, access: Access) -> tuple[list[Candidate], list[Retraction]]:
        """What the entries and the words of a stored turn say, as they were read when it was committed."""
        incoming = _incoming_again(turn, access)
        given, taken_back = structured_candidates(
            incoming.events,
            access=access,
            occurred_at=turn.occurred_at,
            language=detect(" ".join(m.text for m in turn.messages if m.role == "user")[:2000]),
            types=self._shop.types,
        )
        # What the turn took back is no longer active by now.
        proposals = _yielding(self._propose(self._draft(incoming), reader, status=None), given)
        candidates, _ = guard([*given, *proposals.candidates], self._secrets)
        return candidates, guard_retractions([*taken_back, *proposals.retractions], self._secrets)

    def summarize_again(self, writer: Writer, scope: Scope, session_id: str) -> None:
        """Makes a session's summary from the turns it has now, if one is due and no model is to write it."""
        for turn in writer.turns([scope], session_id=session_id, last=1):
            self._summaries.within(writer, turn, Changes())

    def summarize_anew(self, writer: Writer, turn: Turn, because: str) -> None:
        """Makes the summary of a turn's session in any case, if no model is to write it."""
        self._summaries.within(writer, turn, Changes(), because)

    def _gate(self, reader: Reader, turn: Turn, candidates: Sequence[Candidate]) -> dict[str, int]:
        keys = {c.key for c in candidates if c.type == "entities"}
        if not keys:
            return {}
        window = self._shop.config.policies.retention.entity_gate.window_turns
        return reader.mention_turns([turn.scope], turn.session_id, keys, window)

    def _resolve(
        self,
        reader: Reader,
        turn: Turn,
        decided: Sequence[tuple[Candidate, Verdict]],
        retractions: Sequence[Retraction],
        by: str = "",
    ) -> Changes:
        wanted = {(c.scope, c.type, c.key) for c, v in decided if v.action != "skipped"}
        wanted |= {(r.scope, r.type, r.key) for r in retractions}
        existing: list[MemoryItem] = []
        for scope, type_, key in sorted(wanted):
            existing += reader.items([scope], type=type_, key=key, status=None)
        return resolve(
            decided,
            retractions,
            existing,
            turn=turn,
            recorded_at=turn.recorded_at,
            new_id=_item_ids(turn, by),
            types=self._shop.types,
        )

    # -- a model, if one is plugged in ---------------------------------------------------------------------------

    def _finish_with_model(self, incoming: Incoming, result: CommitResult) -> CommitResult:
        scope = incoming.access.default_write
        try:
            changes = self.finish(scope, incoming.session_id, incoming.turn_id)
        except SmartBrainError as error:
            self._shop.tracker.count("extractor_failures")
            return result.model_copy(update={"warnings": (*result.warnings, f"{error}; catch_up() will try again")})
        written = result.memory_written
        return result.model_copy(
            update={
                "pending": False,
                "memory_written": MemoryWritten(
                    count=written.count + len(changes.inserts),
                    items=(*written.items, *changes.inserts),
                    conflicts=(*written.conflicts, *changes.conflicts),
                ),
                "explain": result.explain.model_copy(
                    update={
                        "retention": (*result.explain.retention, *changes.verdicts),
                        "conflicts": (*result.explain.conflicts, *changes.conflicts),
                    }
                ),
            }
        )

    def _summarize_with_model(self, incoming: Incoming, result: CommitResult) -> CommitResult:
        with self._shop.storage.read() as reader:
            turn = reader.turn([incoming.access.default_write], incoming.session_id, incoming.turn_id)
        if turn is None:
            return result
        written = Changes(inserts=result.memory_written.items)
        note = self._summaries.after(turn, written)
        warnings = (*result.warnings, note.warning) if note.warning else result.warnings
        explain = result.explain.model_copy(update={"summary": note})
        return result.model_copy(update={"summary": note, "explain": explain, "warnings": warnings})

    def finish(self, scope: Scope, session_id: str, turn_id: str) -> Changes:
        """Lets the plugged-in extractor see a pending turn. No transaction is open while it runs.

        Raises PluginError when it fails; the turn stays pending then.
        """
        extractor = self._shop.extractor
        erasures = self._shop.storage.erasures()
        with self._shop.storage.read() as reader:
            turn = reader.turn([scope], session_id, turn_id)
            known = self._shop.living(reader).items([scope], status="active", limit=200)
        if turn is None or turn.status != "pending":
            return Changes()
        # What was undone before a model saw it is not to come back by it.
        found = Extraction() if turn.undone_at is not None else self._ask_extractor(turn, known)
        with self._shop.storage.write() as writer:
            now = writer.turn([scope], session_id, turn_id)
            if now is None or now.status != "pending" or now.revision != turn.revision or writer.erasures() != erasures:
                return Changes()
            if now.undone_at is not None:
                found = Extraction()
            candidates, hidden = guard(found.candidates, self._secrets)
            gate = self._gate(writer, turn, candidates)
            decided = decide(candidates, policy=self._shop.config.policies.retention, gate=gate)
            retractions = guard_retractions(found.retractions, self._secrets)
            changes = self._resolve(writer, turn, decided, retractions, by=extractor.name if extractor else "")
            changes = self._explained(changes, found, hidden)
            commit_id = f"{session_id}/{turn_id}@{turn.revision}+{extractor.name if extractor else 'none'}"
            record = CommitRecord(commit_id, session_id, turn_id, scope, self._shop.clock.now(), changes.verdicts)
            writer.apply(changes, record)
            writer.set_turn_status(scope, session_id, turn_id, "committed")
            self._shop.vectors.within(writer, [scope])
        self._shop.vectors.committed([scope])
        return changes

    def _ask_extractor(self, turn: Turn, known: Sequence[MemoryItem]) -> Extraction:
        extractor = self._shop.extractor
        if extractor is None:
            return Extraction()
        seconds = self._shop.config.policies.retention.extractor_timeout_ms / 1000
        try:
            return self._deadline.call(lambda: extractor.extract(turn, known), seconds)
        except LateError:
            raise PluginError(f"extractor {extractor.name} did not answer within {seconds:g} s") from None
        except Exception as error:
            raise PluginError(f"extractor {extractor.name} failed on turn {turn.turn_id}: {error}") from error

    # -- small change --------------------------------------------------------------------------------------------

    def _flush_contexts(self, writer: Writer, domains: Collection[str]) -> None:
        waiting = self._shop.waiting.peek(domains)
        erasures = writer.erasures() if waiting else 0
        for context in waiting.values():
            if context.erasures == erasures:  # else it may show what was forgotten since
                writer.put_context(context.record, self._shop.config.policies.observability.max_stored_contexts)
        # A rollback after this loses debug records only, never a turn.
        self._shop.waiting.done(waiting)

    def flush_contexts(self) -> None:
        """Writes waiting contexts now."""
        for domain in sorted({context.domain for context in self._shop.waiting.peek().values()}):
            with self._shop.storage.write() as writer:  # one for each domain: no tenant waits for another
                self._flush_contexts(writer, {domain})

    def _offered(self, incoming: Incoming, result: CommitResult) -> CommitResult:
        """The result with what became of the turn's refs."""
        refs = incoming.events.refs
        if not refs or result.status == "replayed":
            return result
        turn = turn_uri(result.session_id, result.turn_id)
        outcomes = self._shop.resources.offer(refs, incoming.access.default_write, turn)
        return result.model_copy(update={"explain": result.explain.model_copy(update={"refs": outcomes})})

    def _log(self, result: CommitResult, took: float, access: Access) -> None:
        self._shop.tracker.committed(
            {
                "commit_id": result.commit_id,
                "session_id": result.session_id,
                "turn_id": result.turn_id,
                "status": result.status,
                "items": [
                    {"id": i.id, "type": i.type, "key": i.key, "confidence": i.confidence, "status": i.status}
                    for i in result.memory_written.items
                ],
                "conflicts": [c.model_dump(mode="json") for c in result.memory_written.conflicts],
                "summary": {"trigger": result.summary.trigger_reason, "range": result.summary.turn_range},
                "took_ms": round(took * 1000, 3),
            },
            access.write,
        )


_ENTRIES = set(_STRUCTURED)
_BATCH = 256
_NO_CHANGES = Changes()


def _with_message_ids(events: TurnEvents, turn_id: str) -> TurnEvents:
    """Every message and tool call gets an id; results that came apart from their call stay where they are."""
    messages = tuple(
        m if m.id else m.model_copy(update={"id": f"{turn_id}#{n}"}) for n, m in enumerate(events.messages)
    )
    ids = [m.id for m in messages]
    if len(set(ids)) != len(ids):
        twice = next(i for i in ids if ids.count(i) > 1)
        raise ContractError(
            f"TurnEvents: messages: the id {twice!r} is used twice in one turn", entry="messages", field="id"
        )
    return events.model_copy(update={"messages": messages})


def _as_turn(incoming: Incoming, *, seq: int, recorded_at: datetime) -> Turn:
    events = incoming.events
    dumped = events.model_dump(mode="json", include=_ENTRIES, exclude_defaults=True)
    structured = {name: dumped[name] for name in _STRUCTURED if name in dumped}
    return Turn(
        session_id=incoming.session_id,
        turn_id=incoming.turn_id,
        scope=incoming.access.default_write,
        seq=seq,
        status=incoming.status,
        messages=events.messages,
        tool_calls=events.tool_calls,
        refs=events.refs,
        occurred_at=incoming.occurred_at,
        recorded_at=recorded_at,
        content_hash=content_hash(events.messages, events.tool_calls, events.refs, structured),
        structured=structured,
        meta=events.meta,
    )


def _incoming_again(turn: Turn, access: Access) -> Incoming:
    events = validate(TurnEvents, {**turn.structured, "meta": turn.meta})
    events = events.model_copy(update={"messages": turn.messages, "tool_calls": turn.tool_calls, "refs": turn.refs})
    return Incoming(turn.session_id, turn.turn_id, access, events, (), turn.occurred_at, turn.status)


def _item_ids(turn: Turn, reader: str = "") -> Any:
    """Ids that a rebuild from the same turns makes again: a digest of the turn, of who read it (the rules, a plugged-in
    extractor, an operation by hand), and a running number."""
    origin = "\x1f".join((*turn.scope, turn.session_id, turn.turn_id, str(turn.revision), reader))
    stem = hashlib.sha256(origin.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    count = 0

    def new_id() -> str:
        nonlocal count
        count += 1
        return f"mem_{stem}_{count}"

    return new_id


def _joined(found: Iterable[Extraction]) -> Extraction:
    found = list(found)
    return Extraction(
        candidates=tuple(c for f in found for c in f.candidates),
        retractions=tuple(r for f in found for r in f.retractions),
        mentions=tuple(m for f in found for m in f.mentions),
        refs=tuple(r for f in found for r in f.refs),
        skipped=tuple(v for f in found for v in f.skipped),
    )


def _yielding(proposals: Extraction, given: Sequence[Candidate]) -> Extraction:
    """Where the caller hands over entries of a type, what was read from the text of that type gives way: the same
    fact under two keys would be two memories."""
    spoken_for = {candidate.type for candidate in given if candidate.explicit}
    skipped = [
        Verdict(
            subject=subject_of(c),
            action="skipped",
            rule="structured_entries_speak",
            reason=f"the caller handed over {c.type} with this turn; what its words say of them gives way",
            type=c.type,
            key=c.key,
            confidence=c.confidence,
            trust=c.trust,
            message_id=c.message_id,
            span=c.span,
            quote=c.quote,
            found_by=c.rule,
        )
        for c in proposals.candidates
        if c.type in spoken_for
    ]
    kept = tuple(c for c in proposals.candidates if c.type not in spoken_for)
    return replace(proposals, candidates=kept, skipped=(*proposals.skipped, *skipped))


def _together(one: Changes, other: Changes) -> Changes:
    return Changes(**{name: (*getattr(one, name), *getattr(other, name)) for name in Changes.model_fields})


def _read_by(rule: Extractor, turn: Turn, known: Sequence[MemoryItem]) -> Extraction:
    """Nothing to keep is an answer; that a rule could not read the turn is an error, and nothing is written then."""
    try:
        return rule.extract(turn, known)
    except SmartBrainError:
        raise
    except Exception as error:
        raise PluginError(f"the rules {rule.name!r} could not read turn {turn.turn_id}: {error}") from error


def _replayed(turn: Turn, commit_id: str, ignored: tuple[str, ...], now: datetime) -> CommitResult:
    verdict = Verdict(
        subject=f"turn {turn.turn_id}",
        action="replayed",
        rule="same_turn_id_same_content",
        reason="this turn was committed before with the same content; nothing changed",
        type="turn",
        key=turn.turn_id,
        confidence=1.0,
    )
    return CommitResult(
        commit_id=commit_id.rpartition("@")[0] + f"@{turn.revision}",
        session_id=turn.session_id,
        turn_id=turn.turn_id,
        revision=turn.revision,
        status="replayed",
        pending=turn.status == "pending",
        explain=CommitExplain(retention=(verdict,)),
        ignored_fields=ignored,
        recorded_at=now,
    )


def _without_the_unsaid(reader: Reader, turn: Turn, changes: Changes) -> Changes:
    """What only the older revision said is taken back: it was edited away."""
    said_again = {s.item_id for s in changes.sightings} | {c.item_id for c in changes.closures}
    closures: list[ItemClosure] = []
    verdicts: list[Verdict] = []
    for item in reader.items([turn.scope], status="active"):
        only_here = item.source_turn_id == turn.turn_id and item.source_session_id == turn.session_id
        elsewhere = any((s.session_id, s.turn_id) != (turn.session_id, turn.turn_id) for s in item.counting)
        if not only_here or elsewhere or item.id in said_again:
            continue
        reason = f"turn {turn.turn_id} was revised and no longer says it"
        closures.append(ItemClosure(item_id=item.id, status="retracted", valid_to=turn.recorded_at, reason=reason))
        verdicts.append(
            Verdict(
                subject=headline(item.type, item.value, item.language) or item.key,
                action="retracted",
                rule="turn_revised",
                reason=reason,
                type=item.type,
                key=item.key,
                confidence=item.confidence,
                item_id=item.id,
            )
        )
    return changes.model_copy(
        update={"closures": (*changes.closures, *closures), "verdicts": (*changes.verdicts, *verdicts)}
    )


# -- staging -----------------------------------------------------------------------------------------------------


def staged_records(
    messages: Sequence[Message | Mapping[str, Any]],
    tool_calls: Sequence[ToolCall | Mapping[str, Any]],
    turn_id: str,
    secrets: SecretsPolicy | None = None,
) -> list[Staged]:
    """Records with keys that make staging idempotent: a message's id, a tool result's call id, a call's id.

    What is staged is in the store: a log that is to hold no secret (``secrets.everywhere``) begins here.
    """
    hide = secrets if secrets is not None and secrets.everywhere else None
    records: list[Staged] = []
    for given in messages:
        message = given if isinstance(given, Message) else validate(Message, given)
        message = guard_said(message, hide) if hide else message
        if message.role == "tool" and message.tool_call_id:
            key = f"result:{message.tool_call_id}"
        elif message.id:
            key = f"message:{message.id}"
        else:
            raise InputError(f"a staged {message.role} message of turn {turn_id} needs an id (or a tool_call_id)")
        records.append(Staged(key, "message", message.model_dump(mode="json")))
    for given_call in tool_calls:
        call = given_call if isinstance(given_call, ToolCall) else validate(ToolCall, given_call)
        call = guard_said(call, hide) if hide else call
        records.append(Staged(f"call:{call.id}", "tool_call", call.model_dump(mode="json")))
    return records


def _staged_turn(reader: Reader, scope: Scope, session_id: str, turn_id: str) -> OpenTurn | None:
    return next((t for t in reader.open_turns([scope], session_id) if t.turn_id == turn_id), None)


def _with_staged(incoming: Incoming, staged: OpenTurn) -> Incoming:
    """What was staged, in its order, then what the commit brings that was not staged."""
    merged = merge_staged(staged, incoming.events)
    occurred = min(incoming.occurred_at, staged.occurred_at)
    return Incoming(
        incoming.session_id,
        incoming.turn_id,
        incoming.access,
        _with_message_ids(merged, incoming.turn_id),
        incoming.ignored,
        occurred,
        incoming.status,
    )


def merge_staged(staged: OpenTurn, events: TurnEvents) -> TurnEvents:
    """Staged and committed records of one turn, each once, the commit's version of a record winning."""
    messages = {r.key: validate(Message, r.payload) for r in staged.staged if r.kind == "message"}
    calls = {r.key: validate(ToolCall, r.payload) for r in staged.staged if r.kind == "tool_call"}
    for record in staged_records(
        [m for m in events.messages if m.id or m.tool_call_id], events.tool_calls, staged.turn_id
    ):
        if record.kind == "message":
            messages[record.key] = validate(Message, record.payload)
        else:
            calls[record.key] = validate(ToolCall, record.payload)
    return events.model_copy(update={"messages": tuple(messages.values()), "tool_calls": tuple(calls.values())})
