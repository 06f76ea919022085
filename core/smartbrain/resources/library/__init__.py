"""A library of documents in one file: read from folders, kept with an index in layers, searched as memory is."""
