"""Every error SmartBrain raises on purpose.

::

    SmartBrainError
    ├── InputError (ValueError)          what the caller handed over cannot be used
    │   ├── ContractError                a contract value is malformed; names entry and field
    │   ├── ScopeError                   a scope is missing, malformed or not allowed
    │   └── ConfigError                  brain.yml or a policy value is wrong
    ├── NotFoundError (LookupError)      an id that this store, or this scope, does not hold
    ├── ConflictError                    somebody else changed it first, or a turn is already closed
    ├── ClosedError                      the brain or its store was closed
    ├── StoreError                       the store cannot do its work
    │   ├── StoreOpenError               the path is a folder, read-only, not a store, …
    │   ├── StoreVersionError            the store was written by a newer SmartBrain
    │   └── StoreBusyError               another process held the store for too long
    ├── PluginError                      an embedder, reranker, extractor or summariser failed
    └── MissingExtraError (ImportError)  an optional dependency is not installed
"""

from __future__ import annotations


class SmartBrainError(Exception):
    """Base of every error that SmartBrain raises on purpose."""


class InputError(SmartBrainError, ValueError):
    """What the caller handed over cannot be used; nothing was written."""


class ContractError(InputError):
    """A contract value is malformed.

    ``entry`` is the path of the offending entry (``"messages[2]"``) and ``field`` the field in it
    (``"role"``), both empty when the whole value is wrong.
    """

    def __init__(self, message: str, *, entry: str = "", field: str = "") -> None:
        super().__init__(message)
        self.entry = entry
        self.field = field


class ScopeError(InputError):
    """A scope is missing, malformed, or not among those the call may use."""


class ConfigError(InputError):
    """A configuration key is unknown or its value is out of range."""


class NotFoundError(SmartBrainError, LookupError):
    """An id that this store does not hold, or not in the scopes that were asked."""


class ConflictError(SmartBrainError):
    """The thing was changed by somebody else first, or is in a state that forbids the call."""


class ClosedError(SmartBrainError):
    """The brain, or the store behind it, was closed before this call."""


class StoreError(SmartBrainError):
    """The store could not do its work; the driver's own error is the cause."""


class StoreOpenError(StoreError):
    """The store cannot be opened: the path is a folder, read-only, or no SmartBrain store."""


class StoreVersionError(StoreOpenError):
    """The store was written by a newer SmartBrain than this one."""


class StoreBusyError(StoreError):
    """Another process held the store for longer than the busy timeout."""


class PluginError(SmartBrainError):
    """An embedder, reranker, extractor, summariser or resource client failed."""


class MissingExtraError(SmartBrainError, ImportError):
    """An optional dependency is missing; the message holds the install line."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional dependency. Install it: pip install 'smartbrain[{extra}]'")
        self.extra = extra
