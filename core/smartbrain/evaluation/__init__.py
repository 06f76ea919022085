"""Measuring retrieval on labelled conversations."""
