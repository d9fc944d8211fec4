"""Clients that break a rule, use what is deprecated, or are a nuisance to others."""
