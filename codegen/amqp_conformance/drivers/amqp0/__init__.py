"""Drivers for 0-8, 0-9-1 and RabbitMQ's extensions: a module for each class of methods."""
