"""Spark: what it needs, sessions, and its runner of tasks."""
