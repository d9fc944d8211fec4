"""The specification tables of a 0-x version."""
