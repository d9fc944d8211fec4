"""Synthetic conversations of the 0-x family."""
