"""How the connections of a capture are shared out, and how shares are read, decoded and checked."""
