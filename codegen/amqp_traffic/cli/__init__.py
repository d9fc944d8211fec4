"""The commands of ``amqp-codegen traffic``."""
