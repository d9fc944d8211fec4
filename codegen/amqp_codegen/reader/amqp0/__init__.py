"""Files of 0-8, 0-9 and 0-9-1: their schema, and the way from their elements to the raw model."""
