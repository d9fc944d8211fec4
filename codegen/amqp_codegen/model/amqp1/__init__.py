"""The model of AMQP 1.0: ``raw`` as written, ``spec`` and ``types`` resolved."""
