"""English tasks and their flow: to do, in progress, done, blocked, called off."""

from __future__ import annotations

from collections.abc import Iterator

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_lists import listed
from smartbrain.extraction._en_task_done import (
    and_so_on,
    got_done,
    has_done,
    has_verb,
    held_up,
    is_done,
    just_done,
    no_work,
    not_done_yet,
    not_yet,
    out,
    sent_out,
    short_is,
    stuck_on,
    used_up,
)
from smartbrain.extraction._en_task_words import (
    and_then,
    asks_help,
    asks_to_remind,
    bare,
    empty,
    first_person,
    for_you,
    in_progress,
    is_dated,
    is_due,
    need_to,
    needs_doing,
    no_need,
    off_the_list,
    only_points,
    onto_the_list,
    says_todo,
    shared_chore,
    trailing,
    us,
)
from smartbrain.extraction._en_verbs import as_base, concrete, moment, thing_of
from smartbrain.extraction.hits import FIRM, Hit, due_day, looked_like, task


def find(clause: Clause) -> Iterator[Hit]:
    """The tasks of one clause; at most one rule fires."""
    for rule in (
        listed,
        _cancelled,
        _blocked,
        _still_to_do,
        _doing,
        _done,
        _due,
        _must_be_done,
        _todo,
        _put_on_the_list,
        _ship,
    ):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return


def _made(
    clause: Clause, rule: str, said: str, status: str, *, thing: str = "", retract: bool = False, firm: bool = False
) -> Iterator[Hit]:
    whole = clause.span(0, len(clause.text))
    reason = guards.stopped(clause)
    if reason in ("question", "hypothesis") and asks_to_remind.match(clause.text):
        reason = ""
    title = said.strip(" .,;:!?\"'“”")
    thing = thing or thing_of(title)
    if not reason and (
        not thing or (status == "todo" and not retract and len(title.split()) < _LEAST) or empty().fullmatch(thing)
    ):
        reason = "nothing named"
    if reason:
        yield looked_like("tasks", rule, whole, reason)
        return
    due = due_day(_with_date(clause), clause.sentence.said_at) if status == "todo" and not retract else None
    confidence = FIRM if firm else 0.85
    yield task(rule, whole, thing=thing, title=title, status=status, due=due, retract=retract, confidence=confidence)


def _with_date(clause: Clause) -> str:
    """The clause, and a date right behind its comma: "ship it, by Friday"."""
    following = clause.later[0] if clause.later else ""
    own = clause.lead + clause.text
    return f"{own} {following}" if is_dated().match(following.strip()) else own


# "I need to restock" does not say what.
_LEAST = 2


def _speaks(clause: Clause, matched: str) -> bool:
    """Whether the user is the one who does it: without an "I" only where the sentence begins with it."""
    return first_person().match(matched) is not None or all(len(other.split()) <= 2 for other in clause.earlier)


def _typed(clause: Clause, start: int, end: int) -> str:
    return clause.sentence.text[slice(*clause.span(start, end))]


def _todo(clause: Clause) -> Iterator[Hit]:
    match = need_to.match(clause.text)
    if not match or not (match["remind"] or _speaks(clause, match[0])):
        return
    said = clause.text[match.end() :]
    whole = clause.span(0, len(clause.text))
    reminder = bool(match["remind"])
    due = due_day(_with_date(clause), clause.sentence.said_at)
    if for_you().match(said) or (match["remind"] is None and _conversational(clause, said, due)):
        yield looked_like("tasks", "todo", whole, "for this conversation")
        return
    shared = us.match(clause.text) and not shared_chore().match(said)
    if not reminder and (moment(said) or (due is None and (shared or not concrete(said)))):
        yield looked_like("tasks", "todo", whole, "of the moment")
        return
    for start, end in _each(said):
        typed = _typed(clause, match.end() + start, match.end() + end)
        yield from _made(clause, "todo", typed, "todo", firm=reminder)


def _each(said: str) -> list[tuple[int, int]]:
    """ "buy milk and call the plumber": two things to do."""
    bounds, last = [], 0
    for joint in and_then().finditer(said):
        if concrete(said[joint.end() :]):
            bounds.append((last, joint.start()))
            last = joint.end()
    return [*bounds, (last, len(said))]


def _conversational(clause: Clause, said: str, due: str | None) -> bool:
    """ "I need to write an email to my boss, can you help?" asks for it here and now."""
    following = " ".join((*clause.later, clause.sentence.after))
    return due is None and bool(said) and asks_help().search(following) is not None


def _put_on_the_list(clause: Clause) -> Iterator[Hit]:
    match = onto_the_list.fullmatch(clause.text)
    if match:
        yield from _made(clause, "todo", as_base(_typed(clause, *match.span("thing"))), "todo", firm=True)


def _ship(clause: Clause) -> Iterator[Hit]:
    """A bare "ship the beta by Friday": an order to oneself, known by its date."""
    listed = bool(clause.earlier) and says_todo().fullmatch(clause.earlier[-1].strip()) is not None
    match = bare.match(clause.text)
    dated = match is not None and due_day(_with_date(clause), clause.sentence.said_at) is not None
    if dated or (listed and concrete(clause.text)):
        for start, end in _each(clause.text):
            yield from _made(clause, "todo", _typed(clause, start, end), "todo", firm=listed)


def _due(clause: Clause) -> Iterator[Hit]:
    match = is_due.match(clause.text)
    if match and due_day(clause.text, clause.sentence.said_at):
        yield from _made(clause, "due", _typed(clause, *match.span("thing")), "todo", firm=True)


def _must_be_done(clause: Clause) -> Iterator[Hit]:
    """ "The report needs to go out by Friday", "I have until Friday to submit the portfolio"."""
    match = needs_doing.match(clause.text)
    if match and due_day(_with_date(clause), clause.sentence.said_at):
        group = "thing" if match["thing"] else "thing2"
        yield from _made(clause, "todo", _typed(clause, *match.span(group)), "todo")


def _still_to_do(clause: Clause) -> Iterator[Hit]:
    """ "I haven't paid the water bill yet"."""
    match = not_done_yet.match(clause.text)
    if not match:
        return
    if not match["thing"] and "still" not in f"{clause.lead}{match[0]}".lower():
        return
    said = _typed(clause, *match.span("thing" if match["thing"] else "thing2"))
    if no_work().match(said) or used_up().search(said):
        yield looked_like("tasks", "todo", clause.span(0, len(clause.text)), "nothing named")
        return
    yield from _made(clause, "todo", said, "todo")


def _doing(clause: Clause) -> Iterator[Hit]:
    match = in_progress.match(clause.text)
    if match and _speaks(clause, match[0]):
        said = _without_time(_typed(clause, match.end(), len(clause.text)))
        if no_work().match(said):
            yield looked_like("tasks", "doing", clause.span(0, len(clause.text)), "nothing named")
            return
        yield from _made(clause, "doing", said, "doing")


def _done(clause: Clause) -> Iterator[Hit]:
    match = next(filter(None, (shape.match(clause.text) for shape in (is_done, has_done, got_done, just_done))), None)
    if not match or not _speaks(clause, "the" if match.re is is_done() else match[0]):
        return
    group = next(name for name in ("thing", "thing2", "thing3") if match.groupdict().get(name))
    said = _without_time(_typed(clause, *match.span(group)))
    whole = clause.span(0, len(clause.text))
    if out().search(match[0]) and not sent_out().search(said):
        return  # "the sun is out"
    if (
        has_verb().search(said)
        or used_up().search(said)
        or no_work().match(said)
        or not_yet.search(clause.text)
        or len(said.split()) > 9
    ):
        yield looked_like("tasks", "done", whole, "nothing named")
        return
    yield from _made(clause, "done", said, "done")


def _blocked(clause: Clause) -> Iterator[Hit]:
    match = stuck_on.match(clause.text) or held_up.match(clause.text)
    if match:
        group = next(name for name in ("thing", "thing2", "thing3", "thing4", "thing5") if match.groupdict().get(name))
        said = _without_time(_typed(clause, *match.span(group)))
        if no_work().match(said):
            yield looked_like("tasks", "blocked", clause.span(0, len(clause.text)), "nothing named")
            return
        yield from _made(clause, "blocked", said, "blocked")


def _cancelled(clause: Clause) -> Iterator[Hit]:
    match = off_the_list.match(clause.text) or no_need.match(clause.text)
    if match and not only_points().match(match["thing"]):
        yield from _made(clause, "cancelled", _typed(clause, *match.span("thing")), "todo", retract=True)


def _without_time(said: str) -> str:
    said = and_so_on().split(said, maxsplit=1)[0]
    return short_is().sub("", trailing().sub("", said))
