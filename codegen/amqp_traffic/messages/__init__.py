"""Rows of the tables messages, exchanges and connections, assembled from the events of connections."""
