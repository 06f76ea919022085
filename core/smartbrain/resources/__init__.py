"""Clients of the documents beside memory."""
