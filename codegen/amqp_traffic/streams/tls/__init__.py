"""TLS around the octets of a protocol, taken off with the keys of a key log: TLS 1.2 (RFC 5246) and 1.3 (RFC 8446)."""
