"""Frames to rows and events, decoded by the generated packages. Never raises, whatever is in a frame."""
