"""The raw model to ``Spec``, in small passes; ``amqp0/passes.py`` and ``amqp1/passes.py`` list them in order."""
