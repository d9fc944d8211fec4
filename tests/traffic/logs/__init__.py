"""Logs of RabbitMQ: tracing and firehose."""
