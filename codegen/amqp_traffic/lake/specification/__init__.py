"""The built-in specifications as tables of a lake."""
