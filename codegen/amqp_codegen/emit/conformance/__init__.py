"""Suites that test a codec against a specification: which files, from which templates."""
