"""JSON: the text as it stands, its top-level parts as sections, its values as facts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from smartbrain.errors import InputError
from smartbrain.resources.library.formats.markdown import TITLE_KEYS
from smartbrain.resources.library.values import Block, Fact, Limits, Parsed

_DEEPEST = 64
_MOST_VALUE = 300
_METHODS = frozenset(("get", "post", "put", "patch", "delete", "head", "options"))


def parse(text: str, limits: Limits) -> Parsed:
    """The structure of a JSON text. Raises InputError where it is none, or is nested too deeply."""
    value = loaded(text)
    said = value if isinstance(value, dict) else {}
    about = said.get("info") if isinstance(said.get("info"), dict) else said
    metadata = {
        str(key)[:80].lower(): str(one)[:_MOST_VALUE]
        for key, one in list((about or {}).items())[:64]
        if isinstance(one, (str, int, float)) and not isinstance(one, bool) and str(one).strip()
    }
    title = next((metadata[key] for key in TITLE_KEYS if metadata.get(key)), "")
    return Parsed(
        text, "json", list(_blocks(text, said)), title, metadata, facts=tuple(_facts(text, value, limits.entries))
    )


def loaded(text: str) -> Any:
    """The value of a JSON text. Raises InputError where it is none, or is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError("it is JSON that is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InputError(f"it is no JSON: {error.msg} in line {error.lineno}, column {error.colno}") from error
    except ValueError as error:
        raise InputError(f"it is JSON with a number that is too long: {error}") from error


def _blocks(text: str, said: Mapping[str, Any]) -> Iterator[Block]:
    """A block for each top-level key that stands on a line of its own, else the whole text as one."""
    starts = [(found.start(1), found[2]) for found in _top_level(text) if found[2] in said]
    begin = len(text) - len(text.lstrip())
    line = 1 + text.count("\n", 0, begin)
    edges = [(begin, ""), *starts] if not starts or starts[0][0] > begin else starts
    for (start, title), (end, _) in zip(edges, [*edges[1:], (len(text), "")], strict=True):
        stop = start + len(text[start:end].rstrip())
        if stop > start:
            last = line + text.count("\n", start, stop)
            yield Block("code", start, stop, line, last, 1 if title else 0, title)
        line += text.count("\n", start, end)


def _top_level(text: str) -> Iterator[re.Match[str]]:
    """Keys at the smallest indentation."""
    first = re.search(r'^([ \t]{1,8})"', text, re.MULTILINE)
    if first is None:
        return iter(())
    return re.finditer(rf'^{first[1]}("([^"\\\n]{{1,200}})"[ \t]*:)', text, re.MULTILINE)


def _facts(text: str, value: Any, most: int) -> Iterator[Fact]:
    """Scalars by their path, and the endpoints of an OpenAPI description, in order; a place is that of the key."""
    waiting: list[tuple[str, Any, int]] = [("", value, 0)]
    cursor, line, counted = 0, 1, 0
    while waiting and most > 0:
        path, one, depth = waiting.pop()
        key = path.rpartition(" › ")[2]
        if path and not key.startswith("["):
            cursor = _place(text, key, cursor)
            line, counted = line + text.count("\n", counted, cursor), cursor
        if isinstance(one, (dict, list)):
            if depth < _DEEPEST:
                pairs = list(one.items()) if isinstance(one, dict) else [(f"[{n}]", x) for n, x in enumerate(one)]
                inner = [(f"{path} › {name}" if path else str(name), x, depth + 1) for name, x in pairs[: most + 1]]
                waiting += reversed(inner)
            if isinstance(one, dict) and key in _METHODS and "/" in path:
                most -= 1
                yield Fact(_endpoint(path, key, one), cursor, _end_of_line(text, cursor), line)
        elif one is not None and str(one).strip():
            most -= 1
            shown = json.dumps(one) if isinstance(one, bool) else str(one)[:_MOST_VALUE]
            yield Fact(f"{path}: {shown}" if path else shown, cursor, _end_of_line(text, cursor), line)


def _place(text: str, key: str, after: int) -> int:
    """Where the key stands that comes next; as before when it is written otherwise (with escapes)."""
    found = re.compile(rf'"{re.escape(key)}"\s{{0,20}}:').search(text, after)
    return found.start() if found else after


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _endpoint(path: str, method: str, about: Mapping[str, Any]) -> str:
    address = path.split(" › ")[-2]
    said = about.get("summary") or about.get("description") or about.get("operationId") or ""
    return f"{method.upper()} {address}" + (f": {str(said)[:_MOST_VALUE]}" if said else "")
