"""Inputs and oracles of the 0-x packages."""
