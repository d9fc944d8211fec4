"""Synthetic captures with labels: what is in them is known, so a reader of captures can be checked against it.

``conversations0``, ``conversations1`` and ``foreign`` say what clients and servers say to each other (``stories0`` and
``stories1`` what they do once they are connected), in octets made by the generated packages; ``connections`` makes
many conversations at once; ``tcp`` puts them into packets; ``damage`` loses and spoils some; ``capture_writer`` writes
files; ``labels`` keeps the truth. ``synthesis`` puts it together for an ``Order``.

The same order makes the same octets on every version of Python and every machine.
"""
