"""Files of 0-8, 0-9 and 0-9-1: their schema, and what becomes of their elements in the raw model."""
