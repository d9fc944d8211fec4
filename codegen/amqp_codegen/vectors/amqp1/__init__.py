"""The vectors of AMQP 1.0: cases derived from the model, and their octets."""
