"""The commands of ``amqp-codegen conformance``."""
