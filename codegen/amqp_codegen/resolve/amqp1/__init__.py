"""The passes of AMQP 1.0; ``passes`` calls them in order."""
