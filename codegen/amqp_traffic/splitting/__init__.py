"""Reads parts of capture files side by side, and stitches connections together. To be replaced by shares of flows."""
