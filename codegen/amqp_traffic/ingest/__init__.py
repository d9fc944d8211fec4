"""Captures into a lake: inputs says which captures there are, an engine reads each as a whole."""
