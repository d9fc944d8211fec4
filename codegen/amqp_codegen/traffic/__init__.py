"""Captured traffic to tables.

``core`` turns the octets of a capture into streams, frames and columns, with the standard library alone.
"""
