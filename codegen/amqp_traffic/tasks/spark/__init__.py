"""Spark: requirements, sessions, and its runner of tasks."""
