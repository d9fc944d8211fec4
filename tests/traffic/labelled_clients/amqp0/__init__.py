"""Clients of 0-x."""
