"""The audit of captures: which clients and brokers violate the specification, and what obstructs a migration."""
