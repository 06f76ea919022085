"""From a message to what it asks of documents, by rules: English, Chinese, Russian. Deterministic, without a model."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from posixpath import basename, splitext

from smartbrain.contracts.route import DOCS_QA, FIND_FILES, GENERAL_QA, SUMMARY, Anchors, RouteResult
from smartbrain.policies import _route_words as words
from smartbrain.policies._signals import anchor_signals
from smartbrain.ports import KnownNames
from smartbrain.text.folding import fold
from smartbrain.text.terms import keywords

_MOST = 8


class RulesRouter:
    """Reads intent and anchors out of a message. Stateless; ``known`` names are looked for beside what rules see."""

    name = "rules"

    def route(self, text: str, known: KnownNames | None = None) -> RouteResult:
        """What the message asks of documents. Anything it does not name is left empty; it never raises."""
        known = known or KnownNames()
        bare = words.url().sub(" ", text)
        endpoints, rooted_files = _rooted(bare)
        files = _first([*rooted_files, *_files(bare)])
        anchors = Anchors(
            entity_names=_first([*_known_entities(bare, known), *_things(bare, files)]),
            file_names=files,
            endpoint_paths=_first(endpoints),
            target_doc_hints=_first([*filter(_is_document, files), *_documents(bare, known)]),
            matched_aliases=_first([*_said_aliases(bare, known), *_kinds(bare)]),
            **_place(bare, known),
        )
        route = RouteResult(anchors=anchors, query=text, target_terms=tuple(keywords(bare, limit=_MOST)))
        intent, subintent = _intent(bare, route)
        return route.model_copy(update={"intent": intent, "subintent": subintent})


def _intent(text: str, route: RouteResult) -> tuple[str, str]:
    if words.wants_files().search(text):
        return DOCS_QA, FIND_FILES
    specific = anchor_signals(route) or route.anchors.target_doc_hints or route.anchors.process_domain
    if not specific and words.about_everything().search(text):
        return GENERAL_QA, SUMMARY
    return DOCS_QA, SUMMARY


def _rooted(text: str) -> tuple[list[str], list[str]]:
    """Paths that begin with a slash: those of an API, and those of files."""
    about_api = any(name == "endpoint" and pattern.search(text) for name, pattern in words.kinds())
    endpoints: list[str] = []
    files: list[str] = []
    for match in words.rooted().finditer(text):
        path = match["path"].rstrip(".:") or "/"
        steps = [step for step in path.split("/") if step]
        if not steps:
            continue
        ending = splitext(steps[-1])[1][1:].lower()
        if not match["method"] and (words.file_name().fullmatch(path.lstrip("/")) or steps[0].lower() == "docs"):
            files.append(path.lstrip("/"))
        elif steps[0].lower() in words.FILE_ROOTS or (ending and not match["method"]):
            continue
        elif match["method"] or about_api or len(steps) > 1 or "{" in path:
            endpoints.append(path)
    return endpoints, files


def _files(text: str) -> list[str]:
    found = [words.before_name().sub("", match[0]) for match in words.file_name().finditer(text)]
    return [name for name in found if name.lower() not in words.NOT_FILES and not name.startswith(".")]


def _is_document(name: str) -> bool:
    ending = splitext(name)[1][1:].lower()
    return ending in words.DOC_ENDINGS or name.endswith("/") or name.lower() in {"readme", "changelog", "contributing"}


def _titles(text: str) -> list[str]:
    quoted = [next(filter(None, match.groups())) for match in words.title().finditer(text)]
    plain = [match["en"] or words.before_name().sub("", match["zh"]) for match in words.plain_title().finditer(text)]
    return [" ".join(title.split()) for title in (*quoted, *plain) if not words.file_name().fullmatch(title)]


def _things(text: str, files: Collection[str]) -> list[str]:
    found: list[str] = []
    in_files = " ".join(files).lower()
    for match in words.named_thing().finditer(text):
        name = str(match[str(match.lastgroup)])
        if match.lastgroup == "zh_name":
            name = words.before_name().sub("", name)
        if len(name) > 1 and name.lower() not in words.NOT_ENTITIES and name.lower() not in in_files:
            found.append(name)
    return found


def _kinds(text: str) -> list[str]:
    seen = ((match.start(), name) for name, pattern in words.kinds() if (match := pattern.search(text)))
    return [name for _, name in sorted(seen)]


def _known_entities(text: str, known: KnownNames) -> list[str]:
    """The known things that are named by any of their names, by the first one."""
    return [name for name, others in known.entities.items() if _names_one(text, (name, *others))]


def _said_aliases(text: str, known: KnownNames) -> list[str]:
    return [other for others in known.entities.values() for other in others if _names_one(text, (other,))]


def _documents(text: str, known: KnownNames) -> list[str]:
    """The titles a message says, and the paths of known documents; for a title that one of these bears, its path."""
    paths = _known_documents(text, known)
    borne = {title.casefold() for path in paths for title in known.documents[path]}
    return [*(title for title in _titles(text) if title.casefold() not in borne), *paths]


def _known_documents(text: str, known: KnownNames) -> list[str]:
    """The paths of known documents whose title or file name the message says."""
    return [path for path, titles in known.documents.items() if _names_one(text, _spoken(path, titles))]


def _spoken(path: str, titles: Iterable[str]) -> list[str]:
    """The names by which a document is recognised: of several words, or of three Chinese characters.

    "Orders" is the title of a page and the subject of half of all questions; who means the page says more than that.
    """
    stem = re.sub(r"[-_]+", " ", splitext(basename(path))[0])
    return [name for name in (stem, *titles) if len(name.split()) > 1 or sum(ch >= "\u3400" for ch in name) > 2]


def _names_one(text: str, names: Iterable[str]) -> bool:
    """Whether a text says one of the names, as whole words where the name is written in letters with spaces."""
    folded = fold(text)
    return any(_says(folded, fold(name).strip()) for name in names)


def _says(folded: str, name: str) -> bool:
    if len(name) < (4 if name.isascii() else 2) or name not in folded:
        return False
    before = r"(?<!\w)" if name[0].isascii() or "а" <= name[0] <= "я" else ""
    after = r"(?!\w)" if name[-1].isascii() else ""
    return re.search(before + re.escape(name) + after, folded, re.ASCII if name.isascii() else 0) is not None


def _place(text: str, known: KnownNames) -> dict[str, str]:
    """Domain and subdomain, if they are called one; where it is known which there are, only those."""
    found: dict[str, str] = {}
    for match in words.place().finditer(text):
        groups = {name: value for name, value in match.groupdict().items() if value}
        field = "process_subdomain" if any("sub" in name for name in groups) else "process_domain"
        said = next(value for name, value in groups.items() if "sub" not in name)
        value = _known_place(said, known.subdomains if field == "process_subdomain" else known.domains)
        if value:
            found.setdefault(field, value)
    return found


def _known_place(said: str, there: Collection[str] | None) -> str | None:
    """The place as the documents spell it. Without their list, Chinese names are not taken: where they begin in a
    sentence, only the list can tell."""
    if there is None:
        return said if said.isascii() or re.fullmatch(r"[\w-]*[а-яё][\w-]*", said, re.IGNORECASE) else None
    spoken = fold(said)
    exact = next((name for name in there if fold(name) == spoken), None)
    # "在支付" ends in 支付; of several that fit, the longest.
    ends = [name for name in there if not name.isascii() and spoken.endswith(fold(name))]
    return exact or max(ends, key=len, default=None)


def _first(names: Iterable[str]) -> tuple[str, ...]:
    """The first names, each once whatever its case."""
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(name.strip().lower(), name.strip())
    return tuple(name for name in distinct.values() if name)[:_MOST]
