"""Other libraries behind the ``Peer`` of a generated suite, and what the suite says about them."""
