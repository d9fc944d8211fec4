"""Messages and requests of AMQP 1.0."""
