"""Decoding of methods, content headers and bodies of the 0-x family."""
