"""Test cases derived from a specification: values, their octets, and how an implementation must treat them."""
