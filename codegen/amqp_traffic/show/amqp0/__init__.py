"""Fields of 0-x methods and content headers with their octets."""
