"""The rules about single connections of the 0-x family, judged frame by frame."""
