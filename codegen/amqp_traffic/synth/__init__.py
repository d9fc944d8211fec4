"""Synthetic captures with labels: everything in them is known, so they can check readers of captures."""
