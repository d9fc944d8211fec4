"""What differs between two specifications of AMQP 1.0."""
