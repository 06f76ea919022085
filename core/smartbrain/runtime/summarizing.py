"""The rolling summary: when it is due, from what it is made, and by whom."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from smartbrain.contracts.results import SummaryNote
from smartbrain.errors import ConflictError
from smartbrain.model import Changes, MemoryItem, Summary, Turn
from smartbrain.policies.consolidation import LINE_LIMIT, SummaryDraft, anticipate, build_summary, should_summarize
from smartbrain.policies.secrets import without_secrets
from smartbrain.ports import Reader, Said, TokenCounter, Writer
from smartbrain.runtime.context import Workshop
from smartbrain.runtime.deadline import Deadline, LateError
from smartbrain.text.language import detect_all

# What a session's summary tells of, whichever session it is from; the template tells of nothing else.
_STANDING = ("goals", "decisions", "tasks")
_MOST_ITEMS = 200
# No text has more tokens than this many a character in any profile we ship (rare scripts and emoji come near it).
_TOKENS_A_CHARACTER = 1.5
_LINES = 1_024  # a summary's lines whose tokens are remembered, of all sessions together


@dataclass(frozen=True, slots=True)
class Due:
    """A summary that is due: why, and what it is to be made of."""

    trigger: str
    previous: Summary | None
    turns: Sequence[Said]
    items: list[MemoryItem]


class SummaryPath:
    """Makes summaries: from the template within the commit, or by a plugged-in model after it."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._counter = _LineCounter(shop.counter)
        self._deadline = Deadline("smartbrain-summarize", most=4)

    def within(self, writer: Writer, turn: Turn, changes: Changes, because: str = "") -> SummaryNote:
        """The template summary, if one is due and no model is to write it; ``because`` makes one due in any case."""
        if self._shop.summarizer is not None:
            return SummaryNote()
        previous = writer.summary([turn.scope], turn.session_id)
        due = self._due(writer, turn, changes, _STANDING, previous, because)
        if due is None:
            anticipate(turn, self._counter, previous)
            return SummaryNote()
        refs = [hit.ref for hit in writer.refs([turn.scope], session_id=turn.session_id, limit=12)]
        draft = build_summary(
            due.items,
            due.turns,
            refs,
            language=detect_all(m.text for t in due.turns for m in t.messages if m.role == "user"),
            max_tokens=self._shop.config.policies.composition.summary_max_tokens,
            counter=self._counter,
            previous=due.previous,
        )
        if not draft.text.strip() and not because:
            return SummaryNote(warning="nothing to summarise; the earlier summary stays")
        return self._put(writer, turn, due, draft)

    def after(self, turn: Turn, changes: Changes) -> SummaryNote:
        """The model's summary, if one is due. No transaction is open while it runs; a failure changes nothing."""
        summarizer = self._shop.summarizer
        if summarizer is None:
            return SummaryNote()
        erasures = self._shop.storage.erasures()
        with self._shop.storage.read() as reader:
            previous = reader.summary([turn.scope], turn.session_id)
            due = self._due(reader, turn, changes, tuple(self._shop.types), previous)
            seqs = (_since(turn, previous), turn.seq)
            turns = reader.turns([turn.scope], session_id=turn.session_id, seqs=seqs) if due else []
        if due is None:
            return SummaryNote()
        limit = self._shop.config.policies.composition.summary_max_tokens
        earlier = due.previous.text if due.previous else None
        seconds = self._shop.config.policies.consolidation.summarizer_timeout_ms / 1000
        try:
            text = self._deadline.call(lambda: summarizer.summarize(earlier, turns, due.items, limit), seconds)
        except LateError:
            return self._failed(f"summarizer {summarizer.name} did not answer within {seconds:g} s")
        except Exception as error:  # noqa: BLE001 - a plug-in may raise anything; it is counted and said
            return self._failed(f"summarizer {summarizer.name} failed: {error}")
        if not isinstance(text, str) or not text.strip():
            return self._failed(f"summarizer {summarizer.name} gave no text")
        if self._shop.counter.count(text) > limit:
            return self._failed(f"summarizer {summarizer.name} gave more than {limit} tokens")
        ids = tuple(i.id for i in due.items)
        draft = SummaryDraft(text.strip(), ids, tuple(t.turn_id for t in due.turns))
        try:
            with self._shop.storage.write() as writer:
                if writer.erasures() != erasures:
                    return self._failed("something was forgotten meanwhile")
                return self._put(writer, turn, due, draft)
        except ConflictError:
            # Somebody summarised the session meanwhile; theirs rests on the same turns.
            return self._failed("another summary of this session was written meanwhile")

    def _failed(self, why: str) -> SummaryNote:
        self._shop.tracker.count("summarizer_failures")
        return SummaryNote(warning=f"{why}; the earlier summary stays")

    def _due(
        self,
        reader: Reader,
        turn: Turn,
        changes: Changes,
        types: Collection[str],
        previous: Summary | None,
        because: str = "",
    ) -> Due | None:
        """The summary that is due after the ``previous`` one, with the items of some types; None if none is."""
        policies = self._shop.config.policies
        since = _since(turn, previous)
        turns, characters = reader.said_since([turn.scope], turn.session_id, since)
        pressing = policies.consolidation.token_pressure * policies.composition.token_limit
        fresh: Sequence[Said] | None = None
        tokens = 0
        if characters * _TOKENS_A_CHARACTER > pressing:
            fresh = reader.said([turn.scope], turn.session_id, (since, turn.seq))
            tokens = sum(self._shop.counter.count(m.text) for t in fresh for m in t.messages)
        trigger = because or should_summarize(
            turns_since=turns,
            tokens_since=tokens,
            token_limit=policies.composition.token_limit,
            turn=turn,
            changes=changes,
            retention=policies.retention,
            consolidation=policies.consolidation,
        )
        if not trigger:
            return None
        if fresh is None:
            fresh = reader.said([turn.scope], turn.session_id, (since, turn.seq))
        living = self._shop.living(reader)
        items = [
            item
            for type_ in types
            for item in living.items([turn.scope], type=type_, limit=_MOST_ITEMS)
            if item.type in _STANDING or item.source_session_id == turn.session_id
        ]
        return Due(trigger, previous, fresh, items)

    def _put(self, writer: Writer, turn: Turn, due: Due, draft: SummaryDraft) -> SummaryNote:
        summary = Summary(
            session_id=turn.session_id,
            scope=turn.scope,
            version=(due.previous.version if due.previous else 0) + 1,
            text=without_secrets(draft.text, self._shop.config.policies.secrets),
            turn_from=due.turns[0].seq,
            turn_to=due.turns[-1].seq,
            generated_at=turn.recorded_at,
            trigger=due.trigger,
            item_ids=tuple(draft.item_ids),
            turn_ids=tuple(draft.turn_ids),
        )
        writer.put_summary(summary)
        return SummaryNote(
            triggered=True,
            trigger_reason=due.trigger,
            version=summary.version,
            turn_range=(summary.turn_from, summary.turn_to),
            text=summary.text,
        )


def _since(turn: Turn, previous: Summary | None) -> int:
    """From which turn on there is something to tell; one that is revised after it was told of is told of again."""
    return min((previous.turn_to if previous else 0) + 1, turn.seq)


class _LineCounter:
    """Counts tokens and remembers those of the newest lines: they are counted when their turn is committed, again for
    the summary that tells of it, and for those that carry them on."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self._line = lru_cache(maxsize=_LINES)(counter.count)

    def count(self, text: str) -> int:
        """As the counter does."""
        return self._line(text) if len(text) <= LINE_LIMIT + 8 else self._counter.count(text)
