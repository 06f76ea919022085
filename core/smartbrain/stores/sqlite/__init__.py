"""The embedded store on SQLite: ``storage`` opens it, ``reader`` and ``writer`` answer, ``migrations`` shapes it."""
