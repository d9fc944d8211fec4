"""The passes of 0-8, 0-9 and 0-9-1; ``passes`` calls them in order."""
