"""Rings that are being written: their files, the reading of them, and checkpoints from which it continues."""
