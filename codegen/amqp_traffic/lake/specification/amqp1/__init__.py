"""The specification tables of AMQP 1.0."""
