"""Makes ``spark.read.format("amqp")`` known: Spark looks for modules of such a name with a ``DefaultSource``."""

from amqp_codegen.traffic.spark.source import AmqpSource as DefaultSource

__all__ = ["DefaultSource"]
