"""Captures that somebody makes who wants the ingest to take long, or to need much memory."""
