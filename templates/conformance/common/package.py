"""Suites that test an AMQP codec against what the specification says: a folder for each package."""
