"""Performatives and sections of AMQP 1.0, field by field."""
