"""Clients that misbehave, clients that are odd but within the rules, and what they are to be told about."""
