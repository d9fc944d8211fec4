"""Fuzzers of the generated packages: hostile octets into every decoder, odd values into every encoder.

``make fuzz SECONDS=60`` runs them. ``case`` is one input, ``entries`` lists what takes one, ``mutator`` changes octets,
``oracles`` has what must be true whatever comes in, ``amqp0`` and ``amqp1`` the inputs and oracles of a family.
"""
