"""A channel of 0-x: confirms, deliveries, consumers, requests."""
