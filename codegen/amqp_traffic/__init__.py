"""Captured traffic to tables and findings: what was sent, who violates the specification, what stands in the way of a migration."""
