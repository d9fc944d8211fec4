"""Tests that talk to a live RabbitMQ with nothing but a generated package and a socket."""
