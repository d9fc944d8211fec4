"""What all capabilities and the other two packages share: texts, TOML tables, files that come along, generated packages, pages, the terminal."""
