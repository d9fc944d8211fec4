"""Rows of a version of the 0-x family."""
