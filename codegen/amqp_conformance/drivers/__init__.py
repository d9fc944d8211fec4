"""Drivers: one function for each rule that can be tried on a broker, in a folder for each family."""
