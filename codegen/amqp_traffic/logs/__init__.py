"""Logs of RabbitMQ's tracing plugin: their messages as rows of the table messages."""
