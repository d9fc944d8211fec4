"""From segments and logs to the rows of final tables."""
