"""The other end of an AMQP 1.0 connection, step by step, for the drivers of its rules."""

from amqp_codegen.support.packages import load_package

# So that the modules here, and the drivers, can import it by its name wherever the generator is installed.
load_package("amqp_1_0")
