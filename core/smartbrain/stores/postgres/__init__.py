"""The store on a PostgreSQL server: the shared rows (``stores.sql``), each led by its tenant, and many writers."""

from __future__ import annotations


def shipped_sql(name: str) -> str:
    """The text of an SQL file for administrators: ``citus`` or ``row_level_security``."""
    from importlib.resources import files

    return (files("smartbrain.stores.postgres") / "sql" / f"{name}.sql").read_text("utf-8")
