"""The thin layer that runs on Spark: a session, and the tables and views of a lake in it.

Everything that decides something about AMQP is elsewhere, in ``core`` and ``tables``.
"""
