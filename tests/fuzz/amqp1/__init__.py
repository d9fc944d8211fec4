"""Inputs and oracles of the AMQP 1.0 package."""
