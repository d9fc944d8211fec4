"""Shared by all commands and by the other two packages: wording, TOML, data files, generated packages, pages, the terminal."""
