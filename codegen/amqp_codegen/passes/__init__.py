"""Small steps from the raw model to the resolved one; each returns its result and the problems it met."""
