"""The frame format of AMQP 1.0."""
