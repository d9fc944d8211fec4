"""Channels of the 0-x family: methods, consumers, delivery tags, confirms."""
