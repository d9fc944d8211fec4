"""The model of AMQP 1.0: ``raw`` is what its files say, ``spec`` and ``types`` what they mean."""
