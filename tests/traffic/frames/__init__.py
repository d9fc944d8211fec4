"""From octets to frames, whatever is missing or broken."""
