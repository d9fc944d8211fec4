"""How frames of the 0-x family look."""
