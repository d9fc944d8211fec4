"""Annotates the frames, performatives, messages and values of AMQP 1.0."""
