"""Makes ``spark.read.format("amqp")`` known: Spark looks for modules of such a name with a ``DefaultSource``.

It imports all of them, whichever data source is asked for. Where ``amqp_codegen`` is installed without its extra
``traffic``, this one has nothing, and those of others still work.
"""

from importlib.util import find_spec

if find_spec("pyarrow") is not None:
    from amqp_traffic.ingest.spark_source import AmqpSource as DefaultSource

    __all__ = ["DefaultSource"]
