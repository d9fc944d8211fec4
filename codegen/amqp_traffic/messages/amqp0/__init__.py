"""Messages and requests of the 0-x family."""
