"""From a plan and a storage to an ``EvidencePack``: exact, semantic, relational and associative search."""
