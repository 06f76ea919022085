"""Load: many tenants talk to one store at once, and what that costs is measured."""
