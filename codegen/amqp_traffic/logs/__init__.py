"""Logs of RabbitMQ's tracing plugin, whose messages become rows of table ``messages``."""
