"""Captures read in splits."""
