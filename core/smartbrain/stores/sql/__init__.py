"""Events, memory and search as rows of SQL tables: what the embedded and the PostgreSQL store have in common.

Statements are written once, for SQLite; each filters by ``scope_id``. A store brings its schema, its connections and
transactions, and, where its dialect differs, a translation (``smartbrain.stores.postgres.dialect``).
"""
