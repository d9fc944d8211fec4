"""The guide of a 0-x specification: one page, so that every deep link is ``index.html#...``."""
