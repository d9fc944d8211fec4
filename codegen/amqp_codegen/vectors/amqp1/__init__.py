"""The cases of AMQP 1.0, derived from the model: one module for each kind of case."""
