"""The guide of a 1.0 specification: a page of what concerns all parts, and a page for each part."""
