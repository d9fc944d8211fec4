"""What is judged frame by frame on a connection of AMQP 1.0."""
