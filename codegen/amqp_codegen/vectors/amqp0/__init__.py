"""The cases of the 0-x protocols: one module for each kind of case."""
