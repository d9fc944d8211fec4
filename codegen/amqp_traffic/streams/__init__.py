"""TCP segments to ordered pieces of streams, connection by connection."""
