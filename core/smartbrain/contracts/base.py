"""What all contracts share: a version, exact JSON round trips, unknown fields reported, clear errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, Self, TypeVar

from pydantic import AliasChoices, BaseModel, ValidationError
from pydantic.fields import FieldInfo

from smartbrain.errors import ContractError
from smartbrain.model import Value

CONTRACT_VERSION: Final = "0.1"
V = TypeVar("V", bound=BaseModel)


class Contract(Value):
    """Base of the versioned contracts."""

    version: Literal["0.1"] = CONTRACT_VERSION

    @classmethod
    def read(cls, data: Mapping[str, Any] | str | bytes | Self) -> tuple[Self, list[str]]:
        """The value and the paths of fields it does not know (``"queries[0].colour"``).

        Raises ContractError, naming entry and field, when ``data`` does not fit.
        """
        if isinstance(data, cls):
            return data, []
        plain = parse_json(data, cls.__name__) if isinstance(data, (str, bytes)) else data
        value = validate(cls, plain)
        return value, list(unknown_fields(plain, value))


def parse_json(data: str | bytes, name: str) -> Any:
    """The JSON value in ``data``; ContractError says where the text stops being JSON."""
    try:
        return json.loads(data)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ContractError(f"{name}: not valid JSON: {error}") from error


def validate(cls: type[V], data: object) -> V:
    """``data`` as a ``cls``, or one ContractError that names the first offending entry and field."""
    if not isinstance(data, (Mapping, cls)):
        raise ContractError(f"{cls.__name__} must be a mapping, not {type(data).__name__}")
    try:
        return cls.model_validate(data)
    except ValidationError as error:
        raise contract_error(cls.__name__, error) from error


def contract_error(name: str, error: ValidationError) -> ContractError:
    """One readable error out of pydantic's list: entry, field, what is wrong, how many more there are."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    first = min(details, key=lambda d: len(_location(d["loc"])))
    path = _location(first["loc"])
    entry, field = _split(path)
    where = _render(path) or name
    more = len({_render(_location(d["loc"])) for d in details} - {_render(path)})
    hint = f" ({more} more {'problem' if more == 1 else 'problems'} in this value)" if more else ""
    message = first["msg"].removeprefix("Value error, ")
    return ContractError(f"{name}: {where}: {message}{hint}", entry=entry, field=field)


def _location(loc: Sequence[int | str]) -> tuple[int | str, ...]:
    # pydantic puts the names of union branches between the fields; they are no part of the caller's data.
    return tuple(part for part in loc if isinstance(part, int) or (part.isidentifier() and part not in _BRANCHES))


_BRANCHES = frozenset({"str", "int", "float", "bool", "none", "dict", "list"})


def _split(path: Sequence[int | str]) -> tuple[str, str]:
    if not path:
        return "", ""
    if isinstance(path[-1], int):
        return _render(path), ""
    return _render(path[:-1]), str(path[-1])


def _render(path: Sequence[int | str]) -> str:
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else str(part)
    return out


@cache
def _names(model: type[BaseModel]) -> Mapping[str, str]:
    """Each way in which a field may be spelled, and the field's name."""
    return {spelling: name for name, f in model.model_fields.items() for spelling in _spellings(name, f)}


def _spellings(name: str, field: FieldInfo) -> list[str]:
    alias = field.validation_alias
    choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
    return [name, *(choice for choice in choices if isinstance(choice, str))]


def unknown_fields(data: object, value: object, path: str = "") -> Iterator[str]:
    """Paths in ``data`` that the validated ``value`` has no field for."""
    if isinstance(value, BaseModel) and isinstance(data, Mapping):
        known = _names(type(value))
        for name, inner in data.items():
            here = f"{path}.{name}" if path else str(name)
            if name in known:
                yield from unknown_fields(inner, getattr(value, known[name]), here)
            else:
                yield here
    elif isinstance(value, (list, tuple)) and isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        for index, (inner, kept) in enumerate(zip(data, value, strict=False)):
            yield from unknown_fields(inner, kept, f"{path}[{index}]")
