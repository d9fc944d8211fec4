"""Live conversations in AMQP 1.0."""
