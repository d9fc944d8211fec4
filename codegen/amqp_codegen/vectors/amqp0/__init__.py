"""The cases of AMQP 0-x, derived from the model: one module for each kind of case."""
