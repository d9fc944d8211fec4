"""Encodes statements of 0-x: methods, content headers, bodies, tables."""
