"""Synthetic captures with labels that tell what is in them, so that readers of captures can be checked.

``conversations0`` and ``conversations1`` are whole conversations, encoded with the generated packages; ``stories0`` and
``stories1`` are what happens in a channel or session; ``mix`` lists the kinds of connections. ``connections`` runs many
conversations at once, ``tcp`` puts them into packets, ``damage`` loses and spoils some, ``capture_writer`` writes the file,
``labels`` writes the truth. ``synthesis`` does all of this for one ``CaptureOrder``.

The same order makes the same octets on every version of Python and every machine.
"""
