"""Files of AMQP 1.0."""
