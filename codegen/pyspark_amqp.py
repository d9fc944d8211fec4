"""Registers ``spark.read.format("amqp")``: Spark looks for modules named ``pyspark_*`` with a ``DefaultSource``.

Spark imports all of them, whichever data source is asked for. If ``amqp_codegen`` is installed without its extra
``traffic``, this module is empty, so that other data sources still work.
"""

from importlib.util import find_spec

if find_spec("pyarrow") is not None:
    from amqp_traffic.ingest.spark_source import AmqpSource as DefaultSource

    __all__ = ["DefaultSource"]
