"""Rows of AMQP 1.0."""
