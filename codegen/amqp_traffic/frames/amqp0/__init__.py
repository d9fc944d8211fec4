"""The frame format of the 0-x family."""
