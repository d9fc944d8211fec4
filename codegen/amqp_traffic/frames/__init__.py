"""Ordered pieces of streams to frames, whatever is missing or wrong in them; secrets are taken out here."""
