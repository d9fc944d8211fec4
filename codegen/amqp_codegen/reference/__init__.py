"""The reference guide of a specification, as a static site that needs no network."""
