"""URLs, repositories and paths in what a user typed: refs of the turn, and entities that the gate lets in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from smartbrain.extraction.hits import Hit, Sentence, entity
from smartbrain.model import Ref, slug

_CODE_HOSTS = frozenset(("github.com", "gitlab.com", "gitee.com", "bitbucket.org", "codeberg.org", "git.sr.ht"))
# A longer message, or one with more addresses, is pasted.
_LONG, _MANY = 1_500, 4
_CLOSING = ".,;:!?)]}>'\"*_，。；：！？）】》”’、"


_ROOTS = frozenset(
    ("etc", "usr", "var", "tmp", "home", "opt", "srv", "mnt", "dev", "root", "users", "volumes", "data", "app")
)
_KIND_OF = {"bare": "url", "owner": "repo", "drive": "file"}


class Pointer(NamedTuple):
    """Something pointed at: its kind (``url``, ``repo``, ``file``), the words as typed and where they stand."""

    kind: str
    typed: str
    canonical: str
    start: int
    end: int


def pointers(text: str) -> list[Pointer]:
    """The URLs, repositories and paths of a text, in order, none inside another."""
    return list(_found(text)) if "/" in text or "\\" in text else []


def as_ref(pointer: Pointer) -> Ref:
    """The ref of a pointer; a path stands as typed."""
    if pointer.kind == "file":
        return Ref(type="file", uri=pointer.typed)
    if pointer.kind == "repo" and "://" not in pointer.typed and "." not in pointer.typed.split("/")[0]:
        return Ref(type="artifact", uri=pointer.typed)
    return Ref(type="url", uri=pointer.typed if "://" in pointer.typed else f"https://{pointer.typed}")


def entity_hits(sentence: Sentence) -> list[Hit]:
    """The structural entities of one sentence; none of a list or a log of them, which is material."""
    found = pointers(sentence.plain)
    said = sentence.message.text
    if not found or len(said) > _LONG or len(_address().findall(said)) > _MANY:
        return []
    return [
        entity(
            f"structural_{each.kind}",
            (each.start, each.end),
            kind=each.kind,
            name=each.typed,
            canonical=each.canonical,
            hints=("structural",),
        )
        for each in found
    ]


def _found(text: str) -> Iterator[Pointer]:
    end = 0
    for match in _pointer().finditer(text):
        if match.start() < end:
            continue
        group = str(match.lastgroup)
        typed = match[group].rstrip(_CLOSING)
        if group == "file" and not _is_path(typed):
            continue
        start = match.start(group)
        end = start + len(typed)
        yield Pointer(*_named(_KIND_OF.get(group, group), typed), start, end)


def _named(kind: str, typed: str) -> tuple[str, str, str]:
    if kind != "url":
        return kind, typed, slug(typed.removesuffix(".git"))
    bare = re.sub(r"^(?:https?|ssh|git|ftp)://(?:[^@/\s]+@)?", "", typed, flags=re.IGNORECASE)
    bare = re.sub(r"^www\.", "", bare, flags=re.IGNORECASE).rstrip("/")
    host, _, path = bare.partition("/")
    parts = [piece for piece in re.split(r"[?#]", path)[0].split("/") if piece]
    if host.lower() in _CODE_HOSTS and len(parts) == 2:
        return "repo", typed, slug("/".join(parts).removesuffix(".git"))
    return "url", typed, slug(bare)


def _is_path(typed: str) -> bool:
    """Not "and/or", "24/7" or "km/h": a path is rooted, has two slashes, or ends in a file's ending."""
    if typed.count("/") + typed.count("\\") == 0:
        return False
    rooted = typed[0] in "/~." or typed[1:3] in (":\\", ":/")
    steps = [step for step in re.split(r"[/\\]", typed) if step not in ("", ".", "..", "~")]
    if not steps or all(step.isdigit() for step in steps):
        return False
    if rooted and len(steps) == 1 and typed[0] == "/" and steps[0].lower() not in _ROOTS and "." not in steps[0]:
        return False  # "/continue" is an order to a program
    ending = re.search(r"\.[A-Za-z][A-Za-z0-9]{0,4}$", steps[-1]) is not None
    return ending or (rooted and (len(steps) > 1 or typed[0] in "~.")) or (rooted and len(steps[0]) > 2)


@cache
def _address() -> re.Pattern[str]:
    return re.compile(r"https?://")


@cache
def _pointer() -> re.Pattern[str]:
    # A folder or file with a Chinese name, known by its ending: without one nobody knows where the name ends.
    named = (
        r"(?:(?<=[/\\_-])[\w\u3400-\u9fff-]{1,30}(?:[/\\][\w\u3400-\u9fff-]{1,30}){0,6}"
        r"\.[A-Za-z][A-Za-z0-9]{1,4}(?![A-Za-z0-9]))"
    )
    inside = r"[^\s<>\"'`，。；：！？（）【】《》「」“”、\ufffc\u3400-\u9fff]"
    return re.compile(
        rf"(?P<url>\b(?:https?|ftp|ssh|git)://{inside}{{2,500}})"
        rf"|(?<![\w@./\\-])(?P<bare>(?:www\.)?(?:[a-z0-9-]{{1,40}}\.){{1,4}}[a-z]{{2,12}}/{inside}{{1,300}})"
        r"|(?:\brepo(?:sitory)?\b|仓库|代码库)\s*(?:is|at|called|named|是|在|叫|[:：])?\s*"
        r"(?P<repo>(?![\w.-]{1,40}\.[a-z]{2,12}/)[A-Za-z0-9][\w.-]{0,40}/[A-Za-z0-9][\w.-]{0,60})"
        r"|(?<![\w@./\\-])(?P<owner>[A-Za-z0-9][\w.-]{0,40}/[A-Za-z0-9][\w.-]{0,60})(?=\s+(?:repo|repository)\b|"
        r"\s+(?:is )?on (?:[Gg]it[Hh]ub|[Gg]it[Ll]ab|[Cc]odeberg|[Bb]itbucket)\b|\s*(?:这个|那个|的)?(?:仓库|代码库))"
        r"|(?<![\w@:./\\-])(?P<drive>[A-Za-z]:\\(?:[\w.-]{1,40}\\){1,8}[\w.-]{1,40})"
        rf"|(?<![\w@:./\\-])(?P<file>(?:~|\.{{1,2}}|"
        rf"[A-Za-z]:)?[/\\](?:{inside}{{1,300}}{named}?|{named})|(?:[\w.-]{{1,60}}/){{1,12}}[\w.-]{{1,60}})"
    )
