"""Clients of 1.0."""
