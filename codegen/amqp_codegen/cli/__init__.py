"""The command line: one thin module per command; all I/O and click stay here."""
