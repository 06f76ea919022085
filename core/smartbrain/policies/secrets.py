"""What becomes of the secrets in what is about to be kept: masked, redacted, or not kept at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from smartbrain.config import SecretsPolicy
from smartbrain.model import Candidate, Retraction, Verdict, slug
from smartbrain.text.secrets import Secret, find_secrets

Said = TypeVar("Said", bound=BaseModel)
_SHOWN = 4
# Too little would be left hidden, or the ending is what others ask for as a proof.
_NOTHING_SHOWN = frozenset({"password", "url_password", "private_key", "national_id"})
_LEAST_HIDDEN = 7


def without_secrets(text: str, policy: SecretsPolicy) -> str:
    """The text with its secrets in the form the policy asks for; a text that holds a blocked one is only a note."""
    return _hidden(text, _found(text, policy), policy)


def guard(candidates: Sequence[Candidate], policy: SecretsPolicy) -> tuple[list[Candidate], list[Verdict]]:
    """The candidates as they may be kept, and a verdict for each one that a secret was found in.

    A masked candidate goes on without its secret, in value, quote and key alike; a blocked one goes no further.
    """
    kept: list[Candidate] = []
    verdicts: list[Verdict] = []
    for candidate in candidates:
        signs = _signs(_texts((candidate.value, candidate.quote)), policy)
        if not signs:
            kept.append(candidate)
            continue
        clean = _without(candidate, signs)
        blocked = any(secret.blocked for secret in signs.values())
        verdicts.append(_verdict(clean, sorted({secret.kind for secret in signs.values()}), blocked))
        if not blocked:
            kept.append(clean)
    return kept, verdicts


def guard_verdicts(verdicts: Iterable[Verdict], policy: SecretsPolicy) -> tuple[Verdict, ...]:
    """The same verdicts; what they quote holds no secret."""
    return tuple(_mapped_fields(verdict, policy, ("subject", "reason", "quote")) for verdict in verdicts)


def guard_retractions(retractions: Iterable[Retraction], policy: SecretsPolicy) -> list[Retraction]:
    """The same retractions; their reasons, which quote what was said, hold no secret."""
    return [_mapped_fields(retraction, policy, ("reason",)) for retraction in retractions]


def guard_said(value: Said, policy: SecretsPolicy) -> Said:
    """A message, a tool call or all that a turn brings without secrets: for a log that is to hold none
    (``everywhere``)."""
    return type(value).model_validate(_mapped(value.model_dump(), partial(without_secrets, policy=policy)))


def _found(text: str, policy: SecretsPolicy) -> list[Secret]:
    return [secret for secret in find_secrets(text) if getattr(policy, secret.group) != "off"]


def _hidden(text: str, secrets: Sequence[Secret], policy: SecretsPolicy) -> str:
    if not secrets:
        return text
    blocked = [secret.kind for secret in secrets if getattr(policy, secret.group) == "block"]
    if blocked:
        return f"[withheld: {blocked[0]}]"
    pieces, end = [], 0
    for secret in secrets:
        pieces += [text[end : secret.start], _sign(text[secret.start : secret.end], secret, policy)]
        end = secret.end
    return "".join((*pieces, text[end:]))


def _sign(words: str, secret: Secret, policy: SecretsPolicy) -> str:
    """What stands in the place of a secret."""
    hidden_all = getattr(policy, secret.group) == "redact" or secret.kind in _NOTHING_SHOWN
    if hidden_all or len(words) < _SHOWN + _LEAST_HIDDEN:
        return f"[{secret.kind}]"
    return f"[{secret.kind} …{words[-_SHOWN:]}]"


class _Sign(NamedTuple):
    """What stands in the place of a secret that was found."""

    text: str
    kind: str
    blocked: bool


def _signs(texts: Iterable[str], policy: SecretsPolicy) -> dict[str, _Sign]:
    """The secrets in some texts, the longest first, each with what stands in its place."""
    found = {text[s.start : s.end]: s for text in texts for s in _found(text, policy)}
    return {
        words: _Sign(_sign(words, s, policy), s.kind, getattr(policy, s.group) == "block")
        for words, s in sorted(found.items(), key=lambda pair: -len(pair[0]))
    }


def _without(candidate: Candidate, signs: Mapping[str, _Sign]) -> Candidate:
    """The candidate without its secrets wherever they stand: a field may hold the bare secret, which without the
    words around it would not be known for one."""

    def clean(text: str) -> str:
        for secret, sign in signs.items():
            text = text.replace(secret, sign.text)
        return text

    key = candidate.key
    for secret in signs:
        part = slug(secret)
        key = key.replace(part, "secret") if len(part) >= _SHOWN else key
    quote = clean(candidate.quote) if candidate.quote else candidate.quote
    return candidate.model_copy(update={"value": _mapped(candidate.value, clean), "quote": quote, "key": key})


def _verdict(candidate: Candidate, kinds: Sequence[str], blocked: bool) -> Verdict:
    named = ", ".join(kinds)
    done = "is not kept" if blocked else "is kept without it"
    return Verdict(
        subject=candidate.key,
        action="skipped" if blocked else "masked",
        rule="secret_blocked" if blocked else "secret_hidden",
        reason=f"a secret stands in it ({named}); it {done} (policies.secrets)",
        type=candidate.type,
        key=candidate.key,
        confidence=candidate.confidence,
        trust=candidate.trust,
        message_id=candidate.message_id,
        span=candidate.span,
        found_by=candidate.rule,
    )


def _mapped_fields(value: Said, policy: SecretsPolicy, fields: Sequence[str]) -> Said:
    """The value with some of its texts without secrets; itself, where there are none in them."""
    given = {name: getattr(value, name) for name in fields}
    clean = _mapped(given, partial(without_secrets, policy=policy))
    return value if clean == given else value.model_copy(update=clean)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for part in value.values() for text in _texts(part)]
    return [text for part in value for text in _texts(part)] if isinstance(value, list | tuple) else []


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every text in it changed; names stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _mapped(part, change) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_mapped(part, change) for part in value)
    return value
