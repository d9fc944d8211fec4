"""Synthetic conversations of AMQP 1.0."""
