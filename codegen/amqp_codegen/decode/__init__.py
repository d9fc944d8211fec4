"""Octets to an annotated view: each range with its name, type and value, by the resolved model."""
