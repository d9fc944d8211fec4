"""Frames of a capture as lines of text: one a frame, or with every field and its octets."""
