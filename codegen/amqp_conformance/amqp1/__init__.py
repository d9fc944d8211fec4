"""The client's end of an AMQP 1.0 connection, step by step, for the drivers."""

from amqp_codegen.support.resources import load_package

# The modules here, and the drivers, can then import them by their names, wherever the generator is installed.
load_package("amqp_1_0")
load_package("amqp_1_0_rabbitmq")
