"""The guide of a 1.0 specification: an overview page, and a page for each part."""
