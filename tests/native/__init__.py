"""The cores in C against the Python code of the same packages."""
