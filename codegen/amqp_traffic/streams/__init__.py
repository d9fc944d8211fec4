"""TCP segments to ordered pieces of streams, for each connection."""
