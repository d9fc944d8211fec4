"""Fields of AMQP 1.0 performatives and sections with their octets."""
