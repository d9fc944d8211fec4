"""Test cases that follow from a specification: values, their octets and what an implementation must make of them."""
