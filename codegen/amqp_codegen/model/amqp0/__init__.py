"""The model of 0-8, 0-9 and 0-9-1: ``raw`` as written, ``spec`` resolved."""
