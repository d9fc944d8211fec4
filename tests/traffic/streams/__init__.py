"""TCP streams in order."""
