"""Audits the tables of captures: who violates what, and what stands in the way of a migration."""
