"""Drivers for AMQP 1.0: a module for each layer of the protocol, from headers to messages."""
