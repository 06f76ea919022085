"""Contract suites and fakes, for authors of stores, plug-ins and adapters."""
