"""The file of the static embedder: words, their vectors in four bits a number, and each word's nearest abroad.

A line of JSON says what stands where; the arrays follow, little-endian, and stay on disk until they are needed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from smartbrain.errors import StoreError

Vector = NDArray[np.float32]

MAGIC = b"smartbrain static table 1\n"
#: Four bits hold -7..7; 8 is added, so that no sign is needed.
LEVELS = 7
_CHUNK = 4096
_ALIGN = 64
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class StaticTable:
    """``words``, ``places`` (their row), ``codes`` two numbers a byte (V x dimension / 2), ``scales`` a row's factor.

    The first ``english`` rows are English, the others Chinese. ``neighbours`` are rows of the other language, counted
    from its first (V x n, nearest first), ``cosines`` their nearness in 1/255, 0 for none; ``means`` is the mean of
    the texts' vectors by language.
    """

    model: str
    english: int
    words: Sequence[str]
    places: Mapping[str, int]
    codes: NDArray[np.uint8]
    scales: Vector
    neighbours: NDArray[np.uint16]
    cosines: NDArray[np.uint8]
    means: Mapping[str, Vector]

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return int(self.codes.shape[1]) * 2

    def sum_of(self, places: Sequence[int]) -> Vector:
        """The sum of words' vectors, scaled to length 1; of length 0 for no words."""
        total = np.zeros(self.dimension, dtype=np.float32)
        for start in range(0, len(places), _CHUNK):
            at = np.asarray(places[start : start + _CHUNK], dtype=np.int64)
            pairs = np.take(_PAIRS, self.codes[at])
            total += self.scales[at] @ pairs.view(np.float32).reshape(len(at), -1)
        length = float(np.sqrt(np.dot(total, total)))
        return total / np.float32(length) if length > 0 else total

    def across(self, place: int) -> list[tuple[int, float]]:
        """The nearest words of the other language and their cosine, nearest first."""
        first = self.english if place < self.english else 0
        pairs = zip(self.neighbours[place].tolist(), self.cosines[place].tolist(), strict=True)
        return [(first + other, near / 255) for other, near in pairs if near]

    def akin(self, place: int, count: int) -> list[tuple[int, float]]:
        """The ``count`` words of a word's own language whose vectors are nearest to its own, and their cosines."""
        first, end = (0, self.english) if place < self.english else (self.english, len(self.words))
        word = self._rows(place, place + 1)[0]
        steps = range(first, end, _CHUNK)
        cosines = np.concatenate([self._rows(at, min(at + _CHUNK, end)) @ word for at in steps])
        cosines[place - first] = -1.0
        best = np.argsort(-cosines, kind="stable")[:count]
        return [(first + int(at), float(cosines[at])) for at in best]

    def _rows(self, begin: int, end: int) -> Vector:
        """The vectors of some words, each of length 1."""
        rows = np.take(_PAIRS, self.codes[begin:end]).view(np.float32).reshape(end - begin, -1)
        unit: Vector = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(_TINY))
        return unit

    @classmethod
    def read(cls, path: Path) -> StaticTable:
        """The table of a file. Raises StoreError if there is none."""
        try:
            with path.open("rb") as file:
                if file.readline() != MAGIC:
                    raise StoreError(f"{path} is no table of the static embedder")
                header = json.loads(file.readline())
                start = file.tell()
            data = np.memmap(path, dtype=np.uint8, mode="r")
            sections = {name: _section(data, start, place) for name, place in header["sections"].items()}
            words = zlib.decompress(sections["words"].tobytes()).decode("utf-8").split("\n")
        except (OSError, ValueError, KeyError, zlib.error) as error:
            raise StoreError(f"cannot read the static embedder's table {path}: {error}") from error
        means = sections["means"].astype(np.float32)
        return cls(
            model=str(header["model"]),
            english=int(header["english"]),
            words=words,
            places=dict(zip(words, range(len(words)), strict=True)),
            codes=sections["codes"],
            scales=sections["scales"].astype(np.float32),
            neighbours=sections["neighbours"],
            cosines=sections["cosines"],
            means=dict(zip(header["languages"], means, strict=True)),
        )

    def write(self, path: Path) -> None:
        """The table as a file; the same table gives the same bytes."""
        arrays: dict[str, NDArray[Any]] = {
            "words": np.frombuffer(zlib.compress("\n".join(self.words).encode("utf-8"), 9), dtype=np.uint8),
            "codes": self.codes,
            "scales": self.scales.astype("<f2"),
            "neighbours": self.neighbours.astype("<u2"),
            "cosines": self.cosines,
            "means": np.stack(list(self.means.values())).astype("<f4"),
        }
        body, places = bytearray(), {}
        for name, array in arrays.items():
            body += bytes(-len(body) % _ALIGN)
            places[name] = {"at": len(body), "dtype": array.dtype.str, "shape": list(array.shape)}
            body += array.tobytes()
        header = {
            "model": self.model,
            "english": self.english,
            "languages": list(self.means),
            "sections": places,
        }
        head = MAGIC + json.dumps(header, sort_keys=True).encode()
        path.write_bytes(head + b" " * (-(len(head) + 1) % _ALIGN) + b"\n" + bytes(body))


def pack(rows: Vector) -> tuple[NDArray[np.uint8], Vector]:
    """Rows in four bits a number, two in a byte, and their scales: of several, the one that errs least."""
    most = np.abs(rows).max(axis=1, keepdims=True)
    best = np.full(len(rows), np.inf)
    scales = np.zeros(len(rows), dtype=np.float32)
    for share in (0.6, 0.7, 0.8, 0.9, 1.0):
        scale = (np.maximum(most * share, 1e-12) / LEVELS).astype(np.float16).astype(np.float32)
        scale = np.maximum(scale, np.float32(6e-8))
        levels = np.clip(np.rint(rows / scale), -LEVELS, LEVELS)
        error = ((levels * scale - rows) ** 2).sum(axis=1)
        better = error < best
        best[better], scales[better] = error[better], scale[better, 0]
    levels = np.clip(np.rint(rows / scales[:, None]), -LEVELS, LEVELS).astype(np.int8) + 8
    codes = (levels[:, 0::2] | (levels[:, 1::2] << 4)).astype(np.uint8)
    return codes, scales


def _section(data: NDArray[np.uint8], start: int, place: Mapping[str, Any]) -> NDArray[Any]:
    dtype, shape = np.dtype(place["dtype"]), tuple(place["shape"])
    begin = start + int(place["at"])
    size = dtype.itemsize * int(np.prod(shape))
    section: NDArray[Any] = np.asarray(data[begin : begin + size]).view(dtype).reshape(shape)
    return section


def _pairs() -> NDArray[np.int64]:
    """For each byte the two numbers it holds, as the bytes of two float32."""
    byte = np.arange(256)
    pairs = np.stack(((byte & 15) - 8, (byte >> 4) - 8), axis=1).astype(np.float32)
    return np.ascontiguousarray(pairs).view(np.int64).reshape(256)


_PAIRS = _pairs()
