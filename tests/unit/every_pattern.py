"""Every regular expression of the package, as a script: prints them as JSON, each with the place that makes it.

A fresh process, so that none is compiled yet: it watches ``re`` compile while all modules are imported and all makers
of patterns are called. Patterns that wait in tables, or in functions with arguments, are read from the sources: each
string is evaluated where its module's names are known, and any other name stands for a letter.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

PACKAGES = ("smartbrain", "smartbrain_lc", "smartbrain_li")


class Found(NamedTuple):
    """A pattern, and the file and line that make it."""

    pattern: str
    flags: int
    file: str
    line: int


class _Watch:
    """What ``re`` compiles from now on for files of the packages; once ``asking``, it is only asked for."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, int], Found] = {}
        self.asking = False
        self._compile: Any = re._compile  # type: ignore[attr-defined] # what all functions of re go through
        re._compile = self  # type: ignore[attr-defined]

    def __call__(self, pattern: Any, flags: int = 0) -> Any:
        frame = sys._getframe(1)
        while frame.f_globals.get("__name__") == "re" and frame.f_back is not None:
            frame = frame.f_back
        if str(frame.f_globals.get("__name__")).split(".")[0] in PACKAGES and isinstance(pattern, (str, bytes)):
            text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
            file = _place(frame.f_code.co_filename)
            self.found.setdefault((text, int(flags)), Found(text, int(flags), file, frame.f_lineno))
            if self.asking:
                return self._compile("", 0)
        return self._compile(pattern, flags)


def _modules() -> list[ModuleType]:
    """All that can be imported: what rests on an extra or a framework that is not installed is left out."""
    found: list[ModuleType | None] = []
    for name in PACKAGES:
        package = _imported(name)
        if package is None:
            continue
        found.append(package)
        for info in pkgutil.walk_packages(package.__path__, f"{name}.", onerror=lambda _: None):
            if not info.name.endswith("__main__"):
                found.append(_imported(info.name))
    return [module for module in found if module is not None]


def _imported(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        if (missing.name or "").split(".")[0] in PACKAGES:
            raise
        return None


def _place(file: str | Path) -> str:
    """Where a file stands in its package, wherever that is installed."""
    parts = Path(file).parts
    return "/".join(parts[max(at for at, part in enumerate(parts) if part in PACKAGES) :])


def _call_makers(modules: list[ModuleType]) -> Iterator[Found]:
    """Calls what makes a pattern, and gives those that the patterns of a sieve wait as."""
    from smartbrain.extraction.literals import Sifted, Sifter

    for module in modules:
        for value in list(vars(module).values()):
            if isinstance(value, Sifter):
                for make in value._makers:
                    made = make()
                    yield Found(made.pattern, made.flags, _place(str(module.__file__)), 0)
            elif isinstance(value, Sifted):
                value()
            elif hasattr(value, "cache_info") and value.__module__ == module.__name__:
                inner = inspect.unwrap(value)
                if not inspect.signature(inner).parameters and "Pattern" in str(inner.__annotations__.get("return")):
                    value()


def _in_sources(modules: list[ModuleType]) -> Iterator[Found]:
    """The strings of the sources that repeat something without bound, read as patterns."""
    repeats = re.compile(r"[*+}]")
    for module in modules:
        file = Path(str(module.__file__))
        for expression in _strings(ast.parse(file.read_text(encoding="utf-8"))):
            try:
                text = eval(compile(ast.Expression(expression), str(file), "eval"), vars(module), _Names())
            except (LookupError, NameError, TypeError, ValueError):
                continue  # a text with figures or a list in it, and no pattern
            if repeats.search(text):
                yield Found(text, 0, _place(file), expression.lineno)


class _Names(dict[str, Any]):
    """The names of a function, each with an unknown value."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            raise KeyError
        self[name] = _Unknown(chr(0xE000 + len(self)))
        return self[name]


class _Unknown:
    """An unknown value, and whatever is asked of it: written, it is a letter of its own."""

    def __init__(self, letter: str) -> None:
        self._letter = letter

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self

    def __format__(self, how: str) -> str:
        return self._letter


def _strings(tree: ast.AST) -> Iterator[ast.expr]:
    """The outermost expressions that are strings, but for docstrings."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            yield node
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield from _strings(node)


def main() -> None:
    watch = _Watch()
    modules = _modules()
    watch.asking = True
    waiting = list(_call_makers(modules))
    json.dump([*watch.found.values(), *waiting, *_in_sources(modules)], sys.stdout)


if __name__ == "__main__":
    main()
