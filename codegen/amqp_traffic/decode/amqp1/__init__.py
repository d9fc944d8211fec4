"""Decoding of performatives of AMQP 1.0."""
