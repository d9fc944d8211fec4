"""Files of AMQP 1.0: their schema, and what becomes of their elements in the raw model."""
