"""Files of AMQP 1.0: their schema, and the way from their elements to the raw model."""
