"""Opening a database as a store: everything that can be wrong with a URL or a server is said here."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreError, StoreOpenError
from smartbrain.stores.postgres.connection import translated_error
from smartbrain.stores.postgres.migrate import migrate, read_only
from smartbrain.stores.postgres.pool import OPTIONS
from smartbrain.stores.sql.steps import Migration

# The server says it in its own words before a session has begun; there is no code for it by then.
_REFUSALS = (
    ("password authentication failed", "the user or the password is wrong"),
    ("no password supplied", "the server asks for a password; put it into the URL, PGPASSWORD or ~/.pgpass"),
    ("does not exist", "there is no such database or role; make it first (createdb)"),
    ("no pg_hba.conf entry", "the server does not let this user in from here (pg_hba.conf)"),
    ("too many", "the server has no connection left"),
)


def prepare(url: str, policy: StorePolicy, steps: Sequence[Migration]) -> None:
    """Makes or migrates the schema if need be.

    Raises StoreOpenError, with StoreVersionError for a schema of a newer SmartBrain.
    """
    name = safe_name(url)
    try:
        with psycopg.connect(url, connect_timeout=policy.postgres.connect_timeout_s, **OPTIONS) as raw:
            migrate(raw, steps, policy.postgres.partitions)
            if raw.execute("SELECT current_setting('transaction_read_only')").fetchone() == ("on",):
                raise StoreOpenError("the database is read-only (a replica?); give the primary's URL")
    except StoreOpenError as error:
        raise type(error)(f"cannot open the store {name}: {error}") from error.__cause__
    except StoreError as error:
        raise StoreOpenError(f"cannot open the store {name}: {error}") from error
    except psycopg.Error as error:
        raise StoreOpenError(f"cannot open the store {name}: {_reason(error)}") from error


def safe_name(url: str) -> str:
    """Where a URL leads, without the password and what else it may carry."""
    try:
        parts = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error as error:
        raise StoreOpenError("the URL of the database cannot be read; write postgresql://user@host/database") from error
    host, user = parts.get("host") or "", parts.get("user")
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{f'{user}@' if user else ''}{host}{port}/{parts.get('dbname') or ''}"


def _reason(error: psycopg.Error) -> str:
    said = " ".join(str(error).split())
    if read_only(error):
        return "the database is read-only (a replica?); give the primary's URL"
    if error.sqlstate == "42501":
        return f"its role may not make the tables; open it once as a role that may ({said})"
    if error.sqlstate:
        return str(translated_error(error))
    return next((f"{reason} ({said})" for mark, reason in _REFUSALS if mark in said), f"no server answers ({said})")
