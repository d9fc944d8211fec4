"""Encodes statements of AMQP 1.0: performatives, sections, values."""
