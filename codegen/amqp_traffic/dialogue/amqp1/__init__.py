"""Sessions of AMQP 1.0 (part 2): channels, handles, windows, credit, delivery-ids and who has settled what.

The model follows what is said and judges nothing: it returns what a performative is about, and what it displaces. Where
frames may be missing, or a peer is wrong, the caller decides what follows: the assembly of messages forgives, the audit notes.
"""
