"""Rows of the tables messages, exchanges and connections, out of what happens on connections."""
