"""The passes of 1.0; ``resolve`` calls them in order."""
