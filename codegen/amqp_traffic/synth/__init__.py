"""Synthetic captures with labels: what is in them is known, so a reader of captures can be checked against it."""
