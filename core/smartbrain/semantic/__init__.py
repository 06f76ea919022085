"""Embedders behind the port."""
