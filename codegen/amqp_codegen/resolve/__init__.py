"""From the raw model to ``Spec``: small passes, whose order stands in ``amqp0/passes.py`` and ``amqp1/passes.py``."""
