"""Specifications full of texts that could break out of what is made of them, and everything that is made of them."""
