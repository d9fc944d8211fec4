"""Lint: what is wrong or odd in a specification, with a catalogue of the rules."""
