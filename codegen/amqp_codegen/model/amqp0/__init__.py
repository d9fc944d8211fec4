"""The model of 0-8, 0-9 and 0-9-1: ``raw`` is what a file says, ``spec`` what it means."""
