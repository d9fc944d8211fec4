"""Frames to rows and events, by the generated packages; nothing in a frame makes it raise."""
