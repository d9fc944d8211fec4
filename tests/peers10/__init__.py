"""Values of AMQP 1.0 that other implementations read and write."""
