"""From frames to values."""
