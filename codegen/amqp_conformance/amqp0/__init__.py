"""Connections of the 0-x family, driven step by step through the generated packages."""
