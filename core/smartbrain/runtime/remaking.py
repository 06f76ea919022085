"""What rested on forgotten turns, made anew from the turns that stay."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from smartbrain.model import Access, Changes, IdFactory, MemoryItem, Scope, Turn
from smartbrain.policies._ledger import Slot, slot_of
from smartbrain.policies.conflict import resolve
from smartbrain.policies.corrections import correct
from smartbrain.policies.retention import decide
from smartbrain.ports import CommitRecord, Doomed, Forgotten, Reader, Writer
from smartbrain.runtime.context import Workshop
from smartbrain.runtime.writing import WritePath

_NOTHING = Forgotten({})
_OFTEN = 1 << 30  # what was kept once needs no second mention


@dataclass
class Remade:
    """What became of the items under the keys that something was forgotten of: by id, why each is still there."""

    kept: dict[str, str] = field(default_factory=dict)
    forgotten: Forgotten = _NOTHING


class Remaking:
    """Makes items and summaries anew, within the transaction that forgot."""

    def __init__(self, shop: Workshop, writing: WritePath) -> None:
        self._shop = shop
        self._writing = writing

    def items(
        self,
        writer: Writer,
        access: Access,
        touched: Sequence[MemoryItem],
        related: Collection[tuple[str, str]],
        others: Sequence[Scope],
    ) -> Remade:
        """Every item under the touched keys anew, from its turns.

        A value may have been built on a forgotten one, or closed by it; so a key is read again as if what was
        forgotten had never been said. Items keep their ids. What cannot be read again (a model found it) stays as it
        was worded.
        """
        slots = {slot_of(item) for item in touched if item.scope in access.write}
        left = _under(writer, slots)
        if not left:
            return Remade()
        wanted = {(source.session_id, source.turn_id) for item in left for source in item.sources} | set(related)
        found = (writer.turn(access.write, *turn) for turn in sorted(wanted))
        turns = sorted((turn for turn in found if turn is not None), key=lambda t: (t.recorded_at, t.seq))
        forgotten = writer.forget(access.write, Doomed(items=frozenset(item.id for item in left)))
        ids = _Ids(writer, left)
        scopes = tuple(dict.fromkeys((*access.write, *others)))
        for turn in turns:
            self._read_again(writer, turn, Access(scopes, scopes, turn.scope), slots, ids)
        return Remade(self._kept(writer, left, ids), forgotten)

    def _read_again(self, writer: Writer, turn: Turn, access: Access, slots: set[Slot], ids: _Ids) -> None:
        candidates, retractions = self._writing.read_again(writer, turn, access)
        candidates = [candidate for candidate in candidates if slot_of(candidate) in slots]
        retractions = [retraction for retraction in retractions if slot_of(retraction) in slots]
        gate = {candidate.key: _OFTEN for candidate in candidates}
        decided = decide(candidates, policy=self._shop.config.policies.retention, gate=gate)
        touched = {slot_of(thing) for thing in (*candidates, *retractions)}
        existing = _under(writer, touched)
        given = {"turn": turn, "recorded_at": turn.recorded_at, "new_id": ids.of(turn), "types": self._shop.types}
        self._apply(writer, turn, resolve(decided, retractions, existing, **given))  # type: ignore[arg-type]
        for operation in turn.meta.get("operations", ()):
            if operation["item_id"] in ids.old:
                item = next(iter(writer.items([turn.scope], ids=[operation["item_id"]], status=None)), None)
                self._apply(writer, turn, correct(item, operation, turn, ids.of(turn)))

    def _apply(self, writer: Writer, turn: Turn, changes: Changes) -> None:
        verdicts = tuple(verdict for verdict in changes.verdicts if verdict.item_id is not None)
        commit_id = f"{turn.session_id}/{turn.turn_id}@{turn.revision}"
        record = CommitRecord(commit_id, turn.session_id, turn.turn_id, turn.scope, turn.recorded_at, verdicts)
        writer.apply(changes.model_copy(update={"verdicts": verdicts}), record)

    def _kept(self, writer: Writer, left: Sequence[MemoryItem], ids: _Ids) -> dict[str, str]:
        kept = {}
        for old in left:
            if old.id in ids.used:
                (new,) = writer.items([old.scope], ids=[old.id], status=None)
                again = old.status != "active" and new.status == "active"
                why = "what replaced it was forgotten; it is in force again" if again else "it was said elsewhere, too"
            else:
                self._put_back(writer, old)
                why = "said elsewhere, too; it cannot be read again without a model, so it keeps its wording"
            kept[old.id] = why
        return kept

    def _put_back(self, writer: Writer, old: MemoryItem) -> None:
        named = {*old.supersedes, *([old.superseded_by] if old.superseded_by else [])}
        there = {item.id for item in writer.items([old.scope], ids=named, status=None)}
        update: dict[str, object] = {"supersedes": tuple(one for one in old.supersedes if one in there)}
        if old.superseded_by is not None and old.superseded_by not in there:
            update |= {"status": "active", "valid_to": None, "closed_at": None, "superseded_by": None, "reason": None}
        item = old.model_copy(update=update)
        commit_id = f"{item.source_session_id}/{item.source_turn_id}"
        record = CommitRecord(
            commit_id, item.source_session_id, item.source_turn_id, item.scope, self._shop.clock.now(), ()
        )
        writer.apply(Changes(inserts=(item,)), record)

    def summaries(self, writer: Writer, places: Iterable[tuple[Scope, str]]) -> None:
        """The template's summaries of sessions that lost one, where one is due; a model's are made after the next
        commit."""
        for scope, session_id in sorted(places):
            self._writing.summarize_again(writer, scope, session_id)


def _under(reader: Reader, slots: Iterable[Slot]) -> list[MemoryItem]:
    """Every version under some keys."""
    found = (reader.items([slot.scope], type=slot.type, key=slot.key, status=None) for slot in sorted(slots))
    return [item for items in found for item in items]


class _Ids:
    """Ids for items that are made anew: those the same turns gave before, then fresh ones."""

    def __init__(self, writer: Writer, old: Sequence[MemoryItem]) -> None:
        self._writer = writer
        self._items = old
        self.old = {item.id for item in old}
        self.used: set[str] = set()

    def of(self, turn: Turn) -> IdFactory:
        """The factory for one turn."""
        place = (turn.session_id, turn.turn_id)

        def new_id() -> str:
            said = [item for item in self._items if item.id not in self.used]
            said = [item for item in said if any((s.session_id, s.turn_id) == place for s in item.sources)]
            said.sort(key=lambda item: (item.source_session_id, item.source_turn_id) != place)
            found = said[0].id if said else self._fresh(turn)
            self.used.add(found)
            return found

        return new_id

    def _fresh(self, turn: Turn) -> str:
        count = 0
        while True:
            count += 1
            origin = "\x1f".join((*turn.scope, *_place(turn), "after forgetting", str(count)))
            name = f"mem_{hashlib.sha256(origin.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
            if name not in self.used and not self._writer.items([turn.scope], ids=[name], status=None):
                return name


def _place(turn: Turn) -> tuple[str, str, str]:
    """What names one revision of a turn."""
    return turn.session_id, turn.turn_id, str(turn.revision)
