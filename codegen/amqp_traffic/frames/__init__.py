"""Ordered pieces of streams to frames, despite gaps and errors; secrets are redacted here."""
