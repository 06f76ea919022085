"""Prints docs/configuration.md, made from the models in smartbrain.config: ``python scripts/build_config_doc.py``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from smartbrain.config import BrainConfig, Policy

HEAD = """# Configuration

Every key of `brain.yml` with its default and its range. All of it is optional; an unknown key is an error that names
the nearest known one. `SmartBrain.open(path, config="brain.yml")` reads it; a mapping or a `BrainConfig` does as well.

```yaml
"""


def page() -> str:
    """The whole page."""
    return HEAD + "\n".join(_lines(BrainConfig, 0)) + "\n```\n"


def _lines(model: type[BaseModel], depth: int) -> Iterator[str]:
    for name, field in model.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if isinstance(default, BaseModel):
            about = (type(default).__doc__ or "").strip().split("\n")[0]
            yield (
                "  " * depth
                + f"{name}:"
                + (f"  # {about}" if about and type(default).__doc__ != Policy.__doc__ else "")
            )
            yield from _lines(type(default), depth + 1)
        else:
            note = _range(field.annotation, field.metadata)
            yield "  " * depth + f"{name}: {json.dumps(default, ensure_ascii=False)}" + (f"  # {note}" if note else "")


def _range(annotation: Any, metadata: list[Any]) -> str:
    if get_origin(annotation) is Literal:
        return " | ".join(str(choice) for choice in get_args(annotation))
    signs = (("ge", "≥"), ("gt", ">"), ("le", "≤"), ("lt", "<"))
    bounds = ((sign, getattr(rule, name, None)) for rule in metadata for name, sign in signs)
    return ", ".join(f"{sign} {value:g}" for sign, value in bounds if value is not None)


if __name__ == "__main__":
    print(page(), end="")
