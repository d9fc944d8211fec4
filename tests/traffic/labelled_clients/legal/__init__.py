"""Clients that are odd, and within the rules."""
