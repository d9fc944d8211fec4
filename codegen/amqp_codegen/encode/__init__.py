"""Frames from a line of text, as the generated packages encode them: for tests of other software."""
