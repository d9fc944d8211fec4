"""Rules for 0-8, 0-9 and 0-9-1, a module for each topic."""
