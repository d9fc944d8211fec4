"""Ingest of captures into a lake: ``inputs`` finds the captures, an engine reads each as a whole."""
