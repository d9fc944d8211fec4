"""The client's end of an AMQP 1.0 connection, step by step, for the drivers."""

from amqp_codegen.support.resources import load_package

# The modules here, and the drivers, can then import it by its name, wherever the generator is installed.
load_package("amqp_1_0")
