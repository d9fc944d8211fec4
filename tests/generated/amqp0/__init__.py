"""Tests of the generated 0-x packages: what their users rely on, and what hostile octets must not do."""
