"""Frames of a capture as lines for people: one a frame, or with every field and its octets."""
