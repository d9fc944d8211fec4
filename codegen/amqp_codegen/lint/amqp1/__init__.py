"""Rules for 1.0, a module for each topic."""
