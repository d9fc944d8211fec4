"""The commands ``amqp-codegen traffic ...``."""
