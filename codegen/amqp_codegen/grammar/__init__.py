"""Class grammars for people and other tools: as text, as a picture, as JSON."""
