"""Annotates the frames, methods, content headers and field tables of 0-x."""
