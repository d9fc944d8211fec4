"""Capture files, packet by packet."""
