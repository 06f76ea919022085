"""Fails when ``import smartbrain`` does more than define names.

To be run by the interpreter of an environment that holds the built wheel and no extra. One fresh process is watched
by an audit hook (files, sockets, processes, folders, threads) and asked what it loaded and configured; then fresh
processes are timed, each minus a bare interpreter start measured just before it.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import Any

ROUNDS = 5
LIMIT_SECONDS = 0.35
UNWANTED = ("langchain", "langgraph", "llama_index", "smartbrain_", "jieba", "rjieba", "numpy", "sqlite3")

# Runs in the watched process. A read that importlib itself asks for is the import system fetching code. What
# importlib.metadata reads is pydantic's search for plug-ins, made once, before its first model class; it is shown.
PROBE = """
import json, logging, sys, threading

touched, metadata, watching = [], [], True
EVENTS = ("open", "socket.", "subprocess.", "os.mkdir", "os.system", "os.exec", "os.fork", "os.posix_spawn",
          "os.remove", "os.rename", "os.rmdir", "shutil.", "tempfile.", "sqlite3.", "urllib.")

def watch(event, args):
    if not watching or not event.startswith(EVENTS):
        return
    frame = sys._getframe(1)
    if event == "open" and frame.f_code.co_filename.startswith("<frozen importlib"):
        return
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib.metadata":
            return metadata.append(args[0])
        frame = frame.f_back
    touched.append(f"{event} {args[0] if args else ''}")

def start_noted(thread, start=threading.Thread.start):
    touched.append(f"thread {thread.name}")
    start(thread)

sys.addaudithook(watch)
threading.Thread.start = start_noted
before = set(sys.modules)
import smartbrain
watching = False

import importlib.util

loggers = {"root": logging.root, **logging.root.manager.loggerDict}
configured = [
    name for name, logger in loggers.items()
    if [h for h in getattr(logger, "handlers", ()) if not isinstance(h, logging.NullHandler)]
    or getattr(logger, "level", 0) != (logging.WARNING if name == "root" else logging.NOTSET)
]
print(json.dumps({
    "modules": sorted(set(sys.modules) - before), "touched": touched, "metadata_reads": len(metadata),
    "loggers": configured, "file": smartbrain.__file__, "core": importlib.util.find_spec("core") is not None,
}))
"""


def run(code: str) -> str:
    """Run code in a fresh, isolated interpreter that writes no bytecode; its standard output."""
    command = [sys.executable, "-I", "-B", "-c", code]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def seconds(code: str) -> float:
    """Wall time of one fresh process running the code."""
    start = time.perf_counter()
    run(code)
    return time.perf_counter() - start


def faults(seen: dict[str, Any]) -> list[str]:
    """What the watched import did that it must not do, in words."""
    loaded = [name for name in seen["modules"] if name.startswith(UNWANTED)]
    return [
        *[f"loads {name}" for name in loaded if "." not in name],
        *[f"touches the outside: {event}" for event in seen["touched"]],
        *[f"configures the logger {name}" for name in seen["loggers"]],
        *(["the environment has a top-level package called core"] if seen["core"] else []),
    ]


def main() -> int:
    """Print what was seen and each time; the exit code is 1 when something is wrong."""
    seen = json.loads(run(PROBE))
    print(f"import smartbrain: {seen['file']}")
    print(f"{len(seen['modules'])} modules loaded; {seen['metadata_reads']} reads by pydantic's search for plug-ins")
    wrong = faults(seen)

    times = []
    for number in range(1, ROUNDS + 1):
        bare = seconds("pass")
        times.append(seconds("import smartbrain") - bare)
        print(f"round {number}: {times[-1]:.3f} s (bare interpreter {bare:.3f} s taken off)")
    median = statistics.median(times)
    print(f"median: {median:.3f} s, limit {LIMIT_SECONDS} s")
    if median >= LIMIT_SECONDS:
        wrong.append(f"takes {median:.3f} s, more than {LIMIT_SECONDS} s")

    print("\n".join(f"FAULT: import smartbrain {fault}" for fault in wrong) or "check_import: passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
