"""Forgetting for good: what is meant is found, taken out with all that rests on it, and what is left is made anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from smartbrain.config import TtlRule
from smartbrain.contracts.results import ForgetCheck, ForgetReceipt
from smartbrain.errors import InputError
from smartbrain.model import Access, MemoryItem, Scope
from smartbrain.policies.expiry import TURNS, cutoff, expires_at, why_expired
from smartbrain.ports import Doomed, Forgotten, Reader, Writer
from smartbrain.runtime.context import Workshop, filled
from smartbrain.runtime.reading import ReadPath
from smartbrain.runtime.remaking import Remaking
from smartbrain.runtime.writing import WritePath
from smartbrain.text.clean import searchable
from smartbrain.text.terms import query_terms, term_counts

_FOUND_BY_QUERY = 10
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a caller wants forgotten; ``own`` says that the session is the scope itself."""

    session_id: str | None = None
    turn_id: str | None = None
    message_id: str | None = None
    item_id: str | None = None
    query: str | None = None
    everything: bool = False
    own: bool = False

    def checked(self) -> Wish:
        """Raises InputError unless it says one thing."""
        for name in ("session_id", "turn_id", "message_id", "item_id", "query"):
            if getattr(self, name) is not None:
                filled(getattr(self, name), name)
        given = [name for name in ("everything", "item_id", "query") if getattr(self, name)]
        given += ["turn_id" if self.message_id is None else "message_id"] if self.turn_id or self.message_id else []
        if len(given) > 1:
            raise InputError(f"give {given[0]} or {given[1]}, not both")
        if not given and self.session_id is None:
            raise InputError(
                "say what is to be forgotten: session_id, turn_id, message_id, item_id, query, or everything=True"
            )
        if self.everything and self.session_id is not None and not self.own:
            raise InputError("everything=True means all sessions; leave session_id out, or leave everything out")
        return self


class _DryRunError(Exception):
    """Rolls the transaction back and carries what it would have done."""

    def __init__(self, receipt: ForgetReceipt) -> None:
        super().__init__("dry run")
        self.receipt = receipt


class ForgetPath:
    """Forgets, and proves it."""

    def __init__(self, shop: Workshop, writing: WritePath, reading: ReadPath) -> None:
        self._shop = shop
        self._reading = reading
        self._remaking = Remaking(shop, writing)

    # -- forgetting ----------------------------------------------------------------------------------------------

    def forget(self, access: Access, wish: Wish, *, dry_run: bool) -> ForgetReceipt:
        """See ``SmartBrain.forget``. A dry run does everything and rolls back, so its counts are exact."""
        doomed = self._found(access._replace(read=access.write), wish.checked())
        return self._carried_out(
            access, lambda writer, others: self._forget_in(writer, access, doomed, others), dry_run
        )

    def prune(self, access: Access, *, dry_run: bool) -> ForgetReceipt:
        """See ``SmartBrain.prune``."""
        return self._carried_out(access, lambda writer, others: self._prune_in(writer, access, others), dry_run)

    def _carried_out(
        self, access: Access, forget: Callable[[Writer, Sequence[Scope]], ForgetReceipt], dry_run: bool
    ) -> ForgetReceipt:
        others = self._shop.storage.scopes(access.domain)
        waiting = self._shop.waiting.peek({access.domain})
        keep = self._shop.config.policies.observability.max_stored_contexts
        try:
            with self._shop.storage.write() as writer:
                # So that those which wait are judged and counted like the stored ones.
                for context in waiting.values():
                    if context.erasures == writer.erasures():
                        writer.put_context(context.record, keep)
                receipt = forget(writer, others)
                if dry_run:
                    raise _DryRunError(receipt.model_copy(update={"dry_run": True}))
                self._shop.vectors.within(writer, access.write)
        except _DryRunError as told:
            return told.receipt
        self._shop.waiting.done(waiting)
        self._reading.forget_packages(access.write)
        self._shop.tracker.forget(access.write)
        self._shop.vectors.committed(access.write)
        undone = self._shop.storage.scrub()
        return receipt.model_copy(update={"warnings": (undone,)}) if undone else receipt

    def _forget_in(self, writer: Writer, access: Access, doomed: Doomed, others: Sequence[Scope]) -> ForgetReceipt:
        undone = _undone_by(writer, access.write, doomed)
        told = [writer.forget(access.write, doomed)]
        for scope, session_id, turn_id in undone:  # without the undo it counts again
            if writer.turn([scope], session_id, turn_id) is not None:
                writer.mark_undone(scope, session_id, turn_id, None)
        # An edit or a retraction by hand is a turn that names its item and may quote it.
        while operations := _operations(writer, access.write, told):
            told.append(writer.forget(access.write, Doomed(turns=frozenset(operations))))
        items = {item.id: item for one in told for item in one.items}
        changed = [item for one in told for item in one.changed if item.id not in items]
        related = {turn for one in told for turn in one.related}
        remade = self._remaking.items(writer, access, [*items.values(), *changed], related, others)
        summaries = {place for one in (*told, remade.forgotten) for place in one.summaries}
        self._remaking.summaries(writer, summaries)
        counts = sum((Counter(one.counts) for one in told), Counter())
        counts["summaries"] += remade.forgotten.counts.get("summaries", 0)
        return ForgetReceipt(
            counts={name: counts[name] for name in sorted(told[0].counts)},
            item_ids=tuple(items),
            turn_ids=tuple(dict.fromkeys(turn for one in told for _, turn in one.turns)),
            kept=remade.kept,
        )

    def _prune_in(self, writer: Writer, access: Access, others: Sequence[Scope]) -> ForgetReceipt:
        """What is past its time: turns with all that rests on them alone, then items; other turns stay as they are."""
        rules, now = self._shop.config.policies.retention.ttl, self._shop.clock.now()
        old = {turn: why for scope in access.write for turn, why in _old_turns(writer, scope, rules, now)}
        receipt = self._forget_in(writer, access, Doomed(turns=frozenset(old)), others)
        expired = {turn_id: why for (_, turn_id), why in old.items()}
        every = writer.items(access.write, status=None)
        past = [item for item in every if (end := expires_at(item, rules)) is not None and end <= now]
        if past:
            receipt = self._without_items(writer, access, past, receipt)
            expired |= {item.id: why_expired(item.type, item.scope, rules) for item in past}
        return receipt.model_copy(update={"expired": expired})

    def _without_items(
        self, writer: Writer, access: Access, items: Sequence[MemoryItem], receipt: ForgetReceipt
    ) -> ForgetReceipt:
        """Items go, the turns that said them stay; what was done to them by hand goes with them."""
        since = min(item.recorded_at for item in items)
        told = [writer.forget(access.write, Doomed(items=frozenset(item.id for item in items), since=since))]
        operations = _operations(writer, access.write, told)
        if operations:
            told.append(writer.forget(access.write, Doomed(turns=frozenset(operations))))
        self._remaking.summaries(writer, {place for one in told for place in one.summaries})
        counts = sum((Counter(one.counts) for one in told), Counter(receipt.counts))
        return receipt.model_copy(
            update={
                "counts": {name: counts[name] for name in sorted(receipt.counts)},
                "item_ids": (*receipt.item_ids, *(item.id for item in items)),
                "turn_ids": tuple(dict.fromkeys((*receipt.turn_ids, *(turn for _, turn in operations)))),
            }
        )

    # -- what is meant -------------------------------------------------------------------------------------------

    def _found(self, access: Access, wish: Wish) -> Doomed:
        if wish.everything:
            return Doomed(everything=True)
        with self._shop.storage.read() as reader:
            if wish.query is not None:
                return self._found_by_query(reader, access, wish)
            if wish.item_id is not None:
                return _with_turns(reader, access, [wish.item_id])
            if wish.message_id is not None:
                return Doomed(messages=frozenset(_messages(reader, access, wish)))
            if wish.turn_id is not None:
                return Doomed(turns=frozenset(_turns(reader, access, wish)))
        return Doomed(sessions=frozenset({str(wish.session_id)}))

    def _found_by_query(self, reader: Reader, access: Access, wish: Wish) -> Doomed:
        pack = self._reading.search_memory(reader, access, str(wish.query), _FOUND_BY_QUERY, None)
        words = set(query_terms(str(wish.query)))
        # Search also finds what stands beside an answer; that must not go because it stood there.
        hits = [e.ref for e in pack.evidences if words & set(term_counts(e.snippet))]
        hits = [ref for ref in hits if wish.own or wish.session_id in (None, ref.session_id)]
        found = _with_turns(reader, access, [ref.memory_item_id for ref in hits if ref.memory_item_id])
        turns = {(ref.session_id, ref.turn_id) for ref in hits if ref.session_id and ref.turn_id}
        return replace(found, turns=found.turns | turns)

    # -- proving it ----------------------------------------------------------------------------------------------

    def verify(self, access: Access, text: str) -> ForgetCheck:
        """See ``SmartBrain.verify_forgotten``."""
        wanted = searchable(filled(text, "text"))
        with self._shop.storage.read() as reader:
            found = Counter(reader.traces(access.read, text))
        records = [context.record for context in self._shop.waiting.peek().values()]
        kept = {
            "waiting_contexts": [str((r.request, r.plan, r.package)) for r in records if _reads(r.request, access)],
            "package_cache": [package.to_json() for package in self._reading.kept_packages(access.read)],
            "logs": [str(entry) for entry in self._shop.tracker.of(access.read)],
        }
        for place, texts in kept.items():
            found[place] += sum(wanted in searchable(one) for one in texts)
        left = {place: count for place, count in sorted(found.items()) if count}
        return ForgetCheck(forgotten=not left, found=left)


def _reads(request: object, access: Access) -> bool:
    read = request.get("read", ()) if hasattr(request, "get") else ()
    return bool({tuple(scope) for scope in read} & {tuple(scope) for scope in access.read})


def _with_turns(reader: Reader, access: Access, ids: Iterable[str]) -> Doomed:
    """Items with the versions they replaced, and the turns that said any of them."""
    items: dict[str, MemoryItem] = {}
    wanted = list(ids)
    while wanted:
        found = reader.items(access.write, ids=wanted, status=None)
        items |= {item.id: item for item in found}
        wanted = [old for item in found for old in item.supersedes if old not in items]
    turns = {(source.session_id, source.turn_id) for item in items.values() for source in item.sources}
    return Doomed(items=frozenset(items), turns=frozenset(turns))


def _turns(reader: Reader, access: Access, wish: Wish) -> set[tuple[str, str]]:
    turn_id = str(wish.turn_id)
    stored = reader.turns(access.write, session_id=wish.session_id, turn_ids=[turn_id])
    opened = [turn for turn in reader.open_turns(access.write, wish.session_id) if turn.turn_id == turn_id]
    found = {(t.session_id, t.turn_id) for t in stored} | {(t.session_id, t.turn_id) for t in opened}
    return _one(found, f"turn_id {turn_id!r}", "session_id")


def _messages(reader: Reader, access: Access, wish: Wish) -> set[tuple[str, str, str]]:
    named = None if wish.turn_id is None else [wish.turn_id]
    turns = reader.turns(access.write, session_id=wish.session_id, turn_ids=named)
    saying = [turn for turn in turns if named or any(m.id == wish.message_id for m in turn.messages)]
    found = {(turn.session_id, turn.turn_id) for turn in saying}
    for opened in reader.open_turns(access.write, wish.session_id):
        said = any(record.payload.get("id") == wish.message_id for record in opened.staged)
        if said and wish.turn_id in (None, opened.turn_id):
            found.add((opened.session_id, opened.turn_id))
    return {(*turn, str(wish.message_id)) for turn in _one(found, f"message_id {wish.message_id!r}", "turn_id")}


def _one(found: set[tuple[str, str]], what: str, hint: str) -> set[tuple[str, str]]:
    if len(found) > 1:
        raise InputError(f"{what} is used in {len(found)} turns here; give {hint}, too")
    return found


def _undone_by(reader: Reader, scopes: Sequence[Scope], doomed: Doomed) -> list[tuple[Scope, str, str]]:
    """The turns that the doomed ones undid."""
    turns = [turn for place in doomed.turns if (turn := reader.turn(scopes, *place)) is not None]
    return [(turn.scope, turn.session_id, str(turn.meta["undoes"])) for turn in turns if "undoes" in turn.meta]


def _old_turns(
    reader: Reader, scope: Scope, rules: Sequence[TtlRule], now: datetime
) -> Iterator[tuple[tuple[str, str], str]]:
    """The turns of a scope that are past their time, and why; what stands in the log for an undo or an edit is as old
    as it says, too."""
    until = cutoff(scope, rules, now)
    if until is not None:
        for turn in reader.turns([scope], until=until + _MOMENT):
            yield (turn.session_id, turn.turn_id), why_expired(TURNS, scope, rules)


def _operations(reader: Reader, scopes: Sequence[Scope], told: Sequence[Forgotten]) -> set[tuple[str, str]]:
    ids = {item.id for one in told for item in one.items}
    gone = {turn for one in told for turn in one.turns}
    related = {turn for one in told for turn in one.related} - gone
    found = set()
    for session_id, turn_id in related:
        turn = reader.turn(scopes, session_id, turn_id)
        named = [op.get("item_id") in ids for op in turn.meta.get("operations", ())] if turn is not None else []
        # Of an undo that did something to other items, too, only what it did to these goes (the store sees to that).
        if turn is not None and (all(named) if "undoes" in turn.meta else any(named)) and named:
            found.add((session_id, turn_id))
    return found
