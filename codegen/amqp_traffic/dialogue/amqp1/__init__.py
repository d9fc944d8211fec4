"""Sessions of AMQP 1.0 (part 2): channels, handles, windows, credit, delivery-ids and who has settled what.

The model keeps state and does not judge: it returns what a performative refers to and what it displaces. If frames may
be missing or a peer is wrong, the caller decides: message assembly tolerates it, the audit reports it.
"""
