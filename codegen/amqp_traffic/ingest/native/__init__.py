"""The ingest in C: its tables, what it asks of Python, and what it is told about generated packages."""
