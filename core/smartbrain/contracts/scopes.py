"""The scope of a call: who may see what (contracts.md §8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from smartbrain.contracts.base import validate
from smartbrain.errors import ContractError, ScopeError
from smartbrain.model import Access, FilledText, Scope, Value


class ScopeRef(Value):
    """One scope inside a domain. ``id`` is compared whole and case-exact."""

    type: Literal["global", "project", "expert", "task"]
    id: FilledText


class ScopeContext(Value):
    """Which scopes a call reads and writes. ``write`` ⊆ ``read``, ``default_write`` ∈ ``write``."""

    read: tuple[ScopeRef, ...] = Field(min_length=1)
    write: tuple[ScopeRef, ...] = ()
    default_write: ScopeRef | None = None


ScopeContextLike = ScopeContext | dict[str, object]
_SHARED = ScopeRef(type="global", id="default")
_LEGACY, _SESSION = "legacy", "session"


def resolve_access(
    session_id: str,
    *,
    domain_id: str | None = None,
    scope_context: ScopeContextLike | None = None,
    user_id: str | None = None,
) -> Access:
    """The scopes of one call.

    ``user_id`` is shorthand for ``domain_id=user_id`` with everything in ``global/default``: memory that spans
    that user's sessions. With neither, the isolated scope ``legacy/session:<session_id>``. Raises ScopeError for
    anything missing, malformed or contradictory; a wider read is never the answer.
    """
    for name, value in (("session_id", session_id), ("domain_id", domain_id), ("user_id", user_id)):
        if value is None and name != "session_id":
            continue
        if not isinstance(value, str) or not value.strip():
            raise ScopeError(f"{name} must be a non-empty string, got {value!r}")
    if user_id is not None:
        if domain_id is not None and domain_id != user_id:
            raise ScopeError(
                f"user_id={user_id!r} means domain_id={user_id!r}, but domain_id={domain_id!r} was given; give only one"
            )
        if scope_context is None:
            scope_context = ScopeContext(read=(_SHARED,), write=(_SHARED,), default_write=_SHARED)
        domain_id = user_id
    if scope_context is not None:
        if domain_id is None:
            raise ScopeError("scope_context needs domain_id (the tenant it belongs to)")
        return _from_context(domain_id, scope_context)
    if domain_id is not None:
        return _from_context(domain_id, ScopeContext(read=(_SHARED,), write=(_SHARED,), default_write=_SHARED))
    own = Scope(_LEGACY, _SESSION, session_id)
    return Access((own,), (own,), own)


def _from_context(domain: str, given: ScopeContextLike) -> Access:
    try:
        context = given if isinstance(given, ScopeContext) else validate(ScopeContext, given)
    except ContractError as error:
        raise ScopeError(f"scope_context is malformed: {error}") from error
    read = tuple(dict.fromkeys(Scope(domain, ref.type, ref.id) for ref in context.read))
    write = tuple(dict.fromkeys(Scope(domain, ref.type, ref.id) for ref in context.write))
    outside = [scope for scope in write if scope not in read]
    if outside:
        raise ScopeError(f"write scope {outside[0].type}:{outside[0].id} is not among the read scopes")
    if context.default_write is None:
        if len(write) > 1:
            raise ScopeError("default_write is needed when several scopes may be written")
        return Access(read, write, write[0] if write else read[0])
    default = Scope(domain, context.default_write.type, context.default_write.id)
    if default not in write:
        raise ScopeError(f"default_write {default.type}:{default.id} is not among the write scopes")
    return Access(read, write, default)


def asks_for_scope(scopes: Sequence[Scope]) -> bool:
    """Whether documents found for these scopes must be confirmed to belong to them (contracts.md §9).

    A session that stands alone, with no user and no domain, has no documents of its own to tell apart. Raises
    ScopeError when there is no scope at all.
    """
    if not scopes:
        raise ScopeError("a search of documents needs the scopes it is made for, and was given none")
    return any((scope.domain, scope.type) != (_LEGACY, _SESSION) for scope in scopes)


def check_write(access: Access, ref: ScopeRef | None, entry: str) -> Scope:
    """The scope an entry is written to: its own ``scope_ref`` if allowed, else the default.

    Raises ScopeError when the call may not write there.
    """
    target = access.default_write if ref is None else Scope(access.domain, ref.type, ref.id)
    if target not in access.write:
        raise ScopeError(f"{entry}: scope {target.type}:{target.id} is not among the write scopes of this call")
    return target
