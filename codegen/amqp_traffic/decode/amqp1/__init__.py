"""Performatives of AMQP 1.0."""
