"""Text: one way to cut it, count it, clean it and find spans in it."""
