"""The passes of the 0-x family; ``resolve`` calls them in order."""
