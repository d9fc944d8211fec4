"""Clients that nobody of this project wrote, on our codec: ``make test-clients``."""
